"""Folds that are linear in the bits of their state go through many stretches at once.

    s = fold of x                                ends[q] = fold of stretch q of x, from 0: many side by side
                                                 s = power(s) xor ends[q], for q = 1, 2, …
                                                 s = fold of what is left of x, from s

`power` is what as many steps as a stretch has make of a state, where all else is left out: a matrix of bits, which is
squared as often as the length of a stretch is doubled.  So a checksum waits neither for the step before nor for one
thread.  Its tables are looked through first; where one of them is not linear, the fold goes step after step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import count

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, floor_division
from tolang.ground.values.spaces import column
from tolang.idioms.bits import BitFold, bit_fold_of
from tolang.plan.nest import (
    Allocate,
    Assign,
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
    Select,
    Step,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import scalars_in

DOUBLINGS = 13
"""How often the length of a stretch is doubled."""
STRETCH = 1 << DOUBLINGS
FEW = 8
"""So many stretches there are at the least."""
WHOLE = column("i64")
BOOLEAN = column("B")


def fold_bits_apart(plan: Plan) -> Plan:
    """A fold that is linear in the bits of its state goes through many stretches at once."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _apart(step, numbers)))


def _apart(step: Step, numbers: Iterator[int]) -> tuple[Step, ...]:
    if not isinstance(step, Bind):
        return (step,)
    groups = {id(one.group): one.group for one in scalars_in(step.value) if isinstance(one, Reduction)}
    folds = [fold for group in groups.values() if (fold := bit_fold_of(group)) is not None]
    if len(folds) != 1:
        return (step,)
    return _Stretches(folds[0], f"bits {next(numbers)}").steps(step)


