"""Nests element by element, folds at each element as they say; steps at every coordinate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.cpu.strategies.row_invariants import row_invariants_of
from tolang.engines.llvm import ir
from tolang.engines.llvm.interleaving import note_far_copy
from tolang.engines.llvm.quotients import DIVIDED, Divisor, Doubt
from tolang.engines.llvm.types import I1, I64, cast
from tolang.ground.dataclasses import replace
from tolang.ground.sizes import Size
from tolang.nests.nest import Allocate, Constant, Each, Index, Load, Named, Nest, Operation, Reduction, Step, Where
from tolang.nests.traversal import (
    dependencies,
    has_fold,
    may_fail,
    occurrences,
    read_buffers,
    stride,
    walk,
    written_buffers,
)
from tolang.nests.work import parts_of

SMALL_WINDOW = 8
"""Folds over constant extents up to this are unrolled, so that the loop around them runs on vectors."""
Loops = tuple[tuple[str, ...], tuple[Size, ...]]
"""Iterators, and how far each of them goes."""
ZERO = ir.Constant(I64, 0)
NEAR = 8
"""Up to this many elements apart, neighbours are had from a few vectors."""
LONG_ROW = 32
"""From how many elements on it pays to have a reciprocal for all of them."""


def elementwise(emitter: Emitter, nest: Nest) -> None:
    """Each element by itself: rows among the threads, the last dimension as the inner loop unless folds are inside."""
    count = len(nest.iterators)
    alone = emitter.inside_region or not nest.iterators
    rows = count if not alone and (count == 1 or _folds_long(nest)) else max(0, count - 1)
    inner = nest.iterators[rows:], nest.extents[rows:]
    still = row_invariants_of(nest.values, frozenset(inner[0])) if rows and inner[0] else None
    nest = nest if still is None else replace(nest, values=still.values)
    shared = _shared_quotients(emitter, nest, inner[0])
    far = _copies_from_afar(nest)

    def body() -> None:
        if far:
            note_far_copy(emitter.module)
        with emitter.scope():
            computed = [emitter.scalar(v) for v in nest.values]
            for (buffer, at), value in zip(nest.targets, computed, strict=True):
                emitter.store(buffer, at, value)

    def row() -> None:
        if still is None:
            _row(emitter, inner, shared, body)
        else:
            still.around(emitter, ZERO, emitter.size(inner[1][0]), lambda: _row(emitter, inner, shared, body))

    if not alone:
        shared_rows(emitter, nest.iterators[:rows], nest.extents[:rows], folding(nest.values, inner[1]), row)
    elif shared or still is not None:
        emitter.loops(nest.iterators[:rows], nest.extents[:rows], row)
    else:
        emitter.loops(nest.iterators, nest.extents, body)


def _row(emitter: Emitter, inner: Loops, shared: list[Operation], body: Callable[[], None]) -> None:
    """The innermost loops.

    Quotients by what is the same all along are had as products; where one is in doubt, all is done by divisions.
    """
    if not shared:
        emitter.loops(*inner, body)
        return
    builder, again = emitter.builder, emitter.slot(I1)
    doubts = {one.column.storage: Doubt(builder, one.column.storage, emitter.slot) for one in shared}
    divisors = {}
    fit: ir.Value = ir.Constant(I1, 1)
    for one in shared:
        storage, divisor = one.column.storage, one.arguments[1]
        value = cast(builder, emitter.scalar(divisor), divisor.column.storage, storage)
        divisors[id(one)] = Divisor(builder, value, storage, doubts[storage])
        fit = builder.and_(fit, divisors[id(one)].is_fit(builder))
    builder.store(builder.not_(fit), again)
    with builder.if_then(fit, likely=True):
        emitter.divisors = divisors
        emitter.loops(*inner, body)
        emitter.divisors = {}
        doubtful = [doubt.found(builder) for doubt in doubts.values()]
        builder.store(reduce(builder.or_, doubtful), again)
    with builder.if_then(builder.load(again), likely=False):
        emitter.loops(*inner, body)


def _shared_quotients(emitter: Emitter, nest: Nest, inner: Sequence[str]) -> list[Operation]:
    """The quotients of a nest whose divisors, of names, sizes and constants, are the same in all of the inner loops.

    There are none to look for where a division is no slower than what would take its place.
    """
    if not emitter.target.slow_division:
        return []
    length = nest.extents[-1].constant if inner else 0
    short = length is not None and length < LONG_ROW
    if short or any(has_fold(value) for value in nest.values) or read_buffers(nest) & written_buffers(nest):
        return []
    every = [one for value in nest.values for one in walk(value)]
    inside = {*inner, *(name for one in every if isinstance(one, Where) for name, _ in one.bindings)}
    return [
        one
        for one in every
        if isinstance(one, Operation) and one.function == "div" and one.column.storage in DIVIDED
        if dependencies(one.arguments[1]).isdisjoint(inside)
        and not may_fail(one.arguments[1])
        and all(isinstance(part, Named | Index | Constant | Operation) for part in walk(one.arguments[1]))
    ]


def _copies_from_afar(nest: Nest) -> bool:
    """Whether a nest only copies, and neighbours along its last dimension lie far apart where they are read."""
    if not nest.iterators or not all(isinstance(value, Load) and not value.checks for value in nest.values):
        return False
    reads = [value for value in nest.values if isinstance(value, Load) and value.buffer.panels is None]
    steps = [stride(value.buffer, value.indices, nest.iterators[-1]) for value in reads]
    known = [None if one is None else one.constant for one in steps]
    return any(not isinstance(one, int) or abs(one) > NEAR for one in known)


def each(emitter: Emitter, step: Each) -> None:
    """Steps at every coordinate, rows among the threads; memory that is as long in all rows is had once a piece."""
    first, rest = _hoisted(step)
    if emitter.inside_region or not step.iterators:
        emitter.own_memory(first, lambda: emitter.loops(step.iterators, step.extents, lambda: emitter.own_memory(rest)))
        return
    work = parts_of(step.steps)

    def row() -> None:
        if step.compact:
            emitter.function.attributes.add("optsize")
        emitter.own_memory(rest)

    shared_rows(emitter, step.iterators, step.extents, work, row, first)


def _hoisted(each: Each) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The allocations of an Each that do not depend on where it is, and its other steps."""
    inside = {*each.iterators, *(name for s in each.steps if (name := getattr(s, "name", None)))}
    still = [
        s
        for s in each.steps
        if isinstance(s, Allocate) and not inside & frozenset[str]().union(*(e.names() for e in s.buffer.shape))
    ]
    return tuple(still), tuple(s for s in each.steps if s not in still)


def _folds_long(nest: Nest) -> bool:
    extents = [
        e
        for v in nest.values
        for o in occurrences(v)
        if isinstance(o.scalar, Reduction)
        for e in o.scalar.group.extents
    ]
    return any(e.constant is None or e.constant > SMALL_WINDOW for e in extents)
