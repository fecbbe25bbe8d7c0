"""From a core expression to its value: each scalar expression once over the whole grid, only folds in a loop."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Core,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Random,
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.let_chain import unwound
from tolang.core.types import Type
from tolang.ground.reporting.diagnostics import Span, ToLangRunError
from tolang.ground.reporting.faults import check_shape
from tolang.ground.system.memory import memory_fault, refuse_beyond_allowance, refuse_beyond_memory
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.casting import OBJECT_STORAGES, cast
from tolang.ground.values.conversion import convert_lists
from tolang.ground.values.elementary import apply
from tolang.ground.values.random import uniform
from tolang.ground.values.spaces import Column, dtype_of, storage_family, strong
from tolang.ground.values.strips import assign, contiguous, room, strips
from tolang.ground.values.values import ToL, allocate
from tolang.readings.interpret.batch import Array, Batch, Length, both, longest, own_shape, settled, widen
from tolang.readings.interpret.folds import fold
from tolang.readings.interpret.gather import gather_part
from tolang.readings.interpret.holding import held, spread
from tolang.readings.interpret.layout import join, reshape, swap, tile
from tolang.readings.interpret.machine import InterpreterMachine, fail, in_call, placed
from tolang.readings.interpret.volume import Box, boxes, enter, volume


@room_to_nest()
def interpret(
    program: Core,
    inputs: Mapping[str, ToL],
    sizes: Mapping[str, int],
    seed: int = 0,
    strict: bool = False,
    seconds: float | None = None,
) -> list[ToL]:
    """The values of a program's outputs, for inputs that fit their types and all sizes known.

    Raises `Late` where that takes more than so many seconds of the processor.
    """
    until = None if seconds is None else time.thread_time() + seconds
    machine = InterpreterMachine(seed=seed, strict=strict, until=until)
    machine.numbers.update(sizes)
    for one in program.inputs:
        value = inputs[one.name]
        machine.values[one.name] = Batch([np.asarray(array) for array in value.columns], value.shape, 0)
    given = [column for value in inputs.values() for column in value.columns]
    results = evaluate_parts(machine, program.body, 0, None)
    finished: list[ToL] = []
    try:
        for batch, output in zip(results, program.outputs, strict=True):
            finished.append(_finished(batch, output.type.columns, given))
    except (MemoryError, ValueError) as error:
        if not _is_too_big(error):
            raise
        raise memory_fault("an output") from error
    except ToLangRunError as error:
        raise placed(error, _span_of_output(program, len(finished))) from None
    return finished


def _span_of_output(program: Core, number: int) -> Span | None:
    """Where the source says what an output is."""
    links, inside = unwound(program.body)
    part = inside.parts[number] if isinstance(inside, Bundle) else inside
    named = {link.names[0]: link.value for link in links if isinstance(link, Let) and len(link.names) == 1}
    while isinstance(part, Variable) and part.name in named:
        part = named[part.name]
    return part.span


def _is_too_big(error: MemoryError | ValueError) -> bool:
    """Whether NumPy could not have memory, or refused a shape for having more lengths or dimensions than it takes."""
    words = "too big", "Maximum allowed dimension", "maximum supported dimension"
    return isinstance(error, MemoryError) or any(one in str(error) for one in words)


def _finished(batch: Batch, columns: tuple[Column, ...], given: list[Array]) -> ToL:
    """An output: arrays of its own, which share no memory with what was given."""
    made = []
    for array, column in zip(spread(batch, len(columns)), columns, strict=True):
        array = contiguous(cast(array, column.storage, True))
        if any(np.may_share_memory(array, other) for other in given):
            shared, array = array, room(array.shape, array.dtype)
            assign(array, shared)
        made.append(array)
    return ToL(made, [strong(c) for c in columns])


def evaluate_parts(machine: InterpreterMachine, expr: Expr, depth: int, mask: Array | None) -> list[Batch]:
    """The values of a bundle, or the one value of anything else.  Bindings are walked without recursion."""
    while True:
        match expr:
            case Let(names=names, value=value, body=body, lengths=lengths):
                _bind(machine, names, lengths, evaluate_parts(machine, value, depth, mask))
                expr = body
            case Require(body=body):
                _require(machine, expr, depth, mask)
                expr = body
            case Call():
                return _called(machine, expr, depth, mask)
            case Bundle(parts=parts):
                return [evaluate(machine, p, depth, mask) for p in parts]
            case If():
                return _choose(machine, expr, depth, mask)
            case _:
                try:
                    if isinstance(expr, Reduce):
                        return fold(machine, expr, depth, mask, evaluate_parts)
                    return [_value(machine, expr, depth, mask)]
                except ToLangRunError as error:
                    raise placed(error, expr.span) from None
                except (MemoryError, ValueError) as error:
                    if not _is_too_big(error):
                        raise
                    raise placed(memory_fault("a value"), expr.span) from error


def _called(machine: InterpreterMachine, expr: Call, depth: int, mask: Array | None) -> list[Batch]:
    """A definition's body with its parameters bound; what goes wrong in it is told with the call that led there."""
    machine.numbers.update({name: machine.exact(size, depth) for name, size in expr.sizes})
    for name, argument in expr.arguments:
        machine.late.pop(name, None)
        if isinstance(argument, Part | Component) and argument.type.shape:
            machine.late[name] = argument
        else:
            machine.values[name] = evaluate(machine, argument, depth, mask)
    try:
        return evaluate_parts(machine, expr.body, depth, mask)
    except ToLangRunError as error:
        raise in_call(error, expr) from None