@dataclass(frozen=True, slots=True)
class _Stretches:
    """A fold over stretches of what it goes through."""

    fold: BitFold
    name: str

    @property
    def _group(self) -> Group:
        return self.fold.group

    def _called(self, role: str) -> str:
        return f"{self.name} {role}"

    def _buffer(self, role: str, *shape: Size) -> Buffer:
        return Buffer(self._called(role), self._group.columns[0], shape)

    def _constant(self, value: int) -> Scalar:
        return ConstantScalar(value, column=self._group.columns[0])

    def _xor(self, one: Scalar, other: Scalar) -> Scalar:
        return Operation("xor", (one, other), column=self._group.columns[0])

    def steps(self, bind: Bind) -> tuple[Step, ...]:
        """The fold over stretches if there are some, and over what is left."""
        start, done = self._called("start"), self._called("done")
        state = self._group.columns[0]
        rest = self._from(Named(start, column=state), Size.of(done), self._group.extents[0] - Size.of(done))

        def rule(scalar: Scalar) -> Scalar | None:
            ours = isinstance(scalar, Reduction) and scalar.group is self._group
            return Reduction(rest, 0, column=scalar.column, span=scalar.span) if ours else None

        enough = compare(">=", self._group.extents[0], Size.of(FEW * STRETCH))
        inside = self._where_linear(self._go_through(start, done))
        return (
            Bind(start, self._group.initials[0], mutable=True),
            Bind(done, Index(ZERO, column=WHOLE), mutable=True),
            Branch(enough, (), inside, ()),
            replace(bind, value=Rewriter(rule=rule).scalar(bind.value)),
        )

    def _from(self, initial: Scalar, before: Size, extent: Size) -> Group:
        """The fold over some elements behind others."""
        iterator = self._called("rest")
        moved = Rewriter({self._group.iterators[0]: Size.of(iterator) + before}).scalar(self._unchecked)
        return replace(
            self._group, iterators=(iterator,), extents=(extent,), initials=(initial,), steps=(moved,), schedule=None
        )

    def _step(self, state: Scalar, at: Size) -> Scalar:
        """What a step makes of a state with the element at some place."""
        name = self._group.states[0]

        def rule(scalar: Scalar) -> Scalar | None:
            return state if isinstance(scalar, Named) and scalar.name == name else None

        return Rewriter({self._group.iterators[0]: at}, rule).scalar(self._unchecked)

    @property
    def _unchecked(self) -> Scalar:
        """What a step does; its tables have an entry for each place that they are read at."""
        names = {table.name for table in self.fold.tables}

        def rule(scalar: Scalar) -> Scalar | None:
            if isinstance(scalar, Load) and scalar.buffer.name in names:
                return replace(scalar, checks=())
            return None

        return Rewriter(rule=rule).scalar(self._group.steps[0])

    def _where_linear(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Steps that are taken where all tables are linear."""
        if not self.fold.tables:
            return steps
        odd = [self._called(f"odd {number}") for number, _ in enumerate(self.fold.tables)]
        looked = [Bind(name, self._oddity(table)) for name, table in zip(odd, self.fold.tables, strict=True)]
        values = [Named(name, column=bind.value.column) for name, bind in zip(odd, looked, strict=True)]
        for value in reversed(values):
            none = Operation("eq", (value, ConstantScalar(0, column=value.column)), column=BOOLEAN)
            steps = (Branch(None, (none,), steps, ()),)
        return (*looked, *steps)

    def _oddity(self, table: Buffer) -> Scalar:
        """Zero if a table is linear: if each entry is the sum of those of its bits, without carry, above the first."""
        place, state = self._called(f"place in {table.name}"), self._called(f"odd in {table.name}")
        kind = table.column
        length = table.shape[0]
        assert isinstance(length.constant, int)

        def entry(at: Size) -> Scalar:
            return Load(table, (at,), column=kind)

        def xor(one: Scalar, other: Scalar) -> Scalar:
            return Operation("xor", (one, other), column=kind)

        first = entry(ONE)
        made = _by_bits(
            Index(Size.of(place) - 1, column=WHOLE),
            [xor(entry(Size.of((1 << bit) + 1)), first) for bit in range(length.constant.bit_length() - 1)],
            xor,
        )
        odd = xor(xor(entry(Size.of(place)), first), made)
        step = Operation("or", (Named(state, column=kind), odd), column=kind)
        group = Group((place,), (length,), (state,), (kind,), (ConstantScalar(0, column=kind),), (step,))
        return Reduction(group, 0, column=kind)

    def _go_through(self, start: str, done: str) -> tuple[Step, ...]:
        number = Size.of(self._called("stretches"))
        ends, power = self._buffer("ends", number), self._buffer("power", Size.of(self.fold.bits))
        return (
            Bind(
                self._called("stretches"), Index(floor_division(self._group.extents[0], Size.of(STRETCH)), column=WHOLE)
            ),
            Allocate(ends),
            self._fold_stretches(ends),
            Allocate(power),
            *self._raise(power),
            Assign(start, self._joined(ends, power, Named(start, column=self._group.columns[0]))),
            Assign(done, Index(number * STRETCH, column=WHOLE)),
        )

    def _fold_stretches(self, ends: Buffer) -> Nest:
        """Every stretch from 0 on."""
        stretch, place, state = (self._called(role) for role in ("stretch", "place", "state"))
        kind = self._group.columns[0]
        step = self._step(Named(state, column=kind), (Size.of(stretch) - 1) * STRETCH + Size.of(place))
        group = Group((place,), (Size.of(STRETCH),), (state,), (kind,), (self._constant(0),), (step,))
        target = ends, (Size.of(stretch),)
        return Nest((stretch,), ends.shape, (target,), (Reduction(group, 0, column=kind),), self.name)

    def _raise(self, power: Buffer) -> Iterator[Step]:
        """What a stretch makes of each bit of a state: what a step makes of it, squared again and again."""
        bit, kind = self._called("bit"), self._group.columns[0]
        one = Operation(
            "doubled", (ConstantScalar(1, column=WHOLE), Index(Size.of(bit) - 1, column=WHOLE)), column=WHOLE
        )
        lone = Operation("cast", (one,), column=kind)
        first = self._xor(self._step(lone, ONE), self._step(self._constant(0), ONE))
        yield Nest((bit,), power.shape, ((power, (Size.of(bit),)),), (first,), self.name)
        squared, source = self._buffer("squared", *power.shape), Size.of(self._called("squared bit"))
        column_of = Load(power, (source,), column=kind)
        turns = (
            Nest((*source.names(),), power.shape, ((squared, (source,)),), (self._moved(column_of, power),), self.name),
            Nest((bit,), power.shape, ((power, (Size.of(bit),)),), (Load(squared, (Size.of(bit),), column=kind),)),
        )
        yield Allocate(squared)
        yield Repeat((self._called("doubling"),), (Size.of(DOUBLINGS),), turns)

    def _moved(self, state: Scalar, power: Buffer) -> Scalar:
        """What a matrix of bits makes of a state."""
        columns = [Load(power, (Size.of(k + 1),), column=state.column) for k in range(self.fold.bits)]
        return _by_bits(state, columns, self._xor)

    def _joined(self, ends: Buffer, power: Buffer, initial: Scalar) -> Scalar:
        """The state after all stretches, one after the other."""
        stretch, state = self._called("joined stretch"), self._called("joined")
        kind = initial.column
        end = Load(ends, (Size.of(stretch),), column=kind)
        step = self._xor(end, self._moved(Named(state, column=kind), power))
        group = Group((stretch,), ends.shape, (state,), (kind,), (initial,), (step,))
        return Reduction(group, 0, column=kind)


def _by_bits(number: Scalar, values: Sequence[Scalar], xor: Callable[[Scalar, Scalar], Scalar]) -> Scalar:
    """The sum without carry of the values of those bits that a number has."""
    zero = ConstantScalar(0, column=number.column)
    kind = values[0].column

    def taken(bit: int, value: Scalar) -> Scalar:
        own = Operation("and", (number, ConstantScalar(1 << bit, column=number.column)), column=number.column)
        test = Operation("eq", (own, zero), column=BOOLEAN)
        return Select(None, (test,), ConstantScalar(0, column=kind), value, column=kind)

    return reduce(xor, [taken(bit, value) for bit, value in enumerate(values)])
