"""What was derived twice is computed once: bindings of values that are the same but for the names inside them."""

from __future__ import annotations

from tolang.core.core import Expr, Let, Map, Random, Reduce, Require, Variable
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.let_chain import unwound, wound
from tolang.core.printer import print_expr
from tolang.core.tidy import free_names
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size


def shared(expr: Expr, names: NameSource) -> Expr:
    """A run of bindings in which each value is bound once."""
    links, inside = unwound(expr)
    known: dict[str, str] = {}
    same: dict[str, Variable] = {}
    kept: list[Let | Require] = []
    for link in links:
        if isinstance(link, Require):
            kept.append(link)
            continue
        value = _with_names(link.value, same, names)
        text = _text(value) if len(link.names) == 1 and not link.lengths else None
        if text is not None and text in known:
            same[link.names[0]] = Variable(known[text], type=value.type)
        else:
            kept.append(replace(link, value=value))
            if text is not None:
                known[text] = link.names[0]
    return wound(kept, _with_names(inside, same, names)) if same else expr


def _with_names(expr: Expr, same: dict[str, Variable], names: NameSource) -> Expr:
    if not same.keys() & free_names(expr):
        return expr
    return substituted(expr, names, {name: Size.of(one.name) for name, one in same.items()}, same)


def _text(value: Expr) -> str | None:
    """A ToL as it is printed with its own names numbered; None where it costs little, or is another each time."""
    if not value.type.rank or not isinstance(value, Map | Reduce) or draws(value):
        return None
    return f"{value.type} {print_expr(substituted(value, _Numbers()))}"


def draws(expr: Expr) -> bool:
    """Whether there is something random in an expression."""
    return isinstance(expr, Random) or any(draws(child) for child in expr.children())


class _Numbers(NameSource):
    """Names that say nothing but how many there were before."""

    def fresh(self, base: str) -> str:
        return super().fresh("v")
