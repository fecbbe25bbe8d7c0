"""Folds whose steps only add to their state: to all of it, to each element, or at a place, as a histogram does."""

from __future__ import annotations

from tolang.core.core import Apply, Coordinate, Expr, If, Join, Let, Map, Part, Range, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint, Cotangent
from tolang.core.gradient.constructs import spread_binding
from tolang.core.gradient.frames import Bind, Guard, Loop, loops_of_fold
from tolang.core.tidy import free_names
from tolang.ground.sizes import ONE, Size


class Additions:
    """A fold with one state of capacity 1, read as additions; its cotangent is that of the start and of every term."""

    def __init__(self, adjoint: Adjoint, fold: Reduce) -> None:
        self.adjoint, self.fold, self.state = adjoint, fold, fold.states[0]

    def apply(self) -> bool:
        """Whether the fold only adds to its state."""
        single = len(self.fold.states) == 1 and self.fold.state_types[0].capacity == 1 and not self.fold.lengths
        return single and self._only_adds(self.fold.step, ())

    def spread(self, given: Cotangent) -> None:
        self.adjoint.spread(self.fold.initials[0], given)
        assert given[0] is not None
        with self.adjoint.scope.inside(*loops_of_fold(self.fold)):
            self._spread(self.fold.step, given[0], ())

    def _is_state(self, expr: Expr, at: tuple[str, ...]) -> bool:
        """Whether an expression is the state, or its element at iterators around."""
        match expr:
            case Variable(name=name):
                return name == self.state and not at
            case Part(subject=Variable(name=name), items=items) if name == self.state:
                return [i.index.name if isinstance(i, Coordinate) else None for i in items] == list(at)
        return False

    def _is_new(self, *exprs: Expr) -> bool:
        return all(self.state not in free_names(one) for one in exprs)

    def _term(self, step: Expr, at: tuple[str, ...]) -> Expr | None:
        """What is added to the state, or to its element."""
        match step:
            case Apply(function="add", arguments=(one, term)) if self._is_state(one, at) and self._is_new(term):
                return term
            case Apply(function="add", arguments=(term, one)) if self._is_state(one, at) and self._is_new(term):
                return term
            case Apply(function="sub", arguments=(one, term)) if self._is_state(one, at) and self._is_new(term):
                return Apply("neg", (term,), type=step.type)
        return None

    def _place(self, step: Expr) -> tuple[Size, Expr] | None:
        """Where, and what, a `put` adds to one element of a vector: `[s[1:d-1], s[d] + term, s[d+1:]]`."""
        match step:
            case Join(parts=(Part() as before, item, Part() as after), axis=0):
                first, last = before.items[0], after.items[0]
            case _:
                return None
        whole = self.fold.state_types[0].shape
        if not (isinstance(first, Range) and isinstance(last, Range) and len(whole) == 1):
            return None
        place = first.length + 1
        stretches = first.start == ONE and last.start == place + 1 and last.length == whole[0] - place
        if not (stretches and self._is_own(before) and self._is_own(after) and isinstance(item, Apply)):
            return None
        for one, term in (item.arguments, item.arguments[::-1]) if item.function == "add" else ():
            match one:
                case Part(items=(Coordinate(index=index),)) if self._is_own(one) and self._is_new(term):
                    return (place, term) if self._same(index, place) else None
        return None

    def _same(self, index: Size, place: Size) -> bool:
        """Whether two coordinates are equal: as sizes, or as names of the same value."""
        if index == place:
            return True
        one, two = (self._values.get(str(size.name)) for size in (index, place))
        return isinstance(one, Part) and isinstance(two, Part) and _same_part(one, two)

    @property
    def _values(self) -> dict[str, Expr]:
        found: dict[str, Expr] = {}
        pending: list[Expr] = [self.fold.step]
        while pending:
            one = pending.pop()
            if isinstance(one, Let) and len(one.names) == 1:
                found[one.names[0]] = one.value
            pending.extend(one.children())
        return found

    def _is_own(self, one: Part) -> bool:
        return isinstance(one.subject, Variable) and one.subject.name == self.state

    def _only_adds(self, step: Expr, at: tuple[str, ...]) -> bool:
        if self._is_state(step, at) or self._term(step, at) is not None:
            return True
        match step:
            case If(written=written, then=then, otherwise=otherwise):
                return self._is_new(*written) and self._only_adds(then, at) and self._only_adds(otherwise, at)
            case Let(value=value, body=body):
                return self._is_new(value) and self._only_adds(body, at)
            case Map(iterators=iterators, body=body) if body.type.is_numeric:
                return not at and self._only_adds(body, iterators)
        return not at and self._place(step) is not None

    def _spread(self, step: Expr, given: Expr, at: tuple[str, ...]) -> None:
        adjoint = self.adjoint
        if self._is_state(step, at):
            return
        term = self._term(step, at)
        if term is not None:
            adjoint.spread(term, (given,))
            return
        match step:
            case If(guard=guard, written=written, then=then, otherwise=otherwise):
                own = tuple(adjoint.atom(w) for w in written)
                for branch, holds in ((then, True), (otherwise, False)):
                    with adjoint.scope.inside(Guard(guard, own, holds)):
                        self._spread(branch, given, at)
            case Let(names=names, value=value, body=body, lengths=lengths):
                adjoint.scope.frames.append(Bind(names, value, lengths))
                adjoint.activate(names, value)
                self._spread(body, given, at)
                spread_binding(adjoint, names, value)
            case Map(iterators=iterators, extents=extents, body=body):
                loops = (Loop(i, extent) for i, extent in zip(iterators, extents, strict=True))
                with adjoint.scope.inside(*loops):
                    self._spread(body, adjoint.at(given, [Size.of(i) for i in iterators]), iterators)
            case _:
                found = self._place(step)
                assert found is not None
                adjoint.spread(found[1], (adjoint.at(given, [found[0]]),))


def _same_part(one: Part, two: Part) -> bool:
    match one.subject, two.subject:
        case Variable(name=first), Variable(name=second):
            return first == second and one.items == two.items
    return False
