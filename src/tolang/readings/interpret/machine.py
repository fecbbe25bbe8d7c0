"""The state of one interpretation, and the evaluation of sizes and conditions over the grid."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tolang.ground.conditions import Condition
from tolang.ground.diagnostics import Diagnostic, Note, Span, ToLangRunError
from tolang.ground.sizes import Size
from tolang.ground.spaces import NARROW_FLOATS, storage_of
from tolang.readings.interpret.batch import Array, Batch, Length, deepen, settled

CHUNK = 1 << 21
"""How many numerics one evaluation may hold at once; larger maps are cut into pieces."""

FARTHEST = 1 << 61
"""No coordinate is larger, or below its opposite: data beyond is taken as this, which is outside every shape."""

NO_NUMBER = -(1 << 62)
"""The coordinate that stands for NaN."""

MOST_NOTES = 6
"""How many of the calls around an error are told."""


class Late(Exception):
    """An interpretation has taken longer than it was given."""


@dataclass(slots=True)
class Machine:
    """What names stand for.  Names are unique in a program, so one table serves all scopes.

    `until` is a time of the processor by which it is to end, where it is given that.
    """

    values: dict[str, Batch] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)
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
        constant = size.constant
        if constant is not None:
            return constant
        return size.evaluate(Names(self, depth))

    def length(self, size: Size, depth: int, mask: Array | None, span: Span | None) -> Length:
        """A size as a length, which is not below zero at any point that counts."""
        number = self.size(size, depth)
        wrong = np.asarray(number < 0)
        if wrong.any():
            if mask is not None:
                number, wrong = np.broadcast_arrays(number, np.asarray(wrong & mask))
            if wrong.any():
                raise fail("E509", "a length is below zero", span, found=str(np.asarray(number)[wrong].min()))
        return settled(number, mask)

    def extend_grid(self, axis: int, length: int) -> None:
        """Notes the length of a grid axis, for the sake of bounding memory."""
        del self.grid[axis:]
        self.grid.append(length)

    def condition(self, condition: Condition, depth: int) -> Any:
        return condition.evaluate(Names(self, depth))


class Names(Mapping[str, Any]):
    """The names of a machine as sizes see them: whole numbers, or arrays over the grid at some depth."""

    def __init__(self, machine: Machine, depth: int) -> None:
        self.machine, self.depth = machine, depth

    def __getitem__(self, name: str) -> Any:
        numbers = self.machine.numbers
        if name in numbers:
            return deepen(numbers[name], self.depth)
        return deepen(as_index(self.machine.values[name].columns[0]), self.depth)

    def __iter__(self) -> Iterator[str]:
        return iter({**self.machine.numbers, **self.machine.values})

    def __len__(self) -> int:
        return len(self.machine.numbers) + len(self.machine.values)


def as_index(array: Array) -> Any:
    """Data as coordinates: whole numbers as they are, others floored, and within `FARTHEST`; NaN is `NO_NUMBER`."""
    if array.dtype == object:
        floored = np.frompyfunc(lambda v: max(-FARTHEST, min(FARTHEST, int(v // 1))), 1, 1)(array)
        return floored.astype(np.int64) if isinstance(floored, np.ndarray) else np.asarray(floored, dtype=np.int64)
    if array.dtype.kind in "fc" or storage_of(array.dtype) in NARROW_FLOATS:
        real = np.real(array).astype(np.float64)
        with np.errstate(all="ignore"):
            whole = np.clip(np.floor(real), -float(FARTHEST), float(FARTHEST))
        return np.where(np.isnan(real), float(NO_NUMBER), whole).astype(np.int64)
    return array.astype(np.int64)


def fail(
    code: str, message: str, span: Span | None, found: str | None = None, expected: str | None = None
) -> ToLangRunError:
    return ToLangRunError(Diagnostic(code, message, span, found, expected))


def placed(error: ToLangRunError, span: Span | None) -> ToLangRunError:
    """The error with a position, where it has none yet."""
    from dataclasses import replace

    first = error.diagnostics[0]
    return error if first.span is not None or span is None else ToLangRunError(replace(first, span=span))


def in_call(error: ToLangRunError, definition: str, span: Span | None) -> ToLangRunError:
    """The error with a note of the call it happened in, where the call was written in the source."""
    from dataclasses import replace

    first = error.diagnostics[0]
    if span is None or len(first.notes) >= MOST_NOTES:
        return error
    return ToLangRunError(replace(first, notes=(*first.notes, Note(f"in the call of {definition}", span))))
