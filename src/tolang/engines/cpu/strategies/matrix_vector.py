"""Products of a matrix and a vector, several rows of the matrix at a time.

    y[i] = reduce[k](a[i,k] * x[k])        for i by eights: for k: state[0..7] += a[i..i+7,k] * x[k]

Each fold by itself is one chain of dependent sums and an end in which the lanes of a vector are summed; side by side
they keep the processor busy, and what all of them read is loaded once.  Long rows are taken one by one: memory is read
best from start to end, and rows that lie far apart may drive each other out of the nearest cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.llvm.bindings import Bound
from tolang.engines.llvm.functions import REGROUPED
from tolang.engines.llvm.types import I64
from tolang.engines.llvm.types import TYPES as STORAGE_TYPES
from tolang.ground.sizes import Size, floor_division
from tolang.nests.nest import Nest
from tolang.nests.patterns.matrix_vector import MatrixVector, matrix_vector_of
from tolang.nests.patterns.tile import WIDTH_OF_STORAGE

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

TOGETHER = 8
"""How many folds run side by side."""
SHORT = 512
"""Up to how many bytes of each."""
BLOCK = "the block of folds"


def matrix_vector(emitter: Emitter, nest: Nest) -> None:
    """Products whose reads lie along their folds."""
    product = matrix_vector_of(nest)
    assert product is not None
    _MatrixVector(emitter, product).emit()


class _MatrixVector:
    """The loops of one product, a block of folds at a time."""

    def __init__(self, emitter: Emitter, product: MatrixVector) -> None:
        self.emitter, self.nest, self.group, self.point = emitter, product.nest, product.group, product.point

    def emit(self) -> None:
        nest, emitter = self.nest, self.emitter
        blocks = floor_division(nest.extents[-1] + (TOGETHER - 1), Size.of(TOGETHER))
        iterators, extents = (*nest.iterators[:-1], BLOCK), (*nest.extents[:-1], blocks)
        if emitter.inside_region:
            emitter.loops(iterators, extents, self._block)
            return
        work = folding(nest.values, (Size.of(TOGETHER),))
        shared_rows(emitter, iterators, extents, work, self._block)

    def _block(self) -> None:
        """One block: short folds side by side, long ones, or few, one after the other; all are of one length."""
        emitter, builder = self.emitter, self.emitter.builder
        width = ir.Constant(I64, TOGETHER)
        before = builder.mul(builder.sub(emitter.names[BLOCK].value, ir.Constant(I64, 1)), width)
        last = emitter.size(self.nest.extents[-1])
        left = builder.sub(last, before)
        length: Any = ir.Constant(I64, WIDTH_OF_STORAGE[self.group.columns[0].storage])
        for extent in self.group.extents:
            length = builder.mul(length, emitter.size(extent))
        short = builder.icmp_signed("<=", length, ir.Constant(I64, SHORT))

        def together() -> None:
            start = self._at_most(before, emitter.builder.sub(last, width))
            points = [emitter.builder.add(start, ir.Constant(I64, k)) for k in range(1, TOGETHER + 1)]
            slots = self._folds(points)
            whole = emitter.builder.icmp_signed("==", start, before)
            emitter.choose(whole, lambda: self._finish(points, slots), lambda: partly(points, slots))

        def partly(points: list[Any], slots: list[Any]) -> None:
            for point, slot in zip(points, slots, strict=True):
                with emitter.builder.if_then(emitter.builder.icmp_signed(">", point, before)):
                    self._finish([point], [slot])

        def one() -> None:
            points = [emitter.builder.add(before, emitter.names[self.point].value)]
            self._finish(points, self._folds(points))

        def singly() -> None:
            count = self._at_most(left, width)
            emitter.loop(ir.Constant(I64, 0), count, self.point, one, TOGETHER)

        enough = builder.icmp_signed(">=", last, width)
        emitter.choose(builder.and_(short, enough), together, singly)

    def _at_most(self, one: Any, most: Any) -> Any:
        builder = self.emitter.builder
        return builder.select(builder.icmp_signed("<", one, most), one, most)

    def _folds(self, points: list[Any]) -> list[Any]:
        """The folds at some points: where their results are.

        The last block has as many folds as the others, the first of them once more: LLVM sums up in one way where there
        are eight and in another where there is one, and no row's sum may depend on the rows behind it.
        """
        emitter, group = self.emitter, self.group
        storage = group.columns[0].storage
        slots = [emitter.slot(STORAGE_TYPES[storage]) for _ in points]
        for slot in slots:
            emitter.builder.store(emitter.scalar(group.initials[0]), slot)

        def body() -> None:
            for slot in self._at(points, slots):
                emitter.names[group.states[0]] = Bound(slot, storage, True)
                emitter.builder.store(emitter.scalar(group.steps[0], REGROUPED), slot)

        emitter.loops(group.iterators, group.extents, body)
        return slots

    def _finish(self, points: list[Any], slots: list[Any]) -> None:
        """What the nest computes of the folds at some points."""
        emitter, group = self.emitter, self.group
        for slot in self._at(points, slots):
            emitter.groups[id(group)] = [emitter.builder.load(slot)]
            computed = [emitter.scalar(v) for v in self.nest.values]
            for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
                emitter.store(buffer, at, value)

    def _at(self, points: list[Any], slots: list[Any]) -> Iterator[Any]:
        """Each point in turn, bound to the nest's iterator, and the slot of its state."""
        for point, slot in zip(points, slots, strict=True):
            with self.emitter.scope():
                self.emitter.names[self.point] = Bound.index(point)
                yield slot
