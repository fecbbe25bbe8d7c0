"""Reverse mode over the core: one rule for each form of expression."""

from __future__ import annotations

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Random,
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.gradient.adjoint import Adjoint, Cotangent, columns_of
from tolang.core.gradient.building import is_zero
from tolang.core.gradient.constructs import (
    through_binding,
    through_call,
    through_choice,
    through_component,
    through_convert,
    through_draw,
    through_function,
    through_join,
    through_list,
    through_map,
    through_part,
    through_reshape,
    through_swap,
    through_tile,
    through_variable,
)
from tolang.core.gradient.folds import through_fold


class Reverse(Adjoint):
    """The walk: every form of the core has its rule here."""

    def spread(self, expr: Expr, cotangent: Cotangent, value: Expr | None = None) -> None:
        if not self.is_active(expr):
            return
        given = tuple(None if c is None or is_zero(c) else c for c in cotangent)
        if all(c is None for c in given):
            return
        for column in columns_of(expr.type):
            if column.space.family in ("C", "I"):
                raise self.refuse("a complex number", span=expr.span)
        match expr:
            case Let() | Require():
                through_binding(self, expr, given, value)
            case Map():
                through_map(self, expr, given, value)
            case Reduce():
                through_fold(self, expr, given, value)
            case If():
                through_choice(self, expr, given, value)
            case Apply():
                through_function(self, expr, given, value)
            case Call():
                through_call(self, expr, given)
            case _:
                self._move(expr, given)

    def _move(self, expr: Expr, given: Cotangent) -> None:
        """Forms that compute nothing, but move what there is."""
        match expr:
            case Variable():
                through_variable(self, expr, given)
            case Part():
                through_part(self, expr, given)
            case Component():
                through_component(self, expr, given)
            case Embed() | Bundle():
                through_list(self, expr, given)
            case Join():
                through_join(self, expr, given)
            case Reshape():
                through_reshape(self, expr, given)
            case Tile():
                through_tile(self, expr, given)
            case Swap():
                through_swap(self, expr, given)
            case Convert():
                through_convert(self, expr, given)
            case Random():
                through_draw(self, expr, given)
            case Literal() | Measure():
                pass
            case _:
                raise TypeError(f"{type(expr).__name__} is no core expression")
