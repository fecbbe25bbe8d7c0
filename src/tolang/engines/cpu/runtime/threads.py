"""Threads for compiled code: a pool that waits in native code and shares out pieces of work by an atomic counter.

    tolang_parallel(work, frame, count, grain, fault)   runs work(frame, low, high) over 0..count in pieces of `grain`
    tolang_look(fault)                                  lets Python handle signals; what is wrong, or 0
    tolang_width()                                      how many threads a region that starts here has
    tolang_threads(n)                                   says how many threads take part
    tolang_python(functions, thread)                    says what to call for signals, and which is Python's main thread
    tolang_taken(exception)                             hands out the exception, and lets code run again
    tolang_not_yet(frame)                               stands in for a kernel that is still being compiled
    tolang_forked()                                     forgets the workers of the process this one was forked from

Workers spin a little before they sleep, so that regions in quick succession cost less than a microsecond to start.  A
worker that wakes up when all is done finds the region closed, and nobody waits for it.  A process that was forked
starts workers of its own.  A region inside a region, or from a second Python thread, runs on the thread it is on.

Every run has a word in memory for what is wrong, its fault, which its threads look at between pieces and between strips
of long loops: where one of them finds something, the others end soon.  The main thread, there and while it waits for
others, looks at the clock, and twenty times a second at signals: Python's handlers run, and where one raises, as that
of Ctrl-C does, that is what is wrong, and the exception waits until it is taken.
"""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

from tolang.engines.cpu.plan.artifact import NOT_YET, STOPPED
from tolang.engines.cpu.runtime import memory as taking
from tolang.engines.cpu.runtime.memory import TAKING, Taking
from tolang.engines.cpu.source import native_source
from tolang.ground.diagnostics import Diagnostic, ToLangUsageError
from tolang.ground.whole_numbers import whole_number

SPINS = 40000
"""How often a thread looks for work before it sleeps: some tens of microseconds, as steps between regions take."""
CLOSED = -(1 << 62)
"""What is added to the number of workers inside while there is no region to work on."""
LARGEST = 64

_NUMBERS = {"SPINS": SPINS, "CLOSED": CLOSED, "LAST": CLOSED + 1, "STOPPED": STOPPED, "UNREADY": NOT_YET}
RUNTIME = native_source("runtime/threads.ll", _NUMBERS) + TAKING


SYMBOLS = (
    "tolang_parallel", "tolang_width", "tolang_look", "tolang_threads", "tolang_python", "tolang_taken",
    "tolang_forked", "tolang_not_yet", *taking.SYMBOLS,
)  # fmt: skip
_FOR_SIGNALS = ("PyGILState_Ensure", "PyErr_CheckSignals", "PyErr_Fetch", "PyGILState_Release", "PyErr_Clear")


def default_threads() -> int:
    """As many as the process may use, or as `TOL_NUM_THREADS` says."""
    wanted = os.environ.get("TOL_NUM_THREADS", "")
    number = whole_number(wanted)
    if wanted and (number is None or number < 1):
        message, expected = "TOL_NUM_THREADS is no number of threads", "a whole number of at least 1"
        raise ToLangUsageError(Diagnostic("E605", message, found=wanted, expected=expected))
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(number or available, LARGEST)


class Runtime:
    """The loaded runtime, as Python calls it."""

    def __init__(self, symbols: Any) -> None:
        word, pointer = ctypes.c_int64, ctypes.c_void_p
        self.addresses = {name: symbols[name] for name in SYMBOLS}
        self._symbols = symbols
        self._threads = ctypes.CFUNCTYPE(None, word)(self.addresses["tolang_threads"])
        self._taken = ctypes.CFUNCTYPE(None, pointer)(self.addresses["tolang_taken"])
        self._forked = ctypes.CFUNCTYPE(None)(self.addresses["tolang_forked"])
        functions = (pointer * 5)(*(ctypes.cast(getattr(ctypes.pythonapi, n), pointer).value for n in _FOR_SIGNALS))
        main = threading.main_thread().ident or 0
        ctypes.CFUNCTYPE(None, pointer, word)(self.addresses["tolang_python"])(ctypes.addressof(functions), main)
        self.taking = Taking(self.addresses)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def set_threads(self, number: int) -> None:
        """How many threads take part in regions that start from now on."""
        self._threads(max(1, min(number, LARGEST)))

    def raise_pending(self) -> None:
        """Raises the exception of the signal handler that stopped the code of this thread, if there is one."""
        if threading.current_thread() is not threading.main_thread():
            return
        exception = (ctypes.c_void_p * 3)()
        self._taken(ctypes.addressof(exception))
        if not exception[0]:
            return
        restore = ctypes.pythonapi.PyErr_Restore
        restore.argtypes, restore.restype = [ctypes.c_void_p] * 3, None
        restore(*exception)
