"""Steps as an LLVM function: loops, scalar expressions, loads and stores, checks.

The result is 0, or the number of the first check that failed: coordinates outside their ToL, overflow of whole
numbers, a length below zero, memory that could not be had.  A failed check never reads or writes; what it guards is
skipped, and the function goes on until it next looks whether the run is to end (`looping`); the caller reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from tolang.engines.cpu.contraction import Kernel, lay_out, supported
from tolang.engines.cpu.emission.looping import Pace, loop, loops
from tolang.engines.cpu.emission.magnitudes import Magnitudes, arithmetic_of, compared, index_from_data, read_plainly
from tolang.engines.cpu.emission.sharing import hoisted, shared_each, shared_nest
from tolang.engines.cpu.runtime.guarding import guard
from tolang.engines.cpu.strategies.column_folds import abreast
from tolang.engines.cpu.strategies.double_buffering import alternate
from tolang.engines.cpu.strategies.folds import reduction
from tolang.engines.cpu.strategies.histogram import tally
from tolang.engines.cpu.strategies.iteration import iterate_in_lanes
from tolang.engines.cpu.strategies.matrix_vector import fold_together
from tolang.engines.cpu.strategies.prepacked_matrix_vector import fold_panels
from tolang.engines.cpu.strategies.scan import scan
from tolang.engines.cpu.tiles import Machine
from tolang.engines.llvm.bindings import Bound, Site
from tolang.engines.llvm.functions import evaluated
from tolang.engines.llvm.random import uniform
from tolang.engines.llvm.sizes import emit_condition, emit_size
from tolang.engines.llvm.types import (
    ANYWHERE,
    I1,
    I8,
    I64,
    VectorModule,
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
    Constant,
    Demand,
    Draw,
    Each,
    Free,
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
)
from tolang.nests.patterns.contraction import Contraction, classify

POINTER = I8.as_pointer()
FLAGS = 8
"""How many checks of a function have a flag of their own; those after them share the last."""
SEED = "the seed"
"""The name that the seed is bound to: no name of a program has a space."""
MOST_REGIONS = 24
"""Up to how many buffers a function tells LLVM that they do not overlap."""
SMALL_BUFFER = 64
"""Buffers of a known length up to this need no memory from the system."""
LARGEST_BUFFER = 1 << 60
"""The most bytes that a buffer may have."""


class Emitter:
    """Writes one function: what it is called with is bound by whoever makes it, steps are written by `steps`."""

    def __init__(self, arguments: list[Any], name: str, strict: bool, machine: Machine, patient: bool = False) -> None:
        self.strict, self.machine, self.patient = strict, machine, patient
        self.in_order = strict
        self.contractions: list[Contraction] = []
        self.sites: list[Site] = []
        self.module = VectorModule("tolang", machine.vector_bytes, machine.fuses)
        self.function = ir.Function(self.module, ir.FunctionType(I64, arguments), name)
        self.entry = self.function.append_basic_block("entry")
        self.builder = ir.IRBuilder(self.function.append_basic_block("start"))
        self.names: dict[str, Bound] = {}
        self.pointers: dict[str, Any] = {}
        self.groups: dict[int, list[Any]] = {}
        self.captured: dict[str, Any] = {}
        self.magnitudes = Magnitudes({}, frozenset(), ())
        self.plain: frozenset[str] = frozenset()
        self.inside_region = False
        self.regions: dict[str, Any] = {}
        self.flags: dict[str, tuple[Any, list[int]]] = {}
        self.taken: Any = None
        self.fault = self.slot(I64, ir.Constant(I64, 0))
        self.allocated: list[list[Any]] = [[]]
        self.pace = Pace()
        self.malloc = ir.Function(self.module, ir.FunctionType(POINTER, [I64]), "tolang_take")
        self.malloc.return_value.add_attribute("noalias")
        self.free = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [POINTER]), "tolang_give")
        self.largest_on_stack = -1 if guard() else SMALL_BUFFER

    def slot(self, kind: Any, value: Any = None) -> Any:
        """Room on the stack, made once at the entry."""
        entry = ir.IRBuilder(self.entry)
        place = entry.alloca(kind)
        if value is not None:
            entry.store(value, place)
        return place

    def conclude(self) -> None:
        """Ends the function; its result, if it has one, is the number of the first check that failed, or 0."""
        if self.pace.exit is not None:
            self.builder.branch(self.pace.exit)
            self.builder.position_at_end(self.pace.exit)
        self._settle()
        if isinstance(self.function.ftype.return_type, ir.VoidType):
            self.builder.ret_void()
        else:
            self.builder.ret(self.builder.load(self.fault))
        ir.IRBuilder(self.entry).branch(self.function.basic_blocks[1])

    # Names, sizes, checks

    def lookup(self, name: str) -> Any:
        """A name as an index: whole numbers widened, reals floored; data too large, or no number, is a fault."""
        bound = self.names.get(name)
        if bound is None:
            raise Unsupported(f"the name {name} is not known here")
        value = self.builder.load(bound.value) if bound.slot else bound.value
        if not bound.data or name in self.plain:
            return value
        return index_from_data(self, value, bound.storage)

    @contextmanager
    def reading(self, buffer: Buffer, at: tuple[Size, ...], checks: tuple[Condition, ...]) -> Iterator[None]:
        """The coordinates of a read, and what is asked of them: the names that this bounds need no other bound."""
        lengths = frozenset[str]().union(*(length.names() for length in buffer.shape))
        names = frozenset[str]().union(*(index.names() for index in at)) - lengths
        words = frozenset(name for name in names if name in self.names and self.names[name].is_word)
        before, self.plain = self.plain, read_plainly(at, checks, words)
        yield
        self.plain = before

    def size(self, size: Size) -> Any:
        return emit_size(self.builder, size, self.lookup, lambda one: arithmetic_of(self, one))

    def condition(self, condition: Condition) -> Any:
        found = compared(self, condition) if self.plain else None
        if found is not None:
            return found
        return emit_condition(self.builder, condition, self.lookup, lambda one: arithmetic_of(self, one))

    def reporter(self, message: str, span: Span | Place | None) -> Callable[[ir.IRBuilder, Any], None]:
        """Notes failed checks without a branch, so that a loop with checks in it can still run on vectors."""
        self.sites.append(Site(message, span))
        number, nothing = len(self.sites), ir.Constant(I8, 0)

        def report(builder: ir.IRBuilder, wrong: Any) -> None:
            if isinstance(wrong.type, ir.VectorType):
                lanes = ir.IntType(wrong.type.count)
                wrong = builder.icmp_unsigned("!=", builder.bitcast(wrong, lanes), ir.Constant(lanes, 0))
            if self.taken is not None:
                wrong = builder.and_(wrong, self.taken)
            place, bit = self._flag(number)
            builder.store(builder.or_(builder.load(place), builder.select(wrong, bit, nothing)), place)

        return report

    def _flag(self, number: int) -> tuple[Any, Any]:
        """Where the function being written keeps the flags of its checks, and the bit of this one."""
        name = self.function.name
        if name not in self.flags:
            self.flags[name] = self.slot(I8, ir.Constant(I8, 0)), []
        place, numbers = self.flags[name]
        if number not in numbers and len(numbers) < FLAGS:
            numbers.append(number)
        position = numbers.index(number) if number in numbers else FLAGS - 1
        return place, ir.Constant(I8, 1 << position)

    def _settle(self) -> None:
        """Makes the first of the checks that failed in this function the fault, unless there is one already."""
        if self.function.name not in self.flags:
            return
        builder, nothing = self.builder, ir.Constant(I64, 0)
        place, numbers = self.flags[self.function.name]
        flags, fault = builder.load(place), builder.load(self.fault)
        with builder.if_then(builder.icmp_unsigned("!=", flags, ir.Constant(I8, 0)), likely=False):
            found: Any = ir.Constant(I64, numbers[-1])
            for position, number in reversed(list(enumerate(numbers[:-1]))):
                bit = builder.and_(flags, ir.Constant(I8, 1 << position))
                here = builder.icmp_unsigned("!=", bit, ir.Constant(I8, 0))
                found = builder.select(here, ir.Constant(I64, number), found)
            fresh = builder.icmp_signed("==", fault, nothing)
            builder.store(builder.select(fresh, found, fault), self.fault)

    def stop_if(self, wrong: Any, message: str, span: Span | Place | None) -> None:
        """Ends the function here where something is wrong that nothing after it could bear."""
        self.sites.append(Site(message, span))
        number = ir.Constant(I64, len(self.sites))
        with self.builder.if_then(wrong, likely=False):
            self.builder.store(number, self.fault)
            self.leave()

    def leave_if(self, wrong: Any) -> None:
        """Ends the function here where the run is to end."""
        with self.builder.if_then(wrong, likely=False):
            self.leave()

    def leave(self) -> None:
        """Goes to the end of the function; what it has allocated is given back."""
        for held in self.allocated:
            for one in held:
                self.release(one)
        if self.pace.exit is None:
            self.pace.exit = self.function.append_basic_block("exit")
        self.builder.branch(self.pace.exit)

    def flagged(self) -> Any:
        """Whether a check of the function being written has failed so far."""
        if self.function.name not in self.flags:
            return ir.Constant(I1, 0)
        place, _ = self.flags[self.function.name]
        return self.builder.icmp_unsigned("!=", self.builder.load(place), ir.Constant(I8, 0))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names and folds seen inside are forgotten outside."""
        names, groups, pointers = dict(self.names), dict(self.groups), dict(self.pointers)
        try:
            yield
        finally:
            self.names, self.groups, self.pointers = names, groups, pointers

    @contextmanager
    def keeping_order(self) -> Iterator[None]:
        """Folds inside are computed in the order written, as they are in the lanes beside them."""
        before, self.in_order = self.in_order, True
        try:
            yield
        finally:
            self.in_order = before

    # Steps

    def steps(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: Step) -> None:
        match step:
            case Nest():
                self._nest(step)
            case Each():
                self._each(step)
            case Repeat(exchanges=exchanges) if exchanges:
                alternate(self, step)
            case Repeat() if scan(self, step) or tally(self, step):
                pass
            case Repeat(iterators=iterators, extents=extents, steps=inner):
                backwards = slice(None, None, -1)
                self.loops(iterators[backwards], extents[backwards], lambda: self.own_memory(inner))
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
            case Demand(condition=condition, message=message, span=span):
                self.stop_if(self.builder.not_(self.condition(condition)), message, span)

    def own_memory(self, steps: tuple[Step, ...], then: Callable[[], None] | None = None) -> None:
        """Steps, and what is done `then`, whose buffers are freed when they are done."""
        self.allocated.append([])
        with self.scope():
            self.steps(steps)
            if then is not None:
                then()
            for name in self.allocated.pop():
                self.release(name)

    def _each(self, each: Each) -> None:
        if not self.inside_region and each.iterators:
            shared_each(self, each)
            return
        first, rest = hoisted(each)
        self.own_memory(first, lambda: self.loops(each.iterators, each.extents, lambda: self.own_memory(rest)))

    def release(self, held: Any) -> None:
        """Frees a buffer, by its name, or other memory."""
        address = self.pointers[held] if isinstance(held, str) else held
        self.builder.call(self.free, [self.builder.bitcast(address, POINTER)])

    def take(self, size: Any, what: str) -> Any:
        """Memory of so many bytes, for a purpose that is told where there is none; `give_back` frees it."""
        raw = self.builder.call(self.malloc, [size])
        none = self.builder.icmp_unsigned("==", raw, ir.Constant(POINTER, None))
        self.stop_if(none, f"memory for {what}", None)
        self.allocated[-1].append(raw)
        return raw

    def give_back(self, raw: Any) -> None:
        self.release(raw)
        self.allocated[-1] = [one for one in self.allocated[-1] if one is not raw]

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
        message = f"memory for {buffer.name.rpartition('_')[0]}"
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
        self.stop_if(wrong, message, buffer.span)
        raw = builder.call(self.malloc, [total])
        self.stop_if(builder.icmp_unsigned("==", raw, ir.Constant(POINTER, None)), message, buffer.span)
        self.acquired(buffer, raw)

    def acquired(self, buffer: Buffer, raw: Any) -> None:
        """Takes memory as that of a buffer, to be freed with the steps around it."""
        self.pointers[buffer.name] = self.builder.bitcast(raw, memory_type(buffer.column.storage).as_pointer())
        self.allocated[-1].append(buffer.name)

    def _nest(self, nest: Nest) -> None:
        if lay_out(self, nest) or fold_panels(self, nest) or iterate_in_lanes(self, nest) or self._contraction(nest):
            return
        if abreast(self, nest) or fold_together(self, nest):
            return

        def body() -> None:
            with self.scope():
                computed = [self.scalar(v) for v in nest.values]
                for (buffer, at), value in zip(nest.targets, computed, strict=True):
                    self.store(buffer, at, value)

        if self.inside_region or not nest.iterators:
            self.loops(nest.iterators, nest.extents, body)
        else:
            shared_nest(self, nest, body)

    def _contraction(self, nest: Nest) -> bool:
        """The nest by the contraction kernel, where it is a contraction of floats."""
        contraction = None if self.strict or nest.way else classify(nest)
        if contraction is None or not supported(contraction):
            return False
        self.contractions.append(contraction)
        Kernel(self, contraction).emit()
        return True

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

    def checks(self, checks: tuple[Condition, ...], span: Span | Place | None, message: str = OUTSIDE) -> Any:
        held: Any = ir.Constant(I1, 1)
        for check in checks:
            held = self.builder.and_(held, self.condition(check))
        self.reporter(message, span)(self.builder, self.builder.not_(held))
        return held

    # Scalars

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
            case Checked(checks=checks, value=value, message=message):
                held = self.checks(checks, scalar.span, message)
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
                return reduction(self, group)[position]
        raise Unsupported(f"{type(scalar).__name__} is left to the interpreter")

    def operation(
        self, builder: ir.IRBuilder, scalar: Operation, values: list[Any], flags: tuple[str, ...] = ()
    ) -> Any:
        """A basic function of values that are there already."""
        report = self.reporter(f"{scalar.function} is outside its range", scalar.span)
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
