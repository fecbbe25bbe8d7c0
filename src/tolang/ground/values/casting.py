"""Moving arrays from one storage to another, without a warning and without a silent loss of whole numbers.

`cast` is what arithmetic does to its arguments: it rounds to inexact storages, wraps for declared machine integers,
and otherwise refuses an integer that its goal cannot hold.  What the language calls `convert` is in `conversion.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from tolang.ground.reporting.faults import fault, first_true, number_text, place_text
from tolang.ground.values.spaces import NARROW_FLOATS, dtype_of, integer_range, storage_family, storage_of

Array = np.ndarray[Any, Any]

OBJECT_STORAGES = frozenset({"rational", "integer", "text"})
"""Storages that hold Python objects: Fractions, integers of any size, text."""


def nearest_float(value: Any) -> float:
    """The float nearest to an exact number; what is beyond the largest float rounds to infinity."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def nearest_complex(value: Any) -> complex:
    """The complex number nearest to an exact number."""
    return value if isinstance(value, complex) else complex(nearest_float(value))


def array_of_number(number: Any, kind: np.dtype[Any]) -> Array | None:
    """A number of a class as a type holds it, rounded where that is one of floats; None where no word holds it."""
    found = np.asarray(number)
    if found.dtype.kind not in "if":
        return None
    with np.errstate(over="ignore"):
        return found.astype(kind, copy=False)


def python_values(array: Array) -> Array:
    """The array with Python's own numbers as elements, so that exact arithmetic can work on them."""
    if array.dtype == object:
        return array
    if storage_of(array.dtype) in NARROW_FLOATS:
        array = array.astype(np.float32)
    return array.astype(object)


def by_element(function: Callable[..., Any], *arrays: Array) -> Array:
    """Apply a Python function at every element, broadcasting; the result holds Python objects."""
    outcome = np.frompyfunc(function, len(arrays), 1)(*arrays)
    if isinstance(outcome, np.ndarray):
        return outcome
    numeric = np.empty((), object)
    numeric[()] = outcome
    return numeric


def cast(array: Array, storage: str, wrap: bool = False) -> Array:
    """The same values in another storage; an integer that does not fit wraps if asked to, else is an error."""
    goal = dtype_of(storage)
    if array.dtype == goal and storage not in OBJECT_STORAGES:
        return array
    if storage == "text":
        if array.dtype.kind in "biufc":  # the only numbers that meet text are the zeros of `tol[n]`
            return np.full(array.shape, "", dtype=object)
        return array.astype(object, copy=False)
    if storage == "rational":
        return by_element(Fraction, python_values(array))
    if storage == "integer":
        return by_element(int, python_values(array))
    if storage_family(storage) == "Z":
        return _cast_to_integer(array, storage, wrap)
    if array.dtype == object:
        nearest = nearest_complex if goal.kind == "c" else nearest_float
        array = by_element(nearest, array).astype(complex if goal.kind == "c" else float)
    if array.dtype.kind == "c" and goal.kind != "c":
        array = array.real
    with np.errstate(all="ignore"):
        if array.dtype.itemsize == goal.itemsize == 1:  # between floats of eight bits some conversions are missing
            array = array.astype(np.float32)
        return array.astype(goal)


def _cast_to_integer(array: Array, storage: str, wrap: bool) -> Array:
    """Integers, booleans and whole floats in a machine integer storage."""
    goal = dtype_of(storage)
    least, greatest = integer_range(storage)
    if array.dtype == object:
        if wrap:
            span = greatest - least + 1
            return by_element(lambda one: (int(one) - least) % span + least, array).astype(goal)
    elif np.can_cast(array.dtype, goal):
        return array.astype(goal)
    if not wrap and array.size:
        refuse_outside(array, least, greatest, storage)
    with np.errstate(all="ignore"):
        if array.dtype.itemsize == goal.itemsize == 1:  # between floats of eight bits some conversions are missing
            array = array.astype(np.float32)
        return array.astype(goal)


def refuse_outside(array: Array, least: int, greatest: int, storage: str) -> None:
    """Raise the overflow error if an element is outside what an integer storage holds."""
    if least <= int(array.min()) and int(array.max()) <= greatest:
        return
    values = python_values(array)
    index = first_true(np.asarray((values < least) | (values > greatest), dtype=bool))
    value = values.reshape(-1)[index]
    raise fault(
        "E505",
        f"{number_text(value)}{place_text(index, array.shape)} does not fit the {storage[1:]}-bit integers",
        expected=f"a whole number from {least} to {greatest}",
    )
