"""JSON: nested lists, with objects for values by name and for lists with named components.

What JSON has no numbers for (rationals, complex numbers, infinities) is text in the notation of the language.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from tolang.core.types import Type
from tolang.data.contents import FileContents, Form, decoded, located, read_bytes, refuse_beyond_free, shown_line
from tolang.data.numerals import no_number, number
from tolang.data.results import Result
from tolang.ground.reporting.diagnostics import ToLangUsageError, usage
from tolang.ground.reporting.escaping import shown
from tolang.ground.values.printing import numeric_text
from tolang.ground.values.spaces import Column
from tolang.ground.values.values import ToL

DEEPEST = 64
"""How deep brackets may nest: NumPy's arrays have no more dimensions."""

OBJECTS = {",": 40, "[": 88, "{": 240}
"""About what Python takes for what follows each of these signs: an element, a list, an object."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|[\[\]{}:,]', re.DOTALL)
_NO_JSON = "NaN", "Infinity", "-Infinity"


class _Twice(ValueError):
    """An object has two values of one name."""


def open_file(path: Path) -> FileContents:
    """The values of an object by name, or the one value of anything else."""
    text = decoded(path, read_bytes(path))
    refuse_beyond_free(sum(size * text.count(sign) for sign, size in OBJECTS.items()), path)
    try:
        content = json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise usage("E608", f"{path} is not JSON: {error}") from None
    except (ValueError, RecursionError) as error:
        raise _told(path, text, error) from None
    _refuse_deep(path, content)
    if isinstance(content, dict):
        return FileContents(
            parts={name: partial(_load, f"{path}, {shown(name)}", one) for name, one in content.items()}
        )
    return FileContents(partial(_load, path, content))


def _refuse_deep(path: Path, content: Any) -> None:
    """Raises the error of brackets too deep; where only some are, the data is ragged, which is told of elsewhere."""
    for one in content.values() if isinstance(content, dict) else (content,):
        depth = 0
        while isinstance(one, list) and one:
            one, depth = one[0], depth + 1
        if depth > DEEPEST:
            raise usage("E608", f"{path}: brackets nest deeper than {DEEPEST}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        raise _Twice
    return content


def _refused(word: str) -> Any:
    raise _Twice(word)


def _told(path: Path, text: str, error: Exception) -> ToLangUsageError:
    """The error of the first thing that is wrong in text that is JSON otherwise, with its line and column."""
    place, message, fix = _first_wrong(text)
    if place is None:
        return usage("E608", f"{path} is not JSON: {shown_line(str(error))}")
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return usage("E608", f"{path}, line {line} column {column}: {message}", fix=fix)


def _first_wrong(text: str) -> tuple[int | None, str, str | None]:
    """Where the first number that is none, name that is there twice, or bracket too deep stands, and what it is."""
    open_names: list[set[str] | None] = []
    previous = ""
    for token in _TOKEN.finditer(text):
        word, place = token[0], token.start()
        if word in _NO_JSON:
            return place, f"JSON has no {word}", f'write it as text: "{word.replace("Infinity", "Inf")}"'
        if word in "[{":
            open_names.append(set() if word == "{" else None)
            if len(open_names) > DEEPEST:
                return place, f"brackets nest deeper than {DEEPEST}", None
        elif word in "]}" and open_names:
            open_names.pop()
        elif word[0] == '"' and previous in ("{", ",") and open_names and (names := open_names[-1]) is not None:
            name = json.loads(word, strict=False)
            if name in names:
                return place, f"the name {shown(name)} is there twice", None
            names.add(name)
        previous = word
    return None, "", None


def _load(where: object, content: Any, wanted: Type | None, name: str) -> Any:
    if wanted is None:
        return content
    with located(where):
        return ToL.of(_element_at(content, wanted, wanted.rank, str(where)), wanted.columns, name)


def _element_at(value: Any, wanted: Type, depth: int, where: str) -> Any:
    """Data with the innermost lists and records as list elements, and texts as numbers where these are wanted."""
    if depth:
        return [_element_at(one, wanted, depth - 1, where) for one in value] if isinstance(value, list) else value
    if wanted.capacity == 1:
        return _numeric(value, wanted.column, where)
    if isinstance(value, dict):
        value = _record(value, wanted, where)
    if isinstance(value, list | tuple):
        if len(value) != wanted.capacity:
            return tuple(value)  # which is told of where lists are held against their declaration
        return tuple(_numeric(one, column, where) for one, column in zip(value, wanted.columns, strict=True))
    return value


def _record(value: Mapping[str, Any], wanted: Type, where: str) -> Any:
    """The components of an object by their names."""
    names = [one.name for one in wanted.columns]
    missing = [name for name in names if name is not None and name not in value]
    if missing or None in names:
        from tolang.data.tables import no_column

        raise no_column(where, "component", missing[0] if missing else None, list(value), wanted.columns)
    return [value[str(name)] for name in names]


def _numeric(value: Any, column: Column, where: str) -> Any:
    if not isinstance(value, str) or column.space.family == "S":
        return value
    try:
        return number(value, column.space.family)
    except ValueError:
        raise usage("E608", f"{where}: {no_number(value)}", expected=str(column.space)) from None


def refuse(path: Path, forms: Mapping[str, Form]) -> None:
    """Everything fits."""


def write(path: Path, file: BinaryIO, results: Mapping[str, Result]) -> None:
    content = {name: _plain(value) for name, value in results.items()}
    file.write(json.dumps(content, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n")


def _plain(result: Any) -> Any:
    """Nested lists with everything that JSON has no number for as text."""
    if isinstance(result, ToL):
        plain = all(
            one.dtype.kind in "biu" or (one.dtype.kind == "f" and np.isfinite(one).all()) for one in result.columns
        )
        return result.to_list() if plain else _plain(result.to_list())
    if isinstance(result, list | tuple):
        return [_plain(one) for one in result]
    if isinstance(result, complex | Fraction) or (isinstance(result, float) and not math.isfinite(result)):
        return numeric_text(result)
    return result
