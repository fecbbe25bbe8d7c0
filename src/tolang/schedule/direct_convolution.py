"""Window rows: a contraction whose windows are its rows, and whose other operand fills the vectors.

    y[o,i,j] = reduce[c,a,b](w[o,c,a,b] * x[c,i+a-1,j+b-1])

Where vectors hold neighbouring windows (`windows`), an image of few places leaves them half empty, and what windows
read begins anywhere in a line of the cache.  Here vectors hold neighbouring o.  Elements of windows are read one at a
time from a copy in which the elements of the depth that no window moves along lie together,

    e[p,q,c] = if … then x[c,p-1,q-1] else 0        t[i,j,o] = reduce[c,a,b](w[o,c,a,b] * e[i+a-1,j+b-1,c])

and the result is put in its own order afterwards, together with what lies in that order, too:

    y[o,i,j] = t[i,j,o]

A result that lies with o innermost (see the pass `orders`) is written at once.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, junction, nonnegative
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.contraction import Contraction, Dimensions, contraction_of, count_of, fold_apart
from tolang.plan.access import access_of
from tolang.plan.nest import Buffer, Draw, Index, Load, Nest, Select
from tolang.plan.rewriting import Rewriter
from tolang.plan.schedule import OperandSource
from tolang.plan.target import Target
from tolang.plan.traversal import dependencies, walk
from tolang.schedule.tile import packed, tile_of
from tolang.schedule.windows import COPIED, SlidingAxis, Windows, windows_of


@dataclass(frozen=True, slots=True)
class WindowRows:
    """The steps: what copies the windows, the contraction of the copy, and what is computed of its result.

    Windows that lie as they are to be read are not copied.
    """

    copy: Nest | None
    contraction: Nest
    rest: Nest | None
    enough: Condition
    """Whether there are as many coordinates as fill vectors, and steps enough for each."""
    along: bool
    """Whether what windows share of the depth lies together in what they read, and a result as it is written."""


FULL_VECTORS = 2
"""How many vectors the other operand fills at the least, for windows to be rows of a result that is put in order.

Windows that move by more than one element would fill vectors element by element: there, one is enough.
"""
LEAST_DEPTH = 256
"""Steps of a fold from which on its result may be written once more for it to be computed faster."""


def fills_lanes(target: Target) -> bool:
    """Whether one number fills the lanes of a vector as it is loaded, so that rows need not lie side by side."""
    return target.splat_loads and not target.lane_operands


def window_rows_of(contraction: Contraction, number: int, target: Target) -> WindowRows | None:
    """A contraction with windows for its rows; None where it has none, or more than one result and they are copied.

    There are `enough` columns where they fill a few vectors.
    """
    nest, (phase, *_) = contraction.nest, contraction.phases
    if not fills_lanes(target) or any(len(phase.steps) != 1 for phase in contraction.phases):
        return None
    if lie_apart(contraction, target):
        filled = nonnegative(count_of(contraction.columns) - tile_of(contraction, target).lanes)
        return WindowRows(None, nest, None, filled, True)
    if len(nest.values) != 1:
        return None
    turned = windows_of(contraction, single=True)
    windows = turned or windows_of(contraction, single=True, of_rows=True)
    lefts, rights = packed(phase)
    if windows is None or len(lefts) != 1 or len(rights) != 1 or _fill_vectors(windows):
        return None
    split = (nest, None) if turned is None else _split(contraction, f"rows {number}_1.1")
    if split is None:
        return None
    raw, rest = split
    along = turned is None and _lies_along(windows, _shared(windows, phase.depth))
    as_it_lies = row_read(contraction) if along else None
    copy, load = (
        copied_windows(windows, f"windows {number}_1.1", phase.depth) if as_it_lies is None else (None, as_it_lies)
    )
    changed = windows.reading(load, raw)
    again = contraction_of(changed)
    places, columns = (contraction.columns, contraction.rows) if turned else (contraction.rows, contraction.columns)
    if again is None or row_read(again) is None or again.rows != places:
        return None
    least_of = [(columns, tile_of(contraction, target).lanes)]
    if rest is not None:
        vectors = FULL_VECTORS if windows.axes[-1].step == 1 else 1
        least_of = [(columns, vectors * least_of[0][1]), (phase.depth, LEAST_DEPTH)]
    enough = junction("and", [nonnegative(count_of(one) - least) for one, least in least_of])
    return WindowRows(copy, changed, rest, enough, along)


def lie_apart(contraction: Contraction, target: Target) -> bool:
    """Whether rows, in several dimensions, are read as they lie, each along the depth, but not one after the other."""
    reads = row_reads(contraction)
    if (
        reads is None
        or len(contraction.rows) == 1
        or contraction.batch
        or tile_of(contraction, target).left is OperandSource.ROWS
    ):
        return False
    return all(
        load.column.storage in COPIED and any(access_of(load).unit_stride(name) for name, _ in phase.depth)
        for load, phase in zip(reads, contraction.phases, strict=True)
    )


def _fill_vectors(windows: Windows) -> bool:
    """Whether windows that move have something beside them that lies side by side (see `turned_windows`)."""
    *others, last = windows.axes
    return not last.moves and any(axis.moves for axis in others)


def _split(contraction: Contraction, name: str) -> tuple[Nest, Nest] | None:
    """A contraction whose result has the windows before everything else, and what puts that in its own order.

    What is computed of a fold is so before, unless it reads what lies as the windows do.
    """
    nest, order = contraction.nest, (*contraction.batch, *contraction.columns, *contraction.rows)
    ((target, _),), apart = nest.targets, fold_apart(contraction, order, name)
    if apart is None:
        return None
    raw, rest = apart
    places = {one for one, _ in contraction.columns}
    parts = [one for one in walk(rest.values[0]) if isinstance(one, Load | Index | Draw | Select)]
    beside = [one for one in parts if not (isinstance(one, Load) and one.buffer.name == name)]
    if all(places.isdisjoint(dependencies(one)) for one in beside if not isinstance(one, Select) or one.guard):
        result, at = Buffer(name, target.column, raw.extents), raw.targets[0][1]
        raw = replace(raw, targets=((result, at),), values=nest.values)
        rest = replace(nest, values=(Load(result, at, column=target.column),))
    return raw, _by_lines(rest, contraction)


def row_read(contraction: Contraction) -> Load | None:
    """The read that rows of the only fold go through as it lies (see `row_reads`); None without it."""
    reads = row_reads(contraction)
    return None if reads is None or len(reads) > 1 else reads[0]


def row_reads(contraction: Contraction) -> tuple[Load, ...] | None:
    """The reads that rows go through as they lie, at a distance for each row and one for each step, for each fold.

    Rows are equally far apart in all of them.  None where some are not so.
    """
    found: list[Load] = []
    for phase in contraction.phases:
        lefts, _ = packed(phase)
        load = lefts[0].value if len(lefts) == 1 else None
        if not isinstance(load, Load) or not _is_affine(load, (*contraction.rows, *phase.depth)):
            return None
        found.append(load)
    apart = [[access_of(load).stride(name) for name, _ in contraction.rows] for load in found]
    alike = all(one == apart[0] and None not in one for one in apart[1:])
    return tuple(found) if alike else None


def _is_affine(load: Load, dimensions: Dimensions) -> bool:
    """Whether a read's place in memory is affine in some dimensions together, and it is read as it is stored."""
    if load.checks or load.buffer.panels is not None or load.column.storage != load.buffer.column.storage:
        return False
    return access_of(load).affine([name for name, _ in dimensions])


