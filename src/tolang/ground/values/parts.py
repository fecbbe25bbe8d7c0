"""Parts of a ToL as Python takes them: components by name, elements by position, counted as NumPy counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from tolang.ground.values.arrays import field_names
from tolang.ground.values.casting import Array, python_values
from tolang.ground.values.columns import Columns
from tolang.ground.values.named_tuples import kind_of_records, position_of

T = TypeVar("T", bound=Columns)

ROWS = 4096
"""Elements that iteration makes Python values of at a time."""


def part_of(value: T, key: Any) -> Any:
    """What `value[key]` is: by a name a component, by names some of them, else elements as of a NumPy array."""
    if isinstance(key, str):
        array = value.columns[position_of(key, field_names(value))]
        return array if array.shape else array[()]
    if isinstance(key, list) and key and all(isinstance(one, str) for one in key):
        names = field_names(value)
        return type(value).list_of([value.component(int(position_of(one, names))) for one in key])
    taken = [one[key] for one in value.columns]
    if all(isinstance(one, np.ndarray) for one in taken):
        return type(value)(taken, value.spaces)
    return element(value, [_boxed(one) for one in taken])


def element(value: Columns, arrays: list[Array]) -> Any:
    """The one element that arrays of a value's components hold: a Python value, or for lists a tuple of them."""
    values = tuple(python_values(one).reshape(-1)[0] for one in arrays)
    return values[0] if len(values) == 1 else records_of(value)(values)


def records_of(value: Columns) -> Any:
    """The class of the elements of a value as tuples."""
    return kind_of_records(tuple(field_names(value)), value.names)


def elements(value: T) -> Iterator[Any]:
    """The parts along the first dimension: elements of a vector as Python values, of others what is left of them."""
    if value.dimension != 1:
        yield from (part_of(value, position) for position in range(value.shape[0]))
        return
    made = records_of(value)
    for start in range(0, value.shape[0], ROWS):
        lists = [python_values(one[start : start + ROWS]).tolist() for one in value.columns]
        yield from map(made, zip(*lists, strict=True)) if len(lists) > 1 else lists[0]


def _boxed(one: Any) -> Array:
    """An element of an array as an array without dimensions, whatever object it is."""
    if isinstance(one, np.ndarray | np.generic):
        return np.asarray(one)
    box = np.empty((), dtype=object)
    box[()] = one
    return box
