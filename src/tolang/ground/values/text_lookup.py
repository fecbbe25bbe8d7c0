"""Which texts of an array differ, and so its codes: looked up one by one, or by Arrow where there are many."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

import numpy as np

from tolang.ground.values.arrow import codes_by_arrow
from tolang.ground.values.casting import Array
from tolang.ground.values.texts import CODE, Codes, Dictionary, KnownText, closed, merged, places_of

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
    return Codes(found.places.reshape(texts.shape), found.dictionary)


def coded_together(
    columns: Sequence[Array | Codes], words: Sequence[str], functions: Collection[str]
) -> tuple[Dictionary, list[Array], Array]:
    """One dictionary of all texts of columns, further words, and what these are in other cases, and places in it.

    The places are those of each column's texts, and of the words.
    """
    plain = [one for one in columns if not isinstance(one, Codes | KnownText)]
    if len(plain) < len(columns) or sum(one.size for one in columns) > FEW:
        several = [one if isinstance(one, Codes) else codes_of(one) for one in columns]
        texts = (one.texts.tolist() for one in several if functions)
        made, places, of_words = merged(several, [*words, *closed(chain(*texts, words), functions)])
        return made, places, of_words[: len(words)]
    lists = [one.reshape(-1).tolist() for one in plain]
    every = dict.fromkeys(chain(*lists, words))
    dictionary = Dictionary.of(sorted({*every, *closed(every, functions)}))
    known = places_of(dictionary.texts)

    def places_in(one: Sequence[str]) -> Array:
        return np.fromiter(map(known.__getitem__, one), CODE, len(one))

    shaped = [places_in(own).reshape(one.shape) for own, one in zip(lists, plain, strict=True)]
    return dictionary, shaped, places_in(words)


def _looked_up(texts: list[str]) -> Codes:
    """The codes of texts, each of which is looked up."""
    dictionary = Dictionary.of(sorted(dict.fromkeys(texts)))
    known = places_of(dictionary.texts)
    return Codes(np.fromiter(map(known.__getitem__, texts), CODE, len(texts)), dictionary)
