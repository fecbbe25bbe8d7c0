"""Windows that reach over an edge: what they read is copied with the edge around it, and no window has a guard.

    y[c,i,j] = reduce[a,b](w[a,b] * (if i+a >= 2 and … then x[c,i+a-2,j+b-2] else 0))

    each c    e[…] = 0    e[i+1,j+1] = x[c,i,j]    y[c,i,j] = reduce[a,b](w[a,b] * e[i+a-1,j+b-1])

A window reads each element many times, so that one copy of it costs little, and the copy of one channel stays in a near
cache.  Where nothing is outside the window, as in an image of one channel, the copy would be as large as the image:
there the border is told apart from the interior, unless what lies innermost is no place but a channel, whose vectors
would each ask where they are.  Then all is copied beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ZERO, Size, extremum
from tolang.idioms.contraction import contraction_of
from tolang.plan.access import filling, slope
from tolang.plan.nest import Allocate, Buffer, ConstantScalar, Each, Load, Nest, Plan, Scalar, Select, Step
from tolang.plan.printer import signature
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.target import Target
from tolang.plan.traversal import Loops, conditions_in, occurrences, volume
from tolang.schedule.direct_convolution import window_rows_of
from tolang.schedule.matrix_vector import matrix_vector_of

SMALLEST, LARGEST = 3, 256
"""How many elements a window has, for a copy to pay."""


def copy_edges(plan: Plan) -> Plan:
    """Windows read a copy with an edge around it where they would reach over the edge."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(_changed(step, numbers) for step in steps))


def copy_edges_of_maps(plan: Plan, target: Target) -> Plan:
    """The same for windows that do not move along what lies innermost: copied are all of them, beforehand."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _beforehand(step, numbers, target)))


@dataclass(frozen=True, slots=True)
class PaddedAxis:
    """An axis that a window moves along, by `place`, which grows with coordinates of the nest and of the window.

    Places are read from `low` to `high`; those from `least` to `most` are there.
    """

    place: Size
    low: Size
    high: Size
    least: Size | None
    most: Size | None

    @property
    def guarded(self) -> bool:
        """Whether it has an end that windows may reach over."""
        return self.least is not None or self.most is not None

    @property
    def first(self) -> Size:
        """The first place that is read and there."""
        return self.low if self.least is None else _extreme("max", self.least, self.low)

    @property
    def last(self) -> Size:
        return self.high if self.most is None else _extreme("min", self.most, self.high)

    @property
    def there(self) -> Size:
        """How many places are read and there."""
        found = self.last - self.first + 1
        return found if Ranges().proves_nonnegative(found) else extremum("max", [ZERO, found])


def _extreme(kind: str, one: Size, other: Size) -> Size:
    """The smaller or larger of two sizes, decided where they differ by a number."""
    difference = (other - one).constant
    if difference is None:
        return extremum(kind, [one, other])
    return one if (difference >= 0) == (kind == "min") else other


@dataclass(frozen=True, slots=True)
class Window:
    """A guarded read, and the axes that it moves along."""

    select: Select
    load: Load
    axes: tuple[PaddedAxis, ...]

    def indices(self, places: list[Size]) -> tuple[Size, ...] | None:
        """The indices of what is read at places of the axes; None where more than the places tells them."""
        known: dict[str, Size] = {}
        for axis, place in zip(self.axes, places, strict=True):
            single = next((name for name in axis.place.names() if slope(axis.place, name) == 1), None)
            if single is None:
                return None
            known[single] = place - axis.place + Size.of(single)
        moving = frozenset(name for axis in self.axes for name in axis.place.names())
        found = tuple(index.substitute(known) for index in self.load.indices)
        return None if any(index.names() & moving for index in found) else found


def _changed(step: Step, numbers: Iterator[int]) -> Step:
    match step:
        case Nest():
            outer, windows = _windows(step)
            return _with_copies(step, outer, windows, numbers)[0] if windows and _many(step.extents[:outer]) else step
        case Each(extents=extents, steps=steps) if _many(extents):
            made = [one for inner in steps for one in _in_row(inner, numbers)]
            return step if len(made) == len(steps) else replace(step, steps=tuple(made))
    return step


def _beforehand(step: Step, numbers: Iterator[int], target: Target) -> list[Step]:
    if not isinstance(step, Nest):
        return [step]
    outer, windows = _windows(step, target)
    if not windows or not _is_along_maps(step, windows):
        return [step]
    return _with_copies(step, outer, windows, numbers, beforehand=True)


def _goes_by_rows(nest: Nest, target: Target) -> bool:
    """Whether a nest is a contraction whose rows are windows, which reads them as they lie."""
    contraction = contraction_of(nest)
    found = None if contraction is None else window_rows_of(contraction, 0, target)
    return found is not None and found.along and found.enough.constant is True


def _is_along_maps(nest: Nest, windows: list[Window]) -> bool:
    """Whether windows do not move along the last dimension of a nest, which vectors hold."""
    moving = frozenset(name for one in windows for axis in one.axes if axis.guarded for name in axis.place.names())
    return nest.iterators[-1] not in moving


def _many(extents: tuple[Size, ...]) -> bool:
    """Whether loops have more turns than one, so that a copy for each is smaller than what all read."""
    return not all(extent.is_constant(1) for extent in extents)


def _in_row(step: Step, numbers: Iterator[int]) -> list[Step]:
    """A step inside loops, its windows' copies before it."""
    outer, windows = _windows(step) if isinstance(step, Nest) else (0, [])
    return _with_copies(step, outer, windows, numbers) if isinstance(step, Nest) and windows and not outer else [step]


