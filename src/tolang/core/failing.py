"""Where the evaluation of an expression may be an error, and inside which of its own loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tolang.core.core import (
    Apply,
    Call,
    Convert,
    Coordinate,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Range,
    Reduce,
    Require,
    Swap,
)
from tolang.ground.symbolic.conditions import Condition, compare, negation
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.spaces import is_complex

Loops = frozenset[Size]
"""The lengths of the loops around a place."""
NO_LOOPS: Loops = frozenset()
Facts = frozenset[Condition]
EXACT = frozenset({"f16", "bf16", "f32", "f64", "bool"})
"""Storages whose arithmetic has a value for every argument."""
SMALL = 2**31
COMPARISONS = frozenset({"lt", "gt", "le", "ge", "eq", "ineq"})


def declare(ranges: Ranges, iterators: Iterable[str], extents: Iterable[Size]) -> None:
    """Notes what is known of the iterators of a loop while it is run."""
    for iterator, extent in zip(iterators, extents, strict=True):
        ranges.declare(iterator, ONE, extent)


def failing(expr: Expr, ranges: Ranges) -> set[Loops]:
    """For every place where evaluation may be an error, the lengths of the loops inside the expression around it.

    Where one of these is 0, nothing is evaluated there.
    """
    return set(_places(expr, ranges, NO_LOOPS, frozenset()))


def _places(expr: Expr, ranges: Ranges, loops: Loops, facts: Facts) -> Iterator[Loops]:
    if _fails_itself(expr, ranges, facts):
        yield loops
    match expr:
        case Let(names=names, value=value, body=body, lengths=lengths):
            yield from _places(value, ranges, loops, facts)
            _declare_data(ranges, names, lengths)
            yield from _places(body, ranges, loops, facts)
        case Map(iterators=iterators, extents=extents, body=body):
            declare(ranges, iterators, extents)
            yield from _places(body, ranges, loops.union(extents), facts)
        case Reduce(iterators=iterators, extents=extents, initials=initials, step=step):
            for initial in initials:
                yield from _places(initial, ranges, loops, facts)
            declare(ranges, iterators, extents)
            _declare_data(ranges, expr.states, expr.lengths)
            yield from _places(step, ranges, loops.union(extents), facts)
        case If(guard=guard, written=written, then=then, otherwise=otherwise):
            for test in written:
                yield from _places(test, ranges, loops, facts)
            sure = () if guard is None else (guard,)
            yield from _places(then, ranges, loops, facts.union(sure))
            yield from _places(otherwise, ranges, loops, facts.union(map(negation, sure)))
        case Call(shared=True, arguments=arguments):
            for _, argument in arguments:
                yield from _places(argument, ranges, loops, facts)
        case _:
            for child in expr.children():
                yield from _places(child, ranges, loops, facts)


def _declare_data(ranges: Ranges, names: Iterable[str], lengths: Iterable[tuple[str, int, int]]) -> None:
    """Notes that nothing is known of names that stand for data, and that lengths are not below zero."""
    for name in names:
        ranges.declare(name, None, None)
    for name, _, _ in lengths:
        ranges.declare(name, ZERO, None)


def _fails_itself(expr: Expr, ranges: Ranges, facts: Facts) -> bool:
    """Whether an expression may be an error though all that it is given has values."""
    match expr:
        case Apply(function="add" | "sub", arguments=arguments) if all(map(_is_small, arguments)):
            return False
        case Apply(function=function):
            column = expr.type.column
            has_all = column.storage in EXACT or is_complex(column.storage) or column.space.is_machine
            texts = any(one.type.column.storage == "text" for one in expr.arguments)
            return function not in COMPARISONS and (texts or not has_all)
        case Convert(subject=subject):
            families = {column.space.family for column in expr.type.columns}
            return not families <= {"R"} and expr.type.columns != subject.type.columns
        case Part(subject=subject, items=items):
            pairs = zip(items, subject.type.shape, strict=True)
            return not all(_is_inside(item, extent, ranges, facts) for item, extent in pairs)
        case Map(extents=extents) | Reduce(extents=extents):
            return not all(map(ranges.proves_nonnegative, extents))
        case Join(parts=parts):
            return not all(ranges.proves_nonnegative(length) for one in parts for length in one.type.shape)
        case Require() | Swap():
            return True
        case Call(shared=True):
            return True
    return False


def _is_small(expr: Expr) -> bool:
    """Whether a number is far from the greatest there is: a length, a coordinate, or a small constant."""
    if isinstance(expr, Measure):
        return expr.size.name is not None or expr.size.constant is not None
    return isinstance(expr, Literal) and isinstance(expr.value, int) and abs(expr.value) < SMALL


def _is_inside(item: Coordinate | Range, extent: Size, ranges: Ranges, facts: Facts) -> bool:
    """Whether what is read is known to be inside a dimension."""
    if isinstance(item, Coordinate):
        if ranges.ranges.get(item.index.name or "") == (ONE, extent):
            return True
        wanted = [compare(">=", item.index, ONE), compare("<=", item.index, extent)]
    elif (item.start, item.length) == (ONE, extent):
        return True
    else:
        last = item.start + item.length - 1
        wanted = [compare(">=", item.start, ONE), compare("<=", last, extent), compare(">=", item.length, ZERO)]
    return all(ranges.decide(one, facts) is True for one in wanted)
