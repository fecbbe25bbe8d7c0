"""Numbers that calls give, while the body of what they call is checked: who asks for their values is noted.

A quantised model calls two definitions a hundred times, each time with another scale.  A scale has a type of its own,
and is only reckoned with while running, so what one call makes of the definition is what all of them make of it, but
for the number in its place.  That is so where nobody asked for the value on the way; what was asked with it, whether it
can be converted to a space, another number has to answer alike.
"""

from __future__ import annotations

from typing import overload

from tolang.check.values import Ratio, ScalarValue, Value, Vector
from tolang.core.core import Constant, Expr, Literal
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.values.spaces import Column

Goal = tuple[int, Column, bool]
"""Which number was to be in a space, by its place among those given, the space, and whether it can be."""


@dataclass(slots=True, eq=False)
class Watch:
    """What was asked about the numbers that one call gives: a value itself, or whether spaces hold them."""

    asked: bool = False
    goals: list[Goal] = field(default_factory=list)


class GivenNumber(Literal):
    """A number in a body, by its place among those that a call gives; its value, too, is asked for with a note."""

    __slots__ = ("held", "place", "watch")
    held: Constant
    place: int
    watch: Watch

    def __init__(self, held: Constant, place: int, watch: Watch, kind: Type, span: Span | None) -> None:
        super().__init__(held, type=kind, span=span)
        for name, value in (("held", held), ("place", place), ("watch", watch)):
            object.__setattr__(self, name, value)

    @property
    def value(self) -> Constant:
        self.watch.asked = True
        return self.held

    def of_type(self, kind: Type) -> GivenNumber:
        """The number in another space."""
        return GivenNumber(self.held, self.place, self.watch, kind, self.span)


class Watched(ScalarValue):
    """A number whose value is asked for with a note of it."""

    __slots__ = ("is_first", "number", "watch")
    number: ScalarValue
    watch: Watch
    is_first: bool
    """Whether it is in the space that it was given in."""

    def __init__(self, expr: GivenNumber, number: ScalarValue, watch: Watch, is_first: bool = True) -> None:
        super().__init__(expr)
        for name, value in (("number", number), ("watch", watch), ("is_first", is_first)):
            object.__setattr__(self, name, value)

    @property
    def index(self) -> Ratio | None:
        self.watch.asked = True
        return self.number.index

    @property
    def condition(self) -> Condition | None:
        self.watch.asked = True
        return self.number.condition

    @property
    def other(self) -> Constant | None:
        self.watch.asked = True
        return self.number.other

    @property
    def place(self) -> int:
        assert isinstance(self.expr, GivenNumber)
        return self.expr.place

    def note(self, goal: Column, is_held: bool) -> None:
        """Notes whether a space holds the number; of one that was converted before, that it was asked for."""
        self.watch.goals.append((self.place, goal, is_held))
        self.watch.asked |= not self.is_first

    def converted(self, kind: Type, index: Ratio) -> Watched:
        """The number in another space."""
        assert isinstance(self.expr, GivenNumber)
        number = ScalarValue(replace(self.number.expr, type=kind), index)
        return Watched(self.expr.of_type(kind), number, self.watch, is_first=False)


def is_typed_number(value: Value) -> bool:
    """Whether a value is a number that has a type of its own, whatever it meets."""
    expr = plain(value).expr if isinstance(value, ScalarValue) else None
    return isinstance(expr, Literal) and type(expr.value) in (int, float) and not expr.type.columns[0].weak


@overload
def plain(value: ScalarValue) -> ScalarValue: ...
@overload
def plain(value: Value) -> Value: ...
def plain(value: Value) -> Value:
    """A value without marks; of a number that is watched the number, for whoever answers for what he makes of it."""
    match value:
        case Watched(number=number):
            return number
        case ScalarValue(expr=GivenNumber() as expr):
            return replace(value, expr=Literal(expr.value, type=expr.type, span=expr.span))
        case Vector(items=items) if any(isinstance(one.expr, GivenNumber) for one in items):
            return Vector(tuple(plain(one) for one in items))
    return value


def number_key(number: ScalarValue) -> tuple[str, str]:
    """What tells a number from others: its kind and how it is written."""
    expr = plain(number).expr
    assert isinstance(expr, Literal)
    return type(expr.value).__name__, repr(expr.value)


def watched(number: ScalarValue, place: int, watch: Watch) -> Watched:
    """A number that a call gives, at a place among those, as the body sees it."""
    own = plain(number)
    assert isinstance(own.expr, Literal)
    expr = GivenNumber(own.expr.value, place, watch, own.expr.type, own.expr.span)
    return Watched(expr, own, watch)


def literal_at(given: GivenNumber, numbers: tuple[ScalarValue, ...]) -> Expr:
    """What stands in a body for a number given: the literal of a call, in the space that it was converted to."""
    own = numbers[given.place].expr
    if own.type == given.type:
        return own
    return own.of_type(given.type) if isinstance(own, GivenNumber) else replace(own, type=given.type)
