"""Folds of whole ToLs without copies: a step that computes the new state beside the old one and copies it back only
has to exchange the two, whose memory is as long.  The fold's own memory holds the state at the end all the same.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.plan.nest import Allocate, Bind, Buffer, Load, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import map_lists
from tolang.plan.uses import allocations, buffers_written, without_allocations


def exchange_states(plan: Plan) -> Plan:
    """A fold exchanges old and new state where it would copy one over the other."""
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _exchanging(step)))


def _exchanging(step: Step) -> list[Step]:
    if not isinstance(step, Repeat) or step.exchanges:
        return [step]
    inside = {*step.iterators, *(s.name for s in step.steps if isinstance(s, Bind))}
    own = allocations(step.steps)
    steps = list(step.steps)
    pairs: list[tuple[Buffer, Buffer]] = []
    while steps:
        copied = _copied(steps[-1])
        if not copied or any(new.name not in own or old.name in own for old, new in copied):
            break
        pairs[:0] = copied
        steps.pop()
    moved = {buffer.name for pair in pairs for buffer in pair}
    varying = any(inside & length.names() for _, following in pairs for length in following.shape)
    states = {state.name for state, _ in pairs}
    if not pairs or varying or len(moved) != 2 * len(pairs) or buffers_written(steps) & states:
        return [step]
    kept = tuple(without_allocations(steps, *moved))
    made = [Allocate(following) for _, following in pairs]
    return [*made, replace(step, steps=kept, exchanges=tuple(pairs))]


def _copied(step: Step) -> list[tuple[Buffer, Buffer]]:
    """Goals and sources of a nest that copies whole buffers and does nothing else; none where it does."""
    found: list[tuple[Buffer, Buffer]] = []
    if not isinstance(step, Nest):
        return found
    for (goal, at), value in zip(step.targets, step.values, strict=True):
        if not isinstance(value, Load) or value.checks or value.indices != at:
            return []
        source = value.buffer
        alike = goal.shape == source.shape and source.column.storage == goal.column.storage
        if not alike or not _covers(step, at, goal.shape) or source.name == goal.name:
            return []
        found.append((goal, source))
    return found


def _covers(nest: Nest, at: tuple[Size, ...], shape: tuple[Size, ...]) -> bool:
    """Whether a nest goes through a whole shape at some place; it need not count through lengths of 1."""
    counted = [(index, length) for index, length in zip(at, shape, strict=True) if length != ONE or index != ONE]
    return counted == [(Size.of(i), e) for i, e in zip(nest.iterators, nest.extents, strict=True)]
