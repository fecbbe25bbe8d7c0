"""Colour in messages, by the codes that terminals and notebooks understand; and errors as notebooks show them."""

from __future__ import annotations

import linecache
import os
import re
from pathlib import Path
from types import FrameType, TracebackType

STYLES = {"bold": "1", "dim": "2", "error": "1;31", "good": "32", "name": "36"}

_CARETS = re.compile(r"^( *\| *)(\^+)$", re.MULTILINE)
_HEAD = re.compile(r"^((?:\S.*?: )?)(error E\d+:|warning W?\d*:)", re.MULTILINE)
_LABEL = re.compile(r"^( {6}(?:found|expected|fix|note\b.*?):)(?=\s)", re.MULTILINE)
_OWN = __name__.partition(".")[0]


def painted(text: str, style: str) -> str:
    """The text in a style."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def painted_error(text: str) -> str:
    """The text of an error with its head and its carets in colour, and what explains it set apart."""
    text = _HEAD.sub(lambda m: m[1] + painted(m[2], "error"), text)
    text = _CARETS.sub(lambda m: m[1] + painted(m[2], "error"), text)
    return _LABEL.sub(lambda m: painted(m[1], "name"), text)


def notebook_lines(error: BaseException) -> list[str]:
    """An error as IPython shows it: which lines of the user's Python led to it, then the message, without our own."""
    plain = bool(os.environ.get("NO_COLOR"))
    called = [f"from {place}" for place in _callers(error.__traceback__)]
    text = str(error)
    return [*called, text] if plain else [*(painted(one, "dim") for one in called), painted_error(text)]


def _callers(trace: TracebackType | None) -> list[str]:
    """Lines of Python outside this package and below IPython, outermost first; none where IPython's magic called us."""
    found: list[str] = []
    while trace is not None:
        frame = trace.tb_frame
        home = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if home in ("IPython", "ipykernel"):
            found.clear()
        elif home != _OWN:
            found.append(_place(frame, trace.tb_lineno))
        trace = trace.tb_next
    return found


def _place(frame: FrameType, line: int) -> str:
    """A line of Python as a person would look for it: by its file, in a cell by its function, and by its text."""
    file = Path(frame.f_code.co_filename)
    name = frame.f_code.co_name
    where = f"{file.name}, line {line}" if file.is_file() else f"line {line}"
    where = where if name.startswith("<") else f"{name}, {where}"
    text = linecache.getline(str(file), line, frame.f_globals).strip()
    return f"{where}: {text}" if text else where
