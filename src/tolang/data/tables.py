"""Columns of tables as inputs: which column is which component, and what they make together.

A table is a vector of lists, its columns the components: by name where the declaration names them, whatever their order
in the file, else by position.  A matrix takes all columns in order, a vector the column of its own name or the only
one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from tolang.core.types import Type
from tolang.data.contents import Form, Load, listed, separate
from tolang.data.moments import numbers_of_text
from tolang.data.results import Result
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import ToLangUsageError, usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.reporting.faults import fault, first_true
from tolang.ground.values.arrays import field_names
from tolang.ground.values.casting import Array
from tolang.ground.values.interchange import from_numpy
from tolang.ground.values.membership import describe, fit, outsiders, value_text
from tolang.ground.values.spaces import Column
from tolang.ground.values.values import ToL

LONGEST_LIST = 1 << 16
"""The most columns that are taken as the components of lists, each of which is an array of its own."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Columns of a file by their positions, what each is wanted as, and whether they are lists or a matrix."""

    positions: tuple[int, ...]
    wants: tuple[Column | None, ...]
    matrix: bool = False


def select(path: object, names: Sequence[str] | None, count: int, wanted: Type | None, name: str) -> Selection:
    """The columns that an input of a type and a name takes from a table of so many; names are None without a header.

    `path` is the file of the table, or what to call one that is in memory.
    """
    if wanted is None:
        is_matrix = names is None and count > 1
        if not is_matrix:
            refuse_longer(path, count)
        return Selection(tuple(range(count)), (None,) * count, is_matrix)
    if wanted.capacity > 1:
        refuse_longer(path, wanted.capacity)
        return _components(path, names, count, wanted)
    every = tuple(range(count))
    if wanted.rank >= 2:
        return Selection(every, (wanted.column,) * count, matrix=count > 1)
    label = wanted.column.name or name
    if names is not None and names.count(label) == 1:
        return Selection((names.index(label),), (wanted.column,))
    if count == 1:
        return Selection((0,), (wanted.column,))
    held = listed(list(names)) if names is not None else f"{count} columns without names"
    fix = _naming(path, name, label, names) if names else None
    raise usage("E612", f"{path} has {count} columns, and none is called {label}", held, f"{name}: {wanted}", fix)


def refuse_longer(path: object, count: int) -> None:
    """Raises the error of a table whose columns would be lists of more components than lists should have."""
    if count > LONGEST_LIST:
        message = f"{path}: {count} columns would be lists of as many components"
        fix = "take some columns by their names, or all numbers as a matrix, declared as R [n,m]"
        raise usage("E612", message, expected=f"at most {LONGEST_LIST} columns", fix=fix)


def _naming(path: object, name: str, label: str, names: Sequence[str]) -> str:
    """How to take one column of a table for an input: the one that is likely meant, where there is one."""
    close = close_column(label, names)
    column = shown(close or names[0])
    if isinstance(path, Path):
        given = f"{name}={path}:{column}"
        return f"did you mean {column}? write {given}" if close else f"name one of them: {given}"
    given = f'table["{column}"]'
    return f"did you mean {column}? pass {given}" if close else f"pass one of them: {given}"


def close_column(label: str, names: Sequence[str]) -> str | None:
    """The column whose name is most like one that no column has; None where none is like it."""
    close = [one for one in names if one.lower() == label.lower()] or get_close_matches(label, names, 1)
    return close[0] if close else None


def _components(path: object, names: Sequence[str] | None, count: int, wanted: Type) -> Selection:
    """Columns for the components of lists."""
    labels = [one.name for one in wanted.columns]
    if names is not None and None not in labels:
        uses, places = Counter(names), {name: place for place, name in enumerate(names)}
        for label in labels:
            if uses[str(label)] != 1:
                raise no_column(str(path), "column", label, list(names), wanted.columns)
        return Selection(tuple(places[str(label)] for label in labels), wanted.columns)
    if count != wanted.capacity:
        found = listed(list(names)) if names is not None else f"{count} columns without names"
        fix = "name the components, and columns are taken by name" if names is not None else None
        message = f"{path} has {count} columns, where the list has {wanted.capacity} components"
        raise usage("E612", message, found, _columns_text(wanted.columns), fix)
    return Selection(tuple(range(count)), wanted.columns)


def no_column(
    where: str, kind: str, label: str | None, names: list[str], columns: Sequence[Column]
) -> ToLangUsageError:
    """The error of a component that a file has no column for, or two."""
    close = None
    if label is None:
        message = f"{where}: a {kind} by name needs a declaration that names its components"
    elif label in names:
        message = f"{where} has {names.count(label)} {kind}s called {label}"
    else:
        message = f"{where} has no {kind} {label}"
        close = close_column(label, names)
    fix = f"did you mean {shown(close)}?" if close else None
    return usage("E612", message, listed(names), _columns_text(columns), fix)


