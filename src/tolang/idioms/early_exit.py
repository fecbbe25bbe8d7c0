"""Folds whose state may come to stay as it is: what is sought was found, or can no longer be.

    (s,e) -> if s == 0 then s else next(s,e)

Once the test holds, which nothing but the state decides, every further step leaves the state: the fold has ended.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.idioms.choice_fold import keeping
from tolang.plan.equality import alike
from tolang.plan.nest import Group, Scalar, Where
from tolang.plan.traversal import dependencies


@dataclass(frozen=True, slots=True)
class EarlyExitTest:
    """The state stays where a test is `true`, or where it is not."""

    test: Scalar
    true: bool


def settled_of(group: Group) -> EarlyExitTest | None:
    """When the state of a fold stays as it is; None where nothing tells."""
    if len(group.iterators) != 1:
        return None
    found = [_settled(step, state, group) for step, state in zip(group.steps, group.states, strict=True)]
    first = found[0]
    if first is None or not dependencies(first.test) & set(group.states):
        return None
    same = all(one is not None and one.true == first.true and alike(one.test, first.test) for one in found)
    return first if same else None


def _settled(step: Scalar, state: str, group: Group) -> EarlyExitTest | None:
    """When a step leaves its state.  What it computes before may be an error, unless it is what the last one did."""
    found = keeping(step, state)
    if found is None:
        return None
    test, around = found.test, found.bindings
    if any(group.iterators[0] in dependencies(one) for one in (test, *(value for _, value in around))):
        return None
    return EarlyExitTest(Where(around, test, column=test.column) if around else test, found.true)
