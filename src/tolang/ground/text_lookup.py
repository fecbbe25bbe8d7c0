"""Which texts of an array differ, and so its codes: looked up one by one, or by Arrow where there are many."""

from __future__ import annotations

import numpy as np

from tolang.ground.arrow import codes_by_arrow
from tolang.ground.casting import Array
from tolang.ground.texts import CODE, Codes, KnownText, dictionary_of, places_of

FEW = 1 << 14
"""So many texts are looked up one by one; for more, pyarrow is worth importing, if it is there."""


def codes_of(texts: Array) -> Codes:
    """The codes of an array of text."""
    if isinstance(texts, KnownText) and texts.codes is not None:
        return texts.codes
    flat = texts.reshape(-1)
    found = codes_by_arrow(flat) if flat.size > FEW else None
    if found is None:
        found = _looked_up(flat.tolist())
    return Codes(found.places.reshape(texts.shape), found.texts)


def _looked_up(texts: list[str]) -> Codes:
    """The codes of texts, each of which is looked up."""
    dictionary = dictionary_of(sorted(dict.fromkeys(texts)))
    known = places_of(dictionary)
    return Codes(np.fromiter(map(known.__getitem__, texts), CODE, len(texts)), dictionary)
