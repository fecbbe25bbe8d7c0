"""Which texts of an array differ, and so its codes: looked up one by one, or by Arrow where there are many."""

from __future__ import annotations

import numpy as np

from tolang.ground.arrow import differing_texts
from tolang.ground.casting import Array
from tolang.ground.texts import CODE, Codes, KnownText, sorted_codes

FEW = 1 << 14
"""So many texts are looked up one by one; for more, pyarrow is worth importing, if it is there."""


def codes_of(texts: Array) -> Codes:
    """The codes of an array of text."""
    if isinstance(texts, KnownText) and texts.codes is not None:
        return texts.codes
    flat = texts.reshape(-1)
    found = differing_texts(flat) if flat.size > FEW else None
    places, words = found or _looked_up(flat.tolist())
    return sorted_codes(places.reshape(texts.shape), words)


def _looked_up(texts: list[str]) -> tuple[Array, list[str]]:
    """The place of each text among those that differ, in the order in which they come; and these."""
    known: dict[str, int] = {}
    places = np.array([known.setdefault(one, len(known)) for one in texts], dtype=CODE)
    return places, list(known)