def _columns_text(columns: Sequence[Column]) -> str:
    return "[" + ", ".join(str(one) for one in columns) + "]"


def fit_column(value: ToL, wanted: Column | None, row_place: Callable[[int], str], rounding: bool) -> ToL:
    """A column in the space of its component; the error of a value outside it says where in the file that is.

    `rounding` allows to round to a machine float, as for numbers in text, which have no storage to keep.
    """
    if wanted is None:
        return value
    (array,) = value.columns
    width = max(1, int(np.prod(array.shape[1:])))
    read = numbers_of_text(array, wanted, lambda index: row_place(index // width))
    if read is not array:
        value, array, rounding = from_numpy(read), read, True
    outside = outsiders(array, wanted.space, exactly=not rounding)
    if outside is not None and outside.any():
        index = first_true(outside)
        message = f"{row_place(index // width)}: {value_text(array.reshape(-1)[index])} is not in {wanted.space}"
        raise fault("E501", message, expected=describe(wanted.space))
    return fit(value, (wanted,), rounding=rounding)


def assembled(columns: Sequence[ToL], selection: Selection, wanted: Type | None) -> ToL:
    """The selected columns as one ToL; a single row is a value without dimensions where such a value is wanted."""
    return shaped(_matrix(columns) if selection.matrix else ToL.list_of(columns), wanted)


def shaped(value: ToL, wanted: Type | None) -> ToL:
    """A value of a table in the number of dimensions that is wanted."""
    if wanted is not None and wanted.capacity == 1 and wanted.rank == 2 and value.dimension == 1:
        value = ToL([one.reshape(-1, 1) for one in value.columns], value.spaces)
    if wanted is not None and wanted.rank == 0 and value.shape == (1,):
        value = ToL([one.reshape(()) for one in value.columns], value.spaces)
    return value


def _matrix(columns: Sequence[ToL]) -> ToL:
    """Columns side by side; text beside numbers, or what is no plain column, makes no matrix, but lists."""
    textual = {one.spaces[0].space.family == "S" for one in columns}
    if len(textual) > 1 or any(one.capacity > 1 or one.dimension > 1 for one in columns):
        return ToL.list_of(columns)
    return from_numpy(np.stack([one.columns[0] for one in columns], axis=1))


def named(value: ToL, name: str) -> ToL:
    """A ToL of capacity 1 whose component has a name."""
    one = value.spaces[0]
    return ToL(value.columns, (Column(one.space, one.storage, one.weak, name),))


class _Loaders(Mapping[str, Load]):
    """A loader for each column that has a name of its own, made when it is asked for."""

    def __init__(self, names: Sequence[str], load: Callable[[int, Type | None], Any]) -> None:
        uses = Counter(names)
        self._places = {name: position for position, name in enumerate(names) if uses[name] == 1}
        self._load = load

    def __getitem__(self, name: str) -> Load:
        position = self._places[name]
        return lambda wanted, _: self._load(position, wanted)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def column_loaders(names: Sequence[str] | None, load: Callable[[int, Type | None], Any]) -> Mapping[str, Load]:
    """A loader for each column that has a name of its own."""
    return _Loaders(names or (), load)


def refuse_table(path: Path, forms: Mapping[str, Form], flat: int) -> None:
    """Raises the error of results that are no table: one ToL, or vectors by name, which are columns.

    `flat` is how many dimensions a ToL of capacity 1 may have.
    """
    kind = path.suffix.lower()
    if len(forms) == 1:
        (form,) = forms.values()
        if form.rank <= (flat if form.capacity == 1 else 1):
            return
        what = "lists" if form.capacity > 1 else "numbers"
        message = f"a {kind} file cannot hold {form.rank} dimensions of {what}"
    else:
        other = [name for name, form in forms.items() if form != Form(1, 1)]
        if forms and not other:
            return
        message = f"a {kind} file holds one table, and {', '.join(other) or 'nothing'} is not a column of it"
    raise usage("E607", f"{path}: {message}", fix="write a .npz or .json file")


def written_columns(results: Mapping[str, Result]) -> tuple[list[str], list[Array], bool]:
    """Names and arrays of the columns that results make, and whether they have names of their own."""
    values = separate(results)
    if len(values) == 1:
        ((name, value),) = values.items()
        if value.capacity > 1:
            return field_names(value), [np.atleast_1d(one) for one in value.columns], True
        return [name], [np.atleast_1d(value.columns[0])], False
    lengths = {name: value.shape[0] for name, value in values.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} [{length}]" for name, length in lengths.items())
        raise usage("E607", "columns of one table have one length", found, fix="write a .npz or .json file")
    return list(values), [value.columns[0] for value in values.values()], True
