"""NumPy's `.npy`: one array.  Nothing pickled is ever loaded, and no header makes it take more memory than it holds."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np

from tolang.core.types import Type
from tolang.data.contents import FileContents, Form, damaged, located, reading, refuse_beyond_free, separate
from tolang.data.moments import numbers_of_text
from tolang.data.progress import CHUNK, report
from tolang.data.results import Result
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.reporting.faults import place_text
from tolang.ground.values.arrays import field_names
from tolang.ground.values.casting import Array
from tolang.ground.values.membership import fit, ordered_by_name
from tolang.ground.values.spaces import NARROW_FLOATS, storage_of
from tolang.ground.values.values import ToL

ONE_ONLY = "write a .npz or .json file, which hold several values by name"


def open_file(path: Path) -> FileContents:
    """The one array of a file."""

    def load(wanted: Type | None, name: str) -> Any:
        with reading(path), open(path, "rb") as file:
            array = read_array(file, os.fstat(file.fileno()).st_size, path, f"reading {path}")
        return declared(array, wanted, name, path)

    with reading(path), open(path, "rb"):
        return FileContents(load)


def read_array(file: IO[bytes], size: int, where: object, what: str) -> Array:
    """An array in NumPy's format from a file, or a member of one, that has so many bytes."""
    shape, columns_first, dtype = read_header(file, size, where)
    refuse_beyond_free(max(math.prod(shape) * dtype.itemsize, math.prod(shape)), where)
    array = np.empty(shape[::-1] if columns_first else shape, dtype)
    _fill(file, array, where, what)
    return array.T if columns_first else array


def read_header(file: IO[bytes], size: int, where: object) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """The shape of an array in NumPy's format, whether its columns come first, and its type; its data are next."""
    try:
        version = np.lib.format.read_magic(file)
    except ValueError:
        raise usage("E608", f"{where} is not an array of NumPy, or was cut short") from None
    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, columns_first, dtype = header(file)
    except MemoryError:  # which Python's parser calls it where a text nests too deep
        raise damaged(where, "its header is none") from None
    if dtype.hasobject:
        raise usage("E608", f"{where} holds pickled Python objects, and these are never loaded")
    if dtype.subdtype is not None or any(length < 0 for length in shape):
        raise damaged(where, f"its header has the type {dtype} and the shape {shape}")
    if version == (3, 0) and dtype.names:  # the names of fields are UTF-8 there
        dtype.names = tuple(name.encode("latin-1").decode("utf-8") for name in dtype.names)
    announced = math.prod(shape) * dtype.itemsize
    there = size - file.tell()
    if announced > there:
        raise damaged(where, f"it is cut short: its header announces {announced} bytes, and {there} are there")
    return shape, columns_first, dtype


def _fill(file: IO[bytes], array: Array, where: object, what: str) -> None:
    """Reads the bytes of an array, in chunks that are reported."""
    if not array.nbytes:
        return
    goal = array.reshape(-1).view(np.uint8).data
    done = 0
    while done < len(goal):
        chunk = file.read(min(CHUNK, len(goal) - done))
        if not chunk:
            raise damaged(where, f"it is cut short: {done} of {len(goal)} bytes are there")
        goal[done : done + len(chunk)] = chunk
        done += len(chunk)
        report(what, done, len(goal))


def declared(array: Any, wanted: Type | None, name: str, where: object) -> Any:
    """The array as declared; text where numbers are declared, as exact numbers are written, is read as numbers."""
    if wanted is None:
        return array
    with located(where):
        value = ordered_by_name(ToL.of(array), wanted.columns, name)
        if value.capacity != wanted.capacity:
            return fit(value, wanted.columns, name)
        pairs = zip(value.columns, wanted.columns, strict=True)
        columns = [numbers_of_text(*pair, lambda index: f"{where}{place_text(index, value.shape)}") for pair in pairs]
        if all(new is old for new, old in zip(columns, value.columns, strict=True)):
            return fit(value, wanted.columns, name)
        return fit(ToL.list_of([ToL.of(one) for one in columns]), wanted.columns, name, rounding=True)


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """One ToL of any shape fits."""
    if len(forms) != 1:
        raise usage("E607", f"a {path.suffix.lower()} file holds one ToL", found=", ".join(forms), fix=ONE_ONLY)


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    (value,) = separate(results).values()
    write_array(file, value, f"writing {path}")


def write_array(file: IO[bytes], value: ToL, what: str) -> None:
    """A ToL in NumPy's format, in chunks that are reported."""
    array = storable(value)
    np.lib.format.write_array(_Reported(file, what, array.nbytes), array, allow_pickle=False)


@dataclass
class _Reported:
    """A file that reports what is written to it."""

    file: IO[bytes]
    what: str
    total: int
    done: int = 0

    def write(self, content: bytes) -> int:
        written = self.file.write(content)
        self.done += len(content)
        report(self.what, min(self.done, self.total), self.total)
        return written


def storable(value: ToL) -> Any:
    """The ToL as an array that NumPy's files hold: text and exact numbers as text, narrow floats in f32."""
    columns = [storable_column(array) for array in value.columns]
    if len(columns) == 1:
        return columns[0]
    labels = field_names(value)
    packed = np.empty(value.shape, dtype=[(n, c.dtype) for n, c in zip(labels, columns, strict=True)])
    for label, column in zip(labels, columns, strict=True):
        packed[label] = column
    return packed


def storable_column(array: Array) -> Array:
    if array.dtype == object:
        texts = [str(one) for one in array.reshape(-1).tolist()]
        long = next((one for one in texts if one.endswith("\0")), None)
        if long is not None:
            raise usage("E607", f"NumPy's files hold no text that ends in NUL: {shown(long)}")
        return np.array(texts, dtype=np.str_).reshape(array.shape)
    if storage_of(array.dtype) in NARROW_FLOATS:
        return array.astype(np.float32)
    return array
