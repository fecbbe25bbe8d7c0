"""Numbers in text: what a format has no numbers for is text in the notation of the language."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tolang.ground.reporting.escaping import shown
from tolang.ground.reporting.whole_numbers import MOST_DIGITS, whole_number

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


def no_number(text: str) -> str:
    """That a text is no number, in words."""
    return f"'{shown(text, 40)}' is not a number" if text.strip() else "an empty cell is not a number"
