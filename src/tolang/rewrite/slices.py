"""What each step of a repetition would copy of something that it does not change is read where it lies.

    repeat [k <= n]                          repeat [k <= n]
      t[i] = x[i + from]                       repeat [i <= m]
      repeat [i <= m]                            … x[i + from] …
        … t[i] …

So it is where only repetitions read the copy: what they read one element after the other may lie anywhere.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.plan.access import fills
from tolang.plan.nest import Allocate, Bind, Buffer, Load, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import Indices, Rewriter, kept, map_lists
from tolang.plan.traversal import read_buffers, used_names
from tolang.plan.uses import length_demands, names_bound, uses_of


def read_in_place(plan: Plan) -> Plan:
    """Slices that steps of repetitions would copy for repetitions inside them are read where they are."""
    outputs = plan.output_names
    return map_lists(plan, lambda steps: kept(steps, tuple(_in_place(step, outputs) for step in steps)))


def _in_place(step: Step, outputs: frozenset[str]) -> Step:
    if not isinstance(step, Repeat):
        return step
    steps = step.steps
    for copy in [one for one in steps if isinstance(one, Nest)]:
        if copy.targets[0][0].name not in outputs and _is_slice(copy) and _is_only_read(copy, steps):
            steps = _without(copy, steps)
    return step if steps is step.steps else replace(step, steps=steps)


def _is_slice(copy: Nest) -> bool:
    """Whether a nest copies neighbours to neighbours, all that its target has, and does nothing else."""
    places = tuple(Size.of(name) for name in copy.iterators)
    if len(copy.targets) != 1 or not places:
        return False
    (buffer, at), value = copy.targets[0], copy.values[0]
    if not isinstance(value, Load) or value.checks or value.buffer.column.storage != buffer.column.storage:
        return False
    if not fills(copy, buffer, at) or len(value.indices) != len(places):
        return False
    shifts = [index - place for index, place in zip(value.indices, places, strict=True)]
    return all(shift.names().isdisjoint(copy.iterators) for shift in shifts)


def _is_only_read(copy: Nest, steps: tuple[Step, ...]) -> bool:
    """Whether all that steps do with a copy is read it in repetitions, while what it is a copy of stays as it is."""
    name, source = copy.targets[0][0].name, next(iter(read_buffers(copy)))
    place, uses = steps.index(copy), uses_of(steps)
    after, readers = steps[place + 1 :], uses.readers[name] - {place}
    if not uses.is_made_before(name, place) or uses.writers[name] != {place} or not readers:
        return False
    if not all(position > place and isinstance(steps[position], Repeat) for position in readers):
        return False
    changed = names_bound(one for one in after if not isinstance(one, Bind))
    return max(uses.writers[source], default=0) <= place and changed.isdisjoint(used_names(copy))


def _without(copy: Nest, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps that read what a copy would be of; its lengths are still asked for."""
    buffer, value = copy.targets[0][0], copy.values[0]
    assert isinstance(value, Load)

    def place(read: Buffer, at: Indices) -> tuple[Buffer, Indices]:
        if read.name != buffer.name:
            return read, at
        return value.buffer, Rewriter(dict(zip(copy.iterators, at, strict=True))).indices(value.indices)

    rewriter, left = Rewriter(place=place), list[Step]()
    for step in steps:
        if isinstance(step, Allocate) and step.buffer.name == buffer.name:
            left += length_demands(buffer)
        elif step is not copy:
            left.append(rewriter.step(step) if buffer.name in read_buffers(step) else step)
    return tuple(left)
