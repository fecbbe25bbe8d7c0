"""Who asks: Python gives `threads=2`, the command line `--threads 2`, and messages speak of what was given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_COMMAND = ContextVar("command", default=False)


@contextmanager
def on_command_line() -> Iterator[None]:
    """Messages speak of the options of the command."""
    before = _COMMAND.set(True)
    try:
        yield
    finally:
        _COMMAND.reset(before)


def called(python: str, command: str) -> str:
    """The words for somebody who calls from Python, or those for the command line, where that is what runs."""
    return command if _COMMAND.get() else python
