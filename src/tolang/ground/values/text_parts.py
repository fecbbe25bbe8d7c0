"""Parts of texts.  Of texts whose codes are known each different part is made once.

Which parts are equal is found word by word, at all of them at once.
"""

from __future__ import annotations

import numpy as np

from tolang.ground.values.casting import Array
from tolang.ground.values.texts import (
    CODE,
    Codes,
    KnownText,
    lengths_of,
    objects,
    refuse_outside,
    sorted_codes,
)

FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""What hashes are multiplied by: odd, so that no two become one, and with bits everywhere."""
ROOM = 4
"""Places of a table of hashes for each of them."""
FEW = 64
"""Up to so many parts are made one by one."""
WORD = 8
LONGEST = 32 * WORD
"""Bytes up to which parts are looked at word by word; longer ones are made one by one."""
KEPT = np.array([(1 << 8 * count) - 1 for count in range(WORD + 1)], np.uint64)
"""What is kept of a word of which so many bytes count."""


def substrings(texts: Array, first: Array, last: Array) -> Array:
    """The characters of texts from a first to a last place, which may be the one before it; all broadcast."""
    codes = texts.codes if isinstance(texts, KnownText) else None
    shape = np.broadcast_shapes(texts.shape, first.shape, last.shape)
    texts, first, last = (np.broadcast_to(one, shape) for one in (texts, first, last))
    each = lengths_of(texts if codes is None else codes.texts)
    lengths = each if codes is None else each[codes.places]
    refuse_outside(texts, first, 1, lengths + 1)
    refuse_outside(texts, last, first - 1, lengths)
    if codes is not None and texts.size > FEW:
        places, begins, ends = (
            one.reshape(-1).astype(np.int64, copy=False) for one in (np.broadcast_to(codes.places, shape), first, last)
        )
        made = _different(codes.texts, each, places, begins - 1, ends)
        if made is not None:
            return Codes(made.places.reshape(shape), made.dictionary).known_text()
    triples = zip(texts.reshape(-1).tolist(), (first - 1).reshape(-1).tolist(), last.reshape(-1).tolist(), strict=True)
    return objects([text[begin:end] for text, begin, end in triples]).reshape(shape)


def _different(texts: Array, lengths: Array, places: Array, begins: Array, ends: Array) -> Codes | None:
    """The codes of parts of texts, which are told by their places in a dictionary; None where some are long."""
    data, width = _bytes(texts)
    counts = (ends - begins) * width
    if counts.max() > LONGEST:
        return None
    starts = np.cumsum(lengths) - lengths
    like = _first_alike(data, (starts[places] + begins) * width, counts)
    taken = np.zeros(len(like), bool)
    taken[like] = True
    which, numbers = np.flatnonzero(taken), (np.cumsum(taken) - 1)[like]
    triples = zip(texts[places[which]], begins[which], ends[which], strict=True)
    words = [text[begin:end] for text, begin, end in triples]
    order = sorted(range(len(words)), key=words.__getitem__)
    return sorted_codes(numbers, np.array(order, CODE), [words[k] for k in order])


def _bytes(texts: Array) -> tuple[bytes, int]:
    """All characters of some texts, one text after the other, and how many bytes each of them has."""
    every = "".join(texts.tolist())
    try:
        return every.encode("latin-1"), 1
    except UnicodeEncodeError:
        return every.encode("utf-32-le", "surrogatepass"), 4


def _first_alike(data: bytes, begins: Array, counts: Array) -> Array:
    """For each stretch of bytes one that is equal, for all equal ones the same: word by word, as far as each goes."""
    words = np.ndarray((len(data) + 1,), "<u8", data + bytes(WORD), strides=(1,))  # which begin at every byte
    like = _paired(counts, words[begins] & KEPT[np.minimum(counts, WORD)])
    for begin in range(WORD, int(counts.max()), WORD):
        left = np.flatnonzero(counts > begin)
        word = words[begins[left] + begin] & KEPT[np.minimum(counts[left] - begin, WORD)]
        like[left] = left[_paired(like[left], word)]
    return like


def _paired(numbers: Array, words: Array) -> Array:
    """For each pair of a number and a word the place of one that is equal, for all equal ones the same.

    Pairs are entered in a table by hashes; those that met another one there are entered in the next, by other hashes.
    """
    found = np.full(len(numbers), -1)
    hashes = (numbers.astype(np.uint64) * FACTOR ^ words) * FACTOR
    shift = np.uint64(64 - max(1, (ROOM * len(numbers) - 1).bit_length()))
    waiting = np.arange(len(numbers))
    while len(waiting):
        hashes = (hashes ^ (hashes >> np.uint64(29))) * FACTOR
        slots = (hashes[waiting] >> shift).astype(np.int64)
        table = np.empty(1 << 64 - int(shift), np.int64)
        table[slots] = waiting
        met = table[slots]
        same = (numbers[met] == numbers[waiting]) & (words[met] == words[waiting])
        found[waiting[same]] = met[same]
        waiting = waiting[~same]
    return found
