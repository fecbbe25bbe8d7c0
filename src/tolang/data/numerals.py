"""Numbers in text: what a format has no numbers for is text in the notation of the language."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tolang.ground.casting import Array
from tolang.ground.diagnostics import usage
from tolang.ground.foreign import shown
from tolang.ground.nested import read_column
from tolang.ground.spaces import Column
from tolang.ground.whole_numbers import MOST_DIGITS, whole_number

_WORDS = {"true": True, "false": False}


def number(text: str, family: str | None = None) -> Any:
    """The number that a text writes: `3`, `2.5`, `1e-3`, `-Inf`, `NaN`, `1/3`, `1+2i`, `true`; else a `ValueError`."""
    word = text.strip()
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    if "_" in word:
        raise ValueError(text)
    if family == "Q" or "/" in word:
        _, has_exponent, exponent = word.lower().partition("e")
        power = whole_number(exponent.removeprefix("+")) if has_exponent else 0
        if power is None or abs(power) > MOST_DIGITS:  # it would be written out in as many digits
            raise ValueError(text)
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


def numbers_of_text(array: Array, wanted: Column, where: Callable[[int], str]) -> Array:
    """The array, or the numbers its text writes where numbers are wanted; `where` tells the place of an element."""
    if wanted.space.family == "S" or not array.size or not _is_text(array):
        return array
    numbers = []
    for index, text in enumerate(array.reshape(-1).tolist()):
        try:
            numbers.append(number(text, wanted.space.family))
        except ValueError:
            raise usage("E608", f"{where(index)}: {no_number(text)}", expected=str(wanted.space)) from None
    return read_column(numbers, array.shape)[0]


def _is_text(array: Array) -> bool:
    return array.dtype.kind in "UT" or (array.dtype == object and isinstance(array.reshape(-1)[0], str))


def no_number(text: str) -> str:
    """That a text is no number, in words."""
    return f"'{shown(text, 40)}' is no number" if text.strip() else "an empty cell is no number"
