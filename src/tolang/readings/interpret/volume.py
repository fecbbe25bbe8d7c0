"""How large an evaluation over the grid gets, and how to cut it so that memory stays bounded, and so does each step.

What is cut is evaluated piece by piece: `boxes` are the pieces, and `enter` has the iterators run over one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from tolang.core.core import Expr, Map, Reduce
from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.strips import combinations
from tolang.readings.interpret.batch import Array, Length, both
from tolang.readings.interpret.machine import InterpreterMachine

Box = tuple[tuple[int, int], ...]
"""The first and the last coordinate of a stretch of each iterator."""


def boxes(
    machine: InterpreterMachine, expr: Map | Reduce, depth: int, shape: tuple[int, ...], slowest_first: Sequence[int]
) -> Iterator[Box]:
    """The coordinates of a map or fold in boxes, each small enough to evaluate at once, in the order of its axes.

    Axes are whole from the fastest on, as far as they fit; the next is cut, and of slower ones one coordinate is taken
    at a time.
    """
    inner = max((volume(machine, child, depth) for child in expr.children()), default=1)
    room = max(1, machine.limit // max(1, inner * math.prod(machine.grid[:depth])))
    spans = dict.fromkeys(slowest_first, 1)
    for axis in reversed(slowest_first):
        spans[axis] = max(1, min(shape[axis], room))
        room = room // max(1, shape[axis]) if shape[axis] <= room else 1
    for corner in combinations([range(1, shape[axis] + 1, spans[axis]) for axis in slowest_first]):
        low = dict(zip(slowest_first, corner, strict=True))
        yield tuple((low[axis], min(low[axis] + spans[axis] - 1, length)) for axis, length in enumerate(shape))


def enter(
    machine: InterpreterMachine,
    iterators: tuple[str, ...],
    extents: list[Length],
    depth: int,
    mask: Array | None,
    box: Box,
) -> Array | None:
    """Binds iterators to new grid axes, over the coordinates of a box; gives the mask inside."""
    inner = depth + len(iterators)
    deeper = None if mask is None else mask.reshape(mask.shape + (1,) * (inner - mask.ndim))
    for axis, (iterator, extent, (first, last)) in enumerate(zip(iterators, extents, box, strict=True)):
        steps = np.arange(first, last + 1).reshape((1,) * (depth + axis) + (-1,))
        machine.numbers[iterator] = steps
        machine.extend_grid(depth + axis, max(1, last - first + 1))
        if isinstance(extent, np.ndarray):
            here = steps.reshape(steps.shape + (1,) * (inner - steps.ndim))
            limit = extent.reshape(extent.shape + (1,) * (inner - extent.ndim))
            deeper = both(deeper, np.asarray(here <= limit))
    return deeper


def volume(machine: InterpreterMachine, expr: Expr, depth: int) -> int:
    """The most numerics that evaluating an expression holds for each point around it."""
    inner = max((volume(machine, child, depth) for child in expr.children()), default=1)
    if isinstance(expr, Map | Reduce):
        for extent in expr.extents:
            inner *= _longest(machine, extent, depth)
    return inner


def _longest(machine: InterpreterMachine, extent: Size, depth: int) -> int:
    try:
        number = machine.size(extent, depth)
    except (KeyError, ValueError, ToLangRunError):
        return 1
    if isinstance(number, np.ndarray):
        return max(1, int(number.max())) if number.size else 1
    return max(1, int(number))
