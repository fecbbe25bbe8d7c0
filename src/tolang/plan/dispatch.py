"""Nests with several schedules: the first case whose condition on lengths holds is taken.

    nest                              if columns <= 16:  nest by a tile of 16
      case columns <= 16: a tile of 16     else:  nest by a tile of 64
      otherwise: a tile of 64

A plan has one nest with its cases; engines, for which each case is a kernel of its own, write them as branches.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.plan.nest import Branch, Nest, Plan, Step
from tolang.plan.rewriting import map_lists


def with_branches(nest: Nest) -> Step:
    """A nest with cases as branches, each of a nest with one schedule."""
    step: Step = replace(nest, cases=())
    for case in reversed(nest.cases):
        chosen = replace(nest, schedule=case.schedule, cases=(), rare=nest.rare or case.rare)
        step = Branch(case.condition, (), (chosen,), (step,))
    return step


def without_cases(plan: Plan) -> Plan:
    """A plan whose cases are branches."""
    return map_lists(
        plan, lambda steps: tuple([with_branches(s) if isinstance(s, Nest) and s.cases else s for s in steps])
    )
