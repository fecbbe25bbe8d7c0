"""Scalars that are stored one after the other, as the many parts of a vector that is written out."""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.system.recursion import HIGHEST
from tolang.lower.environment import LoweringState
from tolang.plan.nest import Bind, ConstantScalar, Named, Nest, Step


def together(steps: list[Step], knowledge: LoweringState) -> list[Step]:
    """Steps that store scalars one after the other as steps that store many, each with the constants among them bound.

    So steps are alike whatever the constants are, and compiled once.
    """
    found: list[Step] = []
    stored: list[Nest] = []
    for step in steps:
        alone = not isinstance(step, Nest) or bool(step.iterators)
        if stored and (alone or len(stored) == HIGHEST):
            found += _stored_together(stored, knowledge)
            stored = []
        if isinstance(step, Nest) and not alone:
            stored.append(step)
        else:
            found.append(step)
    return [*found, *_stored_together(stored, knowledge)] if stored else found


def _stored_together(nests: list[Nest], knowledge: LoweringState) -> list[Step]:
    values = [value for one in nests for value in one.values]
    binds: list[Bind] = []
    for place, value in enumerate(values):
        if isinstance(value, ConstantScalar):
            binds.append(Bind(knowledge.scalar_name("c"), value))
            values[place] = Named(binds[-1].name, column=value.column)
    targets = tuple(place for one in nests for place in one.targets)
    return [*binds, replace(nests[0], targets=targets, values=tuple(values))]
