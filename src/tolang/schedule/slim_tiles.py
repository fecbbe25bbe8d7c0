"""Slimmer tiles for contractions of so few columns that a wide one computes much that nobody needs.

    c[i,j] = reduce[k](a[i,k] * b[k,j])    with 10 columns: a tile of 64 computes 54 for nothing, one of 16 only 6

Where nobody knows how many there are, each tile is a case, and a kernel of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import nonnegative
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.contraction import Contraction, count_of
from tolang.plan.schedule import ScheduleCase, Tiled
from tolang.plan.target import Target
from tolang.schedule.tile import computes_less, matrix_tile_of, shape_of, tile_of

ALSO_FOR_MANY = 3
"""A slimmer tile that takes more columns than it has is so many vectors wide at the least: others load too often."""


def cases_by_width(
    contraction: Contraction, wide: Tiled, target: Target, whole: Mapping[str, Size]
) -> tuple[ScheduleCase, ...]:
    """The slimmest tile that has room for a contraction's columns, or else the one that computes least, as cases.

    A length that is a part of one counts as that `whole` one.
    """
    shape = shape_of(contraction)
    if len(contraction.columns) != 1 or shape is None or shape.bits:
        return ()
    rows, columns = (count_of(dimensions, whole) for dimensions in (contraction.rows, contraction.columns))
    if columns.constant is not None or (target.matrices and matrix_tile_of(contraction, wide) is not None):
        return ()
    cases: list[ScheduleCase] = []
    for vectors in range(1, wide.vectors):
        slim = tile_of(contraction, target, vectors)
        many = vectors >= ALSO_FOR_MANY
        better = computes_less(slim, wide, rows, columns) if many else nonnegative(slim.columns - columns)
        cases.append(ScheduleCase(better, replace(slim, fallback=wide.fallback), rare=True))
    return tuple(dict.fromkeys(cases))
