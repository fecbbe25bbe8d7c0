"""Whole numbers of Z in 64 bits: every operation either is right or is an error.

The check is cheap where it matters: the least and greatest of each argument bound the result, and only where that
bound is too wide are the elements looked at one by one, still without a Python loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.reporting.faults import fault, first_true, place_text
from tolang.ground.values.casting import Array
from tolang.ground.values.functions import FUNCTIONS

LEAST, GREATEST = -(2**63), 2**63 - 1
LARGEST_EXPONENT = 1 << 62
SIGNS = {name: row.sign for name, row in FUNCTIONS.items() if row.sign}


def _fits(kind: np.dtype[Any], *values: int) -> bool:
    """Whether integers are among those of a type of 64 bits, which has a sign or has none."""
    least, greatest = (LEAST, GREATEST) if kind.kind == "i" else (0, 2**64 - 1)
    return all(least <= value <= greatest for value in values)


def _extremes(array: Array) -> tuple[int, int]:
    if array.ndim == 0:
        return int(array), int(array)
    return int(array.min()), int(array.max())


def overflow_fault(name: str, arguments: tuple[Array, ...], mask: Array) -> ToLangRunError:
    """The error at the first element whose result left the 64-bit integers."""
    index = first_true(mask)
    values = [int(np.broadcast_to(one, mask.shape).reshape(-1)[index]) for one in arguments]
    written = f"{values[0]}{SIGNS[name]}{values[1]}" if name in SIGNS else f"{name}({values[0]})"
    return fault(
        "E505",
        f"{written}{place_text(index, mask.shape)} does not fit the 64-bit integers",
        fix="convert to R for an approximate result, or declare i64 for one that wraps",
    )


def _add_overflows(a: Array, b: Array, total: Array) -> Array:
    if total.dtype.kind == "u":
        return np.asarray(total < a)
    return np.asarray(((a ^ total) & (b ^ total)) < 0)


def _sub_overflows(a: Array, b: Array, difference: Array) -> Array:
    if difference.dtype.kind == "u":
        return np.asarray(a < b)
    return np.asarray(((a ^ b) & (a ^ difference)) < 0)


def _mul_overflows(a: Array, b: Array, product: Array) -> Array:
    """A product is right if dividing it gives back the factor; only -1 and the least integer escape that test."""
    divisor = np.where(a == 0, a.dtype.type(1), a)
    wrong = (a != 0) & (product // divisor != b)
    return np.asarray(wrong if product.dtype.kind == "u" else wrong | (a == -1) & (b == LEAST))


OVERFLOWS: dict[str, Callable[[Array, Array, Array], Array]] = {
    "add": _add_overflows,
    "sub": _sub_overflows,
    "mul": _mul_overflows,
}
"""Which elements of a wrapped result are wrong, from the arguments and the result."""

OPERATIONS: dict[str, Any] = {"add": np.add, "sub": np.subtract, "mul": np.multiply}


def _bounded(name: str, a: Array, b: Array) -> bool:
    """Whether the least and greatest of the arguments already prove that the result fits."""
    (a_low, a_high), (b_low, b_high) = _extremes(a), _extremes(b)
    if name == "add":
        return _fits(a.dtype, a_low + b_low, a_high + b_high)
    if name == "sub":
        return _fits(a.dtype, a_low - b_high, a_high - b_low)
    return _fits(a.dtype, a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high)


def checked(name: str, a: Array, b: Array) -> Array:
    """`add`, `sub` or `mul` of 64-bit integers; raises the overflow error where the result does not fit."""
    outcome = np.asarray(OPERATIONS[name](a, b))
    if outcome.size and not _bounded(name, a, b):
        wrong = OVERFLOWS[name](a, b, outcome)
        if wrong.any():
            raise overflow_fault(name, (a, b), wrong)
    return outcome


def checked_sign(name: str, a: Array) -> Array:
    """`neg` or `abs` of 64-bit integers: only the least of them has no opposite; without a sign only 0 has one."""
    if a.dtype.kind == "u":
        return a if name == "abs" else checked("sub", np.zeros_like(a), a)
    if a.size and int(a.min()) == LEAST:
        raise overflow_fault(name, (a,), np.asarray(a == LEAST))
    return np.asarray(np.negative(a) if name == "neg" else np.abs(a))


def checked_power(a: Array, b: Array) -> Array:
    """Whole powers; exponents come without a sign.  Logarithms decide, and integers where those are too close.

    Of an exponent beyond half of the integers only 0, 1 and -1 have a power, for which it need not be larger.
    """
    held = np.where(b > LARGEST_EXPONENT, LARGEST_EXPONENT + (b & np.uint64(1)), b).astype(a.dtype)
    outcome = np.asarray(np.power(a, held))
    if not outcome.size:
        return outcome
    magnitude = max(abs(value) for value in _extremes(a))
    if magnitude.bit_length() * int(b.max()) <= 62:
        return outcome
    base, exponent = np.broadcast_arrays(a, b)
    logarithm = np.log2(np.maximum(np.abs(base.astype(np.float64)), 1.0)) * exponent
    bits = 63 if a.dtype.kind == "i" else 64
    wrong = np.asarray(logarithm > bits + 0.001)
    for index in np.flatnonzero((logarithm > bits - 0.001) & ~wrong):
        exact = int(base.reshape(-1)[index]) ** int(exponent.reshape(-1)[index])
        wrong.reshape(-1)[index] = not _fits(a.dtype, exact)
    if wrong.any():
        raise overflow_fault("pow", (a, b), wrong)
    return outcome
