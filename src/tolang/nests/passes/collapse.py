"""Neighbouring dimensions that are one stretch of memory become one loop (`nests/collapsing.py`)."""

from __future__ import annotations

from tolang.nests.collapsing import collapsed, with_collapsed_folds
from tolang.nests.nest import Bind, Nest, Plan, Step
from tolang.nests.rewriting import map_lists


def collapse(plan: Plan) -> Plan:
    """Neighbouring dimensions that walk through memory as one are one loop."""
    return map_lists(plan, lambda steps: tuple(map(_one, steps)))


def _one(step: Step) -> Step:
    match step:
        case Nest():
            return collapsed(step)
        case Bind():
            return with_collapsed_folds(step)
    return step
