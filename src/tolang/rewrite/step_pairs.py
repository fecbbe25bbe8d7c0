"""Two steps of a fold at once, where each computes the rows of its state of two rows: four rows are computed of four.

    repeat [t <= d], exchanging s and next       repeat [t <= d/2], exchanging s and next
      nest [i <= n, j <= m]                        nest [i <= n/4, j <= m]
        next[i,j] = f(t, i, s[p,j], s[q,j])          four elements of s give four of the state between, and these
                                                     next[i,j], next[i + n/4, j], next[i + n/2, j], next[i + 3*n/4, j]

What lies between stays in registers, so that memory is gone through half as often: a Fourier transform of radix 2 is
one of radix 4.  That takes rows that read the same: those that are half of all rows apart must read the same two of the
state between, and these, in twos, the same two of the state before.  Whether they do, only running tells: all rows of
all steps are asked before the first step, and where they do not, all steps are done one by one, as the last of an odd
number is.  Each element is computed as it was, so that it has the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, junction, nonnegative, zero
from tolang.ground.symbolic.sizes import ONE, Size, floor_division
from tolang.ground.values.spaces import column
from tolang.idioms.step_pairs import PLACES, RowStep, row_step_of
from tolang.plan.nest import (
    OUTSIDE,
    Bind,
    Branch,
    ConstantScalar,
    Each,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Plan,
    Reduction,
    RequireStep,
    Scalar,
    Select,
    Step,
)
from tolang.plan.rewriting import Bindings, Rewriter, Rule, map_lists, renaming, within
from tolang.plan.traversal import dependencies, scalars_in, used_names

TRUTH, INDEX = column("B"), column("Z")
TOGETHER = PLACES * PLACES
"""How many rows are computed at once."""
LEAST_COLUMNS = 16
"""Elements of a row from which on asking for its places takes little beside them."""


def pair_steps(plan: Plan) -> Plan:
    """Two steps of a fold are one where rows, four at a time, are computed of four."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _paired(step, numbers)))


def _paired(step: Step, numbers: Iterator[int]) -> tuple[Step, ...]:
    found = row_step_of(step)
    return (step,) if found is None else _Pairs(found, next(numbers)).steps()


