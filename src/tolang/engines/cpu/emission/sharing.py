"""Parallel loops shared out among the threads, all leading dimensions together.

A batch of one is common, so the first dimension alone says little: rows of all leading dimensions are counted through,
and each thread takes a stretch of them.  The coordinates of the first row of a stretch are found by division, those of
the next by carrying, as in a counter.  How many rows make a piece follows from what a row costs, folds included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import measured
from tolang.engines.cpu.emission.regions import parallel, word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import ceiling, quotient_of, remainder_of
from tolang.engines.llvm.types import DOUBLE, I64
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.plan.nest import Step
from tolang.plan.work import WorkPart

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

SMALLEST_PIECE = 16384
"""How many elements a thread takes at a time, at the least."""
SMALLEST_SHARE = 4096
"""How many of them are worth a thread that else would have nothing to do: what it computes stays in its own cache."""
SMALLEST_WORK = 1 << 20
"""As many instructions are enough for a thread, however few the elements are."""
SMALL_WORK = 1 << 18
"""As many in all are better done by the thread that has them after a rest: others would fetch what it has."""
ZERO, UNIT = ir.Constant(I64, 0), ir.Constant(I64, 1)


def shared_rows(
    emitter: Emitter,
    iterators: tuple[str, ...],
    extents: tuple[Size, ...],
    work: list[WorkPart],
    row: Callable[[], None],
    first: tuple[Step, ...] = (),
) -> None:
    """Rows of some dimensions among the threads, so much `work` each, after the steps that each piece does first.

    The work of the first row stands for that of all; code whose rows may differ is patient.
    """
    builder = emitter.builder
    elements, instructions, complete = measured(emitter, work, dict.fromkeys(iterators, ONE))
    counts = [emitter.size(e) for e in extents]
    total: Any = UNIT
    for count in counts:
        total = builder.mul(total, builder.select(builder.icmp_signed("<", count, ZERO), ZERO, count))
    names = {f"count {k}": count for k, count in enumerate(counts)}

    def region(low: Any, high: Any) -> None:
        emitter.inside_region = True
        lengths = [emitter.captured[name] for name in names]
        emitter.own_memory(first, lambda: _rows(emitter, iterators, lengths, low, high, row))
        emitter.inside_region = False

    enough = builder.add(_rows_of(builder, (SMALLEST_PIECE, elements), (SMALLEST_WORK, instructions)), UNIT)
    grain = _for_all(emitter, total, enough, elements)
    small = _rows_of(builder, (2 * SMALLEST_PIECE, elements), (SMALL_WORK, instructions))
    parallel(emitter, total, grain, region, names, instructions if complete else None, small)


def _rows_of(builder: ir.IRBuilder, *limits: tuple[int, Any]) -> Any:
    """How many rows stay within limits, of which each row takes so much."""
    found: Any = None
    for most, one in limits:
        rows = builder.fdiv(ir.Constant(DOUBLE, most), builder.fadd(one, ir.Constant(DOUBLE, 1.0)))
        found = rows if found is None else builder.select(builder.fcmp_ordered("<", rows, found), rows, found)
    return builder.fptosi(found, I64)


def _for_all(emitter: Emitter, total: Any, grain: Any, elements: Any) -> Any:
    """Fewer rows at a time where else some threads would have none, as long as theirs are worth it."""
    builder = emitter.builder
    share = ceiling(builder, total, word_of_run(builder, "tolang_width"))
    least = builder.fdiv(ir.Constant(DOUBLE, SMALLEST_SHARE), builder.fadd(elements, ir.Constant(DOUBLE, 1.0)))
    least = builder.add(builder.fptosi(least, I64), UNIT)
    share = builder.select(builder.icmp_signed("<", share, least), least, share)
    return builder.select(builder.icmp_signed("<", share, grain), share, grain)


def _rows(
    emitter: Emitter,
    iterators: tuple[str, ...],
    counts: list[Any],
    low: Any,
    high: Any,
    row: Callable[[], None],
) -> None:
    """The rows from low to high, counted from 0 through all dimensions, the last fastest."""
    if len(iterators) == 1:
        emitter.loop(low, high, iterators[0], row)
        return
    builder = emitter.builder
    places: list[Any] = []
    rest = low
    for count in reversed(counts[1:]):
        some = builder.select(builder.icmp_signed("<", count, UNIT), UNIT, count)
        places.insert(0, remainder_of(builder, rest, some))
        rest = quotient_of(builder, rest, some)
    slots = [emitter.slot(I64) for _ in counts]
    for slot, start in zip(slots, (rest, *places), strict=True):
        builder.store(start, slot)

    def one() -> None:
        here = [emitter.builder.load(slot) for slot in slots]
        with emitter.scope():
            for iterator, place in zip(iterators, here, strict=True):
                emitter.names[iterator] = BoundValue.index(emitter.builder.add(place, UNIT))
            row()
        for slot, place in zip(slots, _carried(emitter.builder, here, counts), strict=True):
            emitter.builder.store(place, slot)

    emitter.loop(low, high, "the row", one)


def _carried(builder: ir.IRBuilder, counters: list[Any], counts: list[Any]) -> list[Any]:
    """The coordinates after the given ones."""
    carry: Any = UNIT
    following: list[Any] = []
    for counter, count in zip(reversed(counters[1:]), reversed(counts[1:]), strict=True):
        more = builder.add(counter, carry)
        over = builder.icmp_signed("==", more, count)
        following.insert(0, builder.select(over, ZERO, more))
        carry = builder.zext(over, I64)
    return [builder.add(counters[0], carry), *following]
