"""Iterations at each point, several points at a time: each lane of a vector is a point with a fold of its own.

A fold that goes on from its own state alone (Newton's method, the Mandelbrot set) is a chain that nothing can shorten,
but the chains of neighbouring points run side by side in vectors, in the order written and to the bit.  Where the step
keeps the state once a test on it fails, it fails for good: the fold ends when it has failed in every lane.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.blocks import VectorBlock, in_blocks
from tolang.engines.cpu.emission.looping import ZERO, loop
from tolang.engines.cpu.emission.vector_expressions import store_vector
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.evaluation import Evaluator
from tolang.engines.llvm.types import ANYWHERE, I64, TYPES, cast, constant
from tolang.engines.llvm.vectors import counting, splat
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import dtype_of
from tolang.plan.access import slope
from tolang.plan.nest import ConstantScalar, Group, Load, Named, Nest, Operation, Reduction, Scalar, Select, Where
from tolang.plan.schedule import LoopSchedule, Role
from tolang.plan.traversal import dependencies, walk

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


def iteration(emitter: Emitter, nest: Nest) -> None:
    """A nest whose folds go on from their own state alone."""
    assert isinstance(nest.schedule, LoopSchedule)
    _IterationLanes(emitter, nest, nest.schedule.factor(Role.VECTOR)).emit()


class _IterationLanes(Evaluator):
    """The loops of one nest, a block of points at a time."""

    def __init__(self, emitter: Emitter, nest: Nest, lanes: int) -> None:
        self.emitter, self.nest, self.lanes = emitter, nest, lanes
        self.point = nest.iterators[-1]
        self.values: dict[str, Any] = {}
        self.folds: dict[int, list[Any]] = {}

    def emit(self) -> None:
        in_blocks(self.emitter, self.nest, VectorBlock(self.point, self.lanes), self._together)

    def _together(self, first: Any) -> None:
        """One block in lanes."""
        emitter = self.emitter
        emitter.names[self.point] = BoundValue.index(emitter.builder.add(first, ir.Constant(I64, 1)))
        self.values, self.folds = {}, {}
        computed = [self.scalar(v) for v in self.nest.values]
        for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
            place = emitter.address(buffer, at)
            store_vector(emitter.builder, place, value, dtype_of(buffer.column.storage).itemsize)

    def _varies(self, scalar: Scalar) -> bool:
        folds = any(isinstance(s, Reduction) for s in walk(scalar))
        return folds or bool(dependencies(scalar) & {self.point, *self.values})

    # The domain of the points of a block

    def at_hand(self, scalar: Scalar) -> Any:
        """What is alike at all points of a block is computed once."""
        if isinstance(scalar, ConstantScalar) or self._varies(scalar):
            return None
        return splat(self.emitter.builder, self.emitter.scalar(scalar), self.lanes)

    def number(self, value: Any, storage: str) -> Any:
        return constant(value, storage, self.lanes)

    def named(self, name: str, storage: str) -> Any:
        return self.values[name]

    def binding(self) -> AbstractContextManager[None]:
        return nullcontext()

    def bind(self, name: str, value: Any, storage: str) -> None:
        self.values[name] = value

    def index(self, size: Size, storage: str) -> Any:
        builder, step = self.emitter.builder, slope(size, self.point) or 0
        places = builder.add(splat(builder, self.emitter.size(size), self.lanes), counting(I64, self.lanes, step))
        return cast(builder, places, "i64", storage)

    def load(self, load: Load) -> Any:
        builder = self.emitter.builder
        vector = ir.VectorType(TYPES[load.column.storage], self.lanes)
        place = builder.bitcast(self.emitter.address(load.buffer, load.indices), vector.as_pointer())
        return builder.load(place, align=ANYWHERE)

    def operation(self, scalar: Operation, values: list[Any]) -> Any:
        return self.emitter.operation(scalar, values)

    def chosen(self, select: Select) -> Any:
        values = [self.scalar(one) for one in (select.test[0], select.then, select.otherwise)]
        return self.emitter.builder.select(*values)

    def fold(self, group: Group) -> list[Any]:
        """The final states of a fold at the points of a block."""
        known = self.folds.get(id(group))
        if known is not None:
            return known
        emitter, builder = self.emitter, self.emitter.builder
        starts = [self.scalar(initial) for initial in group.initials]
        slots = [emitter.slot(start.type) for start in starts]
        for slot, start in zip(slots, starts, strict=True):
            builder.store(start, slot)
        tests = [_test(step, name) for step, name in zip(group.steps, group.states, strict=True)]

        def turn() -> Any:
            for slot, name in zip(slots, group.states, strict=True):
                self.values[name] = emitter.builder.load(slot)
            steps = [self.scalar(step) for step in group.steps]
            going = [self._any(self.scalar(test)) for test in tests if test is not None]
            for slot, step in zip(slots, steps, strict=True):
                emitter.builder.store(step, slot)
            for one_going in going[1:]:
                going[0] = emitter.builder.or_(going[0], one_going)
            return going[0] if len(going) == len(tests) else None

        loop(emitter, ZERO, emitter.size(group.extents[0]), group.iterators[0], turn)
        self.folds[id(group)] = [emitter.builder.load(slot) for slot in slots]
        return self.folds[id(group)]

    def _any(self, truths: Any) -> Any:
        lanes = ir.IntType(self.lanes)
        builder = self.emitter.builder
        return builder.icmp_unsigned("!=", builder.bitcast(truths, lanes), ir.Constant(lanes, 0))


def _test(step: Scalar, state: str) -> Scalar | None:
    """What a step asks before it changes its state; None where it may change without being asked."""
    while isinstance(step, Where):
        step = step.value
    match step:
        case Select(guard=None, test=(test,), otherwise=Named(name=name)) if name == state:
            return test
    return None
