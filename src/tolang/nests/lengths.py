"""Lengths that could be below zero: what is asked of them, and where.

A fold inside a scalar expression is checked where it stands.  Where it is computed in any case, and its lengths are
known before the nest, they are asked for there, once, so that the nest is what it would be without.
"""

from __future__ import annotations

from dataclasses import replace

from tolang.ground.conditions import compare, junction
from tolang.ground.sizes import ONE, ZERO, Size
from tolang.nests.nest import (
    BELOW_ZERO,
    Checked,
    Demand,
    Group,
    Load,
    Reduction,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.nests.rewriting import Rewriter, scalars_in


def lifted(
    values: tuple[Scalar, ...], iterators: tuple[str, ...] = (), extents: tuple[Size, ...] = ()
) -> tuple[list[Step], tuple[Scalar, ...]]:
    """Demands for the lengths that values ask for whatever they are, and the values without; a nest is around them."""
    if not any(isinstance(one, Checked) and one.message == BELOW_ZERO for value in values for one in scalars_in(value)):
        return [], values
    inner = {*iterators, *_bound_inside(values)}
    empty = [compare("<", extent, ONE) for extent in extents if extent.constant is None or extent == ZERO]
    demands: dict[object, Step] = {}

    def rule(scalar: Scalar) -> Scalar | None:
        match scalar:
            case Checked(checks=checks, value=value, message=message) if message == BELOW_ZERO:
                if any(check.names() & inner for check in checks):
                    return scalar
                for check in checks:
                    demands[check] = Demand(junction("or", [*empty, check]), message, scalar.span)
                return rewriter.scalar(value)
            case Select(test=test):
                return replace(scalar, test=rewriter.scalars(test))
            case Reduction() | Load():
                return scalar
        return None

    rewriter = Rewriter(rule=rule)
    without = rewriter.scalars(values)
    return list(demands.values()), without


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
