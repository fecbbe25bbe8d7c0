"""Folds cut into segments: the state is kept before each segment only, and the states inside one are computed again.

    s = reduce(tol[n], step, start)        s = reduce(tol[n/b], (s,e,g) -> reduce(tol[b], step, s), start)

A fold over the segments in the opposite order carries the cotangent of the state, and the sums of what the steps gave
to the names around them.  Of each segment it makes the states once more, which are as many as a segment has steps.
What is read at the step, `x[i]`, gets its cotangents stretch by stretch.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.core.core import Bundle, Coordinate, Expr, Join, Part, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint, Cotangent, columns_of
from tolang.core.gradient.backwards import Rows, at_step, bind_parts, carried, kept_states, steps_of
from tolang.core.gradient.building import (
    apply,
    cotangent_column,
    filled,
    indexed,
    is_real,
    mapped,
    part,
)
from tolang.core.gradient.frames import LoopFrame, enclosed
from tolang.core.gradient.names import substituted
from tolang.core.rebuild import rebuild
from tolang.core.rules import variable_types
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, Size, extremum, floor_division


@dataclass(frozen=True, slots=True, eq=False)
class _CotangentSum:
    """What steps give to one component of a name: the name, the component (from 0), and the cotangent's type."""

    name: str
    place: int
    kind: Type


@dataclass(slots=True, eq=False)
class _FoldSegment:
    """One segment: the steps from `first` on, as a fold of their own; `stretches` are what it reads of some names."""

    first: Size
    length: Size
    fold: Reduce
    stretches: dict[str, Variable] = field(default_factory=dict)


def through_segments(adjoint: Adjoint, fold: Reduce, given: Cotangent, value: Expr | None, block: Size) -> None:
    """A fold whose state keeps its shape, in segments of so many steps."""
    adjoint.cut.append(steps_of(fold))
    count = floor_division(steps_of(fold) + block - 1, block)
    whole = _FoldCutter(adjoint, fold, block)
    before = kept_states(adjoint, whole.outer(count))
    if isinstance(value, Variable) and len(before) == 1:
        adjoint.ends[value.name] = before[0], indexed(before[0], [count + 1])
    ways = carried(fold)
    starts = [given[one.place] or filled(0, one.kind.shape, one.kind.column) for one in ways]
    results = _Back(adjoint, whole, before, count).run(starts)
    for one, sums in zip(whole.sums, results[len(ways) :], strict=True):
        adjoint.contribute(one.name, one.place, None if one.kind.rank else (), sums)
    place = 0
    for initial in fold.initials:
        own: list[Expr | None] = [None] * initial.type.capacity
        for way, found in zip(ways, results, strict=False):
            if place <= way.place < place + initial.type.capacity:
                own[way.place - place] = found
        place += initial.type.capacity
        adjoint.spread(initial, tuple(own))


class _FoldCutter:
    """A fold in segments, and the names around it that its steps give cotangents to."""

    def __init__(self, adjoint: Adjoint, fold: Reduce, block: Size) -> None:
        self.adjoint, self.fold, self.block = adjoint, fold, block
        self.steps = steps_of(fold)
        kinds = variable_types(fold.step)
        self.kinds = {name: kinds[name] for name in sorted(kinds) if name in adjoint.active}
        self.sums = [
            _CotangentSum(name, place, Type(kind.shape, (cotangent_column(column),)))
            for name, kind in self.kinds.items()
            for place, column in enumerate(kind.columns)
            if is_real(column)
        ]

    def outer(self, count: Size) -> Reduce:
        """The fold over segments, which gives what the fold gives."""
        fresh = self.adjoint.names.fresh
        number = fresh("g")
        states = [Variable(fresh(n), type=k) for n, k in zip(self.fold.states, self.fold.state_types, strict=True)]
        step = self.segment(LoopFrame(number, count), Size.of(number), states).fold
        names = tuple(state.name for state in states)
        return replace(self.fold, iterators=(number,), extents=(count,), states=names, step=step, associative=False)

    def segment(self, among: LoopFrame, number: Size, starts: Sequence[Expr]) -> _FoldSegment:
        """The steps of one segment, told by an iterator, from some states on."""
        ranges = Ranges()
        ranges.declare(among.iterator, ONE, among.extent)
        first = (number - 1) * self.block
        length = ranges.simplify(extremum("min", [self.block, self.steps - first]))
        iterator = self.adjoint.names.fresh("j")
        sizes = at_step(self.fold, first + Size.of(iterator))
        step = substituted(self.fold.step, self.adjoint.names, sizes)
        fold = replace(
            self.fold, iterators=(iterator,), extents=(length,), initials=tuple(starts), step=step, associative=False
        )
        copied = substituted(fold, self.adjoint.names)
        assert isinstance(copied, Reduce)
        return _FoldSegment(first, length, copied)


