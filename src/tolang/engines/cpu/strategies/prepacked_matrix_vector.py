"""Products of a vector and a matrix that lies in panels: each panel is read from start to end, as memory runs.

y[j] = reduce[k](x[k] * p[k,j])        for each panel: accumulators in registers, for k: += x[k] * panel[k]

A matrix whose rows the folds read along has its rows in chunks, one of each row of a panel, then the next: they are
folded as they would be from rows that lie by themselves (`matrix_vector`), to the bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.cpu.strategies.matrix_vector import rows_in_panels
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.evaluation import Evaluator
from tolang.engines.llvm.types import I32, I64
from tolang.engines.llvm.types import TYPES as STORAGE_TYPES
from tolang.engines.llvm.vectors import splat
from tolang.ground.symbolic.sizes import Size, floor_division
from tolang.plan.nest import Load, Nest, Operation, Scalar
from tolang.plan.traversal import dependencies
from tolang.schedule.matrix_vector import MatrixVector, matrix_vector_of
from tolang.schedule.tile import WIDTH_OF_STORAGE

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

PANEL, LANE = "the panel", "the lane"
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)


def prepacked_matrix_vector(emitter: Emitter, nest: Nest) -> None:
    """Products whose matrix lies in panels."""
    product = matrix_vector_of(nest)
    assert product is not None
    panels = product.matrix.buffer.panels
    assert panels is not None
    width = panels.width
    if panels.chunk > 1:
        rows_in_panels(emitter, product, width)
    else:
        _PanelLoops(emitter, product, width).emit()


class _PanelLoops:
    """The loops of one product, a panel at a time."""

    def __init__(self, emitter: Emitter, product: MatrixVector, width: int) -> None:
        self.emitter, self.product, self.width = emitter, product, width
        self.nest, self.group = product.nest, product.group
        self.storage = product.group.columns[0].storage
        self.lanes = emitter.target.vector_bytes // WIDTH_OF_STORAGE[self.storage]
        self.vector = ir.VectorType(STORAGE_TYPES[self.storage], self.lanes)

    def emit(self) -> None:
        nest, emitter = self.nest, self.emitter
        panels = floor_division(nest.extents[-1] + (self.width - 1), Size.of(self.width))
        iterators, extents = (*nest.iterators[:-1], PANEL), (*nest.extents[:-1], panels)
        if emitter.inside_region:
            emitter.loops(iterators, extents, self._panel)
            return
        work = folding(nest.values, (Size.of(self.width),))
        shared_rows(emitter, iterators, extents, work, self._panel)

    def _panel(self) -> None:
        """The folds at the points of a panel, then what the nest computes of each."""
        emitter, builder, group = self.emitter, self.emitter.builder, self.group
        before = builder.mul(builder.sub(emitter.names[PANEL].value, ONE), ir.Constant(I64, self.width))
        slots = [emitter.slot(self.vector) for _ in range(self.width // self.lanes)]
        initial = splat(builder, emitter.scalar(group.initials[0]), self.lanes)
        for slot in slots:
            builder.store(initial, slot)
        start = self._start(before)
        emitter.loops(group.iterators, group.extents, lambda: self._step(start, slots))
        room = emitter.slot(ir.ArrayType(self.vector, len(slots)))
        for position, slot in enumerate(slots):
            place = emitter.builder.gep(room, [ir.Constant(I32, 0), ir.Constant(I32, position)])
            emitter.builder.store(emitter.builder.load(slot), place)
        self._finish(before, emitter.builder.bitcast(room, self.vector.element.as_pointer()))

    def _start(self, before: Any) -> Any:
        """The address of the panel's first element, at the first coordinates of the fold."""
        emitter, matrix = self.emitter, self.product.matrix
        with emitter.scope():
            emitter.names[self.product.point] = BoundValue.index(emitter.builder.add(before, ONE))
            for iterator in self.group.iterators:
                emitter.names[iterator] = BoundValue.index(ONE)
            return emitter.address(matrix.buffer, matrix.indices)

    def _step(self, start: Any, slots: list[Any]) -> None:
        """One step of the folds at all points."""
        emitter, builder = self.emitter, self.emitter.builder
        step: Any = ZERO
        for iterator, extent in zip(self.group.iterators, self.group.extents, strict=True):
            place = builder.sub(emitter.names[iterator].value, ONE)
            step = builder.add(builder.mul(step, emitter.size(extent)), place)
        offset = builder.mul(step, ir.Constant(I64, self.width))
        shared: dict[int, Any] = {}
        for position, slot in enumerate(slots):
            place = builder.gep(start, [builder.add(offset, ir.Constant(I64, position * self.lanes))])
            read = builder.load(builder.bitcast(place, self.vector.as_pointer()), align=WIDTH_OF_STORAGE[self.storage])
            points = _Points(emitter, self, builder.load(slot), read, shared)
            builder.store(points.scalar(self.group.steps[0]), slot)

    def _finish(self, before: Any, states: Any) -> None:
        emitter, builder = self.emitter, self.emitter.builder
        left = builder.sub(emitter.size(self.nest.extents[-1]), before)
        width = ir.Constant(I64, self.width)
        count = builder.select(builder.icmp_signed("<", left, width), left, width)

        def one() -> None:
            lane = emitter.names[LANE].value
            emitter.names[self.product.point] = BoundValue.index(emitter.builder.add(before, lane))
            state = emitter.builder.load(emitter.builder.gep(states, [emitter.builder.sub(lane, ONE)]))
            emitter.groups[id(self.group)] = [state]
            computed = [emitter.scalar(v) for v in self.nest.values]
            for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
                emitter.store(buffer, at, value)

        emitter.loop(ZERO, count, LANE, one, self.width)


class _Points(Evaluator):
    """The domain of the points of one vector of a panel: the states of their folds, and what was read for them."""

    def __init__(self, emitter: Emitter, panels: _PanelLoops, state: Any, read: Any, shared: dict[int, Any]) -> None:
        self.emitter, self.panels, self.state, self.read, self.shared = emitter, panels, state, read, shared

    def at_hand(self, scalar: Scalar) -> Any:
        """What is alike at all points is computed once for all vectors."""
        if dependencies(scalar) & {self.panels.product.point, *self.panels.group.states}:
            return None
        if id(scalar) not in self.shared:
            self.shared[id(scalar)] = splat(self.emitter.builder, self.emitter.scalar(scalar), self.panels.lanes)
        return self.shared[id(scalar)]

    def named(self, name: str, storage: str) -> Any:
        return self.state

    def load(self, load: Load) -> Any:
        return self.read

    def operation(self, scalar: Operation, values: list[Any]) -> Any:
        return self.emitter.operation(scalar, values)
