"""Parallel regions: a piece of code put into a function of its own, so that several threads can run it.

Whatever the code around it has bound (sizes, scalars, buffers) is passed in a frame on the caller's stack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import I8, I32, I64
from tolang.engines.cpu.bindings import Bound, Site
from tolang.engines.cpu.images import STOPPED

if TYPE_CHECKING:
    from tolang.engines.cpu.emitter import Emitter

POINTER = I8.as_pointer()
TURNS = 1024
"""How often a loop that runs in order turns between two looks at signals; a power of two."""
Body = Callable[[Any, Any], None]
"""Emits the work on items low (included) to high (excluded), both from 0."""


def parallel(emitter: Emitter, count: Any, grain: Any, body: Body, extra: dict[str, Any] | None = None) -> None:
    """Runs a body over `count` items on all threads, `grain` at a time; `extra` values can be had by `captured`."""
    names = dict(emitter.names)
    pointers = dict(emitter.pointers)
    more = dict(extra or {})
    passed: list[Any] = (
        [b.value for b in names.values()] + list(pointers.values()) + list(more.values()) + [emitter.fault]
    )
    struct = ir.LiteralStructType([v.type for v in passed])
    frame = emitter.slot(struct)
    for position, value in enumerate(passed):
        place = emitter.builder.gep(frame, [ir.Constant(I32, 0), ir.Constant(I32, position)])
        emitter.builder.store(value, place)
    kind = ir.FunctionType(ir.VoidType(), [POINTER, I64, I64])
    region = ir.Function(emitter.module, kind, emitter.module.get_unique_name("region"))
    region.linkage = "internal"
    saved = emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated, emitter.captured
    with emitter.scope():
        emitter.function = region
        emitter.entry = region.append_basic_block("entry")
        emitter.builder = ir.IRBuilder(region.append_basic_block("start"))
        emitter.allocated = [[]]
        inside = emitter.builder.bitcast(region.args[0], struct.as_pointer())
        loaded = [
            emitter.builder.load(emitter.builder.gep(inside, [ir.Constant(I32, 0), ir.Constant(I32, p)]))
            for p in range(len(passed))
        ]
        values = iter(loaded)
        emitter.names = {n: Bound(next(values), b.storage, b.slot, b.data) for n, b in names.items()}
        emitter.pointers = {n: next(values) for n in pointers}
        emitter.captured = {n: next(values) for n in more}
        emitter.fault = next(values)
        emitter.groups = {}
        body(region.args[1], region.args[2])
        emitter.settle()
        emitter.builder.ret_void()
        ir.IRBuilder(emitter.entry).branch(region.basic_blocks[1])
    emitter.builder, emitter.function, emitter.entry, emitter.fault, emitter.allocated, emitter.captured = saved
    emitter.pointers = pointers
    call = emitter.builder.bitcast(region, POINTER), emitter.builder.bitcast(frame, POINTER)
    stopped = emitter.builder.call(runner(emitter.module), [*call, count, grain])
    report_stop(emitter, stopped)
    emitter.stop_after_fault()


def runner(module: ir.Module) -> Any:
    known = module.globals.get("tolang_parallel")
    if known is None:
        kind = ir.FunctionType(I64, [POINTER, POINTER, I64, I64])
        known = ir.Function(module, kind, "tolang_parallel")
    return known


def report_stop(emitter: Emitter, stopped: Any) -> None:
    """Makes it the fault, unless there is one already, that a signal has stopped the code."""
    builder, sound = emitter.builder, ir.Constant(I64, 0)
    emitter.sites.append(Site(STOPPED, None))
    before = builder.load(emitter.fault)
    first = builder.and_(builder.icmp_signed("!=", stopped, sound), builder.icmp_signed("==", before, sound))
    builder.store(builder.select(first, ir.Constant(I64, len(emitter.sites)), before), emitter.fault)


def poll(emitter: Emitter) -> None:
    """Lets signals be handled, at every so many turns of the loop around it; one that raises is noted as a fault."""
    builder = emitter.builder
    turns = emitter.slot(I64, ir.Constant(I64, 0))
    turn = builder.add(builder.load(turns), ir.Constant(I64, 1))
    builder.store(turn, turns)
    due = builder.icmp_unsigned("==", builder.and_(turn, ir.Constant(I64, TURNS - 1)), ir.Constant(I64, 0))
    with builder.if_then(due, likely=False):
        check = emitter.module.globals.get("tolang_check")
        if check is None:
            check = ir.Function(emitter.module, ir.FunctionType(I64, []), "tolang_check")
        report_stop(emitter, builder.call(check, []))
