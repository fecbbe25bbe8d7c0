"""A buffer that is only copied into another is computed there at once.

    s[i] = ...;  y[c] = s[c]          becomes   y[i] = ...
    s[c, i] = ...;  y[i, c] = s[c, i]  becomes   y[i, c] = ...
    s[i] = ...;  y[t, i] = s[i]       becomes   y[t, i] = ...       in the steps t of a repetition that keeps them all

A change of axes is taken over only from folds, whose loops `interchange` arranges by what they write; a map keeps
writing along its own last dimension.
"""

from __future__ import annotations

from collections import defaultdict

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.sizes import Size
from tolang.nests.nest import Allocate, Buffer, Each, Load, Nest, Plan, Repeat, Scalar, Step
from tolang.nests.patterns.contraction import without_single
from tolang.nests.rewriting import Rewriter, map_lists
from tolang.nests.traversal import bound_names, read_buffers, written_buffers


@dataclass(frozen=True, slots=True)
class Copy:
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
    outputs = _outputs(plan)
    return map_lists(plan, lambda steps: _merged(steps, outputs))


def merge_outer_copies(plan: Plan) -> Plan:
    """As `merge_copies`, but for what is inside of steps."""
    return replace(plan, steps=_merged(plan.steps, _outputs(plan)))


def _outputs(plan: Plan) -> frozenset[str]:
    return frozenset(b.name for buffers in plan.outputs for b in buffers)


def _merged(steps: tuple[Step, ...], outputs: frozenset[str]) -> tuple[Step, ...]:
    left = Steps(steps)
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


class Steps:
    """A list of steps that keep their places, and where each buffer is allocated, read and written."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._steps: list[tuple[Step, ...]] = [(step,) for step in steps]
        self.allocated: dict[str, int] = {}
        self.readers: defaultdict[str, set[int]] = defaultdict(set)
        self.writers: defaultdict[str, set[int]] = defaultdict(set)
        self.bound = frozenset[str]().union(*map(bound_names, steps))
        for position, step in enumerate(steps):
            self._count(position, step)

    def _count(self, position: int, step: Step) -> None:
        if isinstance(step, Allocate):
            self.allocated[step.buffer.name] = position
        for name in read_buffers(step):
            self.readers[name].add(position)
        for name in written_buffers(step):
            self.writers[name].add(position)

    def __getitem__(self, position: int) -> Step:
        (step,) = self._steps[position]
        return step

    def there(self, position: int) -> Step | None:
        """The step at a place; None where it was removed, or there are several by now."""
        return self._steps[position][0] if len(self._steps[position]) == 1 else None

    def remove(self, position: int) -> None:
        steps, self._steps[position] = self._steps[position], ()
        for step in steps:
            if isinstance(step, Allocate):
                del self.allocated[step.buffer.name]
            for name in read_buffers(step):
                self.readers[name].discard(position)
            for name in written_buffers(step):
                self.writers[name].discard(position)

    def replace(self, position: int, *steps: Step) -> None:
        self.remove(position)
        self._steps[position] = steps
        for step in steps:
            self._count(position, step)

    def all(self) -> tuple[Step, ...]:
        return tuple(step for steps in self._steps for step in steps)


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


def _row(nest: Nest) -> Copy | None:
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
    return Copy(source, goal, tuple(range(len(own))), place)


def _may_be_written(copy: Copy, steps: Steps, position: int) -> bool:
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


def _may_merge(copy: Copy, steps: Steps, position: int, outputs: frozenset[str]) -> bool:
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


def _move(steps: Steps, copy: Copy) -> None:
    """Makes steps use the goal in place of the source."""

    def rule(scalar: Scalar) -> Scalar | None:
        if isinstance(scalar, Load) and scalar.buffer.name == copy.source.name:
            return Load(copy.goal, copy.at(scalar.indices), scalar.checks, column=scalar.column, span=scalar.span)
        return None

    def target(buffer: Buffer, at: tuple[Size, ...]) -> tuple[Buffer, tuple[Size, ...]]:
        return (copy.goal, copy.at(at)) if buffer.name == copy.source.name else (buffer, at)

    rewriter = Rewriter(rule=rule, target=target)
    source, goal = copy.source.name, copy.goal.name
    place = steps.allocated[source]
    if copy.place:
        steps.remove(place)
    else:
        steps.remove(steps.allocated[goal])
        steps.replace(place, Allocate(copy.goal))
    for position in steps.readers[source] | steps.writers[source]:
        steps.replace(position, rewriter.step(steps[position]))
