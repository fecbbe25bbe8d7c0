"""Filters: pieces of the elements count what they keep, and then write it, each behind what those before it have.

An element is written before it is known whether it is kept, over which the next one is written if it is not.  So that
no piece writes into another's, each ends writing with the last element that it has counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.regions import parallel, word_of_run
from tolang.engines.cpu.strategies.in_order import in_order
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import ceiling, quotient_of
from tolang.engines.llvm.types import I64
from tolang.idioms.compaction import Filter, filter_of
from tolang.plan.nest import Repeat

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

PIECE = 1 << 14
"""Elements that a piece has at the least; of fewer than two pieces nothing is shared out."""
FOR_EACH = 4
"""Pieces for each thread at the most."""
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)
ITEM = "the piece"


def filters(emitter: Emitter, repeat: Repeat) -> None:
    """A repetition that appends what passes a test: by one thread step after step, by several in pieces."""
    found = filter_of(repeat)
    assert found is not None
    builder, threads = emitter.builder, word_of_run(emitter.builder, "tolang_width")
    count = emitter.size(repeat.extents[0])
    most = quotient_of(builder, count, ir.Constant(I64, PIECE))
    wanted = builder.mul(threads, ir.Constant(I64, FOR_EACH))
    pieces = builder.select(builder.icmp_signed("<", most, wanted), most, wanted)
    several = builder.and_(builder.icmp_signed(">", threads, ONE), builder.icmp_signed(">", pieces, ONE))
    shared = _Pieces(emitter, repeat, found)
    emitter.choose(several, lambda: shared.emit(count, pieces), lambda: in_order(emitter, repeat))


class _Pieces:
    """The code of one filter, being written."""

    def __init__(self, emitter: Emitter, repeat: Repeat, found: Filter) -> None:
        self.emitter, self.found = emitter, found
        self.iterator = repeat.iterators[0]

    def emit(self, count: Any, pieces: Any) -> None:
        emitter, builder = self.emitter, self.emitter.builder
        raw = emitter.take(builder.mul(builder.add(pieces, ONE), ir.Constant(I64, 8)), "a fold")
        firsts = builder.bitcast(raw, I64.as_pointer())
        slot = emitter.names[self.found.length].value
        builder.store(builder.load(slot), firsts)
        shared = {"firsts": firsts, "count": count, "pieces": pieces}
        self._in_pieces(pieces, shared, self._count)
        emitter.loop(ZERO, pieces, ITEM, lambda: self._add_up(firsts))
        self._in_pieces(pieces, shared, self._write)
        emitter.builder.store(emitter.builder.load(emitter.builder.gep(firsts, [pieces])), slot)
        emitter.give_back(raw)

    def _in_pieces(self, pieces: Any, shared: dict[str, Any], body: Callable[[], None]) -> None:
        emitter = self.emitter

        def region(low: Any, high: Any) -> None:
            emitter.inside_region = True
            emitter.loop(low, high, ITEM, body)
            emitter.inside_region = False

        parallel(emitter, pieces, ONE, region, shared)

    def _bounds(self) -> tuple[Any, Any]:
        """Where a piece begins and ends; none has more elements than its share, rounded up."""
        builder, count, pieces = self.emitter.builder, self.emitter.captured["count"], self.emitter.captured["pieces"]
        share, number = ceiling(builder, count, pieces), self.emitter.names[ITEM].value
        ends = [builder.mul(share, one) for one in (builder.sub(number, ONE), number)]
        low, high = (builder.select(builder.icmp_signed("<", end, count), end, count) for end in ends)
        return low, high

    def _place(self, firsts: Any, before: int) -> Any:
        """Where it is told how many elements are kept before a piece, or the one after it."""
        number = self.emitter.names[ITEM].value
        return self.emitter.builder.gep(firsts, [self.emitter.builder.sub(number, ir.Constant(I64, before))])

    def _count(self) -> None:
        """How many elements of a piece are kept, at the place of the one after it."""
        emitter, total = self.emitter, self.emitter.slot(I64)
        emitter.builder.store(ZERO, total)

        def one() -> None:
            builder = emitter.builder
            more = builder.zext(emitter.scalar(self.found.kept.value), I64)
            builder.store(builder.add(builder.load(total), more), total)

        emitter.loop(*self._bounds(), self.iterator, one)
        emitter.builder.store(emitter.builder.load(total), self._place(emitter.captured["firsts"], 0))

    def _add_up(self, firsts: Any) -> None:
        builder, own = self.emitter.builder, self._place(firsts, 0)
        builder.store(builder.add(builder.load(self._place(firsts, 1)), builder.load(own)), own)

    def _write(self) -> None:
        emitter, firsts, place = self.emitter, self.emitter.captured["firsts"], self.emitter.slot(I64)
        emitter.builder.store(emitter.builder.load(self._place(firsts, 1)), place)
        end = emitter.builder.load(self._place(firsts, 0))
        before = emitter.names[self.found.length]
        emitter.names[self.found.length] = BoundValue(place, before.storage, True, False)  # no more than elements

        def one() -> None:
            emitter.step(self.found.kept)
            left = emitter.builder.icmp_signed("<", emitter.builder.load(place), end)
            with emitter.builder.if_then(left, likely=True), emitter.scope():
                for store in self.found.stores:
                    emitter.step(store)
            emitter.step(self.found.grown)

        emitter.loop(*self._bounds(), self.iterator, one)
