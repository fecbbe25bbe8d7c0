"""Functions of a kernel that share one frame: what the code around it has bound, and the kernel's own variables.

Every function gets the frame's address first, so that threads can run it, and is kept out of line: each piece of the
kernel is compiled once, however often it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.pace import Pace
from tolang.engines.cpu.emission.regions import handed_in, share_out
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import Bound
from tolang.engines.llvm.sizes import ceiling, quotient_of
from tolang.engines.llvm.types import I8, I32, I64, copy_memory, size_of
from tolang.nests.patterns.contraction import Dimensions

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

POINTER = I8.as_pointer()
ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)


def number(value: int) -> Any:
    return ir.Constant(I64, value)


class Frame:
    """The frame of one kernel, and the means to write functions that use it."""

    def __init__(
        self, emitter: Emitter, names: frozenset[str], buffers: frozenset[str], variables: dict[str, Any]
    ) -> None:
        self.emitter = emitter
        self._names = {n: b for n, b in emitter.names.items() if n in names}
        self._pointers = {n: p for n, p in emitter.pointers.items() if n in buffers}
        outside = [b.value for b in self._names.values()] + list(self._pointers.values()) + [emitter.fault]
        self._outside = outside
        self._places = {name: len(outside) + p for p, name in enumerate(variables)}
        self._struct = emitter.module.structure([v.type for v in outside] + list(variables.values()))
        self.prologue: Callable[[], None] = lambda: None
        self._here = emitter.slot(self._struct)
        for position, value in enumerate(outside):
            self.builder.store(value, self._field(position))

    @property
    def builder(self) -> ir.IRBuilder:
        return self.emitter.builder

    def _field(self, position: int) -> Any:
        return self.builder.gep(self._here, [ir.Constant(I32, 0), ir.Constant(I32, position)], inbounds=True)

    def get(self, name: str) -> Any:
        """A variable of the kernel."""
        return self.builder.load(self._field(self._places[name]))

    def put(self, name: str, value: Any) -> None:
        self.builder.store(value, self._field(self._places[name]))

    def gather(self, name: str, bits: Any) -> None:
        """Adds bits to a variable that several threads may add to."""
        self.builder.atomic_rmw("or", self._field(self._places[name]), bits, "monotonic")

    @contextmanager
    def copied(self) -> Iterator[None]:
        """A frame of the current function's own inside, which starts as a copy."""
        outer, self._here = self._here, self.emitter.slot(self._struct)
        copy_memory(self.builder, self._here, outer, size_of(self._struct))
        yield
        self._here = outer

    def function(self, name: str, parameters: list[Any], body: Callable[..., None]) -> Any:
        """A function of the frame and of parameters, its body emitted with the emitter inside it."""
        emitter = self.emitter
        kind = ir.FunctionType(ir.VoidType(), [POINTER, *parameters])
        made = ir.Function(emitter.module, kind, emitter.module.get_unique_name(name))
        made.linkage = "internal"
        for attribute in ("noinline", "nounwind", "optsize"):
            made.attributes.add(attribute)
        saved = (emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated,
                 emitter.inside_region, emitter.pace, self._here)  # fmt: skip
        with emitter.scope():
            emitter.function, emitter.entry = made, made.append_basic_block("entry")
            emitter.builder = ir.IRBuilder(made.append_basic_block("start"))
            emitter.allocated, emitter.inside_region, emitter.groups, emitter.pace = [[]], True, {}, Pace()
            self._here = self.builder.bitcast(made.args[0], self._struct.as_pointer())
            values = iter(handed_in(made.args[0], self._struct, emitter.entry, len(self._outside)))
            emitter.names = {n: Bound(next(values), b.storage, b.slot, b.data) for n, b in self._names.items()}
            emitter.pointers = {n: next(values) for n in self._pointers}
            emitter.fault = next(values)
            self.prologue()
            body(*made.args[1:])
            emitter.conclude()
        (emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated,
         emitter.inside_region, emitter.pace, self._here) = saved  # fmt: skip
        return made

    def call(self, function: Any, arguments: list[Any]) -> None:
        self.builder.call(function, [self.builder.bitcast(self._here, POINTER), *arguments])

    def parallel(self, region: Any, count: Any, grain: Any) -> None:
        """Runs a function of the frame, low and high over `count` items on all threads, `grain` at a time."""
        share_out(self.emitter, region, self.builder.bitcast(self._here, POINTER), count, grain)

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
        self.emitter.names[name] = Bound.index(self.builder.add(coordinate, ONE))

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
        raw = self.emitter.take(builder.add(size, number(127)), "a contraction")
        aligned = builder.and_(builder.add(builder.ptrtoint(raw, I64), number(127)), number(-128))
        return raw, builder.inttoptr(aligned, POINTER)
