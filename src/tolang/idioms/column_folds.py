"""Folds whose elements lie side by side in memory along the last dimension outside them: the sums of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import dtype_of
from tolang.plan.access import access_of
from tolang.plan.grain import WINDOW, WINDOW_SIDE
from tolang.plan.kinds import IN_ORDER, kind_of
from tolang.plan.nest import Checked, Group, Load, Nest, Reduction, Scalar, Where
from tolang.plan.traversal import dependencies, guards_a_fold, volume, walk

PLACES, FEWEST_PLACES = 1024, 128
"""The most folds side by side, and the fewest where there are too few blocks of them for all threads."""
MOST_PLACES, STATE_BYTES = 4096, 1 << 14
"""As many there are side by side where their states take no more bytes than that: a longer part of each row is read
before the next one, which lies elsewhere."""


def runs_side_by_side(nest: Nest) -> bool:
    """Whether the folds of a nest are best run side by side: they read along its last dimension, and are no windows."""
    return read_side_by_side(nest) and not all(is_window(group) for group in folds_of(nest))


def read_side_by_side(nest: Nest) -> bool:
    """Whether all folds of a nest read along its last dimension."""
    groups = folds_of(nest)
    if not nest.iterators or not groups or any(guards_a_fold(value) for value in nest.values):
        return False
    last, outside = nest.iterators[-1], set(nest.iterators)
    bound = names_around(nest)
    return not any(e.names() & outside for e in nest.extents) and all(_suits(g, last, bound) for g in groups)


def places_side_by_side(groups: Iterable[Group]) -> int:
    """How many of some folds are side by side at the most."""
    state = sum(dtype_of(column.storage).itemsize for group in groups for column in group.columns)
    return max(PLACES, min(MOST_PLACES, STATE_BYTES // state // FEWEST_PLACES * FEWEST_PLACES))


def names_around(nest: Nest) -> dict[str, Scalar]:
    """The names that a nest's values bind, in order."""
    return {n: s for v in nest.values for one in walk(v) if isinstance(one, Where) for n, s in one.bindings}


def folds_of(nest: Nest) -> list[Group]:
    """The folds of a nest, each once."""
    found = {id(one.group): one.group for v in nest.values for one in walk(v) if isinstance(one, Reduction)}
    return list(found.values())


def _suits(group: Group, last: str, bound: Mapping[str, Scalar]) -> bool:
    """Whether what a fold reads lies side by side along a dimension outside it, and something does."""
    inside = [one for s in group.steps for one in walk(s)]
    needed = needed_names(group, bound)
    initial = [one for s in (*group.initials, *needed.values()) for one in walk(s)]
    if any(isinstance(one, Reduction | Checked) for one in inside) or any(last in e.names() for e in group.extents):
        return False
    if any(isinstance(one, Reduction) for one in initial):
        return False
    names = {name for one in inside if isinstance(one, Where) for name, _ in one.bindings}
    if any(dependencies(s) & bound.keys() for s in group.steps):
        return False
    beside = False
    for load in inside:
        if not isinstance(load, Load):
            continue
        if load.checks or any(index.names() & names for index in load.indices):
            return False
        if not access_of(load).invariant(last):
            if not _is_beside(load, last, group):
                return False
            beside = True
    return beside


def _is_beside(load: Load, last: str, group: Group) -> bool:
    """Whether a read has unit stride along a dimension, or runs back along a row that a fold does not move."""
    step = access_of(load).step_of_last_axis(last)
    return step == ONE or (step == -ONE and load.indices[-1].names().isdisjoint(group.iterators))


def needed_names(group: Group, bound: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The names bound around a fold that its initial state is computed from, in order."""
    used = {name for s in group.initials for name in dependencies(s)}
    for name in reversed(list(bound)):
        if name in used:
            used |= dependencies(bound[name])
    return {name: value for name, value in bound.items() if name in used}


def is_window(group: Group) -> bool:
    """Whether a fold has so few elements, as many as is known, that it is unrolled with its state in registers."""
    elements = volume(group.extents)
    short = all(extent.constant is not None and extent.constant <= WINDOW_SIDE for extent in group.extents)
    return elements is not None and elements <= WINDOW and short


def in_their_order(group: Group) -> tuple[tuple[str, ...], tuple[Size, ...]]:
    """The dimensions of a fold from the outermost loop to the innermost: as memory runs, unless its order counts."""
    order = slice(None, None, -1) if kind_of(group) == IN_ORDER else slice(None)
    return group.iterators[order], group.extents[order]
