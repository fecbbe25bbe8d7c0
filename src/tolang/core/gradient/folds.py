"""The rules of reverse mode for folds: sums spread, extremes go where they were found, all others run backwards."""

from __future__ import annotations

from tolang.core.core import Apply, Bundle, Expr, If, Let, Reduce, Variable
from tolang.core.gradient.additions import Additions
from tolang.core.gradient.adjoint import Adjoint, Cotangent
from tolang.core.gradient.appending import added, through_appending
from tolang.core.gradient.backwards import through_states, with_histories
from tolang.core.gradient.building import applied, apply, chosen, component, embedded, measure, number, total
from tolang.core.gradient.frames import Guard, loops_of_fold
from tolang.core.gradient.growth import through_growth
from tolang.core.gradient.names import substituted
from tolang.core.gradient.origins import through_origins
from tolang.core.gradient.overwriting import through_overwriting
from tolang.core.gradient.segments import through_segments
from tolang.core.tidy import free_names
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column

FIRST = {"max": "gt", "min": "lt"}
"""By which comparison a later element is preferred to those before it."""


def through_fold(adjoint: Adjoint, expr: Reduce, cotangent: Cotangent, value: Expr | None) -> None:
    """Chooses the rule by what a step does to the state."""
    given = tuple(None if c is None else adjoint.named(c) for c in cotangent)
    opened = substituted(expr, adjoint.names)
    assert isinstance(opened, Reduce)
    additions = Additions(adjoint, opened)
    if additions.apply():
        additions.spread(given)
        return
    if len(opened.states) == 1 and opened.state_types[0].is_numeric:
        for function, rule in (("max", _through_extreme), ("min", _through_extreme), ("mul", _through_product)):
            term = _operand(opened, function)
            if term is not None and given[0] is not None:
                rule(adjoint, opened, term, function, given[0])
                return
    carried = through_growth(adjoint, opened, given, value, adjoint.carried_back(expr))
    if carried is not None:
        adjoint.carried[id(expr)] = expr, carried
        return
    if through_appending(adjoint, opened, given, value):
        return
    if through_origins(adjoint, opened, given[0]):
        return
    changing = [_changes(kind, opened) for kind in opened.state_types]
    if opened.lengths or (any(changing) and (all(changing) or not _grow(opened, changing))):
        raise adjoint.refuse("a fold whose state changes its shape", expr.states[0], expr.span)
    if through_overwriting(adjoint, opened, given, value):
        return
    if any(changing):
        adjoint.spread(with_histories(adjoint, opened, changing), given)
    elif adjoint.block is not None and not adjoint.scope.in_loop:
        through_segments(adjoint, opened, given, value, adjoint.block)
    else:
        through_states(adjoint, opened, given, value)


def _grow(fold: Reduce, changing: list[bool]) -> bool:
    """Whether the states whose shape changes grow at one end."""
    kept = tuple(name for name, changes in zip(fold.states, changing, strict=True) if changes)
    return added(_only(fold.step, changing), kept) is not None


def _only(step: Expr, wanted: list[bool]) -> Expr:
    """A step that gives some of its states only."""
    match step:
        case Bundle(parts=parts):
            some = [part for part, one in zip(parts, wanted, strict=True) if one]
            return some[0] if len(some) == 1 else Bundle(tuple(some), type=bundle_type(p.type for p in some))
        case Let(body=body):
            inner = _only(body, wanted)
            return replace(step, body=inner, type=inner.type)
        case If(then=then, otherwise=otherwise):
            one, two = _only(then, wanted), _only(otherwise, wanted)
            return replace(step, then=one, otherwise=two, type=one.type)
    return step


def _changes(kind: Type, fold: Reduce) -> bool:
    """Whether a state has a length that depends on the step."""
    return any(length.names() & set(fold.iterators) for length in kind.shape)


