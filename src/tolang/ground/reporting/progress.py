"""How far a run in pieces has come, told on a line of the standard error while it runs."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = bool | Callable[[int, int], object]
"""Whether a line tells how many pieces are done; or what is called with how many are, and of how many."""
PATIENCE = 1.0
"""Seconds of a run that are told nothing about."""
REFRESH, REFRESH_IN_A_FILE = 0.5, 10.0
"""Seconds between two lines: on a terminal each takes the place of the one before it."""


@contextmanager
def ticking(what: Callable[[], str], painted: Callable[[str], str] = str) -> Iterator[None]:
    """Tells on the standard error, from the second second on, what is going on and for how long."""
    done = threading.Event()
    teller = threading.Thread(target=_tick, args=(what, painted, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tick(what: Callable[[], str], painted: Callable[[str], str], done: threading.Event) -> None:
    start, width, stays = time.monotonic(), 0, not sys.stderr.isatty()
    wait = PATIENCE
    while not done.wait(wait):
        line = f"{what()} … {time.monotonic() - start:.0f} s (Ctrl-C stops)"
        padding, width = " " * max(0, width - len(line)), len(line)
        sys.stderr.write(f"{line}\n" if stays else f"\r{painted(line)}{padding}")
        sys.stderr.flush()
        wait = REFRESH_IN_A_FILE if stays else REFRESH
    if width and not stays:
        sys.stderr.write(f"\r{' ' * width}\r")
        sys.stderr.flush()


@contextmanager
def telling(progress: Progress) -> Iterator[Callable[[int, int], object]]:
    """What a run is to call with how many pieces are done, and of how many, for its progress to be told so."""
    if progress is not True:
        yield progress or (lambda done, total: None)
        return
    pieces = PieceProgress("running")
    with ticking(pieces.__str__):
        yield pieces


class PieceProgress:
    """Counts the pieces that are done of a run, which has a name."""

    def __init__(self, name: str) -> None:
        self.name, self.done, self.total = name, 0, 0

    def __call__(self, done: int, total: int) -> None:
        self.done, self.total = done, total

    def __str__(self) -> str:
        """No time that is left is told: pieces of one stage may take many times as long as those of another."""
        return f"{self.name}: {self.done} of {self.total} pieces" if self.total else f"{self.name}: planning"
