"""Kernels: the machine code of steps in canonical form, made once and shared by every program that needs them.

    i64 kernel(i64* frame)

The frame holds 64-bit words: the seed, sizes, scalars as they lie in memory, addresses of buffers.  The result is 0
or the number of the check that failed.  A kernel is kept in memory and on disk under its canonical text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from llvmlite import ir

from tolang.engines.cpu import native
from tolang.engines.cpu.arithmetic import I64, memory_type
from tolang.engines.cpu.arithmetic import TYPES as STORAGE_TYPES
from tolang.engines.cpu.bindings import Bound
from tolang.engines.cpu.contraction.magnitudes import can_overflow
from tolang.engines.cpu.emitter import SEED, Emitter
from tolang.engines.cpu.loaded import Check, Kernel, add, named
from tolang.engines.cpu.tiles import Machine
from tolang.engines.cpu.wide_folds import with_wide_folds
from tolang.nests.canonical import Known, Outlined, Shared, allocated, nodes_inside
from tolang.nests.nest import Buffer, Load, Nest, Place, Repeat

WORDS = I64.as_pointer()


def kernels(wanted: Sequence[Shared], strict: bool) -> list[Kernel]:
    """The kernels of steps, in their order: from memory, from disk, or compiled now, several at a time."""
    names = [kernel_name(shared, strict) for shared in wanted]
    missing = {name: shared for name, shared in zip(names, wanted, strict=True) if named(name) is None}
    if missing:
        with ThreadPoolExecutor(min(len(missing), os.cpu_count() or 1)) as pool:
            compiled = [(name, *_compiled(shared, strict, pool)) for name, shared in missing.items()]
            for name, checks, code in compiled:
                add(name, checks, code.result())
    return [found for name in names if (found := named(name)) is not None]


def _compiled(shared: Shared, strict: bool, pool: Executor) -> tuple[list[Check], Future[bytes]]:
    """A kernel's checks, and its code as it will be; LLVM works on it while the next one is written."""
    emitter = emitted(shared, strict, native.host_machine())
    checks = [(s.message, s.span.number if isinstance(s.span, Place) else None) for s in emitter.sites]
    return checks, pool.submit(native.machine_code, str(emitter.module), _is_written_out(shared, emitter))


def kernel_name(shared: Shared, strict: bool) -> str:
    """What a kernel is kept under: everything that its code depends on."""
    return native.entry_name("kernel", shared.key, str(strict))


def _is_written_out(shared: Shared, emitter: Emitter) -> bool:
    """Whether all loops that matter are those of the contraction kernel, whose vectors are in the code already."""
    return (
        isinstance(shared.step, Nest)
        and bool(emitter.contractions)
        and not any(map(can_overflow, emitter.contractions))
    )


def emitted(shared: Shared, strict: bool, machine: Machine) -> Emitter:
    """The function of a step in canonical form, and its checks."""
    emitter = Emitter([WORDS], "kernel", strict, machine)
    builder = emitter.builder
    words = iter(range(1 << 30))

    def word() -> Any:
        return builder.load(builder.gep(emitter.function.args[0], [ir.Constant(I64, next(words))]))

    emitter.names[SEED] = Bound(word(), "i64")
    for name in shared.sizes:
        emitter.names[name] = Bound(word(), "i64")
    for number, known in enumerate(shared.scalars):
        value = _slot(emitter, word(), known) if known.mutable else _scalar(emitter, word(), known)
        emitter.names[f"v{number}"] = Bound(value, known.column.storage, known.mutable)
    for buffer in shared.buffers:
        emitter.pointers[buffer.name] = builder.inttoptr(word(), memory_type(buffer.column.storage).as_pointer())
    exchanged = [
        (one.name, other.name)
        for step in nodes_inside(shared.step)
        if isinstance(step, Repeat)
        for one, other in step.exchanges
    ]
    emitter.declare_apart([b.name for b in (*shared.buffers, *allocated(shared.step))], exchanged)
    emitter.step(shared.step if strict else with_wide_folds(shared.step))
    emitter.finish()
    return emitter


def _slot(emitter: Emitter, word: Any, known: Known) -> Any:
    """A scalar that changes, at its address."""
    return emitter.builder.inttoptr(word, STORAGE_TYPES[known.column.storage].as_pointer())


def _scalar(emitter: Emitter, word: Any, known: Known) -> Any:
    """A scalar in a word, as it lies in memory."""
    place = emitter.slot(I64)
    emitter.builder.store(word, place)
    buffer = Buffer("scalar", known.column, ())
    emitter.pointers[buffer.name] = emitter.builder.bitcast(place, memory_type(known.column.storage).as_pointer())
    value = emitter.load(Load(buffer, (), column=known.column))
    del emitter.pointers[buffer.name]
    return value


def modules_of(calls: Iterable[Outlined], strict: bool, machine: Machine) -> list[ir.Module]:
    """The code of all kernels that a table calls."""
    shared = {call.shared.key: call.shared for call in calls}
    return [emitted(one, strict, machine).module for one in shared.values()]
