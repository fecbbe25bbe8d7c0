"""Places shared out: every thread looks where all steps of a fold go, and takes those that go to its own places.

Each place is changed by its steps in their order, as on one thread, so that no result depends on how many there are.
Whoever has the last places takes steps that go nowhere, too, and finds what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.regions import parallel, word_of_run
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import ceiling, quotient_of
from tolang.engines.llvm.types import I1, I8, I32, I64, cast, intrinsic
from tolang.plan.nest import Scalar

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

LITTLE = 1 << 15
"""Steps below which one thread does them all."""
PLACES = 64
"""How many rows of the state a thread has at the least, so that hardly two of them write to one line of memory."""
BLOCK, WORD = 1024, 64
"""How many steps are looked at before some are done, and how many bits tell at a time which."""
ZERO, ONE, ALL = ir.Constant(I64, 0), ir.Constant(I64, 1), ir.Constant(I64, -1)
BYTES = ir.VectorType(I8, WORD)
SHARE, OUTER, LANE, INNER, TURN = "the share", "the block", "the lane", "the word", "the turn"


def shares_of(emitter: Emitter, count: Any, rows: Any) -> Any:
    """Among how many threads the rows of a state are shared out that so many steps go to."""
    builder = emitter.builder
    threads, most = word_of_run(builder, "tolang_width"), quotient_of(builder, rows, ir.Constant(I64, PLACES))
    shares = builder.select(builder.icmp_signed("<", threads, most), threads, most)
    return builder.select(builder.icmp_signed("<", count, ir.Constant(I64, LITTLE)), ONE, shares)


def owned_places(
    emitter: Emitter, iterator: str, row: Scalar, amounts: tuple[Any, Any, Any], step: Callable[[], None]
) -> None:
    """Steps that each change a row of the state, by threads that have rows; amounts are steps, rows and threads."""
    count, rows, shares = amounts

    def region(low: Any, high: Any) -> None:
        emitter.inside_region = True
        emitter.loop(low, high, SHARE, lambda: _Share(emitter, iterator, row, step).emit())
        emitter.inside_region = False

    parallel(emitter, shares, ONE, region, {"count": count, "rows": rows, "shares": shares})


class _Share:
    """The loops of one thread."""

    def __init__(self, emitter: Emitter, iterator: str, row: Scalar, step: Callable[[], None]) -> None:
        self.emitter, self.iterator, self.row, self.step = emitter, iterator, row, step
        builder, own = emitter.builder, emitter.names[SHARE].value
        rows, shares = emitter.captured["rows"], emitter.captured["shares"]
        before, end = (quotient_of(builder, builder.mul(k, rows), shares) for k in (builder.sub(own, ONE), own))
        is_last = builder.icmp_signed("==", own, shares)
        self.least, self.greatest = before, builder.select(is_last, ALL, builder.sub(end, ONE))
        self.taken = emitter.slot(ir.ArrayType(I8, BLOCK), align=WORD)

    def emit(self) -> None:
        blocks = ceiling(self.emitter.builder, self.emitter.captured["count"], ir.Constant(I64, BLOCK))
        self.emitter.loop(ZERO, blocks, OUTER, self._block)

    def _block(self) -> None:
        """A block of steps: first which of them are this thread's, then these."""
        emitter, width = self.emitter, ir.Constant(I64, BLOCK)
        builder = emitter.builder
        first = builder.mul(builder.sub(emitter.names[OUTER].value, ONE), width)
        rest = builder.sub(emitter.captured["count"], first)
        length = builder.select(builder.icmp_signed("<", rest, width), rest, width)
        emitter.loop(ZERO, length, LANE, lambda: self._look(first), BLOCK)
        emitter.loop(length, width, LANE, lambda: self._mark(ir.Constant(I8, 0)), BLOCK)
        words = ceiling(emitter.builder, length, ir.Constant(I64, WORD))
        emitter.loop(ZERO, words, INNER, lambda: self._word(first), BLOCK // WORD)

    def _look(self, first: Any) -> None:
        """Whether the row that a step changes is this thread's."""
        emitter = self.emitter
        lane = emitter.names[LANE].value
        with emitter.scope():
            emitter.names[self.iterator] = BoundValue.index(emitter.builder.add(first, lane))
            value = emitter.scalar(self.row)
        builder = emitter.builder
        row = builder.sub(cast(builder, value, self.row.column.storage, "i64"), ONE)
        behind = builder.icmp_unsigned(">=", row, self.least)
        own = builder.and_(behind, builder.icmp_unsigned("<=", row, self.greatest))
        self._mark(builder.zext(own, I8))

    def _mark(self, mark: Any) -> None:
        number = self.emitter.builder.sub(self.emitter.names[LANE].value, ONE)
        self.emitter.builder.store(mark, self._at(number))

    def _at(self, number: Any) -> Any:
        return self.emitter.builder.gep(self.taken, [ir.Constant(I32, 0), number])

    def _word(self, first: Any) -> None:
        """The steps that the marks of a word tell, in order."""
        emitter, builder = self.emitter, self.emitter.builder
        begin = builder.mul(builder.sub(emitter.names[INNER].value, ONE), ir.Constant(I64, WORD))
        marks = builder.load(builder.bitcast(self._at(begin), BYTES.as_pointer()), 1)
        none = ir.Constant(BYTES, [ir.Constant(I8, 0)] * WORD)
        word = builder.bitcast(builder.icmp_unsigned("!=", marks, none), I64)
        left = emitter.slot(I64)
        builder.store(word, left)
        before = builder.add(builder.add(first, begin), ONE)

        def one() -> None:
            builder = emitter.builder
            bits = builder.load(left)
            builder.store(builder.and_(bits, builder.sub(bits, ONE)), left)
            emitter.names[self.iterator] = BoundValue.index(builder.add(before, trailing_zeros(builder, bits)))
            self.step()

        emitter.loop(ZERO, intrinsic(builder, "ctpop", I64, [word]), TURN, one, WORD)


def trailing_zeros(builder: ir.IRBuilder, bits: Any) -> Any:
    """How many bits come before the first that is set; one is."""
    return intrinsic(builder, "cttz", I64, [bits, ir.Constant(I1, 1)])
