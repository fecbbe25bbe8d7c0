"""Blocks of CSV with plain columns: parsed at once by pyarrow, or by NumPy where that is not installed.

Whatever is not plain, such as a quote, an exact fraction or a ragged row, is left to the reader that goes row by row
and says what is wrong where: a block that cannot be read here gives no answer, never another one.
"""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tolang.data.contents import reading, refuse_beyond_free
from tolang.data.progress import CHUNK, report
from tolang.ground.values.casting import Array
from tolang.ground.values.interchange import from_numpy
from tolang.ground.values.values import ToL

_MARK = b"\xef\xbb\xbf"


def read_blocks(path: Path, header: Sequence[str] | None, count: int, families: Mapping[int, str]) -> list[ToL] | None:
    """Columns by position, of whole numbers, reals or text; None where they must be read row by row."""
    if not set(families.values()) <= {"Z", "R", "S"} or len(families) != len(set(families)):
        return None
    parts: list[list[Array]] = [[] for _ in families]
    with reading(path), open(path, "rb") as file:
        total = path.stat().st_size
        done = _after_header(file, header)
        if done is None:
            return None
        file.seek(done)
        rest = b""
        while content := file.read(CHUNK):
            done += len(content)
            content = rest + content
            cut = content.rfind(b"\n") + 1 if done < total else len(content)
            block, rest = content[:cut], content[cut:]
            refuse_beyond_free(4 * len(block), path)  # numbers of a digit, and a comma, take eight bytes
            arrays = _parsed(block, count, families) if cut else None
            if arrays is None:
                return None
            for goal, array in zip(parts, arrays, strict=True):
                goal.append(array)
            report(f"reading {path}", done, max(total, done))
        if rest.strip():
            return None
    return [from_numpy(np.concatenate(part)) for part in parts] if parts and parts[0] else None


def _after_header(file: Any, header: Sequence[str] | None) -> int | None:
    """Where the first row begins; None where the header is not one plain line."""
    start = len(_MARK) if file.read(len(_MARK)) == _MARK else 0
    file.seek(start)
    if header is None:
        return start
    try:
        cells = next(csv.reader([file.readline().decode("utf-8")], strict=True), [])
    except (UnicodeDecodeError, csv.Error):
        return None
    return file.tell() if [cell.strip() for cell in cells] == list(header) else None


def _parsed(block: bytes, count: int, families: Mapping[int, str]) -> list[Array] | None:
    if b'"' in block or b"\0" in block or block.isspace() or _has_long_line(block):
        return None
    try:
        import pyarrow.csv
    except ImportError:
        return _parsed_by_numpy(block, count, families)
    if "Z" in families.values() and (b"0x" in block or b"0X" in block):  # which pyarrow takes for whole numbers
        return None
    kinds = {"Z": pyarrow.int64(), "R": pyarrow.float64(), "S": pyarrow.string()}
    names = [str(position) for position in range(count)]
    wanted = [str(position) for position in families]
    try:
        table = pyarrow.csv.read_csv(
            pyarrow.BufferReader(_in_its_own_memory(pyarrow, block)),
            pyarrow.csv.ReadOptions(column_names=names),
            pyarrow.csv.ParseOptions(quote_char=False),
            pyarrow.csv.ConvertOptions(
                column_types={str(position): kinds[family] for position, family in families.items()},
                include_columns=wanted,
                null_values=[],
            ),
        )
    except pyarrow.ArrowException:
        return None
    columns = [table.column(name) for name in wanted]
    return None if any(one.null_count for one in columns) else [one.to_numpy() for one in columns]


def _in_its_own_memory(pyarrow: Any, block: bytes) -> Any:
    """A block in memory that pyarrow has allocated.

    Its threads may still hold a block when the table is read.  One that gives back memory of Python's while Python ends
    is ended itself, in the middle of C++, and the process with it.
    """
    memory = pyarrow.allocate_buffer(len(block))
    memoryview(memory).cast("B")[:] = block
    return memory


def _has_long_line(block: bytes) -> bool:
    """Whether a line is longer than the longest cell that the reader which goes row by row accepts."""
    limit = csv.field_size_limit()
    start = 0
    while len(block) - start > limit:
        end = block.rfind(b"\n", start, start + limit + 1)
        if end < 0:
            return True
        start = end + 1
    return False


def _parsed_by_numpy(block: bytes, count: int, families: Mapping[int, str]) -> list[Array] | None:
    """Numbers alone: NumPy's reader cuts text."""
    if "S" in families.values():
        return None
    kinds = {"Z": "i8", "R": "f8", None: "U1"}
    dtype = np.dtype([(str(position), kinds[families.get(position)]) for position in range(count)])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # older versions of NumPy only warn of whole numbers that are none
            text = io.StringIO(block.decode("utf-8"))
            table = np.loadtxt(text, dtype, comments=None, delimiter=",", ndmin=1)
    except (ValueError, Warning):
        return None
    return [np.ascontiguousarray(table[str(position)]) for position in families]
