"""From LLVM IR to machine code of this processor, loaded and callable."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm

from tolang.engines.contract import MemoryRefusal
from tolang.engines.cpu.processors import features_of, host, host_features, target_of
from tolang.engines.cpu.runtime import guarding, unlocked
from tolang.engines.cpu.runtime.memory import SYMBOLS as SYMBOLS_OF_MEMORY
from tolang.engines.cpu.runtime.memory import kept_memory
from tolang.engines.cpu.runtime.objects import is_sound
from tolang.engines.cpu.runtime.threads import FOR_KERNELS, RUNTIME, SYMBOLS, Runtime, default_threads
from tolang.engines.llvm.callees import missing_features
from tolang.ground.system.memory import allowing
from tolang.ground.version import VERSION
from tolang.plan.target import Target
from tolang.store import cache

if TYPE_CHECKING:
    from tolang.engines.llvm import ir

_LOCK = threading.Lock()
_STATE: dict[str, Any] = {}
_USUAL_THREADS = ctypes.c_int64()
"""How many threads code runs on that has no number of its own."""
kept, keep = cache.load, cache.store

LONGEST = 20_000
"""Code of more lines is to be ready soon rather than fast: improving it takes time that grows as the square of them."""


def level() -> str:
    """How code is compiled, as `TOL_COMPILE` asks: `quick` is ready soon rather than fast, `full` fast from the start.

    Else it is ready soon first, and fast where it is called again.
    """
    return os.environ.get("TOL_COMPILE", "").lower()


def is_quick() -> bool:
    return level() == "quick"


def _started() -> None:
    """Makes LLVM ready for this processor, once: the linker that code is loaded with, and the runtime."""
    if _STATE:
        return
    threads = default_threads()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    host = cpu, features = _host()
    linker = _linker(_target(host))
    llvm_version = ".".join(str(number) for number in llvm.llvm_version_info)
    versions = cpu, features, llvm_version, VERSION, cache.package_stamp()
    runtime = _runtime(linker, host, versions)
    runtime.set_threads(threads)
    _STATE.update(host=host, linker=linker, count=0, versions=versions, runtime=runtime)
    _USUAL_THREADS.value = threads


def _host() -> tuple[str, str]:
    """The processor and its features; LLVM is to use vectors as wide as there are, where it would take half of that."""
    name, found = host()
    return name, f"{found},-prefer-256-bit" if "+avx512f" in found.split(",") else found


def _target(host: tuple[str, str], level: int = 3) -> Any:
    """A target machine of this processor, for one thread to use."""
    return target_machine(llvm.get_default_triple(), *host, level)


def target_machine(triple: str, cpu: str, features: str, level: int = 3) -> Any:
    """A target machine of any processor that LLVM was made ready for."""
    near = {"reloc": "pic", "codemodel": "small"} if lies_together(triple) else {"jit": True}
    return llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features, opt=level, **near)


def lies_together(triple: str) -> bool:
    """Whether the sections of an object are loaded side by side, so that its code may reach them by short distances.

    LLVM's newer linker (JITLink) does so.  The older one may put them anywhere: code has to build whole addresses then,
    and on Arm, where it does not for all, the older one ends the process where two sections lie more than 4 GiB apart.
    """
    return triple.startswith(("x86_64", "aarch64")) and llvm.get_object_format(triple) == "ELF"


def _linker(machine: Any) -> Any:
    """What loads code."""
    return llvm.create_lljit_compiler(machine, use_jit_link=lies_together(machine.triple))


def _runtime(linker: Any, host: tuple[str, str], versions: tuple[str, ...]) -> Runtime:
    """The runtime, loaded: from disk, or compiled now."""
    name = cache.key("runtime", RUNTIME, *versions)
    code = kept(name)
    if code is not None and is_sound(code):
        with suppress(RuntimeError):  # code that lacks what it should have
            return Runtime(_linked_runtime(linker, code, "kept runtime"))
    code = bytes(_target(host).emit_object(llvm.parse_assembly(RUNTIME)))
    keep(name, code)
    return Runtime(_linked_runtime(linker, code, "runtime"))


def _linked_runtime(linker: Any, code: bytes, name: str) -> Any:
    library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
    for symbol in SYMBOLS:
        library.export_symbol(symbol)
    return library.link(linker, name)


def host_target() -> Target:
    """The vectors of this processor."""
    return target_of(llvm.get_default_triple(), host_features())


def assembly(module: ir.Module, triple: str, cpu: str, features: str = "") -> str:
    """The module's assembly for any processor that LLVM knows, this one or another."""
    with _LOCK:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        refuse_missing_instructions(str(module), features)
        machine = TargetMachine(target_machine(triple, cpu, features))
        return str(machine.target.emit_assembly(optimise(module, machine)))