def _windows(nest: Nest, target: Target | None = None) -> tuple[int, list[Window]]:
    """How many dimensions of a nest are around windows, and these; none where something else is guarded.

    A contraction has none, unless it goes by rows through them on a target.
    """
    found = {
        signature(one.scalar): (one.scalar, one.loops)
        for value in nest.values
        for one in occurrences(value)
        if isinstance(one.scalar, Select) and one.folded and one.scalar.guard is not None
    }
    guards = [c for value in nest.values for one in occurrences(value) for c in conditions_in(one.scalar)]
    guarded = frozenset[str]().union(*(guard.names() for guard in guards))
    outer = next((k for k, name in enumerate(nest.iterators) if name in guarded), len(nest.iterators))
    if not found or outer == len(nest.iterators):
        return outer, []
    by_rows = target is not None and _goes_by_rows(nest, target)
    if not by_rows and (contraction_of(nest) is not None or matrix_vector_of(nest) is not None):
        return outer, []
    windows = [_window(select, nest, outer, loops, by_rows) for select, loops in found.values()]
    if len(guards) > len(windows) or any(one is None for one in windows):
        return outer, []
    return outer, [one for one in windows if one is not None]


def _window(select: Select, nest: Nest, outer: int, loops: Loops, by_rows: bool) -> Window | None:
    """A guarded read as one that moves with a window; None where it is something else.

    What goes by rows reads a copy that lies as what is copied does.
    """
    load, guard = select.then, select.guard
    if not isinstance(load, Load) or load.checks or not isinstance(select.otherwise, ConstantScalar) or guard is None:
        return None
    elements = volume(extent for _, extent in loops)
    if not by_rows and (elements is None or not SMALLEST <= elements <= LARGEST):
        return None
    extents = dict([*zip(nest.iterators[outer:], nest.extents[outer:], strict=True), *loops])
    axes = _axes(guard.parts if guard.kind == "and" else (guard,), load, extents, loops)
    if not axes:
        return None
    if by_rows:
        order = [name for index in load.indices for name in sorted(index.names())]
        axes = tuple(sorted(axes, key=lambda axis: min(order.index(name) for name in axis.place.names() & set(order))))
    window = Window(select, load, axes)
    return None if window.indices([Size.of(f"place {k}") for k in range(len(axes))]) is None else window


