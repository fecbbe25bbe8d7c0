"""How large an evaluation over the grid gets, and how to cut it so that memory stays bounded."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tolang.core.core import Expr, Map, Reduce
from tolang.ground.diagnostics import ToLangRunError
from tolang.ground.sizes import Size
from tolang.readings.interpret.machine import Machine


def pieces(
    machine: Machine, expr: Map | Reduce, depth: int, shape: tuple[int, ...], axis: int
) -> Iterator[tuple[int, int]]:
    """Stretches (first, last) of one of the iterators, each small enough to evaluate at once."""
    length = shape[axis]
    if length == 0:
        yield 1, 0
        return
    inner = max((_volume(machine, child, depth) for child in expr.children()), default=1)
    others = 1
    for position, extent in enumerate(shape):
        if position != axis:
            others *= max(extent, 1)
    room = max(1, machine.limit // max(1, inner * others * math.prod(machine.grid[:depth])))
    for low in range(1, length + 1, room):
        yield low, min(low + room - 1, length)


def _volume(machine: Machine, expr: Expr, depth: int) -> int:
    """The most numerics that evaluating an expression holds for each point around it."""
    inner = max((_volume(machine, child, depth) for child in expr.children()), default=1)
    if isinstance(expr, Map | Reduce):
        for extent in expr.extents:
            inner *= _longest(machine, extent, depth)
    return inner


def _longest(machine: Machine, extent: Size, depth: int) -> int:
    try:
        number = machine.size(extent, depth)
    except (KeyError, ValueError, ToLangRunError):
        return 1
    if isinstance(number, np.ndarray):
        return max(1, int(number.max())) if number.size else 1
    return max(1, int(number))
