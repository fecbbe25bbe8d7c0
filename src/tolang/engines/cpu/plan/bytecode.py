"""A plan as the table that the walker runs: sizes and addresses in registers, every computation a call of a kernel.

Registers begin with what a call brings and takes: sizes, the seed, addresses of inputs and outputs, lengths of
outputs, how far apart the elements of inputs are that are read where they lie.  Scalars that follow each other are
computed by one kernel, which leaves those that are needed later in registers.  Sizes are computed by the walker itself,
each once.
"""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from tolang.engines.contract import Fault
from tolang.engines.cpu.plan import walker
from tolang.engines.cpu.plan.artifact import CHECK_BITS
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Span, ToLangRunError
from tolang.ground.symbolic.conditions import Choice, Condition, negation, nonnegative
from tolang.ground.symbolic.marked import NOWHERE
from tolang.ground.symbolic.sizes import (
    ONE,
    ZERO,
    Atom,
    Extremum,
    Quotient,
    Size,
    divides_by_a_variable,
    extremum,
    floor_division,
    may_lose,
)
from tolang.ground.values.spaces import Column, column, dtype_of, is_complex
from tolang.idioms.prefix_reuse import beginnings_of
from tolang.plan.canonical import CanonicalKernel, KnownScalar, Outlined, outline
from tolang.plan.dispatch import without_cases
from tolang.plan.nest import (
    BELOW_ZERO,
    BEYOND,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Each,
    FaultInfo,
    Free,
    Index,
    Load,
    Named,
    Nest,
    Plan,
    Repeat,
    RequireStep,
    Scalar,
    Step,
    Unsupported,
    no_memory,
)
from tolang.plan.schedule import IN_ORDER, DoubleBuffered, PrefixReuse
from tolang.plan.traversal import scalars_in, scalars_of, used_names

WHOLE_NUMBER = column("Z")
LENGTH_OF_KERNEL = 250
"""How many scalars one kernel computes, or a few more: LLVM's time for a function grows faster than its length."""

ENOUGH = 4
"""A buffer has memory for so many times as many elements as it has, at the most, where it is handed on."""

LENGTH_OF_STORE = 4
"""As many scalars as this an element counts for that is stored: LLVM compares every two of them."""

Guards = tuple[Condition | None, ...]
"""Conditions on sizes; None stands for one on data."""

PADDING = 8
"""Words after the end, since the walker looks at operands before it knows how many there are."""


@dataclass(frozen=True, slots=True)
class AssembledPlan:
    """What the walker needs: its words, how many registers; the kernels it calls in order; its own checks.

    Each call is made where all of its `guards` hold.  `rare` are the keys of kernels that it calls only where
    contractions turn out to have few rows.
    """

    words: bytes
    registers: int
    calls: tuple[Outlined, ...]
    checks: tuple[Fault, ...]
    rare: frozenset[str]
    guards: tuple[Guards, ...]

    def called(self, sizes: Mapping[str, int] | None, rarely: bool) -> frozenset[str]:
        """The keys of kernels that a run at some sizes calls, and of those that it may call; rare ones if `rarely`."""
        found = set[str]()
        for call, guards in zip(self.calls, self.guards, strict=True):
            made = None if sizes is None else _hold(guards, sizes)
            if made or (made is None and (rarely or call.shared.key not in self.rare)):
                found.add(call.shared.key)
        return frozenset(found)


def _hold(guards: Guards, sizes: Mapping[str, int]) -> bool | None:
    """Whether conditions hold at some sizes; None where only data tell."""
    told = [None if one is None else _truth_at(one, sizes) for one in guards]
    return False if False in told else None if None in told else True


def _truth_at(condition: Condition, sizes: Mapping[str, int]) -> bool | None:
    if not condition.names() <= sizes.keys():
        return None
    with suppress(ZeroDivisionError, ToLangRunError):
        return bool(condition.evaluate(sizes))
    return None


def assemble(plan: Plan) -> AssembledPlan:
    """The table of a plan; raises `Unsupported` where a name is not known where it is needed.

    The cases of a nest are branches in it: each is a kernel of its own.
    """
    plan = without_cases(plan)
    assembler = _BytecodeAssembler(plan)
    assembler.steps(plan.steps, frozenset(_output_names(plan)))
    assembler.outputs(plan)
    return assembler.table()


def _output_names(plan: Plan) -> Iterator[str]:
    for buffers in plan.outputs:
        for buffer in buffers:
            for length in buffer.shape:
                yield from length.names()


