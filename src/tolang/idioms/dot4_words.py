"""Words of four numbers of eight bits that lie one after the other.

    quad(a[i,4q-3], a[i,4q-2], a[i,4q-1], a[i,4q])

are the bytes of row i of a, four at a time.  What is read is there: where that goes up to the last word, whole words
fill the row.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size, floor_division
from tolang.plan.nest import QUAD, Load, Operation, Scalar

FOUR = 4


def words_of(length: Size) -> Size:
    """How many words so many numbers take."""
    return floor_division(length + (FOUR - 1), Size.of(FOUR))


def first_of_word(value: Scalar) -> Load | None:
    """The first of four numbers that lie one after the other and make a word; None where it is none."""
    if not isinstance(value, Operation) or value.function != QUAD:
        return None
    loads = [one for one in value.arguments if isinstance(one, Load) and not one.checks]
    if len(loads) != FOUR or any(one.buffer.panels is not None for one in loads):
        return None
    first, *others = loads
    (*outer, last), buffer = first.indices, first.buffer
    for k, one in enumerate(others, start=1):
        if one.buffer != buffer or list(one.indices) != [*outer, last + k]:
            return None
    return first


def word_as_it_lies(value: Scalar) -> Load | None:
    """A word of such numbers as if it were read from a buffer of words; None where it is none."""
    first = first_of_word(value)
    if first is None:
        return None
    *outer, last = first.indices
    *lengths, length = first.buffer.shape
    names = (last + (FOUR - 1)).names()
    name = next(iter(names)) if len(names) == 1 else ""
    if last != Size.of(name) * FOUR - (FOUR - 1):
        return None
    buffer = replace(first.buffer, column=value.column, shape=(*lengths, words_of(length)))
    return Load(buffer, (*outer, Size.of(name)), column=value.column)
