"""Folds whose steps compute each row of their state of two rows of the state before.

    repeat [t <= d], exchanging s and next
      nest [i <= n, j <= m]
        next[i,j] = {p = …; q = …; f(s[p,j], s[q,j])}       p and q are of t and i alone

A stage of a Fourier transform is such a step, and so is one of a sorting network, or of a fold by halves.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.plan.access import fills
from tolang.plan.equality import alike
from tolang.plan.nest import Bind, Load, Nest, Repeat, Scalar, Step, Where
from tolang.plan.rewriting import Bindings, renaming
from tolang.plan.traversal import buffers_in, dependencies, has_fold, occurrences, scalars_in, written_buffers

PLACES = 2
"""How many rows of the state before each row is computed of."""


@dataclass(frozen=True, slots=True)
class RowStep:
    """A step that computes rows of rows.

    What is `bound` before is the same for all rows, `bindings` are of one row, in order; `values` are what its elements
    are then, one for each component of the state, and `places` the two rows of the state before that these read.
    """

    repeat: Repeat
    nest: Nest
    bound: tuple[Bind, ...]
    bindings: Bindings
    values: tuple[Scalar, ...]
    places: tuple[Size, ...]

    @property
    def states(self) -> frozenset[str]:
        return frozenset(state.name for state, _ in self.repeat.exchanges)

    def reads(self) -> list[Load]:
        """What the elements of a row read, of the state or of anything else."""
        return [one for value in self.values for one in scalars_in(value) if isinstance(one, Load)]

    def checks(self) -> list[Condition]:
        """What must hold for a row to be read of."""
        return list({check: None for read in self.reads() for check in read.checks})


def row_step_of(step: Step) -> RowStep | None:
    """A repetition as one whose steps compute each row of two; None where it is not."""
    match step:
        case Repeat(iterators=(_,), steps=(*before, Nest() as nest)) if step.exchanges and len(nest.iterators) > 1:
            bound = tuple(one for one in before if isinstance(one, Bind) and not one.mutable)
        case _:
            return None
    if len(bound) != len(before) or not _fills_following(step, nest):
        return None
    parted = _parted(nest.values, frozenset(nest.iterators[1:]))
    if parted is None:
        return None
    bindings, values = parted
    known = [*(one.value for one in bound), *(value for _, value in bindings)]
    if not all(_is_of_data(value, step) for value in known) or not all(_is_of_rows(value, nest) for value in values):
        return None
    states = {state.name for state, _ in step.exchanges}
    read = {_place(one, nest): None for value in values for one in scalars_in(value) if _reads(one, states)}
    places = tuple(place for place in read if place is not None)
    named = {name for name, _ in bindings}
    if len(read) != PLACES or len(places) != PLACES or any(named.isdisjoint(place.names()) for place in places):
        return None
    return RowStep(step, nest, bound, bindings, values, places)


def _fills_following(repeat: Repeat, nest: Nest) -> bool:
    """Whether a nest computes all elements of what the states are exchanged for, each at its own coordinates."""
    goals = [buffer.name for buffer, at in nest.targets if fills(nest, buffer, at)]
    return len(goals) == len(nest.targets) and sorted(goals) == sorted(one.name for _, one in repeat.exchanges)


def _parted(values: tuple[Scalar, ...], columns: frozenset[str]) -> tuple[Bindings, tuple[Scalar, ...]] | None:
    """What is bound once for a row, each number under one name, and the rest of each value; None where names clash."""
    bindings: dict[str, Scalar] = {}
    names: dict[str, str] = {}
    rest = []
    for value in values:
        while isinstance(value, Where) and not any(dependencies(one) & columns for _, one in value.bindings):
            for name, bound in value.bindings:
                one = renaming(names).scalar(bound)
                first = next((known for known, other in bindings.items() if alike(other, one)), name)
                if names.setdefault(name, first) != first:
                    return None
                bindings.setdefault(first, one)
            value = value.value
        rest.append(value)
    return tuple(bindings.items()), renaming(names).scalars(tuple(rest))


def _is_of_data(value: Scalar, repeat: Repeat) -> bool:
    """Whether a value is a plain one of what steps do not change."""
    return not has_fold(value) and written_buffers(repeat).isdisjoint(buffers_in(value))


def _reads(scalar: Scalar, states: set[str]) -> bool:
    return isinstance(scalar, Load) and scalar.buffer.name in states


def _place(read: Scalar, nest: Nest) -> Size | None:
    """The row that an element of the state is read of; None where it is not the one beside, or the row varies."""
    assert isinstance(read, Load)
    row, *others = read.indices
    columns = nest.iterators[1:]
    return row if others == [Size.of(name) for name in columns] and row.names().isdisjoint(columns) else None


def _is_of_rows(value: Scalar, nest: Nest) -> bool:
    """Whether all that a value reads is read always, and no column is asked whether it may be."""
    columns = nest.iterators[1:]
    written = {buffer.name for buffer, _ in nest.targets}
    if has_fold(value) or not written.isdisjoint(buffers_in(value)):
        return False
    for one in occurrences(value):
        if isinstance(one.scalar, Load):
            asked = frozenset[str]().union(*(check.names() for check in one.scalar.checks))
            if not one.always or not asked.isdisjoint(columns):
                return False
    return True
