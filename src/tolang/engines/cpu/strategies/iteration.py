"""Iterations at each point, several points at a time: each lane of a vector is a point with a fold of its own.

A fold that goes on from its own state alone (Newton's method, the Mandelbrot set) is a chain that nothing can shorten,
but the chains of neighbouring points run side by side in vectors, in the order written and to the bit.  Where the step
keeps the state once a test on it fails, it fails for good: the fold ends when it has failed in every lane.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.looping import ZERO, loop
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.llvm.bindings import Bound
from tolang.engines.llvm.types import ANYWHERE, I64, TYPES, cast, constant, is_float
from tolang.engines.llvm.vectors import counting, splat
from tolang.ground.sizes import Size, floor_division
from tolang.ground.spaces import dtype_of
from tolang.nests.lowering.fused_sums import FUSED, whole_exponent
from tolang.nests.nest import Constant, Group, Index, Load, Named, Nest, Operation, Reduction, Scalar, Select, Where
from tolang.nests.patterns.contraction import dependencies, walk

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ARITHMETIC = frozenset({"add", "sub", "mul", "max", "min"})
OF_FLOATS = ARITHMETIC | {"div", "neg", "sqrt", "abs", "cast", FUSED}
OF_TRUTHS = frozenset({"lt", "le", "gt", "ge", "eq", "ineq", "and", "or", "xor", "not"})
BLOCK = "the block of lanes"


def iterate_in_lanes(emitter: Emitter, nest: Nest) -> bool:
    """Emits a nest whose folds go on from their own state alone; False where it is none."""
    if not iterates(nest):
        return False
    _Lanes(emitter, nest, emitter.machine.vector_bytes // 2).emit()
    return True


def iterates(nest: Nest) -> bool:
    """Whether the folds of a nest go on from their own state alone, so that neighbouring points can share vectors."""
    groups = {id(s.group): s.group for v in nest.values for s in walk(v) if isinstance(s, Reduction)}
    if not groups or not nest.iterators or not all(_goes_on_alone(g) for g in groups.values()):
        return False
    point = nest.iterators[-1]
    lengths = [*nest.extents, *(e for v in nest.values for g in _folds(v) for e in g.extents)]
    bound = {n for v in nest.values for s in walk(v) if isinstance(s, Where) for n, _ in s.bindings}
    if any((bound | set(nest.iterators)) & extent.names() for extent in lengths):
        return False
    plain = all(_along(at, point) and b.column.storage != "bool" for b, at in nest.targets)
    return plain and all(_suits(value, point, frozenset({point})) for value in nest.values)


def _folds(scalar: Scalar) -> Iterator[Group]:
    """The folds of an expression, those inside folds too."""
    for one in walk(scalar):
        if isinstance(one, Reduction):
            yield one.group
            for inner in (*one.group.initials, *one.group.steps):
                yield from _folds(inner)


def _goes_on_alone(group: Group) -> bool:
    """Whether a fold of one dimension computes with its state, and with nothing that moves along the dimension."""
    inside = frozenset[str]().union(*(dependencies(s) for s in group.steps))
    surely_long = not any(factor < 0 for extent in group.extents for factor in extent.terms.values())
    alone = len(group.iterators) == 1 and group.iterators[0] not in inside and bool(inside & set(group.states))
    return alone and surely_long


def _along(at: tuple[Size, ...], point: str) -> bool:
    """Whether neighbouring points are neighbours in memory."""
    if not at or any(point in index.names() for index in at[:-1]):
        return False
    split = at[-1].split(point)
    return split is not None and split[0].is_constant(1)


def _suits(scalar: Scalar, point: str, varying: frozenset[str]) -> bool:
    """Whether an expression can be computed for several points at once, without a check."""
    folds = any(isinstance(s, Reduction) for s in walk(scalar))
    if not folds and not dependencies(scalar) & varying:
        return True
    match scalar:
        case Named():
            return True
        case Index(size=size):
            split = size.split(point)
            return split is not None and split[0].constant is not None and not (size.names() & varying) - {point}
        case Load(indices=indices, checks=checks):
            others = frozenset[str]().union(*(i.names() for i in indices)) & varying
            return not checks and others == {point} and _along(indices, point) and scalar.column.storage != "bool"
        case Operation(arguments=arguments):
            return _can_run_in_lanes(scalar) and all(_suits(a, point, varying) for a in arguments)
        case Select(guard=None, test=test, then=then, otherwise=otherwise):
            return all(_suits(s, point, varying) for s in (*test, then, otherwise))
        case Where(bindings=bindings, value=value):
            names = varying | {name for name, _ in bindings}
            return all(_suits(s, point, names) for _, s in bindings) and _suits(value, point, names)
        case Reduction(group=group):
            names = varying | set(group.states)
            starts = _goes_on_alone(group) and all(_suits(s, point, varying) for s in group.initials)
            return starts and all(_suits(s, point, names) for s in group.steps)
    return False


def _can_run_in_lanes(scalar: Operation) -> bool:
    if is_float(scalar.column.storage):
        return scalar.function in OF_FLOATS or whole_exponent(scalar) is not None
    if scalar.column.storage == "bool":
        return scalar.function in OF_TRUTHS
    return scalar.function == "cast" or (scalar.function in ARITHMETIC and scalar.column.space.is_machine)


class _Lanes:
    """The loops of one nest, a block of points at a time."""

    def __init__(self, emitter: Emitter, nest: Nest, lanes: int) -> None:
        self.emitter, self.nest, self.lanes = emitter, nest, lanes
        self.point = nest.iterators[-1]
        self.values: dict[str, Any] = {}
        self.folds: dict[int, list[Any]] = {}

    def emit(self) -> None:
        nest, emitter = self.nest, self.emitter
        blocks = floor_division(nest.extents[-1] + (self.lanes - 1), Size.of(self.lanes))
        iterators, extents = (*nest.iterators[:-1], BLOCK), (*nest.extents[:-1], blocks)
        if emitter.inside_region:
            emitter.loops(iterators, extents, self._block)
            return
        shared_rows(emitter, iterators, extents, folding(nest.values, (Size.of(self.lanes),)), self._block)

    def _block(self) -> None:
        """One block: in lanes where it is whole, else point by point."""
        emitter, builder = self.emitter, self.emitter.builder
        width = ir.Constant(I64, self.lanes)
        first = builder.mul(builder.sub(emitter.names[BLOCK].value, ir.Constant(I64, 1)), width)
        total = emitter.size(self.nest.extents[-1])
        whole = builder.icmp_signed("<=", builder.add(first, width), total)

        def together() -> None:
            emitter.names[self.point] = Bound.index(builder.add(first, ir.Constant(I64, 1)))
            self.values, self.folds = {}, {}
            computed = [self.value(v) for v in self.nest.values]
            for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
                place = emitter.address(buffer, at)
                stored = emitter.builder.store(value, emitter.builder.bitcast(place, value.type.as_pointer()))
                stored.align = dtype_of(buffer.column.storage).itemsize

        emitter.choose(whole, together, lambda: self._rest(first, total))

    def _rest(self, first: Any, total: Any) -> None:
        self.emitter.loop(first, total, self.point, self._one_point, self.lanes)

    def _one_point(self) -> None:
        emitter = self.emitter
        with emitter.keeping_order():
            computed = [emitter.scalar(v) for v in self.nest.values]
        for (buffer, at), value in zip(self.nest.targets, computed, strict=True):
            emitter.store(buffer, at, value)

    def _varies(self, scalar: Scalar) -> bool:
        folds = any(isinstance(s, Reduction) for s in walk(scalar))
        return folds or bool(dependencies(scalar) & {self.point, *self.values})

    def value(self, scalar: Scalar) -> Any:
        """The values of an expression at the points of a block."""
        emitter, builder, storage = self.emitter, self.emitter.builder, scalar.column.storage
        if isinstance(scalar, Constant):
            return constant(scalar.value, storage, self.lanes)
        if not self._varies(scalar):
            return splat(builder, emitter.scalar(scalar), self.lanes)
        match scalar:
            case Named(name=name):
                return self.values[name]
            case Index(size=size):
                split = size.split(self.point)
                assert split is not None
                step = int(split[0].constant or 0)
                places = builder.add(splat(builder, emitter.size(size), self.lanes), counting(I64, self.lanes, step))
                return cast(builder, places, "i64", storage)
            case Load(buffer=buffer, indices=indices):
                vector = ir.VectorType(TYPES[storage], self.lanes)
                place = builder.bitcast(emitter.address(buffer, indices), vector.as_pointer())
                return builder.load(place, align=ANYWHERE)
            case Operation(arguments=arguments):
                return emitter.operation(builder, scalar, [self.value(a) for a in arguments])
            case Select(test=test, then=then, otherwise=otherwise):
                return builder.select(self.value(test[0]), self.value(then), self.value(otherwise))
            case Where(bindings=bindings, value=value):
                for name, bound in bindings:
                    self.values[name] = self.value(bound)
                return self.value(value)
            case Reduction(group=group, position=position):
                return self._fold(group)[position]
        raise AssertionError(scalar)

    def _fold(self, group: Group) -> list[Any]:
        """The final states of a fold at the points of a block."""
        known = self.folds.get(id(group))
        if known is not None:
            return known
        emitter, builder = self.emitter, self.emitter.builder
        starts = [self.value(initial) for initial in group.initials]
        slots = [emitter.slot(start.type) for start in starts]
        for slot, start in zip(slots, starts, strict=True):
            builder.store(start, slot)
        tests = [_test(step, name) for step, name in zip(group.steps, group.states, strict=True)]

        def turn() -> Any:
            for slot, name in zip(slots, group.states, strict=True):
                self.values[name] = emitter.builder.load(slot)
            steps = [self.value(step) for step in group.steps]
            going = [self._any(self.value(test)) for test in tests if test is not None]
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