def _is_a_length(size: Size, sizes: frozenset[str]) -> bool:
    """Whether a size is none below zero by the way it is written: a sum of products of lengths."""
    return size.is_plain and size.names() <= sizes and all(factor >= 0 for factor in size.terms.values())


class _BytecodeAssembler:
    def __init__(self, plan: Plan) -> None:
        self.code: list[int] = []
        self.count = 0
        self.most_words = 1
        self.calls: list[Outlined] = []
        self.made: dict[str, CanonicalKernel] = {}
        self.common: set[str] = set()
        self.checks: list[Fault] = [Fault(BEYOND.code, BEYOND.about, None)]
        self.owners: list[int] = []
        self.jumps: list[int] = []
        self.allocated: list[list[Buffer]] = [[]]
        self.around: Guards = ()
        self.guards: list[Guards] = []
        self.sizes = frozenset(plan.sizes)
        self.known = {name: KnownScalar(WHOLE_NUMBER) for name in plan.sizes}
        self.names = {name: self.register() for name in plan.sizes}
        self.seed = self.register()
        self.buffers = {buffer.name: self.register() for buffer in plan.inputs}
        self.results = [self.register() for _ in plan.output_buffers]
        self.lengths = [self.register() for buffers in plan.outputs for _ in buffers[0].shape]
        for stride in plan.strides:
            self.known[stride.step], self.names[stride.step] = KnownScalar(WHOLE_NUMBER), self.register()
        self.values: dict[Size | Condition, int] = {}

    def register(self) -> int:
        self.count += 1
        return self.count - 1

    def emit(self, *words: int) -> None:
        self.code.extend(words)

    def table(self) -> AssembledPlan:
        head = [self.most_words, len(self.owners), *self.owners]
        for place in self.jumps:
            self.code[place] += len(head)
        words = array("q", [*head, *self.code, *[walker.END] * PADDING])
        rare = frozenset(self.made.keys() - self.common)
        return AssembledPlan(
            words.tobytes(), self.count, tuple(self.calls), tuple(self.checks), rare, tuple(self.guards)
        )

    def outputs(self, plan: Plan) -> None:
        """Lengths and addresses of the outputs, and everything else given back."""
        lengths = [length for buffers in plan.outputs for length in buffers[0].shape]
        for to, length in zip(self.lengths, lengths, strict=True):
            self.emit(walker.COPY, to, self.size(length))
        for to, buffer in zip(self.results, plan.output_buffers, strict=True):
            self.emit(walker.COPY, to, self.buffers[buffer.name])
            self.emit(walker.HAND, to)
        for buffer in self.allocated[0]:
            if buffer.name not in plan.output_names:
                self.emit(walker.FREE, self.buffers[buffer.name])

    def check(self, complaint: FaultInfo, span: object = None) -> int:
        self.checks.append(Fault(complaint.code, complaint.about, span if isinstance(span, Span) else None))
        return len(self.checks)

    # Sizes and conditions

    def size(self, size: Size) -> int:
        """The register that holds a size."""
        known = self.values.get(size)
        if known is None:
            known = self._polynomial(size)
            self._remember(size, known)
        return known

    def _remember(self, what: Size | Condition, register: int) -> None:
        if not any(name in self.known and self.known[name].mutable for name in what.names()):
            self.values[what] = register

    def _number(self, value: int) -> int:
        constant = Size.of(value)
        if constant not in self.values:
            self.values[constant] = self.register()
            self.emit(walker.SET, self.values[constant], value)
        return self.values[constant]

    def _binary(self, function: int, a: int, b: int) -> int:
        to = self.register()
        self.emit(walker.BINARY, function, to, a, b)
        return to

    def _polynomial(self, size: Size) -> int:
        if size.denominator != 1:
            raise Unsupported("a size with fractions is left to the interpreter")
        total: int | None = None
        places: list[int] = []
        for monomial, factor in size.terms.items():
            product = None if monomial and factor == 1 else self._number(int(factor))
            for atom in monomial:
                value = self._atom(atom)
                if may_lose(monomial, factor, atom):
                    places.append(value)
                product = value if product is None else self._binary(walker.MULTIPLY, product, value)
            assert product is not None
            total = product if total is None else self._binary(walker.ADD, total, product)
        return self._number(0) if total is None else self._where_it_is(total, places)

    def _where_it_is(self, number: int, places: list[int]) -> int:
        """The register of a number, or of `NOWHERE` if one of some places is."""
        for place in places:
            nowhere, to = self._number(NOWHERE), self.register()
            apart = self._binary(walker.SUBTRACT, place, nowhere)
            self.emit(walker.SELECT, to, self._binary(walker.IS_ZERO, apart, apart), nowhere, number)
            number = to
        return number

    def _atom(self, atom: Atom) -> int:
        match atom:
            case str():
                return self._name(atom)
            case Quotient(numerator=numerator, denominator=denominator):
                return self._binary(walker.DIVIDE, self.size(numerator), self.size(denominator))
            case Extremum(kind=kind, sizes=sizes):
                function = walker.LEAST if kind == "min" else walker.GREATEST
                registers = [self.size(s) for s in sizes]
                lost = registers if kind == "max" and divides_by_a_variable(atom) else []
                return self._where_it_is(self._folded(function, registers), lost)
            case Choice(condition=condition, then=then, otherwise=otherwise):
                operands = self.condition(condition), self.size(then), self.size(otherwise)
                to = self.register()
                self.emit(walker.SELECT, to, *operands)
                return to
        raise Unsupported("an open sum is left to the interpreter")

    def _folded(self, function: int, registers: list[int]) -> int:
        result = registers[0]
        for register in registers[1:]:
            result = self._binary(function, result, register)
        return result

    def _name(self, name: str) -> int:
        """A name as an index: whole numbers widened, reals floored."""
        if name not in self.names:
            raise Unsupported(f"the name {name} is not known here")
        storage = self.known[name].column.storage
        if storage == "i64":
            return self.names[name]
        if storage not in walker.STORAGES:
            raise Unsupported(f"{storage} as a length is left to the interpreter")
        to = self.register()
        self.emit(walker.WHOLE, to, self.names[name], walker.STORAGES.index(storage))
        return to

    def condition(self, condition: Condition) -> int:
        """The register that holds the truth of a condition."""
        known = self.values.get(condition)
        if known is None:
            known = self._truth(condition)
            self._remember(condition, known)
        return known

    def _truth(self, condition: Condition) -> int:
        if condition.size is not None:
            size = self.size(condition.size)
            function = walker.IS_ZERO_OR_MORE if condition.kind == "nonnegative" else walker.IS_ZERO
            return self._binary(function, size, size)
        if not condition.parts:
            return self._number(int(condition.kind == "true"))
        truths = [self.condition(part) for part in condition.parts]
        if condition.kind == "not":
            return self._binary(walker.NOT, truths[0], truths[0])
        return self._folded(walker.AND if condition.kind == "and" else walker.OR, truths)

    # Steps

    def steps(self, steps: tuple[Step, ...], after: frozenset[str]) -> None:
        """Steps in order; `after` are the names that what follows them reads."""
        units = list(_units(steps))
        bind = any(isinstance(step, Bind) for step in steps)
        last = {name: place for place, unit in enumerate(units) for name in _used(unit)} if bind else {}
        for place, unit in enumerate(units):
            if isinstance(unit, tuple):
                bound = {step.name for step in unit if isinstance(step, Bind)}
                self._scalars(unit, {name for name in bound if name in after or last.get(name, -1) > place})
            elif isinstance(unit, Branch):
                self._branch(unit)
            else:
                self._step(unit)

    def _step(self, step: Step) -> None:
        match step:
            case Allocate(buffer=buffer):
                self._allocate(buffer)
            case Free(buffer=buffer):
                self.emit(walker.FREE, self.buffers[buffer.name])
                self.allocated[-1] = [b for b in self.allocated[-1] if b.name != buffer.name]
            case RequireStep(condition=condition, complaint=complaint, span=span):
                self.emit(walker.DEMAND, self.condition(condition), self.check(complaint, span))
            case Nest(schedule=PrefixReuse()):
                self._beginnings(step)
            case Repeat(schedule=DoubleBuffered(early_exit=False)) if self._owns(step.exchanges):
                self._exchanging(step)
            case _:
                self._call(step)

    def _beginnings(self, step: Nest) -> None:
        """Buffers get the memory of others, whose beginnings they are, or copies from there where that is too large."""
        found = beginnings_of(step)
        assert found is not None
        (old, new), *_ = found
        if not {one.name for pair in found for one in pair} <= {buffer.name for buffer in self.allocated[-1]}:
            self._call(step)
            return
        self.emit(walker.JUMP_UNLESS, self.condition(nonnegative(new.shape[0] * ENOUGH - old.shape[0])), 0)
        to_copy = len(self.code) - 1
        for old, new in found:
            to, source = self.buffers[new.name], self.buffers[old.name]
            self.emit(walker.FREE, to, walker.COPY, to, source, walker.SET, source, 0)
        self.emit(walker.JUMP, 0)
        to_end = len(self.code) - 1
        self.code[to_copy] = len(self.code)
        self._arm((step,), None)  # in which no buffer is owned, so that it is copied
        self.code[to_end] = len(self.code)
        self.jumps += [to_copy, to_end]

    def _owns(self, exchanges: tuple[tuple[Buffer, Buffer], ...]) -> bool:
        """Whether registers have the memory of all that is exchanged, as much of each as of the other."""
        own = {buffer.name for buffers in self.allocated for buffer in buffers}
        return all(own >= {one.name, other.name} and one.room == other.room for one, other in exchanges)

    def _exchanging(self, step: Repeat) -> None:
        """Steps whose states change places: after an odd number of them registers do, where a kernel would copy."""
        self._call(replace(step, schedule=DoubleBuffered(left=True)))
        steps = math.prod([extremum("max", (ZERO, extent)) for extent in step.extents], start=ONE)
        odd = self.size(steps - floor_division(steps, Size.of(2)) * 2)
        for pair in step.exchanges:
            one, other = (self.buffers[buffer.name] for buffer in pair)
            first, second = self.register(), self.register()
            self.emit(walker.SELECT, first, odd, other, one, walker.SELECT, second, odd, one, other)
            self.emit(walker.COPY, one, first, walker.COPY, other, second)

    def _allocate(self, buffer: Buffer) -> None:
        for length in buffer.room:
            if not _is_a_length(length, self.sizes):
                self.emit(walker.DEMAND, self.condition(nonnegative(length)), self.check(BELOW_ZERO, buffer.span))
        lengths = [self.size(length) for length in buffer.room]
        to = self.buffers[buffer.name] = self.register()
        size = dtype_of(buffer.column.storage).itemsize
        check = self.check(no_memory(buffer.name.rpartition("_")[0]), buffer.span)
        self.emit(walker.ALLOCATE, to, size, check, len(lengths), *lengths)
        self.owners.append(to)
        self.allocated[-1].append(buffer)

    def _branch(self, step: Branch) -> None:
        truth = self.condition(step.guard) if step.guard is not None else self._tested(step.test[0])
        self.emit(walker.JUMP_UNLESS, truth, 0)
        to_otherwise = len(self.code) - 1
        self._arm(step.then, step.guard)
        self.emit(walker.JUMP, 0)
        to_end = len(self.code) - 1
        self.code[to_otherwise] = len(self.code)
        self._arm(step.otherwise, None if step.guard is None else negation(step.guard))
        self.code[to_end] = len(self.code)
        self.jumps += [to_otherwise, to_end]

    def _arm(self, steps: tuple[Step, ...], guard: Condition | None) -> None:
        """One side of a branch: what it computes is known there only, what it allocates it gives back."""
        saved = dict(self.values), dict(self.names), dict(self.known), dict(self.buffers)
        around, self.around = self.around, (*self.around, guard)
        self.allocated.append([])
        self.steps(steps, frozenset())
        for buffer in self.allocated.pop():
            self.emit(walker.FREE, self.buffers[buffer.name])
        self.values, self.names, self.known, self.buffers = saved
        self.around = around

    def _tested(self, test: Scalar) -> int:
        if isinstance(test, Named):
            return self.names[test.name]
        register = self.register()
        self._call(_stored([self._in_register("test", test.column, register)], [test]))
        return register

    def _in_register(self, name: str, kind: Column, register: int) -> Buffer:
        """A buffer of one element, whose memory is a register."""
        _fits(kind)
        buffer = Buffer(f"{name} {register}", kind, ())
        self.buffers[buffer.name] = ~register
        return buffer

    def _scalars(self, steps: tuple[Step, ...], needed: set[str]) -> None:
        """Scalars in a row: what is at hand already stays where it is, the rest is computed by one kernel."""
        rest: list[Step] = []
        bound: list[Bind] = []
        for step in steps:
            if isinstance(step, Bind) and not step.mutable and not rest and self._is_at_hand(step):
                continue
            if isinstance(step, Bind) and step.mutable:
                _fits(step.value.column)
                self.names[step.name] = self.register()
                self.known[step.name] = KnownScalar(step.value.column, True)
                rest.append(Assign(step.name, step.value))
                continue
            if isinstance(step, Bind):
                bound.append(step)
            rest.append(step)
        exported = [bind for bind in bound if bind.name in needed]
        targets = []
        for bind in exported:
            register = self.names[bind.name] = self.register()
            targets.append(self._in_register(bind.name, bind.value.column, register))
        if targets:
            rest.append(_stored(targets, [Named(bind.name, column=bind.value.column) for bind in exported]))
        if rest:
            self._call(rest[0] if len(rest) == 1 else Each((), (), tuple(rest)))
        self.known.update({bind.name: KnownScalar(bind.value.column) for bind in exported})

    def _is_at_hand(self, step: Bind) -> bool:
        """Binds a name without any computation, where its value is a constant, a size, or a scalar in memory."""
        kind = step.value.column
        match step.value:
            case ConstantScalar() as constant if kind.storage in walker.STORAGES:
                register = self.register()
                self.emit(walker.SET, register, _word(constant))
            case Index(size=size) if kind.storage == "i64":
                register = self.size(size)
            case Load(buffer=buffer, indices=(), checks=()) if self.buffers[buffer.name] >= 0:
                register = self.register()
                size_in_bytes = dtype_of(kind.storage).itemsize
                self.emit(walker.PEEK, register, self.buffers[buffer.name], size_in_bytes)
            case _:
                return False
        self.names[step.name] = register
        self.known[step.name] = KnownScalar(kind)
        return True

    def _scalar(self, scalar: str | ConstantScalar) -> int:
        """The word of a scalar that a kernel is given: a register, or where it changes, its place."""
        if isinstance(scalar, ConstantScalar):
            return self._number(_word(scalar))
        return ~self.names[scalar] if self.known[scalar].mutable else self.names[scalar]

    def _call(self, step: Step) -> None:
        """One step by its kernel."""
        outlined = outline(step, self.known, self.made)
        words = [self.seed]
        words += [self.size(size) for size in outlined.sizes]
        words += [self._scalar(one) for one in outlined.scalars]
        words += [self.buffers[buffer.name] for buffer in outlined.buffers]
        self.most_words = max(self.most_words, len(words))
        self.calls.append(outlined)
        self.guards.append(self.around)
        if not (isinstance(step, Nest) and step.rare):
            self.common.add(outlined.shared.key)
        self.emit(walker.CALL, len(self.calls) - 1, len(self.calls) << CHECK_BITS, len(words), *words)


