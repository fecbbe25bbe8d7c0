"""The basic elementary functions on single numbers, from the language's definition, in plain Python.

Whole numbers are Python's, floats are Python's rounded to their machine type after every function, Q is Fractions.  What
has no value is a `Fault`, by the code of its error.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from tests.fuzz.kinds import DTYPES, FLOATS, WHOLE, Kind, machine

LEAST, GREATEST = -(2**63), 2**63 - 1
SINGLE = machine("f32")
"""What bf16 is computed in: a literal beside it is rounded to this."""


class Fault(Exception):
    """A value that is not there; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@cache
def limits(storage: str) -> tuple[int, int]:
    bits = int(storage[1:])
    return (0, 2**bits - 1) if storage[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def rounded(value: float, storage: str) -> float:
    """A float as its machine type holds it."""
    if storage == "f64":
        return float(value)
    with np.errstate(all="ignore"):
        return float(DTYPES[storage](np.float64(value)))


def brought(value: Any, kind: Kind) -> Any:
    """A number as a kind holds it: whole numbers wrap only in declared machine types, floats are rounded."""
    storage = kind.storage
    if storage == "bool" or storage == "text":
        return value
    if storage == "rational":
        return Fraction(value)
    if storage in WHOLE:
        low, high = limits(storage)
        whole = int(value)
        if low <= whole <= high:
            return whole
        if not kind.wraps:
            raise Fault("E505")
        return (whole - low) % (high - low + 1) + low
    if storage in FLOATS:
        return rounded(_float(value), storage)
    return complex(value)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def apply(function: str, values: Sequence[Any], kinds: Sequence[Kind], goal: Kind) -> Any:
    """A basic function of numbers of some kinds, whose value is of the goal's kind."""
    if function in COMPARISONS:
        return _compared(function, values, kinds)
    if goal.family == "S":
        return max(values) if function == "max" else min(values)
    if function == "pow":
        return _power(values, goal)
    if function in ("and", "or", "xor", "not"):
        return _logic(function, values, goal)
    if function == "abs" and isinstance(values[0], complex):
        return rounded(abs(values[0]), goal.storage)
    given = list(values)
    if goal.storage != "bool":
        given = [
            brought(v, SINGLE if goal.storage == "bf16" and k.weak else goal)
            for v, k in zip(values, kinds, strict=True)
        ]
    return _rounded_once(FUNCTIONS[function](goal.family, *given), goal)


def _rounded_once(value: Any, goal: Kind) -> Any:
    """A result in the range of its kind; beyond 64 bits there is none of Z."""
    if goal.family == "Z" and goal.weak and not LEAST <= value <= GREATEST:
        raise Fault("E505")
    return brought(value, goal)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt, "gt": operator.gt, "le": operator.le, "ge": operator.ge, "eq": operator.eq, "ineq": operator.ne,
}  # fmt: skip


def _compared(function: str, values: Sequence[Any], kinds: Sequence[Kind]) -> bool:
    """Exact numbers compare exactly; beside a float a literal is what the float's machine type makes of it."""
    floats = [kind for kind in kinds if kind.family in ("R", "C") and not kind.weak]
    shown = list(values)
    for place, (value, kind) in enumerate(zip(values, kinds, strict=True)):
        if kind.weak and floats and not isinstance(value, str):
            shown[place] = brought(value, floats[0]) if not isinstance(value, complex) else value
        elif any(one.family in ("R", "C") for one in kinds) and kind.family in ("B", "Z"):
            shown[place] = float(value)
    return bool(COMPARISONS[function](*shown))


def _logic(function: str, values: Sequence[Any], goal: Kind) -> Any:
    if goal.storage == "bool":
        one, two = bool(values[0]), bool(values[-1])
        return {"and": one and two, "or": one or two, "xor": one != two, "not": not one}[function]
    if goal.bounds is not None:
        found = _digits(function, [int(value) for value in values])
        if function == "not" and goal.bounds[0] == 0:
            return found & (2 ** goal.bounds[1].bit_length() - 1)
        return brought(found, goal)
    return brought(_digits(function, [brought(value, goal) for value in values]), goal)


