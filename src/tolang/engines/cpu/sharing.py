"""Parallel loops shared out among the threads, all leading dimensions together.

A batch of one is common, so the first dimension alone says little: rows of all leading dimensions are counted through,
and each thread takes a stretch of them.  The coordinates of the first row of a stretch are found by division, those of
the next by carrying, as in a counter.  How many rows make a piece follows from what a row costs, folds included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import I64
from tolang.engines.cpu.bindings import Bound
from tolang.engines.cpu.regions import parallel
from tolang.ground.sizes import ONE, Size
from tolang.nests.nest import Allocate, Bind, Each, Index, Nest, Reduction, Repeat, Scalar, Step
from tolang.nests.rewriting import inner_steps, occurrences, scalars_of

if TYPE_CHECKING:
    from tolang.engines.cpu.emitter import Emitter

SMALLEST_PIECE = 16384
"""How many elements a thread takes at a time, at the least."""
SMALL_WINDOW = 8
"""Folds over constant extents up to this are unrolled, so that the loop around them runs on vectors."""
ZERO, UNIT = ir.Constant(I64, 0), ir.Constant(I64, 1)


def shared_nest(emitter: Emitter, nest: Nest, body: Callable[[], None]) -> None:
    """The loops of a nest: rows among the threads, the last dimension as the inner loop unless folds are inside."""
    count = len(nest.iterators)
    rows = count if count == 1 or _folds_long(nest) else count - 1
    inner = nest.iterators[rows:], nest.extents[rows:]
    work = [*_products(nest.values), *_product(inner[1])]
    shared_rows(emitter, nest.iterators[:rows], nest.extents[:rows], work, lambda: emitter.loops(*inner, body))


def shared_each(emitter: Emitter, each: Each) -> None:
    """Steps at every coordinate, rows among the threads; memory that is as long in all rows is had once a piece."""
    first, rest = hoisted(each)
    known = _in_the_first_row(each)
    work = [product.substitute(known) for step in each.steps for product in _work(step)]

    def row() -> None:
        if each.compact:
            emitter.function.attributes.add("optsize")
        emitter.own_memory(rest)

    shared_rows(emitter, each.iterators, each.extents, work, row, first)


def _in_the_first_row(each: Each) -> dict[str, Size]:
    """What the names bound at every coordinate stand for at the first, whose work stands for that of all."""
    known = dict.fromkeys(each.iterators, ONE)
    for step in each.steps:
        if isinstance(step, Bind) and isinstance(step.value, Index) and not step.mutable:
            known[step.name] = step.value.size.substitute(known)
    return known


def hoisted(each: Each) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
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


def _product(extents: tuple[Size, ...]) -> list[Size]:
    total = ONE
    for extent in extents:
        total = total * extent
    return [total]


def _products(values: tuple[Scalar, ...]) -> list[Size]:
    """How many elements the folds of some scalars run over."""
    groups = {
        id(o.scalar.group): o.scalar.group for v in values for o in occurrences(v) if isinstance(o.scalar, Reduction)
    }
    return [product for group in groups.values() for product in _product(group.extents)]


def _work(step: Step) -> list[Size]:
    """How many elements a step computes, and how many its folds run over."""
    own = [ONE, *_products(scalars_of(step)), *(product for inner in inner_steps(step) for product in _work(inner))]
    (times,) = _product(step.extents if isinstance(step, Nest | Each | Repeat) else ())
    return [product * times for product in own]


def _grain(emitter: Emitter, work: list[Size]) -> Any:
    """How many rows make a piece, where each costs what the sizes known here say."""
    builder = emitter.builder
    cost: Any = UNIT
    for product in work:
        if product.names() <= emitter.names.keys() and product.denominator == 1:
            value = emitter.size(product)
            cost = builder.add(cost, builder.select(builder.icmp_signed("<", value, ZERO), ZERO, value))
    return builder.add(builder.sdiv(ir.Constant(I64, SMALLEST_PIECE), cost), UNIT)


def shared_rows(
    emitter: Emitter,
    iterators: tuple[str, ...],
    extents: tuple[Size, ...],
    work: list[Size],
    row: Callable[[], None],
    first: tuple[Step, ...] = (),
) -> None:
    """Rows of some dimensions among the threads, `work` elements each, after the steps that each piece does first."""
    builder = emitter.builder
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

    parallel(emitter, total, _grain(emitter, work), region, names)


def _rows(
    emitter: Emitter, iterators: tuple[str, ...], counts: list[Any], low: Any, high: Any, row: Callable[[], None]
) -> None:
    """The rows from low to high, counted from 0 through all dimensions, the last fastest."""
    if len(iterators) == 1:
        emitter.loop(low, high, iterators[0], row)
        return
    builder = emitter.builder
    first, head, after = (emitter.function.append_basic_block(name) for name in ("first", "rows", "done"))
    builder.cbranch(builder.icmp_signed("<", low, high), first, after)
    builder.position_at_end(first)
    places: list[Any] = []
    rest = low
    for count in reversed(counts[1:]):
        places.insert(0, builder.srem(rest, count))
        rest = builder.sdiv(rest, count)
    builder.branch(head)
    builder.position_at_end(head)
    counters = [builder.phi(I64) for _ in (low, *counts)]
    for counter, start in zip(counters, (low, rest, *places), strict=True):
        counter.add_incoming(start, first)
    with emitter.scope():
        for iterator, counter in zip(iterators, counters[1:], strict=True):
            emitter.names[iterator] = Bound.index(builder.add(counter, UNIT))
        row()
    following = [builder.add(counters[0], UNIT), *_carried(builder, counters[1:], counts)]
    for counter, value in zip(counters, following, strict=True):
        counter.add_incoming(value, builder.block)
    builder.cbranch(builder.icmp_signed("<", following[0], high), head, after)
    builder.position_at_end(after)


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