def _operand(expr: Reduce, function: str) -> Expr | None:
    """What a step combines its state with by a function."""
    state = expr.states[0]
    match expr.step:
        case Apply(function=found, arguments=(Variable(name=name), term)) if name == state and found == function:
            return term if state not in free_names(term) else None
        case Apply(function=found, arguments=(term, Variable(name=name))) if name == state and found == function:
            return term if state not in free_names(term) else None
    return None


def _through_extreme(adjoint: Adjoint, expr: Reduce, term: Expr, function: str, given: Expr) -> None:
    """The first extreme element gets it all, or the initial value: the coordinates are folded along with the value."""
    record = adjoint.scope.bind("best", _recorded(adjoint, expr, term, function), shared=True)
    places = [adjoint.scope.bind(i, component(record, n)) for n, i in enumerate(expr.iterators, 2)]
    written = (applied("ge", places[0], number(1)),)
    steps = {i: Size.of(place.name) for i, place in zip(expr.iterators, places, strict=True)}
    with adjoint.scope.inside(Guard(None, written)):
        adjoint.spread(substituted(term, adjoint.names, steps), (given,))
    if adjoint.is_active(expr.initials[0]):
        with adjoint.scope.inside(Guard(None, written, holds=False)):
            adjoint.spread(expr.initials[0], (given,))


def _recorded(adjoint: Adjoint, expr: Reduce, term: Expr, function: str) -> Expr:
    """The fold of lists of a value and its coordinates, zeros for the initial value."""
    count = column("Z", weak=True)
    kind = Type((), (expr.state_types[0].column, *(count for _ in expr.iterators)))
    state = Variable(adjoint.names.fresh("s"), type=kind)
    element = Variable(adjoint.names.fresh("e"), type=term.type)
    better = applied(FIRST[function], element, component(state, 1))
    listed = embedded([element, *(measure(Size.of(i)) for i in expr.iterators)])
    step = If(None, (better,), listed, state, type=kind)
    body = Let((element.name,), term, step, type=step.type)
    start = embedded([expr.initials[0], *(number(0) for _ in expr.iterators)])
    fold = Reduce(expr.iterators, expr.extents, (state.name,), (start,), (kind,), body, type=kind)
    return substituted(fold, adjoint.names)


def _through_product(adjoint: Adjoint, expr: Reduce, term: Expr, function: str, given: Expr) -> None:
    """The product of all others, from that of all that are not zero, and from how many are."""
    rest, zeros = (
        adjoint.scope.bind(name, substituted(fold, adjoint.names), shared=True)
        for name, fold in (("rest", _nonzeros(adjoint, expr, term)), ("zeros", _zeros(adjoint, expr, term)))
    )
    start = adjoint.atom(expr.initials[0])
    full, alone = (applied("eq", zeros, number(count)) for count in (0, 1))
    adjoint.spread(expr.initials[0], (chosen(None, (full,), apply("mul", given, rest), number(0)),), start)
    whole = adjoint.named(apply("mul", given, apply("mul", start, rest)))
    without, of_zero = (adjoint.named(chosen(None, (one,), whole, number(0))) for one in (full, alone))
    with adjoint.scope.inside(*loops_of_fold(expr)):
        element = adjoint.atom(term)
        is_zero = applied("eq", element, number(0))
        adjoint.spread(term, (chosen(None, (is_zero,), of_zero, apply("div", without, element)),), element)


def _nonzeros(adjoint: Adjoint, expr: Reduce, term: Expr) -> Expr:
    element = Variable(adjoint.names.fresh("e"), type=term.type)
    kept = chosen(None, (applied("eq", element, number(0)),), number(1), element)
    state = Variable(adjoint.names.fresh("s"), type=expr.state_types[0])
    step = applied("mul", state, kept)
    body = Let((element.name,), term, step, type=step.type)
    kind, ones = expr.state_types[0], (number(1),)
    return Reduce(expr.iterators, expr.extents, (state.name,), ones, (kind,), body, associative=True, type=kind)


def _zeros(adjoint: Adjoint, expr: Reduce, term: Expr) -> Expr:
    return total(expr.iterators, expr.extents, adjoint.names.fresh("s"), applied("eq", term, number(0)))
