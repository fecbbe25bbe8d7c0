"""What the command line shows: errors, values with their types, and that long work is going on.

Colour is used on terminals only, and not where NO_COLOR is set; nothing here depends on it.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from tolang.driver.results import Result
    from tolang.ground.diagnostics import ToLangError
    from tolang.ground.values import ToL

STYLES = {"bold": "1", "dim": "2", "error": "1;31", "good": "32", "name": "36"}
PATIENCE = 1.0
"""Seconds of work before a terminal is told that it goes on."""

_CARETS = re.compile(r"^( *\| *)(\^+)$", re.MULTILINE)
_HEAD = re.compile(r"^((?:\S.*?: )?)(error E\d+:|warning W?\d*:)", re.MULTILINE)


def coloured(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose user wants colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text: str, style: str, stream: TextIO | None = None) -> str:
    """The text in a style, where the stream shows styles."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if coloured(stream or sys.stdout) else text


def show_error(error: ToLangError, stream: TextIO | None = None) -> None:
    """Writes all of an error's diagnostics, with carets, to the error stream."""
    goal = stream or sys.stderr
    text = str(error)
    if coloured(goal):
        text = _HEAD.sub(lambda m: m[1] + styled(m[2], "error", goal), text)
        text = _CARETS.sub(lambda m: m[1] + styled(m[2], "error", goal), text)
    print(text, file=goal)


def note(text: str) -> None:
    """A remark about the work, apart from its results."""
    print(styled(text, "dim", sys.stderr), file=sys.stderr)


def type_text(value: ToL) -> str:
    """A value's type list and shape, written as a declaration writes them: `R [2,3]`, `[S, N] [4]`."""
    columns = ", ".join(str(one) for one in value.spaces)
    listed = columns if value.capacity == 1 and value.names == (None,) else f"[{columns}]"
    return f"{listed} [{','.join(str(length) for length in value.shape)}]" if value.shape else listed


def result_text(name: str, value: Result) -> str:
    """An output with its name, type list and shape; a numeric on the same line, anything else below, row by row."""
    if isinstance(value, tuple):
        return "\n".join(result_text(f"{name}[{position}]'", part) for position, part in enumerate(value, 1))
    from tolang.ground.printing import value_notation

    head = f"{styled(name, 'bold')}: {styled(type_text(value), 'name')}"
    return f"{head}\n{value_notation(value, 0)}" if value.shape else f"{head} = {value}"


def show_results(results: Mapping[str, Result]) -> None:
    print("\n\n".join(result_text(name, value) for name, value in results.items()))


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Tells a terminal, from the second second on, what is going on and for how long; pipes are told nothing."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(what, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(what: str, done: threading.Event) -> None:
    start = time.monotonic()
    width = 0
    wait = PATIENCE
    while not done.wait(wait):
        line = f"{what} … {time.monotonic() - start:.0f} s (Ctrl-C stops)"
        width = max(width, len(line))
        sys.stderr.write(f"\r{styled(line, 'dim', sys.stderr)}")
        sys.stderr.flush()
        wait = 0.5
    if width:
        sys.stderr.write(f"\r{' ' * width}\r")
        sys.stderr.flush()
