"""The rule of reverse mode for folds that append to their state: running sums, scans, everything of that kind."""

from __future__ import annotations

from tolang.core.core import Coordinate, Expr, If, Join, Let, Part, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint, Cotangent
from tolang.core.gradient.backwards import appended, at_step, bind_parts, first_row, steps_of
from tolang.core.gradient.building import apply, chosen, cotangent_column, indexed, number, part, settled
from tolang.core.gradient.constructs import spread_binding
from tolang.core.gradient.frames import BindingFrame, LoopFrame, enclosed, loops_of_fold
from tolang.core.gradient.gathering import gathered
from tolang.core.gradient.names import substituted
from tolang.core.gradient.slopes import Slopes, slopes_of
from tolang.core.rules import step_number
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size


def new_element(step: Expr, state: str) -> Expr | None:
    """What a step appends to a vector; None where it does something else."""
    match step:
        case Join(parts=(Variable(name=name), item), axis=0) if name == state and not item.type.rank:
            return item
        case If(guard=guard, written=written, then=then, otherwise=otherwise):
            one, two = new_element(then, state), new_element(otherwise, state)
            return None if one is None or two is None else chosen(guard, written, one, two)
        case Let(names=names, value=value, body=body, lengths=lengths):
            inner = new_element(body, state)
            return None if inner is None else Let(names, value, inner, lengths, type=inner.type)
    return None


def reads_last_only(expr: Expr, state: str, length: Size) -> bool:
    """Whether a state is read at its last element and nowhere else."""
    match expr:
        case Part(subject=Variable(name=name), items=(Coordinate(index=index),)) if name == state:
            return index == length
        case Variable(name=name):
            return name != state
    return all(reads_last_only(child, state, length) for child in expr.children())


def through_growth(
    adjoint: Adjoint, fold: Reduce, given: Cotangent, value: Expr | None, carried: Expr | None
) -> Expr | None:
    """A fold that appends one element a step, of which the next step may read the one before; None for any other.

    Gives what is `carried` on the way back, which may be known already.
    """
    if len(fold.states) != 1 or fold.lengths or fold.state_types[0].rank != 1 or fold.state_types[0].capacity != 1:
        return None
    state, length = fold.states[0], fold.state_types[0].shape[0]
    element = new_element(fold.step, state)
    if element is None or not reads_last_only(element, state, length):
        return None
    cotangent = given[0]
    assert cotangent is not None
    return _Growth(adjoint, fold, element, cotangent, value).spread(carried)


class _Growth:
    """A fold over a vector that gets an element with each step."""

    def __init__(self, adjoint: Adjoint, fold: Reduce, element: Expr, given: Expr, value: Expr | None) -> None:
        self.adjoint, self.fold, self.element, self.given = adjoint, fold, element, given
        self.state, self.kind = fold.states[0], fold.state_types[0]
        self.length = self.kind.shape[0]
        self.steps = steps_of(fold)
        self.whole = value or adjoint.scope.bind("t", substituted(fold, adjoint.names), shared=True)
        self.column = cotangent_column(self.kind.column)
        self.starts_with_some = (fold.initials[0].type.shape[0].constant or 0) > 0

    def spread(self, known: Expr | None) -> Expr:
        adjoint, fold = self.adjoint, self.fold
        number = step_number(fold.iterators, fold.extents)
        slopes = slopes_of(adjoint, fold, self.element, self.whole, known is None)
        if slopes is not None:
            adjoint.scope.frames.append(BindingFrame((slopes.table.name,), slopes.value, shared=True))
        carried = self._run_back(slopes) if known is None else known
        with adjoint.scope.inside(*loops_of_fold(fold)):
            arriving = adjoint.named(self._arriving(carried, self.length + 1, self.steps + 1 - number))
            if slopes is not None:
                slopes.spread(adjoint, arriving)
            else:
                adjoint.spread(self._element(), (arriving,), indexed(self.whole, [self.length + 1]))
        self._spread_start(indexed(carried, [self.steps + 1]))
        return carried

    def _arriving(self, carried: Expr, place: Size, row: Size) -> Expr:
        """The cotangent of an element: what is carried to it, and its own where that is not in it yet."""
        found = indexed(carried, [row])
        return found if self.starts_with_some else apply("add", indexed(self.given, [place]), found)

    def _element(self) -> Expr:
        """The new element, with the state read from the whole result."""
        before = self.adjoint.scope.bind(self.state, part(self.whole, (Range(ONE, self.length),)))
        return substituted(self.element, self.adjoint.names, values={self.state: before})

    def _run_back(self, slopes: Slopes | None) -> Expr:
        """The cotangent of the last element, of the last but one, and so on to the last of those at the start.

        Where there are none at the start it is what comes to these elements from the steps after them: none, then from
        the last step, and so on.
        """
        adjoint, fold = self.adjoint, self.fold
        row = adjoint.names.fresh("r")
        history = Variable(adjoint.names.fresh("d"), type=Type((Size.of(row),), (self.column,)))
        sizes = at_step(fold, self.steps + 1 - Size.of(row))
        inner = adjoint.beside()
        depth = len(inner.scope.frames)
        inner.scope.frames.append(LoopFrame(row, self.steps))
        length = self.length.substitute(sizes)
        before = inner.scope.bind(self.state, part(self.whole, (Range(ONE, length),)))
        inner.active.add(before.name)
        arriving = inner.named(self._arriving(history, length + 1, Size.of(row)))
        leaving: Expr | None
        if slopes is not None:
            leaving = slopes.give_back(arriving, [sizes[one] for one in fold.iterators])
        else:
            element = substituted(self.element, adjoint.names, sizes, {self.state: before})
            inner.spread(element, (arriving,), indexed(self.whole, [length + 1]))
            found = [replace(one, coordinates=()) for one in inner.contributions.pop(before.name, [])]
            leaving = gathered(inner.scope, self.kind.element(), self.column, found) if found else None
        kind = Type((), (self.column,))
        first: Expr = number(0)
        new = number(0) if leaving is None else leaving
        if self.starts_with_some:
            first = indexed(self.given, [self.given.type.shape[0]])
            own = indexed(self.given, [length])
            new = own if leaving is None else apply("add", own, leaving)
        step = enclosed(
            inner.scope.frames[depth + 1 :], appended(history, settled(new, self.column), kind), adjoint.names
        )
        start = first_row(settled(first, self.column), kind)
        end = Type((self.steps + 1,), (self.column,))
        whole = Reduce((row,), (self.steps,), (history.name,), (start,), (history.type,), step, type=end)
        return bind_parts(adjoint, [adjoint.names.fresh("d")], substituted(whole, adjoint.names))[0]

    def _spread_start(self, carried: Expr) -> None:
        """The vector at the start: its own stretch, and at its last element what the first step read."""
        adjoint, initial = self.adjoint, self.fold.initials[0]
        if not adjoint.is_active(initial):
            return
        name, length = adjoint.names.fresh("t"), initial.type.shape[0]
        adjoint.scope.frames.append(BindingFrame((name,), initial))
        adjoint.active.add(name)
        if self.starts_with_some:
            rest = part(self.given, (Range(ONE, length - 1),))
            adjoint.contribute(name, 0, None, appended(rest, carried, carried.type))
        else:
            adjoint.contribute(name, 0, None, part(self.given, (Range(ONE, length),)))
            adjoint.contribute(name, 0, (length,), carried)
        spread_binding(adjoint, (name,), initial)
