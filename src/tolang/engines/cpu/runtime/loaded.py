"""Kernels in memory: machine code that was loaded once, found again by the name it is kept under on disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tolang.engines.cpu.plan.walker import WALKER
from tolang.engines.cpu.runtime import native

LARGEST_MEMORY = 2048
"""How many kernels a process keeps loaded."""

Check = tuple[str, str, int | None]
"""The code of a check's error, what it is about, and the number of its place in the source."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """Loaded code, and the checks that its results number; `later` waits for it where it is still being compiled."""

    name: str
    address: int
    checks: tuple[Check, ...] = ()
    code: native.Code | None = None
    later: Callable[[], Kernel] | None = None


def postponed(name: str, later: Callable[[], Kernel]) -> Kernel:
    """A kernel that is still being compiled; what is called in its place says so."""
    return Kernel(name, native.runtime_address("tolang_not_yet"), later=later)


_LOADED: dict[str, Kernel] = {}
_ADDING = threading.Lock()
_WALKER: list[native.Code] = []


def walker_address() -> int:
    """Where the function that runs plans lies; its code is loaded once in a process."""
    if not _WALKER:
        name = native.entry_name("walker", WALKER)
        loaded = native.loaded_function(native.kept(name), "tolang_walk")
        if loaded is None:
            code = native.machine_code(WALKER)
            native.keep(name, code)
            loaded = native.Code(code, "tolang_walk")
        _WALKER.append(loaded)
    return _WALKER[0].address


def named(name: str) -> Kernel | None:
    """A kernel from memory or from disk; None where neither has it, or what is on disk is none."""
    known = _LOADED.get(name)
    if known is None:
        kept = native.kept(name)
        if kept is not None:
            known = _opened(name, kept)
    return known


def _opened(name: str, kept: bytes) -> Kernel | None:
    """A kernel as it was kept: its checks in a line, then its code."""
    head, _, code = kept.partition(b"\n")
    try:
        checks = tuple([_check(*one) for one in json.loads(head)])
    except (ValueError, TypeError):
        return None
    loaded = native.loaded_function(code, "kernel")
    return None if loaded is None else _added(Kernel(name, loaded.address, checks, loaded))


def _check(code: object, about: object, place: object) -> Check:
    if not isinstance(code, str) or not isinstance(about, str) or not isinstance(place, int | None):
        raise TypeError("this is no check")
    return code, about, place


def add(name: str, checks: Sequence[Check], code: bytes) -> Kernel:
    """Loads a kernel that was just compiled, and keeps it on disk."""
    native.keep(name, json.dumps(checks).encode() + b"\n" + code)
    loaded = native.Code(code, "kernel")
    return _added(Kernel(name, loaded.address, tuple(checks), loaded))


def _added(kernel: Kernel) -> Kernel:
    with _ADDING:
        if len(_LOADED) >= LARGEST_MEMORY:
            del _LOADED[next(iter(_LOADED))]
        _LOADED[kernel.name] = kernel
    return kernel


def forget() -> None:
    """Lets go of every loaded kernel, so that the next use loads or compiles it again."""
    _LOADED.clear()
