"""Windows that reach over an edge: what they read is copied with the edge around it, and no window has a guard.

    y[c,i,j] = reduce[a,b](w[a,b] * (if i+a >= 2 and … then x[c,i+a-2,j+b-2] else 0))

    each c    e[…] = 0    e[i+1,j+1] = x[c,i,j]    y[c,i,j] = reduce[a,b](w[a,b] * e[i+a-1,j+b-1])

A window reads each element many times, so that one copy of it costs little, and the copy of one channel stays in a near
cache.  Where nothing is outside the window, as in an image of one channel, the copy would be as large as the image:
there the border is told apart from the interior.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from tolang.ground.conditions import Condition, nonnegative
from tolang.ground.sizes import ONE, ZERO, Size, extremum
from tolang.nests.nest import Allocate, Buffer, Constant, Each, Load, Nest, Plan, Scalar, Select, Step
from tolang.nests.patterns.contraction import contraction_of
from tolang.nests.patterns.matrix_vector import matrix_vector_of
from tolang.nests.printer import signature
from tolang.nests.rewriting import Rewriter, map_lists
from tolang.nests.traversal import Loops, conditions_in, occurrences, volume

SMALLEST, LARGEST = 3, 256
"""How many elements a window has, for a copy to pay."""


def copy_edges(plan: Plan) -> Plan:
    """Windows read a copy with an edge around it where they would reach over the edge."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(_changed(step, numbers) for step in steps))


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis that a window moves along: where its reads begin and end, and whether they may be out on either side."""

    place: Size
    low: Size
    high: Size
    length: Size
    before: bool
    after: bool

    @property
    def first(self) -> Size:
        """The first coordinate that is read and there."""
        return _extreme("max", ONE, self.low) if self.before else self.low

    @property
    def last(self) -> Size:
        return _extreme("min", self.length, self.high) if self.after else self.high


def _extreme(kind: str, one: Size, other: Size) -> Size:
    """The smaller or larger of two sizes, decided where they differ by a number."""
    difference = (other - one).constant
    if difference is None:
        return extremum(kind, [one, other])
    return one if (difference >= 0) == (kind == "min") else other


@dataclass(frozen=True, slots=True)
class Window:
    """A guarded read, with an axis for each of its indices that moves."""

    select: Select
    load: Load
    axes: tuple[Axis | None, ...]

    @property
    def moving(self) -> list[Axis]:
        return [axis for axis in self.axes if axis is not None]


def _changed(step: Step, numbers: Iterator[int]) -> Step:
    if not isinstance(step, Nest):
        return step
    found = {
        signature(one.scalar): (one.scalar, one.loops)
        for value in step.values
        for one in occurrences(value)
        if isinstance(one.scalar, Select) and one.folded and one.scalar.guard is not None
    }
    guards = [c for value in step.values for one in occurrences(value) for c in conditions_in(one.scalar)]
    guarded = frozenset[str]().union(*(guard.names() for guard in guards))
    outer = next((k for k, name in enumerate(step.iterators) if name in guarded), len(step.iterators))
    around = step.extents[:outer]
    if not found or all(e.is_constant(1) for e in around) or outer == len(step.iterators):
        return step
    if contraction_of(step) is not None or matrix_vector_of(step) is not None:
        return step
    windows = [_window(select, step, outer, loops) for select, loops in found.values()]
    if len(guards) > len(windows) or any(one is None for one in windows):
        return step
    return _with_copies(step, outer, [one for one in windows if one is not None], numbers)


def _window(select: Select, nest: Nest, outer: int, loops: Loops) -> Window | None:
    """A guarded read as one that moves with a window; None where it is something else."""
    load, guard = select.then, select.guard
    if not isinstance(load, Load) or load.checks or not isinstance(select.otherwise, Constant) or guard is None:
        return None
    elements = volume(extent for _, extent in loops)
    if elements is None or not SMALLEST <= elements <= LARGEST:
        return None
    extents = dict([*zip(nest.iterators[outer:], nest.extents[outer:], strict=True), *loops])
    wanted = set(guard.parts if guard.kind == "and" else (guard,))
    axes: list[Axis | None] = []
    for index, length in zip(load.indices, load.buffer.shape, strict=True):
        axis = _axis(index, length, extents, wanted)
        if axis is None and index.names() & extents.keys():
            return None
        axes.append(axis)
    known = {c for axis in axes if axis is not None for c in _bounds(axis)}
    return Window(select, load, tuple(axes)) if wanted <= known else None


def _axis(index: Size, length: Size, extents: dict[str, Size], wanted: set[Condition]) -> Axis | None:
    """The axis of an index that moves by whole steps along some dimensions; None where it does not."""
    rest, low, high = index, ZERO, ZERO
    for name, extent in extents.items():
        if name not in index.names():
            continue
        split = rest.split(name)
        slope = None if split is None else split[0].constant
        if split is None or not isinstance(slope, int) or slope < 1:
            return None
        rest, low, high = split[1], low + slope, high + extent * slope
    if rest == index or rest.names() & extents.keys():
        return None
    before, after = nonnegative(index - 1) in wanted, nonnegative(length - index) in wanted
    return Axis(index, rest + low, rest + high, length, before, after)


def _bounds(axis: Axis) -> list[Condition]:
    both = [(axis.before, axis.place - 1), (axis.after, axis.length - axis.place)]
    return [nonnegative(size) for asked, size in both if asked]


def _with_copies(nest: Nest, outer: int, windows: list[Window], numbers: Iterator[int]) -> Step:
    """The nest's outer dimensions around copies and the rest of it."""
    steps: list[Step] = []
    reads: dict[str, Scalar] = {}
    for window in windows:
        number = next(numbers)
        copied = [axis.high - axis.low + 1 for axis in window.moving]
        buffer = Buffer(f"edge {number}_1.1", window.load.column, tuple(copied))
        places = [Size.of(f"place {k} of edge {number}") for k in range(len(copied))]
        steps += [Allocate(buffer), *_copy(window, buffer, places)]
        at = tuple(axis.place - axis.low + 1 for axis in window.moving)
        reads[signature(window.select)] = Load(buffer, at, column=window.load.column)

    def rule(scalar: Scalar) -> Scalar | None:
        return reads.get(signature(scalar)) if isinstance(scalar, Select) and scalar.guard is not None else None

    inner = replace(nest, iterators=nest.iterators[outer:], extents=nest.extents[outer:])
    return Each(nest.iterators[:outer], nest.extents[:outer], (*steps, Rewriter(rule=rule).step(inner)))


def _copy(window: Window, buffer: Buffer, places: list[Size]) -> list[Step]:
    """Everything as it is outside, then what is there in its place."""
    names = tuple(str(place) for place in places)
    filled = Nest(names, buffer.shape, ((buffer, tuple(places)),), (window.select.otherwise,), "edge")
    moved = iter(places)
    source = tuple(
        index if axis is None else next(moved) + axis.first - 1
        for index, axis in zip(window.load.indices, window.axes, strict=True)
    )
    to = tuple(place + axis.first - axis.low for place, axis in zip(places, window.moving, strict=True))
    extents = tuple(axis.last - axis.first + 1 for axis in window.moving)
    return [filled, Nest(names, extents, ((buffer, to),), (replace(window.load, indices=source),), "edge")]
