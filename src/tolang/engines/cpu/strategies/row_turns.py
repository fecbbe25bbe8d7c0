"""Rows in turns: where the second half of a nest's rows reads what the first half reads, row by row in turns with it.

    nest [i <= n, j <= m]                            rows 1, n/2 + 1, 2, n/2 + 2, …
      y[i,j] = {k = f(i); … x[k,j] …}                  where f(1) = f(n/2 + 1)

So what one row has read is still in the nearest cache when the other reads it, as in a stage of a Fourier transform.
Whether the halves read the same is asked of their first rows as the nest begins.  Rows may be computed in any order, so
that the answer matters for time alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from typing import Any

from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I64
from tolang.plan.nest import Nest
from tolang.schedule.row_invariants import RowInvariants, rows_read_by_lookup

TURNS = "rows in turns"
ZERO, ONE, TWO = (ir.Constant(I64, one) for one in (0, 1, 2))
FEWEST = ir.Constant(I64, 4)
"""How many rows there are at the least."""


@contextmanager
def taking_turns(emitter: Emitter, nest: Nest, still: RowInvariants) -> Iterator[None]:
    """Inside, rows are in turns where the first rows of both halves read the same; what is empty is not asked."""
    builder, (count, length) = emitter.builder, (emitter.size(extent) for extent in nest.extents)
    half = quotient_of(builder, count, TWO)
    even = builder.icmp_signed("==", builder.mul(half, TWO), count)
    some = builder.and_(*(builder.icmp_signed(">=", *one) for one in ((count, FEWEST), (length, ONE))))
    fit = builder.and_(even, some)
    slot = emitter.slot(fit.type)
    builder.store(fit, slot)
    with builder.if_then(fit):
        one, other = (_looked_up(emitter, nest, still, row) for row in (ONE, builder.add(half, ONE)))
        builder.store(reduce(builder.and_, [_same(builder, *pair) for pair in zip(one, other, strict=True)]), slot)
    with emitter.scope():
        emitter.names[TURNS] = BoundValue(builder.load(slot), "bool", data=False)
        yield


def in_its_turn(emitter: Emitter, nest: Nest) -> None:
    """Binds the coordinate of the row whose turn it is, counted through all of them."""
    builder, row = emitter.builder, nest.iterators[0]
    counted = emitter.names[row].value
    number = builder.sub(counted, ONE)
    half = quotient_of(builder, emitter.size(nest.extents[0]), TWO)
    other = builder.select(builder.icmp_signed("==", builder.and_(number, ONE), ONE), half, ZERO)
    turn = builder.add(builder.add(quotient_of(builder, number, TWO), other), ONE)
    emitter.names[row] = BoundValue.index(builder.select(emitter.names[TURNS].value, turn, counted))


def _looked_up(emitter: Emitter, nest: Nest, still: RowInvariants, row: Any) -> list[Any]:
    """The places that a row reads at."""
    with emitter.scope():
        emitter.names[nest.iterators[0]] = BoundValue.index(row)
        for name, value in still.bindings:
            emitter.names[name] = BoundValue(emitter.scalar(value), value.column.storage)
        return [emitter.names[name].value for name in rows_read_by_lookup(nest, still)]


def _same(builder: ir.IRBuilder, one: Any, other: Any) -> Any:
    if isinstance(one.type, ir.IntType):
        return builder.icmp_signed("==", one, other)
    return builder.fcmp_ordered("==", one, other)