def _digits(function: str, values: Sequence[int]) -> int:
    if function == "not":
        return ~values[0]
    combined: int = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}[function](*values)
    return combined


def _power(values: Sequence[Any], goal: Kind) -> Any:
    base, exponent = values
    if goal.family == "Q":
        if base == 0 and exponent < 0:
            raise Fault("E506")
        return Fraction(base) ** int(exponent)
    if goal.family == "Z":
        if goal.wraps:
            low, high = limits(goal.storage)
            return (pow(int(base), int(exponent), high - low + 1) - low) % (high - low + 1) + low
        if abs(base) > 1 and exponent > 64:
            raise Fault("E505")
        return _rounded_once(int(base) ** int(exponent), goal)
    if goal.family == "C":
        return complex(base) ** complex(exponent)
    with np.errstate(all="ignore"):
        return rounded(
            float(np.power(np.float64(brought(base, goal)), np.float64(brought(exponent, goal)))), goal.storage
        )


def _quotient(family: str, one: Any, two: Any) -> Any:
    if family == "Q":
        if two == 0:
            raise Fault("E506")
        return one / two
    with np.errstate(all="ignore"):
        if family == "C":
            return complex(np.complex128(one) / np.complex128(two))
        return float(np.float64(one) / np.float64(two))


def _remainder(family: str, one: Any, two: Any) -> Any:
    """Of the sign of the divisor, and so is a zero."""
    if family in ("Z", "Q"):
        if two == 0:
            raise Fault("E506")
        return one % two
    if math.isnan(one) or math.isnan(two) or math.isinf(one) or two == 0:
        return math.nan
    rest = math.fmod(one, two)
    if rest == 0:
        return math.copysign(0.0, two)
    return rest + two if (rest < 0) != (two < 0) else rest


def _extremum(sign: int) -> Callable[..., Any]:
    def chosen(family: str, one: Any, two: Any) -> Any:
        if family == "R" and (math.isnan(one) or math.isnan(two)):
            return math.nan
        if one == two == 0:
            return max(one, two, key=lambda zero: sign * math.copysign(1, zero))
        return max(one, two) if sign > 0 else min(one, two)

    return chosen


def _sign(family: str, one: Any) -> Any:
    if family == "R" and math.isnan(one):
        return math.nan
    return (one > 0) - (one < 0)


def _root(family: str, one: Any) -> Any:
    if family == "C":
        return cmath.sqrt(one)
    return math.sqrt(one) if one >= 0 else math.nan


def _by_numpy(function: Any) -> Callable[..., Any]:
    def computed(family: str, one: Any) -> Any:
        with np.errstate(all="ignore"):
            return complex(function(np.complex128(one))) if family == "C" else float(function(np.float64(one)))

    return computed


def _total(combine: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda family, one, two: combine(one, two)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": _total(operator.add), "sub": _total(operator.sub), "mul": _total(operator.mul), "div": _quotient,
    "mod": _remainder, "max": _extremum(1), "min": _extremum(-1), "sgn": _sign, "sqrt": _root,
    "abs": lambda family, one: abs(one), "neg": lambda family, one: -one,
    "floor": lambda family, one: one if family == "Z" or math.isnan(one) or math.isinf(one) else float(math.floor(one)),
    "exp": _by_numpy(np.exp), "sin": _by_numpy(np.sin), "cos": _by_numpy(np.cos), "tanh": _by_numpy(np.tanh),
    "log": _by_numpy(np.log),
}  # fmt: skip


def converted(value: Any, source: Kind, goal: Kind) -> Any:
    """What `convert` makes of a number: rounded to floats, whole for whole kinds, never wrapped."""
    if goal.storage == "bool":
        if value not in (0, 1):
            raise Fault("E501")
        return bool(value)
    if goal.storage in WHOLE:
        if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
            raise Fault("E501")
        low, high = goal.bounds or ((0, GREATEST) if goal.space == "N" else limits(goal.storage))
        if value != int(value) or not low <= int(value) <= high:
            raise Fault("E501")
        return int(value)
    if goal.storage == "rational" and isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        raise Fault("E501")
    return brought(value, goal)
