"""Guarded memory, for tests: `TOL_GUARD=end` or `start` gives compiled code no other.

Every piece lies between two pages that nothing may touch, and ends (or starts) exactly where one of them does, so
that a read or a write outside ends the process where it happens.  Arguments are copied to such memory, and buffers
that would be on the stack are put there too.

    page: length of all | page: untouchable | memory in whole pages | page: untouchable
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tolang.ground.reporting.diagnostics import Diagnostic, ToLangUsageError
from tolang.ground.system.memory import available_memory

MODES = ("", "end", "start")
MUCH = 1 << 28
"""Bytes from which on it is asked first whether there are as many."""
_WORD, _POINTER = ctypes.c_int64, ctypes.c_void_p
_NOTHING = 0
"""The protection of memory that may be neither read nor written."""


@cache
def guard() -> str:
    """Where guarded memory touches the page beside it, as `TOL_GUARD` asks; empty where memory is not guarded."""
    wanted = os.environ.get("TOL_GUARD", "")
    if wanted not in MODES or (wanted and not sys.platform.startswith("linux")):
        message, expected = "TOL_GUARD is not a way to guard memory", "end or start, on Linux"
        raise ToLangUsageError(Diagnostic("E605", message, found=wanted, expected=expected))
    return wanted


@cache
def _system() -> ctypes.CDLL:
    """The C library, with the types of what is called here."""
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = _POINTER
    library.mmap.argtypes = [_POINTER, ctypes.c_size_t, *[ctypes.c_int] * 3, _WORD]
    library.mprotect.argtypes = [_POINTER, ctypes.c_size_t, ctypes.c_int]
    library.munmap.argtypes = [_POINTER, ctypes.c_size_t]
    return library


def allocate(size: int) -> int:
    """The address of so many bytes; 0 where there are none to be had."""
    if size > MUCH and size > available_memory():
        return 0
    system, page = _system(), mmap.PAGESIZE
    inner = -(-size // page) * page
    length = inner + 3 * page
    readable, private = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    base = system.mmap(None, length, readable, private, -1, 0)
    if base in (None, _POINTER(-1).value):
        return 0
    _WORD.from_address(base).value = length
    start = base + 2 * page
    if system.mprotect(start - page, page, _NOTHING) or system.mprotect(start + inner, page, _NOTHING):
        return 0
    return int(start + inner - size if guard() == "end" else start)


def free(address: int | None) -> None:
    """Gives back what `allocate` gave; nothing for 0."""
    if address:
        base = (address & -mmap.PAGESIZE) - 2 * mmap.PAGESIZE
        _system().munmap(base, _WORD.from_address(base).value)


_TAKE = ctypes.CFUNCTYPE(_POINTER, _WORD)(allocate)
_GIVE = ctypes.CFUNCTYPE(None, _POINTER)(free)
_HAND = ctypes.CFUNCTYPE(None, _POINTER)(lambda memory: None)


def symbols() -> dict[str, int]:
    """The addresses that compiled code has for the functions of memory, in place of the runtime's own."""
    if not guard():
        return {}
    found = {"tolang_take": _TAKE, "tolang_give": _GIVE, "tolang_hand": _HAND}
    return {name: ctypes.cast(function, _POINTER).value or 0 for name, function in found.items()}


class _Lent:
    """Guarded memory as long as this object lives."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __del__(self, give_back: Callable[[int | None], None] = free) -> None:
        give_back(self.address)


def copied(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array in guarded memory, which nothing may write to where it is an argument."""
    address = allocate(array.nbytes)
    memory: Any = (ctypes.c_char * array.nbytes).from_address(address)
    memory.lent = _Lent(address)
    copy = np.ndarray(array.shape, array.dtype, memory)
    copy[...] = array
    return copy
