"""Wavefronts: folds of scans whose elements depend on their neighbours, above, to the left, and between.

    repeat [i <= n]
      row[1] = border
      repeat [j <= m]
        row[j + 1] = f(state[j], state[j + 1], row[j])
      state[c] = row[c]                                or  kept[i + 1, c] = row[c], which the next step reads at i

Elements with the same i + j depend on none of each other.  Rows may be kept, too, and the next state be computed of
neighbours in the row; its columns are perhaps counted from the last one, as in the steps of a gradient:

      rows[i, 1] = kept[i, m + 1]
      rows[i, j + 1] = f(kept[i, m - j + 1], rows[i, j])
      kept[i + 1, c] = g(rows[i, m - c + 1], rows[i, m - c + 2])
"""

from __future__ import annotations

from itertools import product

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import COSTLY
from tolang.idioms.contraction import without_single
from tolang.idioms.scan import scan_of
from tolang.plan.nest import Allocate, Buffer, Draw, Load, Nest, Operation, Repeat, Scalar
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import has_fold, may_fail, scalars_in


@dataclass(frozen=True, slots=True)
class Wavefront:
    """Elements `step` of rows, each from the one to its left and two of the row before, by the `state` made of that.

    The step is a function of the row `down` and the column `across`, the state that is `following` one of the row and
    the `place` in the state.  States are kept one below the other, beginning with the one before the first; or there
    is a single one, which each row is copied over.  The columns of the state may be `turned`.
    """

    down: str
    across: str
    place: str
    rows: Size
    columns: Size
    row: Buffer
    state: Buffer
    border: Scalar
    step: Scalar
    following: Scalar
    turned: bool

    @property
    def is_kept(self) -> bool:
        return len(self.state.shape) == 2

    @property
    def keeps_rows(self) -> bool:
        return len(self.row.shape) == 2

    @property
    def is_copied(self) -> bool:
        """Whether a row is the next state as it is."""
        value = self.following
        if self.turned or not isinstance(value, Load) or value.buffer.name != self.row.name:
            return False
        return self.column_of(value) == Size.of(self.place)

    def column_of(self, load: Load) -> Size | None:
        """The column, in the order of the scan, that a read of this row or of the state before it is at."""
        kept = self.keeps_rows if load.buffer.name == self.row.name else self.is_kept
        if kept and load.indices[0] != Size.of(self.down):
            return None
        return load.indices[-1] if load.buffer.name == self.row.name else self.in_state(load.indices[-1])

    def in_state(self, column: Size) -> Size:
        """From a column to its place in the state, or back."""
        return self.columns + 2 - column if self.turned else column

    @property
    def is_dear(self) -> bool:
        """Whether its elements are such that each pays for being computed beside others."""
        return any(isinstance(one, Operation) and one.function in COSTLY for one in scalars_in(self.step))


def wavefront_of(repeat: Repeat) -> Wavefront | None:
    """A repetition as a wavefront; None where it is none."""
    if len(repeat.iterators) != 1 or repeat.exchanges or not 3 <= len(repeat.steps) <= 4:
        return None
    *made, border, inner, last = repeat.steps
    if not isinstance(border, Nest) or not isinstance(inner, Repeat) or not isinstance(last, Nest):
        return None
    scan, last = scan_of(inner), without_single(last)
    if scan is None or len(scan.targets) != 1 or len(last.iterators) != 1 or len(last.targets) != 1:
        return None
    ((row, _),), ((state, _),) = scan.targets, last.targets
    if len(row.shape) == 1 and not (made and isinstance(made[0], Allocate) and made[0].buffer is row):
        return None
    (element,), first = inner.steps, _border(border, row, repeat.iterators[0])
    if first is None or not isinstance(element, Nest):
        return None
    found = Wavefront(
        repeat.iterators[0], scan.iterator, last.iterators[0], repeat.extents[0], scan.extent, row, state, first,
        element.values[0], last.values[0], _is_turned(element.values[0], state, scan.iterator),
    )  # fmt: skip
    return found if _has_its_form(found, element, last, bool(made)) and _reads_neighbours(found) else None


def _is_turned(step: Scalar, state: Buffer, across: str) -> bool:
    """Whether a step reads the state from its last element on."""
    reads = [one.indices[-1] for one in scalars_in(step) if isinstance(one, Load) and one.buffer.name == state.name]
    return any((read + Size.of(across)).names().isdisjoint({across}) for read in reads)


