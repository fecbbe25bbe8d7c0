"""Folds inside the bodies of maps have names: the derivative of what is made of them reads them, too.

    y = map(…, max(0, reduce(…)))        t = map(…, reduce(…))        y = map(…, max(0, t[…]))

Where only one of them reads such a table after all, its element goes back to where it is read.
"""

from __future__ import annotations

from tolang.core.core import Apply, Convert, Expr, Let, Map, Reduce, Variable
from tolang.core.gradient.building import indexed, mapped
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.gradient.sharing import draws
from tolang.core.rebuild import rebuild
from tolang.core.tidy import free_names
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size


def with_folds_named(expr: Expr, names: NameSource) -> Expr:
    """A program in which maps that have names compute no fold and something else of it."""
    chain: list[Let] = []
    while isinstance(expr, Let):
        value = with_folds_named(expr.value, names)
        if isinstance(value, Map) and isinstance(value.body, Apply | Convert):
            apart = _FoldTables(value, names)
            value = replace(value, body=apart.visit(value.body))
            chain += (Let((one.name,), table, expr, type=expr.type) for one, table in apart.tables)
        chain.append(replace(expr, value=value))
        expr = expr.body
    result = rebuild(expr, lambda child: with_folds_named(child, names))
    for let in reversed(chain):
        result = replace(let, body=result, type=result.type)
    return result


class _FoldTables:
    """The folds in the body of a map, each as a table over the iterators that it depends on."""

    def __init__(self, around: Map, names: NameSource) -> None:
        self.around, self.names = around, names
        self.tables: list[tuple[Variable, Expr]] = []

    def visit(self, expr: Expr) -> Expr:
        match expr:
            case Apply() | Convert():
                return rebuild(expr, self.visit)
            case Reduce() if expr.type.is_numeric and not draws(expr):
                return self._read(expr)
        return expr

    def _read(self, fold: Reduce) -> Expr:
        iterators, used = self.around.iterators, free_names(fold)
        own = [(i, e) for i, e in zip(iterators, self.around.extents, strict=True) if i in used]
        if not own or any(extent.names() & set(iterators) for _, extent in own):
            return fold
        table = substituted(mapped([i for i, _ in own], [e for _, e in own], fold), self.names)
        name = Variable(self.names.fresh("t"), type=table.type)
        self.tables.append((name, table))
        return indexed(name, [Size.of(i) for i, _ in own])
