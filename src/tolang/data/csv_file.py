"""CSV: rows of cells, separated by commas and quoted as RFC 4180 says, in UTF-8.

A first line is a header if it has names that the declaration has, or no number where numbers are wanted.  Plain
columns are read in blocks (`csv_blocks.py`); everything else, and every error, row by row here.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from tolang.core.types import Type
from tolang.data.contents import FileContents, Form, damaged, no_text, reading, refuse_beyond_free
from tolang.data.csv_blocks import read_blocks
from tolang.data.moments import date_hint, is_moment, number_or_moment
from tolang.data.numerals import no_number, number
from tolang.data.progress import report
from tolang.data.results import Result
from tolang.data.tables import (
    Selection,
    assembled,
    column_loaders,
    fit_column,
    named,
    refuse_longer,
    refuse_table,
    select,
    shaped,
    written_columns,
)
from tolang.ground.reporting.diagnostics import ToLangUsageError, usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.reporting.faults import TEXT_OBJECT
from tolang.ground.values.casting import Array
from tolang.ground.values.nested import read_column
from tolang.ground.values.printing import numeric_text
from tolang.ground.values.spaces import Column
from tolang.ground.values.values import ToL

CELLS = 1 << 20
"""Cells read or written at a time, row by row."""
WIDE = 1 << 10
"""From so many columns on a matrix is read by rows, with nothing made for each column."""
MOST_COLUMNS = 1 << 20
LONGEST_LINE = 1 << 26
"""The most columns of a file, and the most bytes of a line of it: more of either is no table, and is refused."""
COLUMN = 4096
"""About what a column takes beside its numbers."""

_REASONS = {
    "unexpected end of data": "a quote is never closed",
    "field larger than field limit": f"a cell of more than {csv.field_size_limit()} characters",
}
"""What the reader says of a row, and what that means."""

Row = tuple[int, list[str]]
"""A line number and its cells."""


def open_file(path: Path) -> FileContents:
    """The table, and its columns where its first line names them."""
    opening = [cells for _, cells in islice(_rows(path), 2)]
    count = len(opening[0]) if opening else 0
    if count > MOST_COLUMNS:
        raise usage("E608", f"{path} has {count} columns", expected=f"at most {MOST_COLUMNS} columns")
    names = _names(opening[0]) if _has_header(opening, None, "") else None

    def load(wanted: Type | None, name: str) -> Any:
        return _load(path, opening, wanted, name)

    def load_column(position: int, wanted: Type | None) -> Any:
        selection = Selection((position,), (None if wanted is None else wanted.column,))
        return assembled(_columns(path, names, len(opening[0]), selection), selection, wanted)

    return FileContents(load, column_loaders(names, load_column), "column ")


def _load(path: Path, opening: list[list[str]], wanted: Type | None, name: str) -> ToL:
    """The table of a file whose first rows are these."""
    if not opening:
        empty = ToL.of(np.zeros((0,) * max(1, wanted.rank if wanted else 1)))
        return empty if wanted is None else ToL.of(empty, wanted.columns, name)
    count = len(opening[0])
    header = _names(opening[0]) if _has_header(opening, wanted, name) else None
    if wanted is not None and wanted.capacity == wanted.rank == 1 and header is None and len(opening) == 1 < count:
        every = Selection(tuple(range(count)), (wanted.column,) * count, matrix=True)
        (row,) = _selected(path, None, count, every, None).columns
        return ToL.of(row[0], wanted.columns, name)  # a single row is a vector too
    return _selected(path, header, count, select(path, header, count, wanted, name), wanted)


def _selected(path: Path, header: list[str] | None, count: int, selection: Selection, wanted: Type | None) -> ToL:
    """The selected columns of a file as one value."""
    if selection.matrix and count >= WIDE:
        families = _families(path, header, selection)
        if "S" not in families or set(families) == {"S"}:
            family = families[0] if len(set(families)) == 1 else "R"
            return shaped(_wide_matrix(path, header, count, selection.wants[0], family), wanted)
        refuse_longer(path, count)
    return assembled(_columns(path, header, count, selection), selection, wanted)


def _wide_matrix(path: Path, header: list[str] | None, count: int, want: Column | None, family: str) -> ToL:
    """All columns of a file side by side, of one family, read row by row."""
    parts: list[ToL] = []
    rows = 0

    def place(first: int) -> Callable[[int], str]:
        return lambda index: _place(path, header, index % count, first + index // count)

    for batch in _batches(path, header is not None, count):
        refuse_beyond_free(TEXT_OBJECT * len(batch) * count, path)
        cells = [cell for row in batch for cell in row]
        values = cells if family == "S" else _numbers(cells, family)
        if values is None:
            wrong = next(index for index, cell in enumerate(cells) if _numbers([cell], family) is None)
            raise _no_number(place(rows)(wrong), cells[wrong], count)
        array, one = read_column(values, (len(values),))
        parts.append(fit_column(ToL((array,), (one,)), want, place(rows), rounding=True))
        rows += len(batch)
    whole = _joined(parts)
    return ToL([one.reshape(rows, count) for one in whole.columns], whole.spaces)


def _names(cells: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in cells]


def _has_header(opening: list[list[str]], wanted: Type | None, name: str) -> bool:
    """Whether a first line names columns: it has a name that is wanted, or no number where numbers are wanted.

    Nothing tells whether a single column of text, wanted as nothing else, has a name: it is taken to have none.
    """
    if not opening:
        return False
    cells = opening[0]
    if wanted is None:
        one_of_text = len(cells) == 1 and not any(_is_number(row[0]) for row in opening)
        return not one_of_text and not any(_is_number(cell) for cell in cells)
    labels = [one.name for one in wanted.columns if one.name is not None] or [name] * (wanted.rank < 2)
    if not set(labels).isdisjoint(_names(cells)):
        return True
    if len(opening) > 1 and any(is_moment(one) and is_moment(below) for one, below in zip(*opening, strict=True)):
        return False
    if wanted.capacity == 1:
        return wanted.column.space.family != "S" and not any(_is_number(cell) for cell in cells)
    numeric = [cell for cell, one in zip(cells, wanted.columns, strict=False) if one.space.family != "S"]
    return bool(numeric) and not any(_is_number(cell) for cell in numeric)


_NO_NUMBER = re.compile(r"\s*(?:[a-eghj-mo-su-zA-EGHJ-MO-SU-Z_]|$)")
"""How a cell begins that is no number: with a letter that neither Inf, NaN, true, false nor i begins with."""


def _is_number(cell: str) -> bool:
    if _NO_NUMBER.match(cell):
        return False
    try:
        number(cell)
    except ValueError:
        return False
    return True


def _rows(path: Path) -> Iterator[Row]:
    """The rows of a file with their line numbers, all as long as the first; blank lines are none."""
    length = None
    with _reader(path) as reader:
        for cells in reader:
            if cells:
                length = length or len(cells)
                if len(cells) != length:
                    found = f"{len(cells)} cell{'s' * (len(cells) > 1)}"
                    raise wrong(path, reader.line_num, f"{found}, where the first line has {length}")
                yield reader.line_num, cells


def _batches(path: Path, header: bool, count: int) -> Iterator[list[list[str]]]:
    """The rows of so many cells after the header in batches, without the line numbers that take most of the time."""
    with _reader(path) as reader:
        length = None
        skipped = int(header)
        while batch := list(islice(reader, max(1, CELLS // count))):
            lengths = set(map(len, batch))
            if 0 in lengths:
                batch = [row for row in batch if row]
            length = length or len(batch[0]) if batch else length
            if lengths - {0, length}:
                deque(_rows(path), 0)  # which finds the first row that differs
            yield batch[skipped:] if batch else []
            skipped = 0 if batch else skipped


@contextmanager
def _reader(path: Path) -> Iterator[Any]:
    """The reader of a file; what is wrong with a row while it is read is told with its line."""
    with reading(path), open(path, "rb") as file:
        reader = csv.reader(_lines(path, file), strict=True)
        try:
            yield reader
        except csv.Error as error:
            text = str(error)
            plain = next((words for start, words in _REASONS.items() if text.startswith(start)), text)
            raise wrong(path, reader.line_num, plain) from None


def _lines(path: Path, file: BinaryIO) -> Iterator[str]:
    """The lines of a file as text, with their ends; what is no text is an error with its line."""
    total = path.stat().st_size
    done = lines = 0
    while block := file.read(1 << 20):
        if not block.endswith(b"\n"):
            block += file.readline(LONGEST_LINE)
        if len(block) >= LONGEST_LINE:
            raise wrong(path, lines + block.count(b"\n") + 1, f"a line of more than {LONGEST_LINE} bytes")
        if not done and block.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise no_text(path, block, 0)
        nul = block.find(b"\0")
        if nul >= 0:
            raise wrong(path, lines + block.count(b"\n", 0, nul) + 1, "a NUL character, which is not text")
        try:
            text = block.decode("utf-8" if done else "utf-8-sig")
        except UnicodeDecodeError as error:
            raise no_text(path, block, error.start, lines) from None
        yield from io.StringIO(text, newline="")
        done += len(block)
        lines += block.count(b"\n")
        report(f"reading {path}", done, max(total, done))


def wrong(path: Path, line: int, message: str) -> ToLangUsageError:
    return damaged(f"{path}, line {line}", message)


def _columns(path: Path, header: list[str] | None, count: int, selection: Selection) -> list[ToL]:
    """The selected columns of a file, each fitted to what it is wanted as."""
    refuse_beyond_free(COLUMN * len(selection.positions), path)
    families = _families(path, header, selection)
    columns = read_blocks(path, header, count, dict(zip(selection.positions, families, strict=True)))
    if columns is None:
        columns = _by_row(path, header, count, selection.positions, families)
    fitted: list[ToL] = []
    columns.reverse()  # so that each is let go of when it was fitted
    for position, wanted in zip(selection.positions, selection.wants, strict=True):
        column = fit_column(columns.pop(), wanted, partial(_place, path, header, position), rounding=True)
        fitted.append(column if header is None or wanted is not None else named(column, header[position]))
    return fitted


def _place(path: Path, header: list[str] | None, position: int, row: int) -> str:
    """Where a row of a column is."""
    body = islice(_rows(path), row + (header is not None), None)
    return f"{path}, line {next(body)[0]}, {_column_name(header, position)}"


def _column_name(header: list[str] | None, position: int) -> str:
    return f"column {shown(header[position]) if header else position + 1}"


def _families(path: Path, header: list[str] | None, selection: Selection) -> list[str]:
    """The family of each column: that of its space, or of its first cell where it is wanted as anything."""
    _, first = next(islice(_rows(path), int(header is not None), None), (0, None))
    families = []
    for position, wanted in zip(selection.positions, selection.wants, strict=True):
        if wanted is not None:
            families.append(wanted.space.family)
        elif first is None:
            families.append("R")
        else:
            cell = first[position]
            families.append("S" if not _is_number(cell) else "Z" if isinstance(number(cell), int) else "R")
    return families


def _by_row(
    path: Path, header: list[str] | None, count: int, positions: Sequence[int], families: Sequence[str]
) -> list[ToL]:
    """Columns, of a file that has so many, read row by row, in any notation of numbers."""
    parts: list[list[ToL]] = [[] for _ in positions]
    done = 0
    for batch in _batches(path, header is not None, count):
        refuse_beyond_free(TEXT_OBJECT * len(batch) * len(positions), path)
        for goal, position, family in zip(parts, positions, families, strict=True):
            cells = [row[position] for row in batch]
            values = cells if family == "S" else _numbers(cells, family)
            if values is None:
                row = next(row for row, cell in enumerate(cells) if _numbers([cell], family) is None)
                raise _no_number(_place(path, header, position, done + row), cells[row], len(batch[row]))
            array, one = read_column(values, (len(values),))
            goal.append(ToL((array,), (one,)))
        done += len(batch)
    return [_joined(part) for part in parts]


def _joined(parts: list[ToL]) -> ToL:
    """Batches of a column one after the other, in the narrowest family that holds them all."""
    if not parts:
        return ToL.of(np.zeros(0))
    if len({one.spaces for one in parts}) == 1:
        return ToL((np.concatenate([one.columns[0] for one in parts]),), parts[0].spaces)
    values = [value for one in parts for value in one.to_list()]
    array, column = read_column(values, (len(values),))
    return ToL((array,), (column,))


def _numbers(cells: list[str], family: str) -> list[Any] | None:
    """The numbers of cells; None where one is no number.  Plain ones, which most are, are read at once."""
    plain: Callable[[str], Any] | None = {"Z": int, "R": float}.get(family)
    try:
        if plain is not None and not any("_" in cell for cell in cells):
            return list(map(plain, cells))
    except ValueError:
        pass
    try:
        return [number_or_moment(cell, family) for cell in cells]
    except ValueError:
        return None


def _no_number(place: str, cell: str, length: int) -> ToLangUsageError:
    fix = "separate cells by commas" if length == 1 and any(sign in cell for sign in ";\t") else date_hint(cell)
    return usage("E608", f"{place}: {no_number(cell)}", fix=fix)


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """Tables fit: numbers in up to two dimensions, a vector of lists, or vectors by name."""
    refuse_table(path, forms, 2)


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    """Writes columns under their names, a single ToL of numbers without a header."""
    names, columns, header = written_columns(results)
    if columns[0].ndim > 1:
        columns = list(columns[0].T)
    if header:
        file.write(_csv_text([names]))
    rows = len(columns[0]) if columns else 0
    step = max(1, CELLS // max(1, len(columns)))
    for start in range(0, rows, step):
        file.write(_csv_text(zip(*(_texts(one[start : start + step]) for one in columns), strict=True)))
        report(f"writing {path}", min(start + step, rows), rows)


def _csv_text(rows: Iterable[Sequence[str]]) -> bytes:
    """Rows of cells as a file holds them."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8")


def _texts(array: Array) -> list[str]:
    """Cells of a column: numbers in the notation of the language, or as Python writes them where that is shorter."""
    if array.dtype.kind in "iu":
        return list(map(str, array.tolist()))
    if array.dtype == np.float64:
        values = array.tolist()
        if all(map(math.isfinite, values)):
            return list(map(repr, values))
    return [one if isinstance(one, str) else numeric_text(one) for one in array]
