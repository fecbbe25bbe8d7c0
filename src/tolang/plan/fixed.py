"""What of a plan is the same in all calls: steps that depend on fixed inputs alone, which run once before the first.

Fixed inputs are those that have the same values in all calls, as the weights of a model.
"""

from __future__ import annotations

from collections.abc import Mapping

from tolang.core.core import Core
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Allocate, Bind, Branch, Buffer, Draw, Each, Free, Nest, Plan, Repeat, Step
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import (
    bound_names,
    inner_steps,
    scalars_in,
    scalars_of,
    used_buffers,
    used_names,
    volume,
    written_buffers,
)
from tolang.plan.uses import allocations

MOST_KEPT = 1 << 24
"""Elements up to which a buffer is kept between calls."""


def lengths_of(core: Core, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The sizes of a program that follow from the shapes of some of its inputs."""
    found: dict[str, int] = {}
    for one in core.inputs:
        for size, length in zip(one.type.shape, shapes.get(one.name, ()), strict=False):
            names = size.names()
            if len(names) == 1 and size == Size.of(name := next(iter(names))):
                found[name] = length
    return found


def with_lengths(plan: Plan, lengths: Mapping[str, int]) -> Plan:
    """A plan in which some sizes have the lengths that they have in all calls."""
    if not lengths:
        return plan
    sized = _Sized({name: Size.of(length) for name, length in lengths.items()})
    outputs = tuple(tuple(map(sized.buffer, buffers)) for buffers in plan.outputs)
    return replace(plan, inputs=tuple(map(sized.buffer, plan.inputs)), steps=sized.steps(plan.steps), outputs=outputs)


class _Sized(Rewriter):
    """Sizes replaced in shapes of buffers, too."""

    def buffer(self, buffer: Buffer) -> Buffer:
        shape = self.indices(buffer.shape)
        return buffer if shape is buffer.shape else replace(buffer, shape=shape)


@dataclass(frozen=True, slots=True)
class HoistedPlan:
    """A plan without what is done once, and the steps that are, in order; `fixed` are all buffers of fixed content."""

    plan: Plan
    once: tuple[Step, ...]
    fixed: frozenset[str]


def part_fixed(plan: Plan, fixed: frozenset[str]) -> HoistedPlan:
    """A plan in what is done once, given the buffers of fixed inputs, and what is done in every call."""
    changing = _changing(plan, fixed)
    told = list(zip(plan.steps, changing.steps, strict=True))
    once = tuple(step for step, changes in told if not changes and not isinstance(step, Free))
    if not any(isinstance(step, Nest | Each | Repeat | Branch) for step in once):
        return HoistedPlan(plan, (), fixed)
    lengths = (length for buffer in plan.output_buffers for length in buffer.shape)
    names = set[str]().union(*(length.names() for length in lengths))
    left: list[Step] = []
    for step, changes in reversed(told):
        if changes or (isinstance(step, Bind) and step.name in names):
            left.append(step)
            names |= used_names(step)
    return HoistedPlan(replace(plan, steps=tuple(reversed(left))), once, fixed | allocations(once).keys())


@dataclass(slots=True)
class _Changing:
    """Which steps, by position, and which buffers and names may differ from call to call."""

    steps: list[bool]
    buffers: set[str]
    names: set[str]

    def has(self, step: Step) -> bool:
        """Whether a step depends on what differs, or changes it."""
        match step:
            case Allocate(buffer=buffer) | Free(buffer=buffer):
                return buffer.name in self.buffers
            case Bind(mutable=True):
                return True
        touched = used_buffers(step)
        return bool(touched & self.buffers or used_names(step) & self.names) or _draws(step)


def _changing(plan: Plan, fixed: frozenset[str]) -> _Changing:
    """What differs from call to call: inputs that are not fixed, sizes, outputs, and all that hangs on them."""
    given = {one.name for one in plan.inputs if one.name not in fixed} | plan.output_names
    given |= {name for name, buffer in allocations(plan.steps).items() if not _is_small(buffer)}
    found = _Changing([False] * len(plan.steps), given, set(plan.sizes))
    before = -1
    while before != (before := sum(found.steps)):
        for position, step in enumerate(plan.steps):
            if not found.steps[position] and found.has(step):
                found.steps[position] = True
                found.buffers |= written_buffers(step)
                found.names |= bound_names(step)
    return found


def _is_small(buffer: Buffer) -> bool:
    count = volume(buffer.room)
    return count is not None and count <= MOST_KEPT


def _draws(step: Step) -> bool:
    """Whether random numbers are drawn in a step."""
    own = any(isinstance(one, Draw) for scalar in scalars_of(step) for one in scalars_in(scalar))
    return own or any(_draws(inner) for inner in inner_steps(step))
