"""How far reading and writing has come: told to whoever listens, in bytes or rows, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int], None]
"""Takes what is done, how much of it is done, and how much there is."""

CHUNK = 1 << 24
"""The bytes read or written between two reports."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Reports go to this listener while the context lasts."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(what: str, done: int, total: int) -> None:
    """Tells the listener, if there is one."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)
