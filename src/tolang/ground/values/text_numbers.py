"""Numbers of texts, as threads find them that somebody lends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tolang.ground.values.casting import Array

MANY = 1 << 16
"""From so many texts on threads help to number them; the code for that is compiled once on a machine."""
Numbering = Callable[[Array, Sequence[Array]], tuple[Array, Array] | None]
"""Gives numbers of texts, and one text of each number; of where texts lie, and buffers of bytes in UTF-8.

Where they lie is where each begins in the one buffer, and the last ends, or for each a view of 16 bytes, as in Arrow.

The numbers are those of a dictionary: in the order of texts, 0 that of the empty one, whether it is there or not.
None where texts are not as they should be, or there are too many.
"""
_LENT: list[Numbering] = []


def lend(numbering: Numbering) -> None:
    """Lets threads of an engine number texts from now on."""
    _LENT[:] = [numbering]


def numbered_by_threads(places: Array, buffers: Sequence[Array]) -> tuple[Array, Array, int] | None:
    """The numbers of texts, one text of each that is there in order, and a dictionary's size; None without help."""
    found = _LENT[0](places, buffers) if _LENT else None
    if found is None:
        return None
    numbers, firsts = found
    return numbers, firsts, len(firsts) + int(numbers[firsts[0]])
