"""Scalar expressions at one place: numbers in registers, elements read and written one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.evaluation import Evaluator
from tolang.engines.llvm.function import KernelFunction
from tolang.engines.llvm.functions import Report, evaluated
from tolang.engines.llvm.quotients import Divisor
from tolang.engines.llvm.random import uniform
from tolang.engines.llvm.remainders import is_whole_remainder
from tolang.engines.llvm.sizes import quotient_of, remainder_of
from tolang.engines.llvm.types import ANYWHERE, I1, I8, I32, I64, cast, constant, memory_type, paired, parted
from tolang.engines.llvm.types import TYPES as STORAGE_TYPES
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import is_complex
from tolang.plan.nest import (
    OUTSIDE,
    Buffer,
    Checked,
    ConstantScalar,
    Draw,
    FaultInfo,
    Load,
    Operation,
    Reduction,
    Scalar,
    Select,
    SourcePlaceholder,
    out_of_range,
)
from tolang.plan.target import Target

SEED = "the seed"
"""The name that the seed is bound to: no name of a program has a space."""
MOST_REGIONS = 24
"""Up to how many buffers a function tells LLVM that they do not overlap."""


class ScalarEmitter(KernelFunction, Evaluator):
    """Writes expressions and what they read; folds are left to whoever writes loops.

    Of quotients whose `divisors` are shared by many, known by their identities, it is their divisor that computes them.
    Code that `foresees` reads for both sides of a choice, where reading is safe, so that nothing waits for the test or
    guesses how it ends.
    """

    def __init__(self, arguments: list[Any], name: str, target: Target) -> None:
        super().__init__(arguments, name, target)
        self.regions: dict[str, Any] = {}
        self.divisors: dict[int, Divisor] = {}
        self.foresees = False

    @contextmanager
    def foreseeing(self, really: bool = True) -> Iterator[None]:
        """Code that foresees is written inside."""
        before, self.foresees = self.foresees, really
        yield
        self.foresees = before

    # Memory

    def address(self, buffer: Buffer, at: tuple[Size, ...]) -> Any:
        """The element's address; coordinates count from 1."""
        builder, panels = self.builder, buffer.panels
        if panels is None:
            return builder.gep(self.memory[buffer.name].address, [self._flat(at, buffer.shape)])
        cut, width = len(at) - panels.across, ir.Constant(I64, panels.width)
        steps: Any = ir.Constant(I64, 1)
        for length in buffer.shape[:cut]:
            steps = builder.mul(steps, self.size(length))
        panel, own = self._place_in_panels(at[cut:], buffer.shape[cut:], width)
        step, chunk = self._flat(at[:cut], buffer.shape[:cut]), ir.Constant(I64, panels.chunk)
        chunks, inside = quotient_of(builder, step, chunk), remainder_of(builder, step, chunk)
        offset = builder.add(builder.mul(builder.add(builder.mul(chunks, width), own), chunk), inside)
        offset = builder.add(builder.mul(panel, builder.mul(steps, width)), offset)
        return builder.gep(self.memory[buffer.name].address, [offset])

    def _place_in_panels(self, at: tuple[Size, ...], shape: tuple[Size, ...], width: Any) -> tuple[Any, Any]:
        """Which panel of a width has an element, from 0, and its place there."""
        bound = self.names.get(str(at[0])) if len(at) == 1 else None
        if bound is not None and bound.panel is not None:
            panel, place = bound.panel
            return panel, ir.Constant(I64, place)
        flat = self._flat(at, shape)
        panel = quotient_of(self.builder, flat, width)
        return panel, self.builder.sub(flat, self.builder.mul(panel, width))

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
        place = self.address(buffer, at)
        if is_complex(buffer.column.storage):
            for number, part in enumerate(parted(self.builder, value)):
                self.apart(self.builder.store(part, self._part(place, number)), buffer)
            return
        if buffer.column.storage == "bool":
            value = self.builder.zext(value, I8)
        self.apart(self.builder.store(value, place), buffer)

    def _part(self, place: Any, number: int) -> Any:
        """The address of the real or the imaginary part of a complex number in memory."""
        return self.builder.gep(place, [ir.Constant(I32, 0), ir.Constant(I32, number)])

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
        held = None if self.ends_at_once else held
        if held is not None:
            place = builder.select(held, place, self.slot(memory_type(storage), _zero(memory_type(storage))))
        if is_complex(storage):
            parts = [builder.load(self._part(place, number), align=ANYWHERE) for number in (0, 1)]
            for part in parts:
                self.apart(part, load.buffer)
            return paired(builder, *parts)
        value = builder.load(place, align=ANYWHERE)
        self.apart(value, load.buffer)
        return builder.icmp_unsigned("!=", value, ir.Constant(I8, 0)) if storage == "bool" else value

    def checks(
        self, checks: tuple[Condition, ...], span: Span | SourcePlaceholder | None, complaint: FaultInfo = OUTSIDE
    ) -> Any:
        held: Any = ir.Constant(I1, 1)
        for check in checks:
            held = self.builder.and_(held, self.condition(check))
        self.reporter(complaint, span)(self.builder, self.builder.not_(held))
        return ir.Constant(I1, 1) if self.ends_at_once else held

    # The domain of single numbers

    def number(self, value: Any, storage: str) -> Any:
        return constant(value, storage)

    def named(self, name: str, storage: str) -> Any:
        bound = self.names[name]
        return self.builder.load(bound.value) if bound.slot else bound.value

    def binding(self) -> AbstractContextManager[None]:
        return self.scope()

    def bind(self, name: str, value: Any, storage: str, mutable: bool = False) -> None:
        """Gives a value a name, or a slot if it changes."""
        if mutable:
            place = self.slot(STORAGE_TYPES[storage])
            self.builder.store(value, place)
            self.names[name] = BoundValue(place, storage, True)
        else:
            self.names[name] = BoundValue(value, storage)

    def index(self, size: Size, storage: str) -> Any:
        return cast(self.builder, self.size(size), "i64", storage)

    def draw(self, draw: Draw) -> Any:
        numbers = [self.size(c) for c in draw.coordinates]
        return uniform(self.builder, self.names[SEED].value, draw.site, numbers, draw.column.storage)

    def checked(self, checked: Checked) -> Any:
        held = self.checks(checked.checks, checked.span, checked.complaint)
        return self._select(held, checked.value, ConstantScalar(0, column=checked.value.column))

    def operation(self, scalar: Operation, values: list[Any]) -> Any:
        """A basic function of values that are there already, numbers or vectors."""
        divisor = self.divisors.get(id(scalar))
        if divisor is not None:
            number = cast(self.builder, values[0], scalar.arguments[0].column.storage, divisor.storage)
            return divisor.quotient(self.builder, number)
        report = self.reporter(out_of_range(scalar.function), scalar.span)
        if self.stops and is_whole_remainder(scalar) and values[0].type == I64:
            return self._near_remainder(scalar, values, report)
        return evaluated(self.builder, scalar, values, report)

    def _near_remainder(self, scalar: Operation, values: list[Any], report: Report) -> Any:
        """A remainder in code that runs on no vectors: a number that is smaller than the divisor, as coordinates that
        go round mostly are, is not divided."""
        builder, (number, divisor) = self.builder, values
        above = builder.icmp_signed(">=", number, ir.Constant(I64, 0))
        near = builder.and_(above, builder.icmp_signed("<", number, divisor))
        before = builder.block
        with builder.if_then(builder.not_(near), likely=False):
            rest, far = evaluated(builder, scalar, values, report), builder.block
        joined = builder.phi(I64)
        joined.add_incoming(number, before)
        joined.add_incoming(rest, far)
        return joined

    def chosen(self, select: Select) -> Any:
        return self._select(self.scalar(select.test[0]), select.then, select.otherwise, True)

    def guarded(self, select: Select) -> Any:
        assert select.guard is not None
        return self._select(self.condition(select.guard), select.then, select.otherwise)

    def _select(self, truth: Any, then: Scalar, otherwise: Scalar, readable: bool = False) -> Any:
        """One of two scalars; a branch unless both are plain to compute, `readable` if reads are safe in either."""
        if all(_is_plain(side, readable, self.foresees) for side in (then, otherwise)):
            yes, no = self._where(truth, then), self._where(self.builder.not_(truth), otherwise)
            return self.builder.select(truth, yes, no, self.foresees)
        builder = self.builder
        incoming = []
        with builder.if_else(truth) as sides:
            for side, branch in zip(sides, (then, otherwise), strict=True):
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


def _is_plain(scalar: Scalar, readable: bool, checked: bool) -> bool:
    """Whether a scalar can be computed whether or not it is needed: no loop, no read unless safe and `readable`.

    A read without checks is safe in both branches of a test on values, as that proves nothing about coordinates; a
    guard may be what makes it safe.  One with checks is safe there, too, but made in vain only where `checked` says so.
    """
    match scalar:
        case Checked() | Reduction() | Draw():
            return False
        case Load(checks=checks) if not readable or (checks and not checked):
            return False
        case Select(guard=guard) if guard is not None:
            readable = False
    return all(_is_plain(child, readable, checked) for child in scalar.children())


def _zero(kind: Any) -> Any:
    if isinstance(kind, ir.LiteralStructType):
        return ir.Constant(kind, [_zero(part) for part in kind.elements])
    return ir.Constant(kind, 0 if isinstance(kind, ir.IntType) else 0.0)
