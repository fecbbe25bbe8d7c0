"""What one step of a contraction does, on vectors: how each number is held in registers, and what that demands.

A component of the state that only ever takes the coordinate of the depth, as the place of a smallest term does, is
held as the number of the step within the cut, as wide as the other components, and becomes a coordinate when the cut
is done.  Truth values are held as bits, many columns to a byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.vector_expressions import computed
from tolang.engines.llvm import ir
from tolang.engines.llvm.evaluation import Evaluator
from tolang.engines.llvm.types import FLOAT, I8, I32, I64, TYPES, cast, constant, intrinsic
from tolang.ground.values.spaces import is_float
from tolang.idioms.contraction import Phase
from tolang.plan.nest import Operation, Select
from tolang.schedule.tile import PLAIN, Shape, is_place

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


class PhaseEvaluator(Evaluator):
    """Evaluates the steps of a phase on vectors; where numbers are `ordinary`, there is no NaN and no -0 among them."""

    def __init__(self, emitter: Emitter, phase: Phase, shape: Shape, lanes: int) -> None:
        self.emitter, self.phase, self.shape, self.lanes = emitter, phase, shape, lanes
        self.builder, self.known = emitter.builder, dict[str, Any]()
        self.ordinary = False

    def held(self, component: int) -> str:
        """The storage that a component of the state has in registers."""
        if is_place(self.phase, component):
            return self.shape.marker
        return self.shape.storage(self.phase.group.columns[component].storage)

    def kind(self, component: int) -> Any:
        return ir.VectorType(TYPES[self.held(component)], self.lanes)

    def following(self, builder: ir.IRBuilder, known: dict[str, Any]) -> list[Any]:
        """The next state: each component's step with operands, extras and the state at hand."""
        self.builder, self.known = builder, known
        return [self.scalar(step) for step in self.phase.steps]

    # The domain of neighbouring columns, numbers or bits

    def number(self, value: Any, storage: str) -> Any:
        if self.shape.bits:
            return constant(255 if value else 0, "u8", self.lanes)
        return constant(value, storage, self.lanes)

    def named(self, name: str, storage: str) -> Any:
        return self._truth(self.builder, self.known[name]) if storage == "bool" else self.known[name]

    def chosen(self, select: Select) -> Any:
        return self.builder.select(*(self.scalar(one) for one in (select.test[0], select.then, select.otherwise)))

    def operation(self, scalar: Operation, values: list[Any]) -> Any:
        return self._operation(self.builder, scalar, values)

    def _truth(self, builder: ir.IRBuilder, value: Any) -> Any:
        """A truth value as a condition: panels hold it in bytes, bit-sliced steps take it as it is."""
        if self.shape.bits or value.type.element != I8:
            return value
        return builder.icmp_unsigned("!=", value, ir.Constant(value.type, None))

    def _operation(self, builder: ir.IRBuilder, scalar: Operation, values: list[Any]) -> Any:
        storage, function = scalar.column.storage, scalar.function
        if self.shape.bits:
            if function == "not":
                return builder.not_(values[0])
            chosen = {"and": builder.and_, "min": builder.and_, "or": builder.or_, "max": builder.or_}
            return chosen.get(function, builder.xor)(*values)
        if function in PLAIN and not is_float(storage):
            sources = [a.column.storage for a in scalar.arguments]
            one, two = (cast(builder, v, s, storage) for v, s in zip(values, sources, strict=True))
            return {"add": builder.add, "sub": builder.sub, "mul": builder.mul}[function](one, two)
        if function in ("min", "max") and is_float(storage) and all(v.type == values[0].type for v in values):
            if self.ordinary:
                sign = "<" if function == "min" else ">"
                return builder.select(builder.fcmp_ordered(sign, *values), *values)
            return extremum(builder, function, values, self.emitter.target.extrema)
        return computed(builder, scalar, values)


def extremum(builder: ir.IRBuilder, function: str, values: list[Any], single: bool) -> Any:
    """The smaller or larger of floats, NaN kept and -0 below 0, in what costs least on a processor.

    Where no `single` instruction does it, one gives the second of two zeros, and the second where one is NaN.  Taken
    both ways round, the bits of both results together are those of the right zero, and for `min` of NaN.
    """
    kind, (one, two) = values[0].type, values
    if single:
        return intrinsic(builder, f"{function}imum", kind, values)
    sign, bits = "<" if function == "min" else ">", ir.VectorType(I32 if kind.element == FLOAT else I64, kind.count)
    chosen = [builder.select(builder.fcmp_ordered(sign, a, b), a, b) for a, b in ((one, two), (two, one))]
    first, second = (builder.bitcast(value, bits) for value in chosen)
    if function == "min":
        return builder.bitcast(builder.or_(first, second), kind)
    unordered = builder.sext(builder.fcmp_unordered("uno", one, two), bits)
    return builder.bitcast(builder.or_(builder.and_(first, second), unordered), kind)


def coordinate(builder: ir.IRBuilder, marker: Any, start: Any, lanes: int) -> Any:
    """Steps within a cut as coordinates of the depth, from 1."""
    wide = marker if marker.type.element == I64 else builder.sext(marker, ir.VectorType(I64, lanes))
    return builder.add(wide, start)
