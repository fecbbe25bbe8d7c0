"""Tables of Arrow, as Parquet and Arrow files hold them: columns to ToLs and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

from tolang.core.types import Type
from tolang.data.contents import FileContents, located, reading, refuse_beyond_free
from tolang.data.moments import of_arrow
from tolang.data.npy_file import storable_column
from tolang.data.results import Result
from tolang.data.tables import (
    Selection,
    assembled,
    column_loaders,
    fit_column,
    select,
    written_columns,
)
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.reporting.faults import fault, first_true
from tolang.ground.values.arrow import to_arrow, unpacked_bytes
from tolang.ground.values.columns import column_of_array, default_column
from tolang.ground.values.interchange import from_arrow
from tolang.ground.values.nested import object_array
from tolang.ground.values.spaces import Column
from tolang.ground.values.values import ToL

ReadColumns = Callable[[Sequence[int]], Any]
"""Reads some columns of a file, by position, into an Arrow table."""


def held_table(path: Path, names: Sequence[str], read: ReadColumns) -> FileContents:
    """What a file of Arrow's holds: the table, and its columns by name."""

    def load(wanted: Type | None, name: str) -> Any:
        return _loaded(path, names, read, select(path, names, len(names), wanted, name), wanted)

    def load_column(position: int, wanted: Type | None) -> Any:
        selection = Selection((position,), (None if wanted is None else wanted.column,))
        return _loaded(path, names, read, selection, wanted)

    if not names:
        raise usage("E608", f"{path} is a table without columns")
    return FileContents(load, column_loaders(names, load_column), "column ")


def from_table(table: Any, name: str, wanted: Type) -> ToL:
    """A table in memory as an input of a type, by the rules of files."""
    if not table.num_columns:
        raise fault("E504", "the table has no columns, and a list has at least one component")
    selection = select(f"the table {name}", table.column_names, table.num_columns, wanted, name)
    return _loaded(f"the table {name}", table.column_names, table.select, selection, wanted)


def _loaded(path: object, names: Sequence[str], read: ReadColumns, selection: Selection, wanted: Type | None) -> ToL:
    with reading(path):
        table = read(list(selection.positions))
        table.validate(full=isinstance(path, Path))  # offsets and texts of a hostile file lead anywhere
    columns = []
    for place, position in enumerate(selection.positions):
        columns.append(column_of(path, names[position], table.column(place), selection.wants[place]))
    with located(path):
        return assembled(columns, selection, wanted)


def column_of(path: object, name: str, data: Any, want: Column | None, before: int = 0) -> ToL:
    """One column, or rows of it after some `before` them, as it is wanted."""
    with reading(path, f"{path}, column {shown(name)}"):
        data = of_arrow(data, None if want is None else want.space.family)
    column = _column(path, name, data, before)

    def row_place(row: int) -> str:
        return f"{path}, row {before + row + 1}, column {shown(name)}"

    return fit_column(column, want, row_place, rounding=False) if column.capacity == 1 else column


def _column(path: object, name: str, data: Any, before: int) -> ToL:
    """One column; a value that is missing, or a type that is no number, is an error that says where."""
    where = f"{path}, column {shown(name)}"
    if data.null_count:
        all_null = data.null_count == len(data)  # of which there may be more than memory holds
        row = before + (1 if all_null else first_true(np.asarray(data.is_null(), dtype=bool)) + 1)
        message = f"{path}, row {row}, column {shown(name)}: the value is missing"
        raise fault("E511", message, fix="fill missing values, or put a truth value beside each")
    refuse_beyond_free(unpacked_bytes(data), where)
    with reading(path, where), located(where):
        value = from_arrow(data)
    if value.capacity > 1:
        return value
    one = value.spaces[0]
    return ToL(value.columns, (default_column(one.storage, name),))


def table_of(results: Mapping[str, Result]) -> Any:
    """Results as a table of Arrow; exact and complex numbers as text, narrow floats in f32."""
    names, columns, _ = written_columns(results)
    return pyarrow.table({name: _written(one) for name, one in zip(names, columns, strict=True)})


def _written(array: Any) -> Any:
    if array.dtype.kind == "c":
        from tolang.ground.values.printing import numeric_text

        texts = object_array([numeric_text(one) for one in array.reshape(-1)]).reshape(array.shape)
        return to_arrow(ToL((texts,), (default_column("text"),)))
    plain = storable_column(array)
    if plain.dtype.kind == "U":
        return to_arrow(ToL((plain.astype(object),), (default_column("text"),)))
    column = column_of_array(plain)
    assert column is not None, "machine numbers have a storage"
    return to_arrow(ToL((plain,), (column,)))
