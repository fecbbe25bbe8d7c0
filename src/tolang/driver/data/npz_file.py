"""NumPy's `.npz`: arrays by name.  An array is read when it is asked for, and names never become paths."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from tolang.core.types import Type
from tolang.driver.binding import usage
from tolang.driver.data.contents import Form, Held, reading, separate
from tolang.driver.data.npy_file import declared, read_array, write_array
from tolang.driver.results import Result
from tolang.ground.foreign import shown

SUFFIX = ".npy"


def open_file(path: Path) -> Held:
    """The arrays of a file by name."""
    with reading(path):
        if not zipfile.is_zipfile(path):
            open(path, "rb").close()
            raise usage("E608", f"{path} is no NumPy .npz file, or was cut short")
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    twice = [name for name, count in Counter(one.filename for one in entries).items() if count > 1]
    if twice:
        raise usage("E608", f"{path} holds the member {shown(twice[0])} twice")
    return Held(parts={one.filename.removesuffix(SUFFIX): partial(_load, path, one.filename) for one in entries})


def _load(path: Path, entry: str, wanted: Type | None, name: str) -> Any:
    where = f"{path}, member {shown(entry.removesuffix(SUFFIX))}"
    with reading(path, where), zipfile.ZipFile(path) as archive:
        size = archive.getinfo(entry).file_size
        with archive.open(entry) as file:
            array = read_array(file, size, where, f"reading {where}")
            while file.read(1 << 16):  # to the end, where the checksum is compared
                pass
    return declared(array, wanted, name, where)


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """Everything fits, under names that stay in a folder where the file is unpacked."""
    for name in forms:
        if not name or name.startswith(".") or any(sign in name for sign in "/\\:\0"):
            raise usage("E607", f"{path}: {shown(name)!r} is no name for a member of a .npz file")


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in separate(results).items():
            with archive.open(f"{name}{SUFFIX}", "w", force_zip64=True) as entry:
                write_array(entry, value, f"writing {path}, {name}")