def evaluate(machine: InterpreterMachine, expr: Expr, depth: int, mask: Array | None) -> Batch:
    return evaluate_parts(machine, expr, depth, mask)[0]


def _bind(
    machine: InterpreterMachine, names: tuple[str, ...], lengths: tuple[tuple[str, int, int], ...], parts: list[Batch]
) -> None:
    for name, part in zip(names, parts, strict=True):
        machine.values[name] = part
    for name, position, axis in lengths:
        machine.numbers[name] = parts[position].lengths[axis]


def _require(machine: InterpreterMachine, expr: Require, depth: int, mask: Array | None) -> None:
    held = machine.condition(expr.condition, depth)
    if mask is not None:
        held = held | ~mask
    if not np.all(held):
        values = [f"{n} = {_number(machine, n)}" for n in sorted(expr.condition.names())]
        raise fail("E515", expr.message, expr.span, found=", ".join(values))


def _number(machine: InterpreterMachine, name: str) -> str:
    """A size, or a numeric that is used as one, as an error shows it."""
    number = machine.numbers[name] if name in machine.numbers else machine.values[name].columns[0]
    return str(number) if np.ndim(number) == 0 else "various"


def _value(machine: InterpreterMachine, expr: Expr, depth: int, mask: Array | None) -> Batch:
    """An expression that is one value and opens no scope."""
    match expr:
        case Variable(name=name):
            return _named(machine, name, depth, mask)
        case Literal():
            return _literal(machine, expr, depth, mask)
        case Measure(size=size):
            number = _word(machine.exact(size, depth), mask, expr)
            return Batch([number.reshape(number.shape + (1,) * (depth - number.ndim))], (), depth)
        case Apply():
            return _apply(machine, expr, depth, mask)
        case Random(limit=limit, site=site):
            return _random(machine, expr, evaluate(machine, limit, depth, mask), site, depth)
        case Map():
            return _map(machine, expr, depth, mask)
        case Part(subject=subject):
            return gather_part(machine, expr, evaluate(machine, subject, depth, mask), depth, mask)
        case Component(subject=subject, position=position):
            batch = evaluate(machine, subject, depth, mask)
            return Batch([spread(batch, subject.type.capacity)[position - 1]], batch.lengths, depth)
        case Embed(parts=parts):
            values = [evaluate(machine, p, depth, mask) for p in parts]
            arrays = [a for v, p in zip(values, parts, strict=True) for a in spread(v, p.type.capacity)]
            return Batch(arrays, values[0].lengths, depth)
        case Join(parts=parts):
            return join(expr, [evaluate(machine, p, depth, mask) for p in parts], depth, mask)
        case Convert(subject=subject):
            return _convert(expr, evaluate(machine, subject, depth, mask), depth, mask)
        case Reshape(subject=subject):
            return reshape(machine, expr, evaluate(machine, subject, depth, mask), depth, mask)
        case Swap(subject=subject, order=order):
            moved = evaluate(machine, subject, depth, mask)
            return swap(expr, moved, evaluate(machine, order, depth, mask), depth, mask)
        case Tile(subject=subject):
            return tile(expr, evaluate(machine, subject, depth, mask), depth)
    raise TypeError(f"{type(expr).__name__} is no core expression")


