"""Better code for kernels that were only to be ready soon.

It is compiled in the background when they are called again, or at once where a run computes much by them.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress

from tolang.engines.cpu.runtime import loaded
from tolang.engines.cpu.runtime.loaded import LoadedKernel
from tolang.engines.cpu.runtime.workers import WorkerThreads, in_worker
from tolang.ground.system.processors import available_processors

LOW_PRIORITY = 5
"""How nice threads are that compile beside a program that runs."""
SHARE = 4
"""One of so many cores compiles in the background."""

_BESIDE = WorkerThreads(max(1, available_processors() // SHARE))
_COMING: dict[str, Future[LoadedKernel]] = {}
_WAITING: list[LoadedKernel] = []
"""Kernels whose callers have not been given better ones, each as often as there are such callers."""
_CHANGED = threading.Condition()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_CHANGED.acquire, after_in_parent=_CHANGED.release, after_in_child=lambda: _in_child())


def improve(kernel: LoadedKernel, use: Callable[[LoadedKernel], None]) -> None:
    """Has better code of a kernel compiled in the background, and used then; a defect leaves the code that there is."""
    with _CHANGED:
        _WAITING.append(kernel)
        coming = _COMING.get(kernel.name)
        if coming is None:
            coming = _COMING[kernel.name] = _BESIDE.submit(_compiled_beside, kernel)
    coming.add_done_callback(lambda outcome: _came(outcome, kernel, use))


def _came(outcome: Future[LoadedKernel], kernel: LoadedKernel, use: Callable[[LoadedKernel], None]) -> None:
    try:
        if not outcome.cancelled():
            use(outcome.result())
    finally:
        with _CHANGED:
            _COMING.pop(kernel.name, None)
            _WAITING.remove(kernel)
            _CHANGED.notify_all()


def improved_now(kernels: Sequence[LoadedKernel]) -> list[LoadedKernel]:
    """Kernels in better code, compiled as fast as that can be done."""
    workers = WorkerThreads(available_processors())
    coming = [workers.submit(_compiled, one) for one in kernels]
    return [one.result() for one in coming]


def improvements_end() -> None:
    """Waits until all that is being improved has been, and is used."""
    with _CHANGED:
        _CHANGED.wait_for(lambda: not _WAITING)


def _compiled(kernel: LoadedKernel) -> LoadedKernel:
    known = loaded.named(kernel.name)
    if known is not None and known.source is None:
        return known
    assert kernel.source is not None
    return loaded.compiled(kernel.name, kernel.source)


def _compiled_beside(kernel: LoadedKernel) -> LoadedKernel:
    """As `_compiled`, while a program runs, which comes first where cores are few."""
    if sys.platform == "linux" and in_worker():  # elsewhere threads have no priority of their own
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)
    return _compiled(kernel)


def _in_child() -> None:
    _COMING.clear()
    _WAITING.clear()
    _CHANGED.release()
