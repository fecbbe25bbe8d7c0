"""Neighbouring dimensions that are one stretch of memory become one loop: a map of [n,c,h,w] is a map of n*c*h*w.

Dimensions i and j of a nest are one where every read and write that mentions them does so by two neighbouring
coordinates i, j alone, in a buffer as long as j's loop there.  Then j runs on past the end of its axis into the next
row, which is where the next i would be, and i stands still at 1.  Short rows (images of 7 x 7) get long loops this way.
Rows of a contraction become one, and its columns do, so that no tile is cut where a row of a picture ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import replace
from tolang.ground.sizes import ONE, Size
from tolang.nests.nest import Buffer, Load, Nest, Plan, Step
from tolang.nests.patterns.contraction import Contraction, contraction_of
from tolang.nests.rewriting import Rewriter, map_lists
from tolang.nests.traversal import conditions_in, lie_as_one, occurrences, sizes_in

Access = tuple[Buffer, tuple[Size, ...]]


def collapse(plan: Plan) -> Plan:
    """Neighbouring dimensions that walk through memory as one are one loop."""
    return map_lists(plan, lambda steps: tuple(_collapsed(step) for step in steps))


def _collapsed(step: Step) -> Step:
    if not isinstance(step, Nest) or len(step.iterators) < 2:
        return step
    contraction = contraction_of(step)
    for position in range(len(step.iterators) - 2, -1, -1):
        outer, inner = step.iterators[position : position + 2]
        if contraction is not None and not _are_alike(contraction, outer, inner):
            continue
        if _are_one(step, outer, inner):
            first, second = step.extents[position : position + 2]
            still = Rewriter({outer: ONE}).step(step)
            assert isinstance(still, Nest)
            iterators = (*step.iterators[:position], *step.iterators[position + 1 :])
            extents = (*step.extents[:position], first * second, *step.extents[position + 2 :])
            return _collapsed(replace(still, iterators=iterators, extents=extents))
    return step


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
