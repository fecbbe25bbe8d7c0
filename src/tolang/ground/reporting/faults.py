"""Run-time errors of data and arithmetic, built in one place so that they read alike.

Each message names the value, its coordinates (counted from 1, as the language counts) and what it left or missed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tolang.ground.reporting.diagnostics import Diagnostic, ToLangRunError

LONGEST_NUMBER = 10**1000
"""Numbers from this on are not written in full."""
TEXT_OBJECT = 64
"""About the bytes that a text takes in Python beside its characters."""
LARGEST_VOLUME = 2**63 - 1
"""The most elements a shape may have; larger shapes are refused, never tried."""


def fault(
    code: str,
    message: str,
    *,
    found: str | None = None,
    expected: str | None = None,
    fix: str | None = None,
) -> ToLangRunError:
    """A run-time error without a position in source; whoever knows the position adds it."""
    return ToLangRunError(Diagnostic(code, message, found=found, expected=expected, fix=fix))


def coordinates_text(flat_index: int, shape: Sequence[int]) -> str:
    """The coordinates of the element at a flat index, in the notation of the language: `[2,1]`."""
    coordinates = np.unravel_index(flat_index, tuple(shape)) if len(shape) else ()
    return "[" + ",".join(str(int(one) + 1) for one in coordinates) + "]"


def place_text(flat_index: int, shape: Sequence[int]) -> str:
    """` at [2,1]`, or nothing for a numeric, which has no coordinates."""
    return f" at {coordinates_text(flat_index, shape)}" if len(shape) else ""


def first_true(mask: np.ndarray[Any, Any]) -> int:
    """The flat index of the first true element, the last coordinate running fastest."""
    return int(np.argmax(mask.reshape(-1)))


def shape_text(shape: Sequence[int]) -> str:
    """A shape in the notation of the language: `[2,3]`."""
    return "[" + ",".join(str(int(length)) for length in shape) + "]"


def number_text(value: Any) -> str:
    """A number as text; of an exact one with thousands of digits, all of which Python refuses to write, the ends."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{number_text(value.numerator)}/{number_text(value.denominator)}"
    if not isinstance(value, int | Fraction) or -LONGEST_NUMBER < value < LONGEST_NUMBER:
        return str(value)
    whole = abs(int(value))
    digits = math.floor(math.log10(whole)) + 1
    sign = "-" if value < 0 else ""
    return f"{sign}{whole // 10 ** (digits - 10)}...{whole % 10**10:010} ({digits} digits)"


def check_shape(shape: Sequence[int], what: str = "a ToL") -> tuple[int, ...]:
    """The shape as a tuple, refused if it has a negative length or more elements than can be counted."""
    lengths = tuple(int(length) for length in shape)
    if any(length < 0 for length in lengths):
        raise fault("E509", f"{what} cannot have the shape {shape_text(lengths)}: a length is below 0")
    if math.prod(lengths) > LARGEST_VOLUME:
        raise fault("E507", f"{what} of shape {shape_text(lengths)} has more than 2^63-1 elements")
    return lengths
