"""Folds inside the elements of a state, each in a table of its own: a table is kept with each step as products are.

map(s, f(fold(i)), i)        { t = map(s, fold(i), i); map(s, f(t[i]), i) }
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.core.core import Apply, Bundle, Expr, Let, Map, Reduce, Variable
from tolang.core.gradient.building import indexed, is_real
from tolang.core.gradient.derivatives import reads_arguments
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.let_chain import unwound, wound
from tolang.core.tidy import free_names
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size


def with_folds_apart(fold: Reduce, names: NameSource) -> Reduce:
    """A fold in whose steps the folds of each element that their derivative reads have a table."""
    links, inside = unwound(fold.step)
    parts = inside.parts if isinstance(inside, Bundle) else (inside,)
    tables = _StateTables(names, fold.states)
    apart = [tables.taken(one) if isinstance(one, Map) else one for one in parts]
    if not tables.found:
        return fold
    inner = replace(inside, parts=tuple(apart)) if isinstance(inside, Bundle) else apart[0]
    return replace(fold, step=wound([*links, *tables.found], inner))


class _StateTables:
    """The tables that are bound before the elements of a state are computed."""

    def __init__(self, names: NameSource, states: Sequence[str]) -> None:
        self.names, self.states = names, set(states)
        self.found: list[Let] = []

    def taken(self, elements: Map) -> Map:
        """A map that reads its folds from tables."""
        return replace(elements, body=self._visit(elements.body, elements, [], False))

    def _visit(self, expr: Expr, elements: Map, around: list[Let], read: bool) -> Expr:
        """An element's expression; its folds that are `read` by a derivative, and whatever they need `around`, go."""
        match expr:
            case Let(names=(_,), value=value, body=body) if not expr.lengths:
                kept = replace(expr, value=self._visit(value, elements, around, True))
                return replace(kept, body=self._visit(body, elements, [*around, kept], read))
            case Apply(function=function, arguments=arguments):
                own = read or reads_arguments(function, len(arguments))
                return replace(expr, arguments=tuple(self._visit(a, elements, around, own) for a in arguments))
            case Reduce() if read and expr.type.is_numeric and is_real(expr.type.column):
                return self._table(expr, elements, around)
        return expr

    def _table(self, expr: Reduce, elements: Map, around: Sequence[Let]) -> Expr:
        needed: list[Let] = []
        wanted = free_names(expr)
        for one in reversed(around):
            if one.names[0] in wanted:
                needed.insert(0, one)
                wanted = wanted | free_names(one.value)
        if not self.states & wanted:
            return expr
        body = wound(needed, expr)
        table = substituted(replace(elements, body=body, type=body.type.with_shape(elements.extents)), self.names)
        name = self.names.fresh("t")
        self.found.append(Let((name,), table, table, type=table.type))
        return indexed(Variable(name, type=table.type), [Size.of(i) for i in elements.iterators])
