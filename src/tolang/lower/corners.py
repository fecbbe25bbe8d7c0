"""Checks asked for once, at the corner of a loop, instead of at every turn of it.

A check that a loop makes in every turn, whatever the data, holds in all of them if it holds at one corner: at the end
of the loop where an index grows, at its beginning where it falls.  So it is asked for there, before the loop, unless
the loop is empty; what is left inside is as if it had been proved.  A check inside a choice stays where it is, and so
does one on names that are bound inside.

    i <= e: sum of x[i] where i <= n        becomes        e <= n or e < 1: i <= e: sum of x[i]
"""

from __future__ import annotations

from collections.abc import Callable

from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition, compare, junction, nonnegative
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.lower.environment import Environment, LoweringState
from tolang.plan.nest import (
    OUTSIDE,
    Checked,
    FaultInfo,
    Group,
    Load,
    Reduction,
    RequireStep,
    Scalar,
    Select,
    SourcePlaceholder,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import scalars_in

Loops = tuple[tuple[str, Size], ...]
Asked = dict[Condition, tuple[FaultInfo, Span | SourcePlaceholder | None]]
"""Conditions with what is told where they do not hold, and where in the source."""


def demanded(
    knowledge: LoweringState,
    values: tuple[Scalar, ...],
    env: Environment,
    iterators: tuple[str, ...],
    extents: tuple[Size, ...],
) -> tuple[list[Step], tuple[Scalar, ...]]:
    """What the values of a nest ask for before it, and the values without it; there is no corner without loops."""
    if not iterators:
        return [], values
    asked, without = lifted(knowledge, values, env, tuple(zip(iterators, extents, strict=True)))
    return [RequireStep(condition, complaint, span) for condition, (complaint, span) in asked.items()], without


def lifted(
    knowledge: LoweringState, values: tuple[Scalar, ...], env: Environment, loops: Loops, states: tuple[str, ...] = ()
) -> tuple[Asked, tuple[Scalar, ...]]:
    """What values inside loops ask for in every turn, at the corner of the loops, and the values without it.

    The `states` of a fold change with every turn, so that nothing is asked of them before.
    """
    if not any(isinstance(one, Checked | Load) and one.checks for value in values for one in scalars_in(value)):
        return {}, values
    inner = _bound_inside(values) | {*states}
    asked: Asked = {}
    stays: dict[Condition, bool] = {}

    def kept(
        checks: tuple[Condition, ...], complaint: FaultInfo, span: Span | SourcePlaceholder | None
    ) -> tuple[Condition, ...]:
        for check in checks:
            if check not in stays:
                at_corner = None if check.names() & inner else _corner(knowledge, check, loops)
                stays[check] = at_corner is None
                if at_corner is not None and not knowledge.holds(at_corner, env):
                    asked.setdefault(_unless_empty(at_corner, loops), (complaint, span))
        return tuple([check for check in checks if stays[check]])

    rewriter = Rewriter(rule=lambda scalar: _without(scalar, rewriter, kept))
    without = rewriter.scalars(values)
    return asked, without


def _without(
    scalar: Scalar,
    rewriter: Rewriter,
    kept: Callable[[tuple[Condition, ...], FaultInfo, Span | SourcePlaceholder | None], tuple[Condition, ...]],
) -> Scalar | None:
    """A scalar without the checks that need not be kept inside; None where its parts are to be looked at."""
    match scalar:
        case Checked(checks=checks, value=value, complaint=complaint):
            left = kept(checks, complaint, scalar.span)
            if left:
                return scalar if left == checks else replace(scalar, checks=left)
            return rewriter.scalar(value)
        case Load(checks=checks) if checks:
            left = kept(checks, OUTSIDE, scalar.span)
            return scalar if left == checks else replace(scalar, checks=left)
        case Select(test=test):
            return replace(scalar, test=rewriter.scalars(test)) if test else scalar
        case Reduction():
            return scalar
    return None


def _corner(knowledge: LoweringState, condition: Condition, loops: Loops) -> Condition | None:
    """A condition where it is hardest to meet in some loops; None where that is not known."""
    moving = {name for name, _ in loops}
    if not condition.names() & moving:
        return condition
    if condition.kind == "or" and sum(bool(part.names() & moving) for part in condition.parts) == 1:
        found = [_corner(knowledge, part, loops) for part in condition.parts]
        return None if None in found else junction("or", [part for part in found if part is not None])
    if condition.kind != "nonnegative" or condition.size is None:
        return None
    size = condition.size
    for name, extent in reversed(loops):
        if name not in size.names():
            continue
        split = size.split(name)
        if split is None:
            return None
        slope, rest = split
        if knowledge.ranges.proves_nonnegative(slope):
            size = slope + rest
        elif knowledge.ranges.proves_nonnegative(-slope):
            size = slope * extent + rest
        else:
            return None
    return nonnegative(size)


def _unless_empty(condition: Condition, loops: Loops) -> Condition:
    empty = [compare("<", extent, ONE) for _, extent in loops if extent.constant is None or extent == ZERO]
    return junction("or", [*empty, condition])


def _bound_inside(values: tuple[Scalar, ...]) -> set[str]:
    """Every name that something in values binds."""
    names: set[str] = set()
    for value in values:
        for one in scalars_in(value):
            match one:
                case Where(bindings=bindings):
                    names.update(name for name, _ in bindings)
                case Reduction(group=Group(iterators=iterators, states=states)):
                    names.update(iterators, states)
    return names
