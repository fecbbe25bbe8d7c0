"""Numbers that calls give, while the body of what they call is checked: who asks for their values is noted.

A quantised model calls two definitions a hundred times, each time with another scale.  A scale has a type of its own,
and is only reckoned with while running, so what one call makes of the definition is what all of them make of it, but
for the number in its place.  That is so where nobody asked for the value on the way; what was asked with it, whether it
can be converted to a space, another number has to answer alike.
"""

from __future__ import annotations

from typing import TypeVar

from tolang.check.values import Ratio, Scalar, Value
from tolang.core.core import Constant, Expr, Literal
from tolang.core.types import Type
from tolang.ground.conditions import Condition
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.spaces import Column

Some = TypeVar("Some")
Goal = tuple[int, Column, bool]
"""Which number was to be in a space, by its place among those given, the space, and whether it can be."""


@dataclass(slots=True, eq=False)
class Watch:
    """What was asked about the numbers that one call gives: a value itself, or whether spaces hold them."""

    asked: bool = False
    goals: list[Goal] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Given(Literal):
    """A number in a body, by its place among those that a call gives."""

    place: int


class Watched(Scalar):
    """A number whose value is asked for with a note of it."""

    __slots__ = ("is_first", "watch")
    watch: Watch
    is_first: bool
    """Whether it is in the space that it was given in."""

    def __init__(self, expr: Given, number: Scalar, watch: Watch, is_first: bool = True) -> None:
        super().__init__(expr, *_known_of(number))
        object.__setattr__(self, "watch", watch)
        object.__setattr__(self, "is_first", is_first)

    @property
    def index(self) -> Ratio | None:  # type: ignore[override]  # what is a place in the memory of other scalars
        self.watch.asked = True
        return _known_of(self)[0]

    @property
    def condition(self) -> Condition | None:  # type: ignore[override]  # as above
        self.watch.asked = True
        return _known_of(self)[1]

    @property
    def other(self) -> Constant | None:  # type: ignore[override]  # as above
        self.watch.asked = True
        return _known_of(self)[2]

    @property
    def place(self) -> int:
        assert isinstance(self.expr, Given)
        return self.expr.place

    def unwatched(self) -> Scalar:
        """The number, for whoever answers for what he makes of it."""
        assert isinstance(self.expr, Given)
        literal = Literal(self.expr.value, type=self.expr.type, span=self.expr.span)
        return Scalar(literal, *_known_of(self))

    def note(self, goal: Column, is_held: bool) -> None:
        """Notes whether a space holds the number; of one that was converted before, that it was asked for."""
        self.watch.goals.append((self.place, goal, is_held))
        self.watch.asked |= not self.is_first

    def converted(self, kind: Type, index: Ratio) -> Watched:
        """The number in another space."""
        expr = replace(self.expr, type=kind)
        assert isinstance(expr, Given)
        return Watched(expr, Scalar(expr, index), self.watch, is_first=False)


_INDEX, _CONDITION, _OTHER = Scalar.index, Scalar.condition, Scalar.other


def _known_of(number: Scalar) -> tuple[Ratio | None, Condition | None, Constant | None]:
    """What is known of a number, without a note of it."""
    return tuple(one.__get__(number) for one in (_INDEX, _CONDITION, _OTHER))  # type: ignore[attr-defined, return-value]  # places in memory


def is_typed_number(value: Value) -> bool:
    """Whether a value is a number that has a type of its own, whatever it meets."""
    if not isinstance(value, Scalar) or not isinstance(value.expr, Literal):
        return False
    return type(value.expr.value) in (int, float) and not value.expr.type.columns[0].weak


def plain(value: Some) -> Some | Scalar:
    """A value, unwatched where it is watched."""
    return value.unwatched() if isinstance(value, Watched) else value


def watched(number: Scalar, place: int, watch: Watch) -> Watched:
    """A number that a call gives, at a place among those, as the body sees it."""
    own = plain(number)
    assert isinstance(own.expr, Literal)
    expr = Given(own.expr.value, place, type=own.expr.type, span=own.expr.span)
    return Watched(expr, own, watch)


def literal_at(given: Given, numbers: tuple[Scalar, ...]) -> Expr:
    """What stands in a body for a number given: the literal of a call, in the space that it was converted to."""
    own = numbers[given.place].expr
    return own if own.type == given.type else replace(own, type=given.type)
