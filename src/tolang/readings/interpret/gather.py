"""Reading members and sub-ToLs over the grid, with every coordinate held against its ToL's shape."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.core.core import Coordinate, Part, Range, Variable
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangRunError
from tolang.ground.reporting.faults import shape_text
from tolang.ground.system.memory import refuse_beyond_memory
from tolang.ground.values.strips import STRIP, room, strips
from tolang.readings.interpret.batch import Array, Batch, Length, longest, settled
from tolang.readings.interpret.machine import FARTHEST, NO_NUMBER, InterpreterMachine, at_point, fail


def gather_part(machine: InterpreterMachine, expr: Part, subject: Batch, depth: int, mask: Array | None) -> Batch:
    """`subject[items]` at every point of the grid; all coordinates are checked before anything is read.

    Where a range leaves nothing to read, no coordinate beside it is asked for.
    """
    found = _places(machine, expr, subject, depth, mask)
    lengths = tuple(length for _, length in found if length is not None)
    own = subject.columns[0].shape[depth:]
    if all(_is_alike(start, length, extent) for (start, length), extent in zip(found, own, strict=True)):
        whole = (*(slice(None),) * depth, *(_stretch(start, length) for start, length in found), ...)
        return Batch([column[whole] for column in subject.columns], lengths, depth)
    indices: list[Any] = []
    ranges, before = len(lengths), 0
    for start, length in found:
        place = _grid_shaped(start, depth, ranges)
        if length is not None:
            place = place + np.arange(longest(length)).reshape(own_axis(depth, ranges, before))
            before += 1
        indices.append(place)
    return Batch([gather(c, indices, depth, subject.rank) for c in subject.columns], lengths, depth)


def _places(
    machine: InterpreterMachine, expr: Part, subject: Batch, depth: int, mask: Array | None
) -> list[tuple[Any, Length | None]]:
    """Where a part begins in every dimension and, where that is a range, how long it is."""
    ranges: dict[int, tuple[Any, Length]] = {}
    for axis, item in enumerate(expr.items):
        if isinstance(item, Range):
            start, length = machine.size(item.start, depth), machine.size(item.length, depth)
            _check_range(machine, expr, axis, start, length, subject.lengths[axis], mask, subject)
            ranges[axis] = start, settled(length, mask)
    read = _read(mask, [length for _, length in ranges.values()])
    found: list[tuple[Any, Length | None]] = []
    for axis, item in enumerate(expr.items):
        if isinstance(item, Range):
            found.append(ranges[axis])
        elif read is not None and not read.any():
            found.append((1, None))
        else:
            position = machine.size(item.index, depth)
            _check(machine, expr, axis, position, subject.lengths[axis], read, subject)
            found.append((position, None))
    return found


def _read(mask: Array | None, lengths: Sequence[Length]) -> Array | None:
    """The points of the grid at which a part has elements, by the lengths of its ranges; None for all points."""
    for length in lengths:
        if isinstance(length, np.ndarray) or length == 0:
            filled = np.asarray(length) > 0
            mask = filled if mask is None else mask & filled
    return mask


def _is_alike(start: Any, length: Any, extent: int) -> bool:
    """Whether a coordinate or range is the same, and inside, at every point of the grid."""
    if isinstance(start, np.ndarray) or isinstance(length, np.ndarray):
        return False
    if length is None:
        return bool(1 <= start <= extent)
    return bool(length <= 0 or (start >= 1 and start + length - 1 <= extent))


def _stretch(start: Any, length: Any) -> Any:
    """A coordinate or range, counted from 0, as NumPy takes it."""
    if length is None:
        return int(start) - 1
    return slice(int(start) - 1, int(start) - 1 + int(length)) if length > 0 else slice(0, 0)


def own_axis(depth: int, count: int, axis: int) -> tuple[int, ...]:
    return (1,) * (depth + axis) + (-1,) + (1,) * (count - axis - 1)


def _grid_shaped(position: Any, depth: int, own: int) -> Array:
    if isinstance(position, np.ndarray):
        return position.reshape(position.shape + (1,) * own)
    return np.asarray(position, dtype=np.int64).reshape((1,) * (depth + own))


def gather(array: Array, indices: list[Any], depth: int, rank: int) -> Array:
    """The array at coordinates (from 1) given for its own axes, each over the grid and the result's own axes."""
    own = array.shape[depth:]
    if not indices:
        return array
    total = indices[0].ndim
    if 0 in own:
        shape = np.broadcast_shapes(*(i.shape for i in indices))
        return np.zeros(shape, dtype=array.dtype) if array.dtype != object else np.full(shape, 0, dtype=object)
    shape = np.broadcast_shapes(*(i.shape for i in indices))
    refuse_beyond_memory(shape, array.itemsize)
    alone = all(length == 1 for length in array.shape[:depth])
    if alone and math.prod(shape) > STRIP:
        return _in_strips(array.reshape(own), [np.broadcast_to(i, shape) for i in indices])
    inside = [np.clip(i - 1, 0, length - 1) for i, length in zip(indices, own, strict=True)]
    if alone:
        return np.asarray(array.reshape(own)[tuple(inside)])
    grid = []
    for axis in range(depth):
        length = array.shape[axis]
        steps = np.arange(length).reshape((1,) * axis + (-1,) + (1,) * (total - axis - 1))
        grid.append(steps if length != 1 else np.zeros((1,) * total, dtype=np.int64))
    return np.asarray(array[tuple(grid + inside)])


