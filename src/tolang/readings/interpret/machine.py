"""The state of one interpretation, and the evaluation of sizes and conditions over the grid."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tolang.core.core import Call, Expr
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Diagnostic, Note, Span, ToLangRunError
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.magnitudes import LIMIT, magnitude, sizes_in
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import NARROW_FLOATS, storage_of
from tolang.readings.interpret.batch import Array, Batch, Length, deepen, settled

CHUNK = 1 << 21
"""How many numerics one evaluation may hold at once; larger maps are cut into pieces."""

FARTHEST = (1 << 62) - 1
"""No coordinate is larger, or below its opposite: what is beyond is taken as this, which is outside every shape."""

NO_NUMBER = -(1 << 62)
"""The coordinate that stands for NaN, and for all that is computed from it."""

NAN, INFINITY = -(1 << 1200), 1 << 1100
"""What stands for NaN and infinity among whole numbers of any length."""

LEAST_OF_NAN = -NAN >> 40
"""The least magnitude of what is computed from NaN."""

MOST_NOTES = 6
"""How many of the calls around an error are told."""


class Late(Exception):
    """An interpretation has taken longer than it was given."""


@dataclass(slots=True)
class InterpreterMachine:
    """What names stand for.  Names are unique in a program, so one table serves all scopes.

    Of `late` ones, which are arguments of calls outside all maps, it is known what they are, and nothing was read yet.
    `until` is a time of the processor by which it is to end, where it is given that.
    """

    values: dict[str, Batch] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)
    late: dict[str, Expr] = field(default_factory=dict)
    seed: int = 0
    strict: bool = False
    limit: int = CHUNK
    grid: list[int] = field(default_factory=list)
    until: float | None = None

    def look(self) -> None:
        """Ends the interpretation if its time is up."""
        if self.until is not None and time.thread_time() > self.until:
            raise Late

    def size(self, size: Size, depth: int) -> Any:
        """A size at the current point: a whole number, or an array over the grid."""
        return _bounded(self.exact(size, depth))

    def exact(self, size: Size, depth: int) -> Any:
        """A size of any length: a whole number, or an array over the grid, of Python's numbers if words are short."""
        constant = size.constant
        if constant is not None:
            return constant
        return size.evaluate(self._names((size,), depth))

    def exact_at(self, size: Size, at: tuple[Any, ...]) -> int:
        """A size at one point of the grid, exactly: an error where it is divided by zero, which arrays only mark."""
        names = MachineNames(self, len(at), True)
        return int(size.evaluate({name: at_point(names[name], at) for name in size.names()}))

    def _names(self, sizes: Iterable[Size], depth: int) -> MachineNames:
        """The names in sizes: as words of 64 bits where those hold all that is computed."""
        names = MachineNames(self, depth)
        if all(magnitude(size, names.bound) < LIMIT for size in sizes):
            return names
        return MachineNames(self, depth, True)

    def length(self, size: Size, depth: int, mask: Array | None, span: Span | None) -> Length:
        """A size as a length, which is a number, and not below zero, at any point that counts."""
        number = self.size(size, depth)
        wrong = np.asarray((number < 0) | (number >= FARTHEST))
        if wrong.any():
            if mask is not None:
                number, wrong = np.broadcast_arrays(number, np.asarray(wrong & mask))
            if wrong.any():
                self.exact_at(size, np.unravel_index(int(np.argmax(wrong)), wrong.shape))
                raise _no_length(int(np.asarray(number)[wrong].min()), span)
        return settled(number, mask)

    def extend_grid(self, axis: int, length: int) -> None:
        """Notes the length of a grid axis, for the sake of bounding memory."""
        del self.grid[axis:]
        self.grid.append(length)

    def condition(self, condition: Condition, depth: int) -> Any:
        return condition.evaluate(self._names(sizes_in(condition), depth))


