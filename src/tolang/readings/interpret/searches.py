"""Binary searches at few points: all elements are asked at once, which takes NumPy less time than one after the other.

    reduce(tol[log(2*n + 1, 2)], (p,z,k) -> { q = p + stride(k); if v[q] < e then q else p }, 0)
    stride(k) = floor((floor(n / 2^(k-1)) + 1) / 2)

Where a comparison holds of the first elements and of no others, such a fold gives how many these are (why is said in
idioms/search.py).  Whether it does is seen from the answers; where it does not, the fold goes step by step.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from tolang.core.core import Apply, Call, Component, Coordinate, Expr, If, Let, Literal, Measure, Part, Reduce, Variable
from tolang.core.tidy import own_names
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import COMPARISONS
from tolang.readings.interpret.batch import Array, Batch, Length
from tolang.readings.interpret.machine import InterpreterMachine

FEW = 1 << 17
"""How many elements are asked at once at the most, at all points together."""
Evaluate = Callable[[InterpreterMachine, Expr, int, Array | None], list[Batch]]


@dataclass(frozen=True, slots=True)
class ElementSearch:
    """A comparison that is asked of `count` elements, at a coordinate each."""

    coordinate: str
    test: Expr
    count: Size


def search_of(expr: Reduce) -> ElementSearch | None:
    """A fold as a search, by its strides; None where it is something else."""
    match expr:
        case Reduce(initials=(Literal(value=0),), states=(state,), iterators=(iterator,), lengths=()):
            pass
        case _:
            return None
    match expr.step:
        case Let(
            names=(stride,),
            value=Apply(
                function="div", arguments=(Apply(function="add", arguments=(left, Literal(value=1))), Literal(value=2))
            ),
            body=Let(
                names=(q,), value=Apply(function="add", arguments=(Variable(name=p), Measure(size=by))), body=chosen
            ),
        ) if p == state and by.name == stride:
            count, choice = _halved(left, iterator), _inside(chosen)
        case _:
            return None
    match choice:
        case If(guard=None, written=(test,), then=Variable(name=taken), otherwise=Variable(name=kept)):
            if count is not None and (taken, kept) == (q, state) and _asks(_inside(test), q, count, {state, iterator}):
                return ElementSearch(q, test, count)
    return None


def _inside(expr: Expr) -> Expr:
    """What calls of definitions come down to that were written out in place."""
    while isinstance(expr, Call) and not expr.arguments and not expr.sizes:
        expr = expr.body
    return expr


def _halved(expr: Expr, iterator: str) -> Size | None:
    """The n of floor(n / 2^(k-1))."""
    match expr:
        case Apply(
            function="floor",
            arguments=(
                Apply(
                    function="div",
                    arguments=(Measure(size=n), Apply(function="pow", arguments=(Literal(value=2), exponent))),
                ),
            ),
        ):
            match exponent:
                case Apply(function="sub", arguments=(Measure(size=k), Literal(value=1))) if k.name == iterator:
                    return n
    return None


def _asks(expr: Expr, coordinate: str, count: Size, changing: set[str]) -> bool:
    """Whether an expression compares what is named, or read inside a ToL, by what no step changes."""
    if not isinstance(expr, Apply) or expr.function not in COMPARISONS:
        return False
    return all(_is_there(one, coordinate, count, changing) for one in expr.arguments)


def _is_there(expr: Expr, coordinate: str, count: Size, changing: set[str]) -> bool:
    match expr:
        case Component(subject=subject):
            return _is_there(subject, coordinate, count, changing)
        case Part(subject=subject, items=(Coordinate(index=index),)) if coordinate in index.names():
            return index.name == coordinate and subject.type.shape == (count,) and _is_named(subject, changing)
        case Part(subject=subject):
            return not changing & own_names(expr) and _is_named(subject, changing)
    return _is_named(expr, {*changing, coordinate})


def _is_named(expr: Expr, changing: set[str]) -> bool:
    while isinstance(expr, Component):
        expr = expr.subject
    return isinstance(expr, Literal) or (isinstance(expr, Variable) and expr.name not in changing)


def found_at_once(
    machine: InterpreterMachine,
    search: ElementSearch,
    steps: Length,
    depth: int,
    mask: Array | None,
    evaluate: Evaluate,
) -> Batch | None:
    """How many elements a search finds; None where points are many, answers in no order, or steps others."""
    count = machine.exact(search.count, depth)
    if not isinstance(count, int) or not 0 < count * prod(machine.grid[:depth]) <= FEW or steps != count.bit_length():
        return None
    places = np.arange(1, count + 1, dtype=np.int64).reshape((1,) * depth + (count,))
    machine.values[search.coordinate] = Batch([places], (), depth + 1)
    deeper = None if mask is None else mask.reshape(mask.shape + (1,) * (depth + 1 - mask.ndim))
    answers = evaluate(machine, search.test, depth + 1, deeper)[0].columns[0]
    answers = np.broadcast_to(answers, (*answers.shape[:depth], count))
    if (answers[..., 1:] > answers[..., :-1]).any():
        return None
    return Batch([answers.sum(axis=-1, dtype=np.int64)], (), depth)
