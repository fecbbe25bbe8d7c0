"""What the small evaluator computes with: ToLs as lists of cells, numbers that wait, and what may go wrong.

A ToL is its shape and a list of cells, last coordinate fastest; a cell is a tuple of components.  What goes wrong is an
event: the codes that it may be told by, of which one is as good as another.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

HOLE = object()
"""Stands for a number that is not there."""

MOST_STEPS = 50_000
MOST_ELEMENTS = 2**63 - 1
FAR = 2**40
"""From here on a length or coordinate may be told to be beyond memory, or beyond all words."""

Event = frozenset[str]
NEGATIVE = frozenset({"E509", "E305"})
UNEQUAL = frozenset({"E301", "E515"})
OUTSIDE = frozenset({"E513", "E303"})
RANGE = OUTSIDE | NEGATIVE
TOO_LARGE = frozenset({"E507", "E508", "E312"})
NO_NUMBER = RANGE | {"E505"}
BEYOND = NO_NUMBER | TOO_LARGE
"""What may be said of a length or coordinate that is beyond all memory."""


class Stop(Exception):
    """Evaluation cannot go on; what went wrong is noted."""


class TooLong(Exception):
    """A program that takes more steps than are worth it."""


class Unknown(Exception):
    """A value that this evaluator does not know: random numbers, and 0/0 where the divisor may have been cancelled."""


@dataclass(slots=True)
class Tol:
    """A ToL, which nobody changes; it is not frozen, for very many are made."""

    shape: tuple[int, ...]
    cells: list[tuple[Any, ...]]


Value = Tol | tuple[Tol, ...]
"""A ToL, or a bundle of them."""


class Huge(list[Any]):
    """Cells that nobody can go through; only their number is of use."""

    def __iter__(self) -> Iterator[Any]:
        raise TooLong

    def __len__(self) -> int:
        raise TooLong

    def __getitem__(self, place: Any) -> Any:
        raise TooLong


class Thunk:
    """A number that is computed when it is needed."""

    __slots__ = ("compute", "value")

    def __init__(self, compute: Callable[[], Any]) -> None:
        self.compute: Callable[[], Any] | None = compute
        self.value: Any = None


def numeric(value: Any) -> Tol:
    return Tol((), [(value,)])


def places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All coordinates, from 1, last fastest."""
    if math.prod(shape) > MOST_STEPS:
        raise TooLong
    return itertools.product(*(range(1, length + 1) for length in shape))


def both_occur(events: frozenset[Event], one: str, two: str) -> bool:
    """Whether two codes tell of what went wrong, both of the same event or each of its own."""
    return all(any(code in event for event in events) for code in (one, two))
