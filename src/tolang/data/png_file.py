"""PNG: a picture as bytes, height by width, with a component or a last dimension for its colours.

A grey picture is a matrix; a coloured one has three or four bytes at each point, as a list where lists are declared,
else as the last dimension.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from PIL import Image

from tolang.core.types import Type
from tolang.data.contents import FileContents, Form, located, reading, refuse_beyond_free, separate
from tolang.data.results import Result
from tolang.ground.reporting.diagnostics import ToLangUsageError, usage
from tolang.ground.values.casting import Array
from tolang.ground.values.interchange import from_numpy
from tolang.ground.values.membership import fit
from tolang.ground.values.spaces import Column, Space
from tolang.ground.values.values import ToL

MOST_POINTS = 1 << 27
"""The largest picture that is read: a few bytes may announce, and unpack to, any number of points."""
UNPACKED = 12
"""Bytes that a point takes while it is read: of up to four colours, held three times."""
GREATEST_RATIO = 1100
"""More bytes than this no byte of compressed data unpacks to; zlib's greatest ratio is 1032."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = {1: ("grey",), 2: ("grey", "alpha"), 3: ("red", "green", "blue"), 4: ("red", "green", "blue", "alpha")}
MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
FORMS = "one byte at each point, or 2 to 4 of them as lists or as the last dimension"


def open_file(path: Path) -> FileContents:
    """The one picture of a file."""

    def load(wanted: Type | None, name: str) -> Any:
        with reading(path), open(path, "rb") as file:
            _refuse_header(path, file)
            array = _read(path, file)
        return array if wanted is None else _declared(path, array, wanted, name)

    with reading(path), open(path, "rb"):
        return FileContents(load)


def _refuse_header(path: Path, file: BinaryIO) -> None:
    """Raises the error of a picture that is too large, or of a depth that would be cut, before it is unpacked."""
    head = file.read(33)
    if len(head) < 33 or not head.startswith(SIGNATURE) or head[12:16] != b"IHDR":
        raise usage("E608", f"{path} is not a PNG file, or was cut short")
    width, height, depth, colour = struct.unpack(">IIBB", head[16:26])
    if width * height > MOST_POINTS:
        raise usage("E608", f"{path} has {width} by {height} points", expected=f"at most {MOST_POINTS} points")
    if width * height * depth // 8 > os.fstat(file.fileno()).st_size * GREATEST_RATIO:
        raise usage("E608", f"{path} is damaged: it announces {width} by {height} points, more than its bytes can hold")
    refuse_beyond_free(UNPACKED * width * height, path)
    if depth == 16 and colour != 0:
        raise usage("E608", f"{path} has colours of 16 bits", expected="colours of 8 bits, or grey of 8 or 16")
    file.seek(0)


def _read(path: Path, file: BinaryIO) -> Array:
    with Image.open(file, formats=["PNG"]) as checked:
        checked.verify()  # the checksums, and that the file goes on to its end
    file.seek(0)
    with Image.open(file, formats=["PNG"]) as picture:
        count = getattr(picture, "n_frames", 1)
        if count > 1:
            raise usage("E608", f"{path} has {count} pictures", expected="one")
        picture.load()
        mode = picture.mode
        if mode.startswith("I"):
            return np.array(picture, dtype=np.uint16)
        coloured = "RGBA" if "transparency" in picture.info else "RGB"
        goal = {"1": "L", "P": coloured}.get(mode, mode)
        return np.array(picture.convert(goal), dtype=np.uint8)


def _declared(path: Path, array: Array, wanted: Type, name: str) -> ToL:
    """The picture in the form that is declared; components are colours, by name where they have these names."""
    value = from_numpy(array)
    if wanted.capacity > 1 and array.ndim == 3:
        colours = COLOURS[array.shape[2]]
        labels = colours if set(_labels(wanted)) <= set(colours) else (None,) * len(colours)
        columns = [Column(Space("Z"), "u8", False, label) for label in labels]
        value = ToL([np.ascontiguousarray(array[..., place]) for place in range(len(colours))], columns)
    counted = wanted.rank != 3 or wanted.shape[2].constant in (None, array.shape[-1])
    if value.dimension != wanted.rank or not counted or (value.capacity != wanted.capacity and not any(value.names)):
        raise _other_form(path, array, wanted, name)
    with located(path):
        return fit(value, wanted.columns, name)


def _labels(wanted: Type) -> list[str | None]:
    return [one.name for one in wanted.columns]


def _other_form(path: Path, array: Array, wanted: Type, name: str) -> ToLangUsageError:
    count = array.shape[2] if array.ndim == 3 else 1
    found = f"{array.shape[0]} by {array.shape[1]} points of {', '.join(COLOURS[count])}"
    fix = "[h,w]" if count == 1 else f"[h,w,{count}], or lists of {count} bytes [h,w]"
    message = f"{path} is not of the form that {name} is declared in"
    return usage("E612", message, found, f"{name}: {wanted}", fix=f"declare bytes {fix}")


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """One ToL of the form of a picture fits."""
    ranks = {(2, 1), (3, 1), (2, 2), (2, 3), (2, 4)}
    if len(forms) != 1 or next(((one.rank, one.capacity) for one in forms.values()), None) not in ranks:
        found = ", ".join(f"{name} of {one.rank} dimensions" for name, one in forms.items())
        raise usage("E607", f"{path}: a .png file holds one picture", found, FORMS)


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    ((name, value),) = separate(results).items()
    columns = [_bytes(name, one) for one in value.columns]
    array = np.stack(columns, axis=-1) if len(columns) > 1 else columns[0]
    count = array.shape[2] if array.ndim == 3 else 1
    if count not in MODES or not array.size:
        raise usage("E607", f"{name} is not a picture", f"the shape {list(array.shape)}", FORMS)
    plain = array.reshape(array.shape[:2]) if count == 1 else array
    Image.fromarray(np.ascontiguousarray(plain)).save(file, "PNG")


def _bytes(name: str, array: Array) -> Array:
    """Whole numbers from 0 to 255 as bytes."""
    if array.dtype == np.uint8:
        return array
    if array.dtype == bool:
        return array.astype(np.uint8) * 255
    with np.errstate(all="ignore"):
        narrow = array.astype(np.uint8) if array.dtype.kind in "iuf" else None
    if narrow is None or not np.array_equal(narrow, array):
        fix = "round and clip it first: map(t, min(max(floor(* + 0.5), 0), 255))"
        raise usage("E607", f"{name} has values that are no bytes", expected="whole numbers from 0 to 255", fix=fix)
    return narrow