def _named(machine: InterpreterMachine, name: str, depth: int, mask: Array | None) -> Batch:
    """What a name stands for; an argument that is a part of another ToL is read where it is first used."""
    if name in machine.late and (mask is None or mask.any()):
        machine.values[name] = evaluate(machine, machine.late[name], 0, None)
        del machine.late[name]
    if name in machine.late:
        return evaluate(machine, machine.late[name], depth, mask)
    return machine.values[name].at_depth(depth)


def _word(number: Any, mask: Array | None, expr: Measure) -> Array:
    """A size as a value, which has to fit the words that hold Z wherever it counts."""
    found = np.asarray(number)
    if found.dtype != np.int64:  # NumPy holds 2^63 in words without a sign, and what is longer as objects
        fits = np.asarray(np.frompyfunc(lambda n: -(1 << 63) <= n < 1 << 63, 1, 1)(found), dtype=bool)
        if not np.all(fits if mask is None else fits | ~mask):
            raise fail("E505", "a size does not fit the 64-bit integers", expr.span)
        found = np.where(fits, found, 0)
    return found.astype(np.int64)


def _literal(machine: InterpreterMachine, expr: Literal, depth: int, mask: Array | None) -> Batch:
    lengths = tuple(machine.length(s, depth, mask, expr.span) for s in expr.type.shape)
    shape = own_shape(lengths)
    arrays = []
    for column in expr.type.columns:
        if not shape:
            array = np.empty((), dtype=dtype_of(column.storage))
            array[()] = cast(
                np.asarray(expr.value, dtype=object if isinstance(expr.value, str) else None), column.storage
            )[()]
        elif expr.value == 0 and column.storage not in OBJECT_STORAGES:
            refuse_beyond_allowance(shape, dtype_of(column.storage).itemsize)
            array = np.broadcast_to(np.zeros((), dtype=dtype_of(column.storage)), check_shape(shape))
        else:
            array = allocate(shape, column.storage)
            array[...] = expr.value if column.storage != "text" or isinstance(expr.value, str) else ""
        arrays.append(array.reshape((1,) * depth + shape) if depth or not shape else array)
    return Batch(arrays, lengths, depth)


def _apply(machine: InterpreterMachine, expr: Apply, depth: int, mask: Array | None) -> Batch:
    arguments = [evaluate(machine, a, depth, mask).columns[0] for a in expr.arguments]
    column = expr.type.column
    kinds = [one.type.column for one in expr.arguments]
    if mask is not None and _may_fail(column, kinds):
        arguments = [np.where(mask, a, _harmless(a, kind)) for a, kind in zip(arguments, kinds, strict=True)]
    try:
        return Batch([apply(expr.function, arguments, column, kinds)], (), depth)
    except ToLangRunError as error:
        raise placed(error, expr.span) from None


def _may_fail(result: Column, kinds: Sequence[Column]) -> bool:
    """Whether a function may be an error: whole numbers and fractions have bounds, and texts lengths."""
    return storage_family(result.storage) in ("Z", "Q") or any(one.storage == "text" for one in kinds)


def _harmless(array: Array, kind: Column) -> Any:
    """A value on which no function fails, for points whose result nobody reads."""
    if kind.storage == "text":
        return "1"
    return array.dtype.type(1) if array.dtype != object else 1


def _random(machine: InterpreterMachine, expr: Random, limit: Batch, site: int, depth: int) -> Batch:
    coordinates = [np.asarray(machine.size(c, depth)) for c in expr.coordinates]
    drawn = uniform(machine.seed, site, coordinates, expr.type.column.storage)
    drawn = drawn.reshape(drawn.shape + (1,) * (depth - drawn.ndim))
    column = expr.type.column
    return Batch([apply("mul", [drawn, limit.columns[0]], column, [column, expr.limit.type.column])], (), depth)


