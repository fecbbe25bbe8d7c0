"""Maps that make new text, which has no codes before it is made.

    rows = map(from, substring(texts[(*)], left[i], right[i]), i)

What such text is made of is computed before, by maps of its own; then all of it is made at once, by no other map.
"""

from __future__ import annotations

from collections.abc import Iterable

from tolang.core.core import (
    Apply,
    Call,
    Component,
    Convert,
    Coordinate,
    Expr,
    Let,
    Literal,
    Map,
    Part,
    Require,
    Variable,
)
from tolang.core.rebuild import rebuild
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import functions_with

MAKING = functions_with(kind="text")
_Around = Call | Let | Require


@dataclass(frozen=True, slots=True, eq=False)
class NewText:
    """What makes text at all elements of values under names, and of literals."""

    made: Apply
    arguments: tuple[Variable | Literal, ...]

    def __str__(self) -> str:
        told = (one.name if isinstance(one, Variable) else repr(one.value) for one in self.arguments)
        return f"{self.made.function}({', '.join(told)}) at all elements"


def new_text_of(link: Let) -> NewText | None:
    """What a binding makes, where it makes new text of values that are there already, and nothing else."""
    value = link.value
    if not isinstance(value, Map) or not isinstance(value.body, Apply) or value.body.function not in MAKING:
        return None
    arguments = [_whole(one, value) for one in value.body.arguments]
    known = tuple(one for one in arguments if one is not None)
    if len(known) < len(arguments) or not any(isinstance(one, Variable) for one in known):
        return None
    return NewText(value.body, known)


def _whole(expr: Expr, around: Map) -> Variable | Literal | None:
    """The value of which a map reads each element at its own place, or a literal."""
    if isinstance(expr, Literal):
        return expr
    if not isinstance(expr, Part) or not isinstance(expr.subject, Variable):
        return None
    places = [one.index if isinstance(one, Coordinate) else None for one in expr.items]
    same = places == [Size.of(name) for name in around.iterators] and expr.subject.type.shape == around.extents
    return expr.subject if same else None


def made_apart(link: Let) -> list[Let]:
    """A binding that makes new text at every element as several: of what it is made, the text, and what is left."""
    around, inside = _unwrapped(link.value)
    if len(link.names) > 1 or link.lengths or not isinstance(inside, Map) or new_text_of(link) is not None:
        return [link]
    apart = _HoistedText(link, around, inside)
    bound, made = _unwrapped(inside.body)
    if isinstance(made, Apply) and made.function in MAKING:
        text = replace(made, arguments=tuple(apart.by_itself(one, bound) for one in made.arguments))
        last = replace(link, value=Map(inside.iterators, apart.shape, text, type=link.value.type, span=inside.span))
    else:
        last = replace(link, value=_wrapped(around, replace(inside, body=apart.visit(inside.body, []))))
    return [*(one for each in apart.before for one in made_apart(each)), last] if apart.before else [link]


@dataclass(slots=True)
class _HoistedText:
    """A walk over the body of a map, whose text and what that is made of are computed before, by maps of their own."""

    link: Let
    around: list[_Around]
    inside: Map
    before: list[Let] = field(default_factory=list)

    @property
    def shape(self) -> tuple[Size, ...]:
        return self.link.value.type.shape

    def visit(self, expr: Expr, bound: list[_Around]) -> Expr:
        """An expression that reads the text that it would make at every element, whatever data decide."""
        match expr:
            case Apply(function=function) if function in MAKING:
                return self.by_itself(expr, bound)
            case Apply() | Convert() | Component():
                return rebuild(expr, lambda one: self.visit(one, bound))
            case Let():
                value = expr.value if expr.value.type.shape else self.visit(expr.value, bound)
                kept = expr if value is expr.value else replace(expr, value=value)
                body = self.visit(expr.body, [*bound, kept])
                return kept if body is expr.body else replace(kept, body=body)
            case Call() if not expr.shared:
                body = self.visit(expr.body, [*bound, expr])
                return expr if body is expr.body else replace(expr, body=body, derivative=None)
        return expr

    def by_itself(self, expr: Expr, bound: list[_Around]) -> Expr:
        """A numeric at every element, of which a binding before has all."""
        if isinstance(expr, Literal):
            return expr
        name, columns = f"{self.link.names[0]} of {len(self.before) + 1}", expr.type.columns
        body = replace(self.inside, body=_wrapped(bound, expr), type=replace(self.inside.type, columns=columns))
        self.before.append(replace(self.link, names=(name,), value=_wrapped(self.around, body)))
        places = tuple(Coordinate(Size.of(one)) for one in self.inside.iterators)
        return Part(Variable(name, type=Type(self.shape, columns)), places, type=expr.type, span=expr.span)


def _unwrapped(expr: Expr) -> tuple[list[_Around], Expr]:
    """What names are bound around an expression, outermost first, and the expression."""
    around: list[_Around] = []
    while isinstance(expr, Call | Let | Require):
        around.append(expr)
        expr = expr.body
    return around, expr


def _wrapped(around: Iterable[_Around], expr: Expr) -> Expr:
    """Another expression of the same shape with these names bound around it."""
    for one in reversed(list(around)):
        kind = replace(one.type, columns=expr.type.columns)
        expr = replace(one, body=expr, type=kind)
        if isinstance(expr, Call):
            expr = replace(expr, shared=False, derivative=None)
    return expr
