"""Rows that are asked for while the row before them is computed.

A processor foresees how memory goes on within a page, and rows end where pages do; while much is computed with few
numbers, memory has nothing to do.  So a step goes along its row in strips, and asks before each of them for the same
strip of the next row.  Behind the last row of a piece that is another thread's, or no memory, which is no error.

Nothing is asked for where all of it stays in a cache of the processor's own, nor of short rows, of which many lie in a
page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.cpu.emission.regions import word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.prefetching import LINE, ask_for
from tolang.engines.llvm.sizes import ceiling
from tolang.engines.llvm.types import I64
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import dtype_of
from tolang.plan.nest import Each
from tolang.schedule.next_rows import NextRow, next_rows

STRIP = 128
"""How many elements are computed between two times that something is asked for."""
NUMBER, FAR = "the strip", "far rows"
ZERO, UNIT, STRIP_LENGTH = (ir.Constant(I64, one) for one in (0, 1, STRIP))


@contextmanager
def asking_for_rows(emitter: Emitter, each: Each) -> Iterator[None]:
    """Inside, the step that has time for it asks for the next row of a loop over rows."""
    found = next_rows(each) if each.schedule is not None and each.schedule.prefetch else None
    if found is None or not found[0].extents[0].names() <= emitter.names.keys():
        yield
        return
    nest, rows = found
    builder, room = emitter.builder, word_of_run(emitter.builder, "tolang_second_cache")
    long = builder.icmp_signed(">=", emitter.size(nest.extents[0]), STRIP_LENGTH)
    many = builder.icmp_signed(">", _bytes_of(emitter, rows), room)
    with emitter.scope():
        emitter.names[FAR] = BoundValue(builder.and_(long, many), "bool", data=False)
        emitter.following = {id(nest): rows}
        yield
        emitter.following = {}


def loop_asking(
    emitter: Emitter,
    iterators: tuple[str, ...],
    extents: tuple[Size, ...],
    rows: list[NextRow],
    body: Callable[[], None],
) -> None:
    """A loop in strips: before each of them its part of some rows is asked for."""
    (iterator,), length, far = iterators, emitter.size(extents[0]), emitter.names[FAR].value

    def strip() -> None:
        builder = emitter.builder
        begin = builder.mul(builder.sub(emitter.names[NUMBER].value, UNIT), STRIP_LENGTH)
        behind = builder.add(begin, STRIP_LENGTH)
        end = builder.select(builder.icmp_signed("<", behind, length), behind, length)
        with builder.if_then(far), emitter.scope():
            emitter.names[iterator] = BoundValue.index(builder.add(begin, UNIT))
            for row in rows:
                place = emitter.address(row.buffer, row.at)
                for ahead in range(0, STRIP * _element(row), LINE):
                    ask_for(builder, place, ahead, written=row.written)
        emitter.loop(begin, end, iterator, body, STRIP)

    emitter.loop(ZERO, ceiling(emitter.builder, length, STRIP_LENGTH), NUMBER, strip, rolled=True)


def _bytes_of(emitter: Emitter, rows: list[NextRow]) -> Any:
    """How many bytes some buffers have together."""
    total: Any = ZERO
    for row in rows:
        size: Any = ir.Constant(I64, _element(row))
        for length in row.buffer.shape:
            size = emitter.builder.mul(size, emitter.size(length))
        total = emitter.builder.add(total, size)
    return total


def _element(row: NextRow) -> int:
    return dtype_of(row.buffer.column.storage).itemsize
