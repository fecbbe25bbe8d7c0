"""Large arrays in strips, so that no single call of NumPy lasts: between two calls Python sees to signals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tolang.ground.system.memory import refuse_beyond_memory

Array = np.ndarray[Any, Any]

STRIP = 1 << 22
"""How many elements are moved, or computed with, at a time."""


def strips(shape: tuple[int, ...], most: int = STRIP) -> Iterator[tuple[Any, ...]]:
    """Indices of parts of an array, each of no more elements than `most`, one after the other."""
    size = math.prod(shape)
    if size <= most:
        yield (...,)
        return
    within = size // shape[0]
    if within > most:
        for row in range(shape[0]):
            for inner in strips(shape[1:], most):
                yield (row, *inner)
        return
    rows = most // within
    for low in range(0, shape[0], rows):
        yield (slice(low, low + rows), ...)


def combinations(ranges: Sequence[range]) -> Iterator[tuple[int, ...]]:
    """Every choice of one number of each range, the last fastest; unlike those of `itertools`, ranges may be long."""
    if not ranges:
        yield ()
        return
    for first in ranges[0]:
        for rest in combinations(ranges[1:]):
            yield (first, *rest)


def room(shape: tuple[int, ...], kind: Any, what: str = "a ToL") -> Array:
    """An array to be filled, refused where there is not enough memory for it."""
    refuse_beyond_memory(shape, np.dtype(kind).itemsize, what)
    return np.empty(shape, dtype=kind)


def assign(goal: Array, source: Array) -> None:
    """Copies an array that broadcasts to another's shape into that one."""
    spread = np.broadcast_to(source, goal.shape)
    for part in strips(goal.shape):
        goal[part] = spread[part]


def contiguous(array: Array) -> Array:
    """The array with its elements one after the other, copied where they are not."""
    if array.flags.c_contiguous or not array.ndim:
        return array
    made = room(array.shape, array.dtype)
    assign(made, array)
    return made
