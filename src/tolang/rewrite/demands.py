"""What a step demands need not be asked again by those after it: they are reached only where it holds.

    require b >= a                                          require b >= a
    require b >= a                                          y[i] = reduce[k <= b - a](…)
    y[i] = reduce[k <= b - a](…)?   # b >= a

A buffer demands that none of its lengths is below zero.  A repetition is left alone: some run their steps for several
elements before what is demanded is looked at.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, nonnegative
from tolang.plan.nest import Allocate, Assign, Bind, Branch, Checked, Each, Nest, Plan, RequireStep, Scalar, Step
from tolang.plan.rewriting import Rewriter, kept
from tolang.plan.traversal import scalars_of, walk


def ask_once(plan: Plan) -> Plan:
    """Conditions that were demanded before are not asked again."""
    made = _asked(plan.steps, frozenset())
    return plan if made is plan.steps else replace(plan, steps=made)


def _asked(steps: tuple[Step, ...], known: frozenset[Condition]) -> tuple[Step, ...]:
    found: list[Step] = []
    moving = {step.name for step in steps if isinstance(step, Bind) and step.mutable}
    for step in steps:
        match step:
            case RequireStep(condition=condition) if condition in known:
                continue
            case RequireStep(condition=condition) if not condition.names() & moving:
                known |= {condition}
                found.append(step)
            case Allocate(buffer=buffer):
                known |= {nonnegative(length) for length in buffer.shape if not length.names() & moving}
                found.append(step)
            case Each(steps=inner):
                made = _asked(inner, known)
                found.append(step if made is inner else replace(step, steps=made))
            case Branch(then=then, otherwise=otherwise):
                sides = _asked(then, known), _asked(otherwise, known)
                same = sides[0] is then and sides[1] is otherwise
                found.append(step if same else replace(step, then=sides[0], otherwise=sides[1]))
            case Nest() | Bind() | Assign():
                found.append(_without_checks(step, known))
            case _:
                found.append(step)
    return kept(steps, tuple(found))


def _without_checks(step: Step, known: frozenset[Condition]) -> Step:
    """A step whose values are not checked for what is known; what a fold checks of its own elements stays."""
    checked = [one for scalar in scalars_of(step) for one in walk(scalar) if isinstance(one, Checked)]
    if not known or not any(check in known for one in checked for check in one.checks):
        return step

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Checked):
            return None
        left = tuple(check for check in scalar.checks if check not in known)
        value = rewriter.scalar(scalar.value)
        return replace(scalar, checks=left, value=value) if left else value

    rewriter = Rewriter(rule=rule)
    return rewriter.step(step)
