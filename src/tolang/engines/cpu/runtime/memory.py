"""Memory of compiled code: how it is taken and given back, and what is held against what there is.

    tolang_take(bytes)      memory, or null where there is not enough, or not enough is allowed
    tolang_give(memory)     gives it back
    tolang_hand(memory)     counts it no more: whoever called the code owns it now
    tolang_return(memory)   gives back what was handed out
    tolang_begin()          begins a run, in which much is asked for anew
    tolang_holds()          how many bytes are taken and neither given back nor handed out

    tolang_pool_keep(bytes) says how many bytes of large blocks that were given back are kept for the next run

What is held is counted, small pieces apart.  A run may take a little without asking; then Python is asked, once a run,
how much more there is, for systems give out addresses more freely than the memory behind them.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

from tolang.engines.contract import MemoryRefusal
from tolang.engines.cpu.source import native_source
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangUsageError
from tolang.ground.reporting.whole_numbers import whole_number
from tolang.ground.system.memory import allowed_memory, available_memory, physical_memory

COUNTED = 1 << 12
"""Bytes from which on a piece is counted."""
KEPT = 256 * 10**6
"""Bytes of large blocks that are kept for the next run, on a machine that has many times as much."""
WITHOUT_ASKING = 1 << 28
"""Bytes that a run may take before it asks, on a machine that has many times as much."""

_USABLE = "malloc_size" if sys.platform == "darwin" else "malloc_usable_size"
_MEMORY = native_source("runtime/memory.ll", {"COUNTED": COUNTED, "USABLE": _USABLE})
TAKING = _MEMORY + native_source("runtime/pool.ll")
SYMBOLS = (
    "tolang_take", "tolang_give", "tolang_hand", "tolang_return", "tolang_begin", "tolang_holds", "tolang_memory",
    "tolang_pool_keep",
)  # fmt: skip
_FUNCTIONS = ("PyGILState_Ensure", "PyObject_CallNoArgs", "Py_DecRef", "PyGILState_Release")


def kept_memory() -> int:
    """How many bytes are kept for the next run at the most, as `TOL_KEEP_MEMORY` says in MB."""
    wanted = os.environ.get("TOL_KEEP_MEMORY", "")
    number = whole_number(wanted)
    if wanted and (number is None or number < 0):
        message, expected = "TOL_KEEP_MEMORY is not a number of MB", "a whole number, 0 to keep none"
        raise ToLangUsageError(Diagnostic("E605", message, found=wanted, expected=expected))
    return min(KEPT, physical_memory() // 16) if number is None else min(number, 1 << 30) * 10**6


class Taking:
    """What compiled code asks where it takes much memory; `refusal` is the last that was refused."""

    def __init__(self, addresses: dict[str, int]) -> None:
        self._request = (ctypes.c_int64 * 7)()
        self._policy: Callable[[], None] = self._answer
        functions = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in _FUNCTIONS]
        self._functions = (ctypes.c_void_p * 5)(*functions, id(self._policy))
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
        self._tell: Any = kind(addresses["tolang_memory"])
        self.held: Callable[[], int] = ctypes.CFUNCTYPE(ctypes.c_int64)(addresses["tolang_holds"])
        self.refusal: MemoryRefusal | None = None
        self.keep: Callable[[int], None] = ctypes.CFUNCTYPE(None, ctypes.c_int64)(addresses["tolang_pool_keep"])
        self.keep(kept_memory())
        self.set_pass()

    def set_pass(self) -> None:
        """Tells compiled code how much a run may take without asking."""
        allowed = allowed_memory()
        most = min(WITHOUT_ASKING, physical_memory() // 16, *(() if allowed is None else (allowed,)))
        self._tell(ctypes.addressof(self._functions), ctypes.addressof(self._request), most)

    def _answer(self) -> None:
        """Grants a request or not, and tells up to where all others will be."""
        size, held, begun, ceiling, measured, _, failed = self._request
        allowed, there = allowed_memory(), available_memory()
        if not measured:
            ceiling = held - size + there
        limit = ceiling if allowed is None else begun + allowed
        most = min(ceiling, limit)
        self._request[3], self._request[5] = most, held <= most
        if held > most or failed:
            self.refusal = MemoryRefusal(size, min(there, most - (held - size)), most == limit < ceiling)
