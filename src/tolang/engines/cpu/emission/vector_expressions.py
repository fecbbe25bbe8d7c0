"""Expressions along a line: neighbouring elements computed as vectors.

A line is one dimension, or several that memory runs through as if they were one.  An expression can be taken along it
if what it reads moves by equal steps there.  Guards that change along the line are true on one stretch of it, the
interior, which is computed once; beyond it elements are taken one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.evaluation import Evaluator
from tolang.engines.llvm.functions import evaluated
from tolang.engines.llvm.sizes import floored
from tolang.engines.llvm.types import ANYWHERE, I1, I8, I32, I64, cast, constant
from tolang.engines.llvm.vectors import counting, shuffled, splat
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import dtype_of, is_complex, is_float
from tolang.idioms.contraction import Dimensions
from tolang.plan.access import access_of, access_to, slope
from tolang.plan.nest import Buffer, ConstantScalar, Index, Load, Named, Operation, Reduction, Scalar, Select, Where
from tolang.plan.traversal import dependencies, walk
from tolang.plan.value_ranges import may_refuse
from tolang.schedule.tile import WHOLE

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

Targets = tuple[tuple[Buffer, tuple[Size, ...]], ...]
ZERO = ir.Constant(I64, 0)
MOST_APART = 4
"""Up to how far apart elements are picked from vectors that hold those between them as well."""


def number(value: int) -> Any:
    return ir.Constant(I64, value)


@dataclass(frozen=True, slots=True)
class ContiguousAxes:
    """The last of some dimensions, and those before it as far as memory runs on through them."""

    dimensions: Dimensions

    @property
    def name(self) -> str:
        return self.dimensions[-1][0]

    @property
    def names(self) -> frozenset[str]:
        return frozenset({self.name})

    def reach(self, emitter: Emitter, scalars: list[Scalar], targets: Targets = ()) -> tuple[Any, Any]:
        """How far the line goes, and whether it goes through all of the dimensions."""
        builder = emitter.builder
        length = emitter.size(self.dimensions[-1][1])
        joined: ir.Value = ir.Constant(I1, 1)
        parts = [s for scalar in scalars for s in walk(scalar)]
        places = [*(access_of(s) for s in parts if isinstance(s, Load)), *(access_to(*target) for target in targets)]
        fixed = frozenset[str]().union(*(_fixed(s) for s in parts))
        for name, extent in reversed(self.dimensions[:-1]):
            if {name, self.name} & fixed:
                return length, ir.Constant(I1, 0)
            count = emitter.size(extent)
            alone = builder.icmp_signed("==", count, number(1))
            for access in places:
                step, near = access.stride(name), access.stride(self.name)
                if step is None or near is None:
                    return length, ir.Constant(I1, 0)
                gap = builder.sub(emitter.size(step), builder.mul(emitter.size(near), length))
                on = builder.icmp_signed("==", gap, ZERO)
                joined = builder.and_(joined, builder.or_(on, alone))
            length = builder.select(joined, builder.mul(length, count), length)
        return length, joined

    def surely_joined(self, scalars: list[Scalar]) -> int:
        """How many of the last dimensions memory runs through as one, whatever lengths they have."""
        parts = [s for scalar in scalars for s in walk(scalar)]
        fixed = frozenset[str]().union(*(_fixed(s) for s in parts))
        places = [access_of(s) for s in parts if isinstance(s, Load)]
        (_, length), joined = self.dimensions[-1], 1
        for name, extent in reversed(self.dimensions[:-1]):
            if {name, self.name} & fixed or not all(place.runs_on(name, self.name, length) for place in places):
                break
            length, joined = length * extent, joined + 1
        return joined


def _fixed(scalar: Scalar) -> frozenset[str]:
    """Names that a part of an expression uses otherwise than to move through memory."""
    match scalar:
        case Index(size=size):
            return size.names()
        case Select(guard=Condition() as guard):
            return guard.names()
        case Load(checks=checks):
            return frozenset[str]().union(*(c.names() for c in checks))
        case ConstantScalar() | Named() | Operation() | Where() | Reduction() | Select():
            return frozenset()
    return dependencies(scalar)


def line_along(dimensions: Dimensions, scalars: list[Scalar]) -> ContiguousAxes | None:
    """The line along some dimensions, if expressions can be taken along it."""
    line = ContiguousAxes(dimensions)
    return line if all(travels(s, line) for s in scalars) else None


def travels(scalar: Scalar, line: ContiguousAxes, bound: frozenset[str] = frozenset()) -> bool:
    """Whether an expression can be computed for neighbours on the line at once; `bound` names are vectors already."""
    if is_complex(scalar.column.storage):
        return False
    names = dependencies(scalar)
    if names & bound and not isinstance(scalar, Operation | Where):
        return _is_plain(scalar)
    if not names & line.names and not names & bound:
        return not any(isinstance(s, Reduction) for s in walk(scalar)) or _is_plain(scalar)
    match scalar:
        case Load(checks=checks):
            return not checks and access_of(scalar).stride(line.name) is not None
        case Index(size=size):
            return slope(size, line.name) is not None
        case Operation(arguments=arguments):
            return on_vectors(scalar) and all(travels(a, line, bound) for a in arguments)
        case Select(guard=Condition() as guard, then=then, otherwise=otherwise):
            inside = not guard.names() & line.names or _bounds(guard, line) is not None
            return inside and travels(then, line) and not dependencies(otherwise) & line.names
        case Select(test=test, then=then, otherwise=otherwise):
            return all(_is_plain(s) and travels(s, line) for s in (test[0], then, otherwise))
        case Where(bindings=bindings, value=value):
            inner = bound | {name for name, _ in bindings}
            return all(travels(s, line, inner) for _, s in bindings) and travels(value, line, inner)
    return _is_plain(scalar)


def _is_plain(scalar: Scalar) -> bool:
    """Whether an expression is made of operations on what is there already."""
    match scalar:
        case Operation(arguments=arguments):
            return on_vectors(scalar) and all(_is_plain(a) for a in arguments)
        case Select(guard=None, test=test, then=then, otherwise=otherwise):
            return _is_plain(test[0]) and _is_plain(then) and _is_plain(otherwise)
        case Where():
            return all(_is_plain(one) for one in scalar.children())
    return isinstance(scalar, ConstantScalar | Named | Reduction)


def on_vectors(operation: Operation) -> bool:
    """Whether a function can be computed on vectors, without anything to report."""
    storage = operation.column.storage
    if operation.function == "convert" and may_refuse(operation.column):
        return False
    if any(is_complex(a.column.storage) for a in operation.arguments):
        return False
    written = [a for a in operation.arguments if isinstance(a, ConstantScalar) and not is_float(a.column.storage)]
    floats = sum(is_float(a.column.storage) for a in operation.arguments)
    if floats and floats + len(written) == len(operation.arguments) and (is_float(storage) or storage == "bool"):
        return True
    wraps = storage == "bool" or is_float(storage) or operation.column.space.is_machine
    return wraps and (operation.function in WHOLE or operation.function == "convert")


def _bounds(guard: Condition, line: ContiguousAxes) -> list[Condition] | None:
    """A guard as conditions that each bound the line on one side, or do not depend on it."""
    if guard.kind == "and":
        parts = [_bounds(p, line) for p in guard.parts]
        return None if any(p is None for p in parts) else [c for p in parts if p is not None for c in p]
    if not guard.names() & line.names:
        return [guard]
    if guard.kind != "nonnegative" or guard.size is None or slope(guard.size, line.name) is None:
        return None
    return [guard]


def guards(scalar: Scalar, line: ContiguousAxes) -> list[Condition]:
    """The guards in an expression that change along a line."""
    found = [s.guard for s in walk(scalar) if isinstance(s, Select) and s.guard is not None]
    return [g for g in found if g.names() & line.names]


def strides(scalar: Scalar, line: ContiguousAxes) -> Iterator[Size]:
    """The steps of everything in an expression that moves along a line."""
    for one in walk(scalar):
        if isinstance(one, Load) and dependencies(one) & line.names:
            step = access_of(one).stride(line.name)
            if step is not None:
                yield step


def interior(emitter: Emitter, scalar: Scalar, line: ContiguousAxes) -> tuple[Any, Any]:
    """The stretch of a line, counted from 0, on which all guards in an expression hold."""
    builder = emitter.builder
    low: ir.Value = ZERO
    high = number(1 << 62)
    for condition in [c for g in guards(scalar, line) for c in _bounds(g, line) or ()]:
        if not condition.names() & line.names:
            high = builder.select(emitter.condition(condition), high, ZERO)
            continue
        assert condition.size is not None
        split = condition.size.split(line.name)
        assert split is not None
        step, rest = int(split[0].constant or 0), emitter.size(split[1] + split[0])
        edge = floored(builder, rest, number(abs(step)))
        if step > 0:
            start = builder.neg(edge)
            low = builder.select(builder.icmp_signed(">", start, low), start, low)
        else:
            end = builder.add(edge, number(1))
            high = builder.select(builder.icmp_signed("<", end, high), end, high)
    return low, high


class Travel(Evaluator):
    """Vectors of expressions at a place of a line; the line's names are bound to its start."""

    def __init__(
        self, emitter: Emitter, line: ContiguousAxes, place: Any, lanes: int, folded: dict[int, list[Any]] | None = None
    ):
        self.emitter, self.line, self.place, self.lanes = emitter, line, place, lanes
        self.folded, self.known = folded or {}, dict[str, Any]()

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    # The domain of neighbours on a line, from the place on, inside all guards

    def at_hand(self, scalar: Scalar) -> Any:
        match scalar:
            case Reduction(group=group, position=position) if id(group) in self.folded:
                return self.folded[id(group)][position]
            case Named(name=name) if name in self.known:
                return self.known[name]
            case ConstantScalar():
                return None
            case Where() if not dependencies(scalar).isdisjoint({self.line.name, *self.known}):
                return None
            case Operation() if on_vectors(scalar):
                return None
            case Select(guard=None) if _is_plain(scalar):
                return None
        if dependencies(scalar) & self.line.names:
            return None
        return splat(self.builder, self.emitter.scalar(scalar), self.lanes)

    def number(self, value: Any, storage: str) -> Any:
        return constant(value, storage, self.lanes)

    def binding(self) -> AbstractContextManager[None]:
        return nullcontext()

    def bind(self, name: str, value: Any, storage: str) -> None:
        self.known[name] = value

    def operation(self, scalar: Operation, values: list[Any]) -> Any:
        return computed(self.builder, scalar, values)

    def chosen(self, select: Select) -> Any:
        return self.builder.select(*(self.scalar(one) for one in (select.test[0], select.then, select.otherwise)))

    def index(self, size: Size, storage: str) -> Any:
        step = slope(size, self.line.name) or 0
        first = self.builder.add(self.emitter.size(size), self.builder.mul(self.place, number(step)))
        all_of = self.builder.add(splat(self.builder, first, self.lanes), counting(I64, self.lanes, step))
        return cast(self.builder, all_of, "i64", storage)

    def guarded(self, select: Select) -> Any:
        assert select.guard is not None
        if select.guard.names() & self.line.names:
            return self.scalar(select.then)
        incoming = []
        with self.builder.if_else(self.emitter.condition(select.guard)) as (yes, no):
            for side, branch in ((yes, select.then), (no, select.otherwise)):
                with side, self.emitter.scope():
                    incoming.append((self.scalar(branch), self.builder.block))
        joined = self.builder.phi(incoming[0][0].type)
        for value, block in incoming:
            joined.add_incoming(value, block)
        return joined

    def load(self, load: Load) -> Any:
        """Neighbours in memory as one vector, others lane by lane."""
        step = access_of(load).stride(self.line.name)
        assert step is not None
        start = self.emitter.address(load.buffer, load.indices)
        value = self.near(start) if step.is_constant(1) else self.apart(start, step)
        if load.buffer.column.storage == "bool":
            nothing = ir.Constant(value.type, [ir.Constant(I8, 0)] * self.lanes)
            return self.builder.icmp_unsigned("!=", value, nothing)
        return value

    def near(self, start: Any) -> Any:
        """Elements that lie side by side."""
        vector = ir.VectorType(start.type.pointee, self.lanes)
        return load_vector(self.builder, self.builder.gep(start, [self.place]), vector, ANYWHERE)

    def apart(self, start: Any, step: Size) -> Any:
        """Elements at equal distances."""
        if isinstance(step.constant, int) and 2 <= step.constant <= MOST_APART <= self.lanes:
            return self._picked(start, step.constant)
        builder, distance = self.builder, self.emitter.size(step)
        value: ir.Value = ir.Constant(ir.VectorType(start.type.pointee, self.lanes), ir.Undefined)
        for lane in range(self.lanes):
            offset = builder.mul(builder.add(self.place, number(lane)), distance)
            single = builder.load(builder.gep(start, [offset]), align=ANYWHERE)
            value = builder.insert_element(value, single, ir.Constant(I32, lane))
        return value

    def _picked(self, start: Any, step: int) -> Any:
        """Elements that are a few apart, picked from vectors that hold all between the first and the last of them."""
        builder, lanes = self.builder, self.lanes
        first = builder.gep(start, [builder.mul(self.place, number(step))])
        vector = ir.VectorType(start.type.pointee, lanes)
        offsets = [*(lanes * k for k in range(step - 1)), (step - 1) * (lanes - 1)]
        parts = [load_vector(builder, builder.gep(first, [number(k)]), vector, ANYWHERE) for k in offsets]
        places = [min(lane * step // lanes, step - 1) for lane in range(lanes)]
        value = shuffled(builder, parts[0], parts[0], [lane * step if not places[lane] else 0 for lane in range(lanes)])
        for k, part in enumerate(parts[1:], start=1):
            own = [lanes + lane * step - offsets[k] if places[lane] == k else lane for lane in range(lanes)]
            value = shuffled(builder, value, part, own)
        return value

    def store(self, buffer: Buffer, at: tuple[Size, ...], value: Any) -> None:
        """Stores neighbours side by side."""
        builder, storage = self.builder, buffer.column.storage
        if storage == "bool":
            value = builder.zext(value, ir.VectorType(I8, self.lanes))
        place = builder.gep(self.emitter.address(buffer, at), [self.place])
        store_vector(builder, place, value, dtype_of(storage).itemsize)


def computed(builder: ir.IRBuilder, scalar: Operation, values: list[Any]) -> Any:
    """A function of vectors that has nothing to report."""
    return evaluated(builder, scalar, values, lambda _, wrong: None)


def load_vector(builder: ir.IRBuilder, place: Any, kind: Any, align: int) -> Any:
    return builder.load(builder.bitcast(place, kind.as_pointer()), align)


def store_vector(builder: ir.IRBuilder, place: Any, value: Any, align: int) -> None:
    builder.store(value, builder.bitcast(place, value.type.as_pointer()), align)


def line_target(line: ContiguousAxes, buffer: Buffer, at: tuple[Size, ...]) -> bool:
    """Whether an output is written side by side along the line."""
    return access_to(buffer, at).unit_stride(line.name)
