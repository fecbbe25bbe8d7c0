"""What a program asks of its ranges before it takes memory for what they give: that each is inside its ToL.

    r := x[1:e]        require e = 0 or 1 <= 1 and e <= n;  buffer r [e];  …

A range is asked for where it is sure to be evaluated, and its ends are known before: in a map or a fold if that has any
elements, in a branch if that is taken.  Others are held against their ToLs element by element, where they are read.  So
are coordinates: one that leaves no elements to read, as `x[k]` of a [n,0], is not asked for.

Numerics are computed though the elements that they are for are not there, as in `map(k, x + 1 % k)` for an empty x; so
is the condition of a choice of ToLs.  Where one may fail it is asked that there are elements, or no run of compiled
code is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tolang.core.core import (
    Apply,
    Call,
    Component,
    Convert,
    Expr,
    If,
    Literal,
    Map,
    Measure,
    Part,
    Range,
    Reduce,
    Variable,
)
from tolang.ground.symbolic.conditions import Condition, compare, junction, negation, nonnegative, zero
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.lower.environment import Environment, LoweringState
from tolang.plan.nest import RANGE_OUTSIDE, UNREAD, FaultInfo, RequireStep

MOST_VISITED = 4096
"""Of how many expressions ranges are looked for at the most: calls of calls may be many."""


def asked(knowledge: LoweringState, expr: Expr, env: Environment) -> list[RequireStep]:
    """What is to hold of the ranges in an expression before it is evaluated, as far as that is not known."""
    if not _asks(knowledge, expr):
        return []
    found: dict[Condition, RequireStep] = {}
    for part, inside, complaint, scope in _ranges(knowledge, expr, env):
        if _is_known(knowledge, inside) and not knowledge.holds(inside, scope):
            found.setdefault(inside, RequireStep(inside, complaint, part.span))
    return list(found.values())


def _asks(knowledge: LoweringState, expr: Expr) -> bool:
    """Whether anything is in an expression that `_ranges` gives, wherever it is evaluated."""
    match expr:
        case Part(items=items) if any(isinstance(item, Range) for item in items):
            return True
        case Map(body=body) if body.type.shape:
            return True
        case If(guard=None) if expr.type.shape:
            return True
        case Call(body=body):
            if body not in knowledge.asking:
                knowledge.asking[body] = _asks(knowledge, body)
            return knowledge.asking[body] or any(_asks(knowledge, argument) for _, argument in expr.arguments)
    return any(_asks(knowledge, child) for child in expr.children())


def _is_known(knowledge: LoweringState, condition: Condition) -> bool:
    """Whether all that a condition names is known outside."""
    return all(name in knowledge.ranges.ranges and INSIDE not in name for name in condition.names())


INSIDE = "?"
"""What names have in them that are known inside a map, a fold or a branch alone."""

UNSURE = nonnegative(Size.of(INSIDE))
"""Stands for the condition of a branch that nothing tells before."""

HARMLESS = frozenset({"lt", "gt", "le", "ge", "eq", "ineq"})
"""Functions that have a value for all numbers, whatever their spaces are."""

Unless = tuple[Condition, ...]
Filled = tuple[Condition, ...]
Asked = tuple[Expr, Condition, FaultInfo, Environment]


def _ranges(knowledge: LoweringState, expr: Expr, env: Environment) -> Iterator[Asked]:
    """Every range, with what is to hold of it where it is evaluated, which may name what is not known outside.

    `filled` tells of the maps around a place that what stands there has elements, by which numerics are come by.
    """
    waiting: list[tuple[Expr, Environment, Unless, Filled]] = [(expr, env, (), ())]
    passed: dict[str, tuple[Expr, Environment]] = {}
    visited = 0
    while waiting and visited < MOST_VISITED:
        visited += 1
        one, scope, unless, filled = waiting.pop()
        if filled and one.type.is_numeric and _fails_itself(knowledge, one, scope):
            yield one, _read(knowledge, filled, unless), UNREAD, scope
        match one:
            case Part(subject=subject, items=items):
                extents = scope.shape(subject.type.shape)
                for item, extent in zip(items, extents, strict=True):
                    if isinstance(item, Range):
                        inside = _inside(knowledge, scope.size(item.start), scope.size(item.length), extent, scope)
                        yield one, junction("or", [*unless, inside]), RANGE_OUTSIDE, scope
                waiting.append((subject, scope, unless, filled))
            case Map(iterators=iterators, extents=extents, body=body):
                lengths = scope.shape(extents)
                inner = _within_loops(knowledge, iterators, lengths, scope)
                own = (*filled, *_filled(inner.shape(body.type.shape)))
                waiting.append((body, inner, (*unless, *_empty(lengths)), own))
            case Reduce(iterators=iterators, extents=extents, initials=initials, step=step):
                lengths = scope.shape(extents)
                inner = _within_loops(knowledge, iterators, lengths, scope)
                waiting += [(initial, scope, unless, filled) for initial in initials]
                waiting.append((step, inner, (*unless, *_empty(lengths)), filled))
            case If(guard=guard, written=written, then=then, otherwise=otherwise):
                waiting += [(test, scope, unless, filled) for test in written]
                if guard is None and one.type.shape and any(_may_fail(knowledge, test, scope) for test in written):
                    yield one, _read(knowledge, _filled(scope.shape(one.type.shape)), unless), UNREAD, scope
                taken = UNSURE if guard is None else scope.condition(guard)
                waiting.append((then, scope, (*unless, negation(taken)), filled))
                waiting.append((otherwise, scope, (*unless, taken), filled))
            case Call():
                passed.update((name, (argument, scope)) for name, argument in one.arguments)
                waiting.append((one.body, _within_call(one, scope), unless, filled))
            case Variable(name=name) if name in passed:
                waiting.append((*passed[name], unless, filled))
            case _:
                waiting += [(child, scope, unless, filled) for child in one.children()]


def _read(knowledge: LoweringState, filled: Iterable[Condition], unless: Unless) -> Condition:
    """That there are elements, whose readers find what is wrong, or that it is sure that nothing is evaluated."""
    sure = [one for one in unless if _is_known(knowledge, one)]
    return junction("or", [*sure, junction("and", [*filled])])


def _may_fail(knowledge: LoweringState, expr: Expr, env: Environment) -> bool:
    """Whether the condition of a choice can go wrong: compiled code asks it where it reads elements of the choice."""
    known = isinstance(expr, Variable | Literal | Measure | Part | Component | Apply)
    if not known or _fails_itself(knowledge, expr, env):
        return True
    return any(_may_fail(knowledge, child, env) for child in expr.children())


def _fails_itself(knowledge: LoweringState, expr: Expr, env: Environment) -> bool:
    """Whether an expression can go wrong though all that it is given has values."""
    match expr:
        case Part(subject=subject, items=items):
            pairs = zip(items, env.shape(subject.type.shape), strict=True)
            return any(isinstance(i, Range) or bool(knowledge.unproved(env.size(i.index), n, env)) for i, n in pairs)
        case Apply(function=function):
            return function not in HARMLESS and expr.type.column.space.family not in ("B", "R")
        case Convert(subject=subject):
            families = {column.space.family for column in expr.type.columns}
            return not families <= {"R"} and expr.type.columns != subject.type.columns
    return False


def _inside(knowledge: LoweringState, start: Size, length: Size, extent: Size, env: Environment) -> Condition:
    """That a range is empty, or has its first and last coordinate in a dimension."""
    ends = compare(">=", start, ONE), compare("<=", start + length - 1, extent)
    if knowledge.holds(compare(">=", length, ZERO), env) and all(knowledge.holds(end, env) for end in ends):
        return junction("and", [])
    return junction("or", [zero(length), junction("and", [compare(">=", length, ONE), *ends])])


def tells_length(knowledge: LoweringState, condition: Condition, length: Size) -> bool:
    """Whether a condition alone tells, in each of its alternatives, that a length is not below zero."""
    match condition:
        case Condition(kind="or", parts=parts):
            return all(tells_length(knowledge, part, length) for part in parts)
        case Condition(kind="and", parts=parts):
            return any(tells_length(knowledge, part, length) for part in parts)
        case Condition(kind="nonnegative", size=Size() as size):
            return knowledge.ranges.proves_nonnegative(length - size)
    return condition == zero(length)


def _filled(extents: tuple[Size, ...]) -> Iterator[Condition]:
    """That all of some dimensions have elements, as far as it is not known."""
    return (compare(">=", extent, ONE) for extent in extents if extent.constant is None or extent.constant < 1)


def _empty(extents: tuple[Size, ...]) -> Iterator[Condition]:
    """That one of some dimensions has no elements."""
    return (compare("<=", extent, ZERO) for extent in extents if extent.constant is None or extent.constant < 1)


def _within_loops(
    knowledge: LoweringState, iterators: tuple[str, ...], extents: tuple[Size, ...], env: Environment
) -> Environment:
    """Inside a map or a fold, whose iterators get names that nothing knows outside."""
    inner: dict[str, Size] = {}
    for iterator, extent in zip(iterators, extents, strict=True):
        name = f"{iterator}{INSIDE}{len(knowledge.ranges.order)}"
        knowledge.ranges.declare(name, ONE, extent)
        inner[iterator] = Size.of(name)
    return env.within(extents).with_sizes(inner)


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
