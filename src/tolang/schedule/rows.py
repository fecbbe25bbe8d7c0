"""What loops over rows do beside their elements: decided once, as parameters of a loop schedule.

hoist         what is the same all along a row is looked up and checked before it
alternate     rows of both halves in turns, where data says that they read the same rows
reciprocal    quotients by a number that is the same all along a row are products by its reciprocal
prefetch      memory is asked for what the next row will read and write
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.plan.nest import Each, Group, Nest, Reduction
from tolang.plan.schedule import LoopSchedule
from tolang.plan.target import Target
from tolang.plan.traversal import occurrences
from tolang.schedule.next_rows import next_rows
from tolang.schedule.row_invariants import row_invariants_of, rows_read_by_lookup
from tolang.schedule.shared_quotients import shared_quotients

SMALL_WINDOW = 8
"""Folds over constant extents up to this are unrolled, so that the loop around them runs on vectors."""


def rows_in(nest: Nest, alone: bool) -> int:
    """How many dimensions of a nest are its rows, the others being inside them; one thread runs it `alone`."""
    count = len(nest.iterators)
    return count if not alone and (count == 1 or folds_long(nest)) else max(0, count - 1)


def folds_long(nest: Nest) -> bool:
    """Whether a nest has folds that are not unrolled."""
    groups = [one.scalar.group for v in nest.values for one in occurrences(v) if isinstance(one.scalar, Reduction)]
    extents = [extent for group in groups for extent in group.extents]
    return any(extent.constant is None or extent.constant > SMALL_WINDOW for extent in extents)


def loops_over_rows(nest: Nest, alone: bool, target: Target) -> LoopSchedule:
    """The loops of a nest whose elements are computed one by one."""
    rows = rows_in(nest, alone)
    inner = nest.iterators[rows:]
    still = row_invariants_of(nest.values, frozenset(inner)) if rows and inner else None
    left = nest if still is None else replace(nest, values=still.values)
    return LoopSchedule(
        hoist=still is not None,
        alternate=not alone and still is not None and bool(rows_read_by_lookup(nest, still)),
        reciprocal=target.slow_division and bool(shared_quotients(left, inner)),
    )


def loops_of_fold(group: Group, schedule: LoopSchedule) -> LoopSchedule:
    """The loops of a fold in lanes, whose last dimension goes along rows."""
    changing = frozenset({group.iterators[-1], *group.states})
    still = row_invariants_of(group.steps, changing) if len(group.iterators) > 1 else None
    return schedule if still is None else replace(schedule, hoist=True)


def loops_of_steps(each: Each) -> LoopSchedule:
    """The loops of steps at every coordinate."""
    return LoopSchedule(prefetch=next_rows(each) is not None)
