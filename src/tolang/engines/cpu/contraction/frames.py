"""Functions of a kernel that share one frame: the kernel's own variables, and what the code around it has bound.

Every function gets the frame's address first, so that threads can run it, and is kept out of line: each piece of the
kernel is compiled once, however often it is used.

A frame is words, one for each variable, and the first of them tell where what is bound around lies.  So functions that
need variables alone are the same in many kernels, whatever these compute; what differs from kernel to kernel they call
by its address, which is a variable, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.pace import Pace
from tolang.engines.cpu.emission.regions import as_inside, beside_words, field_of, handed_in, share_out
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue, BufferMemory, CheckSite
from tolang.engines.llvm.sizes import ceiling, quotient_of
from tolang.engines.llvm.types import I8, I64, copy_memory
from tolang.ground.dataclasses import dataclass
from tolang.idioms.contraction import Dimensions
from tolang.plan.nest import no_memory

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

POINTER = I8.as_pointer()
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)


def number(value: int) -> Any:
    return ir.Constant(I64, value)


KERNEL, OUTSIDE, FAULT, REFUSED = "words of the kernel", "outside", "fault", "refused memory"
"""The frame's first words: where those are that the kernel was called with, where what else is bound around lies, where
a failed check is told, the number of the one that memory can be had."""

ROOM = 32
"""Frames have a multiple of so many words, so that functions which copy them may be the same."""


@dataclass(frozen=True, slots=True)
class Through:
    """A function of the frame and of parameters by the word that has its address."""

    word: str
    parameters: tuple[Any, ...]


class KernelFrame:
    """The frame of one kernel, and the means to write functions that use it."""

    def __init__(
        self,
        emitter: Emitter,
        names: frozenset[str],
        buffers: frozenset[str],
        variables: dict[str, Any],
        known: int = 0,
    ) -> None:
        """So many variables, the first ones, are `known` to functions that are shared; others come after them."""
        self.emitter = emitter
        self._names = {n: b for n, b in emitter.names.items() if n in names}
        self._addresses = {n: one.address for n, one in emitter.memory.items() if n in buffers}
        self._bound = [*[b.value for b in self._names.values()], *self._addresses.values()]
        outside = beside_words(self._bound)
        self._around = emitter.module.structure([v.type for v in outside])
        self.variables = {
            KERNEL: I64.as_pointer(),
            OUTSIDE: POINTER,
            FAULT: I64.as_pointer(),
            REFUSED: I64,
            **variables,
        }
        self.known = known + len(self.variables) - len(variables)
        self.words = (len(self.variables) + ROOM - 1) // ROOM * ROOM
        self._places = {name: number(place) for place, name in enumerate(self.variables)}
        self.prologue: Callable[[], None] = lambda: None
        self._here = self._words()
        around = emitter.slot(self._around) if outside else ir.Constant(POINTER, None)
        self.put(KERNEL, emitter.words)
        for position, value in enumerate(outside):
            self.builder.store(value, field_of(self.builder, around, position))
        self.put(OUTSIDE, self.builder.bitcast(around, POINTER))
        self.put(FAULT, emitter.fault)
        self.put(REFUSED, number(emitter.number_of(CheckSite(no_memory("a contraction"), None))))

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    def _words(self) -> Any:
        """Room for all variables."""
        return self.builder.bitcast(self.emitter.slot(ir.ArrayType(I64, self.words)), I64.as_pointer())

    def _field(self, name: str) -> Any:
        return self._field_in(self.builder, self._here, name)

    def _field_in(self, builder: ir.IRBuilder, words: Any, name: str) -> Any:
        place = builder.gep(words, [self._places[name]], inbounds=True)
        return builder.bitcast(place, self.variables[name].as_pointer())

    def get(self, name: str) -> Any:
        """A variable of the kernel."""
        return self.builder.load(self._field(name))

    def positive(self, name: str) -> Any:
        """A variable that is above zero."""
        found = self.get(name)
        return ir.Positive(found.type, found.word)

    def put(self, name: str, value: Any) -> None:
        self.builder.store(value, self._field(name))

    def point(self, name: str, function: Any) -> None:
        """Tells the address of a function by a variable."""
        self.put(name, self.builder.bitcast(function, POINTER))

    def gather(self, name: str, bits: Any) -> None:
        """Adds bits to a variable that several threads may add to."""
        self.builder.atomic_rmw("or", self._field(name), bits, "monotonic")

    @contextmanager
    def copied(self) -> Iterator[None]:
        """A frame of the current function's own inside, which starts as a copy."""
        outer, self._here = self._here, self._words()
        to, source = (self.builder.bitcast(one, POINTER) for one in (self._here, outer))
        copy_memory(self.builder, to, source, number(8 * self.words))
        yield
        self._here = outer

    def function(self, name: str, parameters: list[Any], body: Callable[..., None]) -> Any:
        """A function of the frame and of parameters, its body emitted with the emitter inside it."""

        def inside(words: Any, entry: ir.Block) -> None:
            emitter = self.emitter
            around = ir.Wanted(POINTER, lambda: self._read(words, entry, OUTSIDE))
            others = handed_in(around, self._around, entry, len(self._around.elements))
            values = iter(as_inside(self._bound, others, emitter.words, entry))
            emitter.names = {n: BoundValue(next(values), b.storage, b.slot, b.data) for n, b in self._names.items()}
            emitter.memory = {n: BufferMemory(next(values)) for n in self._addresses}
            self.prologue()

        return self._written(name, parameters, inside, body)

    def shared(self, name: str, parameters: list[Any], lengths: list[str], body: Callable[..., None]) -> Any:
        """The same of variables alone, some of them `lengths` that are known as sizes."""

        def inside(words: Any, entry: ir.Block) -> None:
            self.emitter.memory = {}
            self.emitter.names = {
                word: BoundValue.index(ir.Wanted(I64, partial(self._read, words, entry, word))) for word in lengths
            }

        return self._written(name, parameters, inside, body)

    def _read(self, words: Any, entry: ir.Block, name: str) -> ir.Value:
        """A variable read once, at the entry of a function."""
        builder = ir.IRBuilder(entry)
        return builder.load(self._field_in(builder, words, name))

    def _written(
        self, name: str, parameters: list[Any], inside: Callable[[Any, ir.Block], None], body: Callable[..., None]
    ) -> Any:
        """A function, what is known in it being bound first."""
        emitter = self.emitter
        kind = ir.FunctionType(ir.VoidType(), [POINTER, *parameters])
        made = ir.Function(emitter.module, kind, emitter.module.get_unique_name(name))
        made.linkage = "internal"
        for attribute in ("noinline", "nounwind", "optsize"):
            made.attributes.add(attribute)
        saved = (emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated,
                 emitter.inside_region, emitter.pace, emitter.words, self._here)  # fmt: skip
        with emitter.scope():
            emitter.function, emitter.entry = made, made.append_basic_block("entry")
            emitter.builder = ir.IRBuilder(made.append_basic_block("start"))
            emitter.allocated, emitter.inside_region, emitter.groups, emitter.pace = [[]], True, {}, Pace()
            self._here = self.builder.bitcast(made.args[0], I64.as_pointer())
            fault = partial(self._read, self._here, emitter.entry, FAULT)
            emitter.fault = ir.Wanted(I64.as_pointer(), fault)
            emitter.words = ir.Wanted(I64.as_pointer(), partial(self._read, self._here, emitter.entry, KERNEL))
            inside(self._here, emitter.entry)
            body(*made.args[1:])
            emitter.conclude()
        (emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated,
         emitter.inside_region, emitter.pace, emitter.words, self._here) = saved  # fmt: skip
        return made

    def _called(self, function: Any) -> Any:
        """A function, or the one that a variable has the address of."""
        if not isinstance(function, Through):
            return function
        return ir.Pointed(ir.FunctionType(ir.VoidType(), [POINTER, *function.parameters]), self.get(function.word))

    def call(self, function: Any, arguments: list[Any]) -> None:
        self.builder.call(self._called(function), [self.builder.bitcast(self._here, POINTER), *arguments])

    def parallel(self, region: Any, count: Any, grain: Any) -> None:
        """Runs a function of the frame, low and high over `count` items on all threads, `grain` at a time."""
        share_out(self.emitter, self._called(region), self.builder.bitcast(self._here, POINTER), count, grain)

    # Plain numbers and loops

    def minimum(self, a: Any, b: Any) -> Any:
        return self.builder.select(self.builder.icmp_signed("<", a, b), a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        found = self.builder.select(self.builder.icmp_signed(">", a, b), a, b)
        return ir.Positive(found.type, found.word) if isinstance(b, ir.Constant) and b.constant > 0 else found

    def ceiling(self, value: Any, step: Any) -> Any:
        """The quotient of two positive numbers, rounded up."""
        return ceiling(self.builder, value, step)

    def count(self, dimensions: Dimensions) -> Any:
        total: Any = ONE
        for _, extent in dimensions:
            total = self.builder.mul(total, self.emitter.size(extent))
        return total

    def each(self, low: Any, high: Any, step: Any, body: Callable[[Any], Any]) -> None:
        """A loop from low to high; the body may give its own step."""
        builder, function = self.builder, self.emitter.function
        before = builder.block
        head, after = function.append_basic_block("each"), function.append_basic_block("after")
        builder.cbranch(builder.icmp_signed("<", low, high), head, after)
        builder.position_at_end(head)
        counter = builder.phi(I64)
        counter.add_incoming(low, before)
        with self.emitter.scope():
            own = body(counter)
        following = builder.add(counter, step if own is None else own, flags=("nsw",))
        counter.add_incoming(following, builder.block)
        builder.cbranch(builder.icmp_signed("<", following, high), head, after)
        builder.position_at_end(after)

    def either(self, truth: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """One of two pieces of code, and the number that it gives, if it gives one."""
        builder = self.builder
        incoming: list[tuple[Any, Any]] = []
        with builder.if_else(truth) as (yes, no):
            for side, work in ((yes, then), (no, otherwise)):
                with side, self.emitter.scope():
                    incoming.append((work(), builder.block))
        if incoming[0][0] is None:
            return None
        joined = builder.phi(incoming[0][0].type)
        for value, block in incoming:
            joined.add_incoming(value, block)
        return joined

    def bind(self, name: str, coordinate: Any) -> None:
        """Gives an iterator its coordinate, counted from 0 here and from 1 in the nest."""
        self.emitter.names[name] = BoundValue.index(self.builder.add(coordinate, ONE))

    def bind_flat(self, flat: Any, dimensions: Dimensions) -> None:
        """Binds the iterators of dimensions that run as one, by division, last one fastest."""
        for (name, _), coordinate in zip(dimensions, self._coordinates(flat, dimensions), strict=True):
            self.bind(name, coordinate)

    def _coordinates(self, flat: Any, dimensions: Dimensions) -> list[Any]:
        """The place in each of dimensions that run as one, by division."""
        builder = self.builder
        found: list[Any] = []
        for _, extent in reversed(dimensions[1:]):
            length = self.emitter.size(extent)
            quotient = quotient_of(builder, flat, length)
            found.append(builder.sub(flat, builder.mul(quotient, length)))
            flat = quotient
        return [flat, *reversed(found)] if dimensions else []

    def each_bound(self, first: Any, count: Any, dimensions: Dimensions, body: Callable[[Any], None]) -> None:
        """A loop over some places, one at least, of dimensions that run as one, their iterators bound; the first place
        alone is divided."""
        builder = self.builder
        lengths = [self.emitter.size(extent) for _, extent in dimensions[1:]]
        before = self._coordinates(first, dimensions)
        start, head = builder.block, self.emitter.function.append_basic_block("each")
        builder.branch(head)
        builder.position_at_end(head)
        counter, *places = (builder.phi(I64) for _ in (None, *dimensions))
        with self.emitter.scope():
            for (name, _), place in zip(dimensions, places, strict=True):
                self.bind(name, place)
            body(counter)
        carried: Any = ONE
        after: list[Any] = []
        for place, length in zip(reversed(places[1:]), reversed(lengths), strict=True):
            moved = builder.add(place, carried, flags=("nsw",))
            ends = builder.icmp_signed("==", moved, length)
            after.insert(0, builder.select(ends, ZERO, moved))
            carried = builder.zext(ends, I64)
        after = [builder.add(places[0], carried, flags=("nsw",)), *after] if places else []
        following = builder.add(counter, ONE, flags=("nsw",))
        for phi, old, new in zip((counter, *places), (ZERO, *before), (following, *after), strict=True):
            phi.add_incoming(old, start)
            phi.add_incoming(new, builder.block)
        done = self.emitter.function.append_basic_block("after")
        builder.cbranch(builder.icmp_signed("<", following, count), head, done)
        builder.position_at_end(done)

    def memory(self, size: Any) -> tuple[Any, Any]:
        """Memory of so many bytes: what is to be given back, and an aligned address in it."""
        builder = self.builder
        raw, none = self.emitter.asked_for(builder.add(size, number(127)))
        self.emitter.stop_with(none, lambda: self.get(REFUSED))
        self.emitter.allocated[-1].append(raw)
        aligned = builder.and_(builder.add(builder.ptrtoint(raw, I64), number(127)), number(-128))
        return raw, builder.inttoptr(aligned, POINTER)
