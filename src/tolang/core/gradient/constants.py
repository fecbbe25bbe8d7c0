"""Constants as they are written: weak, where what they meet tells their space, and blocks of one element."""

from __future__ import annotations

from collections.abc import Mapping

from tolang.core.core import (
    Apply,
    Convert,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Part,
    Reduce,
    Require,
    Reshape,
    Variable,
)
from tolang.core.gradient.building import are_same, embedded
from tolang.core.rebuild import rebuild
from tolang.core.rules import inferred_type, literal_type
from tolang.core.tidy import free_names
from tolang.core.types import Type, join_type_lists
from tolang.ground.dataclasses import replace


def with_weak_constants(expr: Expr) -> Expr:
    """An expression of which the constants are weak that take the type of what they meet there; its type is the same.

    Written `[s, 0]` or `if c then x else 0`, a constant has the space of the others without a word.
    """
    match expr:
        case Apply(arguments=arguments):
            return _unless_changed(expr, replace(expr, arguments=tuple(_weak(one) for one in arguments)))
        case If(then=then, otherwise=otherwise):
            return _unless_changed(expr, replace(expr, then=_weak(then), otherwise=_weak(otherwise)))
        case Join(parts=(Literal(value=value) as one, *rest)) if all(are_same(one, other) for other in rest):
            return expr if one.type.rank else Literal(value, type=replace(expr.type, blank=False))
        case Join(parts=(one,)) if not one.type.rank:
            return Reshape(one, type=expr.type)
        case Join(parts=parts):
            return _unless_changed(expr, replace(expr, parts=tuple(_weak(one) for one in parts)))
        case Reduce():
            return _with_weak_starts(expr)
        case Convert(subject=Literal(value=0 | 1 as value) as subject) if subject.type.capacity == 1:
            return Literal(value, type=expr.type) if _is_plain_number(subject, expr) else expr
    return expr


def _is_plain_number(one: Expr, goal: Expr) -> bool:
    """Whether a constant 0 or 1 is the same in another space."""
    families = {one.type.column.space.family, goal.type.column.space.family}
    return families <= {"Z", "Q", "R"} and not one.type.blank


def _with_weak_starts(fold: Reduce) -> Reduce:
    """A fold with weak initial constants, where its steps say of what space the state is."""
    starts = tuple(_weak(one) for one in fold.initials)
    if all(new.type == old.type for new, old in zip(starts, fold.initials, strict=True)):
        return fold
    kinds = {
        name: replace(kind, columns=start.type.columns)
        for name, kind, start in zip(fold.states, fold.state_types, starts, strict=True)
    }
    step = _retyped(fold.step, kinds)
    for given, assumed, kind in zip(step.parts or (step,), kinds.values(), fold.state_types, strict=True):
        if join_type_lists(assumed, given) != kind.columns:
            return fold
    return replace(fold, initials=starts)


def _retyped(expr: Expr, kinds: Mapping[str, Type]) -> Type:
    """The type of an expression where names have other types."""
    if not kinds.keys() & free_names(expr):
        return expr.type
    match expr:
        case Variable(name=name):
            return kinds[name]
        case Let(names=names, value=value, body=body):
            found = _retyped(value, kinds)
            return _retyped(body, {**kinds, **dict(zip(names, found.parts or (found,), strict=True))})
        case Require(body=body):
            return _retyped(body, kinds)
        case Reduce():
            return expr.type
    inner = rebuild(expr, lambda child: replace(child, type=_retyped(child, kinds)))
    return inferred_type(inner) or expr.type


def _unless_changed(before: Expr, after: Expr) -> Expr:
    return after if inferred_type(after) == before.type else before


def _weak(expr: Expr) -> Expr:
    """A constant, or what is made of constants, with the type that it has where it is written."""
    match expr:
        case Part(subject=Literal() | Embed() as subject) | Reshape(subject=Literal() | Embed() as subject):
            inner = _weak(subject)
            return replace(expr, subject=inner, type=replace(expr.type, columns=inner.type.columns))
        case Embed(parts=parts):
            return embedded([_weak(one) for one in parts])
        case Literal() if not expr.type.blank and expr.type.capacity == 1:
            return replace(expr, type=literal_type(expr.value).with_shape(expr.type.shape))
    return expr
