"""Neighbouring dimensions that are one stretch of memory become one loop: a map of [n,c,h,w] is a map of n*c*h*w.

Dimensions i and j of a nest are one where every read and write that mentions them does so by two neighbouring
coordinates i, j alone, in a buffer as long as j's loop there.  Then j runs on past the end of its axis into the next
row, which is where the next i would be, and i stands still at 1.  Short rows (images of 7 x 7) get long loops this way,
also where another loop is between the two.
Rows of a contraction become one, and its columns do, so that no tile is cut where a row of a picture ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import replace
from tolang.ground.sizes import ONE, Size
from tolang.nests.nest import Buffer, Load, Nest
from tolang.nests.patterns.contraction import Contraction, contraction_of
from tolang.nests.rewriting import Rewriter
from tolang.nests.traversal import conditions_in, lie_as_one, occurrences, sizes_in

Access = tuple[Buffer, tuple[Size, ...]]


def collapsed(nest: Nest) -> Nest:
    """A nest whose dimensions that walk through memory as one are one loop."""
    if len(nest.iterators) < 2:
        return nest
    contraction = contraction_of(nest)
    for position in range(len(nest.iterators) - 1, 0, -1):
        inner = nest.iterators[position]
        nearest = 0 if contraction is None else position - 1
        for before in range(position - 1, nearest - 1, -1):
            outer = nest.iterators[before]
            if contraction is not None and not _are_alike(contraction, outer, inner):
                continue
            if _are_one(nest, outer, inner):
                return collapsed(_as_one(nest, before, position))
    return nest


def _as_one(nest: Nest, before: int, position: int) -> Nest:
    """A nest whose dimension at a position runs on through the one before it, which stands still."""
    still = Rewriter({nest.iterators[before]: ONE}).step(nest)
    assert isinstance(still, Nest)
    extents = list(nest.extents)
    extents[position] = extents[before] * extents[position]
    iterators = (*nest.iterators[:before], *nest.iterators[before + 1 :])
    return replace(still, iterators=iterators, extents=(*extents[:before], *extents[before + 1 :]))


def _are_alike(contraction: Contraction, outer: str, inner: str) -> bool:
    """Whether two dimensions of a contraction are both of its rows, or both of its columns."""
    return any({outer, inner} <= {name for name, _ in one} for one in (contraction.rows, contraction.columns))


def _are_one(nest: Nest, outer: str, inner: str) -> bool:
    """Whether two dimensions are met in memory as one, everywhere in a nest; the targets give their lengths."""
    lengths = dict(zip(nest.iterators, nest.extents, strict=True))
    both = {outer, inner}
    if any(both & extent.names() for extent in nest.extents):
        return False
    if not all(_adjacent(access, outer, inner, lengths) == "whole" for access in nest.targets):
        return False
    if not all(_adjacent(access, outer, inner, lengths) for access in _reads(nest)):
        return False
    for value in nest.values:
        for one in occurrences(value):
            sizes = () if isinstance(one.scalar, Load) else tuple(sizes_in(one.scalar))
            mentioned = frozenset[str]().union(
                *(s.names() for s in sizes), *(c.names() for c in conditions_in(one.scalar))
            )
            if both & mentioned:
                return False
    return True


def _reads(nest: Nest) -> Iterator[Access]:
    for value in nest.values:
        for one in occurrences(value):
            if isinstance(one.scalar, Load):
                yield one.scalar.buffer, one.scalar.indices


def _adjacent(access: Access, outer: str, inner: str, lengths: dict[str, Size]) -> str:
    """`whole` where two dimensions are neighbouring axes of their lengths, `free` where neither occurs, else empty."""
    buffer, at = access
    mentioning = [k for k, index in enumerate(at) if {outer, inner} & index.names()]
    if not mentioning:
        return "free"
    if len(mentioning) != 2 or [at[k] for k in mentioning] != [Size.of(outer), Size.of(inner)]:
        return ""
    first, second = mentioning
    whole = buffer.shape[first] == lengths[outer] and lie_as_one(buffer, at, first, second, lengths[inner])
    return "whole" if whole else ""
