"""Data of large tensors, left in their files: mapped into memory, so that loading a model reads none of it.

A message names a mapped file by a text that nobody else knows, so that a model reads its own files alone.  What an
import looks at is noted: the program of a model depends on those elements, and on no others.
"""

from __future__ import annotations

import hashlib
import math
import mmap
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

from tolang.ground.dataclasses import dataclass
from tolang.onnx.elements import Array, dtype_of_element
from tolang.onnx.faults import model_error

if TYPE_CHECKING:
    from onnx import TensorProto

Extent = tuple[int, int]
"""Bytes of a file: where they begin, and how many they are."""


class Mapped:
    """A file whose content is read where and when it is used."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, os.urandom(16).hex()
        with path.open("rb") as file:
            self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._handle = os.dup(file.fileno())
        self._state = self._now()
        self.content = memoryview(self._memory)
        self.looked_at: set[Extent] = set()
        _FILES[self.name] = self

    def _now(self) -> tuple[int, int]:
        status = os.fstat(self._handle)
        return status.st_size, status.st_mtime_ns

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            os.close(self._handle)

    @property
    def is_changed(self) -> bool:
        """Whether somebody has written to the file since it was mapped."""
        return self._now() != self._state

    def refuse_changed(self) -> None:
        """An error where the file is not what it was when the model was loaded."""
        if self.is_changed:
            message = f"{self.path} has changed since the model was loaded"
            raise model_error("E702", message, fix="load the model again")

    def array(self, offset: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Array:
        """Elements in the file, as a view."""
        return np.frombuffer(self._memory, dtype, math.prod(shape), offset).reshape(shape)

    def digest(self, extent: Extent) -> str:
        """A digest of some bytes."""
        start, length = extent
        return hashlib.sha256(self.content[start : start + length]).hexdigest()


_FILES: WeakValueDictionary[str, Mapped] = WeakValueDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class Weight:
    """A tensor in a mapped file: its type and shape are known, its elements are read when they are asked for."""

    file: Mapped
    offset: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def elements(self) -> Array:
        """The elements, to look at: what follows from them is noted to follow from them."""
        self.file.looked_at.add((self.offset, self.nbytes))
        return self.data

    @property
    def data(self) -> Array:
        """The elements, to compute with when the program runs."""
        return self.file.array(self.offset, self.dtype, self.shape)


def elements_of(array: Array | Weight) -> Array:
    """Elements to look at, wherever they are."""
    return array.elements if isinstance(array, Weight) else array


def weight_of(tensor: TensorProto) -> Weight | None:
    """A tensor whose data is in a mapped file; None where its message names no such file."""
    where = {one.key: one.value for one in tensor.external_data}
    file = _FILES.get(where.get("location", ""))
    if file is None:
        return None
    return Weight(file, int(where["offset"]), dtype_of_element(tensor.data_type), tuple(tensor.dims))
