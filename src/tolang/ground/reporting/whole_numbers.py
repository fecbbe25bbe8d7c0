"""Whole numbers in text that a user or a file wrote: read where they are of a sensible length, else no numbers."""

from __future__ import annotations

MOST_DIGITS = 1000
"""As many as a number in a program may have: Python refuses some thousands, and takes its time before that."""


def whole_number(text: str) -> int | None:
    """The whole number that a text writes in digits, with a sign where it is below zero; None of any other text."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None
