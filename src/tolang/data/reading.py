"""Data from files, and from values written out as `name=3`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tolang.core.types import Type
from tolang.data.contents import FileContents, listed, located
from tolang.data.formats import EXTENSIONS, format_of, open_data
from tolang.data.numerals import number
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Diagnostic, Source, ToLangError, ToLangUsageError, usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.values.values import ToL

_LIKE_A_FILE = re.compile(r".*[^.\s]\.[A-Za-z][A-Za-z0-9]{0,9}")
_WORD = re.compile(r"[A-Za-z_]\w*")
_RATIONAL = re.compile(r"[+-]?\d+(/\d+)?")


def argument(name: str, text: str, wanted: Type | None = None) -> Any:
    """The data that `name=text` stands for: a file by its extension, `@` and text, or a constant of the language."""
    if text.startswith("@"):
        return text[1:]
    path, colon, key = text.rpartition(":")
    if colon and key and not set(key) & set("/\\") and format_of(Path(path)) and not format_of(Path(text)):
        return read_data(Path(path), key, wanted, exactly=True)
    if format_of(Path(text)):
        return read_data(Path(text), name, wanted)
    if wanted is not None and wanted.is_numeric and wanted.column.space.family == "Q" and _RATIONAL.fullmatch(text):
        return number(text, "Q")
    if _names_a_file(text):
        raise usage("E607", f"cannot tell what kind of data {text} is", expected=", ".join(EXTENSIONS))
    return _constant(name, text, wanted)


def _names_a_file(text: str) -> bool:
    try:
        float(text)
        return False
    except ValueError:
        pass
    try:
        return _LIKE_A_FILE.fullmatch(text) is not None or Path(text).is_file()
    except (OSError, ValueError):
        return False


def _explained(name: str, text: str, problem: Diagnostic, wanted: Type | None) -> Diagnostic:
    """What is wrong with an argument, which is text as it stands where text is wanted, and has no names."""
    is_text = wanted is None or any(one.space.family == "S" for one in wanted.columns)
    as_it_stands = f'"{name}=@{text}"' if re.search(r"\W", text) else f"{name}=@{text}"
    if wanted is not None and wanted.is_numeric and is_text:
        return replace(problem, fix=f"text is written {as_it_stands}")
    if problem.code != "E201":
        return problem
    expected = (
        "text in quotes, a number, or a file" if is_text else "a number such as 3, a block such as [1,2], or a file"
    )
    fix = problem.fix
    if is_text and fix is None:
        fix = f"text is written {as_it_stands if text.isalnum() else _quoted(name, text)}"
    message = f"{problem.message} in the value of {name}"
    return replace(problem, message=message, expected=f"{expected}{f', for {wanted}' if wanted else ''}", fix=fix)


def _quoted(name: str, text: str) -> str:
    """An argument with each name in it as text, as a shell keeps it."""
    return f'"{name}={_WORD.sub(_in_quotes, text)}"'


def _in_quotes(word: re.Match[str]) -> str:
    return f"'{word[0]}'"


def _constant(name: str, text: str, wanted: Type | None) -> Any:
    """The value of a constant expression; what is wrong with it is wrong with the call."""
    from tolang.check.one_expression import expression_core
    from tolang.readings.interpret import interpret

    try:
        values = interpret(expression_core(Source(f"<{name}>", text)), {}, {})
    except ToLangError as error:
        raise ToLangUsageError([_explained(name, text, one, wanted) for one in error.diagnostics]) from None
    if len(values) > 1:
        raise usage("E608", f"the value of {name} is a bundle of {len(values)} ToLs", expected="one ToL")
    (value,) = values
    return value.to_list() if value.volume else value


def read_data(path: Path, name: str, wanted: Type | None = None, exactly: bool = False) -> Any:
    """The data of a file; of several in it the one called `name`, or the only one unless that name is asked for."""
    held = open_data(path)
    if exactly:
        return _part(path, held, name, wanted, exactly)
    return _part(path, held, name, wanted) if held.whole is None else held.whole(wanted, name)


def _part(path: Path, held: FileContents, name: str, wanted: Type | None, exactly: bool = False) -> Any:
    if name in held.parts:
        return held.parts[name](wanted, name)
    if len(held.parts) == 1 and not exactly:
        return next(iter(held.parts.values()))(wanted, name)
    fix = None if exactly or not held.parts else f"name one of them: {name}={path}:{shown(next(iter(held.parts)))}"
    raise usage("E608", f"{path} holds no {held.part}{shown(name)}", found=listed(held.parts), fix=fix)


def read_all(path: Path, wanted: Mapping[str, Type | None]) -> dict[str, Any]:
    """What a file that holds data by name has of the data wanted."""
    held = open_data(path)
    if not held.parts:
        raise usage("E607", f"{path} does not hold data by name", fix=f"give it to one input: name={path}")
    found = {name: load(wanted[name], name) for name, load in held.parts.items() if name in wanted}
    if not found:
        expected = ", ".join(wanted) or "none"
        raise usage("E603", f"{path} holds no input of the program", found=listed(held.parts), expected=expected)
    return found


def read(path: str | Path, name: str | None = None, kind: Type | None = None) -> Any:
    """The data of a file, by its extension: .npy, .npz, .json, .csv, .parquet, .arrow, .txt, .png.

    `name` takes one of several values, or one column of a table; `kind` is the type it is to have, such as
    `program.inputs["a"]`.  Numbers come as a NumPy array, a table as a `ToL` with its columns as components, and
    several values that have names as a dictionary.
    """
    file = Path(path)
    if name is not None:
        return _plain(file, read_data(file, name, kind, exactly=True))
    held = open_data(file)
    if held.whole is not None:
        return _plain(file, held.whole(kind, file.stem))
    if kind is not None:
        return _plain(file, _part(file, held, file.stem, kind))
    return {label: _plain(f"{file}, {shown(label)}", load(None, label)) for label, load in held.parts.items()}


def _plain(where: object, data: Any) -> Any:
    """An array for numbers or text, a number or text alone for a value without dimensions, a ToL for lists."""
    with located(where):
        value = ToL.of(data)
    if value.capacity > 1:
        return value
    only = value.columns[0]
    return only if value.shape else only[()]
