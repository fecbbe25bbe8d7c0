"""Minima and maxima that are one plain instruction, once it is known that their terms are ordinary numbers.

IEEE 754's smaller of two floats keeps NaN and has -0 below 0.  Many processors have an instruction that gives the
second of two zeros, and the second where one is NaN: the same result wherever there is no NaN and no -0.  Whether there
are any among a contraction's operands is seen while they are packed, rows plus columns instead of rows times columns.
"""

from __future__ import annotations

from tolang.ground.values.functions import functions_with
from tolang.idioms.contraction import Contraction, Phase
from tolang.plan.nest import Named, Operation, Scalar
from tolang.plan.traversal import walk

CHOICES = functions_with(kind="choice")


def can_be_ordinary(contraction: Contraction) -> bool:
    """Whether all steps take the smaller or greater of their state and a term that ordinary operands make ordinary."""
    return all(
        not phase.extras and all(_chooses(phase, component) for component in range(len(phase.steps)))
        for phase in contraction.phases
    )


def adds(contraction: Contraction) -> bool:
    """Whether steps add, which gives NaN where infinities of both signs meet."""
    scalars = [s for phase in contraction.phases for step in phase.steps for s in walk(step)]
    return any(isinstance(s, Operation) and s.function == "add" for s in scalars)


def _chooses(phase: Phase, component: int) -> bool:
    storage, state = phase.group.columns[component].storage, phase.group.states[component]
    match phase.steps[component]:
        case Operation(function=function, arguments=(Named(name=name), term)) if function in CHOICES and name == state:
            return storage in ("f32", "f64") and _is_ordinary(term, storage, phase, sums=True)
    return False


def _is_ordinary(term: Scalar, storage: str, phase: Phase, *, sums: bool) -> bool:
    """Whether a term is no NaN and no -0 where its operands are not.

    A sum of ordinary numbers is not -0, and NaN only of opposite infinities; but it may be infinite where its parts
    are not, so that sums of sums are left out.
    """
    if term.column.storage != storage:
        return False
    match term:
        case Named(name=name):
            return name not in phase.group.states
        case Operation(function=function, arguments=arguments) if function in CHOICES or (function == "add" and sums):
            return all(_is_ordinary(a, storage, phase, sums=sums and function != "add") for a in arguments)
    return False
