"""Bundles of which some parts are never used: only what the outputs reach is counted."""

from __future__ import annotations

from tolang.core.core import Bundle, Call, Expr, If, Let, Literal, Require
from tolang.core.tidy import own_names, tidy
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.values.spaces import column

NOTHING = Literal(0, type=Type((), (column("N", weak=True),)))


def mentioned(expr: Expr) -> set[str]:
    """Every name that an expression mentions; bodies that calls share mention nothing from outside."""
    found: set[str] = set()
    pending = [expr]
    while pending:
        one = pending.pop()
        found |= own_names(one)
        if isinstance(one, Call) and one.shared:
            pending.extend(argument for _, argument in one.arguments)
        else:
            pending.extend(one.children())
    return found


def only_parts(expr: Expr, wanted: tuple[bool, ...]) -> Expr:
    """An expression that gives a bundle, without what only its unwanted parts need."""
    return expr if all(wanted) else tidy(_without(expr, wanted))


def _without(expr: Expr, wanted: tuple[bool, ...]) -> Expr:
    links: list[Let | Require] = []
    while isinstance(expr, Let | Require):
        links.append(expr)
        expr = expr.body
    match expr:
        case Bundle(parts=parts):
            kept = tuple(part if use else NOTHING for part, use in zip(parts, wanted, strict=True))
            expr = replace(expr, parts=kept)
        case If(then=then, otherwise=otherwise):
            expr = replace(expr, then=_without(then, wanted), otherwise=_without(otherwise, wanted))
        case Call(body=body):
            expr = replace(expr, body=tidy(_without(body, wanted)))
    for link in reversed(links):
        expr = replace(link, body=expr)
    return expr
