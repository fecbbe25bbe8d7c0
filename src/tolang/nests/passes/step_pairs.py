"""Two steps of a fold at once, where each computes the rows of its state of two rows: four rows are computed of four.

    repeat [t <= d], exchanging s and next       repeat [t <= d/2], exchanging s and next
      nest [i <= n, j <= m]                        nest [i <= n/4, j <= m]
        next[i,j] = f(t, i, s[p,j], s[q,j])          four elements of s give four of the state between, and these
                                                     next[i,j], next[i + n/4, j], next[i + n/2, j], next[i + 3*n/4, j]

What lies between stays in registers, so that memory is gone through half as often: a Fourier transform of radix 2 is one
of radix 4.  That takes rows that read the same: those half of all apart must read the same two of the state between, and
so must these again, in twos, of the state before.  Whether they do, only running tells; it is asked of all rows and
steps before the first, and where they do not, steps are done one by one.  Each element is computed as it was, so that
it has the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count

from tolang.ground.conditions import Condition, junction, nonnegative, zero
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.sizes import ONE, Size, floor_division
from tolang.ground.spaces import column
from tolang.nests.nest import Bind, Branch, Constant, Group, Load, Named, Nest, Plan, Reduction, Repeat, Scalar, Select, Step
from tolang.nests.patterns.step_pairs import PLACES, RowStep, row_step_of
from tolang.nests.rewriting import Bindings, Rewriter, map_lists, within

TRUTH = column("B")
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
class _Row:
    """A row of the state after a step: what is bound for it, the two rows it reads, and what must hold for that."""

    name: str
    bindings: Bindings
    places: tuple[Size, ...]
    checks: tuple[Condition, ...]
    rewriter: Rewriter


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
        self.first, self.second = (self._bound(pair * 2 - 1, "first"), self._bound(pair * 2, "second"))
        self.last = [self._row(place, self.second, f"row {k + 1}") for k, place in enumerate(self.apart)]
        self.between = [
            [self._row(place, self.first, f"{row.name} of {k + 1}") for k, place in enumerate(row.places)]
            for row in self.last[:PLACES]
        ]

    def _name(self, what: str) -> str:
        return f"{self.turn} {what} {self.number}"

    def _bound(self, turn: Size, which: str) -> tuple[tuple[Bind, ...], dict[str, str], dict[str, Size]]:
        """What a step binds for all of its rows, under names of its own; these, and its number in place of the old."""
        names = {one.name: f"{one.name} {which} {self.number}" for one in self.step.bound}
        sizes = {self.turn: turn} | {old: Size.of(new) for old, new in names.items()}
        made = Rewriter(sizes, _renaming(names)).steps(self.step.bound)
        return tuple(replace(one, name=names[one.name]) for one in made if isinstance(one, Bind)), names, sizes

    def _row(self, place: Size, step: tuple[tuple[Bind, ...], dict[str, str], dict[str, Size]], name: str) -> _Row:
        """A row of the state after a step, whose names are its own."""
        _, known, sizes = step
        own = {old: f"{old} {name} {self.number}" for old, _ in self.step.bindings}
        names = known | own
        sizes = sizes | {self.row: place} | {old: Size.of(new) for old, new in own.items()}
        rewriter = Rewriter(sizes, _renaming(names))
        bindings = tuple((own[old], rewriter.scalar(value)) for old, value in self.step.bindings)
        checks = tuple(rewriter.condition(check) for check in self.step.checks())
        return _Row(name, bindings, rewriter.indices(self.step.places), checks, rewriter)

    def steps(self) -> tuple[Step, ...]:
        """The repetition in pairs where its rows are as they must be, else as it is."""
        repeat, rest = self.step.repeat, self._name("rest")
        enough = self._enough()
        if enough.constant is False:
            return (repeat,)
        paired = replace(
            repeat,
            iterators=(self._name("pair"),),
            extents=(self.pairs,),
            steps=(*self.first[0], *self.second[0], self._nest()),
        )
        single = Rewriter({self.turn: self.pairs * 2 + Size.of(rest)}).steps(repeat.steps)
        left = replace(repeat, iterators=(rest,), extents=(self.turns - self.pairs * 2,), steps=single)
        asked = Select(enough, (), self._fits(), _truth(False), column=TRUTH)
        fit = Bind(self._name("fits"), asked if enough.constant is None else asked.then)
        return fit, Branch(None, (Named(fit.name, column=TRUTH),), (paired, left), (repeat,))

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
        group = Group(
            (self._name("pair"), self.row), (self.pairs, self.quarter), (state.name,), (TRUTH,), (_truth(True),), (step,)
        )
        return Reduction(group, 0, column=TRUTH)

    def _of_steps(self) -> Bindings:
        return tuple((one.name, one.value) for bound, *_ in (self.first, self.second) for one in bound)

    def _bindings(self, rows: list[_Row]) -> Bindings:
        return tuple(binding for row in rows for binding in row.bindings)

    def _nest(self) -> Nest:
        """Four rows at a time, of both steps."""
        nest, goals = self.step.nest, self.step.nest.targets
        known = self._bindings(self.last) + self._bindings([row for rows in self.between for row in rows])
        targets, values = [], []
        for k, row in enumerate(self.last):
            read = self.between[k % PLACES]
            elements = tuple(
                (self._element(state, row), value)
                for one, row in enumerate(read)
                for state, value in self._between(row, self.between[0][one])
            )
            for (buffer, _), value in zip(goals, self._of_elements(row, read), strict=True):
                targets.append((buffer, (self.apart[k], *(Size.of(name) for name in self.columns))))
                values.append(within(known, within(elements, value)))
        return replace(nest, extents=(self.quarter, *nest.extents[1:]), targets=tuple(targets), values=tuple(values))

    def _element(self, state: str, row: _Row) -> str:
        """The name of an element of the state between."""
        return f"{state} {row.name} {self.number}"

    def _of_elements(self, row: _Row, read: list[_Row]) -> list[Scalar]:
        """What the elements of a row are, of those of the rows that it reads."""

        def rule(scalar: Scalar) -> Scalar | None:
            if isinstance(scalar, Load) and scalar.buffer.name in self.step.states:
                place = self.step.places.index(scalar.indices[0])
                return Named(self._element(scalar.buffer.name, read[place]), column=scalar.column)
            return row.rewriter.rule(scalar) if row.rewriter.rule else None

        return [Rewriter(row.rewriter.sizes, rule).scalar(value) for value in self.step.values]

    def _between(self, row: _Row, same: _Row) -> list[tuple[str, Scalar]]:
        """The elements of a row of the state between, by the states that they are of, read as another row reads them."""

        def rule(scalar: Scalar) -> Scalar | None:
            if isinstance(scalar, Load) and scalar.buffer.name in self.step.states:
                return same.rewriter.parts(scalar)
            return row.rewriter.rule(scalar) if row.rewriter.rule else None

        rewriter = Rewriter(row.rewriter.sizes, rule)
        goals = {following.name: state.name for state, following in self.step.repeat.exchanges}
        targets = [goals[buffer.name] for buffer, _ in self.step.nest.targets]
        return [(state, rewriter.scalar(value)) for state, value in zip(targets, self.step.values, strict=True)]


def _renaming(names: dict[str, str]):
    def rule(scalar: Scalar) -> Scalar | None:
        if isinstance(scalar, Named) and scalar.name in names:
            return replace(scalar, name=names[scalar.name])
        return None

    return rule


def _same(some: list[_Row], others: list[_Row]) -> list[Condition]:
    """That rows read the same as others."""
    pairs = [pair for one, other in zip(some, others, strict=True) for pair in zip(one.places, other.places, strict=True)]
    return [zero(one - other) for one, other in pairs]


def _holds(conditions: list[Condition], then: Scalar) -> Scalar:
    """A truth where some conditions hold, else none."""
    return Select(junction("and", conditions), (), then, _truth(False), column=TRUTH)


def _truth(value: bool) -> Constant:
    return Constant(value, column=TRUTH)
