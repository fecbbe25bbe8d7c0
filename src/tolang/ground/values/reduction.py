"""Folds of the basic functions along dimensions: what `reduce(t, add, 0)` and its kin mean on arrays.

Without `strict` NumPy chooses the order of additions, which is faster and rounds less.  With it the elements are
taken one by one, the first coordinate fastest, as Table 4 of the paper writes the fold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tolang.ground.reporting.faults import fault, first_true, place_text
from tolang.ground.system.memory import memory_fault
from tolang.ground.values.casting import OBJECT_STORAGES, Array, by_element, cast
from tolang.ground.values.exact import EXACT
from tolang.ground.values.extremes import FUNCTIONS, extremum, reduce_extremum, running_extremum
from tolang.ground.values.overflow import GREATEST, LEAST, OVERFLOWS, overflow_fault
from tolang.ground.values.spaces import NARROW_FLOATS, Column, storage_family

COMBINES: dict[str, Any] = {
    "add": np.add, "mul": np.multiply, **FUNCTIONS,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip
"""The combines that may be folded in any order, and NumPy's function for each."""

STRETCH = 1 << 16
"""How many steps of a strict fold are taken at once, to bound the memory its running results need."""


def reduce_along(
    name: str, array: Array, axes: Sequence[int], result: Column, initial: Any = None, strict: bool = False
) -> Array:
    """Fold a basic combine over some axes (counted from 0); `initial` broadcasts to the shape that is kept.

    The fold of nothing is its initial value.  Overflow of whole numbers of Z is an error: without `strict` if the exact
    total does not fit, with it as soon as a running total does not.
    """
    wrap = result.space.is_machine
    try:
        with np.errstate(all="ignore"):
            brought = cast(np.asarray(array), result.storage, wrap)
            folded = tuple(sorted({axis % brought.ndim for axis in axes})) if brought.ndim else ()
            start = None if initial is None else cast(np.asarray(initial), result.storage, wrap)
            if start is not None:
                kept = [length for axis, length in enumerate(brought.shape) if axis not in folded]
                start = np.broadcast_to(start, kept)
            return _fold(name, brought, folded, result, start, strict)
    except MemoryError as error:
        raise memory_fault(f"folding {name}") from error


def accumulate(name: str, array: Array, axis: int, result: Column, initial: Any = None) -> Array:
    """The running results of a fold along one axis, in order; each includes its own element."""
    wrap = result.space.is_machine
    with np.errstate(all="ignore"):
        laid = np.moveaxis(cast(np.asarray(array), result.storage, wrap), axis, 0)
        if initial is None:
            return np.moveaxis(_running(name, laid, result), 0, axis)
        start = np.broadcast_to(cast(np.asarray(initial), result.storage, wrap), laid.shape[1:])
        return np.moveaxis(_running(name, np.concatenate([start[None], laid]), result)[1:], 0, axis)


def _axes_first(array: Array, folded: tuple[int, ...]) -> Array:
    """The folded axes as one leading axis, in the order a fold visits them: the first coordinate fastest."""
    if not folded:
        return array[None]
    kept = [axis for axis in range(array.ndim) if axis not in folded]
    length = math.prod(array.shape[axis] for axis in folded)
    moved = array.transpose([*reversed(folded), *kept])
    return moved.reshape((length, *(array.shape[axis] for axis in kept)))


def _is_checked(result: Column) -> bool:
    """Whether results are whole numbers of Z, which must not wrap."""
    return storage_family(result.storage) == "Z" and not result.space.is_machine


def _fold(name: str, array: Array, folded: tuple[int, ...], result: Column, start: Array | None, strict: bool) -> Array:
    """Choose how to fold: exactly, in order, checked, or as NumPy likes."""
    if result.storage in OBJECT_STORAGES:
        return _fold_objects(name, _axes_first(array, folded), start)
    if strict:
        return _fold_in_order(name, _axes_first(array, folded), result, start)
    if _is_checked(result) and name in ("add", "mul"):
        total = _checked_sum(array, folded, start) if name == "add" else _checked_product(array, folded, start)
        return cast(total, result.storage)
    if result.storage in NARROW_FLOATS:
        wide = _reduced(name, array.astype(np.float32), folded, None if start is None else start.astype(np.float32))
        return wide.astype(array.dtype)
    return _reduced(name, array, folded, start)


