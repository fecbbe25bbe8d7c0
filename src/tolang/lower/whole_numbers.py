"""Whole numbers that follow from others, as what a transform of 128 elements needs: 2^floor(log(128,2)) is 128.

Where lengths are known, so are lengths and choices that are computed of them.  Only what floats hold exactly is
considered, and what they round to the same side of a whole number as it is: compiled code would find the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tolang.plan.nest import ConstantScalar, Index, Named, Operation, Scalar

MOST = 1 << 40
"""Numbers up to this are considered: the logarithms of all of them are apart from whole ones, as floats of 64 bits."""
HOLDING = ("f64", "i64")
"""Storages that hold them."""


class Between(NamedTuple):
    """A number above a whole one and below the next."""

    below: int


Number = int | Between


def number_of(scalar: Scalar, known: Mapping[str, Number]) -> Number | None:
    """The whole number that a scalar is, or those it is between, given what is known of names; None without."""
    found: Number | None = None
    match scalar:
        case ConstantScalar(value=int() | float() as value) if not isinstance(value, bool):
            found = int(value) if abs(value) <= MOST and value == int(value) else None
        case Index(size=size):
            found = size.constant if isinstance(size.constant, int) else None
        case Named(name=name):
            found = known.get(name)
        case Operation(function=function, arguments=arguments) if scalar.column.storage in HOLDING:
            given = [number_of(one, known) for one in arguments]
            found = _of_function(function, [one for one in given if one is not None]) if None not in given else None
    refused = isinstance(found, int) and (abs(found) > MOST or (found < 0 and scalar.column.storage != "f64"))
    return None if refused else found


def _of_function(function: str, given: Sequence[Number]) -> Number | None:
    match function, given:
        case "floor", [Between(below=below)]:
            return below
        case "floor", [int() as one]:
            return one
        case "neg", [Between(below=below)]:
            return Between(-below - 1)
        case "neg", [int() as one]:
            return -one
        case "add", [int() as one, int() as two]:
            return one + two
        case "sub", [int() as one, int() as two]:
            return one - two
        case "mul", [int() as one, int() as two]:
            return one * two
        case "pow", [2, int() as exponent] if 0 <= exponent < MOST.bit_length():
            return 1 << exponent
        case "log", [int() as one, 2] if one > 0:
            below = one.bit_length() - 1
            return below if one == 1 << below else Between(below)
    return None
