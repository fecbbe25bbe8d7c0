"""Which texts of an array differ, and so its codes: looked up one by one, or by Arrow where there are many."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

import numpy as np

from tolang.ground.arrow import codes_by_arrow
from tolang.ground.casting import Array
from tolang.ground.texts import CODE, Codes, KnownText, closed, dictionary_of, merged, places_of

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


def coded_together(
    columns: Sequence[Array], words: Sequence[str], functions: Collection[str]
) -> tuple[Array, list[Array], Array]:
    """One dictionary of all texts of columns, further words, and what these are in other cases, and places in it.

    The places are those of each column's texts, and of the words.
    """
    if any(isinstance(one, KnownText) for one in columns) or sum(one.size for one in columns) > FEW:
        several = [codes_of(one) for one in columns]
        further = closed(chain(*(one.texts.tolist() for one in several), words), functions)
        texts, places, of_words = merged(several, [*words, *further])
        return texts, places, of_words[: len(words)]
    lists = [one.reshape(-1).tolist() for one in columns]
    every = dict.fromkeys(chain(*lists, words))
    texts = dictionary_of(sorted({*every, *closed(every, functions)}))
    known = places_of(texts)

    def places_in(one: Sequence[str]) -> Array:
        return np.fromiter(map(known.__getitem__, one), CODE, len(one))

    return texts, [places_in(own).reshape(one.shape) for own, one in zip(lists, columns, strict=True)], places_in(words)


def _looked_up(texts: list[str]) -> Codes:
    """The codes of texts, each of which is looked up."""
    dictionary = dictionary_of(sorted(dict.fromkeys(texts)))
    known = places_of(dictionary)
    return Codes(np.fromiter(map(known.__getitem__, texts), CODE, len(texts)), dictionary)
