"""Structural comparison of core programs: every field of every node, but not where in the source it came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tolang.core.core import Core, Expr
from tolang.core.rebuild import rebuild
from tolang.ground.dataclasses import fields, is_dataclass, replace
from tolang.ground.symbolic.sizes import Size

Node = TypeVar("Node", bound=Expr)


UNSEEN = ("span", "definitions", "auxiliary", "bounds")
"""What the text of a core leaves out: source positions, and what a program notes beside its body."""


def difference(one: Any, two: Any, path: str = "") -> str | None:
    """The first place where two values differ, in words; None where they do not."""
    if type(one) is not type(two):
        return f"{path}: {type(one).__name__} and {type(two).__name__}"
    if isinstance(one, Size):
        return None if one == two else f"{path}: {one} and {two}"
    if is_dataclass(one):
        pairs = [(f.name, getattr(one, f.name), getattr(two, f.name)) for f in fields(one) if f.name not in UNSEEN]
    elif isinstance(one, tuple):
        if len(one) != len(two):
            return f"{path}: {len(one)} and {len(two)} items"
        pairs = [(str(k), a, b) for k, (a, b) in enumerate(zip(one, two, strict=True))]
    else:
        return None if repr(one) == repr(two) else f"{path}: {one!r} and {two!r}"
    return next((found for name, a, b in pairs if (found := difference(a, b, f"{path}.{name}"))), None)


def nodes(expr: Expr) -> Iterator[Expr]:
    """Every expression inside one, itself first, a shared body once."""
    seen: set[int] = set()
    pending = [expr]
    while pending:
        one = pending.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            pending.extend(reversed(list(one.children())))


def changed(
    program: Core, kind: type[Node], change: Callable[[Node], Expr], where: Callable[[Node], bool] = lambda _: True
) -> Core:
    """The program with the first node of a kind, in order of reading, changed; the types around it stay as they are."""
    target = next(one for one in nodes(program.body) if isinstance(one, kind) and where(one))

    def visit(expr: Expr) -> Expr:
        return change(target) if expr is target else rebuild(expr, visit)

    return replace(program, body=visit(program.body))
