"""Sorts of two digits, the first of them first: its stretches are put in order of the second one by one.

    one round       every element goes into the stretch of its first digit
    each stretch    its elements are counted by their second digit, and go where the sort wants them

A stretch is in a near cache while it is put in order, whereas a round goes through all memory.  It is worth while where
there are not many more values of a digit than elements in a stretch, and no stretch has a large part of the elements,
so that threads find enough of them to share out: some elements tell.  The order that is found is the same.
"""

from __future__ import annotations

from tolang.ground.conditions import choice, compare, junction
from tolang.ground.dataclasses import dataclass
from tolang.ground.sizes import ONE, ZERO, Size, floor_division
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Constant,
    Each,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
)
from tolang.nests.passes.digits import WHOLE, DigitSort

VALUES_OF_AN_ELEMENT = 4
"""How many values of a digit there may be for each element of a stretch, which are all counted."""
ASKED, MOST = 1024, 128
"""How many elements tell how even stretches are, and how many of them one stretch may have."""


@dataclass(frozen=True, slots=True)
class DigitStretches:
    """The steps of a sort whose elements have two digits; `digits` has measured them, and named what they are."""

    digits: DigitSort
    counts: Buffer

    def named(self, role: str) -> str:
        return self.digits.named(f"stretch {role}")

    def steps(self) -> tuple[Step, ...]:
        """All rounds, and the last of them within stretches where that is worth while."""
        longest, chosen = self.named("longest"), self.named("by stretches")
        values, width = self.digits.values, Size.of(self.digits.named("width"))
        room = compare("<=", values * values, self.digits.sort.extent * VALUES_OF_AN_ELEMENT)
        asked = junction("and", (compare("==", self.digits.number, Size.of(2)), room))
        even = compare("<=", Size.of(longest), Size.of(MOST))
        by_stretches = compare("==", Size.of(chosen), ONE)
        turn = self.digits.turn
        return (
            Bind(longest, Constant(ASKED, column=WHOLE), mutable=True),
            Branch(asked, (), (*self._ask(), Assign(longest, self._longest())), ()),
            Bind(chosen, Index(choice(even, ONE, ZERO), column=WHOLE)),
            self.digits.rounds(self.counts, choice(by_stretches, width, (turn - 1) * width)),
            Branch(by_stretches, (), (self._in_stretches(),), self.digits.last_round(self.counts)),
        )

    def _ask(self) -> tuple[Step, ...]:
        """Some elements counted by their first digit."""
        value, item, digit, shift = (self.named(role) for role in ("unasked", "item asked", "digit asked", "shift"))
        at = ONE + floor_division((Size.of(item) - 1) * self.digits.sort.extent, Size.of(ASKED))
        place = (ONE, Size.of(digit) + 1)
        return (
            Bind(shift, Index(Size.of(self.digits.named("width")), column=WHOLE)),
            Nest((value,), (self.digits.values,), ((self.counts, (ONE, Size.of(value))),), (_number(0),)),
            Repeat((item,), (Size.of(ASKED),), (
                Bind(digit, self.digits.digit(self._key(at), shift)),
                Nest((), (), ((self.counts, place),), (_add(Load(self.counts, place, column=WHOLE), _number(1)),)),
            )),
        )  # fmt: skip

    def _longest(self) -> Scalar:
        """How many of them the longest stretch has."""
        value, state = self.named("measured"), self.named("longest of all")
        own = Load(self.counts, (ONE, Size.of(value)), column=WHOLE)
        longer = Operation("max", (Named(state, column=WHOLE), own), column=WHOLE)
        group = Group((value,), (self.digits.values,), (state,), (WHOLE,), (_number(0),), (longer,), "max")
        return Reduction(group, 0, column=WHOLE)

    def _in_stretches(self) -> Step:
        """Each stretch put in order; it ends where the last block has left its last element."""
        value, low, high = (self.named(role) for role in ("value", "low", "high"))
        own = Buffer(self.named("counts"), WHOLE, (self.digits.values,))
        last = Size.of(self.digits.named("blocks"))
        before, end = (Load(self.counts, (last, Size.of(value) - k), column=WHOLE) for k in (1, 0))
        first = compare("<=", Size.of(value), ONE)
        return Each((value,), (self.digits.values,), (
            Bind(low, Select(first, (), _number(0), before, column=WHOLE)),
            Bind(high, end),
            Allocate(own),
            *self._count(own),
            *self._add_up(own),
            self._move(own),
        ), compact=True)  # fmt: skip

    def _key(self, at: Size) -> Scalar:
        key = self.digits.runs[self.digits.sort.key]
        return Load(key, (at,), column=key.column)

    def _of_elements(self, role: str) -> tuple[str, Size, Bind, Size]:
        """A loop over the elements of a stretch: its iterator, the place of an element, and its digit from 1 on."""
        item, digit = self.named(f"item {role}"), self.named(f"digit {role}")
        at = Size.of(self.named("low")) + Size.of(item)
        return item, at, Bind(digit, self.digits.digit(self._key(at), None)), Size.of(digit) + 1

    @property
    def _length(self) -> Size:
        return Size.of(self.named("high")) - Size.of(self.named("low"))

    def _count(self, own: Buffer) -> tuple[Step, ...]:
        value = self.named("uncounted")
        item, _, bound, digit = self._of_elements("counted")
        more = _add(Load(own, (digit,), column=WHOLE), _number(1))
        return (
            Nest((value,), own.shape, ((own, (Size.of(value),)),), (_number(0),)),
            Repeat((item,), (self._length,), (bound, Nest((), (), ((own, (digit,)),), (more,)))),
        )

    def _add_up(self, own: Buffer) -> tuple[Step, ...]:
        """Each count becomes the number of elements before those that it counts, of all stretches."""
        total, count, value = (self.named(role) for role in ("total", "count", "added"))
        before, place = Named(total, column=WHOLE), (Size.of(value),)
        body = (
            Bind(count, Load(own, place, column=WHOLE)),
            Nest((), (), ((own, place),), (before,)),
            Assign(total, _add(before, Named(count, column=WHOLE))),
        )
        start = Bind(total, Index(Size.of(self.named("low")), column=WHOLE), mutable=True)
        return start, Repeat((value,), own.shape, body)

    def _move(self, own: Buffer) -> Step:
        goal = self.named("goal")
        item, at, bound, digit = self._of_elements("moved")
        values = tuple(Load(b, (at,), column=b.column) for b in self.digits.runs)
        return Repeat((item,), (self._length,), (
            bound,
            Bind(goal, _add(Load(own, (digit,), column=WHOLE), _number(1))),
            Nest((), (), self.digits.wanted(Size.of(goal)), values),
            Nest((), (), ((own, (digit,)),), (Named(goal, column=WHOLE),)),
        ))  # fmt: skip


def _number(value: int) -> Scalar:
    return Constant(value, column=WHOLE)


def _add(first: Scalar, second: Scalar) -> Scalar:
    return Operation("add", (first, second), column=WHOLE)
