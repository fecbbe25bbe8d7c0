"""Buffers that are copied one behind the other into a vector are computed there at once.

    s[p, q] = ..., t[p, q] = ...         y[(p-1)*n + q] = ..., y[m*n + (p-1)*n + q] = ...
    y[(p-1)*n + q] = s[p, q]
    y[m*n + (p-1)*n + q] = t[p, q]

So the stages of a transform, each of which joins what it has computed, write the next state once.
"""

from __future__ import annotations

import math

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.plan.access import access_of, access_to
from tolang.plan.nest import Allocate, Bind, Buffer, Load, Nest, Plan, RequireStep, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.uses import EditedSteps, names_bound


@dataclass(frozen=True, slots=True)
class ConcatCopy:
    """What is copied where: all elements of the source one after the other, from a place of the goal on."""

    source: Buffer
    goal: Buffer
    start: Size

    @property
    def end(self) -> Size:
        """The place behind it."""
        return self.start + math.prod(self.source.shape, start=ONE)

    def at(self, indices: tuple[Size, ...]) -> tuple[Size, ...]:
        """Where in the goal an element of the source is."""
        return (self.start + access_to(self.source, indices).offset,)


def compute_end_to_end(plan: Plan) -> Plan:
    """Buffers that are copied one behind the other into a vector are computed there."""
    outputs = plan.output_names
    return map_lists(plan, lambda steps: _computed_there(steps, outputs))


def _computed_there(steps: tuple[Step, ...], outputs: frozenset[str]) -> tuple[Step, ...]:
    copied = {p: found for p, step in enumerate(steps) if isinstance(step, Nest) and (found := _stretches(step))}
    if not copied:
        return steps
    left, asked = EditedSteps(steps), _Asked(steps)
    goals = {one.goal.name for found in copied.values() for one in found}
    assembled = {goal for goal in goals if _is_assembled(goal, left, copied)}
    for position, found in copied.items():
        if all(
            one.goal.name in assembled and one.source.name not in outputs and _may_move(one, left, position, asked)
            for one in found
        ):
            left.remove(position)
            for one in found:
                _move(one, left)
    return left.all()


class _Asked:
    """What a list of steps demands, the lengths of its buffers, and the names that change on the way."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        changing = (step for step in steps if not isinstance(step, Bind) or step.mutable)
        self.moving = names_bound(changing)
        self._conditions = [
            (place, step.condition) for place, step in enumerate(steps) if isinstance(step, RequireStep)
        ]
        buffers = [(place, step.buffer) for place, step in enumerate(steps) if isinstance(step, Allocate)]
        self._lengths = [(place, length) for place, buffer in buffers for length in buffer.shape]

    def is_known(self, first: int, last: int) -> bool:
        """Whether all that is demanded between two steps was demanded before the first of them, or holds of lengths."""
        before = {condition for place, condition in self._conditions if place < first}
        lengths = {length for place, length in self._lengths if place < first}
        return all(
            not condition.names() & self.moving and (condition in before or _is_sum_of_products(condition, lengths))
            for place, condition in self._conditions
            if first < place < last
        )


def _is_sum_of_products(condition: Condition, lengths: set[Size]) -> bool:
    """Whether it is asked that a sum of products of lengths is not below zero."""
    if condition.kind != "nonnegative" or condition.size is None:
        return False
    terms = condition.size.terms.items()
    return all(factor > 0 and lengths.issuperset(Size({(atom,): 1}) for atom in one) for one, factor in terms)


def _stretches(nest: Nest) -> list[ConcatCopy]:
    """Whole buffers that a nest copies into vectors, where it does nothing else."""
    found: list[ConcatCopy] = []
    places = tuple(map(Size.of, nest.iterators))
    for (goal, at), value in zip(nest.targets, nest.values, strict=True):
        if not isinstance(value, Load) or value.checks or value.buffer.column.storage != goal.column.storage:
            return []
        source = value.buffer
        if source.role != "scratch" or value.indices != places or source.shape != nest.extents or len(at) != 1:
            return []
        start = at[0] - access_of(value).offset
        if start.names() & set(nest.iterators):
            return []
        found.append(ConcatCopy(source, goal, start))
    return found if len({one.source.name for one in found}) == len(found) else []


def _is_assembled(goal: str, steps: EditedSteps, copied: dict[int, list[ConcatCopy]]) -> bool:
    """Whether all that is written to a vector is stretches, each where the one before it ends, and then it is read."""
    writers = steps.writers[goal]
    if not writers <= copied.keys() or min(steps.readers[goal], default=max(writers) + 1) <= max(writers):
        return False
    stretches = {one.start: one for position in writers for one in copied[position] if one.goal.name == goal}
    place, count = ONE, 0
    while place in stretches and count < len(writers):
        place, count = stretches[place].end, count + 1
    return goal in steps.allocated and count == len(stretches) == len(writers)


def _may_move(one: ConcatCopy, steps: EditedSteps, position: int, asked: _Asked) -> bool:
    """Whether a buffer is made in this list to be copied, and its goal could be there, and be as long, before it is.

    What is demanded between the two may be what makes the copy safe, unless it was demanded before.
    """
    source = one.source.name
    if source not in steps.allocated or steps.readers[source] != {position} or max(steps.writers[source]) >= position:
        return False
    known = {name for length in one.source.shape for name in length.names()}
    names = known.union(*(size.names() for size in (one.start, *one.goal.shape)))
    if names & asked.moving or not names & steps.bound <= known:
        return False
    return asked.is_known(min(steps.writers[source]), position)


def _move(one: ConcatCopy, steps: EditedSteps) -> None:
    """Makes steps compute the source where it goes."""
    source, goal = one.source.name, one.goal.name
    rewriter = Rewriter(
        place=lambda buffer, at: (one.goal, one.at(at)) if buffer.name == source else (buffer, at),
        only=lambda scalar: False,
    )
    place, there = steps.allocated[source], steps.allocated[goal]
    if there > place:
        steps.remove(there)
        steps.replace(place, Allocate(one.goal))
    else:
        steps.remove(place)
    for position in sorted(steps.writers[source]):
        found = rewriter.step(steps[position])
        steps.replace(position, found)