def _word(constant: ConstantScalar) -> int:
    """A constant as it lies in a register."""
    bits = dtype_of(constant.column.storage).type(constant.value).tobytes().ljust(8, b"\0")
    return int(struct.unpack("<q", bits)[0])


def _fits(kind: Column) -> None:
    """Refuses to hold complex numbers in registers, which are words."""
    if is_complex(kind.storage):
        raise Unsupported("complex numbers that steps hand on are left to the interpreter")


def _stored(buffers: list[Buffer], values: Sequence[Scalar]) -> Nest:
    """Scalars put into buffers of one element."""
    return Nest((), (), tuple((buffer, ()) for buffer in buffers), tuple(values), schedule=IN_ORDER)


def _used(unit: Step | tuple[Step, ...]) -> frozenset[str]:
    steps = unit if isinstance(unit, tuple) else (unit,)
    return frozenset[str]().union(*(used_names(step) for step in steps))


def _length(step: Step) -> int:
    stored = LENGTH_OF_STORE * len(step.targets) if isinstance(step, Nest) else 0
    return stored + sum(len(scalars_in(scalar)) for scalar in scalars_of(step))


def _units(steps: Iterable[Step]) -> Iterator[Step | tuple[Step, ...]]:
    """Steps, those that compute scalars only put together where they follow each other, up to so many of them."""
    waiting: list[Step] = []
    count = 0
    for step in steps:
        scalar = isinstance(step, Bind | Assign) or (isinstance(step, Nest) and not step.iterators)
        if waiting and (not scalar or count >= LENGTH_OF_KERNEL):
            yield tuple(waiting)
            waiting, count = [], 0
        if scalar:
            waiting.append(step)
            count += _length(step)
        else:
            yield step
    if waiting:
        yield tuple(waiting)
