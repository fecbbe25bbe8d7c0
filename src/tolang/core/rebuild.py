"""A core expression with the expressions inside it replaced: the one traversal that rewrites share."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tolang.core.core import Coordinate, Derivative, Expr, Range
from tolang.ground.dataclasses import replace
from tolang.ground.fields import names_of_fields

HOLDING = ("Expr", "Coordinate", "Range", "Derivative")
"""What the types of fields mention that hold expressions."""


def rebuild(expr: Expr, visit: Callable[[Expr], Expr]) -> Expr:
    """The expression with each direct child visited; the same object where no child changed."""
    changes: dict[str, Any] = {}
    for name in names_of_fields(type(expr), holding=HOLDING):
        value = getattr(expr, name)
        visited = _visit(value, visit)
        if visited is not value:
            changes[name] = visited
    return replace(expr, **changes) if changes else expr


def _visit(value: Any, visit: Callable[[Expr], Expr]) -> Any:
    if isinstance(value, Expr):
        return visit(value)
    if isinstance(value, Coordinate | Range) and value.written:
        written = tuple(visit(w) for w in value.written)
        return (
            value
            if all(a is b for a, b in zip(written, value.written, strict=True))
            else replace(value, written=written)
        )
    if isinstance(value, Derivative):
        given = _visit(value.values, visit)
        return value if given is value.values else replace(value, values=given)
    if isinstance(value, tuple):
        visited = tuple([_visit(v, visit) for v in value])
        return value if all(map(operator.is_, visited, value)) else visited
    return value
