"""Arrays of which one region at a time is in memory: NumPy's `.npy` files, read and written block by block.

A block is read from the file and not mapped, so that the memory of a process is what its blocks take and nothing else.
What a process writes to, others of its machine can read and write as well, through the file that it has open; such a
file may be memory that has no place on any disk, and is gone as soon as nobody has it open.
"""

from __future__ import annotations

import math
import mmap
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, product
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Literal
from weakref import WeakSet

import numpy as np

from tolang.data.contents import damaged, reading
from tolang.data.npy_file import read_header
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.casting import Array
from tolang.ground.values.membership import refuse_outsiders
from tolang.ground.values.spaces import Column

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
                _read_region(file, self.shape, self.offset, region, found, self.path)
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
    """An array that is written to an open `.npy` file, one region at a time, and can be read back.

    One whose regions are read many times, and do not change meanwhile, is read `again`.
    """

    is_shared: ClassVar[bool] = False

    def __init__(self, file: BinaryIO, shape: Sequence[int], dtype: np.dtype[Any], in_memory: bool = False) -> None:
        self.file, self.shape, self.dtype, self.in_memory = file, tuple(shape), dtype, in_memory
        self.again = False
        self._pages: Array | None = None
        header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": self.shape}
        np.lib.format.write_array_header_1_0(file, header)
        file.flush()
        self.offset = file.tell()
        os.ftruncate(file.fileno(), self.offset + math.prod(self.shape) * dtype.itemsize)

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def read(self, region: Sequence[Interval]) -> Array:
        """A region; one that lies in one stretch of memory is mapped, and is no copy."""
        return _region(self.file, self.shape, self.dtype, self.offset, region, self.in_memory, self.file.name)

    def write(self, region: Sequence[Interval], block: Array) -> None:
        _write(self.file, self.shape, self.offset, region, block)

    def reached(self) -> ReachedArray:
        """The same array, as another process of this machine reads and writes it."""
        number, status = self.file.fileno(), os.fstat(self.file.fileno())
        identity = status.st_dev, status.st_ino
        path = f"/proc/{os.getpid()}/fd/{number}"
        return ReachedArray(path, identity, self.shape, self.dtype, self.offset, self.again)

    def exchange(self, other: object) -> bool:
        """Has another array's content, which has this one's, where both are in memory and alike; whether it does."""
        if not isinstance(other, WrittenArray) or not (self.in_memory and other.in_memory):
            return False
        if (self.shape, self.dtype, self.offset) != (other.shape, other.dtype, other.offset):
            return False
        self.file, other.file = other.file, self.file
        self._pages = other._pages = None
        return True

    def all_of(self) -> WrittenArray:
        return self

    def kept_mapped(self) -> Array:
        """All of it, as an array that stays mapped as long as the file is open: pages take their time to map."""
        if self._pages is None:
            self._pages = self.mapped()
        return self._pages

    def mapped(self) -> Array:
        """All of it, as an array that stays when the file is closed."""
        if not math.prod(self.shape):
            return np.zeros(self.shape, self.dtype)
        return np.asarray(np.memmap(self.file, self.dtype, "r+", self.offset, self.shape))

    def regions(self, block: int = BLOCK) -> Iterator[tuple[Interval, ...]]:
        """Stretches of the first dimension that are about so long as memory for a block may be, all of it once."""
        if not self.shape:
            yield ()
            return
        row = max(1, math.prod(self.shape[1:]) * self.dtype.itemsize)
        rows = max(1, block // row)
        rest = [(1, length) for length in self.shape[1:]]
        for low in range(0, self.shape[0], rows):
            yield (low + 1, min(low + rows, self.shape[0])), *rest

    def close(self) -> None:
        """Closes the file that it has by now."""
        self._pages = None
        self.file.close()

    def finish(self) -> None:
        """Leaves the file where whoever opened it may close it."""
        self.file.seek(0, os.SEEK_END)


class Unreached(Exception):
    """What another process is to have open is not there; the message says what was found."""


@dataclass(frozen=True, slots=True)
class ReachedArray:
    """An array that another process of this machine writes to a file, by the place where that one has it open.

    The file is the one that was meant: what a process opens later in the same place is refused.
    """

    path: str
    identity: tuple[int, int]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    offset: int
    again: bool = False

    is_shared: ClassVar[bool] = True

    def read(self, region: Sequence[Interval]) -> Array:
        """A region; one that lies in one stretch is mapped, and is no copy."""
        with self._opened("rb") as file:
            return _region(file, self.shape, self.dtype, self.offset, region, True, self.path)

    def write(self, region: Sequence[Interval], block: Array) -> None:
        with self._opened("r+b") as file:
            _write(file, self.shape, self.offset, region, block)

    def reached(self) -> ReachedArray:
        return self

    def regions(self) -> Iterator[tuple[Interval, ...]]:
        yield tuple((1, length) for length in self.shape)

    def exchange(self, other: object) -> bool:
        return False

    def all_of(self) -> AllMapped:
        """The same array, all of it in the addresses of this process."""
        with self._opened("r+b") as file:
            return AllMapped(self, np.asarray(np.memmap(file, self.dtype, "r+", self.offset, self.shape)))

    def is_there(self) -> bool:
        """Whether this process can reach it."""
        try:
            with self._opened("r+b"):
                return True
        except Unreached:
            return False

    @contextmanager
    def _opened(self, mode: Literal["rb", "r+b"]) -> Iterator[BinaryIO]:
        try:
            file: BinaryIO = open(self.path, mode)  # noqa: SIM115  # it is closed below
        except OSError as error:
            raise Unreached(str(error)) from None
        with file:
            status = os.fstat(file.fileno())
            if (status.st_dev, status.st_ino) != self.identity:
                raise Unreached(f"{self.path} is another file by now")
            yield file


@dataclass(frozen=True, slots=True, eq=False)
class AllMapped:
    """An array of another process that is mapped, and so read and written where it is; a region of it is no copy."""

    source: ReachedArray
    array: Array

    is_shared: ClassVar[bool] = True

    def read(self, region: Sequence[Interval]) -> Array:
        return self.array[tuple(slice(low - 1, max(low - 1, high)) for low, high in region)]

    def write(self, region: Sequence[Interval], block: Array) -> None:
        self.array[tuple(slice(low - 1, high) for low, high in region)] = block

    def regions(self) -> Iterator[tuple[Interval, ...]]:
        return self.source.regions()

    def reached(self) -> ReachedArray:
        return self.source

    def all_of(self) -> AllMapped:
        return self

    def exchange(self, other: object) -> bool:
        return False


class Mappings:
    """Regions of arrays of other processes that stay mapped as long as this is there: no more than so many bytes.

    A copy, as another process has it, has none.  What another `run` has mapped in this process is given up as soon as
    this one maps something, for who asked for it may be told late that nobody needs it any more.
    """

    _all: ClassVar[WeakSet[Mappings]] = WeakSet()

    def __init__(self, limit: int, run: str) -> None:
        self.limit, self.run, self.taken = limit, run, 0
        self._regions: dict[tuple[tuple[int, int], tuple[Interval, ...]], Array] = {}
        self._all.add(self)

    def __reduce__(self) -> tuple[type[Mappings], tuple[int, str]]:
        return Mappings, (self.limit, self.run)

    def _give_up_others(self) -> None:
        for other in [one for one in self._all if one.run != self.run]:
            other.taken = 0
            other._regions.clear()

    def of(self, source: Any) -> Any:
        """An array whose regions stay mapped where they are read again; any other as it is."""
        return MappedArray(source, self) if isinstance(source, ReachedArray) and source.again else source

    def read(self, source: ReachedArray, region: Sequence[Interval]) -> Array:
        """A region; while it is mapped, nobody else's can have the identity of its file."""
        key = source.identity, tuple(region)
        found = self._regions.get(key)
        if found is None:
            self._give_up_others()
            found = source.read(region)
            if self.taken + found.nbytes <= self.limit:
                self.taken += found.nbytes
                self._regions[key] = found
        return found


@dataclass(frozen=True, slots=True)
class MappedArray:
    """An array of another process, of which some regions stay mapped."""

    source: ReachedArray
    mappings: Mappings

    is_shared: ClassVar[bool] = True

    def read(self, region: Sequence[Interval]) -> Array:
        return self.mappings.read(self.source, region)


def in_shared_memory(shape: Sequence[int], dtype: np.dtype[Any]) -> WrittenArray:
    """An array in memory that other processes of this machine can reach; it is freed when its file is closed."""
    return WrittenArray(os.fdopen(os.memfd_create("tolang"), "w+b"), shape, dtype, True)


def _write(
    file: BinaryIO, shape: Sequence[int], offset: int, region: Sequence[Interval], block: Array
) -> None:  # fmt: skip
    if not block.size:
        return
    parts = np.ascontiguousarray(block).reshape(-1).view(np.uint8).data
    try:
        for start, length, at in _runs(shape, region, block.dtype.itemsize):
            done = 0
            while done < length:
                done += os.pwrite(file.fileno(), parts[at + done : at + length], offset + start + done)
    except OSError as error:
        raise usage("E609", f"cannot write a block of a result: {error.strerror or error}") from None


def _region(
    file: BinaryIO, shape: Sequence[int], dtype: np.dtype[Any], offset: int, region: Sequence[Interval],
    mapping: bool, where: object,
) -> Array:  # fmt: skip
    """A region of an array in a file; where it lies in one stretch of what is there for `mapping`, it is no copy."""
    lengths = [max(0, high - low + 1) for low, high in region]
    if 0 in lengths:
        return np.empty(lengths, dtype)
    runs = list(islice(_runs(shape, region, dtype.itemsize), 2)) if mapping else []
    if len(runs) == 1:
        return _mapped(file, dtype, offset + runs[0][0], lengths)
    found = np.empty(lengths, dtype)
    _read_region(file, shape, offset, region, found, where)
    return found


def _mapped(file: BinaryIO, dtype: np.dtype[Any], start: int, lengths: Sequence[int]) -> Array:
    page = start // mmap.ALLOCATIONGRANULARITY * mmap.ALLOCATIONGRANULARITY
    before, size = start - page, math.prod(lengths)
    try:
        pages = mmap.mmap(file.fileno(), before + size * dtype.itemsize, access=mmap.ACCESS_READ, offset=page)
    except OSError as error:
        raise MemoryError(str(error)) from None
    return np.frombuffer(pages, dtype, size, before).reshape(lengths)


def _read_region(
    file: BinaryIO, shape: Sequence[int], offset: int, region: Sequence[Interval], found: Array, where: object
) -> None:
    parts = found.reshape(-1).view(np.uint8).data
    for start, length, at in _runs(shape, region, found.dtype.itemsize):
        _read(file, parts[at : at + length], offset + start, where)


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