@dataclass(frozen=True, slots=True)
class _Step:
    """One step of a pair: what it binds for all of its rows, under which names, and its number in place of the old."""

    bound: tuple[Bind, ...]
    names: dict[str, str]
    sizes: dict[str, Size]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the state after a step: what is bound for it, the two rows it reads, and what must hold for that."""

    name: str
    bindings: Bindings
    places: tuple[Size, ...]
    checks: tuple[Condition, ...]
    names: dict[str, str]
    sizes: dict[str, Size]

    def rewriter(self, reading: Rule | None = None) -> Rewriter:
        """Puts the names of this row in place of the old ones, and what `reading` says in place of some scalars."""
        return renaming(self.names, self.sizes, reading)


class _Pairs:
    """A repetition whose steps are done in pairs: the `first` of each, and the `second`."""

    def __init__(self, step: RowStep, number: int) -> None:
        self.step, self.number = step, number
        (self.turn,), (self.turns,) = step.repeat.iterators, step.repeat.extents
        self.row, *self.columns = step.nest.iterators
        rows = step.nest.extents[0]
        self.quarter, self.pairs = floor_division(rows, Size.of(TOGETHER)), floor_division(self.turns, Size.of(2))
        self.apart = [Size.of(self.row) + self.quarter * k for k in range(TOGETHER)]
        pair = Size.of(self._name("pair"))
        self.first, self.second = self._one(pair * 2 - 1, "first"), self._one(pair * 2, "second")
        self.last = [self._row(place, self.second, f"row {k + 1}") for k, place in enumerate(self.apart)]
        self.between = [
            [self._row(place, self.first, f"{row.name} of {k + 1}") for k, place in enumerate(row.places)]
            for row in self.last[:PLACES]
        ]

    def _name(self, what: str) -> str:
        return f"{self.turn} {what} {self.number}"

    def _one(self, turn: Size, which: str) -> _Step:
        names = {one.name: f"{one.name} {which} {self.number}" for one in self.step.bound}
        sizes = {self.turn: turn}
        rewriter = renaming(names, sizes)
        bound = tuple(Bind(names[one.name], rewriter.scalar(one.value)) for one in self.step.bound)
        return _Step(bound, names, sizes)

    def _row(self, place: Size, step: _Step, name: str) -> _Row:
        """A row of the state after a step, whose names are its own."""
        own = {old: f"{old} {name} {self.number}" for old, _ in self.step.bindings}
        names, sizes = step.names | own, step.sizes | {self.row: place}
        rewriter = renaming(names, sizes)
        bindings = tuple((own[old], rewriter.scalar(value)) for old, value in self.step.bindings)
        checks = tuple(rewriter.condition(check) for check in self.step.checks())
        return _Row(name, bindings, rewriter.indices(self.step.places), checks, names, sizes)

    def steps(self) -> tuple[Step, ...]:
        """The repetition in pairs where its rows are as they must be, and what of it is left then one by one."""
        repeat, rest, done = self.step.repeat, self._name("rest"), self._name("done")
        enough = self._enough()
        if enough.constant is False:
            return (repeat,)
        asked = Select(enough, (), self._fits(), _truth(False), column=TRUTH)
        fit = Bind(self._name("fits"), asked if enough.constant is None else asked.then)
        fits = (Named(fit.name, column=TRUTH),)
        paired = replace(
            repeat,
            iterators=(self._name("pair"),),
            extents=(self.pairs,),
            steps=(*self.first.bound, *self.second.bound, self._rows()),
        )
        before = Select(None, fits, Index(self.pairs * 2, column=INDEX), ConstantScalar(0, column=INDEX), column=INDEX)
        single = Rewriter({self.turn: Size.of(done) + Size.of(rest)}).steps(repeat.steps)
        left = replace(repeat, iterators=(rest,), extents=(self.turns - Size.of(done),), steps=single)
        return fit, Bind(done, before), Branch(None, fits, (paired,), ()), left

    def _enough(self) -> Condition:
        """Whether rows go in fours, columns are not few, and there are two steps."""
        rows, *lengths = self.step.nest.extents
        many = nonnegative(math.prod(lengths, start=ONE) - LEAST_COLUMNS)
        return junction("and", [zero(rows - self.quarter * TOGETHER), many, nonnegative(self.turns - 2)])

    def _fits(self) -> Scalar:
        """Whether rows of all pairs of steps read the same as those beside them, and nothing that is not there.

        Rows of the state between are looked at where all of them are there.
        """
        here = [check for row in self.last for check in row.checks]
        here += _same(self.last[:PLACES], self.last[PLACES:])
        there = [check for rows in self.between for row in rows for check in row.checks] + _same(*self.between)
        inner = within(self._bindings([row for rows in self.between for row in rows]), _holds(there, _truth(True)))
        whole = within((*self._of_steps(), *self._bindings(self.last)), _holds(here, inner))
        state = Named(self._name("so far"), column=TRUTH)
        step = Select(None, (state,), whole, _truth(False), column=TRUTH)
        loops = (self._name("pair"), self.row), (self.pairs, self.quarter)
        group = Group(*loops, (state.name,), (TRUTH,), (_truth(True),), (step,))
        return Reduction(group, 0, column=TRUTH)

    def _of_steps(self) -> Bindings:
        return tuple((one.name, one.value) for step in (self.first, self.second) for one in step.bound)

    def _bindings(self, rows: list[_Row]) -> Bindings:
        return tuple(binding for row in rows for binding in row.bindings)

    def _rows(self) -> Each:
        """Four rows at a time, of both steps; what their elements share is bound, and asked for, once."""
        nest, columns = self.step.nest, tuple(Size.of(name) for name in self.columns)
        targets, values = [], []
        for k, row in enumerate(self.last):
            read = self.between[k % PLACES]
            elements = tuple(one for place, inner in enumerate(read) for one in self._elements(inner, place))
            for (buffer, _), value in zip(nest.targets, self._of_elements(row, read), strict=True):
                targets.append((buffer, (self.apart[k], *columns)))
                values.append(within(elements, value))
        reads = [one for value in values for one in scalars_in(value) if isinstance(one, Load)]
        checks = {check: one.span for one in reads for check in one.checks}
        inner = tuple(self.columns), nest.extents[1:]
        four = Nest(*inner, tuple(targets), Rewriter(rule=_unchecked).scalars(tuple(values)), nest.origin)
        known = self._bindings([*self.last, *(one for rows in self.between for one in rows)])
        names = used_names(four).union(*(check.names() for check in checks))
        binds = tuple(Bind(name, value) for name, value in _needed(known, names))
        demands = tuple(RequireStep(check, OUTSIDE, span) for check, span in checks.items())
        return Each((self.row,), (self.quarter,), (*binds, *demands, four))

    def _element(self, state: str, row: _Row) -> str:
        """The name of an element of the state between."""
        return f"{state} {row.name} {self.number}"

    def _of_elements(self, row: _Row, read: list[_Row]) -> list[Scalar]:
        """What the elements of a row are, of those of the rows that it reads."""

        def reading(scalar: Scalar) -> Scalar | None:
            if not isinstance(scalar, Load) or scalar.buffer.name not in self.step.states:
                return None
            place = self.step.places.index(scalar.indices[0])
            return Named(self._element(scalar.buffer.name, read[place]), column=scalar.column)

        return [row.rewriter(reading).scalar(value) for value in self.step.values]

    def _elements(self, row: _Row, place: int) -> Bindings:
        """The elements of a row of the state between; all that are read at one place read the state as the first."""
        first = self.between[0][place].rewriter()

        def reading(scalar: Scalar) -> Scalar | None:
            is_state = isinstance(scalar, Load) and scalar.buffer.name in self.step.states
            return first.parts(scalar) if is_state else None

        goals = {following.name: state.name for state, following in self.step.repeat.exchanges}
        states = [goals[buffer.name] for buffer, _ in self.step.nest.targets]
        values = [row.rewriter(reading).scalar(value) for value in self.step.values]
        return tuple((self._element(state, row), value) for state, value in zip(states, values, strict=True))


def _needed(known: Bindings, names: frozenset[str]) -> Bindings:
    """Those of some bindings that names, or others of these, are computed of."""
    needed, found = set(names), list[tuple[str, Scalar]]()
    for name, value in reversed(known):
        if name in needed:
            needed |= dependencies(value)
            found.append((name, value))
    return tuple(reversed(found))


def _unchecked(scalar: Scalar) -> Scalar | None:
    return replace(scalar, checks=()) if isinstance(scalar, Load) and scalar.checks else None


def _same(some: list[_Row], others: list[_Row]) -> list[Condition]:
    """That rows read the same as others."""
    rows = zip(some, others, strict=True)
    return [zero(k - j) for one, other in rows for k, j in zip(one.places, other.places, strict=True)]


def _holds(conditions: list[Condition], then: Scalar) -> Scalar:
    """A truth where some conditions hold, else none."""
    return Select(junction("and", conditions), (), then, _truth(False), column=TRUTH)


def _truth(value: bool) -> ConstantScalar:
    return ConstantScalar(value, column=TRUTH)
