"""Plain text, `.txt`: the whole of a file where one text is declared, else its lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from tolang.core.types import Type
from tolang.data.contents import FileContents, Form, decoded, read_bytes, separate
from tolang.data.results import Result
from tolang.data.tables import fit_column
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.values import ToL

OTHERS = "write a .csv or .json file"


def open_file(path: Path) -> FileContents:
    """The text of a file, or its lines, of which the end of the last one is no further line."""

    def load(wanted: Type | None, name: str) -> Any:
        text = decoded(path, read_bytes(path)).replace("\r\n", "\n")
        if wanted is not None and wanted.is_numeric and wanted.column.space.family == "S":
            return ToL.of(text.removesuffix("\n"), wanted.columns, name)
        if wanted is not None and (wanted.rank > 1 or wanted.capacity > 1):
            expected = "S for the whole file, S [n] for its lines, or R [n] for a number per line"
            raise usage(
                "E608", f"{path} holds text, and {name} is {wanted}", expected=expected, fix="save a table as .csv"
            )
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        if wanted is not None and not wanted.rank and len(lines) != 1:
            raise usage("E608", f"{path} has {len(lines)} lines, and {name} is one number", expected=str(wanted))
        value = ToL.of(lines, wanted.columns if wanted is not None and not lines else None, name)
        value = fit_column(
            value, wanted.column if wanted is not None else None, lambda row: f"{path}, line {row + 1}", True
        )
        return ToL([value.columns[0].reshape(())], value.spaces) if wanted is not None and not wanted.rank else value

    if not path.exists():
        read_bytes(path)
    return FileContents(load)


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """One text or a vector of them fits; that it is text is seen once it is there."""
    if len(forms) != 1:
        raise usage(
            "E607", f"{path}: a .txt file holds one text, and these are {len(forms)}: {', '.join(forms)}", fix=OTHERS
        )
    ((name, form),) = forms.items()
    if form.rank > 1 or form.capacity > 1:
        raise usage(
            "E607", f"{path}: a .txt file holds one text or a vector of lines, and {name} is neither", fix=OTHERS
        )


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    """Writes a text, or a text or number in each line."""
    (value,) = separate(results).values()
    texts = [str(value)] if not value.shape else [str(ToL.of(one)) for one in value.to_list()]
    if value.spaces[0].space.family == "S":
        texts = [value.item()] if not value.shape else value.to_list()
    if value.shape and any("\n" in one for one in texts):
        raise usage("E607", f"{path}: a line cannot hold a text of several lines", fix=OTHERS)
    file.write("".join(f"{one}\n" for one in texts).encode("utf-8"))
