"""The rules of reverse mode for folds: sums spread, extremes go where they were found, all others run backwards."""

from __future__ import annotations

from tolang.core.core import Apply, Expr, If, Let, Reduce, Variable
from tolang.core.gradient.adjoint import Adjoint, Cotangent
from tolang.core.gradient.building import chosen, number
from tolang.core.gradient.frames import Loop
from tolang.core.gradient.names import substituted
from tolang.core.tidy import free_names


def through_fold(adjoint: Adjoint, expr: Reduce, cotangent: Cotangent, value: Expr | None) -> None:
    """Chooses the rule by what a step does to the state."""
    opened = _opened(adjoint, expr)
    if _is_numeric(opened):
        term = summand(opened.step, opened.states[0])
        if term is not None:
            _through_sum(adjoint, opened, term, cotangent)
            return
    raise adjoint.refuse("a fold of this kind", expr.states[0], expr.span)


def _opened(adjoint: Adjoint, expr: Reduce) -> Reduce:
    """A copy whose names are its own, so that its inside can be walked here."""
    opened = substituted(expr, adjoint.names)
    assert isinstance(opened, Reduce)
    return opened


def _is_numeric(expr: Reduce) -> bool:
    return len(expr.states) == 1 and expr.state_types[0].is_numeric


def loops(expr: Reduce) -> list[Loop]:
    return [Loop(i, extent) for i, extent in zip(expr.iterators, expr.extents, strict=True)]


def summand(step: Expr, state: str) -> Expr | None:
    """What a step adds to its state; None where it does something else."""
    match step:
        case Variable(name=name) if name == state:
            return number(0)
        case Apply(function="add", arguments=(Variable(name=name), term)) if name == state:
            return term if state not in free_names(term) else None
        case Apply(function="add", arguments=(term, Variable(name=name))) if name == state:
            return term if state not in free_names(term) else None
        case Apply(function="sub", arguments=(Variable(name=name), term)) if name == state:
            return Apply("neg", (term,), type=step.type) if state not in free_names(term) else None
        case If(guard=guard, written=written, then=then, otherwise=otherwise):
            if any(state in free_names(w) for w in written):
                return None
            one, two = summand(then, state), summand(otherwise, state)
            return None if one is None or two is None else chosen(guard, written, one, two)
        case Let(names=names, value=value, body=body, lengths=lengths) if state not in free_names(value):
            term = summand(body, state)
            return None if term is None else Let(names, value, term, lengths, type=term.type)
    return None


def _through_sum(adjoint: Adjoint, expr: Reduce, term: Expr, cotangent: Cotangent) -> None:
    """The start and every term have the cotangent of the sum."""
    given = tuple(None if c is None else adjoint.named(c) for c in cotangent)
    adjoint.spread(expr.initials[0], given)
    with adjoint.scope.inside(*loops(expr)):
        adjoint.spread(term, given)


