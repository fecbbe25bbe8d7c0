"""What is the same all along a row of a fold or a nest: looked up, and checked, once before it.

reduce[i,j]({d = tokens[i]; s + table[d,j]?})        for i: d = tokens[i]; check d; for j in lanes: s + table[d,j]
nest[i,j] y[i,j] = {d = tokens[i]; table[d,j]?}      for i: d = tokens[i]; check d; for j: y[i,j] = table[d,j]
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, replace
from tolang.plan.equality import alike
from tolang.plan.nest import Load, Nest, Reduction, Scalar, Where
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import dependencies, occurrences, walk

FLOATS = ("f32", "f64")
WHOLE = ("i64", "i32")


@dataclass(frozen=True, slots=True)
class RowInvariants:
    """Names to bind and reads to check before a row, and what is left of the values that its elements have."""

    bindings: tuple[tuple[str, Scalar], ...]
    reads: tuple[Load, ...]
    values: tuple[Scalar, ...]


def row_invariants_of(values: tuple[Scalar, ...], changing: frozenset[str]) -> RowInvariants | None:
    """What of some values does not change with names that change along a row; None where nothing of that is in the way.

    Where all checks are of that kind, none is left within the row.
    """
    bindings: dict[str, Scalar] = {}
    reads: list[Load] = []
    left: list[Scalar] = []
    for value in values:
        while isinstance(value, Where) and not any(_moves(one, changing) for _, one in value.bindings):
            if any(name in bindings and not alike(bindings[name], one) for name, one in value.bindings):
                return None
            bindings.update(value.bindings)
            value = value.value
        moving = {*changing, *(name for one in walk(value) if isinstance(one, Where) for name, _ in one.bindings)}
        places = [place for place in occurrences(value) if isinstance(place.scalar, Load) and place.scalar.checks]
        checked = [place.scalar for place in places if isinstance(place.scalar, Load)]
        still = all(moving.isdisjoint(check.names()) for load in checked for check in load.checks)
        if not still or any(place.folded or not place.always for place in places):
            return None
        reads += checked
        left.append(Rewriter(rule=_unchecked).scalar(value) if checked else value)
    return RowInvariants(tuple(bindings.items()), _different(reads), tuple(left)) if reads else None


def _unchecked(scalar: Scalar) -> Scalar | None:
    return replace(scalar, checks=()) if isinstance(scalar, Load) and scalar.checks else None


def _different(reads: list[Load]) -> tuple[Load, ...]:
    """Reads of which no two ask for the same."""
    return tuple({(read.checks, read.span): read for read in reads}.values())


def _moves(value: Scalar, names: frozenset[str]) -> bool:
    return bool(dependencies(value) & names) or any(isinstance(one, Reduction) for one in walk(value))


def rows_read_by_lookup(nest: Nest, still: RowInvariants) -> list[str]:
    """The names of numbers, looked up before each row, that say which rows a nest of rows, all as long, reads."""
    if len(nest.iterators) != 2 or nest.iterators[0] in nest.extents[1].names():
        return []
    columns = {name: value.column.storage for name, value in still.bindings}
    rows = [one for value in still.values for one in walk(value) if isinstance(one, Load)]
    read = [one.indices for one in rows if any(nest.iterators[-1] in index.names() for index in one.indices)]
    named = {name for indices in read for index in indices for name in index.names()}
    return [name for name, storage in columns.items() if name in named and storage in (*FLOATS, *WHOLE)]
