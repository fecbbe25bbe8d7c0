"""Text by characters, and as codes: places in a sorted dictionary, so that texts compare as their codes do.

Compiled code has no text.  It computes with codes, whole numbers that are equal where texts are, and in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import numpy as np

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.faults import fault, first_true, place_text
from tolang.ground.values.casting import Array, by_element

CODE = np.dtype(np.int32)
LONGEST_SHOWN = 40


# Characters


CASES: dict[str, Callable[[str], str]] = {"uppercase": str.upper, "lowercase": str.lower}
"""Functions that change the case of letters, as Unicode has it."""


def in_case(function: str, texts: Array) -> Array:
    """Each text in letters of one case."""
    return by_element(CASES[function], texts)


def closed(texts: Iterable[str], functions: Collection[str]) -> set[str]:
    """What texts become in other cases, and these in others again."""
    found, waiting = set[str](), list(texts) if functions else []
    while waiting:
        changed = set[str]()
        for function in functions:
            now = list(map(CASES[function], waiting))
            changed |= set(now).difference(waiting) if now != waiting else set()
        waiting = list(changed - found)
        found |= changed
    return found


def places_in_case(function: str, texts: Array) -> Array:
    """For each text of a dictionary the place in it of the same in letters of one case, which has to be there."""
    every = texts.tolist()
    changed = list(map(CASES[function], every))
    if changed == every:
        return np.arange(len(every), dtype=CODE)
    return np.fromiter(map(places_of(texts).__getitem__, changed), CODE, len(every))


def lengths_of(texts: Array) -> Array:
    """The number of characters of each text."""
    flat = texts.reshape(-1)
    return np.fromiter(map(len, flat.tolist()), np.int64, len(flat)).reshape(texts.shape)


def characters_at(texts: Array, places: Array) -> Array:
    """The code points of characters at places, which are counted from 1; both broadcast."""
    texts, places = np.broadcast_arrays(texts, places)
    refuse_outside(texts, places, 1, lengths_of(texts))
    return by_element(lambda text, place: ord(text[place - 1]), texts, places).astype(np.int64)


def refuse_outside(texts: Array, places: Array, least: int | Array, most: Array) -> None:
    """An error where a place is none of its text's."""
    outside = (places < least) | (places > most)
    if not outside.any():
        return
    index = first_true(outside)
    text, place, low, high = (np.broadcast_to(one, texts.shape).flat[index] for one in (texts, places, least, most))
    raise fault(
        "E513", f"coordinate {place}{place_text(index, texts.shape)} is outside the text {_shown(text)}",
        found=str(place), expected=f"{low} to {high}; the text has {len(text)} characters",
    )  # fmt: skip


def _shown(text: str) -> str:
    """The beginning of a text, as it stands in a message."""
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…")


NUMBER = re.compile(r"\s*[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)\s*", re.ASCII | re.IGNORECASE)
"""How a number is written, plainly or with a power of ten; nothing beyond ASCII, and no signs between digits."""


def number_in(text: str) -> float | None:
    """The number that a text writes; None where it writes none."""
    return float(text) if NUMBER.fullmatch(text) else None


def numbers_in(texts: Array) -> Array:
    """The numbers that texts write; an error where one writes none."""
    found = by_element(number_in, texts)
    missing = np.array([one is None for one in found.flat], bool).reshape(found.shape)
    if missing.any():
        index = first_true(missing)
        raise fault("E501", f"{_shown(texts.flat[index])}{place_text(index, texts.shape)} writes no number")
    return found.astype(float)


def written(numbers: Array) -> Array:
    """Numbers as text: the shortest that is the same number again in their storage; truth values as 0 and 1."""
    return by_element(str, numbers.astype(np.int8) if numbers.dtype == bool else numbers)


def appended(texts: Array, further: Array) -> Array:
    """Each text with another one after it; both broadcast."""
    return by_element(str.__add__, texts, further)


# Codes


