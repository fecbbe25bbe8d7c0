"""Nests element by element, folds at each element as they say; steps at every coordinate."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.cpu.strategies.next_rows import asking_for_rows, loop_asking
from tolang.engines.cpu.strategies.row_invariants import around_row
from tolang.engines.cpu.strategies.row_turns import in_its_turn, taking_turns
from tolang.engines.cpu.strategies.shared_quotients import divided_row, rows_above_zero
from tolang.engines.llvm import ir
from tolang.engines.llvm.interleaving import note_far_copy
from tolang.engines.llvm.types import I64
from tolang.ground.dataclasses import replace
from tolang.plan.access import access_of
from tolang.plan.nest import Allocate, Each, Load, Nest, Step
from tolang.plan.schedule import IN_ORDER, LoopSchedule
from tolang.plan.traversal import (
    read_buffers,
    written_buffers,
)
from tolang.plan.work import parts_of
from tolang.schedule.row_invariants import row_invariants_of
from tolang.schedule.rows import rows_in
from tolang.schedule.shared_quotients import shared_quotients

ZERO = ir.Constant(I64, 0)
NEAR = 8
"""Up to this many elements apart, neighbours are had from a few vectors."""


def elementwise(emitter: Emitter, nest: Nest) -> None:
    """Each element by itself: rows among the threads, the last dimension as the inner loop unless folds are inside."""
    following = emitter.following.get(id(nest))
    above_zero = emitter.above_zero.get(id(nest), frozenset[str]())
    alone = emitter.inside_region or not nest.iterators
    loops = nest.schedule if isinstance(nest.schedule, LoopSchedule) else IN_ORDER
    rows = rows_in(nest, alone)
    inner = nest.iterators[rows:], nest.extents[rows:]
    still = row_invariants_of(nest.values, frozenset(inner[0])) if loops.hoist and rows and inner[0] else None
    nest = nest if still is None else replace(nest, values=still.values)
    shared = shared_quotients(nest, inner[0]) if loops.reciprocal else []
    over = bool(read_buffers(nest) & written_buffers(nest))
    far = _copies_from_afar(nest)

    def body() -> None:
        if far:
            note_far_copy(emitter.module)
        with emitter.scope():
            computed = [emitter.scalar(v) for v in nest.values]
            for (buffer, at), value in zip(nest.targets, computed, strict=True):
                emitter.store(buffer, at, value)

    def along(body: Callable[[], None]) -> None:
        if following:
            loop_asking(emitter, *inner, following, body)
        else:
            emitter.loops(*inner, body)

    def divide() -> None:
        divided_row(emitter, along, shared, body, over=over, above_zero=above_zero)

    turns = not alone and loops.alternate

    def row() -> None:
        if turns:
            in_its_turn(emitter, nest)
        if still is None:
            divide()
        else:
            around_row(emitter, still, ZERO, emitter.size(inner[1][0]), divide)

    if not alone:
        with taking_turns(emitter, nest, still) if turns and still is not None else nullcontext():
            shared_rows(emitter, nest.iterators[:rows], nest.extents[:rows], folding(nest.values, inner[1]), row)
    elif shared or following or still is not None:
        emitter.loops(nest.iterators[:rows], nest.extents[:rows], row)
    else:
        emitter.loops(nest.iterators, nest.extents, body)


def _copies_from_afar(nest: Nest) -> bool:
    """Whether a nest only copies, and neighbours along its last dimension lie far apart where they are read."""
    if not nest.iterators or not all(isinstance(value, Load) and not value.checks for value in nest.values):
        return False
    reads = [value for value in nest.values if isinstance(value, Load) and value.buffer.panels is None]
    steps = [access_of(value).stride(nest.iterators[-1]) for value in reads]
    known = [None if one is None else one.constant for one in steps]
    return any(not isinstance(one, int) or abs(one) > NEAR for one in known)


def each(emitter: Emitter, step: Each) -> None:
    """Steps at every coordinate, rows among the threads; memory that is as long in all rows is had once a piece."""
    first, rest = _hoisted(step)
    emitter.above_zero |= rows_above_zero(step)
    if emitter.inside_region or not step.iterators:
        emitter.own_memory(first, lambda: emitter.loops(step.iterators, step.extents, lambda: emitter.own_memory(rest)))
        return
    work = parts_of(step.steps)

    def row() -> None:
        if step.compact:
            emitter.function.attributes.add("optsize")
        emitter.own_memory(rest)

    with asking_for_rows(emitter, step):
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
