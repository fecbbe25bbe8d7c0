"""Fields of records, which lie in one another's midst: taken apart a block at a time, so that memory is read once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tolang.ground.casting import Array

FEWEST = 1 << 14
"""Records below this are in a cache anyway."""
BLOCK = 1 << 18
"""How many bytes of records are taken at a time: what one field's turn has read is still there in the next one's."""


def fields_apart(
    columns: Sequence[Array], chosen: Iterable[int], look: bool = False
) -> tuple[dict[int, Array], dict[int, int]]:
    """Copies of those columns, by position, that are fields of the same records; if asked, the least number of each."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for position in chosen:
        one = columns[position]
        if one.ndim == 1 and one.size >= FEWEST and one.dtype.kind in "biufc" and not one.flags.c_contiguous:
            groups.setdefault((id(one.base), one.size, *one.strides), []).append(position)
    copies: dict[int, Array] = {}
    least: dict[int, int] = {}
    for positions in groups.values():
        if len(positions) > 1:
            copies |= {position: np.empty(columns[position].size, columns[position].dtype) for position in positions}
            for position, array in _each_block(columns, positions, copies):
                if look:
                    found = int(array.min())
                    least[position] = min(found, least.get(position, found))
    return copies, least


def _each_block(
    columns: Sequence[Array], positions: Sequence[int], copies: dict[int, Array]
) -> Iterable[tuple[int, Array]]:
    """Copies block after block of all columns, and gives each piece while it is at hand."""
    first = columns[positions[0]]
    length = max(1, BLOCK // abs(first.strides[0])) if first.strides[0] else first.size
    for low in range(0, first.size, length):
        for position in positions:
            copied = copies[position][low : low + length]
            copied[...] = columns[position][low : low + length]
            yield position, copied
