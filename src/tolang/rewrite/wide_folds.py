"""Sums and products of narrow floats, with an f32 as their state.

    reduce[i](s, x[i] -> s + x[i]) in f16   =   round(reduce[i](s, x[i] -> s + x[i]) in f32)

where the order is free: rounding after every step, as a strict fold does, would lose all that is small beside the sum.
A product that is added is not rounded by itself either, as no sum of products is (plan/fused_sums.py).
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.values.spaces import column, is_narrow
from tolang.plan.fused_sums import FUSED
from tolang.plan.nest import Group, Named, Operation, Plan, Reduction, Scalar, Step, Where
from tolang.plan.rewriting import Rewriter, kept
from tolang.plan.traversal import has_fold

SINGLE = column("R", "f32")


def widen_folds(plan: Plan) -> Plan:
    """A plan whose folds of narrow floats are rounded once, at their end."""
    return replace(plan, steps=kept(plan.steps, tuple(_widened_step(step) for step in plan.steps)))


def _widened_step(step: Step) -> Step:
    made: dict[int, tuple[Group, Group]] = {}

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Reduction) or not _loses(scalar.group):
            return None
        group = scalar.group
        if id(group) not in made:
            made[id(group)] = (group, _widened(group, rewriter))
        fold = Reduction(made[id(group)][1], 0, column=SINGLE, span=scalar.span)
        return Operation("cast", (fold,), column=scalar.column, span=scalar.span)

    rewriter = Rewriter(rule=rule, only=has_fold)
    return rewriter.step(step)


def _loses(group: Group) -> bool:
    return group.combine in ("add", "mul") and is_narrow(group.columns[0].storage)


def _widened(group: Group, rewriter: Rewriter) -> Group:
    initial = Operation("cast", (rewriter.scalar(group.initials[0]),), column=SINGLE)
    return replace(group, columns=(SINGLE,), initials=(initial,), steps=(_wide(group.steps[0], rewriter),))


def _wide(step: Scalar, rewriter: Rewriter) -> Scalar:
    """The step of a fold in f32; the factors of a product that it adds are what they were, in f32."""
    if isinstance(step, Where):
        bindings = tuple((name, rewriter.scalar(value)) for name, value in step.bindings)
        return replace(step, bindings=bindings, value=_wide(step.value, rewriter), column=SINGLE)
    assert isinstance(step, Operation)
    state, *rest = step.arguments
    assert isinstance(state, Named)
    terms = [rewriter.scalar(one) for one in rest]
    if step.function == FUSED:
        held = [Operation("cast", (one,), column=step.column) if step.column.storage == "f16" else one for one in terms]
        terms = [Operation("cast", (one,), column=SINGLE) for one in held]
    return replace(step, arguments=(replace(state, column=SINGLE), *terms), column=SINGLE)
