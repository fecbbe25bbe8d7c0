"""Going through nests: what is inside a step or a scalar, what it reads and writes, and which names it uses.

One place for every question that only looks; `rewriting` makes other nests of nests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.fields import names_of_fields
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import (
    APART,
    OF_QUADS,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    ConstantScalar,
    Draw,
    Each,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Reduction,
    Repeat,
    RequireStep,
    Scalar,
    Select,
    Step,
    Where,
)

REMEMBERED = 4096
"""Of how many steps it is remembered what they read, write and use."""
_NO_BUFFERS = frozenset[str]()
HOLDING = ("Scalar", "Step", "Group")
"""What fields mention in their types where they hold further nodes."""
FEW_ROWS, LONG_ROW = 16, 1 << 13
"""How many rows are few, and how many elements of one are many."""


def names_bound_inside(nodes: Iterable[Any]) -> Iterator[str]:
    """Every name that one of some nodes binds."""
    for one in nodes:
        match one:
            case Bind(name=name):
                yield name
            case Where(bindings=bindings):
                yield from (name for name, _ in bindings)
            case Group(iterators=iterators, states=states):
                yield from iterators
                yield from states
            case Step():
                yield from getattr(one, "iterators", ())


def allocated(step: Step) -> Iterator[Buffer]:
    """Every buffer that is made somewhere inside a step."""
    return (one.buffer for one in nodes_inside(step) if isinstance(one, Allocate))


@lru_cache(maxsize=REMEMBERED)
def nodes_inside(node: Step) -> tuple[Any, ...]:
    """A step and the steps, scalars and folds at any depth inside it."""
    found: list[Any] = []
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop()
        if type(one) is tuple:
            waiting.extend(one)
        elif type(one) is not str:
            found.append(one)
            waiting.extend([getattr(one, name) for name in names_of_fields(type(one), APART, HOLDING)])
    return tuple(found)


@lru_cache(maxsize=4 * REMEMBERED)
def walk(scalar: Scalar) -> tuple[Scalar, ...]:
    """A scalar expression and everything inside it, but not inside its folds."""
    found: list[Scalar] = []
    left = [scalar]
    while left:
        one = left.pop()
        found.append(one)
        left += one.children()[::-1]
    return tuple(found)


@lru_cache(maxsize=4 * REMEMBERED)
def dependencies(scalar: Scalar) -> frozenset[str]:
    """Every name in the indices, guards and values of an expression that is not bound inside it."""
    found: set[str] = set()
    match scalar:
        case Index(size=size):
            found |= size.names()
        case Load(indices=indices, checks=checks):
            found.update(*(i.names() for i in indices), *(c.names() for c in checks))
        case Draw(coordinates=coordinates):
            found.update(*(c.names() for c in coordinates))
        case Checked(checks=checks):
            found.update(*(c.names() for c in checks))
        case Select(guard=guard) if guard is not None:
            found |= guard.names()
        case Named(name=name):
            found.add(name)
        case Reduction(group=group):
            inner = frozenset[str]().union(*(dependencies(s) for s in (*group.initials, *group.steps)))
            lengths = frozenset[str]().union(*(extent.names() for extent in group.extents))
            found |= (inner | lengths) - {*group.iterators, *group.states}
        case Where(bindings=bindings, value=value):
            bound = {name for name, _ in bindings}
            return frozenset[str]().union(*(dependencies(s) - bound for s in (value, *(b for _, b in bindings))))
    return frozenset(found).union(*(dependencies(child) for child in scalar.children()))


Loops = tuple[tuple[str, Size], ...]


@dataclass(frozen=True, slots=True)
class ScalarOccurrence:
    """A scalar in its expression: the loops around it, the folds' among them, and whether it is computed always."""

    scalar: Scalar
    loops: Loops
    always: bool
    folded: bool


@lru_cache(maxsize=REMEMBERED)
def occurrences(scalar: Scalar, loops: Loops = ()) -> tuple[ScalarOccurrence, ...]:
    """A scalar and everything inside it, folds included, each with what is around it."""
    found: list[ScalarOccurrence] = []
    _visit(scalar, loops, True, False, found.append)
    return tuple(found)


def reads_of(scalar: Scalar, buffers: frozenset[str], loops: Loops = ()) -> list[ScalarOccurrence]:
    """The reads of some buffers in a scalar, folds included, each with what is around it."""
    found: list[ScalarOccurrence] = []
    _visit(scalar, loops, True, False, found.append, buffers)
    return [one for one in found if isinstance(one.scalar, Load)]


