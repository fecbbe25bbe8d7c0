"""Ranks by a table of the keys, where these are whole numbers close together, else by a sort (idioms/ranks.py).

    least, greatest     of all keys, as numbers without a sign in the same order
    seen[k - least]     whether there is a key k
    rank[k - least]     how many different keys there are up to k: a scan
    y[i]                rank[x[i] - least]

A sort moves every element once for each digit of its key, this moves none.  The sort stays for keys whose table would
have more room than a few times the keys.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum
from tolang.ground.values.spaces import column
from tolang.idioms.ranks import Ranks, ranks_of
from tolang.plan.nest import (
    Allocate,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter

ROOM_OF_A_KEY, ROOM = 4, 64
"""How many places of a table there may be for each key, and beside these."""
MOST_BITS = 48
"""More bits than any number of places has that is allowed."""
WHOLE, BITS, MARK = column("i64"), column("u64"), column("u8")


def rank_by_table(plan: Plan) -> Plan:
    """Keys that are sorted only to be numbered are numbered by a table where they are close together."""
    outputs = plan.output_names
    steps, position = plan.steps, 0
    while position < len(steps):
        found = ranks_of(steps, position, outputs)
        if found is not None and found.of_whole_numbers:
            steps = _replaced(steps, found)
        position += 1
    return plan if steps is plan.steps else replace(plan, steps=steps)


def _replaced(steps: tuple[Step, ...], found: Ranks) -> tuple[Step, ...]:
    own, last = [steps[p] for p in found.steps], found.steps[-1]
    before = [step for p, step in enumerate(steps[:last]) if p not in found.steps]
    return (*before, *_RankTable(found, tuple(own)).steps(), *steps[last + 1 :])


class _RankTable:
    """The steps that rank by a table; `by_sorting` are those that take their place where there is no room for one."""

    def __init__(self, found: Ranks, by_sorting: tuple[Step, ...]) -> None:
        self.found, self.by_sorting, self.extent = found, by_sorting, found.sort.extent
        (self.key,), self.before = found.keys, list[Step]()
        if not isinstance(self.key, Load) or self.key.checks:
            keys = Buffer(f"{self.named('keys')}_1.1", self.key.column, (self.extent,))
            own = found.sort.iterator
            filled = Nest((own,), (self.extent,), ((keys, (Size.of(own),)),), (self.key,), "keys")
            self.key, self.before = Load(keys, (Size.of(own),), column=keys.column), [Allocate(keys), filled]
        self.bits, self.values = self.named("bits"), Size.of(self.named("values"))

    def named(self, role: str) -> str:
        return f"{self.found.sort.iterator} rank {role}"

    def steps(self) -> tuple[Step, ...]:
        least, greatest = self.named("least"), self.named("greatest")
        span = (Named(greatest, column=BITS), Named(least, column=BITS))
        few = extremum("min", [Size.of(self.bits), Size.of(MOST_BITS)])
        number = Operation("doubled", (ConstantScalar(1, column=WHOLE), Index(few, column=WHOLE)), column=WHOLE)
        room = self.extent * ROOM_OF_A_KEY + ROOM
        return (
            *self.before,
            Bind(least, self._extreme("min", 2**64 - 1)),
            Bind(greatest, self._extreme("max", 0)),
            Bind(self.bits, Operation("span", span, column=WHOLE)),
            Bind(self.named("values"), number),
            Branch(compare("<=", self.values, room), (), self._by_table(), self.by_sorting),
        )

    def _extreme(self, function: str, start: int) -> Scalar:
        state, place = self.named(f"{function} so far"), self.named(f"for {function}")
        step = Operation(function, (Named(state, column=BITS), self._ordinal(place)), column=BITS)
        initial = ConstantScalar(start, column=BITS)
        return Reduction(
            Group((place,), (self.extent,), (state,), (BITS,), (initial,), (step,), function), 0, column=BITS
        )

    def _ordinal(self, place: str) -> Scalar:
        key = Rewriter(sizes={self.found.sort.iterator: Size.of(place)}).scalar(self.key)
        return Operation("ordinal", (key,), column=BITS)

    def _by_table(self) -> tuple[Step, ...]:
        """All keys are marked in a table of those that there might be, the marks added up, and read for each key."""
        seen = Buffer(f"{self.named('seen')}_1.1", MARK, (self.values,))
        ranks = Buffer(f"{self.named('ranks')}_1.1", WHOLE, (self.values,))
        place, value = self.named("unseen"), self.named("added")
        marked, read = self.named("marked"), self.named("read")
        first, own = self._own(seen, value), Size.of(value)
        before = Load(ranks, (own - 1,), column=WHOLE)
        goal = self.found.ranks
        found = Load(ranks, (Size.of(f"{read} key") + 1,), column=WHOLE)
        return (
            Allocate(seen),
            Nest((place,), (self.values,), ((seen, (Size.of(place),)),), (ConstantScalar(0, column=MARK),), "seen"),
            Repeat((marked,), (self.extent,), self._marked(marked, seen)),
            Allocate(ranks),
            Repeat((value,), (self.values,), (
                Branch(
                    compare("==", own, ONE), (),
                    (Nest((), (), ((ranks, (own,)),), (first,), "ranks"),),
                    (Nest((), (), ((ranks, (own,)),), (Operation("add", (before, first), column=WHOLE),), "ranks"),),
                ),
            )),
            Nest((read,), (self.extent,), ((goal, (Size.of(read),)),), (
                Where(((f"{read} key", self._place(read)),), found, column=goal.column),
            ), "ranked"),
        )  # fmt: skip

    def _own(self, seen: Buffer, value: str) -> Scalar:
        return Operation("cast", (Load(seen, (Size.of(value),), column=MARK),), column=WHOLE)

    def _place(self, place: str) -> Scalar:
        """Where in the table a key is, from 0."""
        least = Named(self.named("least"), column=BITS)
        ends = (Index(ZERO, column=WHOLE), Named(self.bits, column=WHOLE))
        return Operation("digit", (self._ordinal(place), least, *ends), column=WHOLE)

    def _marked(self, place: str, seen: Buffer) -> tuple[Step, ...]:
        at, one = f"{place} key", ConstantScalar(1, column=MARK)
        goal = (Size.of(at) + 1,)
        mark = Operation("max", (Load(seen, goal, column=MARK), one), column=MARK)
        return (Bind(at, self._place(place)), Nest((), (), ((seen, goal),), (mark,), "seen"))
