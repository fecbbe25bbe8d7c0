"""Values brought to columns that hold more than their own: in a join, a choice and the state of a fold.

Whole numbers of Z never wrap: a u64 that meets them is held in 64 bits with a sign, and one that does not fit is an
error.  Numbers that nobody reads, at points that a mask leaves out and beyond the length of a point, harm nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tolang.ground.values.casting import cast
from tolang.ground.values.elementary import wraps
from tolang.ground.values.spaces import Column, dtype_of, storage_family
from tolang.readings.interpret.batch import Array, Batch, both


def spread(batch: Batch, capacity: int) -> list[Array]:
    """The columns; blank zeros of one component stand for lists of any capacity."""
    return batch.columns if len(batch.columns) == capacity else batch.columns * capacity


def held(batch: Batch, columns: Sequence[Column], mask: Array | None) -> list[Array]:
    """The components of a value in the storages of columns that hold it."""
    arrays = spread(batch, len(columns))
    return [_in_column(array, column, batch, mask) for array, column in zip(arrays, columns, strict=True)]


def _in_column(array: Array, column: Column, batch: Batch, mask: Array | None) -> Array:
    if wraps(column) or storage_family(column.storage) != "Z" or np.can_cast(array.dtype, dtype_of(column.storage)):
        return cast(array, column.storage, True)
    counted = _counted(array, batch, mask)
    if counted is not None:
        array = np.where(counted, array, array.dtype.type(0) if array.dtype != object else 0)
    return cast(array, column.storage)


def _counted(array: Array, batch: Batch, mask: Array | None) -> Array | None:
    """Which numbers somebody may read; None where all of them are read."""
    depth, rank = batch.depth, batch.rank
    counted = None if mask is None else _over(mask, depth, rank)
    for axis, length in enumerate(batch.lengths):
        if isinstance(length, np.ndarray):
            own = (1,) * (depth + axis) + (-1,) + (1,) * (rank - axis - 1)
            places = np.arange(1, array.shape[depth + axis] + 1).reshape(own)
            counted = both(counted, np.asarray(places <= _over(length, depth, rank)))
    return counted


def _over(grid: Array, depth: int, rank: int) -> Array:
    """An array over the grid beside the own axes of values."""
    return grid.reshape(grid.shape + (1,) * (depth - grid.ndim + rank))
