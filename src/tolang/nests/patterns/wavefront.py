"""Wavefronts: folds of scans whose elements depend on their neighbours, above, to the left, and between.

    repeat [i <= n]
      row[1] = border
      repeat [j <= m]
        row[j + 1] = f(state[j], state[j + 1], row[j])
      state[c] = row[c]                                or  kept[i + 1, c] = row[c], which the next step reads at i

Elements with the same i + j depend on none of each other.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.functions import COSTLY
from tolang.ground.sizes import ONE, Size
from tolang.nests.nest import Allocate, Buffer, Draw, Load, Nest, Operation, Repeat, Scalar, Step
from tolang.nests.patterns.contraction import without_single
from tolang.nests.patterns.scan import Scan, scan_of
from tolang.nests.rewriting import Rewriter
from tolang.nests.traversal import has_fold, may_fail, scalars_in


@dataclass(frozen=True, slots=True)
class Wavefront:
    """Elements `step` of a table of rows, each from the one to its left and two of the row before, in `state`.

    The rows are kept one below the other, beginning with the one before the first; or the state is a single row.
    """

    down: str
    across: str
    rows: Size
    columns: Size
    row: Buffer
    state: Buffer
    border: Scalar
    step: Scalar

    @property
    def is_kept(self) -> bool:
        return len(self.state.shape) == 2

    def before(self, place: Size) -> tuple[Size, ...]:
        """Where an element of the row before is read."""
        return (Size.of(self.down), place) if self.is_kept else (place,)


def wavefront_of(repeat: Repeat) -> Wavefront | None:
    """A repetition as a wavefront; None where it is none, or its steps are so short that diagonals do not pay."""
    if len(repeat.iterators) != 1 or repeat.exchanges or len(repeat.steps) != 4:
        return None
    made, border, inner, copy = repeat.steps
    if not isinstance(made, Allocate) or not isinstance(border, Nest) or not isinstance(inner, Repeat):
        return None
    scan, row, state = scan_of(inner), made.buffer, _copied(repeat.iterators[0], made.buffer, copy)
    if scan is None or state is None or not _goes_along(scan, row) or state.shape != _shape(row, state, repeat):
        return None
    first = _border(border, row)
    (step,) = inner.steps
    if first is None or not isinstance(step, Nest):
        return None
    found = Wavefront(
        repeat.iterators[0], scan.iterator, repeat.extents[0], scan.extent, row, state, first, step.values[0]
    )
    return found if _reads_neighbours(found) and _is_worth(found) else None


def _goes_along(scan: Scan, row: Buffer) -> bool:
    targets = [(buffer.name, at) for buffer, at in scan.targets]
    return targets == [(row.name, (Size.of(scan.iterator) + 1,))] and row.shape == (scan.extent + 1,)


def _shape(row: Buffer, state: Buffer, repeat: Repeat) -> tuple[Size, ...]:
    return (repeat.extents[0] + 1, *row.shape) if len(state.shape) == 2 else row.shape


def _copied(down: str, row: Buffer, step: Step) -> Buffer | None:
    """Where a row is copied to, as the state that the next row reads."""
    if not isinstance(step, Nest):
        return None
    nest = without_single(step)
    if len(nest.iterators) != 1 or nest.extents != row.shape or len(nest.targets) != 1:
        return None
    (state, at), value, own = nest.targets[0], nest.values[0], Size.of(nest.iterators[0])
    if not isinstance(value, Load) or value.buffer.name != row.name or value.indices != (own,) or value.checks:
        return None
    return state if at in ((own,), (Size.of(down) + 1, own)) else None


def _border(nest: Nest, row: Buffer) -> Scalar | None:
    """The first element of a row, where a nest writes that alone."""
    if not all(extent.is_constant(1) for extent in nest.extents) or len(nest.targets) != 1:
        return None
    single = dict.fromkeys(nest.iterators, ONE)
    (buffer, at), value = nest.targets[0], Rewriter(single).scalar(nest.values[0])
    first = buffer.name == row.name and tuple(index.substitute(single) for index in at) == (ONE,)
    return value if first and not has_fold(value) and not may_fail(value) else None


def _reads_neighbours(found: Wavefront) -> bool:
    """Whether an element is computed of its neighbours and what is no part of the table, and nothing can be wrong."""
    column, before = Size.of(found.across), found.before
    places: dict[str, list[tuple[Size, ...]]] = {found.row.name: [(column,)]}
    places[found.state.name] = [before(column), before(column + 1)]
    inside = scalars_in(found.step)
    others = [one.buffer.name for one in scalars_in(found.border) if isinstance(one, Load)]
    if found.down in found.columns.names() or not places.keys().isdisjoint(others):
        return False
    if may_fail(found.step) or has_fold(found.step) or any(isinstance(one, Draw) for one in inside):
        return False
    reads = [one for one in inside if isinstance(one, Load) and one.buffer.name in places]
    return all(one.indices in places[one.buffer.name] for one in reads)


def _is_worth(found: Wavefront) -> bool:
    return any(isinstance(one, Operation) and one.function in COSTLY for one in scalars_in(found.step))
