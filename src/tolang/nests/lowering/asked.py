"""What a program asks of its ranges before it takes memory for what they give: that each is inside its ToL.

    r := x[1:e]        require e = 0 or 1 <= 1 and e <= n;  buffer r [e];  …

A range is asked for where it is sure to be evaluated, and its ends are known before: in a map or a fold if that has any
elements, in a branch if that is taken.  Others are held against their ToLs element by element, where they are read.  So
are coordinates, which are asked for here only if what they leave has no elements to read, as `x[k]` of a [n,0].
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.core.core import Call, Expr, If, Literal, Map, Measure, Part, Range, Reduce, Variable
from tolang.ground.conditions import Condition, compare, junction, negation, zero
from tolang.ground.sizes import ONE, ZERO, Size
from tolang.nests.lowering.environment import Environment, Knowledge
from tolang.nests.nest import RANGE_OUTSIDE, Demand

MOST_VISITED = 4096
"""Of how many expressions ranges are looked for at the most: calls of calls may be many."""


def asked(knowledge: Knowledge, expr: Expr, env: Environment) -> list[Demand]:
    """What is to hold of the ranges in an expression before it is evaluated, as far as that is not known."""
    found: dict[Condition, Demand] = {}
    for part, inside, scope in _ranges(knowledge, expr, env):
        if all(name in knowledge.ranges.ranges for name in inside.names()) and not knowledge.holds(inside, scope):
            found.setdefault(inside, Demand(inside, RANGE_OUTSIDE, part.span))
    return list(found.values())


def _ranges(knowledge: Knowledge, expr: Expr, env: Environment) -> Iterator[tuple[Part, Condition, Environment]]:
    """Every range, with what is to hold of it where it is evaluated, which may name what is not known outside."""
    waiting: list[tuple[Expr, Environment, tuple[Condition, ...]]] = [(expr, env, ())]
    visited = 0
    while waiting and visited < MOST_VISITED:
        visited += 1
        one, scope, unless = waiting.pop()
        match one:
            case Part(subject=subject, items=items):
                kept = tuple(_filled(scope.shape(one.type.shape)))
                for item, extent in zip(items, scope.shape(subject.type.shape), strict=True):
                    if isinstance(item, Range):
                        inside = _inside(knowledge, scope.size(item.start), scope.size(item.length), extent, scope)
                        yield one, junction("or", [*unless, inside]), scope
                    elif kept:
                        index = scope.size(item.index)
                        inside = junction("and", [compare(">=", index, ONE), compare("<=", index, extent)])
                        yield one, junction("or", [*unless, junction("and", list(kept)), inside]), scope
                waiting.append((subject, scope, unless))
            case Map(extents=extents, body=body):
                waiting.append((body, scope, (*unless, *_empty(scope.shape(extents)))))
            case Reduce(extents=extents, initials=initials, step=step):
                waiting += [(initial, scope, unless) for initial in initials]
                waiting.append((step, scope, (*unless, *_empty(scope.shape(extents)))))
            case If(guard=guard, written=written, then=then, otherwise=otherwise):
                waiting += [(test, scope, unless) for test in written]
                if guard is not None:
                    held = scope.condition(guard)
                    waiting.append((then, scope, (*unless, negation(held))))
                    waiting.append((otherwise, scope, (*unless, held)))
            case Call():
                waiting += [(argument, scope, unless) for _, argument in one.arguments]
                waiting.append((one.body, _within_call(one, scope), unless))
            case _:
                waiting += [(child, scope, unless) for child in one.children()]


def _inside(knowledge: Knowledge, start: Size, length: Size, extent: Size, env: Environment) -> Condition:
    """That a range is empty, or has its first and last coordinate in a dimension."""
    ends = compare(">=", start, ONE), compare("<=", start + length - 1, extent)
    if knowledge.holds(compare(">=", length, ZERO), env) and all(knowledge.holds(end, env) for end in ends):
        return junction("and", [])
    return junction("or", [zero(length), junction("and", [compare(">=", length, ONE), *ends])])


def _filled(extents: tuple[Size, ...]) -> Iterator[Condition]:
    """That all of some dimensions have elements, as far as it is not known."""
    return (compare(">=", extent, ONE) for extent in extents if extent.constant is None or extent.constant < 1)


def _empty(extents: tuple[Size, ...]) -> Iterator[Condition]:
    """That one of some dimensions has no elements."""
    return (compare("<=", extent, ZERO) for extent in extents if extent.constant is None or extent.constant < 1)


def _within_call(call: Call, env: Environment) -> Environment:
    """Inside a call: sizes of its parameters, and parameters that are coordinates, as far as they are known outside."""
    sizes = {name: env.size(size) for name, size in call.sizes}
    for name, argument in call.arguments:
        match argument:
            case Variable(name=outer) if outer in env.sizes:
                sizes[name] = env.sizes[outer]
            case Measure(size=size):
                sizes[name] = env.size(size)
            case Literal(value=int() as value) if not argument.type.shape:
                sizes[name] = Size.of(value)
    return env.with_sizes(sizes)
