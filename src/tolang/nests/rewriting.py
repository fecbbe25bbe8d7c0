"""Rewriting of plans: names replaced, scalars exchanged, what a step reads and writes.

Components of one fold share their group by identity, so a rewriter remembers the group it made of each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from tolang.ground.conditions import Condition
from tolang.ground.sizes import Size
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    Constant,
    Demand,
    Draw,
    Each,
    Free,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
    Where,
)

REMEMBERED = 4096
"""Of how many steps it is remembered what they read, write and use."""
Indices = tuple[Size, ...]
Part = TypeVar("Part")
Rule = Callable[[Scalar], Scalar | None]
"""What a scalar is replaced by; None where its parts are looked at instead."""


class Rewriter:
    """Replaces names in indices, and scalars and buffers by rules, everywhere in scalars and steps."""

    def __init__(
        self,
        sizes: Mapping[str, Size] | None = None,
        rule: Rule | None = None,
        buffers: Mapping[str, Buffer] | None = None,
        condition: Callable[[Condition], Condition] | None = None,
        size: Callable[[Size], Size] | None = None,
        target: Callable[[Buffer, Indices], tuple[Buffer, Indices]] | None = None,
    ) -> None:
        self.sizes, self.rule, self.buffers = sizes or {}, rule, buffers or {}
        self._condition, self._size, self._target = condition, size, target
        self._groups: dict[int, tuple[Group, Group]] = {}

    def size(self, size: Size) -> Size:
        replaced = size.substitute(self.sizes) if self.sizes else size
        return self._size(replaced) if self._size else replaced

    def indices(self, indices: tuple[Size, ...]) -> tuple[Size, ...]:
        return kept(indices, tuple([self.size(i) for i in indices]))

    def condition(self, condition: Condition) -> Condition:
        replaced = condition.substitute(self.sizes) if self.sizes else condition
        return self._condition(replaced) if self._condition else replaced

    def buffer(self, buffer: Buffer) -> Buffer:
        return self.buffers.get(buffer.name, buffer)

    def target(self, buffer: Buffer, at: Indices) -> tuple[Buffer, Indices]:
        place = self.buffer(buffer), self.indices(at)
        return self._target(*place) if self._target else place

    def scalar(self, scalar: Scalar) -> Scalar:
        if self.rule is not None:
            made = self.rule(scalar)
            if made is not None:
                return made
        return self.parts(scalar)

    def parts(self, scalar: Scalar) -> Scalar:
        """The scalar with its parts rewritten; itself where none of them changes."""
        match scalar:
            case Operation(arguments=arguments):
                return self._changed(scalar, arguments=self.scalars(arguments))
            case Load(buffer=buffer, indices=indices, checks=checks):
                place = self.buffer(buffer)
                return self._changed(scalar, buffer=place, indices=self.indices(indices), checks=self._checks(checks))
            case Index(size=size):
                return self._changed(scalar, size=self.size(size))
            case Checked(checks=checks, value=value):
                left = self._checks(checks)
                made = self.scalar(value)
                return self._changed(scalar, checks=left, value=made) if left else made
            case Draw(coordinates=coordinates):
                return self._changed(scalar, coordinates=self.indices(coordinates))
            case Select(guard=guard, test=test, then=then, otherwise=otherwise):
                held = None if guard is None else self.condition(guard)
                if held is not None and held.constant is not None:
                    return self.scalar(then if held.constant else otherwise)
                tests, sides = self.scalars(test), (self.scalar(then), self.scalar(otherwise))
                return self._changed(scalar, guard=held, test=tests, then=sides[0], otherwise=sides[1])
            case Where(bindings=bindings, value=value):
                old = tuple([inner for _, inner in bindings])
                made_of = self.scalars(old)
                bound = bindings if made_of is old else tuple(zip([n for n, _ in bindings], made_of, strict=True))
                return self._changed(scalar, bindings=bound, value=self.scalar(value))
            case Reduction(group=group):
                return self._changed(scalar, group=self.group(group))
        return scalar

    def scalars(self, scalars: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        return kept(scalars, tuple([self.scalar(s) for s in scalars]))

    def _changed(self, node: Part, **parts: Any) -> Part:
        """A node with other parts; itself where they are the ones it has."""
        for name, part in parts.items():
            if getattr(node, name) is not part:
                return replace(node, **parts)  # type: ignore[type-var]  # nodes are dataclasses
        return node

    def _checks(self, checks: tuple[Condition, ...]) -> tuple[Condition, ...]:
        if not checks:
            return checks
        made = (self.condition(c) for c in checks)
        return kept(checks, tuple([c for c in made if c.constant is not True]))

    def group(self, group: Group) -> Group:
        known = self._groups.get(id(group))
        if known is None:
            extents, initials = self.indices(group.extents), self.scalars(group.initials)
            made = self._changed(group, extents=extents, initials=initials, steps=self.scalars(group.steps))
            known = self._groups[id(group)] = (group, made)
        return known[1]

    def step(self, step: Step) -> Step:
        match step:
            case Nest(extents=extents, targets=targets, values=values):
                places = tuple([self.target(b, at) for b, at in targets])
                if all(b is c and at is to for (b, at), (c, to) in zip(targets, places, strict=True)):
                    places = targets
                made = self.scalars(values)
                return self._changed(step, extents=self.indices(extents), targets=places, values=made)
            case Each(extents=extents, steps=inner):
                return self._changed(step, extents=self.indices(extents), steps=self.steps(inner))
            case Repeat(extents=extents, steps=inner, exchanges=exchanges):
                pairs = tuple((self.buffer(a), self.buffer(b)) for a, b in exchanges)
                return replace(step, extents=self.indices(extents), steps=self.steps(inner), exchanges=pairs)
            case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
                held = None if guard is None else self.condition(guard)
                sides = self.steps(then), self.steps(otherwise)
                return self._changed(step, guard=held, test=self.scalars(test), then=sides[0], otherwise=sides[1])
            case Bind(value=value) | Assign(value=value):
                return self._changed(step, value=self.scalar(value))
            case Allocate(buffer=buffer):
                moved = self.buffer(buffer)
                return self._changed(step, buffer=self._changed(moved, shape=self.indices(moved.shape)))
            case Free(buffer=buffer):
                return self._changed(step, buffer=self.buffer(buffer))
            case Demand(condition=condition):
                return self._changed(step, condition=self.condition(condition))
        return step

    def steps(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return kept(steps, tuple([self.step(s) for s in steps]))


def kept(old: tuple[Part, ...], made: tuple[Part, ...]) -> tuple[Part, ...]:
    """What was made of parts; the old ones where it is the same objects, so that what is known of them stays known."""
    return old if len(made) == len(old) and all(map(operator.is_, made, old)) else made


Loops = tuple[tuple[str, Size], ...]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A scalar in its expression: the loops around it, the folds' among them, and whether it is computed always."""

    scalar: Scalar
    loops: Loops
    always: bool
    folded: bool


