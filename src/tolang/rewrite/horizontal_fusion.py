"""Nests that read the same buffer, each element once, are one nest: so nothing but that nest reads it.

    left[i] = …                              left[i] = …
    next[i] = left[i] + right[i]             next[i], next[m+i] = left[i] + right[i], left[i] - right[i]
    next[m+i] = left[i] - right[i]

The stages of a fast Fourier transform are such nests.  What they share is then inlined, and never goes through memory.
Nests that were inlined themselves are none any more.

The cost rule: a buffer of the same list is read by these nests alone, at their own coordinates, and by all of them.
Nests with folds are left alone, since each fold has a kernel of its own.
"""

from __future__ import annotations

from itertools import combinations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.plan.nest import Allocate, Buffer, Nest, Plan, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import has_fold, loads, read_buffers, written_buffers
from tolang.plan.uses import Uses, allocations
from tolang.rewrite.inline import inline


def read_together(plan: Plan) -> Plan:
    """Nests that read a buffer which nothing else reads, each at its own coordinates, are one nest."""
    kept = plan.output_names
    made = map_lists(plan, lambda steps: _together(steps, kept))
    return plan if made.steps is plan.steps else inline(made)


def _together(steps: tuple[Step, ...], kept: frozenset[str]) -> tuple[Step, ...]:
    uses = Uses(steps)
    for buffer in allocations(steps).values():
        places = sorted(uses.readers[buffer.name])
        if buffer.role != "scratch" or buffer.name in kept or len(places) < 2:
            continue
        nests = [s for s in steps[places[0] : places[-1] + 1] if not isinstance(s, Allocate)]
        merged = _merged(nests, buffer) if len(nests) == len(places) else None
        if merged is not None:
            between = [s for s in steps[places[0] : places[-1]] if isinstance(s, Allocate)]
            steps = (*steps[: places[0]], *between, merged, *steps[places[-1] + 1 :])
            uses = Uses(steps)
    return steps


def _merged(steps: list[Step], shared: Buffer) -> Nest | None:
    """Nests that read a buffer, as one; None where they are not to be one."""
    nests = [step for step in steps if isinstance(step, Nest)]
    if len(nests) < len(steps) or any(not _reads_its_own(nest, shared) for nest in nests):
        return None
    first = nests[0]
    if any(nest.extents != first.extents for nest in nests):
        return None
    same = [_renamed(nest, first.iterators) for nest in nests]
    if not all(_are_apart(one, other) for one, other in combinations(same, 2)):
        return None
    targets = tuple(target for nest in same for target in nest.targets)
    return replace(first, targets=targets, values=tuple(value for nest in same for value in nest.values))


def _reads_its_own(nest: Nest, shared: Buffer) -> bool:
    """Whether a nest has no folds and reads a buffer at its own coordinates alone, all of them."""
    here = tuple(Size.of(name) for name in nest.iterators)
    reads = [load for load in loads(nest) if load.buffer.name == shared.name]
    return (
        bool(here)
        and shared.shape == nest.extents
        and all(load.indices == here and not load.checks for load in reads)
        and not any(map(has_fold, nest.values))
    )


def _renamed(nest: Nest, iterators: tuple[str, ...]) -> Nest:
    names = {old: Size.of(new) for old, new in zip(nest.iterators, iterators, strict=True)}
    made = Rewriter(names).nest(nest)
    return replace(made, iterators=iterators)


def _are_apart(one: Nest, other: Nest) -> bool:
    """Whether two nests of the same coordinates neither read nor write what the other writes."""
    if written_buffers(one) & read_buffers(other) or written_buffers(other) & read_buffers(one):
        return False
    return all(
        mine.name != its.name or _lie_apart(at, place, one) for mine, at in one.targets for its, place in other.targets
    )


def _lie_apart(at: tuple[Size, ...], place: tuple[Size, ...], nest: Nest) -> bool:
    """Whether one place lies behind the other by the whole length of a loop that both walk along some axis, alone."""
    for mine, its in zip(at, place, strict=True):
        for name, extent in zip(nest.iterators, nest.extents, strict=True):
            slope, rest = mine.split(name) or (ZERO, ZERO)
            alone = slope == ONE and rest.names().isdisjoint(nest.iterators)
            if alone and its - mine in (extent, ZERO - extent):
                return True
    return False
