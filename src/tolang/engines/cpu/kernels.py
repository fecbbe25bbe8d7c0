"""Kernels: the machine code of steps in canonical form, made once and shared by every program that needs them.

    i64 kernel(i64* frame)

The frame holds 64-bit words: the seed, sizes, scalars in their own bits, addresses of buffers.  The result is 0 or the
number of the check that failed.  A kernel is kept in memory and on disk under its canonical text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from tolang.engines.cpu import native
from tolang.engines.cpu.arithmetic import I1, I64, memory_type
from tolang.engines.cpu.arithmetic import TYPES as STORAGE_TYPES
from tolang.engines.cpu.bindings import Bound, Site
from tolang.engines.cpu.emitter import SEED, Emitter
from tolang.engines.cpu.tiles import Machine
from tolang.nests.canonical import Shared, allocated
from tolang.nests.nest import Place

WORDS = I64.as_pointer()
LARGEST_MEMORY = 2048
"""How many kernels a process keeps loaded."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """Loaded code, and the checks that its results number: what each is about, and its place in the source."""

    address: int
    checks: tuple[tuple[str, int | None], ...]
    code: native.Code


_LOADED: dict[str, Kernel] = {}


def kernel(shared: Shared, strict: bool) -> Kernel:
    """The kernel of a step: from memory, from disk, or compiled now."""
    name = kernel_name(shared, strict)
    known = _LOADED.get(name)
    if known is None:
        known = _load(name) or _compile(name, shared, strict)
        if len(_LOADED) >= LARGEST_MEMORY:
            del _LOADED[next(iter(_LOADED))]
        _LOADED[name] = known
    return known


def forget() -> None:
    """Lets go of every loaded kernel, so that the next use loads or compiles it again."""
    _LOADED.clear()


def kernel_name(shared: Shared, strict: bool) -> str:
    """What a kernel is kept under: everything that its code depends on."""
    return native.entry_name("kernel", shared.key, str(strict))


def _load(name: str) -> Kernel | None:
    kept = native.kept(name)
    if kept is None:
        return None
    head, code = kept.split(b"\n", 1)
    return _loaded(json.loads(head), code)


def _compile(name: str, shared: Shared, strict: bool) -> Kernel:
    module, sites = emit_kernel(shared, strict, native.host_machine())
    checks = [(s.message, s.span.number if isinstance(s.span, Place) else None) for s in sites]
    code = native.machine_code(module)
    native.keep(name, json.dumps(checks).encode() + b"\n" + code)
    return _loaded(checks, code)


def _loaded(checks: list[Any], code: bytes) -> Kernel:
    loaded = native.Code(code, "kernel")
    return Kernel(loaded.address, tuple((message, place) for message, place in checks), loaded)


def emit_kernel(shared: Shared, strict: bool, machine: Machine) -> tuple[ir.Module, list[Site]]:
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
        kind = STORAGE_TYPES[known.column.storage]
        value = builder.inttoptr(word(), kind.as_pointer()) if known.mutable else from_word(builder, word(), kind)
        emitter.names[f"v{number}"] = Bound(value, known.column.storage, known.mutable)
    for buffer in shared.buffers:
        emitter.pointers[buffer.name] = builder.inttoptr(word(), memory_type(buffer.column.storage).as_pointer())
    emitter.declare_apart([b.name for b in (*shared.buffers, *allocated(shared.step))])
    emitter.step(shared.step)
    return emitter.finish(), emitter.sites


def to_word(builder: ir.IRBuilder, value: Any) -> Any:
    """A scalar or address as a word of a frame."""
    kind = value.type
    if isinstance(kind, ir.PointerType):
        return builder.ptrtoint(value, I64)
    if isinstance(kind, ir.IntType):
        return value if kind.width == 64 else builder.zext(value, I64)
    bits = {ir.HalfType: 16, ir.FloatType: 32, ir.DoubleType: 64}[type(kind)]
    whole = builder.bitcast(value, ir.IntType(bits))
    return whole if bits == 64 else builder.zext(whole, I64)


def from_word(builder: ir.IRBuilder, word: Any, kind: Any) -> Any:
    """A scalar out of a word of a frame."""
    if kind == I1 or isinstance(kind, ir.IntType):
        return word if kind.width == 64 else builder.trunc(word, kind)
    bits = {ir.HalfType: 16, ir.FloatType: 32, ir.DoubleType: 64}[type(kind)]
    whole = word if bits == 64 else builder.trunc(word, ir.IntType(bits))
    return builder.bitcast(whole, kind)
