"""Joining, reshaping, rearranging and tiling over the grid: the primitives that only move elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tolang.core.core import Join, Reshape, Swap, Tile
from tolang.ground.system.memory import refuse_beyond_allowance
from tolang.ground.values.strips import STRIP, assign, contiguous, room, strips
from tolang.readings.interpret.batch import Array, Batch, Length, longest, own_shape, settled, widen
from tolang.readings.interpret.gather import gather
from tolang.readings.interpret.holding import held
from tolang.readings.interpret.machine import InterpreterMachine, as_index, fail


def join(expr: Join, parts: list[Batch], depth: int, mask: Array | None) -> Batch:
    """Parts one after the other along an axis; numerics are blocks of one."""
    rank = expr.type.rank
    blocks = [_as_block(p, rank, depth) for p in parts]
    lengths: list[Length] = list(blocks[0].lengths)
    ends: list[Any] = [0]
    for block in blocks:
        ends.append(ends[-1] + block.lengths[expr.axis])
    lengths[expr.axis] = settled(ends[-1], mask)
    columns = []
    for together in zip(*(held(block, expr.type.columns, mask) for block in blocks), strict=True):
        arrays = list(together)
        if all(isinstance(b.lengths[expr.axis], int) for b in blocks):
            columns.append(_concatenated(arrays, depth, expr.axis, lengths))
        else:
            columns.append(_ragged(arrays, blocks, ends, depth, expr.axis, lengths))
    return Batch(columns, tuple(lengths), depth)


def _as_block(batch: Batch, rank: int, depth: int) -> Batch:
    if batch.rank == rank:
        return batch
    columns = [c.reshape(c.shape + (1,) * rank) for c in batch.columns]
    return Batch(columns, (1,) * rank, depth)


def _concatenated(arrays: list[Array], depth: int, axis: int, lengths: list[Length]) -> Array:
    """Arrays joined along an axis, broadcast to one grid and one shape beside it."""
    grid = np.broadcast_shapes(*(a.shape[:depth] for a in arrays))
    beside = own_shape(lengths)
    whole = sum(array.shape[depth + axis] for array in arrays)
    shape = (*grid, *beside[:axis], whole, *beside[axis + 1 :])
    if not depth:
        refuse_beyond_allowance(shape, arrays[0].itemsize)
    made = room(shape, arrays[0].dtype)
    before = 0
    for array in arrays:
        length = array.shape[depth + axis]
        part = (slice(None),) * (depth + axis) + (slice(before, before + length),)
        assign(made[part], widen(array, depth, (*beside[:axis], length, *beside[axis + 1 :])))
        before += length
    return made


def _ragged(
    arrays: list[Array], blocks: list[Batch], ends: list[Any], depth: int, axis: int, lengths: list[Length]
) -> Array:
    """Arrays whose lengths differ from point to point, each read at its own offset."""
    shape = own_shape(lengths)
    rank = len(shape)
    steps = [
        np.arange(1, n + 1).reshape((1,) * (depth + a) + (-1,) + (1,) * (rank - a - 1)) for a, n in enumerate(shape)
    ]
    result: Array | None = None
    for array, block, start in zip(arrays, blocks, ends, strict=False):
        begin, length = _over_grid(start, depth, rank), _over_grid(block.lengths[axis], depth, rank)
        indices = list(steps)
        indices[axis] = steps[axis] - begin
        read = gather(array, indices, depth, rank)
        here = (steps[axis] > begin) & (steps[axis] <= begin + length)
        result = (
            np.broadcast_to(read, np.broadcast_shapes(read.shape, here.shape))
            if result is None
            else np.where(here, read, result)
        )
    assert result is not None
    return result


def _over_grid(number: Any, depth: int, rank: int) -> Any:
    return number.reshape(number.shape + (1,) * rank) if isinstance(number, np.ndarray) else number


def reshape(machine: InterpreterMachine, expr: Reshape, subject: Batch, depth: int, mask: Array | None) -> Batch:
    """The same elements, last coordinate fastest, in another shape."""
    lengths = tuple(settled(machine.size(s, depth), mask) for s in expr.type.shape)
    if all(isinstance(length, int) for length in (*lengths, *subject.lengths)):
        shape = own_shape(lengths)
        return Batch([_reshaped(c, c.shape[:depth] + shape) for c in subject.columns], lengths, depth)
    rank = len(lengths)
    flat: Any = 0
    for axis, length in enumerate(lengths):
        steps = np.arange(longest(length)).reshape((1,) * (depth + axis) + (-1,) + (1,) * (rank - axis - 1))
        flat = flat * _over_grid(length, depth, rank) + steps
    indices: list[Any] = []
    for length in reversed(subject.lengths):
        size = np.maximum(_over_grid(length, depth, rank), 1)
        indices.insert(0, np.asarray(flat % size + 1))
        flat = flat // size
    return Batch([gather(c, indices, depth, subject.rank) for c in subject.columns], lengths, depth)


def _reshaped(array: Array, shape: tuple[int, ...]) -> Array:
    """The array in another shape: one value over and over as it is, anything else copied where that must be."""
    if array.ndim and array.size and not any(array.strides):
        return np.broadcast_to(array[(slice(0, 1),) * array.ndim].reshape((1,) * len(shape)), shape)
    return contiguous(array).reshape(shape)


def swap(expr: Swap, subject: Batch, order: Batch, depth: int, mask: Array | None) -> Batch:
    """One axis rearranged; the order must be a permutation."""
    positions = as_index(order.columns[0])
    length = positions.shape[-1]
    wrong = ~_permutes(positions)
    if mask is not None:
        wrong = np.asarray(wrong & mask)
    if wrong.any():
        raise fail(
            "E514",
            "the order of swap is not a permutation",
            expr.span,
            found=str(positions.reshape(-1, length)[0].tolist()),
        )
    rank = subject.rank
    steps: list[Any] = []
    for axis in range(rank):
        own = (1,) * axis + (-1,) + (1,) * (rank - axis - 1)
        grid = positions.shape[:-1] if axis == expr.axis else (1,) * depth
        values = positions if axis == expr.axis else np.arange(1, longest(subject.lengths[axis]) + 1)
        steps.append(values.reshape(grid + own))
    return Batch([gather(c, steps, depth, rank) for c in subject.columns], subject.lengths, depth)


def _permutes(positions: Array) -> Array:
    """Whether vectors, along the last axis, name every coordinate once."""
    length = positions.shape[-1]
    if positions.ndim > 1 or length <= STRIP:
        return np.asarray((np.sort(positions, axis=-1) == np.arange(1, length + 1)).all(axis=-1))
    met = np.zeros(length, dtype=bool)
    for part in strips(positions.shape):
        here = positions[part]
        if ((here < 1) | (here > length)).any():
            return np.asarray(False)
        met[here - 1] = True
    return np.asarray(met.all())


def tile(expr: Tile, subject: Batch, depth: int) -> Batch:
    """The last axis moved into the list."""
    length = longest(subject.lengths[-1])
    columns = [c[..., position] for position in range(length) for c in subject.columns]
    return Batch(columns, subject.lengths[:-1], depth)
