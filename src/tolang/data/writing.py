"""Results to files, by their extension: whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tolang.core.types import Type
from tolang.data.contents import forms_of, located
from tolang.data.files import refuse_unwritable, replace_file
from tolang.data.formats import EXTENSIONS, Format, format_of
from tolang.data.results import Result
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.values import ToL


def _format(path: Path) -> Format:
    found = format_of(path)
    if found is None:
        raise usage("E607", f"cannot tell how to write {path}", expected=", ".join(EXTENSIONS))
    return found


def refuse_output(path: Path, outputs: Mapping[str, Result | Type] | None = None) -> None:
    """Raises, before the program runs, the error that writing its results to this path would end in."""
    home = _format(path).home(path)
    refuse_unwritable(path)
    if outputs is not None:
        home.refuse(path, forms_of(outputs))


def write_results(path: Path, results: Mapping[str, Result]) -> None:
    """Writes results to a file, whole or not at all."""
    refuse_output(path, results)
    home = _format(path).home(path)
    try:
        with located(path):
            replace_file(path, lambda file: home.write(path, file, results))
    except UnicodeEncodeError:
        raise usage("E607", f"{path} cannot hold text that is not Unicode") from None


def write(path: str | Path, value: Any) -> None:
    """Writes a value, or several in a dictionary by name, to a file by its extension, whole or not at all.

    A value is whatever a program takes: numbers, nested lists, arrays, tables, a `ToL`.
    """
    file = Path(path)
    named = value if isinstance(value, Mapping) else {file.stem: value}
    write_results(file, {name: ToL.of(one, name=name) for name, one in named.items()})
