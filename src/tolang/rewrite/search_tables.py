"""Searches by a table of the keys, where these are whole numbers close together (idioms/search.py).

    v                           keys in order, which a sort has left
    least, greatest             the first and the last of them, as numbers without a sign in the same order
    counts[k - least + 2]       how often k is among them
    before[k - least + 1]       how many are less than k: a scan
    how many are less than x    before[x - least + 1], 0 below the least, all above the greatest
    how many are up to x        before[x - least + 2]

Both are side by side in memory, so that how often x is there is read at one place; a search reads at as many as the
number of keys doubles.  Searches stay for keys whose table would have more room than a few times the searches, or than
many times the keys: few of them are near in a cache, where a large table is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import prod

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import Condition, compare, junction
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum
from tolang.ground.values.spaces import column
from tolang.idioms.ordered_keys import OrderedKeys, bound_in, is_searched, ordered_keys, sought
from tolang.idioms.ranks import WHOLE_NUMBERS
from tolang.plan.nest import (
    Allocate,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Repeat,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter

ROOM_OF_A_SEARCH, ROOM_OF_A_KEY, ROOM = 4, 64, 64
"""How many places of a table there may be for each search, for each key, and beside these."""
MOST_BITS = 48
"""More bits than any number of places has that is allowed."""
WHOLE, BITS, TRUTH = column("i64"), column("u64"), column("B")
COUNT, MOST = column("i32"), (1 << 31) - 1
"""What a table counts in, and up to how many keys: half the room is twice as near."""


def search_by_table(plan: Plan) -> Plan:
    """Searches among whole numbers that a sort has left read a table of them where they are close together."""
    made: list[Step] = []
    left = {place: keys for place, keys in ordered_keys(plan.steps) if keys.buffer.column.storage in WHOLE_NUMBERS}
    for position, step in enumerate(plan.steps):
        found = None
        if left and isinstance(step, Nest) and step.iterators:
            before = (keys for place, keys in left.items() if place < position)
            found = next((keys for keys in before if is_searched(step, keys)), None)
        made += [step] if found is None or not isinstance(step, Nest) else _SearchTable(step, found).steps()
    return plan if len(made) == len(plan.steps) else replace(plan, steps=tuple(made))


@dataclass(slots=True)
class _SearchTable:
    """The steps that search by a table in a nest, or as it does where there is no room for one."""

    nest: Nest
    keys: OrderedKeys
    values: Size = field(init=False)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.values = Size.of(self.named("values"))

    def named(self, role: str) -> str:
        return f"{self.nest.iterators[0]} search {role}"

    def steps(self) -> tuple[Step, ...]:
        ends = (Named(self.named("greatest"), column=BITS), Named(self.named("least"), column=BITS))
        few = extremum("min", [Size.of(self.named("bits")), Size.of(MOST_BITS)])
        number = Operation("doubled", (ConstantScalar(1, column=WHOLE), Index(few, column=WHOLE)), column=WHOLE)
        searches = prod(self.nest.extents, start=ONE) * ROOM_OF_A_SEARCH
        room = extremum("min", [searches, self.keys.extent * ROOM_OF_A_KEY]) + ROOM
        return (
            Bind(self.named("least"), self._end(ONE)),
            Bind(self.named("greatest"), self._end(self.keys.extent)),
            Bind(self.named("bits"), Operation("span", ends, column=WHOLE)),
            Bind(self.named("values"), number),
            Branch(self._is_room(room), (), self._by_table(), (self.nest,)),
        )

    def _is_room(self, room: Size) -> Condition:
        return junction("and", (compare("<=", self.values, room), compare("<=", self.keys.extent, Size.of(MOST))))

    def _end(self, at: Size) -> Scalar:
        """One of the ends of the order; nothing, where there is none."""
        there = compare(">=", self.keys.extent, ONE)
        return Select(there, (), self._ordinal(self._key(at)), ConstantScalar(0, column=BITS), column=BITS)

    def _key(self, at: Size) -> Scalar:
        return Load(self.keys.buffer, (at,), column=self.keys.buffer.column)

    def _ordinal(self, key: Scalar) -> Scalar:
        return Operation("ordinal", (key,), column=BITS)

    def _place(self, key: Scalar) -> Scalar:
        """Where in the table a key is, from 0; some place in it for what is not between the ends."""
        least = Named(self.named("least"), column=BITS)
        ends = (Index(ZERO, column=WHOLE), Named(self.named("bits"), column=WHOLE))
        return Operation("digit", (self._ordinal(key), least, *ends), column=WHOLE)

    def _by_table(self) -> tuple[Step, ...]:
        """Keys are counted in a table of those that there might be, the counts added up, and read for each search."""
        counts = Buffer(f"{self.named('counts')}_1.1", COUNT, (self.values + 1,))
        before = Buffer(f"{self.named('before')}_1.1", COUNT, (self.values + 1,))
        place, counted, value = (Size.of(self.named(role)) for role in ("uncounted", "counted", "added"))
        at, one = self.named("key"), ConstantScalar(1, column=COUNT)
        goal = (Size.of(at) + 2,)
        more = Operation("add", (Load(counts, goal, column=COUNT), one), column=COUNT)
        own = Load(counts, (value,), column=COUNT)
        sums = Operation("add", (Load(before, (value - 1,), column=COUNT), own), column=COUNT)
        return (
            Allocate(counts),
            Nest((str(place),), counts.shape, ((counts, (place,)),), (ConstantScalar(0, column=COUNT),), "counts"),
            Repeat((str(counted),), (self.keys.extent,), (
                Bind(at, self._place(self._key(counted))),
                Nest((), (), ((counts, goal),), (more,), "counts"),
            )),
            Allocate(before),
            Repeat((str(value),), before.shape, (
                Branch(
                    compare("==", value, ONE), (),
                    (Nest((), (), ((before, (value,)),), (own,), "before"),),
                    (Nest((), (), ((before, (value,)),), (sums,), "before"),),
                ),
            )),
            self._reading(before),
        )  # fmt: skip

    def _reading(self, before: Buffer) -> Nest:
        """The nest with what it searches for read from a table."""
        bound = bound_in(self.nest)

        def rule(scalar: Scalar) -> Scalar | None:
            found = sought(scalar, bound, self.keys)
            return None if found is None else self._read(before, found.relation, found.item, scalar)

        rewriter = Rewriter(rule=rule)
        return replace(self.nest, values=tuple(map(rewriter.scalar, self.nest.values)))

    def _read(self, before: Buffer, relation: str, item: Scalar, search: Scalar) -> Scalar:
        """What the table has for an item, which is read for those outside its ends, too, but counts for nothing."""
        least, greatest = (Named(self.named(role), column=BITS) for role in ("least", "greatest"))
        number = next(self.numbers)
        at, found = (f"{self.named(role)} {number}" for role in ("read", "found"))
        read = Load(before, (Size.of(at) + (1 if relation == "lt" else 2),), column=COUNT)
        nothing, everything = ConstantScalar(0, column=search.column), Index(self.keys.extent, column=search.column)
        below = Operation("lt", (self._ordinal(item), least), column=TRUTH)
        above = Operation("lt", (greatest, self._ordinal(item)), column=TRUTH)
        wide = Operation("cast", (Named(found, column=COUNT),), column=search.column)
        inside = Select(None, (above,), everything, wide, column=search.column)
        value = Select(None, (below,), nothing, inside, column=search.column)
        return Where(((at, self._place(item)), (found, read)), value, column=search.column, span=search.span)
