"""What one step of a contraction does, on vectors: how each number is held in registers, and what that demands.

A component of the state that only ever takes the coordinate of the depth, as the place of a smallest term does, is
held as the number of the step within the cut, as wide as the other components, and becomes a coordinate when the cut
is done.  Truth values are held as bits, many columns to a byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.contraction.vector_expressions import WHOLE, computed
from tolang.engines.cpu.tiles import WIDTH_OF_STORAGE, Demand
from tolang.engines.llvm.conversions import may_refuse
from tolang.engines.llvm.types import FLOAT, I8, I32, I64, TYPES, cast, constant, intrinsic, is_float
from tolang.nests.lowering.fused_sums import FUSED, whole_exponent
from tolang.nests.nest import Constant, Index, Named, Operation, Scalar, Select
from tolang.nests.patterns.contraction import Contraction, Phase, walk

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

LOGIC = frozenset({"and", "or", "xor", "not", "min", "max"})
"""Functions of truth values that can be computed on bits."""
LIGHT = frozenset(
    {"add", "sub", "mul", FUSED, "min", "max", "abs", "neg", *LOGIC, "lt", "gt", "le", "ge", "eq", "ineq"}
)
"""Functions of one instruction, or a few."""
PLAIN = {"add", "sub", "mul"}


@dataclass(frozen=True, slots=True)
class Shape:
    """How the numbers of a contraction's steps are held."""

    bits: bool
    width: int

    def storage(self, storage: str) -> str:
        return "u8" if self.bits else storage

    @property
    def marker(self) -> str:
        """The storage of a step's number."""
        return "i64" if self.width == 8 else "i32"


def shape_of(contraction: Contraction) -> Shape | None:
    """How to hold a contraction's numbers; None where some cannot be held."""
    scalars = [s for phase in contraction.phases for step in phase.steps for s in walk(step)]
    if all(s.column.storage == "bool" for s in scalars):
        plain = all(not isinstance(s, Operation) or s.function in LOGIC for s in scalars)
        chosen = any(isinstance(s, Select) for s in scalars)
        return Shape(True, 1) if plain and not chosen and len(contraction.phases) == 1 else None
    if any(not _holds(s) for s in scalars):
        return None
    kept = [s for phase in contraction.phases for c, step in enumerate(phase.steps) if not is_place(phase, c)
            for s in walk(step) if s.column.storage != "bool" and not isinstance(s, Constant)]  # fmt: skip
    held = [
        c.storage for phase in contraction.phases for k, c in enumerate(phase.group.columns) if not is_place(phase, k)
    ]
    places = any(is_place(p, k) for p in contraction.phases for k in range(len(p.steps)))
    storages = [*(k.column.storage for k in kept), *held, *(["f32"] if places else [])]
    if "bool" in held or any(storage not in WIDTH_OF_STORAGE for storage in storages):
        return None
    return Shape(False, max(WIDTH_OF_STORAGE[storage] for storage in storages))


def _holds(scalar: Scalar) -> bool:
    match scalar:
        case Operation(function="convert") if may_refuse(scalar.column):
            return False
        case Operation(function=function, arguments=arguments):
            if all(is_float(a.column.storage) or isinstance(a, Constant) for a in arguments):
                return is_float(scalar.column.storage) or scalar.column.storage == "bool"
            return function in WHOLE or function in LOGIC
    return isinstance(scalar, Named | Constant | Select)


def is_place(phase: Phase, component: int) -> bool:
    """Whether a component of the state is only ever given the coordinate of the only dimension of the depth."""
    if len(phase.depth) != 1 or phase.group.columns[component].storage != "i64":
        return False
    leaves = list(_leaves(phase.steps[component]))
    indices = {leaf for leaf in leaves if leaf in coordinates(phase)}
    return bool(indices) and all(leaf in indices or leaf == phase.group.states[component] for leaf in leaves)