class TargetMachine:
    """A target machine, for one thread to use, and the few passes for code that is written out as it shall be."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self._head = f'target datalayout = "{target.target_data}"\ntarget triple = "{target.triple}"\n'
        self._passes: dict[bool, tuple[Any, Any]] = {}

    def parsed(self, module: ir.Module | str) -> Any:
        """A module for it, with its sizes and alignments: passes lay out structures by them, as code does."""
        return unlocked.parsed(f"{self._head}{module}", llvm.create_context())

    def light_passes(self, combining: bool) -> tuple[Any, Any]:
        """The few passes, those that combine instructions among them or not, and what runs them."""
        if combining not in self._passes:
            builder = llvm.create_pass_builder(self.target, llvm.create_pipeline_tuning_options(speed_level=1))
            passes = llvm.create_new_module_pass_manager()
            passes.add_always_inliner_pass()
            passes.add_sroa_pass()
            passes.add_simplify_cfg_pass()
            if combining:
                passes.add_instruction_combine_pass()
                passes.add_simplify_cfg_pass()
            self._passes[combining] = passes, builder
        return self._passes[combining]


_IDLE: dict[int, list[TargetMachine]] = {0: [], 3: []}
"""Target machines by their levels that no thread uses: making one takes as long as compiling something small."""


@contextmanager
def _machine(level: int) -> Iterator[TargetMachine]:
    """A target machine of this processor that no other thread uses meanwhile."""
    try:
        machine = _IDLE[level].pop()
    except IndexError:
        machine = TargetMachine(_target(_STATE["host"], level))
    yield machine
    _IDLE[level].append(machine)


def optimise(module: ir.Module | str, machine: TargetMachine) -> Any:
    """The module after LLVM's own passes for a processor."""
    parsed = machine.parsed(module)
    parsed.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = True
    options.loop_unrolling = True
    builder = llvm.create_pass_builder(machine.target, options)
    unlocked.run_passes(builder.getModulePassManager(), parsed, builder)
    return parsed


def lightly_optimised(module: ir.Module | str, machine: TargetMachine, combining: bool = True) -> Any:
    """The module after a few passes: for code whose loops and vectors are written out as they shall be.

    Instructions are combined unless that takes longer than it saves, as in code that is run once.
    """
    parsed = machine.parsed(module)
    passes, builder = machine.light_passes(combining)
    unlocked.run_passes(passes, parsed, builder)
    return parsed


class MachineCode:
    """Machine code, loaded as long as this object lives; `addresses` are those of the functions asked for.

    It calls functions of `parts`, which live as long.
    """

    def __init__(self, code: bytes, *functions: str, parts: Sequence[MachineCode] = ()) -> None:
        self._parts = parts
        with _LOCK:
            _started()
            _STATE["count"] += 1
            library = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
            addresses = {**_STATE["runtime"].addresses, **guarding.symbols()}
            for symbol in (*FOR_KERNELS, *SYMBOLS_OF_MEMORY):
                library.import_symbol(symbol, addresses[symbol])
            for part in parts:
                for symbol, address in part.addresses.items():
                    library.import_symbol(symbol, address)
            for function in functions:
                library.export_symbol(function)
            self._tracker = library.link(_STATE["linker"], f"code{_STATE['count']}")
        self.addresses: dict[str, int] = {function: self._tracker[function] for function in functions}
        self.address = self.addresses[functions[0]]


def loaded_functions(code: bytes | None, *functions: str, parts: Sequence[MachineCode] = ()) -> MachineCode | None:
    """The functions of code that was kept; None where there is no code, or it is none that has them."""
    if code is not None and is_sound(code):
        with suppress(RuntimeError):
            return MachineCode(code, *functions, parts=parts)
    return None


_BROUGHT: dict[str, MachineCode] = {}
_BRINGING = [threading.RLock()]
if hasattr(os, "register_at_fork"):  # another thread may hold the lock, which is not there in the child
    os.register_at_fork(after_in_child=lambda: _BRINGING.__setitem__(0, threading.RLock()))


