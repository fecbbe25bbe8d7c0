"""Small values of a type, generated at random: what laws are tested on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from tolang.ground.diagnostics import ToLangRunError
from tolang.ground.spaces import Column
from tolang.ground.values import ToL

SMALL: dict[str, tuple[Any, ...]] = {
    "B": (False, True),
    "Z": (0, 1, -1, 2, -2, 3, 5, -7),
    "Q": (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-2, 3), Fraction(3)),
    "R": (0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 4.0, -0.25),
    "I": (0j, 1j, -1j, 2j),
    "C": (0j, 1 + 0j, 1j, -1 + 2j, 2 - 1j),
    "S": ("", "a", "b", "ab"),
}
"""Values of each family; sums and products of a few of these are exact in every storage."""


def values_of(column: Column) -> list[Any]:
    """Small values that belong to a column's space: those above, and the ends of its bounds."""
    space = column.space
    ends = [end for end in space.limits if end is not None]
    if space.family == "Z":
        ends = [whole for end in ends for whole in (math.ceil(end), math.floor(end))]
    return [value for value in (*SMALL[space.family], *ends) if _belongs(value, column)]


def _belongs(value: Any, column: Column) -> bool:
    try:
        ToL.of(value, (column,))
    except ToLangRunError:
        return False
    return True


def generate(shape: Sequence[int], columns: Sequence[Column], random: Random) -> ToL | None:
    """A value of this shape and type list; None where no small value belongs to a space."""
    choices = [values_of(column) for column in columns]
    if not all(choices):
        return None
    return ToL.of(_nested(list(shape), choices, random), columns)


def _nested(shape: list[int], choices: list[list[Any]], random: Random) -> Any:
    if shape:
        return [_nested(shape[1:], choices, random) for _ in range(shape[0])]
    picked = tuple(random.choice(values) for values in choices)
    return picked[0] if len(picked) == 1 else picked