def _reduced(name: str, array: Array, folded: tuple[int, ...], start: Array | None) -> Array:
    """NumPy's own reduction, then the initial value, which NumPy takes only as a number."""
    if start is not None and any(array.shape[axis] == 0 for axis in folded):
        return start.copy()
    if name in FUNCTIONS:
        found = reduce_extremum(name, array, folded)
        return found if start is None else extremum(name, start, found)
    combine = COMBINES[name]
    total = np.asarray(combine.reduce(array, axis=folded, dtype=array.dtype))
    return total if start is None else np.asarray(combine(start, total))


def _fold_objects(name: str, laid: Array, start: Array | None) -> Array:
    """Exact numbers and text, one step after another."""
    position = 0
    if start is None:
        start, position = laid[0], 1
    state = start
    for index in range(position, laid.shape[0]):
        state = by_element(EXACT[name], state, laid[index])
    return np.array(state, dtype=object)


def _fold_in_order(name: str, laid: Array, result: Column, start: Array | None) -> Array:
    """The fold step by step, in stretches, each continuing from the last running result."""
    position = 0
    if start is None:
        start, position = laid[0], 1
    state = start
    while position < laid.shape[0]:
        stretch = np.concatenate([state[None], laid[position : position + STRETCH]])
        state = _running(name, stretch, result)[-1]
        position += STRETCH
    return np.array(state)


def _running(name: str, laid: Array, result: Column) -> Array:
    """Running results along the leading axis, strictly in order; whole numbers of Z are checked at each step."""
    if result.storage in OBJECT_STORAGES:
        rows = [laid[0]] if laid.shape[0] else []
        for index in range(1, laid.shape[0]):
            rows.append(by_element(EXACT[name], rows[-1], laid[index]))
        return np.stack(rows) if rows else laid
    if name in FUNCTIONS:
        return running_extremum(name, laid)
    outcome: Array = COMBINES[name].accumulate(laid, axis=0, dtype=laid.dtype)
    if _is_checked(result) and name in ("add", "mul") and laid.shape[0] > 1:
        before, elements, after = (one.astype(np.int64, copy=False) for one in (outcome[:-1], laid[1:], outcome[1:]))
        wrong = OVERFLOWS[name](before, elements, after)
        if wrong.any():
            raise overflow_fault(name, (before, elements), wrong)
    return outcome


def _checked_sum(array: Array, folded: tuple[int, ...], start: Array | None) -> Array:
    """A sum is taken as it is where the extremes prove it fits; else high and low halves are summed apart."""
    wide = cast(array, "i64")
    total = _reduced("add", wide, folded, start)
    if not wide.size:
        return total
    length = math.prod(wide.shape[axis] for axis in folded)
    low, high = length * int(wide.min()), length * int(wide.max())
    if start is not None and start.size:
        low, high = low + int(start.min()), high + int(start.max())
    if low >= LEAST and high <= GREATEST:
        return total
    lower = _reduced("add", wide & 0xFFFFFFFF, folded, None if start is None else start & 0xFFFFFFFF)
    upper = _reduced("add", wide >> 32, folded, None if start is None else start >> 32) + (lower >> 32)
    _refuse_total("sum", np.asarray((upper < -(2**31)) | (upper >= 2**31)))
    return total


def _checked_product(array: Array, folded: tuple[int, ...], start: Array | None) -> Array:
    """Magnitudes are multiplied in pairs, as a tree; a line with a zero in it is zero whatever else it holds."""
    laid = cast(_axes_first(array, folded), "i64")
    if start is not None:
        laid = np.concatenate([start[None], laid])
    negative = np.asarray(np.logical_xor.reduce(laid < 0, axis=0))
    magnitude = np.where((laid == 0).any(axis=0), np.uint64(0), np.abs(laid).view(np.uint64))
    wrong = np.zeros(laid.shape[1:], dtype=bool)
    while magnitude.shape[0] > 1:
        even = magnitude.shape[0] // 2 * 2
        first, second = magnitude[0:even:2], magnitude[1:even:2]
        product = first * second
        wrong |= ((first != 0) & (product // np.maximum(first, np.uint64(1)) != second)).any(axis=0)
        magnitude = np.concatenate([product, magnitude[even:]])
    total = magnitude[0] if magnitude.shape[0] else np.ones(laid.shape[1:], dtype=np.uint64)
    _refuse_total("product", wrong | (total > np.uint64(2**63)) | (total == np.uint64(2**63)) & ~negative)
    signed = total.astype(np.int64)
    return np.asarray(np.where(negative, -signed, signed))


def _refuse_total(what: str, wrong: Array) -> None:
    """Raise the overflow error of a whole fold, at the coordinates of its result."""
    if wrong.any():
        place = place_text(first_true(wrong), wrong.shape)
        raise fault("E505", f"the {what}{place} does not fit the 64-bit integers")
