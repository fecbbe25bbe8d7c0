"""Rooms: where values between stages are, and arrays that tasks read: here, in files, or in memory that is shared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, BinaryIO

import numpy as np

from tolang.data.blocks import WrittenArray, in_shared_memory
from tolang.engines.dask.grids import bytes_of
from tolang.engines.dask.placement import SMALL
from tolang.engines.dask.requests import SMALL_TO_SEND, Goal, InMemory, Source, array_for
from tolang.ground.casting import Array
from tolang.ground.spaces import dtype_of
from tolang.nests.nest import Buffer

IN_A_CACHE = 1 << 19
"""Bytes of an array that are brought together before they are written, where they do not lie so."""
COPYING = 2
"""How many threads copy arrays, while workers wait for them: one from the first on, one from the last."""


class Files:
    """Room for what stages give to each other: in memory where it is little, else in files that are gone afterwards.

    Such files may be in memory as well, `shared` with other processes of this machine.
    """

    def __init__(self, stack: ExitStack, folder: Path | None, shared: bool) -> None:
        self.stack, self.folder, self.shared = stack, folder, shared

    def room_for(self, buffer: Buffer, known: Mapping[str, int], here: bool = False) -> Goal:
        if bytes_of(buffer, known) <= (SMALL_TO_SEND if self.shared else SMALL):
            return array_for(buffer, known)
        stack = self.stack
        if self.shared:
            shape = [int(length.evaluate(known)) for length in buffer.shape]
            return self.shared_room(shape, dtype_of(buffer.column.storage))
        return written(stack.enter_context(TemporaryFile(prefix=".tol-", dir=self.folder)), buffer, known)

    def given(self, arrays: Mapping[str, Array]) -> dict[str, Source]:
        """Arrays that are here, by their names: copies of large ones are in memory that other processes share."""
        found = dict[str, Source]()
        copies = list[Copy]()
        for name, array in arrays.items():
            found[name] = InMemory(array)
            if self.shared and array.nbytes > SMALL:
                found[name] = made = self.shared_room(array.shape, array.dtype)
                copies.append(Copy(InMemory(array), made))
        if copies:
            with ThreadPoolExecutor(COPYING) as threads:
                list(threads.map(_copy_all, (copies, copies[::-1])))
        return found

    def shared_room(self, shape: Sequence[int], dtype: np.dtype[Any]) -> WrittenArray:
        """An array in memory that other processes of this machine reach."""
        made = in_shared_memory(shape, dtype)
        self.stack.callback(made.close)
        return made

    def lasting(self, source: Source, buffer: Buffer, known: Mapping[str, int]) -> Source:
        if self.shared and isinstance(source, WrittenArray):
            source.again = True
        return source

    def free(self, goal: Source) -> None:
        if isinstance(goal, WrittenArray):
            goal.close()


def written(file: BinaryIO, buffer: Buffer, known: Mapping[str, int]) -> WrittenArray:
    """A file that all of a buffer is written to."""
    shape = [int(length.evaluate(known)) for length in buffer.shape]
    return WrittenArray(file, shape, dtype_of(buffer.column.storage))


class Copy:
    """An array that is copied into a file in memory, by several threads.

    A system has one of them write to a file at a time; the others copy into pages of it that are mapped, which takes
    each longer.
    """

    def __init__(self, source: InMemory, made: WrittenArray) -> None:
        self.source, self.made = source, made
        in_order = source.array.flags.c_contiguous
        self._regions = iter(list(made.regions() if in_order else made.regions(IN_A_CACHE)))
        self.writing = Lock()

    def copy(self) -> None:
        """Copies regions as long as there are any that no other thread has copied."""
        first = self.writing.acquire(blocking=False)
        try:
            goal = self.made if first else InMemory(self.made.mapped())
            for region in self._regions:  # each goes to one thread
                goal.write(region, self.source.read(region))
        finally:
            if first:
                self.writing.release()


def _copy_all(copies: Iterable[Copy]) -> None:
    for one in copies:
        one.copy()
