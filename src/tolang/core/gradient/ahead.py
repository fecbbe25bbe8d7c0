"""What the steps of a fold compute side by side, and of no state, is computed before the fold, for all of its steps.

    reduce(tol[n], (d,e,r) -> { w = map(tol[p], exp(s[r,*])); … d … w … }, …)

    w = map(tol[n,p], exp(s[i,j]), [i,j])
    reduce(tol[n], (d,e,r) -> … d … w[r] …, …)

The cost rule: only functions that processors have none for are worth the memory, and only where it is no more for each
list of numbers than a history that the fold keeps itself.
"""

from __future__ import annotations

from functools import reduce

from tolang.core.core import Expr, Let, Map, Reduce, Require, Variable
from tolang.core.gradient.building import indexed, mapped
from tolang.core.gradient.names import NameSource, substituted
from tolang.core.gradient.normal import is_dear
from tolang.core.gradient.sharing import draws
from tolang.core.let_chain import Link, unwound, wound
from tolang.core.rebuild import rebuild
from tolang.core.tidy import free_names
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size


def with_tables_ahead(expr: Expr, names: NameSource) -> Expr:
    """An expression in which maps that steps of folds compute, and that need no state, are tables before these."""
    links, inside = unwound(expr)
    if links:
        changed = [replace(o, value=with_tables_ahead(o.value, names)) if isinstance(o, Let) else o for o in links]
        return wound(changed, with_tables_ahead(inside, names))
    made = rebuild(expr, lambda part: with_tables_ahead(part, names))
    return _before(made, names) if isinstance(made, Reduce) and not made.associative else made


def _before(fold: Reduce, names: NameSource) -> Expr:
    links, inside = unwound(fold.step)
    own = {*fold.states, *(name for name, _, _ in fold.lengths)}
    tables, kept = list[Link](), list[Link]()
    for link in links:
        if isinstance(link, Let) and _is_ready(link, fold, own):
            table = substituted(mapped(fold.iterators, fold.extents, link.value), names)
            name = Variable(names.fresh(link.names[0]), type=table.type)
            tables.append(Let((name.name,), table, table, type=table.type))
            kept.append(replace(link, value=indexed(name, [Size.of(one) for one in fold.iterators])))
        else:
            kept.append(link)
            own |= set() if isinstance(link, Require) else {*link.names, *(name for name, _, _ in link.lengths)}
    return wound(tables, replace(fold, step=wound(kept, inside))) if tables else fold


def _is_ready(link: Let, fold: Reduce, own: set[str]) -> bool:
    """Whether a binding of a step is a map of dear functions, of the same shape at all steps, and of nothing `own`."""
    value = link.value
    if not isinstance(value, Map) or len(link.names) > 1 or link.lengths or own & free_names(value) or draws(value):
        return False
    changing = {*own, *fold.iterators}
    if not is_dear(value) or any(length.names() & changing for length in value.type.shape):
        return False
    rows = [
        _volume(kind.shape[1:])
        for kind in fold.state_types
        if kind.rank and set(fold.iterators) & kind.shape[0].names()
    ]
    more = [(row - _volume(value.type.shape)).constant for row in rows]
    return any(one is not None and one >= 0 for one in more)


def _volume(shape: tuple[Size, ...]) -> Size:
    return reduce(lambda one, two: one * two, shape, ONE)
