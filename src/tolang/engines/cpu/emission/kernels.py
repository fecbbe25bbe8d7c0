"""Kernels: the machine code of steps in canonical form, made once and shared by every program that needs them.

    i64 kernel(i64* frame)

The frame holds 64-bit words: the seed, sizes, scalars as they lie in memory, addresses of buffers.  The result is 0
or the number of the check that failed.  A kernel is kept in memory and on disk under its canonical text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, Self

from tolang.engines.cpu.emission.bounds import ask_for_bounds
from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.cpu.emission.regions import ParameterWord
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.loaded import (
    Check,
    KernelSource,
    LoadedKernel,
    compiled,
    compiled_soon,
    named,
    postponed,
    walker_address,
)
from tolang.engines.cpu.runtime.workers import Alternating, WorkerThreads
from tolang.engines.cpu.strategies.table import STRATEGIES
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue, BufferMemory
from tolang.engines.llvm.magnitudes import magnitudes_of
from tolang.engines.llvm.scalars import SEED
from tolang.engines.llvm.types import I64, memory_type
from tolang.engines.llvm.types import TYPES as STORAGE_TYPES
from tolang.ground.system.processors import available_processors
from tolang.plan.canonical import CanonicalKernel, KnownScalar, Outlined
from tolang.plan.kinds import POINTER_CHASE, kind_of
from tolang.plan.nest import Buffer, Load, Nest, Repeat, SourcePlaceholder
from tolang.plan.schedule import Tiled
from tolang.plan.target import Target
from tolang.plan.traversal import allocated, nodes_inside

WORDS = I64.as_pointer()
MOST_WRITTEN = 64
_WRITTEN: dict[str, KernelSource] = {}
"""Code by the names of kernels that was written to see whether it can be, and is likely to be compiled next."""


class Compilation:
    """Kernels on their way: LLVM works on several of them while Python goes on.

    Kernels that compute much wait for fast code; others have code that is ready soon.  Those of which the names are
    among `patient` ones are replaced by such that take sizes at which they would not come to an end soon.
    """

    def __init__(self, target: Target, patient: frozenset[str]) -> None:
        self._target, self._patient = target, patient
        self._workers = WorkerThreads(available_processors())
        self._found: dict[str, LoadedKernel | Future[LoadedKernel]] = {}
        self._walker = self._workers.submit(walker_address)
        self._alternating = Alternating()

    def __enter__(self) -> Self:
        self._alternating.__enter__()
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        self._alternating.__exit__()
        if failed is not None:
            self._workers.drop()

    def start(self, wanted: Iterable[Outlined], work: Callable[[Outlined], float]) -> None:
        """Starts compiling what is neither loaded nor kept, the longest first; calls are so much `work` each."""
        uses: dict[str, list[Outlined]] = {}
        for one in wanted:
            uses.setdefault(one.shared.key, []).append(one)
        for key in sorted(uses, key=lambda one: -len(one)):
            if key not in self._found:
                self._found[key] = self._started(uses[key][0].shared, sum(map(work, uses[key])))

    def _started(self, shared: CanonicalKernel, work: float) -> LoadedKernel | Future[LoadedKernel]:
        name, patient = self._named(shared)
        known = named(name)
        source = None if known is None else known.source
        if known is not None and (source is None or not source.is_worth(work)):
            return known
        source = source or _WRITTEN.pop(name, None) or _source(shared, self._target, patient)
        return self._workers.submit(compiled if source.is_worth(work) else compiled_soon, name, source)

    def _named(self, shared: CanonicalKernel) -> tuple[str, bool]:
        """The name of a kernel, and whether it is a patient one."""
        name = kernel_name(shared, self._target)
        if name not in self._patient:
            return name, False
        return kernel_name(shared, self._target, patient=True), True

    def finished(self, wanted: Sequence[Outlined]) -> list[LoadedKernel]:
        """The kernels of calls, in their order; what was not started and is not kept is still to be compiled."""
        found = {one.shared.key: self._kernel(one.shared) for one in wanted}
        self._walker.result()
        return [found[one.shared.key] for one in wanted]

    def _kernel(self, shared: CanonicalKernel) -> LoadedKernel:
        found = self._found.get(shared.key)
        if isinstance(found, Future):
            found = self._found[shared.key] = found.result()
        if found is not None:
            return found
        name, _ = self._named(shared)
        return named(name) or postponed(name)


def write(calls: Iterable[Outlined], target: Target) -> None:
    """Writes the code of what neither is loaded nor was written just now; raises `Unsupported` where that fails."""
    for shared in {call.shared.key: call.shared for call in calls}.values():
        name = kernel_name(shared, target)
        if name not in _WRITTEN and named(name) is None:
            if len(_WRITTEN) >= MOST_WRITTEN:
                _WRITTEN.clear()
            _WRITTEN[name] = _source(shared, target)


def _source(shared: CanonicalKernel, target: Target, patient: bool = False) -> KernelSource:
    """The checks of a kernel and its module."""
    emitter = emitted(shared, target, patient)
    checks: list[Check] = [
        (s.complaint.code, s.complaint.about, s.span.number if isinstance(s.span, SourcePlaceholder) else None)
        for s in emitter.sites
    ]
    module = emitter.module
    return KernelSource(tuple(checks), module.without_parts(), is_written_out(shared), tuple(module.parts))


def kernel_name(shared: CanonicalKernel, target: Target, patient: bool = False) -> str:
    """What a kernel is kept under: everything that its code depends on."""
    return native.entry_name("patient kernel" if patient else "kernel", shared.key, target.digest)


def is_written_out(shared: CanonicalKernel) -> bool:
    """Whether all loops that matter are in the code as they shall be: tiles of contractions, and walks.

    Of walks LLVM would make vectors that gather, which take longer than one read after the other.
    """
    step = shared.step
    if not isinstance(step, Nest):
        return False
    tile = step.schedule
    return tile.fallback is None if isinstance(tile, Tiled) else kind_of(step) == POINTER_CHASE


def emitted(shared: CanonicalKernel, target: Target, patient: bool = False) -> Emitter:
    """The function of a step in canonical form, and its checks; where it is `patient`, all long loops are in strips."""
    emitter = Emitter([WORDS], "kernel", target, STRATEGIES, patient)
    positions = iter(range(1 << 30))

    def word(kind: Any = I64) -> Any:
        return ParameterWord(kind, next(positions), emitter.words, emitter.entry)

    emitter.names[SEED] = BoundValue(word(), "i64")
    for name in shared.sizes:
        emitter.names[name] = BoundValue.index(word())
    changing: list[tuple[Any, Any]] = []
    for number, known in enumerate(shared.scalars):
        if known.mutable:
            changing.append(_slot(emitter, word(), known))
            value = changing[-1][1]
        else:
            value = _scalar(emitter, word(), known)
        emitter.names[f"v{number}"] = BoundValue(value, known.column.storage, known.mutable)
    for buffer in shared.buffers:
        emitter.memory[buffer.name] = BufferMemory(word(memory_type(buffer.column.storage).as_pointer()))
    exchanged = [
        (one.name, other.name)
        for step in nodes_inside(shared.step)
        if isinstance(step, Repeat)
        for one, other in step.exchanges
    ]
    names = frozenset(f"v{number}" for number in range(len(shared.scalars)))
    emitter.magnitudes = magnitudes_of(shared.step, names)
    ask_for_bounds(emitter, emitter.magnitudes, len(shared.sizes))
    emitter.declare_apart([b.name for b in (*shared.buffers, *allocated(shared.step))], exchanged)
    emitter.step(shared.step)
    for outside, slot in changing:
        emitter.builder.store(emitter.builder.load(slot), outside)
    emitter.conclude()
    return emitter


def _slot(emitter: Emitter, word: Any, known: KnownScalar) -> tuple[Any, Any]:
    """A scalar that changes: where it is kept between kernels, and in this one, where LLVM makes a register of it."""
    kind = STORAGE_TYPES[known.column.storage]
    outside, slot = emitter.builder.inttoptr(word, kind.as_pointer()), emitter.slot(kind)
    emitter.builder.store(emitter.builder.load(outside), slot)
    return outside, slot


def _scalar(emitter: Emitter, word: Any, known: KnownScalar) -> Any:
    """A scalar in a word, as it lies in memory."""
    place = emitter.slot(I64)
    emitter.builder.store(word, place)
    buffer = Buffer("scalar", known.column, ())
    kind = memory_type(known.column.storage).as_pointer()
    emitter.memory[buffer.name] = BufferMemory(emitter.builder.bitcast(place, kind))
    value = emitter.load(Load(buffer, (), column=known.column))
    del emitter.memory[buffer.name]
    return value


def modules_of(calls: Iterable[Outlined], target: Target) -> list[ir.Module]:
    """The code of all kernels that a table calls."""
    shared = {call.shared.key: call.shared for call in calls}
    return [emitted(one, target).module for one in shared.values()]