class MachineNames(Mapping[str, Any]):
    """The names of a machine as sizes see them: whole numbers, or arrays over the grid at some depth.

    Arrays hold words of 64 bits, or Python's numbers where `any_length` is asked for.
    """

    def __init__(self, machine: InterpreterMachine, depth: int, any_length: bool = False) -> None:
        self.machine, self.depth, self.any_length = machine, depth, any_length
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        found = self._known.get(name)
        if found is None:
            numbers = self.machine.numbers
            found = numbers[name] if name in numbers else as_index(self.machine.values[name].columns[0])
            if self.any_length and isinstance(found, np.ndarray):
                found = found.astype(object)
            found = self._known[name] = deepen(found, self.depth)
        return found

    def bound(self, name: str) -> int:
        """The greatest magnitude that a name has."""
        found = self[name]
        if not isinstance(found, np.ndarray):
            return abs(int(found))
        return max(abs(int(found.min())), abs(int(found.max()))) if found.size else 0

    def __iter__(self) -> Iterator[str]:
        return iter({**self.machine.numbers, **self.machine.values})

    def __len__(self) -> int:
        return len(self.machine.numbers) + len(self.machine.values)


def at_point(number: Any, at: tuple[Any, ...]) -> int:
    """A number at one point of the grid, from its arrays, which have one element along what they do not vary with.

    A point says nothing of deeper axes where what was asked for does not vary with them: any place there will do.
    """
    if not isinstance(number, np.ndarray):
        return int(number)
    whole = (*at, *(0,) * (number.ndim - len(at)))
    return int(number[tuple(min(int(i), n - 1) for i, n in zip(whole, number.shape, strict=False))])


def as_index(array: Array) -> Any:
    """Data as coordinates: whole numbers as they are, others floored; Python's numbers where words are too short."""
    if array.dtype == object:
        return _shortened(np.frompyfunc(lambda v: int(v // 1), 1, 1)(array))
    if array.dtype.kind in "fc" or storage_of(array.dtype) in NARROW_FLOATS:
        real = np.real(array).astype(np.float64)
        if not (np.abs(real) < LIMIT).all():
            return _shortened(np.frompyfunc(_floored, 1, 1)(real))
        return np.asarray(np.floor(real)).astype(np.int64)
    if array.dtype == np.uint64 and array.size and array.max() > np.uint64(FARTHEST):
        return array.astype(object)
    return array.astype(np.int64)


def _floored(number: float) -> int:
    if math.isfinite(number):
        return math.floor(number)
    return NAN if math.isnan(number) else INFINITY if number > 0 else -INFINITY


def _shortened(numbers: Any) -> Any:
    """Python's numbers as words of 64 bits, where they all are."""
    whole = np.asarray(numbers, dtype=object)
    return whole.astype(np.int64) if all(-LIMIT < number < LIMIT for number in whole.flat) else whole


def _bounded(number: Any) -> Any:
    """Whole numbers of any length as coordinates: those that no shape reaches are as far as coordinates go."""
    if isinstance(number, np.ndarray) and number.dtype == object:
        return np.asarray(np.frompyfunc(_within, 1, 1)(number)).astype(np.int64)
    return _within(number) if isinstance(number, int) else number


def _within(number: int) -> int:
    if abs(number) >= LEAST_OF_NAN:
        return NO_NUMBER
    return max(-FARTHEST, min(FARTHEST, number))


def _no_length(number: int, span: Span | None) -> ToLangRunError:
    """The error for what stands where a length is expected, and is none."""
    if number > 0:
        return fail("E507", "a length is beyond 2^62", span)
    if number == NO_NUMBER:
        return fail("E509", "a length is not a number", span, found="NaN")
    return fail("E509", "a length is below zero", span, found=str(number))


def fail(
    code: str, message: str, span: Span | None, found: str | None = None, expected: str | None = None
) -> ToLangRunError:
    return ToLangRunError(Diagnostic(code, message, span, found, expected))


def placed(error: ToLangRunError, span: Span | None) -> ToLangRunError:
    """The error with a position, where it has none yet."""
    from tolang.ground.dataclasses import replace

    first = error.diagnostics[0]
    return error if first.span is not None or span is None else ToLangRunError(replace(first, span=span))


def in_call(error: ToLangRunError, call: Call) -> ToLangRunError:
    """The error in words of the call it happened in, with a note of it where the user wrote it."""
    from tolang.ground.dataclasses import replace

    first = error.diagnostics[0].in_words_of(dict(call.sizes))
    if call.span is None or call.span.source.library or len(first.notes) >= MOST_NOTES:
        return ToLangRunError(first)
    return ToLangRunError(replace(first, notes=(*first.notes, Note(f"in the call of {call.definition}", call.span))))
