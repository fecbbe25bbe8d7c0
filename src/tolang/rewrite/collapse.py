"""Neighbouring dimensions that are one stretch of memory become one loop (`rewrite/collapsing.py`)."""

from __future__ import annotations

from collections.abc import Collection

from tolang.ground.values.functions import EXACT_IN_ANY_ORDER, REORDERABLE
from tolang.idioms.contraction import contraction_of
from tolang.plan.nest import Bind, Nest, Plan, Step
from tolang.plan.rewriting import map_lists
from tolang.rewrite.collapsing import collapsed, with_collapsed_folds


def collapse(plan: Plan) -> Plan:
    """Neighbouring dimensions of nests that walk through memory as one are one loop."""
    return map_lists(plan, lambda steps: tuple(collapsed(one) if isinstance(one, Nest) else one for one in steps))


def collapse_folds(plan: Plan) -> Plan:
    """Neighbouring dimensions of folds that may be regrouped are one where they walk through memory as one."""
    return _with_folds(plan, REORDERABLE)


def collapse_exact_folds(plan: Plan) -> Plan:
    """The same for folds that give the same in any order."""
    return _with_folds(plan, EXACT_IN_ANY_ORDER)


def _with_folds(plan: Plan, combines: Collection[str]) -> Plan:
    def one(step: Step) -> Step:
        match step:
            case Nest():
                return step if contraction_of(step) is not None else with_collapsed_folds(step, combines)
            case Bind():
                return with_collapsed_folds(step, combines)
        return step

    return map_lists(plan, lambda steps: tuple(map(one, steps)))