def _visit(
    scalar: Scalar,
    loops: Loops,
    always: bool,
    folded: bool,
    meet: Callable[[ScalarOccurrence], None],
    buffers: frozenset[str] | None = None,
) -> None:
    """Everything inside a scalar is met; where it is told which `buffers`, all that reads one of them."""
    if buffers is not None and buffers.isdisjoint(buffers_in(scalar)):
        return
    meet(ScalarOccurrence(scalar, loops, always, folded))
    match scalar:
        case Reduction(group=group):
            inner = (*loops, *zip(group.iterators, group.extents, strict=True))
            for initial in group.initials:
                _visit(initial, loops, always, folded, meet, buffers)
            for step in group.steps:
                _visit(step, inner, always, True, meet, buffers)
        case Select(test=test, then=then, otherwise=otherwise):
            for one in test:
                _visit(one, loops, always, folded, meet, buffers)
            for one in (then, otherwise):
                _visit(one, loops, False, folded, meet, buffers)
        case Checked(value=value):
            _visit(value, loops, False, folded, meet, buffers)
        case _:
            for child in scalar.children():
                _visit(child, loops, always, folded, meet, buffers)


def _inside(scalar: Scalar) -> tuple[Scalar, ...]:
    """What stands in a scalar itself, the parts of its fold among it."""
    return (*scalar.group.initials, *scalar.group.steps) if isinstance(scalar, Reduction) else scalar.children()


@lru_cache(maxsize=4 * REMEMBERED)
def buffers_in(scalar: Scalar) -> frozenset[str]:
    """The buffers that a scalar reads, folds included."""
    if isinstance(scalar, Load):
        return frozenset({scalar.buffer.name})
    return _NO_BUFFERS.union(*map(buffers_in, _inside(scalar)))


@lru_cache(maxsize=4 * REMEMBERED)
def count_in(scalar: Scalar) -> int:
    """How many scalars there are in one, itself among them, folds included."""
    return 1 + sum(map(count_in, _inside(scalar)))


@lru_cache(maxsize=REMEMBERED)
def scalars_in(scalar: Scalar) -> tuple[Scalar, ...]:
    """A scalar and everything inside it, folds included."""
    found: list[Scalar] = []
    left = [scalar]
    while left:
        one = left.pop()
        found.append(one)
        if isinstance(one, Reduction):
            left += (*one.group.initials, *one.group.steps)
        else:
            left += one.children()
    return tuple(found)


@lru_cache(maxsize=REMEMBERED)
def guards_a_fold(scalar: Scalar) -> bool:
    """Whether a fold is computed only where coordinates allow it, so that elsewhere its reads would be outside."""
    match scalar:
        case Select(guard=guard, then=then, otherwise=otherwise) if guard is not None:
            return any(isinstance(one, Reduction) for side in (then, otherwise) for one in scalars_in(side))
        case Checked(value=value):
            return any(isinstance(one, Reduction) for one in scalars_in(value))
        case Reduction(group=group):
            return any(guards_a_fold(one) for one in (*group.initials, *group.steps))
    return any(guards_a_fold(child) for child in scalar.children())


@lru_cache(maxsize=4 * REMEMBERED)
def height(scalar: Scalar) -> int:
    """How many scalars are inside one another in one."""
    return 1 + max(map(height, _inside(scalar)), default=0)


def sizes_in(scalar: Scalar) -> Iterator[Size]:
    """The indices, extents and sizes that stand in one scalar itself."""
    match scalar:
        case Index(size=size):
            yield size
        case Load(indices=indices):
            yield from indices
        case Draw(coordinates=coordinates):
            yield from coordinates
        case Reduction(group=group):
            yield from group.extents


def conditions_in(scalar: Scalar) -> Iterator[Condition]:
    """The guards and checks that stand in one scalar itself."""
    match scalar:
        case Load(checks=checks) | Checked(checks=checks):
            yield from checks
        case Select(guard=guard) if guard is not None:
            yield guard


def scalars_of(step: Step) -> tuple[Scalar, ...]:
    """The scalar expressions that stand in a step itself."""
    match step:
        case Nest(values=values):
            return values
        case Bind(value=value) | Assign(value=value):
            return (value,)
        case Branch(test=test):
            return test
    return ()


def inner_steps(step: Step) -> tuple[Step, ...]:
    match step:
        case Each(steps=steps) | Repeat(steps=steps):
            return steps
        case Branch(then=then, otherwise=otherwise):
            return (*then, *otherwise)
    return ()


@lru_cache(maxsize=REMEMBERED)
def loads(step: Step) -> tuple[Load, ...]:
    """Every read in a step, at any depth."""
    own = [one for scalar in scalars_of(step) for one in scalars_in(scalar) if isinstance(one, Load)]
    return (*own, *(load for inner in inner_steps(step) for load in loads(inner)))


