"""What both sides of a choice read is read before it: then sides are arithmetic alone, and need no branch.

    if k == 1 then w[a]? + w[b]? else w[a]? * w[b]?         {u = w[a]?; v = w[b]?; if k == 1 then u + v else u * v}

Reads that are checked are what keeps a processor from computing both sides and taking one; whichever side is taken, it
would have made them.
"""

from __future__ import annotations

from itertools import count

from tolang.ground.dataclasses import replace
from tolang.plan.nest import Load, Named, Plan, Scalar, Select, Step, Where
from tolang.plan.printer import signature
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import may_fail, occurrences, scalars_in, scalars_of


def read_before_choices(plan: Plan) -> Plan:
    """Checked reads that both sides of a choice make are made before it."""
    numbers = count(1)

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Select) or not (shared := _shared(scalar)):
            return None
        names = {key: f"read {next(numbers)}" for key in shared}

        def named(one: Scalar) -> Scalar | None:
            name = names.get(signature(one)) if isinstance(one, Load) else None
            return None if name is None else Named(name, column=one.column)

        sides = [rewriter.scalar(Rewriter(rule=named).scalar(side)) for side in (scalar.then, scalar.otherwise)]
        choice = replace(scalar, then=sides[0], otherwise=sides[1])
        return Where(tuple((names[key], load) for key, load in shared.items()), choice, column=scalar.column)

    rewriter = Rewriter(rule=rule)

    def has_shared(step: Step) -> bool:
        parts = (one for scalar in scalars_of(step) for one in scalars_in(scalar))
        return any(isinstance(one, Select) and _shared(one) for one in parts)

    return map_lists(plan, lambda steps: tuple(rewriter.step(one) if has_shared(one) else one for one in steps))


def _shared(choice: Select) -> dict[str, Load]:
    """The checked reads that both sides of a choice make for certain."""
    if choice.guard is not None or any(map(may_fail, choice.test)):
        return {}
    first, second = _reads(choice.then), _reads(choice.otherwise)
    return {key: load for key, load in first.items() if key in second}


def _reads(scalar: Scalar) -> dict[str, Load]:
    bound = {name for one in scalars_in(scalar) if isinstance(one, Where) for name, _ in one.bindings}
    return {
        signature(place.scalar): place.scalar
        for place in occurrences(scalar)
        if place.always and not place.folded and isinstance(place.scalar, Load) and place.scalar.checks
        and not {name for index in place.scalar.indices for name in index.names()} & bound
    }  # fmt: skip
