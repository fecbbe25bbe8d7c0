"""Threads for compiled code: a pool that waits in native code and shares out pieces of work by atomic counters.

    tolang_parallel(work, frame, count, grain, small, fault)
                                                        runs work(frame, low, high) over 0..count in pieces of `grain`
    tolang_look(fault)                                  lets Python handle signals; what is wrong, or 0
    tolang_width()                                      how many threads a region that starts here has
    tolang_worker(), tolang_workers()                   the calling one's number, which no other has in the same region,
                                                        and how many numbers there are, as long as nobody changes that
    tolang_nearest_cache()                              bytes of a cache, which kernels size their blocks by;
    tolang_second_cache(), tolang_last_cache()          the second's and the last's
    tolang_running(more)                                says that a plan begins to run (1), or ended (-1)
    tolang_threads(n)                                   says how many threads take part
    tolang_caches(nearest, second, last)                says how large those caches are
    tolang_python(functions, thread, clock)             says what to call for signals, and which is Python's main thread
    tolang_taken(exception)                             hands out the exception, and lets code run again
    tolang_not_yet(frame)                               stands in for a kernel that is still being compiled
    tolang_forked()                                     forgets the workers of the process this one was forked from
    __truncsfhf2(x) and its kin                         convert f16 where the processor cannot (`halves.c`)

Regions are open in slots, so that some may be inside others, and several Python threads may have some at once: whoever
is idle joins any that has pieces left.  A region's pieces are in parts, one for each thread, neighbours together: every
thread takes those of its own part first, the same ones in each region of a form, which it has in its own caches, and
then helps with the others'.  Workers spin a little before they sleep, so that regions in quick succession
cost less than a microsecond to start, and only as many are woken as there are pieces for.  Nobody waits for a worker
that never joined.  Up to `small` items that come after a rest are done by the calling thread alone, for some
microseconds in all: what they need lies in its caches.  Where there are as many threads as processors, each worker has
one of its own (`processors.c`, on Linux), and none that of the calling thread.  A process that was forked starts
workers of its own.

Every run has a word in memory for what is wrong, its fault, which its threads look at between pieces and between strips
of long loops: where one of them finds something, the others end soon.  The main thread, there and while it waits for
others, looks at the clock, and twenty times a second at signals: Python's handlers run, and where one raises, as that
of Ctrl-C does, that is what is wrong, and the exception waits until it is taken.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from typing import Any

from tolang.engines.cpu.runtime import memory as taking
from tolang.engines.cpu.runtime.memory import TAKING, Taking
from tolang.engines.cpu.source import joined, native_source
from tolang.engines.llvm.callees import HALVES, RUNTIME_FUNCTIONS
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangUsageError
from tolang.ground.reporting.whole_numbers import whole_number
from tolang.ground.system.caches import caches
from tolang.ground.system.processors import available_processors

MOST_THREADS = 1024
"""As many as the runtime keeps account of."""
LARGEST = min(MOST_THREADS, max(64, os.cpu_count() or 1))
"""The most threads there are: each has a stack, which counts as memory of the process."""
CLOCK = 6 if sys.platform == "darwin" else 1
"""The number of the clock that only goes on."""
PAUSES = {"x86_64": "@llvm.x86.sse2.pause()", "aarch64": "@llvm.aarch64.isb(i32 15)"}
"""What processors do while they wait for another, by their names."""
OTHER_NAMES = {"amd64": "x86_64", "arm64": "aarch64"}


def _pause(architecture: str) -> str:
    """The function that waits a moment, in LLVM IR; it does nothing where the processor has nothing for it."""
    pause = PAUSES.get(OTHER_NAMES.get(architecture, architecture))
    if pause is None:
        return "define internal void @tolang_pause() {\n  ret void\n}\n"
    declared = pause.replace(" 15", "")
    return f"declare void {declared}\ndefine internal void @tolang_pause() {{\n  call void {pause}\n  ret void\n}}\n"


_BINDS = sys.platform.startswith("linux") and os.environ.get("TOL_BIND_THREADS") != "0"
_PROCESSORS = native_source(f"runtime/{'' if _BINDS else 'no_'}processors.ll")


def runtime_source(architecture: str) -> str:
    """The runtime in LLVM IR, for processors of an architecture."""
    threads, halves = native_source("runtime/threads.ll"), native_source("runtime/halves.ll")
    return joined(threads, halves, _pause(architecture), _PROCESSORS, TAKING)


RUNTIME = runtime_source(platform.machine().lower())


FOR_KERNELS = tuple(sorted((RUNTIME_FUNCTIONS - set(taking.SYMBOLS)) | HALVES))
"""What kernels, and the function that runs a plan, call of it; what takes memory is brought beside it."""
SYMBOLS = (
    *FOR_KERNELS, "tolang_threads", "tolang_caches", "tolang_python", "tolang_taken", "tolang_forked",
    "tolang_not_yet", *taking.SYMBOLS,
)  # fmt: skip
_FOR_SIGNALS = ("PyGILState_Ensure", "PyErr_CheckSignals", "PyErr_Fetch", "PyGILState_Release", "PyErr_Clear")


def default_threads() -> int:
    """As many as the process may use, or as `TOL_NUM_THREADS` says."""
    wanted = os.environ.get("TOL_NUM_THREADS", "")
    number = whole_number(wanted)
    if wanted and (number is None or number < 1):
        message, expected = "TOL_NUM_THREADS is not a number of threads", "a whole number of at least 1"
        raise ToLangUsageError(Diagnostic("E605", message, found=wanted, expected=expected))
    return min(number or available_processors(), LARGEST)


class Runtime:
    """The loaded runtime, as Python calls it."""

    def __init__(self, symbols: Any) -> None:
        word, pointer = ctypes.c_int64, ctypes.c_void_p
        self.addresses = {name: symbols[name] for name in SYMBOLS}
        self._symbols = symbols
        self._threads = ctypes.CFUNCTYPE(None, word)(self.addresses["tolang_threads"])
        self._taken = ctypes.CFUNCTYPE(None, pointer)(self.addresses["tolang_taken"])
        self._forked = ctypes.CFUNCTYPE(None)(self.addresses["tolang_forked"])
        self._forked()
        functions = (pointer * 5)(*(ctypes.cast(getattr(ctypes.pythonapi, n), pointer).value for n in _FOR_SIGNALS))
        main = threading.main_thread().ident or 0
        tell = ctypes.CFUNCTYPE(None, pointer, word, word)(self.addresses["tolang_python"])
        tell(ctypes.addressof(functions), main, CLOCK)
        ctypes.CFUNCTYPE(None, word, word, word)(self.addresses["tolang_caches"])(*caches())
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