def _convert(expr: Convert, batch: Batch, depth: int, mask: Array | None) -> Batch:
    arrays = spread(batch, expr.subject.type.capacity)
    if mask is not None:
        where, kinds = mask.reshape(mask.shape + (1,) * batch.rank), expr.subject.type.columns
        arrays = [np.where(where, a, _harmless(a, kind)) for a, kind in zip(arrays, kinds, strict=True)]
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    wide = [np.broadcast_to(a, shape) for a in arrays]
    try:
        return Batch(_converted(wide, expr.subject.type.columns, expr.type.columns), batch.lengths, depth)
    except ToLangRunError as error:
        raise placed(error, expr.span) from None


def _converted(arrays: list[Array], sources: tuple[Column, ...], goals: tuple[Column, ...]) -> list[Array]:
    """Lists in other spaces, in strips; of a value that cannot be converted, the whole tells the coordinates."""
    parts = list(strips(arrays[0].shape))
    if len(parts) == 1:
        return list(convert_lists(ToL(arrays, sources), goals).columns)
    made = [room(arrays[0].shape, dtype_of(goal.storage)) for goal in goals]
    for part in parts:
        try:
            found = convert_lists(ToL([array[part] for array in arrays], sources), goals)
        except ToLangRunError:
            return list(convert_lists(ToL(arrays, sources), goals).columns)
        for goal, column in zip(made, found.columns, strict=True):
            goal[part] = column
    return made


def _map(machine: InterpreterMachine, expr: Map, depth: int, mask: Array | None) -> Batch:
    """The body over a grid deepened by the map's iterators, in pieces where it would be too large at once."""
    inner = depth + len(expr.iterators)
    extents = [machine.length(e, depth, mask, expr.span) for e in expr.extents]
    shape = own_shape(extents)
    if 0 in shape:
        return _nothing(machine, expr, extents, depth, mask)
    try:
        _refuse_too_large(expr, shape, depth)
    except ToLangRunError:
        if volume(machine, expr.body, depth) <= machine.limit:  # what is wrong with the last element is told first
            deeper = enter(machine, expr.iterators, extents, depth, mask, tuple((last, last) for last in shape))
            evaluate(machine, expr.body, inner, deeper)
        raise
    columns: list[Array] = []
    lengths: tuple[Length, ...] = ()
    for box in boxes(machine, expr, depth, shape, range(len(shape))):
        machine.look()
        deeper = enter(machine, expr.iterators, extents, depth, mask, box)
        result = evaluate(machine, expr.body, inner, deeper)
        own = tuple(high - low + 1 for low, high in box)
        filled = _filled(result, expr.type.columns, depth, own).columns
        lengths = lengths or tuple(_outside(length, depth) for length in result.lengths)
        columns = filled if own == shape else _with_box(columns, filled, depth, shape, box)
    return Batch(columns, (*extents, *lengths), depth)


def _nothing(machine: InterpreterMachine, expr: Map, extents: list[Length], depth: int, mask: Array | None) -> Batch:
    """A map over no elements: its body is never evaluated, and the lengths of what it would give are in its type."""
    own = [machine.length(s, depth, mask, expr.span) for s in expr.type.shape[len(extents) :]]
    shape = (1,) * depth + own_shape([*extents, *own])
    columns = [np.zeros(shape, dtype=dtype_of(column.storage)) for column in expr.type.columns]
    return Batch(columns, (*extents, *own), depth)


def _refuse_too_large(expr: Map, shape: tuple[int, ...], depth: int) -> None:
    """Refuses a result that cannot be had, or is not allowed, before any of it is computed."""
    itemsize = sum(dtype_of(column.storage).itemsize for column in expr.type.columns)
    try:
        refuse_beyond_memory(shape, itemsize)
        if not depth:
            refuse_beyond_allowance(shape, itemsize)
    except ToLangRunError as error:
        raise placed(error, expr.span) from None


