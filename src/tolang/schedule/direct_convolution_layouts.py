"""Turned windows: where windows are in few places, what lies beside them fills the vectors.

    y[o,c,a,b] = reduce[n,i,j](d[n,o,i,j] * x[n,c,i+a-1,j+b-1])        a, b <= 3

is the gradient of a convolution by its weights.  Read along b, three columns lie side by side; along c, as many as
there are maps.  So c is the last dimension of a result of its own,

    t[o,a,b,c] = reduce[n,i,j](d[n,o,i,j] * x[n,c,i+a-1,j+b-1])        y[o,c,a,b] = t[o,a,b,c]

whose columns are read from a copy of x with its maps innermost.  Every fold keeps its order.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import reduce

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition, junction, nonnegative
from tolang.ground.symbolic.sizes import ONE
from tolang.idioms.contraction import contraction_of, fold_apart
from tolang.plan.nest import Buffer, Nest
from tolang.plan.target import Target
from tolang.schedule.direct_convolution import LEAST_DEPTH, fills_lanes
from tolang.schedule.tile import tile_of
from tolang.schedule.windows import windows_of


@dataclass(frozen=True, slots=True)
class TurnedWindows:
    """A contraction whose result has another order, what puts it in its own, and whether there is enough for that."""

    result: Buffer
    contraction: Nest
    rest: Nest
    enough: Condition


def turned_windows_of(nest: Nest, numbers: Iterator[int], target: Target) -> TurnedWindows | None:
    """A contraction of windows with another dimension last; None where it has none, or windows in many places."""
    contraction = contraction_of(nest) if len(nest.values) == 1 and fills_lanes(target) else None
    windows = None if contraction is None else windows_of(contraction)
    if contraction is None or windows is None:
        return None
    plain, moving = contraction.columns[: -len(windows.axes)], contraction.columns[-len(windows.axes) :]
    lanes = tile_of(contraction, target).lanes
    known = all(isinstance(extent.constant, int) for _, extent in moving)
    if not plain or not known or not windows.axes[-1].moves or nonnegative(moving[-1][1] - lanes).constant:
        return None
    order = (*contraction.batch, *contraction.rows, *plain[:-1], *moving, plain[-1])
    depth = reduce(operator.mul, (extent for _, extent in contraction.depth), ONE)
    enough = junction("and", [nonnegative(plain[-1][1] - lanes), nonnegative(depth - LEAST_DEPTH)])
    parts = fold_apart(contraction, order, f"turned {next(numbers)}_1.1")
    (phase, *others) = contraction.phases
    if parts is None or others or len(phase.group.states) != 1:
        return None
    return TurnedWindows(parts[0].targets[0][0], *parts, enough)