def brought(name: str, source: str, *functions: str, written_out: bool = False) -> MachineCode:
    """Native code that the package brings along as LLVM IR: compiled when it is first needed, and kept.

    It is loaded once in a process, whichever threads ask for it, and stays: its addresses are handed out.
    """
    place = entry_name(name, source)
    with _BRINGING[0]:
        if place not in _BROUGHT:
            found = loaded_functions(kept(place), *functions)
            if found is None:
                code = machine_code(source, written_out)
                keep(place, code)
                found = MachineCode(code, *functions)
            _BROUGHT[place] = found
        return _BROUGHT[place]


def machine_code(module: ir.Module | str, written_out: bool = False, soon: bool = False) -> bytes:
    """An object file for this processor; `written_out` where LLVM need not look for loops to make vectors of.

    Code that is to be ready `soon` is hardly improved.  Several threads may compile at a time.
    """
    with _LOCK:
        _started()
    text = str(module)
    refuse_missing_instructions(text, _STATE["host"][1])
    quick = soon or is_quick()
    plain = quick or text.count("\n") > LONGEST
    light = written_out or plain
    with _machine(0 if plain else 3) as machine:
        improved = lightly_optimised(text, machine, not quick) if light else optimise(text, machine)
        return unlocked.emit_object(machine.target, improved)


def refuse_missing_instructions(text: str, flags: str) -> None:
    """Raises where code has instructions that a processor lacks: LLVM would end the process over them."""
    missing = missing_features(text, features_of(flags))
    if missing:
        told = "; ".join(f"{name} needs {', '.join(sorted(needed))}" for name, needed in sorted(missing.items()))
        message = "a defect of tolang, please report it with the program: code is for another processor than this"
        raise MissingInstructions(f"{message}: {told}")


class MissingInstructions(AssertionError):
    """Code has instructions that the processor it is compiled for does not have: a mistake of tolang."""


def entry_name(*parts: str) -> str:
    """The name in the cache of what depends on these texts, this processor, LLVM and the compiler's own source."""
    with _LOCK:
        _started()
    return cache.key(*parts, *_STATE["versions"], guarding.guard(), *(("quick",) if is_quick() else ()))


def set_threads(number: int) -> None:
    """How many threads compiled code runs on from now on."""
    with _LOCK:
        _started()
        _USUAL_THREADS.value = number
        _STATE["runtime"].set_threads(number)


@contextmanager
def use_threads(number: int) -> Iterator[None]:
    """How many threads the code that is called inside runs on."""
    if not _STATE:
        with _LOCK:
            _started()
    _STATE["runtime"].set_threads(number)
    try:
        yield
    finally:
        _STATE["runtime"].set_threads(_USUAL_THREADS.value)


def called_on_threads(number: int, code: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What code gives that runs on so many threads, with as little around it as can be; code has run before."""
    of_code = _STATE["runtime"].set_threads
    of_code(number)
    try:
        return code(*arguments)
    finally:
        of_code(_USUAL_THREADS.value)


def threads_by() -> tuple[int, int]:
    """For native code, the addresses of what sets how many threads there are, and of the usual number."""
    return runtime_address("tolang_threads"), ctypes.addressof(_USUAL_THREADS)


@contextmanager
def use_memory(most: int) -> Iterator[None]:
    """How many bytes the code that is called inside may take at a time."""
    if not _STATE:
        with _LOCK:
            _started()
    taking = _STATE["runtime"].taking
    try:
        with allowing(most):
            taking.set_pass()
            yield
    finally:
        taking.set_pass()


@contextmanager
def keep_memory(meanwhile: int, later: int | None = None) -> Iterator[None]:
    """Of what code gives back inside so many bytes are kept for what it takes next, and for later calls so many."""
    if not _STATE:
        with _LOCK:
            _started()
    taking = _STATE["runtime"].taking
    taking.keep(meanwhile)
    try:
        yield
    finally:
        if later is None:  # as ever, but nothing of what was kept inside
            taking.keep(0)
        taking.keep(kept_memory() if later is None else later)


def held_memory() -> int:
    """How many bytes compiled code holds; between runs there are none."""
    held: int = _STATE["runtime"].taking.held() if _STATE else 0
    return held


def last_refusal() -> MemoryRefusal | None:
    """The last request for memory that compiled code was refused, unless it was told already."""
    taking = _STATE["runtime"].taking
    found: MemoryRefusal | None = taking.refusal
    taking.refusal = None
    return found


def runtime_address(symbol: str) -> int:
    """Where a function of the runtime lies."""
    with _LOCK:
        _started()
    address: int = _STATE["runtime"].addresses[symbol]
    return address


def raise_pending() -> None:
    """Raises the exception of the signal handler that stopped the code of this thread, if there is one."""
    _STATE["runtime"].raise_pending()
