"""What is bound outside a loop and used inside it, computed once at every step of the loops around: a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tolang.core.core import Coordinate, Expr, Let, Range, Variable
from tolang.core.gradient.building import indexed, mapped, part
from tolang.core.gradient.frames import (
    BindingFrame,
    Frame,
    FrameStack,
    Guard,
    LoopFrame,
    enclosed,
    guarded,
    loops_of,
    needed,
)
from tolang.core.gradient.names import substituted
from tolang.core.gradient.normal import has_fold, is_free
from tolang.core.types import Type
from tolang.ground.symbolic.conditions import compare, junction
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum


def with_tables(scope: FrameStack, frames: tuple[Frame, ...], value: Expr, also: set[str]) -> tuple[Frame, ...]:
    """The frames around a value, and around sizes of these names, where bindings that cost something and have a loop
    inside them read tables.

    Without them a sum over the inner loop's steps, turned into a map over these, would compute them at each.
    """
    kept: list[Frame] = []
    frames = needed(frames, value, also)
    last = max((n for n, frame in enumerate(frames) if isinstance(frame, LoopFrame)), default=-1)
    for position, frame in enumerate(frames):
        if (
            isinstance(frame, BindingFrame)
            and (position < last or _is_shared(scope, frame))
            and not is_free(frame.value)
        ):
            kept += _BindingTables(scope, frame, tuple(kept)).reads() or [frame]
        else:
            kept.append(frame)
    return needed(kept, value, also)


def _is_shared(scope: FrameStack, frame: BindingFrame) -> bool:
    """Whether a value is computed once for all contributions: there is a fold in it, or it was computed before."""
    return frame.shared or has_fold(frame.value) or scope.has(frame)


class _BindingTables:
    """The tables of a binding, one for each name.  Where lengths differ from step to step, rows have the greatest."""

    def __init__(self, scope: FrameStack, frame: BindingFrame, around: tuple[Frame, ...]) -> None:
        self.scope, self.frame = scope, frame
        self.loops = loops_of(around)
        self.inside = [one for one in around if not isinstance(one, LoopFrame)]

    def reads(self) -> list[Frame] | None:
        """Bindings of the names to what the tables have at these loops; None where there can be no tables."""
        bound = set().union(*(one.bound for one in self.inside if isinstance(one, BindingFrame)))
        kinds = self.frame.value.type.parts or (self.frame.value.type,)
        lengths = [*(x.extent for x in self.loops), *(length for kind in kinds for length in kind.shape)]
        greatest = [_greatest(length, self.loops) for length in lengths]
        if self.frame.lengths or any(one is None or one.names() & bound for one in greatest):
            return None
        found: list[Frame] = []
        for name, kind in zip(self.frame.names, kinds, strict=True):
            key = self.frame if len(kinds) == 1 else kind
            table = self.scope.once(key, name, partial(self._table, name, kind))
            items: list[Coordinate | Range] = [Coordinate(Size.of(x.iterator)) for x in self.loops]
            items += [Range(ONE, length) for length in kind.shape]
            found.append(BindingFrame((name,), part(table, tuple(items))))
        return found

    def _table(self, name: str, kind: Type) -> Expr:
        """The value at all steps, zeros where there is no such step."""
        body = self.frame.value
        if len(self.frame.names) > 1:
            body = Let(self.frame.names, body, Variable(name, type=kind), type=kind)
        extents = [_known(_greatest(x.extent, self.loops)) for x in self.loops]
        steps = junction(
            "and",
            [
                compare("<=", Size.of(x.iterator), x.extent)
                for x, extent in zip(self.loops, extents, strict=True)
                if x.extent != extent
            ],
        )
        body = enclosed(self.inside, self._padded(body), self.scope.names)
        whole = mapped([x.iterator for x in self.loops], extents, guarded(Guard(steps, ()), body))
        return substituted(whole, self.scope.names)

    def _padded(self, value: Expr) -> Expr:
        """A value of the greatest shape that it has at any step."""
        shape = [_known(_greatest(length, self.loops)) for length in value.type.shape]
        if tuple(shape) == value.type.shape:
            return value
        names = self.scope.names
        own = Variable(names.fresh("t"), type=value.type)
        iterators = [names.fresh("q") for _ in shape]
        places = [Size.of(i) for i in iterators]
        there = junction("and", [compare("<=", q, n) for q, n in zip(places, value.type.shape, strict=True)])
        body = mapped(iterators, shape, guarded(Guard(there, ()), indexed(own, places)))
        return Let((own.name,), value, body, type=body.type)


def _greatest(length: Size, loops: Sequence[LoopFrame]) -> Size | None:
    """The greatest that a length is at any step of loops; None where that is not seen."""
    found = length
    for loop in reversed(loops):
        split = found.split(loop.iterator)
        if split is None:
            return None
        slope = split[0].constant
        if slope is None:
            return None
        found = split[1] + split[0] * (loop.extent if slope > 0 else ONE)
    return found if found == length else extremum("max", [ZERO, found])


def _known(size: Size | None) -> Size:
    assert size is not None
    return size
