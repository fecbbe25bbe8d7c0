"""Walks: folds at each point of a nest whose state says where they read next, as one goes down a tree or along a list.

    reduce(tol[depth], (s,e) -> ways[s, if x[features[s]] <= splits[s] then 1 else 2], root)

Such a fold waits for memory at every step, which nothing can shorten, but the folds of neighbouring points wait
together where they take turns: each in the order written and to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Checked, Draw, Group, Load, Nest, Reduction, Scalar, Select, Where
from tolang.plan.traversal import dependencies, has_fold, walk

ABREAST = 8
"""How many points take turns at most: as many as a processor keeps in sight, each with a few instructions."""
LONGEST_STEP = 64
"""Up to how many parts a step has, as it is written once for each point."""


@dataclass(frozen=True, slots=True)
class Walks:
    """Folds of a nest that walk, and the last dimension of several points, which take turns, so many `abreast`."""

    groups: tuple[Group, ...]
    point: str
    abreast: int


def walks_of(nest: Nest) -> Walks | None:
    """The walks of a nest, all of whose folds have to be such; None where it has none."""
    inside = [one for value in nest.values for one in walk(value)]
    groups = {id(one.group): one.group for one in inside if isinstance(one, Reduction)}
    if not groups or not all(map(is_walk, groups.values())) or any(map(_asks_first, inside)):
        return None
    bound = {name for one in inside if isinstance(one, Where) for name, _ in one.bindings}
    needed = {name for one in inside if isinstance(one, Reduction) for name in dependencies(one)}
    lengths = {name for group in groups.values() for name in group.extents[0].names()}
    many = [(name, extent) for name, extent in zip(nest.iterators, nest.extents, strict=True) if _abreast(extent) > 1]
    if not many or bound & needed or many[-1][0] in lengths:
        return None
    point, extent = many[-1]
    return Walks(tuple(groups.values()), point, _abreast(extent))


def _asks_first(scalar: Scalar) -> bool:
    """Whether there is a fold inside that is computed at some points only."""
    return isinstance(scalar, Select | Checked) and has_fold(scalar)


def _abreast(extent: Size) -> int:
    """How many points of a dimension take turns: all of them where they are few."""
    return ABREAST if extent.constant is None else max(1, min(ABREAST, int(extent.constant)))


def is_walk(group: Group) -> bool:
    """Whether a fold of one dimension reads where its state says, in a few steps without a fold or a branch inside."""
    parts = [one for step in group.steps for one in walk(step)]
    plain = len(group.iterators) == 1 and group.combine is None and len(parts) <= LONGEST_STEP
    alone = not any(has_fold(one) for one in (*group.initials, *group.steps))
    return plain and alone and any(_reads_on(group)) and not any(map(_branches, parts))


def _reads_on(group: Group) -> Iterator[bool]:
    """For each read of a step whether its coordinates come from the state."""
    told = set(group.states)
    for one in (one for step in group.steps for one in walk(step)):
        if isinstance(one, Where):
            told |= {name for name, value in one.bindings if dependencies(value) & told}
        if isinstance(one, Load):
            yield any(index.names() & told for index in one.indices)


def _branches(scalar: Scalar) -> bool:
    """Whether code has to be left out at some points: then they do not take turns, but wait for one another."""
    match scalar:
        case Checked() | Draw():
            return True
        case Select(guard=guard, then=then, otherwise=otherwise) if guard is not None:
            return any(isinstance(one, Load) for side in (then, otherwise) for one in walk(side))
    return False
