"""Threads that compile beside the rest of the process, and what becomes of them when it ends.

The interpreter forbids new threads once it is leaving, and a system may forbid them at any time: then work is done by
whoever asks for it.  Threads that are inside LLVM when the process ends are waited for, whatever is pressed meanwhile,
for LLVM takes itself apart under their feet.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

Task = tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]

_THREADS: set[threading.Thread] = set()
_CHANGING = threading.Lock()


class Workers:
    """Threads that take tasks in the order in which they were given, so many at a time; idle ones end."""

    def __init__(self, most: int) -> None:
        self._most, self._busy = most, 0
        self._waiting: deque[Task] = deque()

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

    def _work(self) -> None:
        while (task := self._next()) is not None:
            outcome, function, arguments = task
            if outcome.set_running_or_notify_cancel():
                try:
                    outcome.set_result(function(*arguments))
                except BaseException as error:  # which belongs to whoever asks for the outcome
                    outcome.set_exception(error)
            del task, outcome

    def _next(self) -> Task | None:
        with _CHANGING:
            if self._waiting:
                return self._waiting.popleft()
            self._busy -= 1
            _THREADS.discard(threading.current_thread())
            return None


def in_worker() -> bool:
    """Whether this is a thread that does nothing but work."""
    return threading.current_thread() in _THREADS


def _wait_for_all() -> None:
    """Waits for the threads that still work; Ctrl-C ends no thread, so it changes nothing."""
    while working := [thread for thread in list(_THREADS) if thread.is_alive()]:
        with suppress(KeyboardInterrupt):
            for thread in working:
                thread.join()


atexit.register(_wait_for_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_CHANGING.acquire, after_in_parent=_CHANGING.release, after_in_child=_CHANGING.release)