def _has_its_form(found: Wavefront, element: Nest, last: Nest, own: bool) -> bool:
    """Whether rows and states are as long as there are steps, and each step writes its own."""
    down, wide = Size.of(found.down), found.columns + 1
    row = ((found.rows, wide), (down,)) if found.keeps_rows else ((wide,), ())
    state = ((found.rows + 1, wide), (down + 1,)) if found.is_kept else ((wide,), ())
    return (
        found.down not in found.columns.names()
        and own != found.keeps_rows
        and (found.is_copied or (found.is_kept and found.keeps_rows))
        and found.row.name != found.state.name
        and (found.row.shape, element.targets[0][1]) == (row[0], (*row[1], Size.of(found.across) + 1))
        and (found.state.shape, last.targets[0][1]) == (state[0], (*state[1], Size.of(found.place)))
        and last.extents == (wide,)
    )


def _border(nest: Nest, row: Buffer, down: str) -> Scalar | None:
    """The first element of a row, where a nest writes that alone."""
    if not all(extent.is_constant(1) for extent in nest.extents) or len(nest.targets) != 1:
        return None
    single = dict.fromkeys(nest.iterators, ONE)
    (buffer, at), value = nest.targets[0], Rewriter(single).scalar(nest.values[0])
    first = (Size.of(down), ONE) if len(row.shape) == 2 else (ONE,)
    there = buffer.name == row.name and tuple(index.substitute(single) for index in at) == first
    return value if there else None


def _reads_neighbours(found: Wavefront) -> bool:
    """Whether elements are computed of their neighbours and what is no part of the table, and nothing can be wrong."""
    across, place = Size.of(found.across), found.in_state(Size.of(found.place))
    return (
        _reads_near(found, found.border, ONE, (), (0,))
        and _reads_near(found, found.step, across + 1, (1,), (0, 1) if found.is_copied else (0,))
        and _reads_near(found, found.following, place, (0, 1), ())
    )


def _reads_near(found: Wavefront, scalar: Scalar, column: Size, row: tuple[int, ...], state: tuple[int, ...]) -> bool:
    """Whether what a scalar reads of the `row` and of the `state` is so many columns before its own."""
    near = {found.row.name: row, found.state.name: state}
    inside = scalars_in(scalar)
    if may_fail(scalar) or has_fold(scalar) or any(isinstance(one, Draw) for one in inside):
        return False
    for one in inside:
        if isinstance(one, Load) and one.buffer.name in near:
            read = found.column_of(one)
            if read is None or (column - read).constant not in near[one.buffer.name]:
                return False
    return True


@dataclass(frozen=True, slots=True)
class Companion:
    """A nest over the elements of a wavefront that reads the table of each only where its step does.

    `coordinates` are those of the nest at row `down` and column `across` of the wavefront, in `orders`: true where
    they are counted from the last.
    """

    nest: Nest
    coordinates: tuple[Size, Size]
    orders: tuple[bool, bool]

    def element(self, found: Wavefront, indices: tuple[Size, ...]) -> tuple[Size, Size]:
        """Row and column of the wavefront's element that coordinates of the nest stand for."""
        down, across = (
            length + 1 - index if turned else index
            for index, length, turned in zip(indices, (found.rows, found.columns), self.orders, strict=True)
        )
        return down, across


def companion_of(found: Wavefront, nest: Nest) -> Companion | None:
    """A nest as a companion of a wavefront that keeps its rows as states; None where it is none."""
    lengths = found.rows, found.columns
    own = tuple(map(Size.of, nest.iterators))
    if not (found.is_kept and found.is_copied) or nest.extents != lengths:
        return None
    if any(at != own or buffer.shape != lengths or buffer.role != "scratch" for buffer, at in nest.targets):
        return None
    inside = [one for value in nest.values for one in scalars_in(value)]
    if any(isinstance(one, Draw) for one in inside) or any(may_fail(one) or has_fold(one) for one in nest.values):
        return None
    reads = [one.indices for one in inside if isinstance(one, Load) and one.buffer.name == found.state.name]
    down, across = Size.of(found.down), Size.of(found.across)
    near = {(down, across), (down, across + 1), (down + 1, across)}
    for orders in product((False, True), (False, True)):
        at = found.rows + 1 - down if orders[0] else down, found.columns + 1 - across if orders[1] else across
        names = dict(zip(nest.iterators, at, strict=True))
        if reads and all(tuple(index.substitute(names) for index in read) in near for read in reads):
            return Companion(nest, at, orders)
    return None
