"""Contractions of a few rows or columns: each element of the other operand is used so seldom that packing does not pay.

    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 3 rows or fewer reads b as it lies, all columns side by side
    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 3 columns or fewer reads a as it lies, along the fold
    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 8 steps and 8 rows or columns or fewer, that are known, is written out

Whether they are few is a condition on lengths, unless it is known: each case is a kernel of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.column_folds import read_side_by_side
from tolang.idioms.contraction import Contraction, Operand, Phase, count_of
from tolang.plan.access import access_of
from tolang.plan.nest import Load
from tolang.plan.schedule import LoopSchedule, ScheduleCase
from tolang.schedule.tile import demand_of, shape_of

SHORT = 8
"""Steps of a fold, and rows or columns of them, that are little code when they are written out."""
LITTLE = 256
"""Bytes that these rows or columns have at the most: more of them leave no registers for vectors of the others."""
SMALL = 1024
"""How many elements a product in a batch has at the most for packing not to pay where its folds are short."""


def is_small(contraction: Contraction, whole: Mapping[str, Size]) -> bool:
    """Whether a contraction has short folds, few rows or columns of them or a batch, all of known length.

    Such are points that one matrix moves, or small matrices: panels would hold more of nothing than of them.
    """
    depth = max(_told(count_of(phase.depth, whole)) for phase in contraction.phases)
    if depth > SHORT or any(len(phase.depth) != 1 for phase in contraction.phases):
        return False
    if _is_heavy(contraction) or not all(_are_read((*p.lefts, *p.rights)) for p in contraction.phases):
        return False
    rows, columns = (count_of(dimensions, whole) for dimensions in (contraction.rows, contraction.columns))
    elements, shape = (rows * columns).constant, shape_of(contraction)
    if contraction.batch and elements is not None and elements <= SMALL:
        return True
    few = min(_told(rows), _told(columns))
    return few <= SHORT and shape is not None and depth * few * shape.width <= LITTLE


def _told(count: Size) -> int:
    """How many there are; more than are short where that is not known."""
    return SHORT + 1 if count.constant is None else int(count.constant)


class Few(NamedTuple):
    """Schedules for few rows or columns: one that is `always` taken, since there are few, or `cases` of lengths."""

    always: LoopSchedule | None
    cases: tuple[ScheduleCase, ...]


def cases_of_few(
    contraction: Contraction, along: LoopSchedule, beside: LoopSchedule, pays: int, whole: Mapping[str, Size]
) -> Few:
    """How a contraction runs that has fewer rows or columns than packing `pays` for, which comes before its tiles.

    `along` and `beside` are the schedules for that: one fold after the other, or those at neighbouring places side by
    side.  A length that is a part of one counts as that `whole` one.
    """
    phases = contraction.phases
    columns = count_of(contraction.columns, whole)
    few_columns = columns.constant is not None and columns.constant < pays
    found: list[tuple[Size, LoopSchedule]] = []
    if all(_have_unit_stride(p.lefts, p) for p in phases) or (few_columns and _is_heavy(contraction)):
        found.append((columns, along))
    if all(_have_unit_stride(p.rights, p) for p in phases):
        found.append((count_of(contraction.rows, whole), along))
    elif all(_are_read(p.rights) for p in phases) and read_side_by_side(contraction.nest):
        found.append((count_of(contraction.rows, whole), beside))
    cases: list[ScheduleCase] = []
    for length, schedule in found:
        few = compare("<", length, Size.of(pays))
        if few.constant:
            return Few(schedule, tuple(cases))
        if few.constant is None:
            cases.append(ScheduleCase(few, schedule, rare=True))
    return Few(None, tuple(cases))


def _is_heavy(contraction: Contraction) -> bool:
    """Whether steps compute so much that how operands lie does not matter beside it."""
    shape = shape_of(contraction)
    return shape is not None and demand_of(contraction, shape).heavy


def _are_read(operands: tuple[Operand, ...]) -> bool:
    """Whether nothing is computed of what is read."""
    return all(isinstance(operand.value, Load) for operand in operands)


def _have_unit_stride(operands: tuple[Operand, ...], phase: Phase) -> bool:
    """Whether operands are read element after element as the fold goes on."""
    ((iterator, _),) = phase.depth
    loads = [operand.value for operand in operands if isinstance(operand.value, Load) and not operand.value.checks]
    along = all(access_of(load).step_of_last_axis(iterator) == ONE for load in loads)
    return along and 0 < len(loads) == len(operands)
