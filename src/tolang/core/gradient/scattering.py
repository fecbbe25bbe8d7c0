"""Contributions to places that only data tell: an ordered fold that adds at a place, as a histogram does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tolang.core.core import Coordinate, Expr, Join, Let, Literal, Range, Reduce, Require, Reshape, Variable
from tolang.core.gradient.building import applied, chosen, computed, indexed, mapped, number, part, settled
from tolang.core.gradient.frames import (
    BindingFrame,
    Frame,
    FrameStack,
    Guard,
    LoopFrame,
    RequirementFrame,
    enclosed,
    moved,
    names_of,
    needed,
)
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.gradient.solving import Solution
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.functions import result_column
from tolang.ground.values.spaces import Column, strong


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """A contribution to one element of a ToL, with only the frames that are not around the ToL itself."""

    coordinates: tuple[Size, ...]
    frames: tuple[Frame, ...]
    value: Expr

    def added_to(self, goal: Column) -> Element:
        """The same, with a value that has a space of its own: sums of ones are in the space of what they are for."""
        return replace(self, value=settled(self.value, goal)) if self.value.type.column.weak else self


@dataclass(frozen=True, slots=True, eq=False)
class SettledSolution:
    """A solution with the frames that are left, and without conditions that surely hold."""

    solution: Solution
    rest: tuple[Frame, ...]

    @property
    def places(self) -> dict[int, Size]:
        return self.solution.places


def scattered(
    scope: FrameStack, element: Element, closed: SettledSolution, kind: Type, targets: tuple[str, ...]
) -> Expr:
    """The element at the targets of what was written to places, once for all coordinates that are solved.

    The places are those of a vector: several dimensions are counted as one, the last fastest.  Where they come first,
    and the same one is written to for all of the solved coordinates, whole rows are added there.
    """
    solved = [LoopFrame(targets[d], kind.shape[d]) for d in range(kind.rank) if d not in closed.places]
    lengths = {d: kind.shape[d] for d in closed.places}
    place, length = _counted([(closed.places[d], lengths[d]) for d in lengths])
    solution = closed.solution
    value = substituted(element.value, scope.names, solution.sizes)
    rest = (moved(frame, scope.names, solution.sizes) for frame in closed.rest)
    frames = (*(Guard(guard, ()) for _, guard in solution.guards), *rest)
    apart = (
        _row_apart(frames, solved) if max(lengths) == len(lengths) - 1 and _is_row(place, solved, solution) else None
    )
    row = solved if apart is not None else []
    frames, inside = apart if apart is not None else (frames, ())
    column = strong(result_column("add", (element.value.type.column,) * 2))
    state = Variable(scope.names.fresh("s"), type=Type((length, *(x.extent for x in row)), (column,)))
    start = Literal(0, type=state.type)
    data = _data((*scope.frames, *element.frames))
    added = _Adding(state if solution.loops else start, place, length, scope.names, data, row, inside)
    body = added.inside(needed(frames, added.written(value)), value)
    if solution.loops:
        loops = solution.loops[::-1]
        body = Reduce(
            tuple(x.iterator for x in loops), tuple(x.extent for x in loops), (state.name,), (start,), (state.type,),
            body, type=state.type,
        )  # fmt: skip
    at, _ = _counted([(Size.of(targets[d]), lengths[d]) for d in lengths])
    own = [Size.of(x.iterator) for x in solved]
    if row:
        return indexed(scope.bind("d", body), [at, *own])
    table = scope.bind("d", mapped([x.iterator for x in solved], [x.extent for x in solved], body))
    return indexed(table, [*own, at])


def _is_row(place: Size, solved: list[LoopFrame], solution: Solution) -> bool:
    """Whether steps and the places that they write to are the same for all solved coordinates."""
    used = place.names().union(*(x.extent.names() for x in solution.loops))
    return bool(solved and solution.loops) and used.isdisjoint(x.iterator for x in solved)


def _row_apart(frames: tuple[Frame, ...], row: list[LoopFrame]) -> tuple[tuple[Frame, ...], tuple[Frame, ...]] | None:
    """Frames around a row, and bindings around each of its elements; None where a condition depends on these."""
    own = {x.iterator for x in row}
    around, inside = list[Frame](), list[Frame]()
    for frame in frames:
        if not names_of(frame) & own:
            around.append(frame)
            continue
        if not isinstance(frame, BindingFrame) or frame.lengths:
            return None
        own |= frame.bound
        inside.append(frame)
    return tuple(around), tuple(inside)


def threaded(scope: FrameStack, element: Element, kind: Type, targets: tuple[str, ...]) -> Expr:
    """The element at the targets of what was written to places, step by step in the order of the frames.

    It is how loops are gone through whose lengths only running tells, inside other loops.
    """
    place, length = _counted(list(zip(element.coordinates, kind.shape, strict=True)))
    column = strong(result_column("add", (element.value.type.column,) * 2))
    start = Literal(0, type=Type((length,), (column,)))
    data = _data((*scope.frames, *element.frames))

    def threaded_inside(frames: tuple[Frame, ...], state: Expr) -> Expr:
        if not frames:
            return _Adding(state, place, length, scope.names, data, [], ()).written(element.value)
        match frames[0]:
            case LoopFrame(iterator=iterator, extent=extent):
                inner = Variable(scope.names.fresh("s"), type=start.type)
                step = threaded_inside(frames[1:], inner)
                return Reduce((iterator,), (extent,), (inner.name,), (state,), (start.type,), step, type=start.type)
            case BindingFrame(names=names, value=value, lengths=lengths):
                body = threaded_inside(frames[1:], state)
                return Let(names, value, body, lengths, type=body.type)
            case Guard(condition=condition, written=written, holds=holds):
                branches = threaded_inside(frames[1:], state), state
                return chosen(condition, written, *(branches if holds else branches[::-1]))
            case RequirementFrame(condition=condition, message=message):
                body = threaded_inside(frames[1:], state)
                return Require(condition, message, body, type=body.type)

    table = scope.bind("d", substituted(threaded_inside(element.frames, start), scope.names))
    at, _ = _counted([(Size.of(t), one) for t, one in zip(targets, kind.shape, strict=True)])
    return indexed(table, [at])


def _data(frames: Sequence[Frame]) -> dict[str, Expr]:
    """The names that frames bind to values, which only running tells."""
    found: dict[str, Expr] = {}
    for frame in frames:
        if isinstance(frame, BindingFrame):
            kinds = frame.value.type.parts or (frame.value.type,)
            found |= {name: Variable(name, type=kind) for name, kind in zip(frame.names, kinds, strict=True)}
    return found


def _counted(dimensions: list[tuple[Size, Size]]) -> tuple[Size, Size]:
    """Coordinates as one, and how many there are."""
    position, length = ZERO, ONE
    for coordinate, extent in dimensions:
        position, length = position * extent + coordinate - 1, length * extent
    return position + 1, length


class _Adding:
    """`put(s, place, s[place] + value)`, inside frames; with a `row`, for each of its elements `within` more frames."""

    def __init__(
        self,
        state: Expr,
        place: Size,
        length: Size,
        names: NameSource,
        data: Mapping[str, Expr],
        row: Sequence[LoopFrame],
        within: tuple[Frame, ...],
    ) -> None:
        self.state, self.place, self.length, self.names, self.data = state, place, length, names, data
        self.row, self.within = row, within

    def written(self, value: Expr) -> Expr:
        """The state with a value added at the place, which has a name where only running tells it."""
        if not self.place.names() & self.data.keys():
            return self._joined(self.place, None, value)
        if self.place.name is not None:
            return self._joined(self.place, self.data[self.place.name], value)
        place = computed(self.place, self.data)
        name = self.names.fresh("d")
        joined = self._joined(Size.of(name), Variable(name, type=place.type), value)
        return Let((name,), place, joined, type=joined.type)

    def _joined(self, place: Size, shown: Expr | None, value: Expr) -> Expr:
        """What is before the place, what is there then, and what is after it; functions of data count."""
        less, more = ((), ()) if shown is None else ((applied(f, shown, number(1)),) for f in ("sub", "add"))
        before, after = Range(ONE, place - 1, less), Range(place + 1, self.length - place, more)
        whole = [Range(ONE, x.extent) for x in self.row]
        parts = part(self.state, (before, *whole)), self._new(place, value), part(self.state, (after, *whole))
        return Join(parts, 0, type=self.state.type)

    def _new(self, place: Size, value: Expr) -> Expr:
        """What is at the place then: a numeric, or a row."""
        old = part(self.state, (Coordinate(place), *(Coordinate(Size.of(x.iterator)) for x in self.row)))
        element = value if isinstance(self.state, Literal) else applied("add", old, value)
        if not self.row:
            return element
        element = enclosed(self.within, element, self.names)
        row = mapped([x.iterator for x in self.row], [x.extent for x in self.row], element)
        return Reshape(row, type=row.type.with_shape((ONE, *row.type.shape)))

    def inside(self, frames: tuple[Frame, ...], value: Expr) -> Expr:
        """The state after what the frames let through was added."""
        result = self.written(value)
        for frame in reversed(frames):
            match frame:
                case BindingFrame(names=names, value=bound, lengths=lengths):
                    result = Let(names, bound, result, lengths, type=result.type)
                case Guard(condition=condition, written=written, holds=holds):
                    branches = (result, self.state) if holds else (self.state, result)
                    result = chosen(condition, written, *branches)
                case RequirementFrame(condition=condition, message=message):
                    result = Require(condition, message, result, type=result.type)
        return result
