"""Folds: at once by NumPy's own reductions where the combine is a basic one, or a search, else step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tolang.core.core import Apply, Expr, Let, Reduce, Variable
from tolang.core.tidy import own_names
from tolang.core.types import Type
from tolang.ground.values.elementary import reduce_along
from tolang.ground.values.functions import REORDERABLE
from tolang.ground.values.spaces import NARROW_FLOATS
from tolang.ground.values.strips import combinations
from tolang.readings.interpret.batch import Array, Batch, Length, both, longest, own_shape, settled, widen
from tolang.readings.interpret.holding import held
from tolang.readings.interpret.machine import InterpreterMachine
from tolang.readings.interpret.searches import found_at_once, search_of
from tolang.readings.interpret.volume import boxes, enter

Evaluate = Callable[[InterpreterMachine, Expr, int, Array | None], list[Batch]]


def fold(machine: InterpreterMachine, expr: Reduce, depth: int, mask: Array | None, evaluate: Evaluate) -> list[Batch]:
    """A fold over the grid: one result for each point."""
    extents = [machine.length(e, depth, mask, expr.span) for e in expr.extents]
    combined = _basic_combine(expr)
    if combined is not None and not (machine.strict and _is_rounded_late(expr, combined[1])):
        return [_at_once(machine, expr, combined, extents, depth, mask, evaluate)]
    search = search_of(expr)
    found = None if search is None else found_at_once(machine, search, extents[0], depth, mask, evaluate)
    return _step_by_step(machine, expr, extents, depth, mask, evaluate) if found is None else [found]


def _is_rounded_late(expr: Reduce, element: Expr) -> bool:
    """Whether steps are computed in a wider type than that of the state, with elements that do not fit it."""
    storage = expr.state_types[0].column.storage
    return storage in NARROW_FLOATS and element.type.column.storage != storage


def _uses(expr: Expr, name: str) -> bool:
    return name in own_names(expr) or any(_uses(child, name) for child in expr.children())


def _basic_combine(expr: Reduce) -> tuple[str, Expr, list[Let]] | None:
    """The function and element of a step `f(state, element)` with a basic f, whose element does not use the state."""
    if len(expr.states) != 1 or expr.lengths or not expr.state_types[0].is_numeric:
        return None
    state = expr.states[0]
    lets: list[Let] = []
    step = expr.step
    while isinstance(step, Let) and not _uses(step.value, state):
        lets.append(step)
        step = step.body
    if not isinstance(step, Apply) or step.function not in REORDERABLE:
        return None
    first, second = step.arguments
    if isinstance(first, Variable) and first.name == state and not _uses(second, state):
        return step.function, second, lets
    return None


def _at_once(
    machine: InterpreterMachine,
    expr: Reduce,
    combined: tuple[str, Expr, list[Let]],
    extents: list[Length],
    depth: int,
    mask: Array | None,
    evaluate: Evaluate,
) -> Batch:
    """All elements evaluated over the grid, in boxes one after the other, and folded by NumPy."""
    function, element, lets = combined
    column = expr.state_types[0].column
    (state,) = held(evaluate(machine, expr.initials[0], depth, mask)[0], [column], mask)
    inner = depth + len(expr.iterators)
    shape = own_shape(extents)
    for box in boxes(machine, expr, depth, shape, range(len(shape))[::-1]):
        deeper = enter(machine, expr.iterators, extents, depth, mask, box)
        for let in lets:
            _bind(machine, let, evaluate(machine, let.value, inner, deeper))
        array = evaluate(machine, element, inner, deeper)[0].columns[0]
        array = np.broadcast_to(array, (*array.shape[:depth], *(high - low + 1 for low, high in box)))
        if deeper is not None:
            array = np.where(deeper, array, _neutral(function, array, state, len(expr.iterators)))
        grid = np.broadcast_shapes(array.shape[:depth], state.shape)
        array = np.broadcast_to(array, grid + array.shape[depth:])
        axes = range(depth, inner)
        state = reduce_along(function, array, list(axes), column, np.broadcast_to(state, grid), machine.strict)
    return Batch([state], (), depth)


def _bind(machine: InterpreterMachine, let: Let, parts: list[Batch]) -> None:
    for name, part in zip(let.names, parts, strict=True):
        machine.values[name] = part
    for name, position, axis in let.lengths:
        machine.numbers[name] = parts[position].lengths[axis]


def _neutral(function: str, array: Array, state: Array, count: int) -> Any:
    """What leaves every state as it is: the identity of a sum or product, for other combines the state itself."""
    if function in ("add", "xor", "mul"):
        number = int(function == "mul")
        return array.dtype.type(number) if array.dtype != object else number
    return state.reshape(state.shape + (1,) * count)


def _step_by_step(
    machine: InterpreterMachine, expr: Reduce, extents: list[Length], depth: int, mask: Array | None, evaluate: Evaluate
) -> list[Batch]:
    """The fold as a loop, first coordinate fastest."""
    kinds = expr.state_types
    states = [
        _held(evaluate(machine, initial, depth, mask)[0], kind, mask)
        for initial, kind in zip(expr.initials, kinds, strict=True)
    ]
    ragged = [e for e in extents if isinstance(e, np.ndarray)]
    for position in combinations([range(1, longest(e) + 1) for e in reversed(extents)]):
        machine.look()
        active: Array | None = None
        for iterator, here, extent in zip(expr.iterators, reversed(position), extents, strict=True):
            machine.numbers[iterator] = here
            if isinstance(extent, np.ndarray):
                active = both(active, np.asarray(here <= extent))
        for name, state in zip(expr.states, states, strict=True):
            machine.values[name] = state
        for name, part, axis in expr.lengths:
            machine.numbers[name] = states[part].lengths[axis]
        stepped = evaluate(machine, expr.step, depth, both(mask, active))
        stepped = [_held(s, kind, both(mask, active)) for s, kind in zip(stepped, kinds, strict=True)]
        if ragged and active is not None:
            stepped = [_kept(active, new, old) for new, old in zip(stepped, states, strict=True)]
        states = stepped
    return states


def _held(batch: Batch, kind: Type, mask: Array | None) -> Batch:
    return Batch(held(batch, kind.columns, mask), batch.lengths, batch.depth)


def _kept(active: Array, new: Batch, old: Batch) -> Batch:
    """The new state where the fold still runs, the old one where it has ended."""
    lengths: list[Length] = []
    for a, b in zip(new.lengths, old.lengths, strict=True):
        lengths.append(settled(np.where(active, a, b), None))
    shape = tuple(max(longest(a), longest(b)) for a, b in zip(new.lengths, old.lengths, strict=True))
    condition = active.reshape(active.shape + (1,) * (new.depth - active.ndim) + (1,) * len(shape))
    arrays = [
        np.where(condition, widen(a, new.depth, shape), widen(b, new.depth, shape))
        for a, b in zip(new.columns, old.columns, strict=True)
    ]
    return Batch(arrays, tuple(lengths), new.depth)
