"""Sorts by counting: whole numbers of few values that carry nothing along are not moved, but written anew.

    counts        how often each number between the least and the greatest occurs, in every block of the elements
    firsts        how many elements are less than each number: the counts added up
    each number   is written as often as it occurs, behind those that are less

Equals are the same to the last bit, so that none of them has to come before another.
"""

from __future__ import annotations

from tolang.ground.conditions import Condition, compare, junction
from tolang.ground.dataclasses import dataclass
from tolang.ground.sizes import ZERO, Size, extremum
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
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
    Step,
)
from tolang.nests.passes.digits import BITS, STABLE, WHOLE, DigitSort, blocks_of, in_blocks
from tolang.nests.patterns.ranks import WHOLE_NUMBERS
from tolang.nests.patterns.sort import Sort

MOST_BITS = 16
"""How many bits the numbers have at the most, counted from the least, so that their counts stay in a cache."""
KEYS = {"ordinal": "key", "ordinal backwards": "key backwards"}
"""The functions that give the key of an ordinal, by those that give the ordinal of a key."""


def is_of_numbers_alone(sort: Sort) -> bool:
    """Whether a sort is of whole numbers, and nothing goes along with them."""
    return len(sort.targets) == 1 and sort.targets[0][0].column.storage in WHOLE_NUMBERS


@dataclass(frozen=True, slots=True)
class CountedSort:
    """The steps of one sort by counting; `digits` has measured the keys."""

    digits: DigitSort

    def named(self, role: str) -> str:
        return self.digits.named(f"number {role}")

    @property
    def extent(self) -> Size:
        return self.digits.sort.extent

    @property
    def values(self) -> Size:
        """How many numbers there are from the least to the greatest, or a few more."""
        return Size.of(self.named("values"))

    @property
    def worthwhile(self) -> Condition:
        """Whether the numbers are so few that there are not more counts than elements."""
        few = compare("<=", Size.of(self.digits.bits), Size.of(MOST_BITS))
        return junction("and", (few, compare("<=", self.values * blocks_of(self.extent), self.extent)))

    def declare(self) -> tuple[Step, ...]:
        """How many numbers there are, where they are few."""
        few = Index(extremum("min", [Size.of(self.digits.bits), Size.of(MOST_BITS)]), column=WHOLE)
        return (Bind(str(self.values), Operation("doubled", (Constant(1, column=WHOLE), few), column=WHOLE)),)

    def steps(self) -> tuple[Step, ...]:
        """All of it; elements are read in blocks, and written number by number."""
        blocks = self.named("blocks")
        counts = Buffer(self.named("counts"), WHOLE, (Size.of(blocks), self.values))
        totals, firsts = (Buffer(self.named(role), WHOLE, (self.values,)) for role in ("totals", "firsts"))
        return (
            Bind(blocks, Index(blocks_of(self.extent), column=WHOLE)),
            Bind(self.named("origin"), Named(self.digits.base, column=BITS)),
            Bind(self.named("bits"), Named(self.digits.bits, column=WHOLE)),
            Allocate(counts),
            self._count(counts),
            Allocate(totals),
            self._total(counts, totals),
            Allocate(firsts),
            *self._add_up(totals, firsts),
            self._write(totals, firsts),
        )

    def _count(self, counts: Buffer) -> Step:
        value, number = self.named("uncounted"), self.named("counted")
        origin, bits = Named(self.named("origin"), column=BITS), Named(self.named("bits"), column=WHOLE)

        def first(block: Size) -> tuple[Step, ...]:
            nothing = Constant(0, column=WHOLE)
            return (Nest((value,), (self.values,), ((counts, (block, Size.of(value))),), (nothing,)),)

        def each(block: Size, at: Size) -> tuple[Step, ...]:
            digit = (self.digits.ordinal(self.digits.key(at)), origin, Constant(0, column=WHOLE), bits)
            place = (block, Size.of(number) + 1)
            more = (Load(counts, place, column=WHOLE), Constant(1, column=WHOLE))
            return (
                Bind(number, Operation("digit", digit, column=WHOLE)),
                Nest((), (), ((counts, place),), (Operation("add", more, column=WHOLE),)),
            )

        return in_blocks(self.named, self.extent, Size.of(self.named("blocks")), first, each)

    def _total(self, counts: Buffer, totals: Buffer) -> Step:
        """How often each number occurs in all blocks together."""
        value, block, state = (self.named(role) for role in ("totalled", "block totalled", "total of blocks"))
        own = Load(counts, (Size.of(block), Size.of(value)), column=WHOLE)
        more = Operation("add", (Named(state, column=WHOLE), own), column=WHOLE)
        blocks, nothing = (Size.of(self.named("blocks")),), (Constant(0, column=WHOLE),)
        group = Group((block,), blocks, (state,), (WHOLE,), nothing, (more,), "add")
        return Nest((value,), (self.values,), ((totals, (Size.of(value),)),), (Reduction(group, 0, column=WHOLE),))

    def _add_up(self, totals: Buffer, firsts: Buffer) -> tuple[Step, ...]:
        """How many elements are less than each number."""
        total, value = self.named("total"), self.named("added")
        place, before = (Size.of(value),), Named(total, column=WHOLE)
        body = (
            Nest((), (), ((firsts, place),), (before,)),
            Assign(total, Operation("add", (before, Load(totals, place, column=WHOLE)), column=WHOLE)),
        )
        return Bind(total, Index(ZERO, column=WHOLE), mutable=True), Repeat((value,), (self.values,), body)

    def _write(self, totals: Buffer, firsts: Buffer) -> Step:
        """Each number at all places that it has in order."""
        value, own, first, place, key = (
            self.named(role) for role in ("written", "occurrences", "first", "place", "key")
        )  # fmt: skip
        sort, ((target, where),) = self.digits.sort, self.digits.sort.targets
        ordinal = (Named(self.named("origin"), column=BITS), Index(Size.of(value) - 1, column=BITS))
        number = Operation("add", ordinal, column=BITS)
        at = {sort.iterator: Size.of(first) + Size.of(place)}
        goal = (target, tuple(index.substitute(at) for index in where))
        return Each((value,), (self.values,), (
            Bind(own, Load(totals, (Size.of(value),), column=WHOLE)),
            Bind(first, Load(firsts, (Size.of(value),), column=WHOLE)),
            Bind(key, Operation(KEYS[STABLE[sort.relation]], (number,), column=target.column)),
            Nest((place,), (Size.of(own),), (goal,), (Named(key, column=target.column),)),
        ))  # fmt: skip