def _axes(guards: tuple[Condition, ...], load: Load, extents: dict[str, Size], loops: Loops) -> tuple[PaddedAxis, ...]:
    """The axes that guards ask for ends of, and those that a read moves along beside them; none where it moves in
    another way.  Those that windows do not move along come first, the others in the order of the nest."""
    ends: dict[Size, dict[str, Size]] = {}
    for guard in guards:
        asked = guard.size if guard.kind == "nonnegative" else None
        up, down = (None, None) if asked is None else (_moving(asked, extents), _moving(-asked, extents))
        if asked is None or up is down is None:
            return ()
        if up is not None:
            ends.setdefault(up, {})["least"] = up - asked
        elif down is not None:
            ends.setdefault(down, {})["most"] = asked + down
    told = frozenset(name for place in ends for name in place.names())
    for index in load.indices:
        if not index.names() & extents.keys() <= told:
            moving = _moving(index, extents)
            if moving is None or moving.names() & told:
                return ()
            ends[moving] = {}
    names = [name for place in ends for name in place.names()]
    if len(names) != len(set(names)):
        return ()
    order = {name: k for k, name in enumerate(extents)}
    inside = frozenset(name for name, _ in loops)
    places = sorted(ends, key=lambda one: (not one.names() <= inside, min(order[name] for name in one.names())))
    return tuple(_axis(place, extents, ends[place]) for place in places)


def _moving(size: Size, extents: dict[str, Size]) -> Size | None:
    """The part of a size that grows by whole steps along some dimensions; None where it does not, or in other ways."""
    steps = {name: slope(size, name) or 0 for name in extents if name in size.names()}
    moving = sum((Size.of(name) * step for name, step in steps.items()), ZERO)
    grows = steps and all(step > 0 for step in steps.values())
    return moving if grows and not (size - moving).names() & extents.keys() else None


def _axis(place: Size, extents: dict[str, Size], ends: dict[str, Size]) -> PaddedAxis:
    """An axis with what is known of its ends."""
    steps = [(slope(place, name) or 0, extents[name]) for name in place.names()]
    low, high = sum(step for step, _ in steps), sum((extent * step for step, extent in steps), ZERO)
    return PaddedAxis(place, Size.of(low), high, ends.get("least"), ends.get("most"))


def _with_copies(
    nest: Nest, outer: int, windows: list[Window], numbers: Iterator[int], beforehand: bool = False
) -> list[Step]:
    """The nest's outer dimensions, if any, around copies and the rest of it; or copies of everything before it."""
    steps: list[Step] = []
    reads: dict[str, Scalar] = {}
    around = list(zip(nest.iterators[:outer], nest.extents[:outer], strict=True))
    for window in windows:
        number = next(numbers)
        used = frozenset[str]().union(*(index.names() for index in window.load.indices))
        whole = [one for one in around if beforehand and one[0] in used]
        own = tuple(Size.of(name) for name, _ in whole)
        lengths = (*(extent for _, extent in whole), *(axis.high - axis.low + 1 for axis in window.axes))
        name = f"edge of maps {number}" if beforehand else f"edge {number}"
        buffer = Buffer(f"{name}_1.1", window.load.column, lengths)
        places = [Size.of(f"place {k} of {name}") for k in range(len(window.axes))]
        steps += [Allocate(buffer), *_copy(window, buffer, own, places)]
        at = (*own, *(axis.place - axis.low + 1 for axis in window.axes))
        reads[signature(window.select)] = Load(buffer, at, column=window.load.column)

    def rule(scalar: Scalar) -> Scalar | None:
        return reads.get(signature(scalar)) if isinstance(scalar, Select) and scalar.guard is not None else None

    if beforehand or not outer:
        return [*steps, Rewriter(rule=rule).step(nest)]
    inner = replace(nest, iterators=nest.iterators[outer:], extents=nest.extents[outer:])
    steps.append(Rewriter(rule=rule).step(inner))
    return [Each(nest.iterators[:outer], nest.extents[:outer], tuple(steps))]


def _copy(window: Window, buffer: Buffer, own: tuple[Size, ...], places: list[Size]) -> list[Step]:
    """Everything as it is outside, then what is there in its place, at coordinates of its `own` and at places."""
    filled = filling(buffer, map(str, (*own, *places)), window.select.otherwise, "edge")
    source = window.indices([place + axis.first - 1 for place, axis in zip(places, window.axes, strict=True)])
    assert source is not None
    to = tuple(place + axis.first - axis.low for place, axis in zip(places, window.axes, strict=True))
    extents = (*buffer.shape[: len(own)], *(axis.there for axis in window.axes))
    copied = replace(window.load, indices=source)
    return [filled, replace(filled, extents=extents, targets=((buffer, (*own, *to)),), values=(copied,))]
