"""Folds that go back carry a number through as few functions as can be: factors that need it not are taken together.

    d[r+1] = (d[r] + g) / u * e        →        d[r+1] = (d[r] + g) * (e / u)

What a step multiplies and divides by is known before it, for all steps at once; the carried number then waits for a
sum and a product in each step, and not for a quotient.
"""

from __future__ import annotations

from functools import reduce

from tolang.core.core import Apply, Expr, Let, Map, Reduce
from tolang.core.gradient.building import apply
from tolang.core.let_chain import unwound, wound
from tolang.core.rebuild import rebuild
from tolang.core.tidy import free_names
from tolang.ground.dataclasses import replace


def with_short_chains(expr: Expr) -> Expr:
    """An expression whose folds take factors together, where what they carry would go through quotients."""
    links, inside = unwound(expr)
    if links:
        changed = [replace(o, value=with_short_chains(o.value)) if isinstance(o, Let) else o for o in links]
        return wound(changed, with_short_chains(inside))
    made = rebuild(expr, with_short_chains)
    if not isinstance(made, Reduce) or made.associative:
        return made
    return replace(made, step=_shorter(made.step, frozenset(made.states)))


def _shorter(expr: Expr, carried: frozenset[str]) -> Expr:
    """A part of a step in which some names depend on what is carried; what is computed in loops is left."""
    match expr:
        case Map() | Reduce():
            return expr
        case Let(names=names, value=value, body=body):
            further = carried.union(names) if carried & free_names(value) else carried
            return replace(expr, value=_shorter(value, carried), body=_shorter(body, further))
        case Apply():
            short = _with_one_factor(expr, carried)
            if short is not None and short.type == expr.type:
                return short
    return rebuild(expr, lambda part: _shorter(part, carried))


def _with_one_factor(expr: Expr, carried: frozenset[str]) -> Expr | None:
    """What is carried times one factor; None where it is not divided, or by nothing else than multiplied."""
    above, below, negative, base = list[Expr](), list[Expr](), False, expr
    while isinstance(base, Apply):
        depends = [bool(carried & free_names(argument)) for argument in base.arguments]
        match base.function, depends:
            case "neg", [True]:
                negative, base = not negative, base.arguments[0]
            case "mul", [True, False]:
                above.append(base.arguments[1])
                base = base.arguments[0]
            case "mul", [False, True]:
                above.append(base.arguments[0])
                base = base.arguments[1]
            case "div", [True, False]:
                below.append(base.arguments[1])
                base = base.arguments[0]
            case _:
                break
    if not above or not below:
        return None
    factor = apply("div", *(reduce(lambda one, two: apply("mul", one, two), part) for part in (above, below)))
    return apply("mul", _shorter(base, carried), apply("neg", factor) if negative else factor)
