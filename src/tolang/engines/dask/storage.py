"""Rooms: where values between stages are, and arrays that tasks read: here, in files, or in memory that is shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Any, BinaryIO

import numpy as np

from tolang.data.blocks import WrittenArray, in_shared_memory
from tolang.data.record_arrays import FieldArray
from tolang.engines.dask.grids import bytes_of
from tolang.engines.dask.placement import SMALL
from tolang.engines.dask.requests import (
    SMALL_TO_SEND,
    Goal,
    InMemory,
    Kept,
    Reachable,
    RegionSource,
    array_for,
    written_to,
)
from tolang.ground.values.casting import Array
from tolang.ground.values.spaces import dtype_of
from tolang.plan.nest import Buffer
from tolang.plan.regions import Region, lengths_at

IN_A_CACHE = 1 << 19
"""Bytes of an array that are brought together before they are written, where they do not lie so."""
COPYING = 2
"""How many threads copy arrays, while workers wait for them: one from the first on, one from the last."""


class BufferPool:
    """Memory that copies of inputs were in, kept for those of the next run up to so many bytes: its pages are there."""

    def __init__(self, limit: int) -> None:
        self.limit, self.held = limit, 0
        self._arrays: list[WrittenArray] = []

    def taken(self, shape: Sequence[int], dtype: np.dtype[Any]) -> WrittenArray | None:
        """An array of a shape and a type, if there is one."""
        for one in list(self._arrays):
            if (one.shape, one.dtype) == (tuple(shape), dtype):
                with suppress(ValueError):  # another thread has taken it
                    self._arrays.remove(one)
                    self.held -= one.nbytes
                    return one
        return None

    def clear(self) -> None:
        """Gives all of it up."""
        while self._arrays:
            self._drop_first()

    def _drop_first(self) -> None:
        with suppress(IndexError):  # another thread has dropped it
            first = self._arrays.pop(0)
            self.held -= first.nbytes
            first.close()

    def put(self, array: WrittenArray) -> None:
        """Keeps an array that nobody else reads any more, in the place of those that were kept before it."""
        if array.nbytes > self.limit:
            array.close()
            return
        self._arrays.append(array)
        self.held += array.nbytes
        while self.held > self.limit and self._arrays:
            self._drop_first()


Here = InMemory | FieldArray
"""An array in memory, or a field of records there."""


class Files:
    """Room for what stages give to each other: in memory where it is little, else in files that are gone afterwards.

    Such files may be in memory as well, `shared` with other processes of this machine; what copies of inputs are in is
    on a `shelf` between two runs.
    """

    def __init__(self, stack: ExitStack, folder: Path | None, shared: bool, shelf: BufferPool) -> None:
        self.stack, self.folder, self.shared, self.shelf = stack, folder, shared, shelf
        self._copies: list[WrittenArray] = []

    def room_for(self, buffer: Buffer, known: Mapping[str, int]) -> Goal:
        if bytes_of(buffer, known) <= (SMALL_TO_SEND if self.shared else SMALL):
            return array_for(buffer, known)
        stack = self.stack
        if self.shared:
            shape = list(lengths_at(buffer.shape, known))
            return self.shared_room(shape, dtype_of(buffer.column.storage))
        return written(stack.enter_context(TemporaryFile(prefix=".tol-", dir=self.folder)), buffer, known)

    def given(self, arrays: Mapping[str, Here]) -> dict[str, RegionSource]:
        """Arrays that are here, by their names: copies of large ones are in memory that other processes share."""
        found = dict[str, RegionSource]()
        copies = dict[object, SharedMemoryCopy]()
        for name, one in arrays.items():
            if not self.shared or one.array.nbytes <= SMALL:
                found[name] = one if isinstance(one, InMemory) else InMemory(one.whole())
                continue
            kept = self.shelf.taken(one.array.shape, one.array.dtype)
            found[name] = made = kept or in_shared_memory(one.array.shape, one.array.dtype)
            self._copies.append(made)
            among = name if isinstance(one, InMemory) else (id(one.array.base), one.array.shape)
            copies.setdefault(among, SharedMemoryCopy()).add(one, made, kept is not None)
        self.stack.callback(self._close_copies)
        if copies:
            with ThreadPoolExecutor(COPYING) as threads:
                both = list(copies.values()), list(copies.values())[::-1]
                list(threads.map(_copy_all, both, range(COPYING)))
        return found

    def keep_copies(self) -> None:
        """Has what copies of inputs are in serve the next run: all is done, and nobody reads them any more."""
        while self._copies:
            array = self._copies.pop()
            if not array.file.closed:
                self.shelf.put(array)

    def _close_copies(self) -> None:
        for one in self._copies:
            one.close()

    def shared_room(self, shape: Sequence[int], dtype: np.dtype[Any]) -> WrittenArray:
        """An array in memory that other processes of this machine reach."""
        made = in_shared_memory(shape, dtype)
        self.stack.callback(made.close)
        return made

    def holding(self, buffer: Buffer, known: Mapping[str, int], block: Array) -> Goal | Kept:
        return written_to(self.room_for(buffer, known), block)

    def all_of(self, room: Reachable) -> Reachable:
        return room

    def lasting(self, source: RegionSource, buffer: Buffer, known: Mapping[str, int]) -> RegionSource:
        if self.shared and isinstance(source, WrittenArray):
            source.again = True
        return source

    def free(self, goal: RegionSource) -> None:
        if isinstance(goal, WrittenArray):
            goal.close()


def written(file: BinaryIO, buffer: Buffer, known: Mapping[str, int]) -> WrittenArray:
    """A file that all of a buffer is written to."""
    shape = list(lengths_at(buffer.shape, known))
    return WrittenArray(file, shape, dtype_of(buffer.column.storage))


class SharedMemoryCopy:
    """Arrays that are copied into memory which is shared, by several threads: fields of the same records together.

    A system has one thread write to a file at a time.  Others copy into pages of it that are mapped, which takes each
    longer, unless the pages are there already; fields take turns.
    """

    def __init__(self) -> None:
        self._pairs: list[tuple[Here, WrittenArray, bool]] = []
        self._regions: Iterator[Region] = iter(())
        self.writing = Lock()

    def add(self, source: Here, made: WrittenArray, there: bool) -> None:
        """Another array, as long as those before it; whether the pages that it goes to are `there`."""
        self._pairs.append((source, made, there))
        in_order = source.array.flags.c_contiguous
        self._regions = iter(list(made.regions() if in_order else made.regions(IN_A_CACHE)))

    def copy(self, number: int) -> None:
        """Copies regions as long as there are any that no other thread, which has another number, has copied."""
        several = len(self._pairs) > 1
        first = several or self.writing.acquire(blocking=False)
        pairs: list[tuple[Here, Goal]] = [(source, _goal(made, there, first)) for source, made, there in self._pairs]
        try:
            for region in self._regions:  # each goes to one thread
                for source, goal in pairs if number % 2 else reversed(pairs):
                    goal.write(region, source.read(region))
        finally:
            if first and not several:
                self.writing.release()


def _goal(made: WrittenArray, there: bool, first: bool) -> Goal:
    """Where a copy goes: into mapped pages, or into the file."""
    if there:
        return InMemory(made.kept_mapped())
    return made if first else InMemory(made.mapped())


def _copy_all(copies: Iterable[SharedMemoryCopy], number: int) -> None:
    for one in copies:
        one.copy(number)
