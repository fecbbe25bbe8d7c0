"""What a file of data holds, and the errors that say where in it something is wrong."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tolang.core.types import Type
from tolang.data.progress import CHUNK, report
from tolang.data.results import Result
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import ToLangRunError, ToLangUsageError, usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.system.memory import available_memory
from tolang.ground.values.values import ToL

Load = Callable[[Type | None, str], Any]
"""Loads a value as the type that is wanted, for the input of a name; of no type, as the file has it."""

ALWAYS_FREE = 1 << 20
"""Bytes that are not asked for before they are taken."""


@dataclass(frozen=True, slots=True)
class FileContents:
    """What a file holds: a value as a whole, values by name, or both, as a table has columns.

    Nothing is loaded before it is asked for, so that of many values in a file one costs no more than itself.
    """

    whole: Load | None = None
    parts: Mapping[str, Load] = field(default_factory=dict)
    part: str = ""
    """What a part is called, such as `column `."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a format must know of a result before it is computed: its number of dimensions, and its capacity."""

    rank: int
    capacity: int


def separate(results: Mapping[str, Result]) -> dict[str, ToL]:
    """Each ToL under a name of its own: the parts of a bundle are numbered."""
    values: dict[str, ToL] = {}
    for name, result in results.items():
        if isinstance(result, tuple):
            values |= {f"{name}.{position}": part for position, part in enumerate(result, 1)}
        else:
            values[name] = result
    return values


def forms_of(outputs: Mapping[str, Result | Type]) -> dict[str, Form]:
    """The forms of results, or of the types that results will have."""
    forms: dict[str, Form] = {}
    for name, output in outputs.items():
        parts = output if isinstance(output, tuple) else output.parts if isinstance(output, Type) else ()
        labelled = [(f"{name}.{n}", part) for n, part in enumerate(parts, 1)] or [(name, output)]
        for label, one in labelled:
            if isinstance(one, Type):
                forms[label] = Form(one.rank, one.capacity)
            elif isinstance(one, ToL):
                forms[label] = Form(one.dimension, one.capacity)
    return forms


def listed(names: Mapping[str, object] | list[str] | tuple[str, ...]) -> str:
    """Names from a file in one line, the first of them where there are many."""
    few = [shown(name) for name in list(names)[:12]]
    return ", ".join(few) + (f", … ({len(names)} in all)" if len(names) > 12 else "") or "nothing"


def damaged(where: object, reason: str) -> ToLangUsageError:
    return usage("E608", f"{where}: {shown_line(reason)}")


def shown_line(reason: str) -> str:
    """The first line of what another library says of a file."""
    lines = reason.strip().splitlines()
    return shown(lines[0], 200) if lines else "it ends too early"


@contextmanager
def located(where: object) -> Iterator[None]:
    """Errors of data that does not fit its declaration say in which file, and where in it, the data is."""
    try:
        yield
    except ToLangRunError as error:
        first, *rest = error.diagnostics
        raise ToLangRunError((replace(first, message=f"{where}: {first.message}"), *rest)) from None


@contextmanager
def reading(path: object, where: object | None = None) -> Iterator[None]:
    """Everything that can be wrong with a file, told in one line with its name."""
    place = where or path
    try:
        yield
    except (ToLangUsageError, ToLangRunError):
        raise
    except OSError as error:
        if error.errno in (None, errno.EINVAL):  # a reader that was led to a place before the beginning
            raise usage("E608", f"{place} is damaged or cut short: {shown_line(str(error))}") from None
        raise usage("E604", f"cannot read {path}: {error.strerror}") from None
    except MemoryError:
        raise usage("E608", f"{place} is damaged, or larger than the memory of this machine") from None
    except Exception as error:  # a parser of another library raises whatever it stumbles over
        raise usage("E608", f"{place} is damaged or cut short: {shown_line(str(error))}") from None


def refuse_beyond_free(size: int, where: object) -> None:
    """Raises the error of data that the memory which is free cannot hold: a small file may unpack to any size."""
    if size <= ALWAYS_FREE:
        return
    free = available_memory()
    if size > free:
        raise usage("E608", f"{where} unpacks to {size} bytes, and {free} bytes of memory are free")


def read_bytes(path: Path) -> bytes:
    """A whole file, in chunks that are reported."""
    chunks: list[bytes] = []
    with reading(path), open(path, "rb") as file:
        total = path.stat().st_size
        done = 0
        while chunk := file.read(CHUNK):
            chunks.append(chunk)
            done += len(chunk)
            report(f"reading {path}", done, max(total, done))
    return b"".join(chunks)


def decoded(path: Path, content: bytes) -> str:
    """UTF-8 text, or an error that names the line that is none."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise no_text(path, content, error.start) from None


def no_text(path: Path, content: bytes, place: int, before: int = 0) -> ToLangUsageError:
    """The error of a byte that is no UTF-8 text; of another encoding where the file begins as such files do.

    `before` is how many lines there are before the content.
    """
    fix = "save it as UTF-8"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return usage("E604", f"cannot read {path}: it is UTF-16 and not UTF-8 text", fix=fix)
    number = before + content.count(b"\n", 0, place) + 1
    byte = f"0x{content[place]:02X}"
    return usage("E604", f"cannot read {path}: it is not UTF-8 text, in line {number} is the byte {byte}", fix=fix)
