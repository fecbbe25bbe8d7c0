"""Names that are like one that is not known: what somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable


def close_names(name: str, known: Iterable[str], most: int, least: float) -> list[str]:
    """The names that are most like one, so many `most`, and none less like it than `least` of 1."""
    from difflib import get_close_matches  # only where something is wrong

    return get_close_matches(name, sorted(known), most, least)
