"""From core to plan, the one way: lowered, improved pass by pass, strategies chosen, operands prepacked, verified.

A plan that does not verify after a pass is a defect of ours, never of a program.  Tests raise it (`TOL_DEFECTS=raise`);
for users the plan goes on without that pass, with a warning that asks for a report; without lowering or strategies
there is no plan, and the program is interpreted, with the same warning.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from tolang.core.core import Core
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import warn
from tolang.ground.symbolic.sizes import Size
from tolang.lower.steps import lower
from tolang.plan.features import features_of
from tolang.plan.fixed import with_lengths
from tolang.plan.nest import Buffer, Nest, Plan, Unsupported
from tolang.plan.target import Target
from tolang.plan.verifier import BrokenPlan, NestNeeds, verify
from tolang.schedule.choosing import choose, verify_schedules
from tolang.schedule.pipeline import PASSES, Pass
from tolang.schedule.prepacking import Prepacked, prepack
from tolang.schedule.strides import read_in_records

NOTHING: frozenset[str] = frozenset()
ALL_THERE_IS: Mapping[str, Size] = MappingProxyType({})
NO_LENGTHS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, what is done once before its first run where inputs are fixed, and the passes that changed something."""

    plan: Plan
    once: Plan | None
    passes: tuple[Pass, ...]


def plan(
    core: Core,
    target: Target,
    strict: bool = False,
    fixed: frozenset[str] = NOTHING,
    lengths: Mapping[str, int] = NO_LENGTHS,
) -> Planned:
    """How a program runs on a target; the values of `fixed` inputs and some `lengths` are the same in all runs."""
    lowered = with_lengths(lower(core), lengths)
    return planned(lowered, target, strict, NOTHING if strict else fixed_buffers(core, fixed))


def planned(
    lowered: Plan,
    target: Target,
    strict: bool,
    fixed: frozenset[str] = NOTHING,
    whole: Mapping[str, Size] = ALL_THERE_IS,
) -> Planned:
    """How a lowered program, or a part of one, runs; `fixed` are buffers.

    A part is computed as the whole would be: `whole` has the lengths that some sizes are parts of.
    """
    made = unverified(lowered, target, strict, fixed, whole)
    return made if made is not None and is_sound(made) else one_by_one(lowered, target, strict, fixed, whole)


def unverified(
    lowered: Plan,
    target: Target,
    strict: bool,
    fixed: frozenset[str] = NOTHING,
    whole: Mapping[str, Size] = ALL_THERE_IS,
) -> Planned | None:
    """The same, for whoever asks in the end if it is sound; None where anything went wrong, or defects are raised."""
    if _defects_are_raised():
        return None
    try:
        found, changed = _through(_passes(strict), lowered, lambda one, plan: one.of(plan, target))
        found = read_in_records(choose(found, target, strict, whole))
        made = prepack(found, fixed, target) if fixed else Prepacked(found, None)
    except Exception:  # whatever a broken plan leads to: who broke it is asked one by one
        return None
    return Planned(made.plan, made.once, tuple(changed))


def is_sound(made: Planned) -> bool:
    """Whether plans verify."""
    try:
        for one in (made.plan, made.once):
            if one is not None:
                verify(one)
                verify_schedules(one)
    except Exception:  # as above
        return False
    return True


def one_by_one(
    lowered: Plan,
    target: Target,
    strict: bool,
    fixed: frozenset[str] = NOTHING,
    whole: Mapping[str, Size] = ALL_THERE_IS,
) -> Planned:
    """The same, verified pass by pass: one that breaks the plan is told and left out."""
    found, changed = _improved_one_by_one(lowered, _passes(strict), target, strict, whole)
    made = _prepacked(found, fixed, target) if fixed else Prepacked(found, None)
    return Planned(made.plan, made.once, tuple(changed))


def _passes(strict: bool) -> list[Pass]:
    return [one for one in PASSES if one.strict in (None, strict)]


def _improved_one_by_one(
    lowered: Plan, passes: list[Pass], target: Target, strict: bool, whole: Mapping[str, Size]
) -> tuple[Plan, list[Pass]]:
    """A plan and the passes that changed something, each verified."""
    sound: dict[Nest, NestNeeds] = {}
    _expect_sound("lowering", lambda: verify(lowered, sound))
    check = partial(verify, sound=sound)
    found, changed = _through(passes, lowered, lambda one, plan: _improved(one, plan, target, check))
    found = read_in_records(choose(found, target, strict, whole))
    _expect_sound("the choice of schedules", lambda: verify(found, sound))
    _expect_sound("the choice of schedules", lambda: verify_schedules(found))
    return found, changed


def _through(passes: list[Pass], lowered: Plan, improved: Callable[[Pass, Plan], Plan]) -> tuple[Plan, list[Pass]]:
    """A plan after all passes, and those that changed something."""
    found, changed, features = lowered, list[Pass](), features_of(lowered)
    loud = _defects_are_raised()
    for one in passes:
        needed = one.looks_for is None or bool(one.looks_for & features)
        if not needed and not loud:
            continue
        before, found = found, improved(one, found)
        if not _is_same(before, found):
            if not needed:
                raise BrokenPlan(f"the pass {one.name} changes a plan without {one.looks_for}")
            changed.append(one)
            features = features_of(found)
    return found, changed


def fixed_buffers(core: Core, fixed: frozenset[str]) -> frozenset[str]:
    """The buffers of fixed inputs of one component."""
    return frozenset(f"{one.name}.1" for one in core.inputs if one.name in fixed and one.type.capacity == 1)


def input_of(buffer: Buffer) -> str:
    """The input that a buffer holds a component of."""
    return buffer.name.rpartition(".")[0]


def _improved(one: Pass, before: Plan, target: Target, check: Callable[[Plan], None]) -> Plan:
    """A plan after a pass; as before where the pass leaves one that does not verify, which is told."""
    made = one.of(before, target)
    if _is_same(before, made):
        return before
    try:
        check(made)
    except BrokenPlan as defect:
        _report(f"the pass {one.name}", defect)
        return before
    return made


def _prepacked(plan: Plan, fixed: frozenset[str], target: Target) -> Prepacked:
    made = prepack(plan, fixed, target)
    try:
        for one in (made.plan, made.once):
            if one is not None and one is not plan:
                verify(one)
                verify_schedules(one)
    except BrokenPlan as defect:
        _report("prepacking", defect)
        return Prepacked(plan, None)
    return made


def _expect_sound(name: str, check: Callable[[], None]) -> None:
    """What has no plan without it is interpreted where it is broken, which is told."""
    try:
        check()
    except BrokenPlan as defect:
        _report(name, defect)
        raise Unsupported(f"no sound plan was found, so it is left to the interpreter: {defect}") from None


def _report(name: str, defect: BrokenPlan) -> None:
    """A defect of ours, loud in tests, and told to users."""
    if _defects_are_raised():
        raise defect
    message = f"a defect of tolang, please report it with the program: {name} was left out ({defect})"
    warn(message)


def _defects_are_raised() -> bool:
    return os.environ.get("TOL_DEFECTS") == "raise"


def _is_same(one: Plan, other: Plan) -> bool:
    """Whether a pass has left every step as it was."""
    return len(one.steps) == len(other.steps) and all(map(operator.is_, one.steps, other.steps))
