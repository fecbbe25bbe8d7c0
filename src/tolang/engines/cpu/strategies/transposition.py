"""Transpositions: square blocks read as vectors along one dimension, turned, and written along the other.

What is left over at the ends is taken in smaller blocks, and then element by element; where it is half a block or more,
in one more block that begins in the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.cpu.emission.vector_expressions import ContiguousAxes, Travel, store_vector
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import quotient_of
from tolang.engines.llvm.types import I64
from tolang.engines.llvm.vectors import turned
from tolang.ground.symbolic.sizes import Size, floor_division
from tolang.idioms.transposition import transposition_of
from tolang.plan.nest import Buffer, Nest, Scalar
from tolang.plan.schedule import LoopSchedule, Role

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

PIECE, READ_PIECE = 64, 64
"""Coordinates written along that one thread takes at a time, and read along."""
LEAST_SIDE = 4
"""The side of the smaller blocks."""
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)


def transposition(emitter: Emitter, nest: Nest) -> None:
    """A nest that is read along one dimension and written along another."""
    _Blocks(emitter, nest).emit()


class _Blocks:
    """The code of one nest, being written."""

    def __init__(self, emitter: Emitter, nest: Nest) -> None:
        found = transposition_of(nest)
        assert found is not None
        assert isinstance(nest.schedule, LoopSchedule)
        self.emitter, self.nest, self.read, self.written = emitter, nest, found.read, found.written
        self.extents = dict(zip(nest.iterators, nest.extents, strict=True))
        self.line = ContiguousAxes(((self.read, self.extents[self.read]),))
        self.width = found.width
        side = nest.schedule.factor(Role.BLOCK)
        self.sides = [side, LEAST_SIDE] if side > LEAST_SIDE else [side]

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    def emit(self) -> None:
        emitter = self.emitter
        others = [name for name in self.nest.iterators if name not in (self.read, self.written)]
        pieces = [(self.written, PIECE), (self.read, READ_PIECE)]
        counts = [floor_division(self.extents[name] + (size - 1), Size.of(size)) for name, size in pieces]
        iterators = (*others, *(f"piece of {name}" for name, _ in pieces))
        extents = (*(self.extents[name] for name in others), *counts)

        def one() -> None:
            written, read = (self._piece(name, size) for name, size in pieces)
            self._region(written, read, self.sides)

        if emitter.inside_region:
            emitter.loops(iterators, extents, one)
            return
        work = folding(self.nest.values, (Size.of(PIECE), Size.of(READ_PIECE)))
        shared_rows(emitter, iterators, extents, work, one)

    def _piece(self, name: str, size: int) -> tuple[Any, Any]:
        """Where the piece of a dimension that a thread is at begins and ends."""
        builder, end = self.builder, self.emitter.size(self.extents[name])
        number = builder.sub(self.emitter.names[f"piece of {name}"].value, ONE)
        low = builder.mul(number, ir.Constant(I64, size))
        most = builder.add(low, ir.Constant(I64, size))
        return low, builder.select(builder.icmp_signed("<", most, end), most, end)

    def _region(self, written: tuple[Any, Any], read: tuple[Any, Any], sides: list[int]) -> None:
        """A rectangle: in blocks of the first side, what is left of it in those of the next."""
        if not sides:
            self._singles(written, read)
            return
        ends = [self._end(*written, sides[0]), self._end(*read, sides[0])]

        def line(to: Any) -> None:
            self._each((read[0], ends[1]), sides[0], lambda at: self._block(to, at, sides[0]))

        self._each((written[0], ends[0]), sides[0], line)
        self._region((written[0], ends[0]), (ends[1], read[1]), sides[1:])
        self._region((ends[0], written[1]), read, sides[1:])

    def _end(self, low: Any, high: Any, side: int) -> Any:
        """Where the last block ends: with the rectangle where half a block or more would be left over."""
        builder, size = self.builder, ir.Constant(I64, side)
        length = builder.sub(high, low)
        whole = builder.mul(quotient_of(builder, length, size), size)
        left = builder.sub(length, whole)
        half = builder.icmp_signed(">=", left, ir.Constant(I64, side // 2))
        one_more = builder.and_(half, builder.icmp_signed(">=", length, size))
        return builder.select(one_more, high, builder.add(low, whole))

    def _each(self, span: tuple[Any, Any], side: int, body: Any) -> None:
        """Blocks along one dimension, by the place of their first element; the last one ends where all do."""
        builder, size, name = self.builder, ir.Constant(I64, side), "block"
        length = builder.sub(span[1], span[0])
        count = quotient_of(builder, builder.add(length, ir.Constant(I64, side - 1)), size)
        last = builder.sub(span[1], size)

        def one() -> None:
            number = self.builder.sub(self.emitter.names[name].value, ONE)
            at = self.builder.add(span[0], self.builder.mul(number, size))
            body(self.builder.select(self.builder.icmp_signed("<", at, last), at, last))

        self.emitter.loop(ZERO, count, name, one)

    def _block(self, to: Any, at: Any, side: int) -> None:
        """A square block of every value, its elements counted from 0 along both dimensions."""
        for value, target in zip(self.nest.values, self.nest.targets, strict=True):
            self._block_of(value, target, to, at, side)

    def _block_of(self, value: Scalar, target: tuple[Buffer, tuple[Size, ...]], to: Any, at: Any, side: int) -> None:
        emitter, builder, rows = self.emitter, self.builder, []
        for k in range(side):
            with emitter.scope():
                self._bind(self.written, builder.add(to, ir.Constant(I64, k)))
                self._bind(self.read, ZERO)
                rows.append(Travel(emitter, self.line, at, side).scalar(value))
        buffer, place = target
        for k, row in enumerate(turned(builder, rows)):
            with emitter.scope():
                self._bind(self.written, to)
                self._bind(self.read, builder.add(at, ir.Constant(I64, k)))
                store_vector(builder, emitter.address(buffer, place), row, self.width)

    def _singles(self, written: tuple[Any, Any], read: tuple[Any, Any]) -> None:
        emitter = self.emitter

        def one() -> None:
            for value, (buffer, place) in zip(self.nest.values, self.nest.targets, strict=True):
                with emitter.scope():
                    emitter.store(buffer, place, emitter.scalar(value))

        emitter.loop(*written, self.written, lambda: emitter.loop(*read, self.read, one))

    def _bind(self, name: str, place: Any) -> None:
        self.emitter.names[name] = BoundValue.index(self.builder.add(place, ONE))
