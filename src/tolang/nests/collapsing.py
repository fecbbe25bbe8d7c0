"""Neighbouring dimensions that are one stretch of memory become one loop: a map of [n,c,h,w] is a map of n*c*h*w.

Dimensions i and j of a nest are one where every read and write that mentions them does so by two neighbouring
coordinates i, j alone, in a buffer as long as j's loop there.  Then j runs on past the end of its axis into the next
row, which is where the next i would be, and i stands still at 1.  Short rows (images of 7 x 7) get long loops this way,
also where another loop is between the two.
Rows of a contraction become one, and its columns do, so that no tile is cut where a row of a picture ends.  So do the
dimensions of a fold that may be regrouped, whose order stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from tolang.ground.dataclasses import replace
from tolang.ground.sizes import ONE, Size
from tolang.nests.nest import Bind, Buffer, Group, Load, Nest, Reduction, Scalar
from tolang.nests.patterns.contraction import Contraction, contraction_of
from tolang.nests.rewriting import Rewriter
from tolang.nests.traversal import conditions_in, has_fold, lie_as_one, occurrences, sizes_in

Access = tuple[Buffer, tuple[Size, ...]]
Plain = TypeVar("Plain", Nest, Bind)


def collapsed(nest: Nest) -> Nest:
    """A nest whose dimensions that walk through memory as one are one loop."""
    contraction = contraction_of(nest)
    if contraction is None:
        nest = with_collapsed_folds(nest)
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


def with_collapsed_folds(step: Plain) -> Plain:
    """A step whose folds that may be regrouped have one dimension for those that walk through memory as one."""
    made: dict[int, Group] = {}

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction) or scalar.group.combine is None or scalar.group.ordered:
            return None
        if id(scalar.group) not in made:
            made[id(scalar.group)] = _collapsed_fold(scalar.group)
        group = made[id(scalar.group)]
        return None if group is scalar.group else replace(scalar, group=group)

    changed = Rewriter(rule=rule, only=has_fold).step(step)
    assert isinstance(changed, type(step))
    return changed


def _collapsed_fold(group: Group) -> Group:
    """A fold whose neighbouring dimensions that walk through memory as one are one."""
    for position in range(len(group.iterators) - 1, 0, -1):
        outer, inner = group.iterators[position - 1 : position + 1]
        lengths = dict(zip(group.iterators, group.extents, strict=True))
        if _read_as_one(group.steps, outer, inner, lengths):
            steps = tuple(Rewriter({outer: ONE}).scalar(step) for step in group.steps)
            iterators = (*group.iterators[: position - 1], *group.iterators[position:])
            before, after = group.extents[: position - 1], group.extents[position + 1 :]
            extents = (*before, lengths[outer] * lengths[inner], *after)
            return _collapsed_fold(replace(group, iterators=iterators, extents=extents, steps=steps))
    return group


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
    written = all(_adjacent(access, outer, inner, lengths) == "whole" for access in nest.targets)
    return written and _read_as_one(nest.values, outer, inner, lengths)


def _read_as_one(values: Iterable[Scalar], outer: str, inner: str, lengths: dict[str, Size]) -> bool:
    """Whether values meet two dimensions as one wherever they read, and nowhere else."""
    both = {outer, inner}
    if any(both & extent.names() for extent in lengths.values()):
        return False
    for value in values:
        for one in occurrences(value):
            if isinstance(one.scalar, Load) and not _adjacent(
                (one.scalar.buffer, one.scalar.indices), outer, inner, lengths
            ):
                return False
            sizes = () if isinstance(one.scalar, Load) else tuple(sizes_in(one.scalar))
            mentioned = frozenset[str]().union(
                *(s.names() for s in sizes), *(c.names() for c in conditions_in(one.scalar))
            )
            if both & mentioned:
                return False
    return True


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
