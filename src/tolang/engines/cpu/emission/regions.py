"""Parallel regions: a piece of code put into a function of its own, so that several threads can run it.

Whatever the code around it has bound (scalars, buffers), and it uses, is passed in a frame on the caller's stack.  Of
the words that the kernel itself is called with only their address is passed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tolang.engines.cpu.emission.looping import refuse_long
from tolang.engines.cpu.emission.pace import Pace
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue, BufferMemory
from tolang.engines.llvm.callees import declared
from tolang.engines.llvm.types import I8, I32, I64

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

POINTER = I8.as_pointer()
ZERO = ir.Constant(I64, 0)


class ParameterWord(ir.Wanted):
    """A word that a kernel is called with, as a number or an address: read at the entry of a function that wants it."""

    __slots__ = ("position",)

    def __init__(self, kind: Any, position: int, words: Any, entry: ir.Block) -> None:
        """It stands at a position of the kernel's `words`, whose address the function of that entry has."""
        self.position = position

        def read() -> Any:
            assert not entry.is_terminated, "a word is read before its function ends"
            builder = ir.IRBuilder(entry)
            value = builder.load(builder.gep(words, [ir.Constant(I64, position)]))
            return builder.inttoptr(value, kind) if isinstance(kind, ir.PointerType) else value

        super().__init__(kind, read)

    def inside(self, words: Any, entry: ir.Block) -> ParameterWord:
        """The same in another function."""
        return ParameterWord(self.type, self.position, words, entry)


Body = Callable[[Any, Any], None]
"""Emits the work on items low (included) to high (excluded), both from 0."""


def parallel(
    emitter: Emitter,
    count: Any,
    grain: Any,
    body: Body,
    extra: dict[str, Any] | None = None,
    work: Any = None,
    small: Any = ZERO,
) -> None:
    """Runs a body over `count` items on all threads, `grain` at a time; `extra` values can be had by `captured`.

    `work` is about how many instructions an item is, as a float, where that is known: a thread then takes no more at a
    time than makes a moment, so that loops inside need not be in strips, and code that is not patient refuses longer
    items.  Up to `small` items are done by the calling thread alone if they come after a rest.
    """
    patient = emitter.patient or work is None
    names = dict(emitter.names)
    memory = dict(emitter.memory)
    more = dict(extra or {})
    addresses = [one.address for one in memory.values()]
    bound: list[Any] = [*[b.value for b in names.values()], *addresses, *more.values(), emitter.fault]
    passed = [emitter.words, *beside_words(bound)]
    struct = emitter.module.structure([v.type for v in passed])
    frame = emitter.slot(struct)
    kind = ir.FunctionType(ir.VoidType(), [POINTER, I64, I64])
    region = ir.Function(emitter.module, kind, emitter.module.get_unique_name("region"))
    region.linkage = "internal"
    saved = (emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated, emitter.captured,
             emitter.pace, emitter.words)  # fmt: skip
    with emitter.scope():
        emitter.function = region
        emitter.entry = region.append_basic_block("entry")
        emitter.builder = ir.IRBuilder(region.append_basic_block("start"))
        emitter.allocated, emitter.pace = [[]], Pace(patient)
        loaded = handed_in(region.args[0], struct, emitter.entry, len(passed))
        emitter.words, *others = loaded
        values = iter(as_inside(bound, others, emitter.words, emitter.entry))
        emitter.names = {n: BoundValue(next(values), b.storage, b.slot, b.data) for n, b in names.items()}
        emitter.memory = {n: BufferMemory(next(values)) for n in memory}
        emitter.captured = {n: next(values) for n in more}
        emitter.fault = next(values)
        emitter.groups = {}
        body(region.args[1], region.args[2])
        emitter.conclude()
    (emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated, emitter.captured,
     emitter.pace, emitter.words) = saved  # fmt: skip
    emitter.memory = memory
    for position, (value, read) in enumerate(zip(passed, loaded, strict=True)):
        if read.is_written:
            emitter.builder.store(value, field_of(emitter.builder, frame, position))
    if not patient:
        refuse_long(emitter, work)
    share_out(emitter, region, emitter.builder.bitcast(frame, POINTER), count, grain, small)


def beside_words(values: Sequence[Any]) -> list[Any]:
    """Those of some values that a frame has to pass."""
    return [one for one in values if not isinstance(one, ParameterWord)]


def as_inside(values: Sequence[Any], passed: Sequence[Any], words: Any, entry: ir.Block) -> list[Any]:
    """Values of the code around as another function has them, to which the kernel's words and others were passed."""
    others = iter(passed)
    return [one.inside(words, entry) if isinstance(one, ParameterWord) else next(others) for one in values]


def handed_in(frame: Any, struct: ir.StructType, entry: ir.Block, count: int) -> list[ir.Wanted]:
    """The first fields of a frame that a function was called with, each read at the entry if it is used at all."""

    def read(position: int) -> ir.Wanted:
        def write() -> ir.Value:
            assert not entry.is_terminated, "a field is read before its function ends"
            builder, own = ir.IRBuilder(entry), ir.Value(struct.as_pointer(), frame.word)
            return builder.load(field_of(builder, own, position))

        return ir.Wanted(struct.elements[position], write)

    return [read(position) for position in range(count)]


def field_of(builder: ir.IRBuilder, frame: Any, position: int) -> ir.Value:
    """Where a field of a frame lies."""
    return builder.gep(frame, [ir.Constant(I32, 0), ir.Constant(I32, position)], inbounds=True)


def share_out(emitter: Emitter, region: Any, frame: Any, count: Any, grain: Any, small: Any = ZERO) -> None:
    """Calls a region on all threads; leaves the function that is written if a check has failed, before or there.

    What one thread would take at a time is done here and now.
    """
    builder, module = emitter.builder, emitter.module
    known = declared(module, "tolang_parallel", I64, [POINTER, POINTER, I64, I64, I64, I64.as_pointer()])
    emitter.leave_if(emitter.flagged())
    with builder.if_else(builder.icmp_signed("<=", count, grain)) as (few, many):
        with few:
            builder.call(region, [frame, ZERO, count])
        with many:
            builder.call(known, [builder.bitcast(region, POINTER), frame, count, grain, small, emitter.fault])
    emitter.leave_if(emitter.flagged())


def word_of_run(builder: ir.IRBuilder, name: str) -> Any:
    """What the runtime tells: how many threads a region has that starts here, how large a cache is."""
    return builder.call(declared(builder.module, name, I64, []), [])
