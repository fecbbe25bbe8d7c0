"""Repetitions whose steps each change one row of a buffer, a row that data names, as the gradient of an embedding does.

    repeat [i <= n]
      j = place(i)
      nest [a <= d]: s[j,a] = f(s[j,a], x[i,a])

A step reads of the buffer only the row that it changes.  So rows may be shared out: each thread goes through all steps
and takes those whose row is its own.  Every row is changed by its steps in their order, whatever they compute.
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Assign, Bind, Branch, Buffer, Index, Nest, Repeat, RequireStep, Step
from tolang.plan.traversal import loads, read_buffers, scalars_of

CHANGED = (Nest, Bind, Assign, Branch, RequireStep)


@dataclass(frozen=True, slots=True)
class OwnedRows:
    """The buffer whose rows are changed, the nest that does it, and which row that is."""

    buffer: Buffer
    nest: Nest
    row: Size


def owned_rows_of(repeat: Repeat) -> OwnedRows | None:
    """A repetition that changes one row a step; None where it is none."""
    steps = tuple(_flat(repeat.steps))
    nests = [step for step in steps if isinstance(step, Nest)]
    if len(nests) != 1 or len(repeat.iterators) != 1 or repeat.exchanges or not nests[0].iterators:
        return None
    (nest,), bound = nests, {step.name for step in steps if isinstance(step, Bind)}
    kept = any(isinstance(step, Assign) and step.name not in bound for step in steps)
    if kept or len(nest.targets) != 1 or any(not isinstance(step, CHANGED) for step in steps):
        return None
    buffer, at = nest.targets[0]
    row = _resolved(at[0], repeat) if len(at) > 1 else None
    if row is None or row.names() & {*nest.iterators} or not row.names() & {*bound, *repeat.iterators}:
        return None
    outside = [step for step in steps if step is not nest]
    if any(buffer.name in read_buffers(step) for step in outside if not isinstance(step, Branch)):
        return None
    if any(scalars_of(step) for step in outside if isinstance(step, Branch)):
        return None
    own = [load for load in loads(nest) if load.buffer.name == buffer.name]
    apart = all(_resolved(load.indices[0], repeat) == row for load in own)
    return OwnedRows(buffer, nest, at[0]) if apart else None


def _flat(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        if isinstance(step, Branch):
            yield from _flat((*step.then, *step.otherwise))


def _resolved(size: Size, repeat: Repeat) -> Size | None:
    """A size in names that keep their value: one that is given once, in every step, is what it is given.

    None where a name is given anything else, or more than once.
    """
    given: dict[str, Size] = {}
    steps = list(_flat(repeat.steps))
    moving = {step.name for step in steps if isinstance(step, Assign)}
    for name in moving & size.names():
        own = [step for step in steps if isinstance(step, Assign) and step.name == name]
        if len(own) != 1 or own[0] not in repeat.steps or not isinstance(own[0].value, Index):
            return None
        given[name] = own[0].value.size
    made = size.substitute(given)
    return None if made.names() & moving else made
