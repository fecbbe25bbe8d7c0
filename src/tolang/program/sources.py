"""The text of a program, wherever it is: in a file or in the call."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from tolang.data.formats import refuse_other_kind
from tolang.ground.reporting.close_names import close_names
from tolang.ground.reporting.diagnostics import Source, ToLangUsageError, usage
from tolang.ground.reporting.escaping import shown


def read_source(source: Any) -> Source:
    """Source text as it is; a path, or text that is one word ending in .tol, names a file."""
    if not isinstance(source, str | PathLike):
        fix = "it is compiled already" if hasattr(source, "outputs") else None
        raise usage("E604", "there is no program", type(source).__name__, "the text of one, or a path", fix)
    text = str(source)
    if not isinstance(source, str) or (text.endswith(".tol") and "\n" not in text and "=" not in text):
        refuse_other_kind(Path(source), ".tol")
        return read_file(Path(source))
    if "\n" not in text and "=" not in text:  # which is no program that gives anything
        refuse_other_kind(Path(text), ".tol")
        if _is_file(text):
            fix = f"tolang.compile(Path({text!r})) reads it"
            raise usage("E604", f"{shown(text)} is a file, and a text that does not end in .tol is a program", fix=fix)
    return Source("<source>", text)


def read_file(path: Path) -> Source:
    """The text of a file; one that is not there or no text is an error of the call."""
    try:
        return Source(str(path), path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise usage("E604", f"cannot read {path}: it is not UTF-8 text") from None
    except FileNotFoundError as error:
        raise not_there(path, error) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise usage("E604", f"cannot read {path}: {reason}") from None


def not_there(path: Path, error: FileNotFoundError) -> ToLangUsageError:
    """The error of a file that is not there; a file of a like name beside it is likely meant."""
    try:
        beside = [one.name for one in path.parent.iterdir() if one.suffix == path.suffix]
    except OSError:
        beside = []
    close = close_names(path.name, beside, 1, 0.6)
    fix = f"did you mean {shown(str(path.parent / close[0]))}?" if close else None
    return usage("E604", f"cannot read {path}: {error.strerror}", fix=fix)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
