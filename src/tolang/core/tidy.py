"""Removes what nothing uses from a checked program: the language is pure, so a binding without a use is nothing."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from tolang.core.core import (
    Bundle,
    Call,
    Coordinate,
    Derivative,
    Expr,
    If,
    Let,
    Map,
    Measure,
    Part,
    Random,
    Range,
    Reduce,
    Require,
    Variable,
)
from tolang.core.rebuild import rebuild
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size


def tidy(expr: Expr) -> Expr:
    """The same program without unused bindings.  Contract: outputs, types and costs do not change."""
    result, _ = _tidy(expr)
    return result


def names_of_sizes(sizes: tuple[Size, ...]) -> set[str]:
    found: set[str] = set()
    for size in sizes:
        found |= size.names()
    return found


def own_names(expr: Expr) -> set[str]:
    """Names that an expression itself uses, not through the expressions inside it."""
    match expr:
        case Variable(name=name):
            return {name}
        case Measure(size=size):
            return set(size.names())
        case Random(coordinates=coordinates):
            return names_of_sizes(coordinates)
        case Map(extents=extents) | Reduce(extents=extents):
            return names_of_sizes(extents)
        case Part(items=items):
            return set().union(*(_item_names(i) for i in items))
        case If(guard=guard) if guard is not None:
            return set(guard.names())
        case Require(condition=condition):
            return set(condition.names())
        case Call(sizes=sizes):
            return names_of_sizes(tuple(s for _, s in sizes))
    return names_of_sizes(expr.type.shape)


def _item_names(item: Coordinate | Range) -> set[str]:
    if isinstance(item, Coordinate):
        return set(item.index.names())
    return set(item.start.names() | item.length.names())


def _tidy(expr: Expr) -> tuple[Expr, set[str]]:
    if isinstance(expr, Let):
        return _tidy_chain(expr)
    used = own_names(expr)
    if isinstance(expr, Call) and expr.derivative is not None:
        used |= _names_of_derivative(expr.derivative)
    if isinstance(expr, Call) and expr.shared:
        arguments = [(name, *_tidy(value)) for name, value in expr.arguments]
        used = used.union(*(names for _, _, names in arguments))
        return replace(expr, arguments=tuple((name, value) for name, value, _ in arguments)), used

    def visit(child: Expr) -> Expr:
        result, names = _tidy(child)
        used.update(names)
        return result

    return rebuild(expr, visit), used


def _tidy_chain(expr: Let) -> tuple[Expr, set[str]]:
    """A run of bindings, walked without recursion: programs have thousands in a row."""
    chain: list[Let | Require] = []
    body: Expr = expr
    while isinstance(body, Let | Require):
        chain.append(body)
        body = body.body
    result, used = _tidy(body)
    for one in reversed(chain):
        if isinstance(one, Require):
            used |= one.condition.names()
            result = replace(one, body=result, type=result.type)
            continue
        bound = {*one.names, *(length[0] for length in one.lengths)}
        if not bound & used:
            continue
        value, names = _tidy(one.value)
        used.difference_update(bound)
        used.update(names)
        result = replace(one, value=value, body=result, type=result.type)
    return result, used


def own_children(expr: Expr) -> list[Expr]:
    """The expressions directly inside one, but for a body that calls share: that was looked at when it was made, and
    walking it again from every call takes time exponential in how deep calls nest."""
    if isinstance(expr, Call) and expr.shared:
        return [argument for _, argument in expr.arguments]
    return expr.children()


def height(expr: Expr) -> int:
    """How many expressions are inside one another in one."""
    found, level = 0, [expr]
    while level:
        found += 1
        level = [child for one in level for child in own_children(one)]
    return found


def free_names(expr: Expr, of: Callable[[Expr], AbstractSet[str]] | None = None) -> set[str]:
    """Names that an expression uses and does not bind itself; `of` tells it of the expressions inside, if given."""
    of = of or free_names
    used = own_names(expr)
    match expr:
        case Let(names=names, value=value, body=body, lengths=lengths):
            bound = {*names, *(length[0] for length in lengths)}
            return {*of(value), *(of(body) - bound)}
        case Map(iterators=iterators, body=body):
            return used | (of(body) - set(iterators))
        case Reduce(iterators=iterators, states=states, initials=initials, step=step, lengths=lengths):
            bound = {*iterators, *states, *(length[0] for length in lengths)}
            return used.union(*map(of, initials)) | (of(step) - bound)
        case Call(arguments=arguments, shared=True):
            return used.union(*(of(a) for _, a in arguments))
        case Call(sizes=sizes, arguments=arguments, body=body):
            bound = {name for name, _ in sizes} | {name for name, _ in arguments}
            if expr.derivative is not None:
                used |= _names_of_derivative(expr.derivative)
            return used.union(*(of(a) for _, a in arguments)) | (of(body) - bound)
    return used.union(*map(of, expr.children()))


def _names_of_derivative(one: Derivative) -> set[str]:
    """Names that a call's own derivative uses and does not bind."""
    return (free_names(one.body) - one.bound).union(*(free_names(value) for _, value in one.values))


__all__ = ["Bundle", "free_names", "height", "own_children", "own_names", "tidy"]
