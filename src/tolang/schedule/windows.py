"""Windows: an operand of a contraction that neighbouring columns read overlapping parts of, as a convolution's image.

    y[o,i,j] = reduce[c,a,b](w[o,c,a,b] * (if i+a >= 2 and … then x[c,i+a-2,j+b-2] else 0))

Packed, each element would be there once for every window that it is in.  Copied, it is there once, edges and all, and
columns read the copy as it lies, each at its own distance from the first:

    e[c,p,q] = if … then x[c,p-1,q-1] else 0        y[o,i,j] = reduce[c,a,b](w[o,c,a,b] * e[c,i+a-1,j+b-1])

Windows that move by several coordinates a step read as many copies, one for each remainder: in each of them they move
by one.  Columns are read from one row of the copy on into the next, what lies between the windows of two rows with
them; or there is a copy for each distance of an element from a window's first, and nothing lies between.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, choice, junction, nonnegative
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, floor_division
from tolang.ground.values.spaces import Column
from tolang.idioms.contraction import Contraction, Dimensions, contraction_of
from tolang.plan.access import filling, slope
from tolang.plan.nest import Buffer, ConstantScalar, Each, Load, Named, Nest, Operation, Scalar, Select
from tolang.plan.printer import signature
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import conditions_in, dependencies, may_fail, sizes_in, walk
from tolang.schedule.tile import packed, shape_of

MOST_STEPS = 4
"""By how many coordinates windows move at the most, for a copy to hold little that nobody reads."""
COPIED = frozenset({"f32", "f64", "i32"})
"""Storages of what is read from copies."""
WORTH_A_COPY = 64
"""How often an element is used at the least, for each column of a row, for several copies of it to pay."""
DISTANCE = "distance"
PARTS = (Load, Operation, Select, ConstantScalar, Named)
"""What an operand is made of that is copied."""


@dataclass(frozen=True, slots=True)
class SlidingAxis:
    """A dimension of columns that windows move along by `step`; `inside` are dimensions of a window, with slopes.

    So many elements `before` and `behind` those that are met are none of a window.
    """

    name: str
    extent: Size
    step: int
    inside: tuple[tuple[str, Size, int], ...]
    before: int = 0
    behind: int = 0

    @property
    def reach(self) -> Size:
        """How far the last element of a window is from its first."""
        every = reduce(lambda total, one: total + (one[1] - 1) * abs(one[2]), self.inside, ZERO)
        return every - self.before - self.behind

    @property
    def offset(self) -> Size:
        """How far an element of a window is from its first; some are met from the last on."""
        ahead = [(Size.of(name) - 1) * slope for name, _, slope in self.inside if slope > 0]
        back = [(Size.of(name) - extent) * slope for name, extent, slope in self.inside if slope < 0]
        return reduce(operator.add, (*ahead, *back), ZERO) - self.before

    @property
    def elements(self) -> Size:
        """How many elements a window has along it."""
        return reduce(operator.mul, (extent for _, extent, _ in self.inside), ONE)

    def reader(self, place: Size) -> Size:
        """The window that reads what is at a place along the axis; the number need not be whole."""
        return ONE + (place - 1 - self.offset) * Fraction(1, self.step)

    def reads(self, place: Size) -> Condition:
        """Whether a place along the axis lies before the end of the last window."""
        return nonnegative((self.extent - 1) * self.step + self.reach - (place - 1))

    @property
    def moves(self) -> bool:
        return self.step > 1 or not self.elements.is_constant(1)


@dataclass(frozen=True, slots=True)
class Windows:
    """An operand read in windows: the axes that they move along, the dimensions that each has a copy for, and rows."""

    value: Scalar
    plain: Dimensions
    axes: tuple[SlidingAxis, ...]
    rows: Size

    @property
    def apart(self) -> Condition:
        """Whether the last axis has a copy for each distance from a window's first element, and nothing between rows.

        Such a copy is several times as large, and nothing is computed for nothing: it pays with short rows, if each
        element of them is used often.
        """
        return nonnegative(self.rows * self.elements - self.axes[-1].extent * WORTH_A_COPY)

    @property
    def elements(self) -> Size:
        """How many elements a window has."""
        return reduce(operator.mul, (axis.elements for axis in self.axes), ONE)

    def copied(self, name: str, beyond: int) -> tuple[Each, Load]:
        """What makes the copy, with so many elements that may be read beyond its end, and how windows read it."""
        last, phased = self.axes[-1], [axis for axis in self.axes if axis.step > 1]
        far = floor_division(last.reach, Size.of(last.step))
        copies = (*self.plain, *((f"phase of {axis.name}", Size.of(axis.step)) for axis in phased))
        copies = (*copies, (DISTANCE, ONE + choice(self.apart, far, ZERO)))
        ends = [_places(axis) for axis in self.axes]
        ends[-1] = ends[-1] - choice(self.apart, far, ZERO)
        places = [Size.of(f"place of {axis.name}") for axis in self.axes]
        dimensions = (*copies, *zip(map(str, places), ends, strict=True))
        whole = self.padded_copy(name, dimensions, self._value(places), beyond)
        shared = len(copies) + (not self.plain and len(places) > 1)  # what is copied by one thread at a time
        nest = replace(whole, iterators=whole.iterators[shared:], extents=whole.extents[shared:])
        each = Each(whole.iterators[:shared], whole.extents[:shared], (nest,))
        steps = {axis.name: floor_division(axis.offset, Size.of(axis.step)) for axis in self.axes}
        rest = [ONE + axis.offset - steps[axis.name] * axis.step for axis in phased]
        distance = choice(self.apart, steps[last.name], ZERO)
        at = [Size.of(axis.name) + steps[axis.name] for axis in self.axes]
        at[-1] = at[-1] - distance
        plain = (Size.of(one) for one, _ in self.plain)
        buffer, _ = whole.targets[0]
        return each, Load(buffer, (*plain, *rest, ONE + distance, *at), column=self.value.column)

    def padded_copy(self, name: str, dimensions: Dimensions, value: Scalar, beyond: int = 0) -> Nest:
        """What copies values to a buffer with an axis for each dimension, an empty one where there are no windows."""
        shape = [extent for _, extent in dimensions]
        shape[0] = choice(self.is_there(), shape[0], ZERO)
        buffer = Buffer(name, self.value.column, tuple(shape), beyond=beyond)
        return filling(buffer, (one for one, _ in dimensions), value, "windows")

    def reading(self, copy: Load, nest: Nest) -> Nest:
        """A nest of windows that reads a copy of them in their place."""
        whole = signature(self.value)
        return Rewriter(rule=lambda scalar: copy if signature(scalar) == whole else None).nest(nest)

    def is_there(self) -> Condition:
        """Whether there is any window with anything in it, along the axes that they move along."""
        moving = [axis for axis in self.axes if axis.moves]
        extents = [extent for axis in moving for extent in (axis.extent, *(one[1] for one in axis.inside))]
        return junction("and", [nonnegative(extent - 1) for extent in extents])

    def _value(self, places: list[Size]) -> Scalar:
        """An element of the copy: what the windows read that it is in; beyond the last, what is beyond an edge."""
        here = dict(zip((axis.name for axis in self.axes), places, strict=True))
        last = self.axes[-1].name
        here[last] = here[last] + Size.of(DISTANCE) - 1
        for axis in self.axes:
            if axis.step > 1:
                here[axis.name] = (here[axis.name] - 1) * axis.step + Size.of(f"phase of {axis.name}")
        value = Rewriter(sizes={axis.name: axis.reader(here[axis.name]) for axis in self.axes}).scalar(self.value)
        read = [axis.reads(here[axis.name]) for axis in self.axes if axis.step > 1]
        if not read:
            return value
        match value:
            case Select(guard=Condition() as guard, otherwise=otherwise) if not any(
                isinstance(one, Load) for one in walk(otherwise)
            ):
                return replace(value, guard=junction("and", [*read, guard]))
        zero = ConstantScalar(0, column=value.column)
        return Select(junction("and", read), (), value, zero, column=value.column)


def _places(axis: SlidingAxis) -> Size:
    """How many places a copy has along an axis."""
    return axis.extent + floor_division(axis.reach, Size.of(axis.step))


def windows_of(
    contraction: Contraction, single: bool = False, of_rows: bool = False, among: Dimensions = ()
) -> Windows | None:
    """What the columns of a contraction read in windows, also of one element if `single`; None where they do not.

    Or what its rows read, if asked for.  Dimensions `among` which windows are chosen are such of larger windows.
    """
    shape = shape_of(contraction)
    if len(contraction.phases) != 1 or shape is None or shape.bits:
        return None
    (phase,) = contraction.phases
    lefts, rights = packed(phase)
    operands, columns, others = (
        (lefts, contraction.rows, contraction.columns) if of_rows else (rights, contraction.columns, contraction.rows)
    )
    if len(operands) != 1 or phase.extras:
        return None
    value = operands[0].value
    names = dependencies(value)
    if not _is_copied(value, phase.group.columns) or not names.issuperset(name for name, _ in columns):
        return None
    axes = [_axis(name, extent, value, (*phase.depth, *among)) for name, extent in columns]
    first = next((k for k, axis in enumerate(axes) if axis is not None and axis.moves), None)
    if first is None or any(axis is None for axis in axes[first:]):
        return None
    moving = tuple(axis for axis in axes[first:] if axis is not None)
    inside = [name for axis in moving for name, _, _ in axis.inside]
    plain = [one for one in (*contraction.batch, *columns[:first], *phase.depth) if one[0] in names]
    rows = reduce(operator.mul, (extent for _, extent in others), ONE)
    found = Windows(value, tuple(one for one in plain if one[0] not in inside), moving, rows)
    apart = len(set(inside)) == len(inside) and (single or not found.elements.is_constant(1))
    return found if apart and _is_whole(found, inside) else None


def _is_copied(value: Scalar, states: tuple[Column, ...]) -> bool:
    """Whether an operand is in the storage that is folded, and nothing can be wrong with it."""
    storage = value.column.storage
    alike = storage in COPIED and all(one.storage == storage for one in states)
    return alike and not may_fail(value) and all(isinstance(one, PARTS) for one in walk(value))


def _axis(name: str, extent: Size, value: Scalar, depth: Dimensions) -> SlidingAxis | None:
    """How windows move along a dimension of columns, by the first read that does; None where they do in another way."""
    indices = [index for one in walk(value) if isinstance(one, Load) for index in one.indices if name in index.names()]
    if not indices:
        return None
    step = slope(indices[0], name) or 0
    inside = [(own, length, slope(indices[0], own) or 0) for own, length in depth if own in indices[0].names()]
    if not 1 <= step <= MOST_STEPS or any(one[2] == 0 for one in inside):
        return None
    return SlidingAxis(name, extent, step, tuple(inside))


def _is_whole(windows: Windows, inside: list[str]) -> bool:
    """Whether a copy's elements depend on their places alone, and all that is asked of those are whole numbers."""
    value = windows._value([Size.of(f"place of {axis.name}") for axis in windows.axes])
    sizes = [size for one in walk(value) for size in _sizes(one)]
    whole = all(size.denominator == 1 for size in sizes)
    return whole and dependencies(value).isdisjoint([*inside, *(axis.name for axis in windows.axes)])


def _sizes(scalar: Scalar) -> Iterator[Size]:
    yield from sizes_in(scalar)
    for condition in conditions_in(scalar):
        yield from _compared(condition)


def _compared(condition: Condition) -> Iterator[Size]:
    if condition.size is not None:
        yield condition.size
    for part in condition.parts:
        yield from _compared(part)


def with_windows(contraction: Contraction, name: str, beyond: int) -> tuple[Each, Nest, Condition] | None:
    """What copies the windows of a contraction, the contraction that reads the copy, and whether there are windows.

    None where there never are.
    """
    windows = windows_of(contraction)
    if windows is None:
        return None
    copy, load = windows.copied(name, beyond)
    changed = windows.reading(load, contraction.nest)
    again = contraction_of(changed)
    if again is None or read_of_copy(again) is None:
        return None
    return copy, changed, nonnegative(windows.elements - 2)


def read_of_copy(contraction: Contraction) -> Load | None:
    """The read of a copy that columns go through as it lies; None where the right operand is something else."""
    (phase, *others) = contraction.phases
    _, rights = packed(phase)
    load = rights[0].value if len(rights) == 1 and not others else None
    return load if isinstance(load, Load) and load.buffer.beyond and not load.checks else None
