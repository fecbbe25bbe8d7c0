"""The beginning of a plan as a plan of its own: what a long plan repeats is met there once, and known early."""

from __future__ import annotations

from tolang.nests.nest import Allocate, Plan
from tolang.nests.traversal import read_buffers, written_buffers

PART = 6
"""Which part of a plan is its beginning: blocks that a model repeats are hardly longer."""
SHORTEST = 200
"""How many steps a plan has at the least for looking at its beginning to pay."""


def beginning(plan: Plan) -> Plan | None:
    """The first steps of a long plan, whose outputs are the buffers that later ones need; None where it is short."""
    if len(plan.steps) < SHORTEST:
        return None
    cut = len(plan.steps) // PART
    wanted = {buffer.name for buffers in plan.outputs for buffer in buffers}
    wanted.update(*(read_buffers(step) | written_buffers(step) for step in plan.steps[cut:]))
    steps = plan.steps[:cut]
    outputs = tuple((s.buffer,) for s in steps if isinstance(s, Allocate) and s.buffer.name in wanted)
    return Plan(plan.sizes, plan.inputs, steps, outputs)


def without_outputs(plan: Plan) -> Plan:
    """A beginning without the steps that write its outputs, which may become part of steps after it."""
    given = {buffer.name for buffers in plan.outputs for buffer in buffers}
    steps = tuple(step for step in plan.steps if written_buffers(step).isdisjoint(given))
    return Plan(plan.sizes, plan.inputs, steps, plan.outputs)
