"""The rule of reverse mode for folds that put something before or after their state, and may read all of it.

What the state was before a step is a stretch of the result.  A fold in the opposite order adds what each step gives to that
stretch of the result's cotangent, after which the cotangent of what each step put there is complete.
"""

from __future__ import annotations

from dataclasses import dataclass

from tolang.core.core import Coordinate, Expr, If, Join, Let, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint
from tolang.core.gradient.backwards import at_step, steps_of
from tolang.core.gradient.building import applied, chosen, cotangent_column, indexed, mapped, part, settled
from tolang.core.gradient.frames import Loop, enclosed, loops_of_fold
from tolang.core.gradient.names import substituted
from tolang.core.tidy import free_names
from tolang.core.types import Type
from tolang.ground.sizes import ONE, Size

Items = tuple[Coordinate | Range, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """What a step puts before or after its state along an axis."""

    item: Expr
    axis: int
    behind: bool


def added(step: Expr, state: str) -> Added | None:
    """What a step puts before or after its state; None where it does something else."""
    match step:
        case Join(parts=parts, axis=axis) if len(parts) > 1:
            for behind, own, rest in ((True, parts[0], parts[1:]), (False, parts[-1], parts[:-1])):
                if isinstance(own, Variable) and own.name == state:
                    return Added(_block(rest, step, own), axis, behind)
        case If(guard=guard, written=written, then=then, otherwise=otherwise):
            one, two = added(then, state), added(otherwise, state)
            if one and two and (one.axis, one.behind, one.item.type.shape) == (two.axis, two.behind, two.item.type.shape):
                return Added(chosen(guard, written, one.item, two.item), one.axis, one.behind)
        case Let(names=names, value=value, body=body, lengths=lengths):
            found = added(body, state)
            if found:
                item = Let(names, value, found.item, lengths, type=found.item.type)
                return Added(item, found.axis, found.behind)
    return None


def _block(parts: tuple[Expr, ...], step: Join, state: Expr) -> Expr:
    if len(parts) == 1:
        return parts[0]
    shape = list(step.type.shape)
    shape[step.axis] = step.type.shape[step.axis] - state.type.shape[step.axis]
    return Join(parts, step.axis, type=step.type.with_shape(tuple(shape)))


def through_appending(adjoint: Adjoint, fold: Reduce, given: Expr | None, value: Expr | None) -> bool:
    """A fold with one state of capacity 1 that grows at one end; False for any other."""
    if len(fold.states) != 1 or fold.lengths or fold.state_types[0].capacity != 1 or given is None:
        return False
    found = added(fold.step, fold.states[0])
    if found is None:
        return False
    _Appending(adjoint, fold, found, given, value).spread()
    return True


class _Appending:
    def __init__(self, adjoint: Adjoint, fold: Reduce, new: Added, given: Expr, value: Expr | None) -> None:
        self.adjoint, self.fold, self.new, self.given = adjoint, fold, new, given
        self.kind, self.axis = fold.state_types[0], new.axis
        self.whole = value or adjoint.scope.bind("t", substituted(fold, adjoint.names), shared=True)
        self.length = self.kind.shape[self.axis]
        self.growth = fold.step.type.shape[self.axis] - self.length
        self.last = fold.type.shape[self.axis]

    def spread(self) -> None:
        adjoint, fold = self.adjoint, self.fold
        complete = self.given
        if fold.states[0] in free_names(self.new.item):
            complete = adjoint.scope.bind("d", self._completed(), shared=True)
        with adjoint.scope.inside(*loops_of_fold(fold)):
            state = adjoint.scope.bind(fold.states[0], part(self.whole, self._before({})))
            item = substituted(self.new.item, adjoint.names, values={fold.states[0]: state})
            adjoint.spread(item, (part(complete, self._own({})),), part(self.whole, self._own({})))
        start = fold.initials[0]
        first = ONE if self.new.behind else self.last - start.type.shape[self.axis] + 1
        adjoint.spread(start, (part(complete, self._stretch(first, start.type.shape[self.axis])),))

    def _stretch(self, start: Size, length: Size) -> Items:
        """A stretch of the result along the axis, whole in its other dimensions."""
        items: list[Coordinate | Range] = [Range(ONE, one) for one in self.fold.type.shape]
        items[self.axis] = Range(start, length)
        return tuple(items)

    def _before(self, sizes: dict[str, Size]) -> Items:
        """Where the result has what was the state at a step."""
        length = self.length.substitute(sizes)
        return self._stretch(ONE if self.new.behind else self.last - length + 1, length)

    def _own(self, sizes: dict[str, Size]) -> Items:
        """Where the result has what a step put there; a numeric is one element."""
        length = self.length.substitute(sizes)
        start = length + 1 if self.new.behind else self.last - length - self.growth + 1
        if not self.new.item.type.rank:
            own: list[Coordinate | Range] = [Coordinate(ONE) for _ in self.kind.shape]
            own[self.axis] = Coordinate(start)
            return tuple(own)
        return self._stretch(start, self.growth)

    def _completed(self) -> Expr:
        """The result's cotangent once each step, from the last on, has added to it what it read."""
        adjoint, fold, column = self.adjoint, self.fold, cotangent_column(self.kind.column)
        row = adjoint.names.fresh("r")
        kind = Type(fold.type.shape, (column,))
        state = Variable(adjoint.names.fresh("d"), type=kind)
        sizes = at_step(fold, steps_of(fold) + 1 - Size.of(row))
        inner = adjoint.beside()
        depth = len(inner.scope.frames)
        inner.scope.frames.append(Loop(row, steps_of(fold)))
        before = inner.scope.bind(fold.states[0], part(self.whole, self._before(sizes)))
        inner.active.add(before.name)
        item = substituted(self.new.item, adjoint.names, sizes, {fold.states[0]: before})
        inner.spread(item, (part(state, self._own(sizes)),), part(self.whole, self._own(sizes)))
        leaving = inner.collected(before.name, before.type)[0]
        result = state if leaving is None else self._with(inner, state, leaving, sizes)
        step = enclosed(inner.scope.frames[depth + 1 :], result, adjoint.names)
        start = settled(self.given, column)
        whole = Reduce((row,), (steps_of(fold),), (state.name,), (start,), (kind,), step, type=kind)
        return substituted(whole, adjoint.names)

    def _with(self, inner: Adjoint, state: Variable, leaving: Expr, sizes: dict[str, Size]) -> Expr:
        """The cotangent with something added to the stretch that was the state at a step."""
        own = inner.named(part(state, self._before(sizes)))
        iterators = [inner.names.fresh("q") for _ in own.type.shape]
        places = [Size.of(i) for i in iterators]
        total = applied("add", indexed(own, places), inner.at(leaving, places))
        summed = mapped(iterators, own.type.shape, settled(total, state.type.column))
        length = self.length.substitute(sizes)
        rest = part(state, self._stretch(length + 1 if self.new.behind else ONE, self.last - length))
        parts = (summed, rest) if self.new.behind else (rest, summed)
        return Join(parts, self.axis, type=state.type)
