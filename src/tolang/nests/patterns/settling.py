"""Folds whose state may come to stay as it is: what is sought was found, or can no longer be.

    (s,e) -> if s == 0 then s else next(s,e)

Once the test holds, which nothing but the state decides, every further step leaves the state: the fold has ended.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.nests.equality import alike
from tolang.nests.nest import Group, Named, Scalar, Select, Where
from tolang.nests.traversal import dependencies


@dataclass(frozen=True, slots=True)
class Settled:
    """The state stays where a test is `true`, or where it is not."""

    test: Scalar
    true: bool


def settled_of(group: Group) -> Settled | None:
    """When the state of a fold stays as it is; None where nothing tells."""
    if len(group.iterators) != 1:
        return None
    found = [_settled(step, state, group) for step, state in zip(group.steps, group.states, strict=True)]
    first = found[0]
    if first is None or not dependencies(first.test) & set(group.states):
        return None
    same = all(one is not None and one.true == first.true and alike(one.test, first.test) for one in found)
    return first if same else None


def _settled(step: Scalar, state: str, group: Group) -> Settled | None:
    """When a step leaves its state.  What it computes before may be an error, unless it is what the last one did."""
    around: list[tuple[str, Scalar]] = []
    while isinstance(step, Where):
        around += step.bindings
        step = step.value
    if not isinstance(step, Select) or step.guard is not None:
        return None
    if any(group.iterators[0] in dependencies(one) for one in (*step.test, *(value for _, value in around))):
        return None
    for kept, true in ((step.then, True), (step.otherwise, False)):
        if isinstance(kept, Named) and kept.name == state:
            test = step.test[0]
            return Settled(Where(tuple(around), test, column=test.column) if around else test, true)
    return None
