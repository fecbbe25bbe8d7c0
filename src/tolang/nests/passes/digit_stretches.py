"""Sorts of two digits, the first of them first: its stretches are put in order of the second one by one.

    move            every element goes into the stretch of its first digit
    each stretch    its elements are counted by their second digit, and go where the sort wants them

A stretch is in a near cache while it is put in order, whereas a round of a sort by digits that begins with the last
one goes through all memory.  It is worth while where there are not many more digits than elements in a stretch, and
threads find enough of them to share out: where no stretch has a large part of all elements.
"""

from __future__ import annotations

from tolang.ground.conditions import Condition, compare, junction
from tolang.ground.dataclasses import dataclass
from tolang.ground.sizes import ONE, Size
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
    Step,
)
from tolang.nests.passes.digits import WHOLE, DigitSort

VALUES_OF_AN_ELEMENT = 4
"""How many values of a digit there may be for each element of a stretch, which are all counted."""
PART = 8
"""What part of all elements a stretch may have at the most."""
FIRST = " first"


@dataclass(frozen=True, slots=True)
class DigitStretches:
    """The steps of a sort whose elements have two digits; `digits` has measured them, and named what they are."""

    digits: DigitSort
    counts: Buffer

    def named(self, role: str) -> str:
        return self.digits.named(f"stretch {role}")

    @property
    def _starts(self) -> Buffer:
        return Buffer(self.named("starts"), WHOLE, (self.digits.values + 1,))

    def steps(self, otherwise: tuple[Step, ...]) -> tuple[Step, ...]:
        """The sort by stretches where these are worth while, which counting them tells, else by other steps."""
        greatest, extent = self.named("greatest"), self.digits.sort.extent
        starts, values = self._starts, self.digits.values
        room = compare("<=", values * values, extent * VALUES_OF_AN_ELEMENT)
        asked = junction("and", (compare("==", self.digits.number, Size.of(2)), room))
        counted = (
            *self.digits.counted(FIRST, self.counts, self.digits.elements),
            *self._begin(starts),
            Assign(greatest, self._longest(starts)),
        )
        return (
            Allocate(starts),
            self.digits.shifted(FIRST, Size.of(2)),
            Bind(greatest, Index(extent, column=WHOLE), mutable=True),
            Branch(asked, (), counted, ()),
            Branch(self._is_even(greatest), (), self._in_stretches(starts), otherwise),
        )

    def _is_even(self, greatest: str) -> Condition:
        return compare("<=", Size.of(greatest) * PART, self.digits.sort.extent)

    def _begin(self, starts: Buffer) -> tuple[Step, ...]:
        """How many elements are before each stretch, as the first block has it, and how many there are at all."""
        value = self.named("begun")
        before = Load(self.counts, (ONE, Size.of(value)), column=WHOLE)
        end = Nest((), (), ((starts, (self.digits.values + 1,)),), (Index(self.digits.sort.extent, column=WHOLE),))
        return Nest((value,), (self.digits.values,), ((starts, (Size.of(value),)),), (before,)), end

    def _longest(self, starts: Buffer) -> Scalar:
        value, state = self.named("measured"), self.named("longest")
        low, high = (Load(starts, (Size.of(value) + k,), column=WHOLE) for k in (0, 1))
        length = Operation("sub", (high, low), column=WHOLE)
        longer = Operation("max", (Named(state, column=WHOLE), length), column=WHOLE)
        nothing = (Constant(0, column=WHOLE),)
        group = Group((value,), (self.digits.values,), (state,), (WHOLE,), nothing, (longer,), "max")
        return Reduction(group, 0, column=WHOLE)

    def _in_stretches(self, starts: Buffer) -> tuple[Step, ...]:
        """Elements moved into stretches, and each of these put in order."""
        value, low, high = (self.named(role) for role in ("value", "low", "high"))
        own = Buffer(self.named("counts"), WHOLE, (self.digits.values,))
        shift = Bind(self.named("shift"), Constant(0, column=WHOLE))
        ordered = Each((value,), (self.digits.values,), (
            Bind(low, Load(starts, (Size.of(value),), column=WHOLE)),
            Bind(high, Load(starts, (Size.of(value) + 1,), column=WHOLE)),
            Allocate(own),
            *self._count(own),
            *self._add_up(own),
            self._move(own),
        ), compact=True)  # fmt: skip
        moved = self.digits.moved(FIRST, self.counts, self.digits.elements, self.digits.beside)
        return (moved, shift, ordered)

    def _of_elements(self, role: str) -> tuple[str, Size, Bind, Size]:
        """A loop over the elements of a stretch: its iterator, the place of an element, and its digit from 1 on."""
        item, digit = self.named(f"item {role}"), self.named(f"digit {role}")
        at, key = Size.of(self.named("low")) + Size.of(item), self.digits.merged[self.digits.sort.key]
        taken = self.digits.digit(Load(key, (at,), column=key.column), self.named("shift"))
        return item, at, Bind(digit, taken), Size.of(digit) + 1

    @property
    def _length(self) -> Size:
        return Size.of(self.named("high")) - Size.of(self.named("low"))

    def _count(self, own: Buffer) -> tuple[Step, ...]:
        value = self.named("uncounted")
        item, _, bound, digit = self._of_elements("counted")
        more = Operation("add", (Load(own, (digit,), column=WHOLE), Constant(1, column=WHOLE)), column=WHOLE)
        return (
            Nest((value,), own.shape, ((own, (Size.of(value),)),), (Constant(0, column=WHOLE),)),
            Repeat((item,), (self._length,), (bound, Nest((), (), ((own, (digit,)),), (more,)))),
        )

    def _add_up(self, own: Buffer) -> tuple[Step, ...]:
        """Each count becomes the number of elements before those that it counts, from all that come before on."""
        total, count, value = (self.named(role) for role in ("total", "count", "added"))
        before, place = Named(total, column=WHOLE), (Size.of(value),)
        body = (
            Bind(count, Load(own, place, column=WHOLE)),
            Nest((), (), ((own, place),), (before,)),
            Assign(total, Operation("add", (before, Named(count, column=WHOLE)), column=WHOLE)),
        )
        start = Bind(total, Index(Size.of(self.named("low")), column=WHOLE), mutable=True)
        return start, Repeat((value,), own.shape, body)

    def _move(self, own: Buffer) -> Step:
        goal = self.named("goal")
        item, at, bound, digit = self._of_elements("moved")
        following = Operation("add", (Load(own, (digit,), column=WHOLE), Constant(1, column=WHOLE)), column=WHOLE)
        values = tuple(Load(b, (at,), column=b.column) for b in self.digits.merged)
        return Repeat((item,), (self._length,), (
            bound,
            Bind(goal, following),
            Nest((), (), self.digits.wanted(Size.of(goal)), values),
            Nest((), (), ((own, (digit,)),), (Named(goal, column=WHOLE),)),
        ))  # fmt: skip
