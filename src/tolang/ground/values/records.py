"""Fields of records, which lie in one another's midst: taken apart a block at a time, so that memory is read once.

What goes through records in order may read fields where they lie; those are only looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from tolang.ground.values.casting import Array

FEWEST = 1 << 14
"""Records below this are in a cache anyway."""
BLOCK = 1 << 18
"""How many bytes of records are taken at a time: what one field's turn has read is still there in the next one's."""
NEAR = 1 << 15
"""How many a thread takes: in the nearest cache, so that what it copies is there when it is looked at."""
MANY = 1 << 18
"""From so many elements on threads that somebody lends help to look at them."""
Looking = Callable[[Sequence[Array], Sequence[Array | None], int], list[int] | None]
"""Gives the least word of each of some columns, and copies those that have a place for it, a block of rows a time."""
LookingInRecords = Callable[[Sequence[Array], int], list[int] | None]
"""Gives the least word of each of some fields of the same records where they lie, so many records a time."""
_LENT: list[Looking] = []
_LENT_IN_RECORDS: list[LookingInRecords] = []


def lend(looking: Looking, in_records: LookingInRecords) -> None:
    """Lets threads of an engine look at columns of 8 bytes an element from now on."""
    _LENT[:], _LENT_IN_RECORDS[:] = [looking], [in_records]


def least_of(array: Array) -> int:
    """The least of some whole numbers."""
    if _LENT and array.size >= MANY and array.dtype == np.int64 and array.flags.c_contiguous:
        found = _LENT[0]([array.reshape(-1)], [None], BLOCK // 8)
        if found is not None:
            return found[0]
    return int(array.min())


def step_of(column: Array) -> int | None:
    """How many elements a field's elements are apart, so that it can be read where it lies; None for whatever else."""
    if column.ndim != 1 or column.flags.c_contiguous:
        return None
    step, rest = divmod(column.strides[0], column.itemsize)
    return step if step > 0 and not rest else None


def fields_apart(
    columns: Sequence[Array] | Mapping[int, Array],
    chosen: Iterable[int],
    look: bool = False,
    left: Collection[int] = (),
) -> tuple[dict[int, Array], dict[int, int]]:
    """Copies of those columns, by position, that are fields of the same records; if asked, the least number of each.

    There are none of those that are to be `left` where they lie, if they can be read there.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for position in chosen:
        one = columns[position]
        if one.ndim == 1 and one.size >= FEWEST and one.dtype.kind in "biufc" and not one.flags.c_contiguous:
            lies = position in left and step_of(one) is not None
            groups.setdefault((lies, id(one.base), one.size, *one.strides), []).append(position)
    copies: dict[int, Array] = {}
    least: dict[int, int] = {}
    for (stays, *_), positions in groups.items():
        if stays:
            least |= zip(positions, _least_in_records([columns[k] for k in positions]), strict=True) if look else ()
        elif len(positions) > 1:
            own = {position: np.empty(columns[position].size, columns[position].dtype) for position in positions}
            found = _copied_by_threads([columns[k] for k in own], list(own.values()), look)
            found = _copied([columns[k] for k in own], list(own.values()), look) if found is None else found
            copies |= own
            least |= zip(own, found, strict=True) if look else ()
    return copies, least


def _least_in_records(fields: Sequence[Array]) -> list[int]:
    """The least number of each of some fields of the same records, looked at where they lie."""
    found = None
    if _LENT_IN_RECORDS and fields[0].size >= MANY and all(one.dtype == np.int64 for one in fields):
        found = _LENT_IN_RECORDS[0](fields, _length(fields[0], BLOCK))
    if found is not None:
        return found
    length, least = _length(fields[0], BLOCK), [int(one[0]) for one in fields]
    for low in range(0, fields[0].size, length):
        least = [min(known, int(one[low : low + length].min())) for known, one in zip(least, fields, strict=True)]
    return least


def _length(column: Array, block: int) -> int:
    """How many records a block of so many bytes has."""
    return max(1, block // abs(column.strides[0])) if column.strides[0] else column.size


def _copied_by_threads(columns: Sequence[Array], copies: Sequence[Array], look: bool) -> list[int] | None:
    """Copies columns if somebody lends threads that can; the least number of each, or None."""
    words = all(one.dtype == np.int64 if look else one.itemsize == 8 for one in columns)
    if not _LENT or not words or columns[0].size < MANY:
        return None
    return _LENT[0](columns, copies, _length(columns[0], NEAR))


def _copied(columns: Sequence[Array], copies: Sequence[Array], look: bool) -> list[int]:
    """Copies block after block of all columns; the least number of each, if asked, found while a block is at hand."""
    least: list[list[int]] = [[] for _ in columns]
    length = _length(columns[0], BLOCK)
    for low in range(0, columns[0].size, length):
        for column, copy, found in zip(columns, copies, least, strict=True):
            part = copy[low : low + length]
            part[...] = column[low : low + length]
            if look:
                found.append(int(part.min()))
    return [min(found, default=0) for found in least]
