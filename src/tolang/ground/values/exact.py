"""Exact arithmetic at every element: Fractions for Q, Python integers for whole numbers of any size.

These functions take and give arrays of Python objects.  They are the slow and certain path; machine storages never
come here.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tolang.ground.reporting.faults import fault, first_true, number_text, place_text
from tolang.ground.values.casting import Array, by_element

MOST_BITS = 1 << 18
"""Whole numbers of more binary digits than this are refused: a fold that squares its state asks for more than any
memory holds, and lowest terms of longer fractions take seconds each."""


def _sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def _bits(value: Any) -> int:
    return max(int(value.numerator).bit_length(), int(value.denominator).bit_length())


def _refuse_long(what: str) -> None:
    raise fault("E505", f"the exact {what} has more than {MOST_BITS} binary digits")


def _power(base: Any, exponent: Any) -> Any:
    """A whole power of an exact number, refused before it is tried if the result were absurdly long."""
    exponent = int(exponent)
    if abs(base) not in (0, 1) and _bits(base) * abs(exponent) > MOST_BITS:
        _refuse_long("power")
    return base**exponent


def _held(function: Callable[[Any, Any], Any], what: str) -> Callable[[Any, Any], Any]:
    """The function, refusing results that are absurdly long."""

    def compute(one: Any, other: Any) -> Any:
        result = function(one, other)
        if _bits(result) > MOST_BITS:
            _refuse_long(what)
        return result

    return compute


EXACT: dict[str, Callable[..., Any]] = {
    "add": _held(operator.add, "sum"),
    "sub": _held(operator.sub, "difference"),
    "mul": _held(operator.mul, "product"),
    "div": _held(operator.truediv, "quotient"),
    "mod": operator.mod,
    "pow": _power,
    "max": lambda one, other: other if other > one else one,
    "min": lambda one, other: other if other < one else one,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "not": operator.invert,
    "neg": operator.neg,
    "abs": abs,
    "sgn": _sign,
    "floor": math.floor,
}
"""The basic functions that have an exact meaning, as Python computes them on integers and Fractions."""


def apply_exact(name: str, arguments: Sequence[Array], rational: bool) -> Array:
    """One basic function on exact arguments; division by zero is an error, for Q has no infinity."""
    if name in ("div", "mod"):
        refuse_zero(name, arguments[0], arguments[1])
    if name == "pow":
        _refuse_power_of_zero(arguments[0], arguments[1])
    outcome = by_element(EXACT[name], *arguments)
    return by_element(Fraction, outcome) if rational else outcome


def refuse_zero(name: str, dividend: Array, divisor: Array) -> None:
    """Raise the error of division by zero, with the value divided and its coordinates."""
    zero = np.asarray(divisor == 0, dtype=bool)
    if not zero.any():
        return
    dividend, zero = np.broadcast_arrays(dividend, zero)
    if not zero.size:
        return
    index = first_true(zero)
    sign = "/" if name == "div" else "%"
    value = dividend.reshape(-1)[index]
    shown = f"{number_text(value)}{sign}0{place_text(index, zero.shape)}"
    raise fault("E506", f"{shown}: division by zero has no exact value")


def _refuse_power_of_zero(base: Array, exponent: Array) -> None:
    refused = np.asarray((base == 0) & (exponent < 0), dtype=bool)
    if refused.any():
        index = first_true(refused)
        raise fault("E506", f"0 to a negative power{place_text(index, refused.shape)} has no exact value")
