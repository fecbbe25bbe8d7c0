"""Nests element by element, folds at each element as they say; steps at every coordinate."""

from __future__ import annotations

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.nests.nest import Allocate, Each, Nest, Reduction, Step
from tolang.nests.traversal import occurrences
from tolang.nests.work import parts_of

SMALL_WINDOW = 8
"""Folds over constant extents up to this are unrolled, so that the loop around them runs on vectors."""


def elementwise(emitter: Emitter, nest: Nest) -> None:
    """Each element by itself: rows among the threads, the last dimension as the inner loop unless folds are inside."""

    def body() -> None:
        with emitter.scope():
            computed = [emitter.scalar(v) for v in nest.values]
            for (buffer, at), value in zip(nest.targets, computed, strict=True):
                emitter.store(buffer, at, value)

    if emitter.inside_region or not nest.iterators:
        emitter.loops(nest.iterators, nest.extents, body)
        return
    count = len(nest.iterators)
    rows = count if count == 1 or _folds_long(nest) else count - 1
    inner = nest.iterators[rows:], nest.extents[rows:]
    work = folding(nest.values, inner[1])
    shared_rows(emitter, nest.iterators[:rows], nest.extents[:rows], work, lambda: emitter.loops(*inner, body))


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
