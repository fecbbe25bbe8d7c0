"""A buffer that is only copied inside an edge is computed there at once, and nothing but the edge is filled before.

s[i,j] = …    e[p,q] = 0    e[i+1,j+1] = s[i,j]        becomes        e[0,q] = 0  …    e[i+1,j+1] = …
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import choice, compare
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.plan.nest import Allocate, Bind, Buffer, ConstantScalar, Load, Nest, Plan, Step
from tolang.plan.rewriting import Indices, Rewriter, map_lists
from tolang.plan.traversal import occurrences
from tolang.plan.uses import EditedSteps


@dataclass(frozen=True, slots=True)
class InteriorCopy:
    """All of a source is copied into a goal: along each axis of it an axis of the source, so many places further on.

    Axes of one coordinate may be in the source alone.
    """

    source: Buffer
    goal: Buffer
    axes: tuple[int, ...]
    shifts: tuple[int, ...]

    def moved(self, at: tuple[Size, ...]) -> tuple[Size, ...]:
        return tuple(at[axis] + shift for axis, shift in zip(self.axes, self.shifts, strict=True))

    def inner(self, axis: int) -> Size:
        """How many places of the goal are inside, along an axis."""
        return self.source.shape[self.axes[axis]]


def compute_inside_edges(plan: Plan) -> Plan:
    """What is computed to be copied inside an edge is computed there."""
    outputs = plan.output_names
    return map_lists(plan, lambda steps: _merged(steps, outputs))


def _merged(steps: tuple[Step, ...], outputs: frozenset[str]) -> tuple[Step, ...]:
    left = EditedSteps(steps)
    for position in range(len(steps)):
        step = left.there(position)
        inside = _inside(step) if isinstance(step, Nest) else None
        if inside is not None and _may_merge(inside, left, position, outputs):
            _merge(inside, left, position)
    return left.all()


def _inside(nest: Nest) -> InteriorCopy | None:
    """What a nest copies further on, where it does nothing else."""
    ((goal, to), *others), value = nest.targets, nest.values[0]
    if others or not isinstance(value, Load) or value.checks or value.buffer.role != "scratch":
        return None
    source, own = value.buffer, list(map(Size.of, nest.iterators))
    if goal.panels or source.panels or source.column.storage != goal.column.storage or len(to) != len(own):
        return None
    axes = [axis for axis, index in enumerate(value.indices) if index in own]
    single = all(source.shape[axis].is_constant(1) for axis in range(len(source.shape)) if axis not in axes)
    if not single or [value.indices[axis] for axis in axes] != own:
        return None
    if [source.shape[axis] for axis in axes] != list(nest.extents):
        return None
    shifts = [(index - place).constant for index, place in zip(to, own, strict=True)]
    known = tuple(shift for shift in shifts if isinstance(shift, int) and shift >= 0)
    return InteriorCopy(source, goal, tuple(axes), known) if len(known) == len(shifts) and any(known) else None


def _may_merge(inside: InteriorCopy, steps: EditedSteps, position: int, outputs: frozenset[str]) -> bool:
    """Whether one nest makes the source, which else only maps read, and the goal is filled before, but not read."""
    source, goal = inside.source.name, inside.goal.name
    others = steps.readers[source] - {position}
    if source in outputs or goal in outputs or not all(_may_read(steps[one], inside.source) for one in others):
        return False
    writers, before = steps.writers[source], sorted(one for one in steps.writers[goal] if one < position)
    made, had = steps.allocated.get(source), steps.allocated.get(goal)
    if len(writers) != 1 or len(before) != 1 or made is None or had is None or max(steps.writers[goal]) > position:
        return False
    (writer,), (filler,) = writers, before
    fill, maker = steps[filler], steps[writer]
    if not isinstance(maker, Nest) or not isinstance(fill, Nest) or not isinstance(fill.values[0], ConstantScalar):
        return False
    if not made < writer < position or any(one <= position for one in steps.readers[goal]):
        return False
    if not all(_goes_by_axes(maker, at, inside.source) for buffer, at in maker.targets if buffer.name == source):
        return False
    between = [steps.there(place) for place in range(made, position)]
    bound = {one.name for one in between if isinstance(one, Bind)}
    return bound.isdisjoint(name for length in inside.goal.shape for name in length.names())


def _may_read(step: Step, source: Buffer) -> bool:
    """Whether a step may read a buffer inside an edge: outside of folds, which contractions go through as it lies."""
    if not isinstance(step, Nest):
        return False
    found = (one for value in step.values for one in occurrences(value))
    reads = [(one.scalar, one.folded) for one in found if isinstance(one.scalar, Load)]
    own = [(load, folded) for load, folded in reads if load.buffer.name == source.name]
    return all(not folded and _goes_by_axes(step, load.indices, source) for load, folded in own)


def _goes_by_axes(nest: Nest, at: tuple[Size, ...], source: Buffer) -> bool:
    """Whether coordinates are those of a nest, each along an axis of its own: none runs on from one row to the next."""
    extents = {Size.of(name): extent for name, extent in zip(nest.iterators, nest.extents, strict=True)}
    return all(
        extents.get(index) == length or (index == ONE and length == ONE)
        for index, length in zip(at, source.shape, strict=True)
    )


def _merge(inside: InteriorCopy, steps: EditedSteps, position: int) -> None:
    """The goal in the place of the source, its edges filled first."""
    source, goal = inside.source.name, inside.goal.name
    filler = next(one for one in steps.writers[goal] if one < position)
    (writer,), made = steps.writers[source], steps.allocated[source]
    fill = steps[filler]
    assert isinstance(fill, Nest)
    for place in (position, filler, steps.allocated[goal]):
        steps.remove(place)
    steps.replace(made, Allocate(inside.goal), *_edges(inside, fill))

    def moved(buffer: Buffer, at: Indices) -> tuple[Buffer, Indices]:
        return (inside.goal, inside.moved(at)) if buffer.name == source else (buffer, at)

    for place in (writer, *sorted(steps.readers[source])):
        steps.replace(place, Rewriter(place=moved).step(steps[place]))


def _edges(inside: InteriorCopy, fill: Nest) -> list[Nest]:
    """What fills the places that nothing is copied to: for each axis those outside along it and inside before it."""
    found: list[Nest] = []
    names = [f"{name} of edge" for name in fill.iterators]
    places = list(map(Size.of, names))
    for axis, shift in enumerate(inside.shifts):
        outside = inside.goal.shape[axis] - inside.inner(axis)
        if outside == ZERO:
            continue
        at, extents = list(places), list(inside.goal.shape)
        for before in range(axis):
            at[before], extents[before] = places[before] + inside.shifts[before], inside.inner(before)
        extents[axis] = outside
        if outside != Size.of(shift):
            further = places[axis] + inside.inner(axis)
            within = compare("<=", places[axis], Size.of(shift))
            at[axis] = choice(within, places[axis], further) if shift else further
        found.append(replace(fill, iterators=tuple(names), extents=tuple(extents), targets=((inside.goal, tuple(at)),)))
    return found
