"""Rooms: where values between stages are, and arrays that tasks read: here, in files, or in memory that is shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
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
"""How many threads copy an array, while workers wait for it."""


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

    def given(self, array: Array) -> Source:
        """An array that is here: a copy of a large one is in memory that other processes share."""
        if not self.shared or array.nbytes <= SMALL:
            return InMemory(array)
        made, source = self.shared_room(array.shape, array.dtype), InMemory(array)
        regions = list(made.regions() if array.flags.c_contiguous else made.regions(IN_A_CACHE))

        def copy(share: int) -> None:
            for region in regions[share::COPYING]:
                made.write(region, source.read(region))

        with ThreadPoolExecutor(COPYING) as threads:
            list(threads.map(copy, range(COPYING)))
        return made

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