def _in_strips(array: Array, indices: list[Array]) -> Array:
    """A large array at coordinates of one shape, from 1."""
    made = room(indices[0].shape, array.dtype)
    for part in strips(made.shape):
        inside = [np.clip(i[part] - 1, 0, length - 1) for i, length in zip(indices, array.shape, strict=True)]
        made[part] = array[tuple(inside)]
    return made


def _check(
    machine: InterpreterMachine,
    expr: Part,
    axis: int,
    position: Any,
    extent: Length,
    mask: Array | None,
    subject: Batch,
) -> None:
    if not isinstance(position, np.ndarray) and isinstance(extent, int) and 1 <= position <= extent:
        return
    wrong = np.asarray((position < 1) | (position > np.asarray(extent)))
    at = _first_wrong(wrong, mask)
    if at is not None:
        item = expr.items[axis]
        if isinstance(item, Coordinate):
            machine.exact_at(item.index, at)
        value = _shown(at_point(position, at))
        expected = f"1 to {at_point(extent, at)}, of the shape {_shape(subject, at)}"
        told = f"coordinate {value} is outside dimension {axis + 1} of {_name(expr)}"
        raise fail("E513", told, expr.span, found=value, expected=expected)


def _check_range(
    machine: InterpreterMachine,
    expr: Part,
    axis: int,
    start: Any,
    length: Any,
    extent: Length,
    mask: Array | None,
    subject: Batch,
) -> None:
    last = start + length - 1
    wrong = np.asarray((length < 0) | ((length > 0) & ((start < 1) | (last > np.asarray(extent)))))
    at = _first_wrong(wrong, mask)
    if at is not None:
        item = expr.items[axis]
        if isinstance(item, Range):
            machine.exact_at(item.start, at)
            machine.exact_at(item.length, at)
        lengths = [at_point(length, at) for length in subject.lengths]
        raise ToLangRunError(range_message(expr, axis, at_point(start, at), at_point(last, at), lengths))


def range_message(expr: Part, axis: int, start: int, last: int, lengths: Sequence[int]) -> Diagnostic:
    """What is wrong with a range outside its ToL, which has these lengths."""
    shown = f"{_shown(start)}:{_shown(last)}"
    return Diagnostic(
        "E513", f"the range {shown} is outside dimension {axis + 1} of {_name(expr)}", expr.span, found=shown,
        expected=f"within 1:{lengths[axis]}, of the shape {shape_text(lengths)}",
    )  # fmt: skip


def _first_wrong(wrong: Array, mask: Array | None) -> tuple[Any, ...] | None:
    if not wrong.any():
        return None
    if mask is not None:
        wrong = np.asarray(wrong & mask)
        if not wrong.any():
            return None
    return np.unravel_index(int(np.argmax(wrong)), wrong.shape)


def _shown(coordinate: int) -> str:
    """A coordinate as it is told; data that is no number, or larger than any coordinate, has none."""
    if abs(coordinate) < FARTHEST:
        return str(coordinate)
    return "NaN" if coordinate == NO_NUMBER else "of 2^62 or more" if coordinate > 0 else "of -2^62 or less"


def _name(expr: Part) -> str:
    """What the user calls the ToL: the name in front of the coordinates, or that of an input."""
    text = expr.span.text if expr.span is not None else ""
    written = re.match(r"(?:part\(\s*)?([^\W\d]\w*)\s*[\[(,]", text)
    if written is not None and written[1] not in ("map", "reduce", "part"):
        return written[1]
    if isinstance(expr.subject, Variable) and "." not in expr.subject.name:
        return expr.subject.name
    return "a ToL"


def _shape(subject: Batch, at: tuple[Any, ...]) -> str:
    return f"[{','.join(str(at_point(length, at)) for length in subject.lengths)}]"