def copied_windows(windows: Windows, name: str, depth: Dimensions) -> tuple[Nest, Load]:
    """What copies the windows, what windows share of the depth innermost, and how they read the copy."""
    inner = _shared(windows, depth)
    outer = tuple(one for one in windows.plain if one not in inner)
    places = [(f"place of {axis.name}", _places(axis)) for axis in windows.axes]
    readers = {axis.name: _reader(axis, Size.of(f"place of {axis.name}")) for axis in windows.axes}
    alone = {name: ONE for axis in windows.axes if axis.elements.is_constant(1) for name, _, _ in axis.inside}
    value = Rewriter(sizes=readers | alone).scalar(windows.value)
    nest = windows.padded_copy(name, (*outer, *places, *inner), value)
    if not _lies_along(windows, inner):
        extents = dict(zip(nest.iterators, nest.extents, strict=True))
        order = [one for one, _ in (*outer, *places[:-1], *inner, *places[-1:])]
        nest = replace(nest, iterators=tuple(order), extents=tuple(extents[one] for one in order))
    buffer, _ = nest.targets[0]
    read = [_place(axis) for axis in windows.axes]
    own = [Size.of(one) for one, _ in outer], [Size.of(one) for one, _ in inner]
    return nest, Load(buffer, (*own[0], *read, *own[1]), column=windows.value.column)


def _shared(windows: Windows, depth: Dimensions) -> Dimensions:
    """The dimensions of a depth that windows do not move along."""
    return tuple(one for one in windows.plain if one in depth)


def _lies_along(windows: Windows, inner: Dimensions) -> bool:
    """Whether what windows share lies together in what is copied already."""
    loads = [one for one in walk(windows.value) if isinstance(one, Load)]
    return bool(inner) and all(access_of(one).unit_stride(inner[-1][0]) for one in loads)


def _places(axis: SlidingAxis) -> Size:
    """How many places a copy has along an axis: as many as windows where each has one element."""
    return axis.extent if axis.elements.is_constant(1) else (axis.extent - 1) * axis.step + axis.reach + 1


def _place(axis: SlidingAxis) -> Size:
    """Where a window's element is in the copy."""
    if axis.elements.is_constant(1):
        return Size.of(axis.name)
    return (Size.of(axis.name) - 1) * axis.step + ONE + axis.offset


def _reader(axis: SlidingAxis, place: Size) -> Size:
    """The window an element of which is at a place of the copy, as a number that need not be whole."""
    return place if axis.elements.is_constant(1) else axis.reader(place)


def _by_lines(nest: Nest, contraction: Contraction) -> Nest:
    """The rest of a nest line by line of the windows, so that what is read of the result stays in a cache."""
    *outer, last = contraction.columns
    order = (*contraction.batch, *outer, *contraction.rows, last)
    return replace(nest, iterators=tuple(n for n, _ in order), extents=tuple(e for _, e in order))
