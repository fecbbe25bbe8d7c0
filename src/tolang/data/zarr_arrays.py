"""Zarr: arrays in chunks, in a folder or wherever its stores are; regions are read and written block by block."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tolang.data.contents import reading
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.casting import Array
from tolang.ground.values.membership import refuse_outsiders
from tolang.ground.values.spaces import Column

Interval = tuple[int, int]
CHUNK = 4 << 20
"""About how many bytes a chunk has that is written."""


@dataclass(frozen=True, slots=True)
class ZarrArray:
    """An array of Zarr; values that its `column` asks something of are held against it as they are read."""

    array: Any
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    name: str = ""
    column: Column | None = None

    is_shared: ClassVar[bool] = True

    def read(self, region: Sequence[Interval]) -> Array:
        with reading(self.name or "a Zarr array"):
            found = np.ascontiguousarray(self.array[tuple(slice(low - 1, max(low - 1, high)) for low, high in region)])
        if self.column is not None:
            refuse_outsiders(found, self.column, self.name, exactly=True)
        return found


def zarr_array(data: Any) -> ZarrArray | None:
    """The array at a path, or a Zarr array itself; None where it is none of plain numbers."""
    zarr = _zarr(data)
    if isinstance(data, Path):
        with reading(data):
            data = zarr.open_array(str(data), mode="r")
    if not isinstance(data, zarr.Array) or data.dtype.kind not in "biuf" or not data.dtype.isnative:
        return None
    return ZarrArray(data, tuple(data.shape), np.dtype(data.dtype))


def _zarr(data: Any) -> Any:
    try:
        return importlib.import_module("zarr")
    except ImportError:
        raise usage("E613", f"{data}: Zarr needs the package zarr", fix="pip install 'tolang[dask]'") from None


class WrittenZarr:
    """An array that is written to a folder of Zarr's, one region at a time, and can be read back."""

    is_shared: ClassVar[bool] = False

    def __init__(self, path: Path, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype = tuple(shape), dtype
        chunks = _chunks(self.shape, dtype.itemsize)
        self.array: Any = _zarr(path).create_array(store=str(path), shape=self.shape, dtype=dtype, chunks=chunks)

    def read(self, region: Sequence[Interval]) -> Array:
        return np.ascontiguousarray(self.array[tuple(slice(low - 1, high) for low, high in region)])

    def write(self, region: Sequence[Interval], block: Array) -> None:
        if np.size(block):
            try:
                self.array[tuple(slice(low - 1, high) for low, high in region)] = block
            except OSError as error:
                raise usage("E609", f"cannot write a block of a result: {error.strerror or error}") from None

    def regions(self) -> Iterator[tuple[Interval, ...]]:
        chunks = self.array.chunks
        ranges = [range(0, length, step) for length, step in zip(self.shape, chunks, strict=True)]
        for first in product(*ranges):
            yield tuple((low + 1, min(low + c, n)) for low, c, n in zip(first, chunks, self.shape, strict=True))


def _chunks(shape: tuple[int, ...], width: int) -> tuple[int, ...]:
    """Chunks of about a size, as long as can be in the last dimensions."""
    found, room = list[int](), max(1, CHUNK // width)
    for length in reversed(shape):
        found.insert(0, max(1, min(length, room)))
        room = max(1, room // max(1, length))
    return tuple(found)
