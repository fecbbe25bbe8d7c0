"""What each basic elementary function gives, computed without tolang's code and mostly without NumPy's: the judge.

Whole numbers are Python's, wrapped or refused as the language says.  Sums, products, quotients and roots of floats are
computed in 64 bits and rounded once more, which is the right rounding for every narrower float.  The other functions are
those of Python's `math`, from which results may be a few units in the last place away.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np

from tolang.ground.values.spaces import Column, integer_range

Array = np.ndarray[Any, Any]
KINDS: dict[str, Any] = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
    "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "f32": np.float32, "f64": np.float64,
}  # fmt: skip
REFUSED = "refused"
"""Stands for an error: a whole number that does not fit, or a division of a whole number by zero."""
TRANSCENDENT = frozenset({"pow", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
                          "asinh", "acosh", "atanh"})  # fmt: skip
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt, "gt": operator.gt, "le": operator.le, "ge": operator.ge, "eq": operator.eq, "ineq": operator.ne,
}  # fmt: skip


def is_whole(kind: str) -> bool:
    return kind == "bool" or kind[0] in "iu"


def rounded(value: float, kind: str) -> float:
    """The float of a kind nearest to a number, as Python's float."""
    with np.errstate(all="ignore"):
        return float(np.float64(value).astype(KINDS[kind]))


def judged(function: str, arguments: tuple[Any, ...], kinds: tuple[str, ...], result: Column) -> Any:
    """The value of a function at Python numbers of some kinds, or `REFUSED`."""
    if function in COMPARED:
        return COMPARED[function](*_met(arguments, kinds))
    if is_whole(result.storage):
        return _whole(function, arguments, result)
    found = _real(function, *(_held(a, result.storage) for a in arguments), kind=result.storage)
    return rounded(found, result.storage)


def _met(arguments: tuple[Any, ...], kinds: tuple[str, ...]) -> tuple[Any, ...]:
    """Two numbers as they are compared: whole ones as they are, others as floats of the kind that both promote to."""
    if all(is_whole(kind) for kind in kinds):
        return arguments
    kind = np.result_type(*(np.float32 if k == "bf16" else KINDS[k] for k in kinds))
    return tuple(float(np.array(a).astype(kind)) if not isinstance(a, float) else a for a in arguments)


def _held(argument: Any, storage: str) -> float:
    """An argument in the storage that the result is computed in: bf16 is computed in f32."""
    kind = "f32" if storage == "bf16" else storage
    with np.errstate(all="ignore"):
        return float(np.array(argument).astype(KINDS[kind]))


def _whole(function: str, arguments: tuple[Any, ...], result: Column) -> Any:
    numbers = [int(a) for a in arguments]
    if function == "mod" and numbers[1] == 0:
        return REFUSED
    if result.storage == "bool":
        return TRUTH[function](*map(bool, numbers))
    least, greatest = integer_range(result.storage)
    span = greatest - least + 1
    wraps = result.space.is_machine
    if function == "pow" and (wraps or abs(numbers[0]) < 2):
        exact = pow(numbers[0], numbers[1], span) if wraps else numbers[0] ** (numbers[1] % 2 if numbers[1] else 0)
        exact = 0 if numbers[0] == 0 and numbers[1] else exact
    elif function == "pow" and numbers[1] > 64:
        return REFUSED
    else:
        exact = WHOLE[function](*numbers)
    if least <= exact <= greatest:
        return exact
    return (exact - least) % span + least if wraps else REFUSED


TRUTH: dict[str, Callable[..., bool]] = {
    "and": lambda a, b: a and b, "min": lambda a, b: a and b, "or": lambda a, b: a or b, "max": lambda a, b: a or b,
    "xor": operator.ne, "not": operator.not_,
}  # fmt: skip
WHOLE: dict[str, Callable[..., int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "mod": operator.mod, "pow": operator.pow,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "not": operator.invert, "max": max, "min": min,
    "abs": abs, "neg": operator.neg, "sgn": lambda n: (n > 0) - (n < 0), "floor": lambda n: n,
}  # fmt: skip


def _real(function: str, *x: float, kind: str) -> float:
    if function == "log" and len(x) == 2:
        return _logarithm(*x)
    try:
        return EXACT[function](*x) if function in EXACT else REAL[function](*x)
    except ValueError:  # what Python's functions say where there is no value
        return math.nan
    except OverflowError:
        return _beyond(function, *x)


def _beyond(function: str, *x: float) -> float:
    negative = x[0] < 0 and (function == "sinh" or (function == "pow" and x[1] % 2 == 1))
    return -math.inf if negative else math.inf


def _quotient(x: float, y: float) -> float:
    if y != 0:
        return x / y
    return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1.0, y)


def _remainder(x: float, y: float) -> float:
    """The remainder with the sign of the divisor, also where it is zero."""
    rest = math.fmod(x, y)
    if rest == 0:
        return math.copysign(0.0, y)
    return rest + y if (rest < 0) != (y < 0) else rest


def _extremum(x: float, y: float, sign: float) -> float:
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if x == y == 0:
        return x if math.copysign(1.0, x) == sign else y
    return max(x, y) if sign > 0 else min(x, y)


def _power(x: float, y: float) -> float:
    if x == 0 and y < 0:
        odd = math.isfinite(y) and y % 2 == 1
        return math.copysign(math.inf, x) if odd else math.inf
    return math.pow(x, y)


def _natural(x: float) -> float:
    return -math.inf if x == 0 else math.log(x)


def _logarithm(x: float, base: float) -> float:
    """Of an exact power its exponent, else the quotient of the natural logarithms."""
    try:
        quotient = _quotient(_natural(x), _natural(base))
    except ValueError:
        return math.nan
    if not math.isfinite(quotient) or abs(quotient) > 2048:
        return quotient
    near = round(quotient)
    if near == 0 and x == 1:
        return 0.0
    if base == 0 or not math.isfinite(base) or not math.isfinite(x):
        return quotient
    power = Fraction(base) ** abs(near)
    reciprocal = near < 0 and power < Fraction(2) ** 1000 and 1 / float(power) == x  # as 0.001 is of 1000
    return float(near) if reciprocal or (power if near >= 0 else 1 / power) == Fraction(x) else quotient


def _inverse_tangent(x: float) -> float:
    return math.copysign(math.inf, x) if abs(x) == 1 else math.atanh(x)


EXACT: dict[str, Callable[..., float]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": _quotient, "mod": _remainder,
    "max": lambda x, y: _extremum(x, y, 1.0), "min": lambda x, y: _extremum(x, y, -1.0),
    "abs": abs, "neg": operator.neg, "sqrt": lambda x: x if x == 0 else math.sqrt(x),
    "sgn": lambda x: x if math.isnan(x) else float((x > 0) - (x < 0)),
    "floor": lambda x: math.copysign(math.floor(x), x) if math.isfinite(x) else x,
}  # fmt: skip
"""Functions that are rounded rightly."""

REAL: dict[str, Callable[..., float]] = {
    "pow": _power, "exp": math.exp, "log": _natural, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "asinh": math.asinh, "acosh": math.acosh, "atanh": _inverse_tangent,
}  # fmt: skip
"""Functions that are within some units in the last place."""
