"""Steps as code: each nest, repetition and fold by its strategy, scalar expressions, loads and stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from tolang.engines.cpu.emission.function import POINTER, SEED, Function
from tolang.engines.cpu.emission.looping import loop, loops
from tolang.engines.llvm.bindings import Bound
from tolang.engines.llvm.functions import evaluated
from tolang.engines.llvm.random import uniform
from tolang.engines.llvm.types import (
    ANYWHERE,
    I1,
    I8,
    I64,
    cast,
    constant,
    intrinsic,
    memory_type,
)
from tolang.engines.llvm.types import TYPES as STORAGE_TYPES
from tolang.ground.conditions import Condition
from tolang.ground.diagnostics import Span
from tolang.ground.sizes import Size
from tolang.ground.spaces import dtype_of
from tolang.nests.nest import (
    BELOW_ZERO,
    OUTSIDE,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    Complaint,
    Constant,
    Demand,
    Draw,
    Each,
    Free,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Place,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
    Unsupported,
    Where,
    no_memory,
    out_of_range,
)
from tolang.nests.strategy import Strategy
from tolang.nests.target import Target

MOST_REGIONS = 24
"""Up to how many buffers a function tells LLVM that they do not overlap."""
LARGEST_BUFFER = 1 << 60
"""The most bytes that a buffer may have."""


@dataclass(frozen=True, slots=True)
class Strategies:
    """What writes the code of each strategy, by its name: the table of an engine."""

    nests: Mapping[str, Callable[[Emitter, Nest], None]]
    repeats: Mapping[str, Callable[[Emitter, Repeat], None]]
    folds: Mapping[str, Callable[[Emitter, Group], list[Any]]]
    each: Callable[[Emitter, Each], None]


class Emitter(Function):
    """Writes the steps of one function, each by its strategy."""

    def __init__(
        self, arguments: list[Any], name: str, target: Target, strategies: Strategies, patient: bool = False
    ) -> None:
        super().__init__(arguments, name, target, patient)
        self.strategies = strategies

    # Steps

    def steps(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: Step) -> None:
        match step:
            case Nest():
                self.strategies.nests[_name(step.strategy)](self, step)
            case Each():
                self.strategies.each(self, step)
            case Repeat():
                self.strategies.repeats[_name(step.strategy)](self, step)
            case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
                truth = self.condition(guard) if guard is not None else self.scalar(test[0])
                self.choose(truth, lambda: self.own_memory(then), lambda: self.own_memory(otherwise))
            case Bind(name=name, value=value, mutable=mutable):
                self.bind(name, self.scalar(value), value.column.storage, mutable)
            case Assign(name=name, value=value):
                self.builder.store(self.scalar(value), self.names[name].value)
                self.groups.clear()
            case Allocate(buffer=buffer):
                self._allocate(buffer)
            case Free(buffer=buffer):
                if buffer.name in self.allocated[-1]:
                    self.release(buffer.name)
                    self.allocated[-1].remove(buffer.name)
            case Demand(condition=condition, complaint=complaint, span=span):
                self.stop_if(self.builder.not_(self.condition(condition)), complaint, span)

    def own_memory(self, steps: tuple[Step, ...], then: Callable[[], None] | None = None) -> None:
        """Steps, and what is done `then`, whose buffers are freed when they are done."""
        self.allocated.append([])
        with self.scope():
            self.steps(steps)
            if then is not None:
                then()
            for name in self.allocated.pop():
                self.release(name)

    def bind(self, name: str, value: Any, storage: str, mutable: bool = False) -> None:
        """Gives a value a name, or a slot if it changes."""
        if mutable:
            place = self.slot(STORAGE_TYPES[storage])
            self.builder.store(value, place)
            self.names[name] = Bound(place, storage, True)
        else:
            self.names[name] = Bound(value, storage)

    def _allocate(self, buffer: Buffer) -> None:
        """Memory for a buffer: refused where a length is negative, the product overflows, or there is none."""
        room = _small_room(buffer, self.largest_on_stack)
        if room is not None:
            kind = memory_type(buffer.column.storage)
            self.pointers[buffer.name] = self.builder.bitcast(self.slot(ir.ArrayType(kind, room)), kind.as_pointer())
            return
        builder = self.builder
        complaint = no_memory(buffer.name.rpartition("_")[0])
        total: Any = ir.Constant(I64, dtype_of(buffer.column.storage).itemsize)
        negative: Any = ir.Constant(I1, 0)
        wrong: Any = ir.Constant(I1, 0)
        for length in buffer.shape:
            value = self.size(length)
            negative = builder.or_(negative, builder.icmp_signed("<", value, ir.Constant(I64, 0)))
            both = intrinsic(builder, "smul.with.overflow", I64, [total, value])
            wrong = builder.or_(wrong, builder.extract_value(both, 1))
            total = builder.extract_value(both, 0)
        wrong = builder.or_(wrong, builder.icmp_signed(">", total, ir.Constant(I64, LARGEST_BUFFER)))
        self.stop_if(negative, BELOW_ZERO, buffer.span)
        self.stop_if(wrong, complaint, buffer.span)
        raw = builder.call(self.malloc, [total])
        self.stop_if(builder.icmp_unsigned("==", raw, ir.Constant(POINTER, None)), complaint, buffer.span)
        self.acquired(buffer, raw)

    def acquired(self, buffer: Buffer, raw: Any) -> None:
        """Takes memory as that of a buffer, to be freed with the steps around it."""
        self.pointers[buffer.name] = self.builder.bitcast(raw, memory_type(buffer.column.storage).as_pointer())
        self.allocated[-1].append(buffer.name)

    def loop(
        self,
        low: Any,
        high: Any,
        iterator: str,
        body: Callable[[], None],
        most: int | None = None,
    ) -> None:
        """A loop over items low to high, counted from 0; the iterator counts from 1."""
        loop(self, low, high, iterator, body, most)

    def loops(self, iterators: Sequence[str], extents: Sequence[Size], body: Callable[[], None]) -> None:
        """Nested loops, the first iterator outermost, each from 1 to its extent."""
        loops(self, iterators, extents, body)

    def choose(self, truth: Any, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        with self.builder.if_else(truth) as (yes, no):
            with yes, self.scope():
                then()
            with no, self.scope():
                otherwise()

    # Memory

    def address(self, buffer: Buffer, at: tuple[Size, ...]) -> Any:
        """The element's address; coordinates count from 1."""
        builder, panels = self.builder, buffer.panels
        if panels is None:
            return builder.gep(self.pointers[buffer.name], [self._flat(at, buffer.shape)])
        cut, width = len(at) - panels.across, ir.Constant(I64, panels.width)
        steps: Any = ir.Constant(I64, 1)
        for length in buffer.shape[:cut]:
            steps = builder.mul(steps, self.size(length))
        place = self._flat(at[cut:], buffer.shape[cut:])
        panel = builder.sdiv(place, width)
        step = builder.add(builder.mul(panel, steps), self._flat(at[:cut], buffer.shape[:cut]))
        offset = builder.add(builder.mul(step, width), builder.sub(place, builder.mul(panel, width)))
        return builder.gep(self.pointers[buffer.name], [offset])

    def _flat(self, at: tuple[Size, ...], shape: tuple[Size, ...]) -> Any:
        """A place in row-major order, from 0."""
        offset: Any = None
        for index, length in zip(at, shape, strict=True):
            if offset is not None and length.constant != 1:
                offset = self.builder.mul(offset, self.size(length))
            if index.constant != 1:
                position = self.size(index - 1)
                offset = position if offset is None else self.builder.add(offset, position)
        return ir.Constant(I64, 0) if offset is None else offset

    def store(self, buffer: Buffer, at: tuple[Size, ...], value: Any) -> None:
        if buffer.column.storage == "bool":
            value = self.builder.zext(value, I8)
        self.apart(self.builder.store(value, self.address(buffer, at)), buffer)

    def apart(self, access: Any, buffer: Buffer) -> None:
        """Tells LLVM that an access to one buffer touches no other: every buffer has memory of its own."""
        if buffer.name in self.regions:
            own = self.regions[buffer.name]
            others = list({id(r): r for r in self.regions.values() if r is not own}.values())
            access.set_metadata("alias.scope", self.module.add_metadata([own]))
            access.set_metadata("noalias", self.module.add_metadata(others))

    def declare_apart(self, names: list[str], together: list[tuple[str, str]]) -> None:
        """Buffers that never share memory, by name; those that a fold exchanges count as one."""
        if not 1 < len(names) <= MOST_REGIONS:
            return
        domain = self.module.add_metadata(["buffers"])
        region = {name: name for name in names}
        for one, other in together:
            kept, gone = region[one], region[other]
            region = {name: kept if home == gone else home for name, home in region.items()}
        made = {home: self.module.add_metadata([home, domain]) for home in region.values()}
        if len(made) > 1:
            self.regions = {name: made[home] for name, home in region.items()}

    def load(self, load: Load) -> Any:
        builder, storage = self.builder, load.buffer.column.storage
        with self.reading(load.buffer, load.indices, load.checks):
            place = self.address(load.buffer, load.indices)
            held = self.checks(load.checks, load.span) if load.checks else None
        if held is not None:
            place = builder.select(held, place, self.slot(memory_type(storage), _zero(memory_type(storage))))
        value = builder.load(place, align=ANYWHERE)
        if held is None:
            self.apart(value, load.buffer)
        return builder.icmp_unsigned("!=", value, ir.Constant(I8, 0)) if storage == "bool" else value

    def checks(self, checks: tuple[Condition, ...], span: Span | Place | None, complaint: Complaint = OUTSIDE) -> Any:
        held: Any = ir.Constant(I1, 1)
        for check in checks:
            held = self.builder.and_(held, self.condition(check))
        self.reporter(complaint, span)(self.builder, self.builder.not_(held))
        return held

    # Scalars

    def fold(self, group: Group) -> list[Any]:
        """The final state of a fold, computed once for all of its components."""
        if id(group) not in self.groups:
            self.groups[id(group)] = self.strategies.folds[_name(group.strategy)](self, group)
        return self.groups[id(group)]

    def scalar(self, scalar: Scalar, flags: tuple[str, ...] = ()) -> Any:
        """The value of a scalar expression at the current coordinates; `flags` are of the last function alone."""
        match scalar:
            case Constant(value=value):
                return constant(value, scalar.column.storage)
            case Index(size=size):
                return cast(self.builder, self.size(size), "i64", scalar.column.storage)
            case Named(name=name):
                bound = self.names[name]
                return self.builder.load(bound.value) if bound.slot else bound.value
            case Load():
                return self.load(scalar)
            case Draw(site=site, coordinates=coordinates):
                numbers = [self.size(c) for c in coordinates]
                return uniform(self.builder, self.names[SEED].value, site, numbers, scalar.column.storage)
            case Checked(checks=checks, value=value, complaint=complaint):
                held = self.checks(checks, scalar.span, complaint)
                return self._select(held, value, Constant(0, column=value.column))
            case Operation(arguments=arguments):
                return self.operation(self.builder, scalar, [self.scalar(a) for a in arguments], flags)
            case Select(guard=guard, test=test, then=then, otherwise=otherwise):
                truth = self.condition(guard) if guard is not None else self.scalar(test[0])
                return self._select(truth, then, otherwise, guard is None)
            case Where(bindings=bindings, value=value):
                with self.scope():
                    for name, inner in bindings:
                        self.names[name] = Bound(self.scalar(inner), inner.column.storage)
                    return self.scalar(value, flags)
            case Reduction(group=group, position=position):
                return self.fold(group)[position]
        raise Unsupported(f"{type(scalar).__name__} is left to the interpreter")

    def operation(
        self, builder: ir.IRBuilder, scalar: Operation, values: list[Any], flags: tuple[str, ...] = ()
    ) -> Any:
        """A basic function of values that are there already."""
        report = self.reporter(out_of_range(scalar.function), scalar.span)
        return evaluated(builder, scalar, values, report, flags)

    def _select(self, truth: Any, then: Scalar, otherwise: Scalar, readable: bool = False) -> Any:
        """One of two scalars; a branch unless both are plain to compute, `readable` if reads are safe in either."""
        if _is_plain(then, readable) and _is_plain(otherwise, readable):
            values = [self._where(truth, then), self._where(self.builder.not_(truth), otherwise)]
            return self.builder.select(truth, *values)
        builder = self.builder
        incoming = []
        with builder.if_else(truth) as (yes, no):
            for side, branch in ((yes, then), (no, otherwise)):
                with side, self.scope():
                    value = self.scalar(branch)
                    incoming.append((value, builder.block))
        joined = builder.phi(incoming[0][0].type)
        for value, block in incoming:
            joined.add_incoming(value, block)
        return joined

    def _where(self, truth: Any, scalar: Scalar) -> Any:
        """A scalar that is computed anyway, but whose checks count only where a truth holds."""
        before = self.taken
        self.taken = truth if before is None else self.builder.and_(before, truth)
        value = self.scalar(scalar)
        self.taken = before
        return value


def _name(strategy: Strategy | None) -> str:
    assert strategy is not None, "a step has no strategy"
    return strategy.name


def _is_plain(scalar: Scalar, readable: bool) -> bool:
    """Whether a scalar can be computed whether or not it is needed: no loop, no read unless safe and `readable`.

    A read without checks is safe in both branches of a test on values, as that proves nothing about coordinates; a
    guard may be what makes it safe.
    """
    match scalar:
        case Checked() | Reduction() | Draw():
            return False
        case Load(checks=checks) if checks or not readable:
            return False
        case Select(guard=guard) if guard is not None:
            readable = False
    return all(_is_plain(child, readable) for child in scalar.children())


def _zero(kind: Any) -> Any:
    return ir.Constant(kind, 0 if isinstance(kind, ir.IntType) else 0.0)


def _small_room(buffer: Buffer, largest: int) -> int | None:
    """How many elements a buffer has, where they are few enough to be kept on the stack, or in registers."""
    room = 1
    for length in buffer.shape:
        if not isinstance(length.constant, int) or length.constant < 0:
            return None
        room *= length.constant
    return max(room, 1) if room <= largest else None
