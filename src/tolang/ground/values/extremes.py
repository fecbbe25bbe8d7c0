"""The greatest and the least of floats, as IEEE 754 has them: NaN stays, and -0 is below 0.

NumPy leaves it to the processor which of two zeros is the greater; here a result that is zero gets its sign anew.  That
takes time only where there are such results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
FUNCTIONS: dict[str, Any] = {"max": np.maximum, "min": np.minimum}
FLOATS = "fV"
"""The kinds of NumPy's types that are floats; those of machine learning are void to it."""


def extremum(name: str, first: Array, second: Array) -> Array:
    """The greater (`max`) or lesser (`min`) of each two."""
    outcome = np.asarray(FUNCTIONS[name](first, second))
    return _signed(name, outcome, lambda: _wins(name, first) | _wins(name, second))


def reduce_extremum(name: str, array: Array, axes: tuple[int, ...]) -> Array:
    """The greatest or least along some axes."""
    outcome = np.asarray(FUNCTIONS[name].reduce(array, axis=axes))
    return _signed(name, outcome, lambda: np.logical_or.reduce(_wins(name, array), axis=axes))


def running_extremum(name: str, array: Array) -> Array:
    """The greatest or least so far, along the first axis."""
    outcome = np.asarray(FUNCTIONS[name].accumulate(array, axis=0))
    return _signed(name, outcome, lambda: np.logical_or.accumulate(_wins(name, array), axis=0))


def _wins(name: str, array: Array) -> Array:
    """Where an argument is the zero that is chosen of two."""
    negative = np.signbit(array.astype(np.float32, copy=False) if array.dtype.kind == "V" else array)
    return np.asarray((array == 0) & (negative if name == "min" else ~negative))


def _signed(name: str, outcome: Array, chosen: Callable[[], Array]) -> Array:
    """Results whose zeros have the sign that they shall have; `chosen` tells where an argument has it."""
    zero = np.asarray(outcome == 0) if outcome.dtype.kind in FLOATS else None
    if zero is None or not zero.any():
        return outcome
    positive = chosen() if name == "max" else ~chosen()
    kind = outcome.dtype.type
    return np.where(zero, np.where(positive, kind(0.0), kind(-0.0)), outcome)
