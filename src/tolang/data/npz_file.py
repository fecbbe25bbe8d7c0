"""NumPy's `.npz`: arrays by name.  An array is read when it is asked for, and names never become paths."""

from __future__ import annotations

import os
import struct
import zipfile
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from tolang.core.types import Type
from tolang.data.contents import FileContents, Form, reading, separate
from tolang.data.npy_file import declared, read_array, write_array
from tolang.data.results import Result
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.escaping import shown

SUFFIX = ".npy"
LARGEST_DIRECTORY = 1 << 26
"""Bytes of a file's directory, which has about a hundred for each member."""
LONGEST_END = 22 + 20 + (1 << 16)
END, WIDE_END = b"PK\x05\x06", b"PK\x06\x06"
"""How the records at a file's end begin, which tell the length of the directory; a comment may follow."""


def open_file(path: Path) -> FileContents:
    """The arrays of a file by name; its directory is read once, whatever is loaded of it."""
    with reading(path):
        if not zipfile.is_zipfile(path):
            open(path, "rb").close()
            raise usage("E608", f"{path} is not a NumPy .npz file, or was cut short")
        _refuse_directory(path)
        archive = zipfile.ZipFile(path)  # closed with the last of the loaders
    entries = archive.infolist()
    twice = [name for name, count in Counter(one.filename for one in entries).items() if count > 1]
    if twice:
        raise usage("E608", f"{path} holds the member {shown(twice[0])} twice")
    return FileContents(
        parts={one.filename.removesuffix(SUFFIX): partial(_load, path, archive, one) for one in entries}
    )


def _refuse_directory(path: Path) -> None:
    """Raises the error of more members than anybody has, before there is an object for each."""
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - LONGEST_END))
        tail = file.read(LONGEST_END)
        place = tail.rfind(END)
        size = _number("<I", tail, place + 12) if place >= 0 else 0
        if size == 0xFFFFFFFF:  # the length is in a record of 64 bits, whose place stands in another one before this
            file.seek(_number("<Q", tail, place - 12))
            record = file.read(48)
            size = _number("<Q", record, 40) if record.startswith(WIDE_END) else 0
    if size > LARGEST_DIRECTORY:
        raise usage("E608", f"{path} has a directory of {size} bytes", expected=f"at most {LARGEST_DIRECTORY} bytes")


def _number(kind: str, content: bytes, place: int) -> int:
    """The number at a place; 0 where the content ends before it."""
    fits = 0 <= place <= len(content) - struct.calcsize(kind)
    return int(struct.unpack_from(kind, content, place)[0]) if fits else 0


def _load(path: Path, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, wanted: Type | None, name: str) -> Any:
    where = f"{path}, member {shown(entry.filename.removesuffix(SUFFIX))}"
    with reading(path, where), archive.open(entry) as file:
        array = read_array(file, entry.file_size, where, f"reading {where}")
        while file.read(1 << 16):  # to the end, where the checksum is compared
            pass
    return declared(array, wanted, name, where)


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """Everything fits, under names that stay in a folder where the file is unpacked."""
    for name in forms:
        if not name or name.startswith(".") or any(sign in name for sign in "/\\:\0"):
            raise usage("E607", f"{path}: {shown(name)!r} is not a name for a member of a .npz file")


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in separate(results).items():
            with archive.open(f"{name}{SUFFIX}", "w", force_zip64=True) as entry:
                write_array(entry, value, f"writing {path}, {name}")