class _Back:
    """The fold over segments from the last to the first."""

    def __init__(self, adjoint: Adjoint, whole: _FoldCutter, before: Sequence[Variable], count: Size) -> None:
        self.adjoint, self.whole, self.before, self.count = adjoint, whole, before, count
        self.ways = carried(whole.fold)
        self.rows = Rows.of([*(one.kind for one in self.ways), *(one.kind for one in whole.sums)])

    def run(self, starts: Sequence[Expr]) -> list[Expr]:
        """The cotangents of the state before the first step, and all sums."""
        names = self.adjoint.names
        number = names.fresh("r")
        kinds = self.rows.kinds
        states = [Variable(names.fresh("d"), type=kind) for kind in kinds]
        inner = self.adjoint.beside()
        depth = len(inner.scope.frames)
        turns = LoopFrame(number, self.count)
        inner.scope.frames.append(turns)
        news = self._segment(inner, turns, self.rows.components(states))
        listed = self.rows.listed(news)
        step = listed[0] if len(listed) == 1 else Bundle(tuple(listed), type=bundle_type(n.type for n in listed))
        step = enclosed(inner.scope.frames[depth + 1 :], step, names)
        zeros = [filled(0, one.kind.shape, one.kind.column) for one in self.whole.sums]
        fold = Reduce(
            (number,), (self.count,), tuple(s.name for s in states), tuple(self.rows.listed([*starts, *zeros])),
            kinds, step, type=kinds[0] if len(kinds) == 1 else bundle_type(kinds),
        )  # fmt: skip
        bound = bind_parts(self.adjoint, [names.fresh("d") for _ in kinds], substituted(fold, names))
        return self.rows.components(bound)

    def _segment(self, inner: Adjoint, turns: LoopFrame, carried_on: Sequence[Expr]) -> list[Expr]:
        """What a segment makes of the cotangents of the state after it and of the sums."""
        fold, whole, number = self.whole.fold, self.whole, self.count + 1 - Size.of(turns.iterator)
        starts = [
            inner.scope.bind(name, indexed(kept, [number])) for name, kept in zip(fold.states, self.before, strict=True)
        ]
        segment = whole.segment(turns, number, starts)
        reading = _SegmentReading(inner, segment, whole.kinds)
        inner.active.update(state.name for state in starts)
        inner.active.update(whole.kinds)
        inner.active.update(one.name for one in segment.stretches.values())
        arriving: list[Expr | None] = [None] * len(columns_of(fold.step.type))
        for way, own in zip(self.ways, carried_on, strict=False):
            arriving[way.place] = own
        inner.spread(reading.fold, tuple(arriving))
        leaving = [c for state in starts for c in inner.collected(state.name, state.type)]
        news = [leaving[way.place] or filled(0, way.kind.shape, way.kind.column) for way in self.ways]
        gathered = {name: inner.collected(name, kind) for name, kind in whole.kinds.items()}
        parts = {name: inner.collected(one.name, one.type) for name, one in segment.stretches.items()}
        for one, total in zip(whole.sums, carried_on[len(self.ways) :], strict=True):
            found = _added(inner, total, gathered[one.name][one.place])
            if one.name in parts:
                found = _added_stretch(inner, found, segment, parts[one.name][one.place])
            news.append(found)
        return news


def _added(adjoint: Adjoint, total: Expr, more: Expr | None) -> Expr:
    """A sum with what came to each of its elements."""
    if more is None:
        return total
    if not total.type.rank:
        return apply("add", total, more)
    iterators = [adjoint.names.fresh("p") for _ in total.type.shape]
    places = [Size.of(one) for one in iterators]
    return mapped(iterators, total.type.shape, apply("add", adjoint.at(total, places), adjoint.at(more, places)))


def _added_stretch(adjoint: Adjoint, total: Expr, segment: _FoldSegment, more: Expr | None) -> Expr:
    """A sum with what came to the elements that the steps of a segment read."""
    if more is None:
        return total
    total, more = adjoint.named(total), adjoint.named(more)
    rest = [Range(ONE, length) for length in total.type.shape[1:]]
    end = segment.first + segment.length
    own = part(total, (Range(segment.first + 1, segment.length), *rest))
    parts = (
        part(total, (Range(ONE, segment.first), *rest)),
        _added(adjoint, own, more),
        part(total, (Range(end + 1, total.type.shape[0] - end), *rest)),
    )
    return Join(parts, 0, type=total.type)


class _SegmentReading:
    """The fold of a segment, in which what is read at the number of the step is read in the stretch that it has."""

    def __init__(self, adjoint: Adjoint, segment: _FoldSegment, kinds: dict[str, Type]) -> None:
        self.adjoint, self.segment, self.kinds = adjoint, segment, kinds
        (self.iterator,) = segment.fold.iterators
        self.step = segment.first + Size.of(self.iterator)
        self.fold = replace(segment.fold, step=self._visit(segment.fold.step))

    def _visit(self, expr: Expr) -> Expr:
        match expr:
            case Part(subject=Variable(name=name), items=(Coordinate(index=index), *rest)) if name in self.kinds:
                if index == self.step:
                    here = Coordinate(Size.of(self.iterator))
                    return part(self._stretch(name), (here, *rest))
        return rebuild(expr, self._visit)

    def _stretch(self, name: str) -> Variable:
        if name not in self.segment.stretches:
            kind = self.kinds[name]
            items = (Range(self.segment.first + 1, self.segment.length), *(Range(ONE, n) for n in kind.shape[1:]))
            self.segment.stretches[name] = self.adjoint.scope.bind(
                name, part(Variable(name, type=kind), items), shared=True
            )
        return self.segment.stretches[name]
