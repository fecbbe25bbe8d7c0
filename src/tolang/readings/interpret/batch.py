"""Values of the interpreter: one ToL at every point of the grid of enclosing iterators, at once.

A scalar expression inside maps is evaluated once over the whole grid.  A `Batch` holds, for each component, one
array whose first `depth` axes are the grid (of length 1 where the value does not depend on that iterator) and whose
other axes are the ToL's own.  A length of the ToL may differ from point to point: it is then an array over the
grid, and the arrays are padded to the longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.ground.dataclasses import dataclass

Array = np.ndarray[Any, Any]
Length = int | Array


@dataclass(slots=True)
class Batch:
    columns: list[Array]
    lengths: tuple[Length, ...]
    depth: int

    @property
    def rank(self) -> int:
        return len(self.lengths)

    def at_depth(self, depth: int) -> Batch:
        """The same value seen from deeper inside: axes of length 1 for the iterators it does not know."""
        if depth == self.depth:
            return self
        missing = (1,) * (depth - self.depth)
        columns = [c.reshape(c.shape[: self.depth] + missing + c.shape[self.depth :]) for c in self.columns]
        return Batch(columns, tuple(deepen(length, depth) for length in self.lengths), depth)


def deepen(length: Any, depth: int) -> Any:
    """A number over the grid, seen from deeper inside."""
    if isinstance(length, np.ndarray) and length.ndim < depth:
        return length.reshape(length.shape + (1,) * (depth - length.ndim))
    return length


def settled(length: Any, mask: Array | None) -> Length:
    """A length as a plain number where all points that count agree, else as an array without negative lengths."""
    if not isinstance(length, np.ndarray):
        return int(length)
    if length.size == 0:
        return 0
    counted = length
    if mask is not None:
        both = np.broadcast_arrays(length, mask)
        counted = both[0][both[1]]
        if counted.size == 0:
            return 0
    low, high = int(counted.min()), int(counted.max())
    return high if low == high else np.clip(length, 0, max(high, 0))


def longest(length: Length) -> int:
    return length if isinstance(length, int) else int(length.max()) if length.size else 0


def own_shape(lengths: Sequence[Length]) -> tuple[int, ...]:
    """The padded shape that holds every point's ToL."""
    return tuple(longest(length) for length in lengths)


def both(mask: Array | None, more: Array | None) -> Array | None:
    """The conjunction of two masks, None standing for true everywhere."""
    if mask is None or more is None:
        return more if mask is None else mask
    return np.asarray(mask & more)


def widen(array: Array, depth: int, shape: tuple[int, ...]) -> Array:
    """The array padded with zeros, in its own axes, to at least a shape."""
    own = array.shape[depth:]
    if own == shape:
        return array
    padding = [(0, 0)] * depth + [(0, max(0, goal - have)) for goal, have in zip(shape, own, strict=True)]
    if array.dtype == object:
        return np.pad(array, padding, constant_values=0)
    return np.pad(array, padding)
