"""Steps as code: each nest, repetition and fold by its schedule, scalar expressions, loads and stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tolang.engines.cpu.emission.bounds import known_lengths
from tolang.engines.cpu.emission.function import POINTER, ROOM_OF_A_STEP, CpuFunction
from tolang.engines.cpu.emission.looping import loop, loops
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BufferMemory
from tolang.engines.llvm.types import (
    I1,
    I8,
    I64,
    intrinsic,
    memory_type,
)
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import dtype_of
from tolang.plan.kinds import kind_of
from tolang.plan.nest import (
    BELOW_ZERO,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Each,
    Free,
    Group,
    Nest,
    Repeat,
    RequireStep,
    Step,
    no_memory,
)
from tolang.plan.target import Target

LARGEST_BUFFER = 1 << 60
"""The most bytes that a buffer may have."""


@dataclass(frozen=True, slots=True)
class Strategies:
    """What writes the code of each kind of schedule: the table of an engine."""

    nests: Mapping[str, Callable[[Emitter, Nest], None]]
    repeats: Mapping[str, Callable[[Emitter, Repeat], None]]
    folds: Mapping[str, Callable[[Emitter, Group], list[Any]]]
    each: Callable[[Emitter, Each], None]


class Emitter(CpuFunction):
    """Writes the steps of one function, each by its schedule."""

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
                with self.stopping(self.stops and not step.iterators), known_lengths(self, step):
                    self.strategies.nests[kind_of(step)](self, step)
            case Each():
                with self.stopping(False):
                    self.strategies.each(self, step)
            case Repeat():
                outside, self.repeating = self.repeating, True
                with self.stopping(False):
                    self.strategies.repeats[kind_of(step)](self, step)
                self.repeating = outside
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
            case RequireStep(condition=condition, complaint=complaint, span=span):
                self.stop_if(self.builder.not_(self.condition(condition)), complaint, span)

    def store_all(self, nest: Nest) -> None:
        """The elements of a nest at the current coordinates, all computed before one is stored."""
        computed = [self.scalar(value) for value in nest.values]
        for (buffer, at), value in zip(nest.targets, computed, strict=True):
            self.store(buffer, at, value)

    def own_memory(self, steps: tuple[Step, ...], then: Callable[[], None] | None = None) -> None:
        """Steps, and what is done `then`, whose buffers are freed when they are done."""
        self.allocated.append([])
        with self.scope():
            self.steps(steps)
            if then is not None:
                then()
            for name in self.allocated.pop():
                self.release(name)

    def _allocate(self, buffer: Buffer) -> None:
        """Memory for a buffer: refused where a length is negative, the product overflows, or there is none."""
        room = _small_room(buffer, self.largest_on_stack)
        if room is not None:
            kind = memory_type(buffer.column.storage)
            place = self.builder.bitcast(self.slot(ir.ArrayType(kind, room)), kind.as_pointer())
            self.memory[buffer.name] = BufferMemory(place)
            return
        builder = self.builder
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
        self.stop_if(wrong, no_memory(buffer.name.rpartition("_")[0]), buffer.span)
        if self.repeating and self.rooms and self.largest_on_stack > 0:
            self.rooms -= 1
            address, owned = self._room_of_a_step(buffer, total)
        else:
            address = owned = self._taken(buffer, total)
        kind = memory_type(buffer.column.storage)
        self.memory[buffer.name] = BufferMemory(builder.bitcast(address, kind.as_pointer()), owned)
        self.allocated[-1].append(buffer.name)

    def _taken(self, buffer: Buffer, size: Any) -> Any:
        raw = self.builder.call(self.malloc, [size])
        none = self.builder.icmp_unsigned("==", raw, ir.Constant(POINTER, None))
        self.stop_if(none, no_memory(buffer.name.rpartition("_")[0]), buffer.span)
        return raw

    def _room_of_a_step(self, buffer: Buffer, size: Any) -> tuple[Any, Any]:
        """Room on the stack if that is enough, and what is to be freed, which is null then.

        To take memory in each step of a repetition costs more than many steps do.
        """
        builder, none = self.builder, ir.Constant(POINTER, None)
        room = builder.bitcast(self.slot(ir.ArrayType(I8, ROOM_OF_A_STEP), align=64), POINTER)
        large = builder.icmp_unsigned(">", size, ir.Constant(I64, ROOM_OF_A_STEP))
        before = builder.block
        with builder.if_then(large):
            taken = self._taken(buffer, size)
            after = builder.block
        owned = builder.phi(POINTER)
        owned.add_incoming(none, before)
        owned.add_incoming(taken, after)
        return builder.select(large, owned, room), owned

    def fold(self, group: Group) -> list[Any]:
        """The final state of a fold, computed once for all of its components."""
        if id(group) not in self.groups:
            with self.stopping(False):
                self.groups[id(group)] = self.strategies.folds[kind_of(group)](self, group)
        return self.groups[id(group)]

    def loop(
        self,
        low: Any,
        high: Any,
        iterator: str,
        body: Callable[[], None],
        most: int | None = None,
        rolled: bool = False,
    ) -> None:
        """A loop over items low to high, counted from 0; the iterator counts from 1."""
        loop(self, low, high, iterator, body, most, rolled)

    def loops(self, iterators: Sequence[str], extents: Sequence[Size], body: Callable[[], None]) -> None:
        """Nested loops, the first iterator outermost, each from 1 to its extent."""
        loops(self, iterators, extents, body)

    def choose(
        self, truth: Any, then: Callable[[], None], otherwise: Callable[[], None], likely: bool | None = None
    ) -> None:
        with self.builder.if_else(truth, likely) as (yes, no):
            with yes, self.scope():
                then()
            with no, self.scope():
                otherwise()


def _small_room(buffer: Buffer, largest: int) -> int | None:
    """How many elements a buffer has, where they are few enough to be kept on the stack, or in registers."""
    room = 1
    for length in buffer.shape:
        if not isinstance(length.constant, int) or length.constant < 0:
            return None
        room *= length.constant
    return max(room, 1) if room <= largest else None