class Dictionary:
    """Texts in ascending order, no two equal, the empty one the first; they may be made when they are first asked for.

    `making` gives all of so many, but the empty one where it is not among them.
    """

    __slots__ = ("_making", "_texts", "count")

    def __init__(self, count: int, making: Callable[[], list[str]]) -> None:
        if count > np.iinfo(CODE).max:
            raise fault("E508", f"no dictionary holds {count} different texts")
        self.count = count
        self._making: Callable[[], list[str]] | None = making
        self._texts: Array | None = None

    @classmethod
    def of(cls, words: list[str]) -> Dictionary:
        """A dictionary of ascending words."""
        made = cls(len(words) + (not words or words[0] != ""), lambda: words)
        made.texts  # noqa: B018 -- they are there
        return made

    def __len__(self) -> int:
        return self.count

    @property
    def texts(self) -> Array:
        """The texts, as an array of them."""
        found, making = self._texts, self._making
        if found is None:
            assert making is not None
            words = making()
            found = self._texts = objects(words if words and not words[0] else ["", *words])
            self._making = None
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Codes:
    """Texts by their places, from 0, in a dictionary."""

    places: Array
    dictionary: Dictionary

    @property
    def texts(self) -> Array:
        """The texts of the dictionary."""
        return self.dictionary.texts

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.places.shape
        return shape

    @property
    def ndim(self) -> int:
        return self.places.ndim

    @property
    def size(self) -> int:
        return self.places.size

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
    made = Dictionary.of(words)
    ranks = np.empty(len(words), dtype=CODE)
    ranks[order] = np.arange(len(made) - len(words), len(made), dtype=CODE)
    return Codes(np.asarray(ranks[places]), made)


def places_of(texts: Array) -> dict[str, int]:
    """Each text of a dictionary, in their order, with its place."""
    every = texts.tolist()
    return dict(zip(every, range(len(every)), strict=True))


def merged(several: Sequence[Codes], words: Sequence[str]) -> tuple[Dictionary, list[Array], Array]:
    """One dictionary of several and of further words, with the places of all texts and of the words in it."""
    dictionaries = list({id(one.dictionary): one.dictionary for one in several}.values())
    united, moved = _united(dictionaries)
    if not words:
        return united, [_moved(one.places, moved.get(id(one.dictionary))) for one in several], np.empty(0, CODE)
    texts, shift = _with_words(united.texts, words)
    places = []
    for one in several:
        own = _moved(one.places, moved.get(id(one.dictionary)))
        places.append(_moved(own, shift))
    wider = united if shift is None else Dictionary.of(texts.tolist())
    return wider, places, np.searchsorted(texts, objects(words)).astype(CODE)


def _moved(places: Array, to: Array | None) -> Array:
    """Places in another dictionary; the same ones where it is the same."""
    return places if to is None else np.asarray(to[places])


def _united(dictionaries: Sequence[Dictionary]) -> tuple[Dictionary, dict[int, Array]]:
    """One dictionary of several, and where each has its texts in it, unless it is the only one."""
    if len(dictionaries) < 2:
        return dictionaries[0] if dictionaries else Dictionary.of([]), {}
    lists = [one.texts.tolist() for one in dictionaries]
    every = sorted([text for one in lists for text in one])  # quick, as it consists of runs in order
    texts = list(dict.fromkeys(every))
    known = dict(zip(texts, range(len(texts)), strict=True))
    numbers = [np.fromiter(map(known.__getitem__, one), CODE, len(one)) for one in lists]
    return Dictionary.of(texts), {id(one): own for one, own in zip(dictionaries, numbers, strict=True)}


def _with_words(texts: Array, words: Sequence[str]) -> tuple[Array, Array | None]:
    """The texts of a dictionary with further words, and where its own are then; the same where it has them all."""
    wanted = objects(sorted(set(words)))
    places = np.searchsorted(texts, wanted)
    new = np.array([at == len(texts) or texts[at] != one for at, one in zip(places, wanted, strict=True)], dtype=bool)
    if not new.any():
        return texts, None
    at = places[new]
    own = np.arange(len(texts))
    return np.insert(texts, at, wanted[new]), (own + np.searchsorted(at, own, "right")).astype(CODE)


def objects(words: Sequence[str]) -> Array:
    """Texts as an array of them."""
    found = np.empty(len(words), dtype=object)
    found[:] = words
    return found


def characters_of(texts: Array) -> Array:
    """The code points of all characters of some texts, one text after the other."""
    written = "".join(texts.tolist()).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(written, np.dtype("<u4")).astype(np.int64)
