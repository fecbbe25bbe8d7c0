"""Threads that compile beside the rest of the process, and what becomes of them when it ends.

The interpreter forbids new threads once it is leaving, and a system may forbid them at any time: then work is done by
whoever asks for it.  When the process ends, what was not begun is dropped, and threads that are inside LLVM are waited
for, whatever is pressed meanwhile, for LLVM takes itself apart under their feet.  A fork waits for them, too: the new
process has none of the threads, and nothing to do of what was waiting for them.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any
from weakref import WeakSet

Task = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]

_THREADS: set[threading.Thread] = set()
_RUNNING: set[Future[Any]] = set()
"""What threads are at."""
_CHANGING = threading.Lock()
SOON = 0.001
"""Seconds after which a thread that runs Python lets another in that comes back from LLVM, where that is often."""


class WorkerThreads:
    """Threads that take tasks in the order in which they were given, so many at a time; idle ones end."""

    def __init__(self, most: int) -> None:
        self._most, self._busy = most, 0
        self._waiting: deque[Task] = deque()
        _ALL.add(self)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Has a call made; its outcome is told by what is returned."""
        outcome: Future[Any] = Future()
        with _CHANGING:
            self._waiting.append((outcome, function, arguments))
            if self._busy >= self._most:
                return outcome
            self._busy += 1
        thread = threading.Thread(target=self._work, daemon=True)
        try:
            with _CHANGING:
                _THREADS.add(thread)
            thread.start()
        except RuntimeError:
            self._work()
            with _CHANGING:
                _THREADS.discard(thread)
        return outcome

    def drop(self) -> None:
        """Leaves undone what was not begun."""
        with _CHANGING:
            left = list(self._waiting)
            self._waiting.clear()
        for outcome, _, _ in left:
            outcome.cancel()

    def abandon(self) -> None:
        """Leaves undone what was not begun, and tells nobody: whoever waits for it ends with the process."""
        with _CHANGING:
            self._waiting.clear()

    def forget(self) -> None:
        """Leaves undone all that there was, in a process that has no threads yet."""
        self._waiting.clear()
        self._busy = 0

    def _work(self) -> None:
        while (task := self._next()) is not None:
            outcome, function, arguments = task
            if outcome.set_running_or_notify_cancel():
                try:
                    outcome.set_result(function(*arguments))
                except BaseException as error:  # which belongs to whoever asks for the outcome
                    outcome.set_exception(error)
            _RUNNING.discard(outcome)
            del task, outcome

    def _next(self) -> Task | None:
        with _CHANGING:
            if self._waiting:
                task = self._waiting.popleft()
                _RUNNING.add(task[0])
                return task
            self._busy -= 1
            _THREADS.discard(threading.current_thread())
            return None


class Alternating:
    """While it lasts, threads that wait for Python are let in soon: they need it for a moment, and go back to work."""

    _lasting = 0
    _before = 0.0

    def __enter__(self) -> None:
        own = Alternating
        with _CHANGING:
            if not own._lasting:
                own._before = sys.getswitchinterval()
                sys.setswitchinterval(min(SOON, own._before))
            own._lasting += 1

    def __exit__(self, *_: object) -> None:
        with _CHANGING:
            Alternating._lasting -= 1
            if not Alternating._lasting:
                Alternating.end()

    @staticmethod
    def end() -> None:
        """Has threads wait as long as before, unless somebody else has changed that."""
        if sys.getswitchinterval() == min(SOON, Alternating._before):
            sys.setswitchinterval(Alternating._before)


def in_worker() -> bool:
    """Whether this is a thread that does nothing but work."""
    return threading.current_thread() in _THREADS


_ALL: WeakSet[WorkerThreads] = WeakSet()


def _end() -> None:
    """Drops what was not begun, and waits for the threads that still work; Ctrl-C ends none, so it changes nothing."""
    for one in list(_ALL):
        one.abandon()
    while working := [thread for thread in list(_THREADS) if thread.is_alive()]:
        with suppress(KeyboardInterrupt):
            for thread in working:
                thread.join()


def _before_fork() -> None:
    """Lets nothing begin, and waits for what was."""
    _CHANGING.acquire()
    wait(list(_RUNNING))


def _in_child() -> None:
    for one in list(_ALL):
        one.forget()
    _THREADS.clear()
    _RUNNING.clear()
    if Alternating._lasting:
        Alternating._lasting = 0
        Alternating.end()
    _CHANGING.release()


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_CHANGING.release, after_in_child=_in_child)
