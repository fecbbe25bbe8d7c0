"""A buffer that is only copied into another is computed there at once.

    s[i] = ...;  y[c] = s[c]          becomes   y[i] = ...
    s[c, i] = ...;  y[i, c] = s[c, i]  becomes   y[i, c] = ...
    s[i] = ...;  y[t, i] = s[i]       becomes   y[t, i] = ...       in the steps t of a repetition that keeps them all

A change of axes is taken over only from folds, whose loops `interchange` arranges by what they write; a map keeps
writing along its own last dimension.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.contraction import without_single
from tolang.plan.nest import Allocate, Buffer, Each, Load, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.uses import EditedSteps


@dataclass(frozen=True, slots=True)
class BufferCopy:
    """What is copied where; axis `axes[k]` of the source is axis k of the goal."""

    source: Buffer
    goal: Buffer
    axes: tuple[int, ...]
    place: tuple[Size, ...] = ()
    """Where in the goal the copy is, if it is a part of it: coordinates of the first axes."""

    def at(self, indices: tuple[Size, ...]) -> tuple[Size, ...]:
        """Where in the goal an element of the source is."""
        return (*self.place, *(indices[axis] for axis in self.axes))


def merge_copies(plan: Plan) -> Plan:
    """A buffer that is computed to be copied is computed where the copy would be."""
    outputs = plan.output_names
    return map_lists(plan, lambda steps: _merged(steps, outputs))


def merge_outer_copies(plan: Plan) -> Plan:
    """As `merge_copies`, but for what is inside of steps."""
    return replace(plan, steps=_merged(plan.steps, plan.output_names))


def _merged(steps: tuple[Step, ...], outputs: frozenset[str]) -> tuple[Step, ...]:
    left = EditedSteps(steps)
    for position in range(len(steps)):
        step = left[position]
        copies = _copies(step) if isinstance(step, Nest) else []
        if copies and all(_may_merge(copy, left, position, outputs) for copy in copies):
            left.remove(position)
            for copy in copies:
                _move(left, copy)
        elif isinstance(step, Nest) and (row := _row(step)) is not None and _may_be_written(row, left, position):
            left.remove(position)
            _move(left, row)
    return left.all()


def _copies(nest: Nest) -> list[BufferCopy]:
    """What a nest copies, where it does nothing else."""
    found: list[BufferCopy] = []
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
        found.append(BufferCopy(value.buffer, goal, axes))
    return found if len({c.source.name for c in found}) == len(found) else []


def _row(nest: Nest) -> BufferCopy | None:
    """A whole buffer that a nest copies to where the first coordinates of another are what they are outside it."""
    nest = without_single(nest)
    (goal, at), value = nest.targets[0], nest.values[0]
    if len(nest.targets) != 1 or not nest.iterators or not isinstance(value, Load):
        return None
    source, own = value.buffer, tuple(map(Size.of, nest.iterators))
    place, along = at[: -len(own)], at[-len(own) :]
    inside = {name for index in place for name in index.names()} & set(nest.iterators)
    alike = source.column.storage == goal.column.storage and source.role == "scratch" and not value.checks
    if not place or inside or not alike or not value.indices == own == along or source.shape != nest.extents:
        return None
    return BufferCopy(source, goal, tuple(range(len(own))), place)


def _may_be_written(copy: BufferCopy, steps: EditedSteps, position: int) -> bool:
    """Whether a source is made in this list and complete before its copy, and the list uses no more of the goal."""
    source, goal = copy.source.name, copy.goal.name
    names = {name for index in copy.place for name in index.names()}
    if (
        steps.allocated.get(source, position) >= position
        or goal in steps.allocated
        or not names.isdisjoint(steps.bound)
    ):
        return False
    return steps.writers[goal] | steps.readers[goal] == {position} and max(steps.writers[source]) < position


def _may_merge(copy: BufferCopy, steps: EditedSteps, position: int, outputs: frozenset[str]) -> bool:
    """Whether both buffers are made in this list, the goal is written by the copy only, the source before it only."""
    source, goal = copy.source.name, copy.goal.name
    if any(steps.allocated.get(name, position) >= position for name in (source, goal)) or source in outputs:
        return False
    if min(steps.writers[goal] | steps.readers[goal]) < position:
        return False
    if max(steps.writers[source] | steps.writers[goal]) > position:
        return False
    straight = copy.axes == tuple(range(len(copy.axes)))
    return straight or all(isinstance(steps[place], Each | Repeat) for place in steps.writers[source])


def _move(steps: EditedSteps, copy: BufferCopy) -> None:
    """Makes steps use the goal in place of the source."""
    source, goal = copy.source.name, copy.goal.name
    rewriter = Rewriter(place=lambda buffer, at: (copy.goal, copy.at(at)) if buffer.name == source else (buffer, at))
    place = steps.allocated[source]
    if copy.place:
        steps.remove(place)
    else:
        steps.remove(steps.allocated[goal])
        steps.replace(place, Allocate(copy.goal))
    for position in steps.readers[source] | steps.writers[source]:
        steps.replace(position, rewriter.step(steps[position]))
