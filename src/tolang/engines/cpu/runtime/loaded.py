"""Kernels in memory: machine code that was loaded once, found again by the name it is kept under on disk.

Code that was only to be ready soon is kept, too, beside the text that better code is compiled from.  Both have the same
name, for they compute the same, bit by bit.  Parts that kernels have in common are compiled once while code is to be
ready soon; better code has all of it.
"""

from __future__ import annotations

import json
import os
import threading
import zlib
from concurrent.futures import Future
from typing import Any

from tolang.engines.cpu.plan.walker import WALKER
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.workers import WorkerThreads
from tolang.engines.llvm.ir import SharedFunction
from tolang.ground.dataclasses import dataclass
from tolang.store.cache import SOON

LINE = 250_000
"""How many instructions code that is ready soon executes while LLVM makes a line of it fast, beyond what fast code
needs for them: a ten-thousandth of a second."""
LINE_OF_TILES = 1_500_000
"""The same in code whose vectors are written out: it is faster even so, and compiled sooner."""
LARGEST_MEMORY = 2048
"""How many kernels a process keeps loaded."""

Check = tuple[str, str, int | None]
"""The code of a check's error, what it is about, and the number of its place in the source."""


@dataclass(frozen=True, slots=True)
class KernelSource:
    """What a kernel is compiled from: its checks and its module, and whether the module's vectors are written out.

    Parts that it has in common with others are declared in its text.
    """

    checks: tuple[Check, ...]
    text: str
    written_out: bool
    parts: tuple[SharedFunction, ...] = ()

    @property
    def module(self) -> str:
        """Its text with the parts as functions of its own."""
        text = self.text
        for part in self.parts:
            text = text.replace(f"declare {part.declaration}\n", f"define internal {part.definition}\n")
        return text

    def is_worth(self, work: float) -> bool:
        """Whether fast code saves more time than it costs to compile in a run of so many instructions."""
        lines = self.text.count("\n") + sum(part.definition.count("\n") for part in self.parts)
        return work > lines * (LINE_OF_TILES if self.written_out else LINE)


@dataclass(frozen=True, slots=True)
class LoadedKernel:
    """Loaded code, and the checks that its results number.

    One that was only to be ready soon has a `source` for better code.  One that has no `code` is still to be compiled.
    """

    name: str
    address: int
    checks: tuple[Check, ...] = ()
    code: native.MachineCode | None = None
    source: KernelSource | None = None


def postponed(name: str) -> LoadedKernel:
    """A kernel that is still to be compiled; what is called in its place says so."""
    return LoadedKernel(name, native.runtime_address("tolang_not_yet"))


_LOADED: dict[str, LoadedKernel] = {}
_PARTS: dict[str, Future[native.MachineCode]] = {}
"""What kernels have in common, by names that say what it is."""
_ADDING = threading.Lock()
_WALKER: list[native.MachineCode] = []


def get_ready() -> None:
    """Has what all compiled code needs loaded, or compiled, in the background: for code that is wanted soon."""
    if not _WALKER:
        WorkerThreads(1).submit(walker_address)


def walker_address() -> int:
    """Where the function that runs plans lies; its code is loaded once in a process."""
    if not _WALKER:
        _WALKER.append(native.brought("walker", WALKER, "tolang_walk", written_out=True))
    return _WALKER[0].address


def named(name: str) -> LoadedKernel | None:
    """A kernel from memory or from disk, the best there is; None where neither has it, or what is on disk is none."""
    known = _LOADED.get(name)
    if known is None:
        kept = native.kept(name)
        known = None if kept is None else _opened(name, kept)
    if known is None:
        kept = native.kept(name, SOON)
        known = None if kept is None else _opened_soon(name, kept)
    return known


def _opened(name: str, kept: bytes) -> LoadedKernel | None:
    """A kernel as it was kept: its checks in a line, then its code."""
    head, _, code = kept.partition(b"\n")
    try:
        checks = _checks(json.loads(head))
    except (ValueError, TypeError):
        return None
    loaded = native.loaded_functions(code, "kernel")
    return None if loaded is None else _added(LoadedKernel(name, loaded.address, checks, loaded))


