"""Neighbouring dimensions that are one stretch of memory become one loop: a map of [n,c,h,w] is a map of n*c*h*w.

Dimensions i and j of a nest are one where every read and write that mentions them does so by two neighbouring
coordinates i, j alone, in a buffer as long as j's loop there.  Then j runs on past the end of its axis into the next
row, which is where the next i would be, and i stands still at 1.  Short rows (images of 7 x 7) get long loops this way,
also where another loop is between the two.
Rows of a contraction become one, and its columns do, so that no tile is cut where a row of a picture ends.

The dimensions of a fold become one where its elements may be taken in the order of memory: last coordinate fastest,
where a fold that keeps its order has the first coordinate fastest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.idioms.contraction import Contraction, contraction_of
from tolang.plan.access import Access, access_of, access_to
from tolang.plan.nest import Bind, Group, Load, Nest, Reduction, Scalar
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import conditions_in, has_fold, scalars_in, sizes_in

Plain = TypeVar("Plain", Nest, Bind)


def collapsed(nest: Nest) -> Nest:
    """A nest whose dimensions that walk through memory as one are one loop."""
    contraction = contraction_of(nest)
    walked = Walked(nest)
    while (pair := _pair_of(walked, contraction)) is not None:
        walked.join(*pair)
    if not walked.still:
        return nest
    made = Rewriter(dict.fromkeys(walked.still, ONE)).nest(nest)
    return replace(made, iterators=tuple(walked.lengths), extents=tuple(walked.lengths.values()))


def _pair_of(walked: Walked, contraction: Contraction | None) -> tuple[str, str] | None:
    """Two dimensions that are met in memory as one, the inner one as far inside as there is such; None without."""
    names = tuple(walked.lengths)
    for position in range(len(names) - 1, 0, -1):
        nearest = 0 if contraction is None else position - 1
        for before in range(position - 1, nearest - 1, -1):
            pair = names[before], names[position]
            if (contraction is None or _are_alike(contraction, *pair)) and walked.are_one(*pair):
                return pair
    return None


class Walked:
    """The loops of a nest with their lengths, and how its reads and writes walk through memory by them.

    Dimensions that were joined with others stand `still`.
    """

    def __init__(self, nest: Nest) -> None:
        self.lengths = dict(zip(nest.iterators, nest.extents, strict=True))
        self.written = [access_to(*target) for target in nest.targets]
        self.read, self.elsewhere = _met(nest.values)
        self.still: list[str] = []

    def are_one(self, outer: str, inner: str) -> bool:
        """Whether two dimensions are met in memory as one, everywhere; what is written gives their lengths."""
        whole = all(_adjacent(access, outer, inner, self.lengths) == "whole" for access in self.written)
        return whole and _are_met_as_one(self.read, self.elsewhere, outer, inner, self.lengths)

    def join(self, outer: str, inner: str) -> None:
        """Has a dimension run on through one around it, which stands still."""
        self.lengths[inner] = self.lengths.pop(outer) * self.lengths[inner]
        self.written, self.read = (
            [access_to(one.buffer, tuple([ONE if at.name == outer else at for at in one.indices])) for one in accesses]
            for accesses in (self.written, self.read)
        )
        self.still.append(outer)


def _met(values: Iterable[Scalar]) -> tuple[list[Access], frozenset[str]]:
    """What values read, each once, and the names that they have elsewhere than where they read."""
    found: dict[tuple[str, tuple[Size, ...]], Access] = {}
    elsewhere: set[str] = set()
    for value in values:
        for one in scalars_in(value):
            if isinstance(one, Load):
                found[one.buffer.name, one.indices] = access_of(one)
            else:
                elsewhere.update(*[size.names() for size in sizes_in(one)])
            elsewhere.update(*[condition.names() for condition in conditions_in(one)])
    return list(found.values()), frozenset(elsewhere)


def _are_met_as_one(
    read: Iterable[Access], elsewhere: frozenset[str], outer: str, inner: str, lengths: dict[str, Size]
) -> bool:
    """Whether reads meet two dimensions as one, and nothing else mentions them."""
    both = {outer, inner}
    if not elsewhere.isdisjoint(both) or any(not both.isdisjoint(extent.names()) for extent in lengths.values()):
        return False
    return all(_adjacent(access, outer, inner, lengths) for access in read)


def with_collapsed_folds(step: Plain, combines: Collection[str]) -> Plain:
    """A step whose folds by some functions have one dimension for those that walk through memory as one."""
    made: dict[int, Group] = {}

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction) or scalar.group.combine not in combines or scalar.group.ordered:
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
    read, elsewhere = _met(group.steps)
    for position in range(len(group.iterators) - 1, 0, -1):
        outer, inner = group.iterators[position - 1 : position + 1]
        lengths = dict(zip(group.iterators, group.extents, strict=True))
        if _are_met_as_one(read, elsewhere, outer, inner, lengths):
            steps = tuple(Rewriter({outer: ONE}).scalar(step) for step in group.steps)
            iterators = (*group.iterators[: position - 1], *group.iterators[position:])
            before, after = group.extents[: position - 1], group.extents[position + 1 :]
            extents = (*before, lengths[outer] * lengths[inner], *after)
            return _collapsed_fold(replace(group, iterators=iterators, extents=extents, steps=steps))
    return group


def _are_alike(contraction: Contraction, outer: str, inner: str) -> bool:
    """Whether two dimensions of a contraction are both of its rows, or both of its columns."""
    return any({outer, inner} <= {name for name, _ in one} for one in (contraction.rows, contraction.columns))


def _adjacent(access: Access, outer: str, inner: str, lengths: dict[str, Size]) -> str:
    """`whole` where two dimensions are neighbouring axes of their lengths, `free` where neither occurs, else empty."""
    if access.invariant(outer) and access.invariant(inner):
        return "free"
    axes = access.axes_of((outer, inner))
    whole = axes is not None and access.buffer.shape[axes[0]] == lengths[outer]
    return "whole" if whole and access.runs_on(outer, inner, lengths[inner]) else ""
