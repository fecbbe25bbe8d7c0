"""What the command line shows: errors, values with their types, and that long work is going on.

Colour is used on terminals only, and not where NO_COLOR is set; nothing here depends on it.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from tolang.ground.reporting.escaping import line, visible, visible_lines
from tolang.ground.reporting.painting import painted, painted_error

if TYPE_CHECKING:
    from rich.progress import Progress

    from tolang.data.results import Result
    from tolang.ground.reporting.diagnostics import Diagnostic, ToLangError

OUT_OF_MEMORY = "error E508: there is not enough memory for this"
PATIENCE = 1.0
"""Seconds of work before a terminal is told that it goes on."""


def coloured(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose user wants colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int | None:
    """The width of the terminal that output goes to; None where that is none, and lines are as long as they are."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def styled(text: str, style: str, stream: TextIO | None = None) -> str:
    """The text, visible whoever wrote it, in a style where the stream shows styles."""
    safe = visible_lines(text)
    return painted(safe, style) if coloured(stream or sys.stdout) else safe


def show_error(error: ToLangError, stream: TextIO | None = None) -> None:
    """Writes all of an error's diagnostics, with carets, to the error stream."""
    goal = stream or sys.stderr
    print(painted_error(str(error)) if coloured(goal) else error, file=goal)


def show_internal(error: Exception) -> None:
    """Tells of an error of ours, and where it arose."""
    place = _place(error)
    print(f"tol: internal error: {type(error).__name__}: {_one_line(error)} ({place})", file=sys.stderr)
    print("tol: please report it, with what `tol --debug …` shows", file=sys.stderr)


def _one_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return line(lines[0], 200) if lines else "no message"


def _place(error: Exception) -> str:
    """Where in the package an error arose."""
    trace = error.__traceback__
    place = "tolang"
    while trace is not None:
        code = trace.tb_frame.f_code
        if f"{os.sep}tolang{os.sep}" in code.co_filename:
            place = f"{code.co_filename.rpartition(f'{os.sep}tolang{os.sep}')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def show_warnings(warnings: Iterable[Diagnostic]) -> None:
    """Writes what is right and could be better, with carets, to the error stream."""
    for one in warnings:
        text = one.render()
        print(painted_error(text) if coloured(sys.stderr) else text, file=sys.stderr)


def note(text: str) -> None:
    """A remark about the work, apart from its results."""
    print(styled(text, "dim", sys.stderr), file=sys.stderr)


def result_text(name: str, value: Result) -> str:
    """An output with its name, type list and shape; a numeric on the same line, anything else below, row by row."""
    if isinstance(value, tuple):
        return "\n".join(result_text(f"{name}[{position}]'", part) for position, part in enumerate(value, 1))
    from tolang.ground.values.printing import type_notation, value_notation

    head = f"{styled(name, 'bold')}: {styled(type_notation(value), 'name')}"
    return f"{head}\n{value_notation(value, 0)}" if value.shape else f"{head} = {value}"


def show_results(results: Mapping[str, Result]) -> None:
    print("\n\n".join(result_text(name, value) for name, value in results.items()))


@contextmanager
def progress(what: object) -> Iterator[None]:
    """Tells a terminal, from the second second on, what is going on and for how long; pipes are told nothing."""
    if not sys.stderr.isatty():
        yield
        return
    from tolang.ground.reporting.progress import ticking

    with ticking(lambda: visible(str(what)), lambda line: styled(line, "dim", sys.stderr)):
        yield


@contextmanager
def data_progress() -> Iterator[None]:
    """Shows a terminal, from the second second on, how far reading and writing has come; pipes are shown nothing."""
    if not sys.stderr.isatty():
        yield
        return
    from tolang.data.progress import listening

    bar = _Bar()
    try:
        with listening(bar.told):
            yield
    finally:
        bar.close()


class _Bar:
    """A bar for each file whose reading or writing takes more than a second."""

    def __init__(self) -> None:
        self.what = ""
        self.start = 0.0
        self.shown: Progress | None = None

    def told(self, what: str, done: int, total: int) -> None:
        """Takes a report; the bar appears once the work has taken a second."""
        now = time.monotonic()
        if what != self.what:
            self.close()
            self.what, self.start = what, now
        if self.shown is None and now - self.start >= PATIENCE and done < total:
            from rich.console import Console
            from rich.markup import escape
            from rich.progress import Progress

            self.shown = Progress(console=Console(stderr=True), transient=True)
            self.shown.add_task(escape(visible(what)), total=total)
            self.shown.start()
        if self.shown is not None:
            self.shown.update(self.shown.task_ids[0], completed=done, total=total)

    def close(self) -> None:
        """Removes the bar."""
        if self.shown is not None:
            self.shown.stop()
            self.shown = None
