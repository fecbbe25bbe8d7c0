"""A buffer that is only copied into another is computed there at once.

    s[i] = ...;  y[c] = s[c]          becomes   y[i] = ...
    s[c, i] = ...;  y[i, c] = s[c, i]  becomes   y[i, c] = ...

A change of axes is taken over only from folds, whose loops `interchange` arranges by what they write; a map keeps
writing along its own last dimension.
"""

from __future__ import annotations

from dataclasses import dataclass

from tolang.ground.sizes import Size
from tolang.nests.nest import Allocate, Buffer, Each, Load, Nest, Plan, Repeat, Scalar, Step
from tolang.nests.rewriting import Rewriter, map_lists, read_buffers, written_buffers


@dataclass(frozen=True, slots=True)
class Copy:
    """What is copied where; axis `axes[k]` of the source is axis k of the goal."""

    source: Buffer
    goal: Buffer
    axes: tuple[int, ...]


def merge_copies(plan: Plan) -> Plan:
    """A buffer that is computed to be copied is computed where the copy would be."""
    outputs = frozenset(b.name for buffers in plan.outputs for b in buffers)
    return map_lists(plan, lambda steps: _merged(steps, outputs))


def _merged(steps: tuple[Step, ...], outputs: frozenset[str]) -> tuple[Step, ...]:
    position = 0
    while position < len(steps):
        step = steps[position]
        copies = _copies(step) if isinstance(step, Nest) else []
        if copies and all(_may_merge(copy, steps, position, outputs) for copy in copies):
            kept = (*steps[:position], *steps[position + 1 :])
            for copy in copies:
                kept = _moved(kept, copy)
            steps = kept
        else:
            position += 1
    return steps


def _copies(nest: Nest) -> list[Copy]:
    """What a nest copies, where it does nothing else."""
    found: list[Copy] = []
    places = tuple(Size.of(i) for i in nest.iterators)
    for (goal, at), value in zip(nest.targets, nest.values, strict=True):
        if not isinstance(value, Load) or value.checks or value.buffer.column.storage != goal.column.storage:
            return []
        same = len(set(nest.iterators)) == len(at) == len(value.indices) and set(at) == set(places) == set(
            value.indices
        )
        if not same or value.buffer.role != "scratch":
            return []
        axes = tuple(value.indices.index(index) for index in at)
        shape = tuple(value.buffer.shape[axis] for axis in axes)
        whole = dict(zip(places, nest.extents, strict=True))
        if shape != goal.shape or tuple(whole[index] for index in at) != shape:
            return []
        found.append(Copy(value.buffer, goal, axes))
    return found if len({c.source.name for c in found}) == len(found) else []


def _may_merge(copy: Copy, steps: tuple[Step, ...], position: int, outputs: frozenset[str]) -> bool:
    """Whether both buffers are made in this list, the goal is written by the copy only, the source before it only."""
    made = {s.buffer.name for s in steps[:position] if isinstance(s, Allocate)}
    if not {copy.source.name, copy.goal.name} <= made or copy.source.name in outputs:
        return False
    before, after = steps[:position], steps[position + 1 :]
    if any(copy.goal.name in written_buffers(s) or copy.goal.name in read_buffers(s) for s in before):
        return False
    if any({copy.source.name, copy.goal.name} & written_buffers(s) for s in after):
        return False
    writers = [s for s in before if copy.source.name in written_buffers(s)]
    straight = copy.axes == tuple(range(len(copy.axes)))
    return straight or all(isinstance(s, Each | Repeat) for s in writers)


def _moved(steps: tuple[Step, ...], copy: Copy) -> tuple[Step, ...]:
    """Steps that use the goal in place of the source."""

    def turned(indices: tuple[Size, ...]) -> tuple[Size, ...]:
        return tuple(indices[axis] for axis in copy.axes)

    def rule(scalar: Scalar) -> Scalar | None:
        if isinstance(scalar, Load) and scalar.buffer.name == copy.source.name:
            return Load(copy.goal, turned(scalar.indices), scalar.checks, column=scalar.column, span=scalar.span)
        return None

    def target(buffer: Buffer, at: tuple[Size, ...]) -> tuple[Buffer, tuple[Size, ...]]:
        return (copy.goal, turned(at)) if buffer.name == copy.source.name else (buffer, at)

    rewriter = Rewriter(rule=rule, target=target)
    made: list[Step] = []
    for step in steps:
        match step:
            case Allocate(buffer=buffer) if buffer.name == copy.goal.name:
                continue
            case Allocate(buffer=buffer) if buffer.name == copy.source.name:
                made.append(Allocate(copy.goal))
            case _:
                uses = copy.source.name in read_buffers(step) or copy.source.name in written_buffers(step)
                made.append(rewriter.step(step) if uses else step)
    return tuple(made)
