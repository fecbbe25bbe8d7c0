"""The outermost bindings of a program: the chain of `Let` and `Require` around the bundle of its outputs."""

from __future__ import annotations

from collections.abc import Iterable

from tolang.core.core import Bundle, Expr, Let, Require
from tolang.core.types import Type
from tolang.ground.dataclasses import replace

Link = Let | Require
_NOTHING = Bundle((), type=Type((), ()))


def unwound(body: Expr) -> tuple[list[Link], Expr]:
    """The links of a chain, outermost first, each without what it is around; and what stands inside."""
    links: list[Link] = []
    while isinstance(body, Let | Require):
        links.append(replace(body, body=_NOTHING))
        body = body.body
    return links, body


def wound(links: Iterable[Link], inside: Expr) -> Expr:
    """A chain of links around an expression."""
    for link in reversed(list(links)):
        inside = replace(link, body=inside, type=inside.type)
    return inside
