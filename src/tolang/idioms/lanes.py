"""Lanes: how many elements of a fold go side by side, which with its extents decides the tree of its sum."""

from __future__ import annotations

from collections.abc import Sequence

from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import Column, is_float
from tolang.idioms.column_folds import is_window
from tolang.plan.grain import VECTORS, lanes_of_a_vector
from tolang.plan.nest import Group, Scalar
from tolang.plan.traversal import has_fold


def lanes_of_fold(group: Group) -> int:
    """The lanes of a fold whose sum may be regrouped; 1 where its elements come one after the other.

    That is so where they are few, where each is a fold itself, where several pieces of code have to round alike, and
    for whole and narrow numbers: of whole ones LLVM makes vectors, as their sums are the same in any order.
    """
    if group.ordered or is_window(group):
        return 1
    return lanes_of(group.columns[0], group.steps[0], group.extents)


def lanes_of(column: Column, step: Scalar, extents: Sequence[Size]) -> int:
    """The lanes of a fold with a step over some extents, the last of them the innermost loop."""
    if not is_float(column.storage) or has_fold(step):
        return 1
    lanes, length = lanes_of_a_vector(column.storage), extents[-1].constant
    return 1 if length is not None and length < lanes else VECTORS * lanes