def _opened_soon(name: str, kept: bytes) -> LoadedKernel | None:
    """A kernel that was to be ready soon: in a line its checks and what else its source has, the module, the code."""
    head, _, rest = kept.partition(b"\n")
    try:
        listed, written_out, length, names = json.loads(head)
        checks, module = _checks(listed), zlib.decompress(rest[:length]).decode()
        parts = [_part(str(one)) for one in names]
    except (ValueError, TypeError, LookupError, zlib.error):
        return None
    loaded = native.loaded_functions(rest[length:], "kernel", parts=parts)
    if loaded is None:
        return None
    return _added(LoadedKernel(name, loaded.address, checks, loaded, KernelSource(checks, module, bool(written_out))))


def _checks(listed: Any) -> tuple[Check, ...]:
    return tuple([_check(*one) for one in listed])


def _check(code: object, about: object, place: object) -> Check:
    if not isinstance(code, str) or not isinstance(about, str) or not isinstance(place, int | None):
        raise TypeError("this is not a check")
    return code, about, place


def compiled(name: str, source: KernelSource) -> LoadedKernel:
    """A kernel compiled to fast code, loaded, and kept on disk."""
    code = native.machine_code(source.module, source.written_out)
    native.keep(name, json.dumps(source.checks).encode() + b"\n" + code)
    loaded = native.MachineCode(code, "kernel")
    return _added(LoadedKernel(name, loaded.address, source.checks, loaded))


def compiled_soon(name: str, source: KernelSource) -> LoadedKernel:
    """A kernel compiled to code that is ready soon, loaded, and kept on disk with its source."""
    code = native.machine_code(source.text, source.written_out, soon=True)
    packed = zlib.compress(source.module.encode(), 1)
    names = [part.name for part in source.parts]
    head = json.dumps([source.checks, source.written_out, len(packed), names]).encode()
    native.keep(name, head + b"\n" + packed + code, SOON)
    loaded = native.MachineCode(code, "kernel", parts=[_part(part.name, str(part)) for part in source.parts])
    return _added(LoadedKernel(name, loaded.address, source.checks, loaded, source))


def _part(name: str, module: str | None = None) -> native.MachineCode:
    """A part that kernels have in common, which whoever needs it first loads, or compiles from its module.

    Raises `LookupError` where it is not kept and there is no module.
    """
    while True:
        with _ADDING:
            coming = _PARTS.get(name)
            if coming is None:
                own = _PARTS[name] = Future[native.MachineCode]()
        if coming is None:
            return _brought(name, module, own)
        try:
            return coming.result()
        except LookupError:
            if module is None:
                raise


def _brought(name: str, module: str | None, own: Future[native.MachineCode]) -> native.MachineCode:
    """A part for all who wait for it."""
    try:
        place = native.entry_name("part", name)
        found = native.loaded_functions(native.kept(place, SOON), name)
        if found is None:
            if module is None:
                raise LookupError(name)
            code = native.machine_code(module, written_out=True, soon=True)
            native.keep(place, code, SOON)
            found = native.MachineCode(code, name)
    except BaseException as error:
        with _ADDING:
            _PARTS.pop(name, None)
        own.set_exception(error)
        raise
    own.set_result(found)
    return found


def _added(kernel: LoadedKernel) -> LoadedKernel:
    """Puts a kernel into memory, unless better code of it is there."""
    with _ADDING:
        there = _LOADED.get(kernel.name)
        if there is not None and there.source is None:
            return there
        if len(_LOADED) >= LARGEST_MEMORY:
            del _LOADED[next(iter(_LOADED))]
        _LOADED[kernel.name] = kernel
    return kernel


def _in_child() -> None:
    """Nobody brings in a new process what somebody was bringing in the old one."""
    for name in [name for name, coming in _PARTS.items() if not coming.done()]:
        del _PARTS[name]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def forget() -> None:
    """Lets go of every loaded kernel, so that the next use loads or compiles it again."""
    _LOADED.clear()
    _PARTS.clear()
