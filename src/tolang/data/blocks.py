"""Arrays of which one region at a time is in memory: NumPy's `.npy` files, read and written block by block.

A block is read from the file and not mapped, so that the memory of a process is what its blocks take and nothing else.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import numpy as np

from tolang.data.contents import damaged, reading
from tolang.data.npy_file import read_header
from tolang.ground.casting import Array
from tolang.ground.diagnostics import usage
from tolang.ground.membership import refuse_outsiders
from tolang.ground.spaces import Column

Interval = tuple[int, int]
IN_PLACES = (".npy", ".zarr", ".parquet", ".arrow", ".feather")
"""What the names of data end in that stay where they are while regions of them are read."""
BLOCK = 32 << 20
"""About how many bytes are read at a time where all of an array is read."""


@dataclass(frozen=True, slots=True)
class StoredArray:
    """An array in a `.npy` file; values that its `column` asks something of are held against it as they are read.

    The file is the one that was opened: another one of its name, or one that was written to since, is refused.
    """

    path: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    offset: int
    written: int
    name: str = ""
    column: Column | None = None

    is_shared: ClassVar[bool] = True

    def read(self, region: Sequence[Interval]) -> Array:
        """The elements of a region, from the first to the last coordinate of each dimension."""
        found = np.empty([max(0, high - low + 1) for low, high in region], self.dtype)
        if found.size:
            path = Path(self.path)
            with reading(path), open(path, "rb") as file:
                if os.fstat(file.fileno()).st_mtime_ns != self.written:
                    raise damaged(self.path, "it was changed while a program was running on it")
                parts = found.reshape(-1).view(np.uint8).data
                for start, length, at in _runs(self.shape, region, self.dtype.itemsize):
                    _read(file, parts[at : at + length], self.offset + start, self.path)
        if self.column is not None:
            refuse_outsiders(found, self.column, self.name, exactly=True)
        return found


def stored_array(path: Path) -> StoredArray | None:
    """The array of a file, of which nothing is read yet; None where it lies column by column, or has fields."""
    with reading(path), open(path, "rb") as file:
        status = os.fstat(file.fileno())
        shape, columns_first, dtype = read_header(file, status.st_size, path)
        place = file.tell()
    if (columns_first and len(shape) > 1) or dtype.names or not dtype.isnative or dtype.kind not in "biuf":
        return None
    return StoredArray(str(path.resolve()), shape, dtype, place, status.st_mtime_ns)


class WrittenArray:
    """An array that is written to an open `.npy` file, one region at a time, and can be read back."""

    is_shared: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
        self.file, self.shape, self.dtype = file, tuple(shape), dtype
        header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(file, header)
        file.flush()
        self.offset = file.tell()
        os.ftruncate(file.fileno(), self.offset + math.prod(self.shape) * dtype.itemsize)

    def read(self, region: Sequence[Interval]) -> Array:
        found = np.empty([max(0, high - low + 1) for low, high in region], self.dtype)
        if found.size:
            parts = found.reshape(-1).view(np.uint8).data
            for start, length, at in _runs(self.shape, region, self.dtype.itemsize):
                _read(self.file, parts[at : at + length], self.offset + start, self.file.name)
        return found

    def write(self, region: Sequence[Interval], block: Array) -> None:
        if not block.size:
            return
        parts = np.ascontiguousarray(block).reshape(-1).view(np.uint8).data
        try:
            for start, length, at in _runs(self.shape, region, self.dtype.itemsize):
                done = 0
                while done < length:
                    done += os.pwrite(self.file.fileno(), parts[at + done : at + length], self.offset + start + done)
        except OSError as error:
            raise usage("E609", f"cannot write a block of a result: {error.strerror or error}") from None

    def regions(self) -> Iterator[tuple[Interval, ...]]:
        """Stretches of the first dimension that are about so long as memory for a block may be, all of it once."""
        if not self.shape:
            yield ()
            return
        row = max(1, math.prod(self.shape[1:]) * self.dtype.itemsize)
        rows = max(1, BLOCK // row)
        rest = [(1, length) for length in self.shape[1:]]
        for low in range(0, self.shape[0], rows):
            yield (low + 1, min(low + rows, self.shape[0])), *rest

    def finish(self) -> None:
        """Leaves the file where whoever opened it may close it."""
        self.file.seek(0, os.SEEK_END)


def _read(file: BinaryIO, goal: memoryview, start: int, where: object) -> None:
    done = 0
    while done < len(goal):
        count = os.preadv(file.fileno(), [goal[done:]], start + done)
        if not count:
            raise damaged(where, "it was cut short while a program was running on it")
        done += count


def _runs(shape: Sequence[int], region: Sequence[Interval], width: int) -> Iterator[tuple[int, int, int]]:
    """The stretches of a file that a region is in, each with its place among the region's own bytes."""
    if not shape:
        yield 0, width, 0
        return
    inner = len(shape) - 1
    while inner > 0 and region[inner] == (1, shape[inner]):
        inner -= 1
    strides = [width * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    low, high = region[inner]
    length, place = (high - low + 1) * strides[inner], 0
    for outer in product(*(range(first - 1, last) for first, last in region[:inner])):
        start = sum(at * stride for at, stride in zip(outer, strides, strict=False)) + (low - 1) * strides[inner]
        yield start, length, place
        place += length
