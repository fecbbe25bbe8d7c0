"""A conversion into whole numbers that nothing can be wrong with is not asked about, and can run on vectors.

    {t = floor(x) + 128; convert(if t > 0 then min(t, 255) else 0)}          into u8: a whole number from 0 to 255

So numbers are quantised; the form tells that what is converted belongs where it goes.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.plan.nest import Operation, Plan, Scalar, Step, Where
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import scalars_in, scalars_of
from tolang.plan.value_ranges import NOTHING_KNOWN, Known, belongs, bound, may_refuse


def convert_freely(plan: Plan) -> Plan:
    """Conversions that cannot be refused are casts."""
    return map_lists(plan, lambda steps: tuple(_step(one) for one in steps))


def _step(step: Step) -> Step:
    parts = (one for scalar in scalars_of(step) for one in scalars_in(scalar))
    return _rewriter(NOTHING_KNOWN).step(step) if any(map(_asks, parts)) else step


def _asks(scalar: Scalar) -> bool:
    """Whether a scalar is a conversion that may be refused."""
    return isinstance(scalar, Operation) and scalar.function == "convert" and may_refuse(scalar.column)


def _rewriter(known: Known) -> Rewriter:
    """Rewrites scalars in a place where something is known of names."""

    def rule(scalar: Scalar) -> Scalar | None:
        match scalar:
            case Where(bindings=bindings, value=value):
                inside, made = known, []
                for name, one in bindings:
                    made.append((name, _rewriter(inside).scalar(one)))
                    inside = bound(((name, one),), inside)
                return replace(scalar, bindings=tuple(made), value=_rewriter(inside).scalar(value))
            case Operation(arguments=(one,)) if _asks(scalar) and belongs(one, scalar.column, known):
                return replace(scalar, function="cast", arguments=(_rewriter(known).scalar(one),))
        return None

    return Rewriter(rule=rule)
