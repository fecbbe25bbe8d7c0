"""Nested Python lists: lists give the shape, tuples are list elements, everything else is a numeric.

Reading goes level by level, so that it is fast, and what is wrong is named with its coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.reporting.faults import coordinates_text, fault, place_text
from tolang.ground.values.casting import Array
from tolang.ground.values.columns import Columns, column_of_array, default_column
from tolang.ground.values.spaces import WIDENING, Column

KINDS: tuple[tuple[type, str], ...] = (
    (bool, "B"), (np.bool_, "B"), (int, "Z"), (np.integer, "Z"), (Fraction, "Q"), (float, "R"), (np.floating, "R"),
    (complex, "C"), (np.complexfloating, "C"), (str, "S"),
)  # fmt: skip
"""Python's types of numerics, and the family of spaces each belongs to."""

MOST_DIMENSIONS = 64
"""NumPy's arrays have no more."""


def unnest(data: Any) -> tuple[list[Any], tuple[int, ...], set[type]]:
    """The innermost elements in one list, the shape the brackets give, and the types of elements.

    Ragged brackets are an error.
    """
    level: list[Any] = [data]
    shape: list[int] = []
    while level and all(isinstance(one, list) for one in level):
        lengths = set(map(len, level))
        if len(lengths) != 1:
            raise _ragged_lengths(level, shape)
        shape.append(lengths.pop())
        if len(shape) > MOST_DIMENSIONS:
            raise fault("E502", f"the data nests deeper than {MOST_DIMENSIONS} lists, or a list holds itself")
        level = level[0] if len(level) == 1 else list(chain.from_iterable(level))
    types = set(map(type, level))
    if list in types:
        raise _ragged_depth(level, shape)
    return level, tuple(shape), types


def _ragged_lengths(level: list[Any], shape: Sequence[int]) -> ToLangRunError:
    first = len(level[0])
    index = next(i for i, one in enumerate(level) if len(one) != first)
    where, start = coordinates_text(index, shape), coordinates_text(0, shape)
    return fault(
        "E503",
        f"the data is ragged: {where} has length {len(level[index])}, {start} has length {first}",
        fix="pad the rows to one length, or pass them apart",
    )


def _ragged_depth(level: list[Any], shape: Sequence[int]) -> ToLangRunError:
    nested = isinstance(level[0], list)
    index = next(i for i, one in enumerate(level) if isinstance(one, list) != nested)
    kinds = ("a list", "a single element")
    where, start = coordinates_text(index, shape), coordinates_text(0, shape)
    return fault("E503", f"the data is ragged: {where} is {kinds[nested]}, {start} is {kinds[not nested]}")


def read_lists(level: list[Any], shape: tuple[int, ...], types: set[type]) -> Columns:
    """Tuples as list elements; tuples in tuples are flat, as `((a,b),c)` is `(a,b,c)`."""
    for index, element in enumerate(level):
        if not isinstance(element, tuple):
            place = place_text(index, shape)
            raise fault("E504", f"{element!r}{place} is not a tuple, others are", expected="lists of one capacity")
    kind = next(iter(types)) if len(types) == 1 else tuple
    names = getattr(kind, "own_names", getattr(kind, "_fields", None))
    rows = [_flat(element) for element in level] if any(isinstance(c, tuple) for e in level for c in e) else level
    capacities = set(map(len, rows))
    if len(capacities) != 1 or 0 in capacities:
        index = next(i for i, one in enumerate(rows) if len(one) != len(rows[0]) or not one)
        raise fault(
            "E504",
            f"the list{place_text(index, shape)} has {len(rows[index])} components, the first has {len(rows[0])}",
        )
    capacity = capacities.pop()
    labels = names if names is not None and len(names) == capacity else (None,) * capacity
    read = [read_column(list(part), shape, label) for part, label in zip(zip(*rows, strict=True), labels, strict=True)]
    return Columns([array for array, _ in read], [one for _, one in read])


def _flat(element: tuple[Any, ...]) -> tuple[Any, ...]:
    """A tuple without tuples inside."""
    return tuple(chain.from_iterable(_flat(c) if isinstance(c, tuple) else (c,) for c in element))


def read_column(
    values: list[Any], shape: tuple[int, ...], name: str | None = None, types: set[type] | None = None
) -> tuple[Array, Column]:
    """Python numerics as one array in the narrowest family that holds them all; whole numbers stay exact."""
    types = set(map(type, values)) if types is None else types
    families = {family_of_type(one) for one in types}
    if None in families:
        raise _foreign(values, shape)
    if len(types) == 1 and issubclass(next(iter(types)), np.generic) and "S" not in families:
        array = np.array(values).reshape(shape)
        found = column_of_array(array, name)
        if found is not None:
            return array, found
    if "S" in families and len(families) > 1:
        raise _mixed(values, shape)
    family = max((one for one in families if one), key=lambda one: WIDENING.get(one, 9), default="R")
    if types == {str}:
        return object_array(values).reshape(shape), default_column("text", name)
    array, storage = _packed(values, family)
    return array.reshape(shape), default_column(storage, name)


def _packed(values: list[Any], family: str) -> tuple[Array, str]:
    """Numerics of one family in a flat array."""
    if family == "B":
        return np.array(values, dtype=bool), "bool"
    if family == "Z":
        try:
            return np.array([int(one) for one in values], dtype=np.int64), "i64"
        except OverflowError:
            return object_array([int(one) for one in values]), "integer"
    if family in ("Q", "S"):
        convert: Any = str if family == "S" else _fraction
        return object_array([convert(one) for one in values]), "text" if family == "S" else "rational"
    try:
        return np.array(values, dtype=float if family == "R" else complex), "f64" if family == "R" else "c128"
    except OverflowError as error:
        raise fault("E502", "a whole number among decimals is beyond the largest decimal") from error


def _fraction(value: Any) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(int(value))


def object_array(values: Sequence[Any]) -> Array:
    """A flat array of Python objects, never read as nested."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def family_of_type(kind: type) -> str | None:
    """The family of a Python type of numerics; None for anything else."""
    if issubclass(kind, np.longdouble | np.clongdouble):
        return None
    return next((family for known, family in KINDS if issubclass(kind, known)), None)


def missing_fault(place: str) -> ToLangRunError:
    """The error of data that is not there, at a place such as ` at [2,1]`."""
    return fault("E511", f"the value{place} is missing", fix="fill missing values, or pass a truth value beside each")


def _foreign(values: list[Any], shape: tuple[int, ...]) -> ToLangRunError:
    index = next(i for i, one in enumerate(values) if family_of_type(type(one)) is None)
    value, place = values[index], place_text(index, shape)
    if value is None:
        return missing_fault(place)
    return fault(
        "E502",
        f"{type(value).__name__}{place} is not a numeric",
        expected="a truth value, a number, a Fraction or text",
    )


def _mixed(values: list[Any], shape: tuple[int, ...]) -> ToLangRunError:
    textual = isinstance(values[0], str)
    index = next(i for i, one in enumerate(values) if isinstance(one, str) != textual)
    kinds = ("a number", "text")
    where, start = coordinates_text(index, shape), coordinates_text(0, shape)
    return fault("E502", f"text and numbers are mixed: {where} is {kinds[not textual]}, {start} is {kinds[textual]}")