def _leaves(scalar: Scalar) -> list[str]:
    """The names that choices end in; an empty name for anything else."""
    match scalar:
        case Select(guard=None, then=then, otherwise=otherwise):
            return _leaves(then) + _leaves(otherwise)
        case Named(name=name):
            return [name]
    return [""]


def coordinates(phase: Phase) -> set[str]:
    """The operands that are the coordinate of the depth itself."""
    name = phase.depth[0][0]
    return {
        o.name
        for o in phase.lefts
        if isinstance(o.value, Index) and str(o.value.size) == name and len(phase.depth) == 1
    }


def packed(phase: Phase) -> tuple[list[Any], list[Any]]:
    """The operands that are packed: all but coordinates that only places take."""
    used: set[str] = set()
    for component, step in enumerate(phase.steps):
        scalars = _tests(step) if is_place(phase, component) else [step]
        used |= {s.name for one in scalars for s in walk(one) if isinstance(s, Named)}
    return [o for o in phase.lefts if o.name in used], [o for o in phase.rights if o.name in used]


def _tests(scalar: Scalar) -> list[Scalar]:
    if not isinstance(scalar, Select):
        return []
    return [*scalar.test, *_tests(scalar.then), *_tests(scalar.otherwise)]


def is_fused(phase: Phase) -> bool:
    """Whether a step is a sum of products of floats, which machines compute in one instruction."""
    step = phase.steps[0]
    match step:
        case Operation(function="fused", arguments=(Named(), Named(), Named())):
            return len(phase.steps) == 1 and is_float(step.column.storage)
    return False


def demand_of(contraction: Contraction, shape: Shape) -> Demand:
    """What the steps of a contraction need of a tile."""
    fused = all(is_fused(p) for p in contraction.phases)
    scalars = [s for p in contraction.phases for step in p.steps for s in walk(step)]
    heavy = any(isinstance(s, Operation) and s.function not in LIGHT and whole_exponent(s) is None for s in scalars)
    heavy = heavy or any(p.extras for p in contraction.phases)
    accumulators = max(len(p.steps) for p in contraction.phases)
    return Demand(shape.width, accumulators, 1 if fused else 2 + accumulators, fused, heavy)


class Steps:
    """Evaluates the steps of a phase on vectors."""

    def __init__(self, emitter: Emitter, phase: Phase, shape: Shape, lanes: int) -> None:
        self.emitter, self.phase, self.shape, self.lanes = emitter, phase, shape, lanes

    def held(self, component: int) -> str:
        """The storage that a component of the state has in registers."""
        if is_place(self.phase, component):
            return self.shape.marker
        return self.shape.storage(self.phase.group.columns[component].storage)

    def kind(self, component: int) -> Any:
        return ir.VectorType(TYPES[self.held(component)], self.lanes)

    def following(self, builder: ir.IRBuilder, known: dict[str, Any]) -> list[Any]:
        """The next state: each component's step with operands, extras and the state at hand."""
        return [self._value(builder, step, known) for step in self.phase.steps]

    def _value(self, builder: ir.IRBuilder, scalar: Scalar, known: dict[str, Any]) -> Any:
        match scalar:
            case Named(name=name):
                return self._truth(builder, known[name]) if scalar.column.storage == "bool" else known[name]
            case Constant(value=value):
                if self.shape.bits:
                    return constant(255 if value else 0, "u8", self.lanes)
                return constant(value, scalar.column.storage, self.lanes)
            case Select(test=test, then=then, otherwise=otherwise):
                truth = self._value(builder, test[0], known)
                one, two = self._value(builder, then, known), self._value(builder, otherwise, known)
                return builder.select(truth, one, two)
            case Operation(arguments=arguments):
                return self._operation(builder, scalar, [self._value(builder, a, known) for a in arguments])
        raise TypeError(type(scalar).__name__)

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
            return extremum(builder, function, values, self.emitter.machine.extrema)
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
