"""Tables in CSV: numbers in rows and columns, or one column for each component of a list."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from tolang.core.types import Type
from tolang.driver.binding import usage
from tolang.driver.numerals import number
from tolang.driver.program import read_file
from tolang.ground.diagnostics import ToLangUsageError
from tolang.ground.interchange import field_names
from tolang.ground.values import ToL

Row = tuple[int, list[str]]
"""A line number and its cells."""


def columns_of_csv(path: Path, wanted: Type | None = None) -> Any:
    """The numbers of a CSV file as nested lists.  A first line without any number is a header.

    Where a vector is wanted, a single row or column is one.  Where lists are wanted, each column is a component; a
    header with the components' names may have them in any order.
    """
    rows = _rows(path)
    if wanted is not None and wanted.capacity > 1:
        return _lists(path, rows, wanted)
    body = rows[1:] if rows and not any(_is_number(cell) for cell in rows[0][1]) else rows
    if wanted is not None and wanted.column.space.family == "S":
        values: list[list[Any]] = [cells for _, cells in rows]
    else:
        family = wanted.column.space.family if wanted is not None else None
        values = [[_cell(path, line, cell, family) for cell in cells] for line, cells in body]
    if wanted is not None and wanted.rank == 1:
        if all(len(row) == 1 for row in values):
            return [row[0] for row in values]
        if len(values) == 1:
            return values[0]
    if wanted is not None and wanted.rank == 0 and len(values) == 1 and len(values[0]) == 1:
        return values[0][0]
    return values


def _rows(path: Path) -> list[Row]:
    text = read_file(path).text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text), skipinitialspace=True, strict=True)
    try:
        rows: list[Row] = [(reader.line_num, cells) for cells in reader if cells and cells != [""]]
    except csv.Error as error:
        raise _wrong(path, reader.line_num, str(error)) from None
    for line, cells in rows:
        if len(cells) != len(rows[0][1]):
            message = f"{len(cells)} values, where the first line has {len(rows[0][1])}"
            raise _wrong(path, line, message)
    return rows


def _lists(path: Path, rows: list[Row], wanted: Type) -> list[tuple[Any, ...]]:
    names = [one.name for one in wanted.columns]
    order = list(range(wanted.capacity))
    if rows and None not in names and set(rows[0][1]) == set(names):
        order = [rows[0][1].index(str(name)) for name in names]
        rows = rows[1:]
    elif rows and _is_header(rows[0][1], wanted):
        rows = rows[1:]
    if rows and len(rows[0][1]) != wanted.capacity:
        message = f"{len(rows[0][1])} columns, where the list has {wanted.capacity} components"
        raise _wrong(path, rows[0][0], message)
    families = [one.space.family for one in wanted.columns]
    return [
        tuple(_cell(path, line, cells[place], family) for place, family in zip(order, families, strict=True))
        for line, cells in rows
    ]


def _is_header(cells: list[str], wanted: Type) -> bool:
    """Whether a first line has text in every column of numbers, and there is such a column."""
    numeric = [cell for cell, one in zip(cells, wanted.columns, strict=False) if one.space.family != "S"]
    return bool(numeric) and not any(_is_number(cell) for cell in numeric)


def _is_number(cell: str) -> bool:
    try:
        number(cell)
    except ValueError:
        return False
    return True


def _cell(path: Path, line: int, cell: str, family: str | None) -> Any:
    if family == "S":
        return cell
    try:
        return number(cell, family)
    except ValueError:
        shown = repr(cell[:40]) if cell.strip() else "an empty cell"
        raise _wrong(path, line, f"{shown} is no number") from None


def _wrong(path: Path, line: int, message: str) -> ToLangUsageError:
    return usage("E608", f"{path}, line {line}: {message}")


def csv_text(path: Path, value: ToL) -> str:
    """A table of numbers, or of lists with a header that names their components."""
    flat = 2 if value.capacity == 1 else 1
    if value.dimension > flat:
        fix = "write a .npy, .npz or .json file"
        raise usage("E607", f"{path} cannot hold {value.dimension} dimensions of these values", fix=fix)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    content = value.to_list()
    rows = content if isinstance(content, list) else [content]
    if value.capacity > 1:
        writer.writerow(field_names(value))
    for row in rows:
        writer.writerow([_written(one) for one in (row if isinstance(row, list | tuple) else [row])])
    return file.getvalue()


def _written(value: Any) -> str:
    from tolang.ground.printing import numeric_text

    return value if isinstance(value, str) else numeric_text(value)
