"""Folds at each coordinate of a loop that lie side by side in memory are nests of their own, and run side by side.

    each [j <= m]                                     top[j] = reduce[i](max, s[i] + w[i,j])
      x[i] = s[i] + w[i,j]                            sum[j] = reduce[i](add, exp(s[i] + w[i,j] - top[j]))
      top = reduce[i](max, x[i])                      y[j] = top[j] + log(sum[j])
      y[j] = top + log(reduce[i](add, exp(x[i] - top)))

The cost rule: what is kept for a coordinate is so cheap, few sums and products of elements, that computing it twice
costs less than what goes through memory; all folds read along the loop's last dimension, so that without this each
would jump from row to row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.idioms.column_folds import runs_side_by_side
from tolang.plan.access import filling, fills
from tolang.plan.nest import (
    Allocate,
    Bind,
    Buffer,
    ConstantScalar,
    Each,
    Free,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Scalar,
    Step,
)
from tolang.plan.rewriting import Bindings, Rewriter, map_lists, within
from tolang.plan.traversal import dependencies, has_fold, may_fail, occurrences, scalars_in
from tolang.plan.uses import allocations

CHEAP = frozenset({"add", "sub", "mul", "neg"})
MOST_CHEAP = 2
"""How many sums and products may be computed again."""


def fold_columns(plan: Plan) -> Plan:
    """Folds at each coordinate of a loop whose elements lie side by side are nests, which run side by side."""
    numbers = count(1)

    def changed(step: Step) -> tuple[Step, ...]:
        if not isinstance(step, Each) or not step.iterators:
            return (step,)
        try:
            return _Columns(step, numbers).steps()
        except _Unfit:
            return (step,)

    return map_lists(plan, lambda steps: tuple(made for step in steps for made in changed(step)))


class _Unfit(Exception):
    """A loop is better, or has to be, as it is."""


@dataclass(slots=True)
class _Columns:
    """A loop on its way: what its steps keep at a coordinate, by name, and the nests that have become of them."""

    each: Each
    numbers: Iterator[int]
    elements: dict[str, Nest] = field(default_factory=dict)
    bindings: Bindings = ()
    tables: dict[str, Load] = field(default_factory=dict)
    made: list[Step] = field(default_factory=list)

    def steps(self) -> tuple[Step, ...]:
        """The nests that a loop becomes, and one that computes its elements of them."""
        *before, last = (step for step in self.each.steps if not isinstance(step, Free))
        inside = allocations(before)
        for step in before:
            match step:
                case Allocate():
                    pass
                case Bind(name=name, value=value, mutable=False) if not may_fail(value):
                    self.bindings = (*self.bindings, (name, self._apart(value, name)))
                case Nest(targets=((buffer, _),)) if buffer.name in inside and _is_cheap(step):
                    self.elements[buffer.name] = step
                case _:
                    raise _Unfit
        match last:
            case Nest(iterators=(), targets=((buffer, at),), values=(value,)) if not may_fail(value):
                made = within(self.bindings, self._apart(value, buffer.name))
            case _:
                raise _Unfit
        names = {name for index in at for name in index.names()}
        nests = [step for step in self.made if isinstance(step, Nest) and has_fold(step.values[0])]
        if buffer.name in inside or not names.isdisjoint(self._names()) or not nests:
            raise _Unfit
        if not all(map(runs_side_by_side, nests)):
            raise _Unfit
        return *self.made, replace(last, iterators=self.each.iterators, extents=self.each.extents, values=(made,))

    def _names(self) -> set[str]:
        return {name for name, _ in self.bindings}

    def _apart(self, scalar: Scalar, name: str) -> Scalar:
        """A scalar that reads its folds, each of which is a nest before, and computes what a loop kept."""
        known = Rewriter(rule=self._known).scalar(scalar)
        folds = [one for one in occurrences(known) if isinstance(one.scalar, Reduction) and not one.folded]
        loads = dict[int, Load]()
        for place in folds:
            fold = place.scalar
            if not isinstance(fold, Reduction) or not place.always or len(fold.group.states) != 1:
                raise _Unfit
            for used, value in self.bindings:
                if used in dependencies(fold) and used not in self.tables:
                    self.tables[used] = self._table(used, value)
            loads[id(fold)] = self._table(name, Rewriter(rule=self._known).scalar(fold))
        return Rewriter(rule=lambda one: loads.get(id(one))).scalar(known) if loads else known

    def _known(self, one: Scalar) -> Scalar | None:
        match one:
            case Named(name=name) if name in self.tables:
                return self.tables[name]
            case Load(buffer=buffer, indices=indices) if buffer.name in self.elements:
                nest = self.elements[buffer.name]
                return Rewriter(dict(zip(nest.iterators, indices, strict=True))).scalar(nest.values[0])
        return None

    def _table(self, name: str, value: Scalar) -> Load:
        """A scalar at each coordinate of the loop, computed before."""
        origin = f"{name.rsplit('.', 1)[0]} of columns {next(self.numbers)}"
        buffer = Buffer(f"{origin}.1", value.column, self.each.extents)
        table = filling(buffer, self.each.iterators, within(self.bindings, value), origin)
        self.made += [Allocate(buffer), table]
        return Load(*table.targets[0], column=value.column)


def _is_cheap(nest: Nest) -> bool:
    """Whether a nest fills a buffer with what is as soon computed as read, and nothing can be wrong with it."""
    inside = [one for value in nest.values for one in scalars_in(value)]
    functions = [one.function for one in inside if isinstance(one, Operation)]
    plain = all(isinstance(one, Operation | Load | Named | ConstantScalar) for one in inside)
    cheap = CHEAP.issuperset(functions) and len(functions) <= MOST_CHEAP
    return plain and fills(nest, *nest.targets[0]) and cheap and not any(map(may_fail, nest.values))