@lru_cache(maxsize=REMEMBERED)
def occurrences(scalar: Scalar, loops: Loops = ()) -> tuple[Occurrence, ...]:
    """A scalar and everything inside it, folds included, each with what is around it."""
    found: list[Occurrence] = []
    _visit(scalar, loops, True, False, found.append)
    return tuple(found)


def _visit(scalar: Scalar, loops: Loops, always: bool, folded: bool, meet: Callable[[Occurrence], None]) -> None:
    meet(Occurrence(scalar, loops, always, folded))
    match scalar:
        case Reduction(group=group):
            inner = (*loops, *zip(group.iterators, group.extents, strict=True))
            for initial in group.initials:
                _visit(initial, loops, always, folded, meet)
            for step in group.steps:
                _visit(step, inner, always, True, meet)
        case Select(test=test, then=then, otherwise=otherwise):
            for one in test:
                _visit(one, loops, always, folded, meet)
            for one in (then, otherwise):
                _visit(one, loops, False, folded, meet)
        case Checked(value=value):
            _visit(value, loops, False, folded, meet)
        case _:
            for child in scalar.children():
                _visit(child, loops, always, folded, meet)


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


@lru_cache(maxsize=REMEMBERED)
def height(scalar: Scalar) -> int:
    """How many scalars are inside one another in one."""
    inner = scalar.children()
    if isinstance(scalar, Reduction):
        inner = (*scalar.group.initials, *scalar.group.steps)
    return 1 + max(map(height, inner), default=0)


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
    return frozenset(load.buffer.name for load in loads(step))


@lru_cache(maxsize=REMEMBERED)
def written_buffers(step: Step) -> frozenset[str]:
    own = frozenset(b.name for b, _ in step.targets) if isinstance(step, Nest) else frozenset()
    if isinstance(step, Repeat):
        own = frozenset(buffer.name for pair in step.exchanges for buffer in pair)
    return own.union(*(written_buffers(s) for s in inner_steps(step)))


@lru_cache(maxsize=REMEMBERED)
def bound_names(step: Step) -> frozenset[str]:
    """Names that a step gives or changes for the steps after it."""
    own = frozenset({step.name}) if isinstance(step, Bind | Assign) else frozenset()
    inner = inner_steps(step) if isinstance(step, Repeat | Branch) else ()
    return own.union(*(bound_names(s) for s in inner if not isinstance(s, Bind)))


@lru_cache(maxsize=REMEMBERED)
def used_names(step: Step) -> frozenset[str]:
    """Every name that a step reads or changes, its own among them."""
    found: set[str] = set()
    for size in own_sizes(step):
        found |= size.names()
    match step:
        case Demand(condition=condition):
            found |= condition.names()
        case Branch(guard=guard) if guard is not None:
            found |= guard.names()
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
            case Operation() | Constant():
                continue
            case Load(buffer=buffer):
                found.update(*[size.names() for size in buffer.shape])
            case Named(name=name):
                found.add(name)
        found.update(*[size.names() for size in sizes_in(one)], *[c.names() for c in conditions_in(one)])
    return frozenset(found)


def may_fail(scalar: Scalar) -> bool:
    """Whether computing a scalar can raise a fault: a check, or arithmetic of whole numbers."""
    for one in scalars_in(scalar):
        if any(True for _ in conditions_in(one)) and not isinstance(one, Select):
            return True
        if isinstance(one, Operation) and one.column.storage not in ("f32", "f64", "bool"):
            return True
    return False


def has_fold(scalar: Scalar) -> bool:
    return any(isinstance(one, Reduction) for one in scalars_in(scalar))


def map_lists(plan: Plan, change: Callable[[tuple[Step, ...]], tuple[Step, ...]]) -> Plan:
    """A plan with every list of steps changed, inner lists first."""

    def deep(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return kept(steps, change(kept(steps, tuple([inside(step) for step in steps]))))

    def inside(step: Step) -> Step:
        match step:
            case Each(steps=inner) | Repeat(steps=inner):
                made = deep(inner)
                return step if made is inner else replace(step, steps=made)
            case Branch(then=then, otherwise=otherwise):
                sides = deep(then), deep(otherwise)
                same = sides[0] is then and sides[1] is otherwise
                return step if same else replace(step, then=sides[0], otherwise=sides[1])
        return step

    return replace(plan, steps=deep(plan.steps))
