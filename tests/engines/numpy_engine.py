"""A second engine, for tests: plans as lowering makes them, run step by step by loops over NumPy arrays.

It knows of the rest of the package the engine contract, plans, and the basic elementary functions.  Nothing in it is
fast; it shows that the contract is all that an engine needs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tolang.core.core import Core
from tolang.core.refusal import Refused
from tolang.core.text_codes import on_codes
from tolang.engines.contract import NO_FIXED, NO_LENGTHS, NO_NAMES, Engine, Executable, Failed, Fault, PlanSection
from tolang.ground.reporting.diagnostics import Span, ToLangRunError
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.casting import cast
from tolang.ground.values.conversion import convert
from tolang.ground.values.elementary import apply, wraps
from tolang.ground.values.random import uniform
from tolang.ground.values.spaces import Column, dtype_of, strong
from tolang.ground.values.values import ToL
from tolang.lower.steps import lower
from tolang.plan.fixed import with_lengths
from tolang.plan.fused_sums import round_each
from tolang.plan.nest import (
    BELOW_ZERO,
    BEYOND,
    OUTSIDE,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    ConstantScalar,
    Draw,
    Each,
    FaultInfo,
    Free,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    RequireStep,
    Scalar,
    Select,
    SourcePlaceholder,
    Step,
    Unsupported,
    Where,
    no_memory,
)
from tolang.schedule.planning import Planned

Array = np.ndarray[Any, Any]
MOST = 1 << 40
"""Bytes that no buffer has."""
FARTHEST = 1 << 62
"""The coordinate that stands for what is no number, or none that ends: it is outside of all that there is."""


class NumpyEngine(Engine):
    """Runs plans by loops in Python; it keeps nothing on disk, and has no threads."""

    name = "numpy"

    def plan(
        self,
        program: Core,
        strict: bool,
        fixed: frozenset[str] = NO_NAMES,
        lengths: Mapping[str, int] = NO_LENGTHS,
    ) -> Planned:
        text = on_codes(program)
        try:
            lowered = round_each(lower(program if text is None else text.core))
        except (Unsupported, RecursionError, OverflowError) as reason:
            raise Refused(str(reason)) from None
        return Planned(with_lengths(lowered, lengths), None, ())

    def planned(self, lowered: Plan, strict: bool, whole: Mapping[str, Size]) -> Plan:
        return lowered

    def compile(
        self,
        program: Core | PlanSection,
        strict: bool = False,
        artifact: Any = None,
        fixed: Mapping[str, ToL] = NO_FIXED,
        sizes: Mapping[str, int] | None = None,
    ) -> Executable:
        if isinstance(program, PlanSection):
            return PlanInLoops(program.plan, [[one] for buffers in program.plan.outputs for one in buffers], {}, True)
        plan = self.plan(program, strict).plan
        return PlanInLoops(plan, plan.outputs, fixed, False)


class PlanInLoops(Executable):
    """A plan that is run step by step; of a part of a program, every buffer is an input or an output by itself."""

    def __init__(
        self, plan: Plan, outputs: Sequence[Sequence[Buffer]], fixed: Mapping[str, ToL], is_part: bool
    ) -> None:
        self.plan, self.outputs, self.fixed, self.is_part = plan, outputs, fixed, is_part

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        given, run = {**inputs, **self.fixed}, PlanRun(seed)
        run.names.update(sizes)
        for buffer in self.plan.inputs:
            name, _, number = buffer.name.rpartition(".")
            value = given[buffer.name].columns[0] if self.is_part else given[name].columns[int(number) - 1]
            run.memory[buffer.name] = value
        for table in self.plan.tables:
            shape = [run.size(length) for length in table.buffer.shape]
            run.memory[table.buffer.name] = np.array(table.elements, dtype_of(table.buffer.column.storage)).reshape(
                shape
            )
        with np.errstate(all="ignore"):
            run.steps(self.plan.steps)
        return [
            ToL([run.memory[one.name] for one in buffers], [strong(one.column) for one in buffers])
            for buffers in self.outputs
        ]


class PlanRun:
    """One run of a plan: names, whole numbers of Python where coordinates, and buffers by their names."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.names: dict[str, Any] = {}
        self.memory: dict[str, Array] = {}

    # Steps

    def steps(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: Step) -> None:
        match step:
            case Nest(iterators=iterators, extents=extents, targets=targets, values=values):
                for _ in self.coordinates(iterators, extents):
                    found = [self.scalar(value) for value in values]
                    for (buffer, at), value in zip(targets, found, strict=True):
                        self.memory[buffer.name][self.place(at)] = value
            case Each(iterators=iterators, extents=extents, steps=inner):
                for _ in self.coordinates(iterators, extents):
                    self.steps(inner)
            case Repeat(iterators=iterators, extents=extents, steps=inner, exchanges=exchanges):
                for _ in self.coordinates(iterators, extents):
                    self.steps(inner)
                    for one, other in exchanges:
                        memory = self.memory
                        memory[one.name], memory[other.name] = memory[other.name], memory[one.name]
            case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
                self.steps(then if self.holds(guard, test) else otherwise)
            case Bind(name=name, value=value) | Assign(name=name, value=value):
                self.names[name] = self.scalar(value)
            case Allocate(buffer=buffer):
                self.memory[buffer.name] = self.allocated(buffer)
            case Free(buffer=buffer):
                del self.memory[buffer.name]
            case RequireStep(condition=condition, complaint=complaint, span=span):
                self.check((condition,), complaint, span)
            case _:
                raise AssertionError(f"{type(step).__name__} is no step")

    def coordinates(self, iterators: Sequence[str], extents: Sequence[Size]) -> Iterator[None]:
        """Goes through all coordinates, the first fastest; iterators have their values meanwhile."""
        ranges = [range(1, self.size(extent) + 1) for extent in extents]
        for at in itertools.product(*reversed(ranges)):
            self.names.update(zip(iterators, reversed(at), strict=True))
            yield

    def allocated(self, buffer: Buffer) -> Array:
        shape = [self.size(length) for length in buffer.shape]
        if min(shape, default=0) < 0:
            raise failed(BELOW_ZERO, buffer.span)
        kind = dtype_of(buffer.column.storage)
        try:
            if math.prod(shape) * kind.itemsize > MOST:
                raise MemoryError
            return np.zeros(shape, kind)
        except MemoryError:
            raise failed(no_memory(buffer.name.rpartition("_")[0]), buffer.span) from None

    # Coordinates

    def size(self, size: Size) -> int:
        """A size at the current coordinates, exactly; what 64 bits cannot hold is left to the interpreter."""
        found = int(size.evaluate({name: self.whole(name) for name in size.names()}))
        if abs(found) >= 1 << 63:
            raise failed(BEYOND, None)
        return found

    def whole(self, name: str) -> int:
        value = self.names[name]
        return int(value) if np.isfinite(value) else FARTHEST if value > 0 else -FARTHEST

    def condition(self, condition: Condition) -> bool:
        return bool(condition.evaluate({name: self.whole(name) for name in condition.names()}))

    def check(self, checks: Sequence[Condition], complaint: FaultInfo, span: Span | SourcePlaceholder | None) -> None:
        if not all(map(self.condition, checks)):
            raise failed(complaint, span)

    def place(self, at: Sequence[Size]) -> tuple[int, ...]:
        return tuple(self.size(one) - 1 for one in at)

    def holds(self, guard: Condition | None, test: Sequence[Scalar]) -> bool:
        return bool(self.scalar(test[0])) if guard is None else self.condition(guard)

    # Scalars

    def scalar(self, scalar: Scalar) -> Any:
        """A scalar expression at the current coordinates, in the storage of its column."""
        storage = scalar.column.storage
        match scalar:
            case ConstantScalar(value=value):
                return cast(np.asarray(value), storage)[()]
            case Index(size=size):
                return cast(np.asarray(self.size(size)), storage)[()]
            case Named(name=name):
                return dtype_of(storage).type(self.names[name])
            case Load(buffer=buffer, indices=indices, checks=checks, span=span):
                self.check(checks, OUTSIDE, span)
                return self.memory[buffer.name][self.place(indices)]
            case Checked(checks=checks, value=value, complaint=complaint, span=span):
                self.check(checks, complaint, span)
                return self.scalar(value)
            case Draw(site=site, coordinates=coordinates):
                return uniform(self.seed, site, [self.size(one) for one in coordinates], storage)[()]
            case Operation(function=function, arguments=arguments, span=span):
                values = [np.asarray(self.scalar(one)) for one in arguments]
                try:
                    return computed(function, values, scalar.column, [one.column for one in arguments])[()]
                except ToLangRunError as error:
                    raise failed(FaultInfo(error.code, error.diagnostics[0].message), span) from None
            case Select(guard=guard, test=test, then=then, otherwise=otherwise):
                return self.scalar(then if self.holds(guard, test) else otherwise)
            case Where(bindings=bindings, value=value):
                for name, bound in bindings:
                    self.names[name] = self.scalar(bound)
                return self.scalar(value)
            case Reduction(group=group, position=position):
                self.names.update(zip(group.states, [self.scalar(one) for one in group.initials], strict=True))
                for _ in self.coordinates(group.iterators, group.extents):
                    self.names.update(zip(group.states, [self.scalar(one) for one in group.steps], strict=True))
                return self.names[group.states[position]]
        raise AssertionError(f"{type(scalar).__name__} is no scalar")


def computed(function: str, values: list[Array], result: Column, sources: list[Column]) -> Array:
    """A function of plans: a basic elementary one, or one of those that lowering adds."""
    match function:
        case "cast":
            return cast(values[0], result.storage, wraps(result))
        case "convert":
            return convert(values[0], sources[0], result)
        case "quotient":
            return np.asarray(values[0] // values[1])
        case "complex":
            joined = np.empty((), dtype_of(result.storage))
            joined.real, joined.imag = values
            return joined
        case "real part":
            return np.asarray(values[0].real)
        case "imaginary part":
            return np.asarray(values[0].imag)
    return apply(function, values, result, sources)


def failed(complaint: FaultInfo, span: Span | SourcePlaceholder | None) -> Failed:
    """What tells that a check has failed, and where."""
    assert not isinstance(span, SourcePlaceholder)  # which only code that several places share has
    return Failed(Fault(complaint.code, complaint.about, span))
