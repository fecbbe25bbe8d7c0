"""Positions of elements in memory order, and their coordinates in other shapes of the same elements."""

from __future__ import annotations

from math import prod

from tolang.ground.symbolic.conditions import Condition, compare
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, floor_division
from tolang.lower.environment import Environment, LoweringState
from tolang.plan.access import flatten

Indices = tuple[Size, ...]


def reshaped(knowledge: LoweringState, at: Indices, shape: Indices, source: Indices, env: Environment) -> Indices:
    """The coordinates in a source of the element that coordinates in another shape of it are of.

    Axes that hold the same places in both, as the first do in [n, a*b] and [n, a, b], are taken apart from the others,
    so that coordinates that stay as they are are seen to.
    """
    indices: list[Size] = []
    done = taken = 0
    for end, until in _common_ends(source, shape):
        flat = flatten(at[taken:until], shape[taken:until])
        indices += _unflatten(knowledge, flat, source[done:end], env)
        done, taken = end, until
    return tuple(indices)


def inside(at: Indices, shape: Indices) -> frozenset[Condition]:
    """What holds of coordinates in a shape: those that coordinates in another shape of it became are never outside."""
    pairs = [(index, length) for index, length in zip(at, shape, strict=True) if index.name is None]
    return frozenset(c for i, n in pairs for c in (compare(">=", i, ONE), compare("<=", i, n)))


def _common_ends(one: Indices, other: Indices) -> list[tuple[int, int]]:
    """After how many axes of two shapes the same number of places is held by those before, ending with all."""
    found: list[tuple[int, int]] = []
    after = 0
    for place in range(1, len(one)):
        volume = prod(one[:place], start=ONE)
        same = next((k for k in range(after + 1, len(other)) if prod(other[:k], start=ONE) == volume), None)
        if same is not None:
            found.append((place, same))
            after = same
    return [*found, (len(one), len(other))]


def _unflatten(knowledge: LoweringState, flat: Size, shape: Indices, env: Environment) -> Indices:
    """The coordinates of a position, from 0, in a shape."""
    indices: list[Size] = []
    for axis in range(len(shape) - 1, 0, -1):
        if shape[axis] == ZERO:
            return (ONE,) * len(shape)
        quotient = knowledge.simple(floor_division(flat, shape[axis]), env)
        indices.insert(0, flat - quotient * shape[axis] + 1)
        flat = quotient
    return (flat + 1, *indices) if shape else ()
