"""The logarithm to a base, exact on exact powers: log(8,2) is 3, log(1000,10) is 3, log(0.001,10) is -3.

The quotient of two natural logarithms is within a rounding or two of the truth.  Where it is near a whole number r,
base^r is computed by repeated squaring, which is exact whenever the power can be held at all; if that is the
argument, the logarithm is r.  Whole numbers beyond 2^53 and rationals are compared exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from tolang.ground.values.casting import Array, cast, python_values
from tolang.ground.values.spaces import storage_family

NEAR = 1e-9
"""How near a quotient of logarithms must be to a whole number to be tried as one, relative to it."""
LARGEST_EXPONENT = 2048
"""Beyond the exponents of every float; larger candidates are not tried."""


def logarithm_to_base(argument: Array, base: Array, storage: str) -> Array:
    """log(argument, base), computed in f64 and rounded to the storage; complex numbers by the quotient alone."""
    if storage_family(storage) == "C":
        return np.asarray(np.log(cast(argument, storage)) / np.log(cast(base, storage)))
    x, b = cast(argument, "f64"), cast(base, "f64")
    quotient = np.asarray(_natural(argument, x) / _natural(base, b))
    whole = np.rint(quotient)
    near = np.abs(quotient - whole) <= NEAR * np.maximum(np.abs(whole), 1.0)
    candidate = near & (np.abs(whole) <= LARGEST_EXPONENT)
    if not candidate.any():
        return cast(quotient, storage)
    exponent = np.where(candidate, whole + 0.0, 0.0)  # so that no exponent is -0
    power = _whole_power(b, np.abs(exponent))
    found = candidate & (np.where(exponent < 0, 1.0 / power, power) == x)
    beyond = argument.dtype == object or np.abs(x) >= 2.0**53
    finite = base.dtype == object or np.isfinite(b)
    unsure = candidate & ~found & beyond & finite
    found = found | _verified(argument, base, exponent, unsure)
    return cast(np.asarray(np.where(found, exponent, quotient)), storage)


def _natural(exact: Array, rounded: Array) -> Array:
    """Natural logarithms; of whole numbers beyond the floats too, by their binary digits."""
    logarithm = np.asarray(np.log(rounded))
    if exact.dtype != object or not np.isinf(rounded).any():
        return logarithm
    out = logarithm.astype(float).reshape(-1)
    for index, value in enumerate(exact.reshape(-1)):
        shift = max(0, int(value).bit_length() - 64) if value > 0 else 0
        if shift:
            out[index] = np.log(float(Fraction(value) / (1 << shift))) + shift * np.log(2.0)
    return out.reshape(exact.shape)


def _whole_power(base: Array, exponent: Array) -> Array:
    """base^exponent for whole exponents of at least zero, by repeated squaring in f64."""
    remaining = exponent.astype(np.int64)
    power = np.ones(np.broadcast_shapes(base.shape, exponent.shape))
    square = base
    while remaining.any():
        power = np.where(remaining & 1, power * square, power)
        square = square * square
        remaining = remaining >> 1
    return power


def _verified(argument: Array, base: Array, exponent: Array, unsure: Array) -> Array:
    """Which unsure candidates are exact powers, found with exact arithmetic on the few that are left."""
    found = np.zeros(unsure.shape, dtype=bool)
    if not unsure.any():
        return found
    values, bases = (np.broadcast_to(python_values(one), unsure.shape).reshape(-1) for one in (argument, base))
    exponents = exponent.reshape(-1)
    flat = found.reshape(-1)
    for index in np.flatnonzero(unsure):
        flat[index] = _is_power(values[index], bases[index], int(exponents[index]))
    return found


def _is_power(value: Any, base: Any, exponent: int) -> bool:
    return bool(Fraction(base) ** exponent == Fraction(value))
