"""Numbers in text and JSON: what JSON cannot write as a number is text in the notation of the language."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tolang.core.types import Type
from tolang.driver.binding import usage
from tolang.ground.printing import numeric_text
from tolang.ground.spaces import Column

_WORDS = {"true": True, "false": False}


def number(text: str, family: str | None = None) -> Any:
    """The number that a text writes: `3`, `2.5`, `1e-3`, `-Inf`, `NaN`, `1/3`, `1+2i`, `true`; else a `ValueError`."""
    word = text.strip()
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    if "_" in word:
        raise ValueError(text)
    if family == "Q" or "/" in word:
        try:
            return Fraction(word)
        except ZeroDivisionError:
            raise ValueError(text) from None
    try:
        return int(word)
    except ValueError:
        pass
    if word.endswith("i"):
        return complex(word[:-1].removesuffix("*1") + "j")
    return float(word)


def json_value(value: Any, wanted: Type | None) -> Any:
    """Data from JSON; with a type wanted, the innermost lists and records become list elements, and texts numbers."""
    return value if wanted is None else _element_at(value, wanted, wanted.rank)


def _element_at(value: Any, wanted: Type, depth: int) -> Any:
    if depth:
        return [_element_at(one, wanted, depth - 1) for one in value] if isinstance(value, list) else value
    if wanted.capacity == 1:
        return _numeric(value, wanted.column)
    names = [one.name for one in wanted.columns]
    if isinstance(value, dict) and set(value) == set(names):
        value = [value[str(name)] for name in names]
    if isinstance(value, list | tuple) and len(value) == wanted.capacity:
        return tuple(_numeric(one, column) for one, column in zip(value, wanted.columns, strict=True))
    return value


def _numeric(value: Any, column: Column) -> Any:
    if not isinstance(value, str) or column.space.family == "S":
        return value
    try:
        return number(value, column.space.family)
    except ValueError:
        raise usage("E608", f"{value[:40]!r} is no number", expected=str(column.space)) from None


def plain_json(value: Any) -> Any:
    """Nested lists with everything that JSON has no number for as text."""
    if isinstance(value, list | tuple):
        return [plain_json(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return numeric_text(value)
    if isinstance(value, complex | Fraction):
        return numeric_text(value)
    return value
