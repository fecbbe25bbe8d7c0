"""Folds whose steps only add to their state: to all of it, to each element, or at a place, as a histogram does."""

from __future__ import annotations

from collections.abc import Sequence

from tolang.core.core import Apply, Expr, If, Let, Map, Reduce
from tolang.core.gradient.adjoint import Adjoint, Cotangent
from tolang.core.gradient.constructs import spread_binding
from tolang.core.gradient.frames import BindingFrame, Guard, LoopFrame, loops_of_fold
from tolang.core.gradient.puts import PutPlaces
from tolang.core.tidy import free_names
from tolang.ground.symbolic.sizes import Size


class Additions:
    """A fold with one state of capacity 1, read as additions; its cotangent is that of the start and of every term."""

    def __init__(self, adjoint: Adjoint, fold: Reduce) -> None:
        self.adjoint, self.fold, self.state = adjoint, fold, fold.states[0]
        self.places = PutPlaces(fold)

    def apply(self) -> bool:
        """Whether the fold only adds to its state."""
        single = len(self.fold.states) == 1 and self.fold.state_types[0].capacity == 1 and not self.fold.lengths
        return single and self._only_adds(self.fold.step, ())

    def spread(self, given: Cotangent) -> None:
        self.adjoint.spread(self.fold.initials[0], given)
        assert given[0] is not None
        with self.adjoint.scope.inside(*loops_of_fold(self.fold)):
            self._spread(self.fold.step, given[0], ())

    def _is_new(self, *exprs: Expr) -> bool:
        return all(self.state not in free_names(one) for one in exprs)

    def _term(self, step: Expr, at: tuple[Size, ...]) -> Expr | None:
        """What is added to the state, or to its element."""
        match step:
            case Apply(function="add", arguments=(one, term)) if self.places.is_state(one, at) and self._is_new(term):
                return term
            case Apply(function="add", arguments=(term, one)) if self.places.is_state(one, at) and self._is_new(term):
                return term
            case Apply(function="sub", arguments=(one, term)) if self.places.is_state(one, at) and self._is_new(term):
                return Apply("neg", (term,), type=step.type)
        return None

    def _only_adds(self, step: Expr, at: tuple[Size, ...]) -> bool:
        if self.places.is_state(step, at) or self._term(step, at) is not None:
            return True
        match step:
            case If(written=written, then=then, otherwise=otherwise):
                return self._is_new(*written) and self._only_adds(then, at) and self._only_adds(otherwise, at)
            case Let(value=value, body=body):
                return self._is_new(value) and self._only_adds(body, at)
            case Map(iterators=iterators, body=body) if body.type.is_numeric:
                return not at and self._only_adds(body, tuple(Size.of(i) for i in iterators))
        put = None if at else self.places.put(step)
        return put is not None and self._only_adds(put.item, put.at)

    def _spread(self, step: Expr, given: Expr, at: tuple[Size, ...]) -> None:
        adjoint = self.adjoint
        if self.places.is_state(step, at):
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
                adjoint.scope.frames.append(BindingFrame(names, value, lengths))
                adjoint.activate(names, value)
                self._spread(body, given, at)
                spread_binding(adjoint, names, value)
            case Map(iterators=iterators, extents=extents, body=body):
                self._spread_elements(body, given, tuple(Size.of(i) for i in iterators), iterators, extents)
            case _:
                put = self.places.put(step)
                assert put is not None
                self._spread_elements(put.item, given, put.at, put.row, put.extents)

    def _spread_elements(
        self, body: Expr, given: Expr, at: tuple[Size, ...], iterators: Sequence[str], extents: Sequence[Size]
    ) -> None:
        """Gives on the cotangents of elements of the state, which are at coordinates for some iterators."""
        loops = (LoopFrame(i, extent) for i, extent in zip(iterators, extents, strict=True))
        with self.adjoint.scope.inside(*loops):
            self._spread(body, self.adjoint.at(given, at), at)