@lru_cache(maxsize=REMEMBERED)
def read_buffers(step: Step) -> frozenset[str]:
    return _NO_BUFFERS.union(*map(buffers_in, scalars_of(step)), *map(read_buffers, inner_steps(step)))


@lru_cache(maxsize=REMEMBERED)
def written_buffers(step: Step) -> frozenset[str]:
    own = frozenset(b.name for b, _ in step.targets) if isinstance(step, Nest) else frozenset()
    if isinstance(step, Repeat):
        own = frozenset(buffer.name for pair in step.exchanges for buffer in pair)
    return own.union(*(written_buffers(s) for s in inner_steps(step)))


@lru_cache(maxsize=REMEMBERED)
def used_buffers(step: Step) -> frozenset[str]:
    """Every buffer that a step reads, writes or exchanges, at any depth."""
    return read_buffers(step) | written_buffers(step)


@lru_cache(maxsize=REMEMBERED)
def bound_names(step: Step) -> frozenset[str]:
    """Names that a step gives or changes for the steps after it."""
    own = frozenset({step.name}) if isinstance(step, Bind | Assign) else frozenset()
    inner = inner_steps(step) if isinstance(step, Repeat | Branch) else ()
    return own.union(*(bound_names(s) for s in inner if not isinstance(s, Bind)))


def carries(repeat: Repeat) -> bool:
    """Whether steps of a repetition need what those before them left: names or elements that they change."""
    return bool(bound_names(repeat)) or not written_buffers(repeat).isdisjoint(read_buffers(repeat))


@lru_cache(maxsize=REMEMBERED)
def used_names(step: Step) -> frozenset[str]:
    """Every name that a step reads or changes, its own among them."""
    found: set[str] = set()
    for size in own_sizes(step):
        found |= size.names()
    match step:
        case RequireStep(condition=condition):
            found |= condition.names()
        case Branch(guard=guard) if guard is not None:
            found |= guard.names()
        case Nest(cases=cases):
            for case in cases:
                found |= case.condition.names()
        case Assign(name=name):
            found.add(name)
    for scalar in scalars_of(step):
        found |= names_in(scalar)
    return frozenset(found).union(*(used_names(s) for s in inner_steps(step)))


def volume(lengths: Iterable[Size]) -> int | None:
    """How many coordinates some dimensions have together, where all their lengths are numbers."""
    total = 1
    for length in lengths:
        if not isinstance(length.constant, int):
            return None
        total *= length.constant
    return total


def are_few_and_long(rows: Iterable[Size], whole: Iterable[Iterable[Size]]) -> bool:
    """Whether few rows are known of, and one of some whole nests is known to do much in each of them.

    Threads had better share what is in a row then, of which no near cache holds much.
    """
    few = _least(rows)
    return few < FEW_ROWS and any(_least(lengths) >= LONG_ROW * few for lengths in whole)


def _least(lengths: Iterable[Size]) -> int:
    """How many coordinates some dimensions have together at the least, if none of them is empty."""
    return math.prod(length.constant for length in lengths if isinstance(length.constant, int))


def own_sizes(step: Step) -> Iterator[Size]:
    match step:
        case Nest(extents=extents, targets=targets):
            yield from extents
            for buffer, at in targets:
                yield from at
                yield from buffer.shape
        case Each(extents=extents) | Repeat(extents=extents):
            yield from extents
        case Allocate(buffer=buffer):
            yield from buffer.shape


@lru_cache(maxsize=REMEMBERED)
def names_in(scalar: Scalar) -> frozenset[str]:
    """Every name in a scalar's indices, guards and values, and in the shapes of what it reads."""
    found: set[str] = set()
    for one in scalars_in(scalar):
        match one:
            case Operation() | ConstantScalar():
                continue
            case Load(buffer=buffer):
                found.update(*[size.names() for size in buffer.shape])
            case Named(name=name):
                found.add(name)
        found.update(*[size.names() for size in sizes_in(one)], *[c.names() for c in conditions_in(one)])
    return frozenset(found)


FREE_STORAGES = frozenset({"f32", "f64", "bool"})
"""Storages of results that nothing can be wrong with."""


def may_fail(scalar: Scalar) -> bool:
    """Whether computing a scalar can raise a fault: a check, or arithmetic of whole numbers."""
    for one in scalars_in(scalar):
        if any(True for _ in conditions_in(one)) and not isinstance(one, Select):
            return True
        if isinstance(one, Operation) and one.column.storage not in FREE_STORAGES and one.function not in OF_QUADS:
            return True
    return False


@lru_cache(maxsize=4 * REMEMBERED)
def has_fold(scalar: Scalar) -> bool:
    return isinstance(scalar, Reduction) or any(map(has_fold, scalar.children()))
