"""Products of a matrix and a vector, several rows of the matrix at a time.

    y[i] = reduce[k](a[i,k] * x[k])        for i by fours: for k in lanes: state[0..3] += a[i..i+3,k] * x[k]

Each fold by itself is few chains of dependent sums and an end in which lanes are summed; side by side they keep the
processor busy, and what all of them read is loaded once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.cpu.strategies.lanes import Folded, fold_in_lanes
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.sizes import ceiling
from tolang.engines.llvm.types import I64
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size, floor_division
from tolang.plan.nest import Nest
from tolang.plan.schedule import LoopSchedule, Role
from tolang.schedule.matrix_vector import MatrixVector, matrix_vector_of
from tolang.schedule.tile import WIDTH_OF_STORAGE

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

SHORT = 2048
"""Up to how many bytes of each row as many are taken together as registers allow; of longer ones a quarter, as rows
that lie far apart drive each other out of the nearest cache."""
BLOCK, PART = "the block of folds", "the part of a block"
ONE = ir.Constant(I64, 1)


def matrix_vector(emitter: Emitter, nest: Nest) -> None:
    """Products whose reads lie along their folds."""
    product = matrix_vector_of(nest)
    assert product is not None
    assert isinstance(nest.schedule, LoopSchedule)
    _MatrixVector(emitter, product, nest.schedule.factor(Role.UNROLL)).emit()


def rows_in_panels(emitter: Emitter, product: MatrixVector, width: int) -> None:
    """Products whose matrix lies in panels of so many rows, by chunks."""
    _MatrixVector(emitter, product, width, in_panels=True).emit()


class _MatrixVector:
    """The loops of one product, a block of folds at a time."""

    def __init__(self, emitter: Emitter, product: MatrixVector, together: int, in_panels: bool = False) -> None:
        self.emitter, self.nest, self.group, self.point = emitter, product.nest, product.group, product.point
        self.product, self.together, self.in_panels = product, together, in_panels

    def emit(self) -> None:
        nest, emitter = self.nest, self.emitter
        blocks = floor_division(nest.extents[-1] + (self.together - 1), Size.of(self.together))
        iterators, extents = (*nest.iterators[:-1], BLOCK), (*nest.extents[:-1], blocks)
        if emitter.inside_region:
            emitter.loops(iterators, extents, self._block)
            return
        work = folding(nest.values, (Size.of(self.together),))
        shared_rows(emitter, iterators, extents, work, self._block)

    def _block(self) -> None:
        """One block: short rows, and those of a panel, all side by side, long ones a few at a time."""
        emitter, builder = self.emitter, self.emitter.builder
        before = builder.mul(builder.sub(emitter.names[BLOCK].value, ONE), ir.Constant(I64, self.together))
        if self.in_panels or self.together == 1:
            self._side_by_side(before, self.together, True)
            return
        length: Any = ir.Constant(I64, WIDTH_OF_STORAGE[self.group.columns[0].storage])
        for extent in self.group.extents:
            length = builder.mul(length, emitter.size(extent))
        short = builder.icmp_signed("<=", length, ir.Constant(I64, SHORT))
        few = max(1, self.together // 4)

        def part() -> None:
            done = emitter.builder.mul(emitter.builder.sub(emitter.names[PART].value, ONE), ir.Constant(I64, few))
            self._side_by_side(emitter.builder.add(before, done), few, True)

        def in_parts() -> None:
            left = emitter.builder.sub(emitter.size(self.nest.extents[-1]), before)
            rows = self._at_most(left, ir.Constant(I64, self.together))
            parts = ceiling(emitter.builder, rows, ir.Constant(I64, few))
            emitter.loop(ir.Constant(I64, 0), parts, PART, part, self.together // few)

        emitter.choose(short, lambda: self._side_by_side(before, self.together, False), in_parts)

    def _side_by_side(self, before: Any, count: int, stream: bool) -> None:
        """Some rows; beyond the last one it is taken again, or what a panel has there, and its result not asked for."""
        emitter, last = self.emitter, self.emitter.size(self.nest.extents[-1])
        points = [emitter.builder.add(before, ir.Constant(I64, k)) for k in range(1, count + 1)]
        bound = [BoundValue.index(self._at_most(point, last)) for point in points]
        if self.in_panels:
            panel = emitter.builder.sub(emitter.names[BLOCK].value, ONE)
            bound = [replace(one, panel=(panel, place)) for place, one in enumerate(bound)]
        results = self._folds(bound, stream)

        def partly() -> None:
            for point, result in zip(points, results, strict=True):
                with emitter.builder.if_then(emitter.builder.icmp_signed("<=", point, last)):
                    self._finish([point], [result])

        whole = emitter.builder.icmp_signed("<=", points[-1], last)
        emitter.choose(whole, lambda: self._finish(points, results), partly)

    def _at_most(self, one: Any, most: Any) -> Any:
        builder = self.emitter.builder
        return builder.select(builder.icmp_signed("<", one, most), one, most)

    def _folds(self, points: list[BoundValue], stream: bool) -> list[Any]:
        """The results of the folds at some points, each with one vector of states."""
        emitter, group = self.emitter, self.group
        assert group.combine is not None
        column = group.columns[0]
        folded = Folded(
            group.iterators,
            group.extents,
            group.states[0],
            group.steps[0],
            column,
            group.combine,
            1,
            streamed=self.product.matrix if stream else None,
        )
        names = [{self.point: point} for point in points]
        return fold_in_lanes(emitter, folded, emitter.scalar(group.initials[0]), names)

    def _finish(self, points: list[Any], results: list[Any]) -> None:
        """What the nest computes of the folds at some points."""
        emitter, group = self.emitter, self.group
        for point, result in zip(points, results, strict=True):
            with emitter.scope():
                emitter.names[self.point] = BoundValue.index(point)
                emitter.groups[id(group)] = [result]
                computed = [emitter.scalar(v) for v in self.nest.values]
                for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
                    emitter.store(buffer, at, value)
