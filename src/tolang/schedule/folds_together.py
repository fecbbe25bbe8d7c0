"""Folds at the few coordinates of a last dimension that share most of what they compute: forces, with their parts.

    f[i,q] = reduce[j](w[j] * (p[j,q] - p[i,q]) / d(i,j)^3)        q from 1 to 3: the distance is the same for all

Taken together, what is the same for all of them is computed once.
"""

from __future__ import annotations

from tolang.idioms.column_folds import folds_of, names_around
from tolang.idioms.lanes import lanes_of_fold
from tolang.plan.nest import Group, Nest, Operation, Scalar, Where
from tolang.plan.traversal import dependencies, guards_a_fold, walk
from tolang.schedule.tile import LIGHT

MOST = 4
"""How many folds are taken together at the most, for their states to stay in registers."""


def folds_together_of(nest: Nest) -> tuple[Group, int] | None:
    """The fold of a nest that is best taken at all coordinates of the last dimension together, and how many these are.

    None where there is none, or nothing of weight is the same for all.
    """
    groups, count = folds_of(nest), nest.extents[-1].constant if nest.extents else None
    if len(nest.iterators) < 2 or len(groups) != 1 or not isinstance(count, int) or not 2 <= count <= MOST:
        return None
    (group,), last = groups, nest.iterators[-1]
    if group.combine is None or lanes_of_fold(group) == 1 or any(guards_a_fold(value) for value in nest.values):
        return None
    if any(last in extent.names() for extent in (*nest.extents, *group.extents)):
        return None
    around = {last, *names_around(nest)}
    if dependencies(group.initials[0]) & around or dependencies(group.steps[0]) & (around - {last}):
        return None
    return (group, count) if _shares(group.steps[0], last, group.iterators) else None


def _shares(step: Scalar, last: str, inside: tuple[str, ...]) -> bool:
    """Whether a part of a step that takes long is the same at all coordinates of a dimension."""
    own = {last}
    moving = set(inside)
    parts = walk(step)
    for names in (own, moving):
        bound = [(name, value) for one in parts if isinstance(one, Where) for name, value in one.bindings]
        for _ in bound:
            names |= {name for name, value in bound if dependencies(value) & names}
    heavy = [one for one in parts if isinstance(one, Operation) and one.function not in LIGHT]
    shared = [one for one in heavy if not dependencies(one) & own and dependencies(one) & moving]
    return bool(dependencies(step) & {last}) and bool(shared)
