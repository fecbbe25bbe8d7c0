"""Text by characters, and as codes: places in a sorted dictionary, so that texts compare as their codes do.

Compiled code has no text.  It computes with codes, whole numbers that are equal where texts are, and in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tolang.ground.casting import Array, by_element
from tolang.ground.faults import fault, first_true, place_text

CODE = np.dtype(np.int32)
LONGEST_SHOWN = 40


# Characters


def lengths_of(texts: Array) -> Array:
    """The number of characters of each text."""
    return by_element(len, texts).astype(np.int64)


def characters_at(texts: Array, places: Array) -> Array:
    """The code points of characters at places, which are counted from 1; both broadcast."""
    texts, places = np.broadcast_arrays(texts, places)
    outside = (places < 1) | (places > lengths_of(texts))
    if outside.any():
        index = first_true(outside)
        text, place = texts.reshape(-1)[index], int(places.reshape(-1)[index])
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
        raise fault(
            "E513", f"coordinate {place}{place_text(index, texts.shape)} is outside the text {shown!r}",
            found=str(place), expected=f"1 to {len(text)}, its number of characters",
        )  # fmt: skip
    return by_element(lambda text, place: ord(text[place - 1]), texts, places).astype(np.int64)


# Codes


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """Texts by their places, from 0, in a dictionary: ascending, no two equal, the empty text the first."""

    places: Array
    texts: Array

    def text(self) -> Array:
        """The texts themselves."""
        if self.places.ndim:
            return np.asarray(self.texts[self.places])
        found = np.empty((), dtype=object)
        found[()] = self.texts[self.places]
        return found

    def known_text(self) -> Array:
        """The texts themselves, as an array that knows its codes."""
        found = self.text().view(KnownText)
        found.codes = self
        return found


class KnownText(np.ndarray[Any, Any]):
    """An array of text whose codes are known, as of text from Arrow; what is made of it is text like any other."""

    codes: Codes | None

    def __array_finalize__(self, made_of: Any) -> None:
        self.codes = None


def sorted_codes(places: Array, order: Array, words: list[str]) -> Codes:
    """The codes of texts that stand at places in a list, of which this is the order, and these the words in order."""
    texts = _dictionary(words)
    ranks = np.empty(len(words), dtype=CODE)
    ranks[order] = np.arange(len(texts) - len(words), len(texts), dtype=CODE)
    return Codes(np.asarray(ranks[places]), texts)


def _dictionary(words: list[str]) -> Array:
    """Ascending words as a dictionary, which has the empty text as its first."""
    if not words or words[0]:
        words = ["", *words]
    if len(words) > np.iinfo(CODE).max:
        raise fault("E508", f"no dictionary holds {len(words)} different texts")
    found = np.empty(len(words), dtype=object)
    found[:] = words
    return found


def merged(several: Sequence[Codes], words: Sequence[str]) -> tuple[Array, list[Array], Array]:
    """One dictionary of several and of further words, with the places of all texts and of the words in it."""
    dictionaries = list({id(one.texts): one.texts for one in several}.values())
    first = dictionaries[0] if dictionaries else _dictionary([])
    if len(dictionaries) < 2:
        places = _known_places(first, words)
        if places is not None:
            return first, [one.places for one in several], places
    every = sorted([*(text for one in dictionaries for text in one.tolist()), *words])  # quick where runs are in order
    texts = _dictionary(list(dict.fromkeys(every)))
    known = {text: place for place, text in enumerate(texts.tolist())}
    moved = {id(one): _places(known, one.tolist()) for one in dictionaries}
    return texts, [np.asarray(moved[id(one.texts)][one.places]) for one in several], _places(known, words)


def _places(known: dict[str, int], words: Sequence[str]) -> Array:
    return np.fromiter((known[one] for one in words), CODE, len(words))


def _known_places(dictionary: Array, words: Sequence[str]) -> Array | None:
    """The places of words in a dictionary; None where it does not have them all."""
    wanted = np.empty(len(words), dtype=object)
    wanted[:] = words
    places = np.searchsorted(dictionary, wanted)
    there = places < len(dictionary)
    if not there.all() or not np.all(dictionary[places] == wanted):
        return None
    return places.astype(CODE)


def characters_of(texts: Array) -> Array:
    """The code points of all characters of some texts, one text after the other."""
    written = "".join(texts.tolist()).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(written, np.dtype("<u4")).astype(np.int64)
