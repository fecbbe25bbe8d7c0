"""Copies of what phases have computed: read from where these write it, and not from its own order first.

    t[n,c,p,r] = …        with r <= 2        is computed as t'[n,p,r,c]
    d[n,c,x] = t[n,c,(x+1)/2,x-2*((x+1)/2)+2]                   becomes    d[n,c,x] = t'[n,(x+1)/2,x-2*((x+1)/2)+2,c]

Where `reshapes` was, the copy reads t[1,1,1,p], a position among all elements: its coordinates go along one axis each,
or along neighbouring ones, which are neighbours in t', too.
"""

from __future__ import annotations

import math

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.plan.access import access_of
from tolang.plan.nest import Allocate, Buffer, Load, Nest, Step
from tolang.plan.traversal import used_names
from tolang.plan.uses import allocations, names_bound, uses_of, without_allocations


@dataclass(frozen=True, slots=True)
class CopiedResult:
    """A list of steps around one whose result is only copied: those before it and behind it, without the copy.

    What the copy writes is there before it, and what it reads is nobody else's any more.
    """

    before: tuple[Step, ...]
    copy: Nest
    behind: tuple[Step, ...]


def copied_after(steps: tuple[Step, ...], position: int, kept: frozenset[str]) -> CopiedResult | None:
    """The steps around a nest whose result is in no buffer that is `kept`, and is copied by one nest behind it."""
    step = steps[position]
    assert isinstance(step, Nest)
    name = step.targets[0][0].name
    uses = uses_of(steps)
    users = uses.users(name)
    if len(step.targets) != 1 or len(users) != 2 or users[0] != position or name in kept:
        return None
    copy = steps[users[1]]
    if not isinstance(copy, Nest) or len(copy.targets) != 1 or not isinstance(copy.values[0], Load):
        return None
    goal, passed, behind = copy.targets[0][0], steps[position + 1 : users[1]], steps[users[1] + 1 :]
    if copy.values[0].checks or any(position < user < users[1] for user in uses.users(goal.name)):
        return None
    made = allocations(passed).get(goal.name)
    if not uses.is_made_before(name, position) or made is None:
        return None
    result = Allocate(made)
    if names_bound(passed) & (used_names(copy) | used_names(result)):
        return None
    left = (*without_allocations(passed, goal.name), *behind)
    return CopiedResult((*without_allocations(steps[:position], name), result), copy, left)


def copy_in_order(copy: Nest, nest: Nest, rest: Nest, raw: Nest) -> Nest | None:
    """A copy of what a nest computes that reads what `raw` does instead, of which `rest` would compute it.

    Its loops are as the result lies, but for those along the last axis that `raw` writes, which are before the last.
    None where it is no mere copy, or does not go along axes that are neighbours for both.
    """
    (whole, at), (other, at_other), (load,) = nest.targets[0], raw.targets[0], copy.values
    assert isinstance(load, Load)
    if not isinstance(rest.values[0], Load) or len(rest.values) != 1 or rest.values[0].buffer.name != other.name:
        return None
    if sorted(map(str, at)) != sorted(map(str, at_other)) or any(one != ONE for one in load.indices[:-1]):
        return None
    axes, strides, others = dict[str, int](), _strides(whole), _strides(other)
    for name in copy.iterators:
        moved = access_of(load).stride(name)
        found = next((k for k, one in enumerate(strides) if one == moved and k not in axes.values()), None)
        if found is None:
            return None
        axes[name] = found
    if load.indices[-1] != _position({name: strides[axis] for name, axis in axes.items()}):
        return None
    places = [at_other.index(one) for one in at]
    if not _are_neighbours(places, sorted(axes.values())):
        return None
    position = _position({name: others[places[axis]] for name, axis in axes.items()})
    value = replace(load, buffer=other, indices=(*(ONE for _ in other.shape[1:]), position))
    return _with_loops(replace(copy, values=(value,)), [name for name in axes if places[axes[name]] == len(at) - 1])


def _strides(buffer: Buffer) -> list[Size]:
    return [math.prod(buffer.shape[k + 1 :], start=ONE) for k in range(len(buffer.shape))]


def _position(strides: dict[str, Size]) -> Size:
    """The position of an element, of which coordinates go so many further each."""
    return sum(((Size.of(name) - 1) * stride for name, stride in strides.items()), ONE)


def _are_neighbours(places: list[int], ends: list[int]) -> bool:
    """Whether the axes up to each end, from the one behind the end before, are at places one after the other."""
    groups = [range(low + 1, high + 1) for low, high in zip([-1, *ends], ends, strict=False)]
    whole = bool(ends) and ends[-1] == len(places) - 1
    return whole and all(places[k] == places[group[0]] + k - group[0] for group in groups for k in group)


def _with_loops(nest: Nest, turned: list[str]) -> Nest:
    """A nest with some of its loops before its last one."""
    loops = [one for one in zip(nest.iterators, nest.extents, strict=True) if one[0] not in turned]
    own = [one for one in zip(nest.iterators, nest.extents, strict=True) if one[0] in turned]
    order = [*loops[:-1], *own, *loops[-1:]]
    return replace(nest, iterators=tuple(name for name, _ in order), extents=tuple(extent for _, extent in order))