def _with_box(whole: list[Array], part: list[Array], depth: int, shape: tuple[int, ...], box: Box) -> list[Array]:
    """Arrays of all coordinates of a map with those of a box put in; made anew for the first, or for a larger grid."""
    place = (slice(None),) * depth + tuple(slice(low - 1, high) for low, high in box)
    made = []
    for position, array in enumerate(part):
        old = whole[position] if whole else None
        grid = array.shape[:depth] if old is None else np.broadcast_shapes(array.shape[:depth], old.shape[:depth])
        goal = old
        if goal is None or goal.shape[:depth] != grid:
            goal = room((*grid, *shape, *array.shape[depth + len(shape) :]), array.dtype)
            if old is not None:
                assign(goal, old)
        assign(goal[place], array)
        made.append(goal)
    return made


def _filled(result: Batch, columns: tuple[Column, ...], depth: int, rows: tuple[int, ...]) -> Batch:
    """A body's arrays with the map's own axes at full length."""
    arrays = []
    for array, column in zip(spread(result, len(columns)), columns, strict=True):
        shape = array.shape[:depth] + rows + array.shape[result.depth :]
        arrays.append(np.broadcast_to(cast(array, column.storage, True), shape))
    return Batch(arrays, result.lengths, result.depth)


def _outside(length: Length, depth: int) -> Length:
    """A length of the body, which is the same for every element, as it is seen outside the map."""
    if isinstance(length, int) or length.ndim <= depth:
        return length
    if length.size == 0:
        return 0
    return np.asarray(length.max(axis=tuple(range(depth, length.ndim))))


def _choose(machine: InterpreterMachine, expr: If, depth: int, mask: Array | None) -> list[Batch]:
    """One branch where all points agree, else both, each at the points that take it."""
    if expr.guard is not None:
        truth = np.asarray(machine.condition(expr.guard, depth))
    else:
        truth = evaluate(machine, expr.written[0], depth, mask).columns[0].astype(bool)
    kinds = expr.type.parts or (expr.type,)
    counted = truth if mask is None else np.broadcast_arrays(truth, mask)[0][np.broadcast_arrays(truth, mask)[1]]
    if (counted.size and counted.all()) or truth.size == 0:
        return _held(evaluate_parts(machine, expr.then, depth, mask), kinds, mask, expr.span)
    if not counted.any():
        return _held(evaluate_parts(machine, expr.otherwise, depth, mask), kinds, mask, expr.span)
    truth = truth.reshape(truth.shape + (1,) * (depth - truth.ndim))
    masks = both(mask, truth), both(mask, ~truth)
    branches = [
        _held(evaluate_parts(machine, one, depth, taken), kinds, taken, expr.span)
        for one, taken in zip((expr.then, expr.otherwise), masks, strict=True)
    ]
    return [_merge(truth, a, b, mask) for a, b in zip(*branches, strict=True)]


def _held(parts: list[Batch], kinds: Sequence[Type], mask: Array | None, span: Span | None) -> list[Batch]:
    """The values of one branch in the storages that hold those of both."""
    try:
        cells = [held(part, kind.columns, mask) for part, kind in zip(parts, kinds, strict=True)]
    except ToLangRunError as error:
        raise placed(error, span) from None
    return [Batch(own, part.lengths, part.depth) for own, part in zip(cells, parts, strict=True)]


def _merge(truth: Array, then: Batch, otherwise: Batch, mask: Array | None) -> Batch:
    """The value of each point from the branch it takes."""
    lengths: list[Length] = []
    for a, b in zip(then.lengths, otherwise.lengths, strict=True):
        same = isinstance(a, int) and isinstance(b, int) and a == b
        lengths.append(a if same else settled(np.where(truth, a, b), mask))
    shape = tuple(max(longest(a), longest(b)) for a, b in zip(then.lengths, otherwise.lengths, strict=True))
    depth, rank = then.depth, len(shape)
    condition = truth.reshape(truth.shape + (1,) * rank)
    arrays = []
    for one, two in zip(then.columns, otherwise.columns, strict=True):
        merged = np.where(condition, widen(one, depth, shape), widen(two, depth, shape))
        arrays.append(_trimmed(merged, depth, own_shape(lengths)))
    return Batch(arrays, tuple(lengths), depth)


def _trimmed(array: Array, depth: int, shape: tuple[int, ...]) -> Array:
    return array[(slice(None),) * depth + tuple(slice(0, n) for n in shape)]


__all__ = ["evaluate", "interpret"]
