"""Rewriting of plans: names replaced, scalars exchanged, what a step reads and writes.

Components of one fold share their group by identity, so a rewriter remembers the group it made of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from tolang.ground.conditions import Condition
from tolang.ground.sizes import Size
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    Demand,
    Draw,
    Each,
    Free,
    Group,
    Index,
    Load,
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
        return tuple(self.size(i) for i in indices)

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
        """The scalar with its parts rewritten."""
        match scalar:
            case Index(size=size):
                return replace(scalar, size=self.size(size))
            case Load(buffer=buffer, indices=indices, checks=checks):
                place = self.buffer(buffer)
                return replace(scalar, buffer=place, indices=self.indices(indices), checks=self._checks(checks))
            case Checked(checks=checks, value=value):
                left = self._checks(checks)
                return replace(scalar, checks=left, value=self.scalar(value)) if left else self.scalar(value)
            case Operation(arguments=arguments):
                return replace(scalar, arguments=tuple(self.scalar(a) for a in arguments))
            case Draw(coordinates=coordinates):
                return replace(scalar, coordinates=self.indices(coordinates))
            case Select(guard=guard, test=test, then=then, otherwise=otherwise):
                held = None if guard is None else self.condition(guard)
                if held is not None and held.constant is not None:
                    return self.scalar(then if held.constant else otherwise)
                tests = tuple(self.scalar(t) for t in test)
                return replace(scalar, guard=held, test=tests, then=self.scalar(then), otherwise=self.scalar(otherwise))
            case Where(bindings=bindings, value=value):
                bound = tuple((name, self.scalar(inner)) for name, inner in bindings)
                return replace(scalar, bindings=bound, value=self.scalar(value))
            case Reduction(group=group):
                return replace(scalar, group=self.group(group))
        return scalar

    def _checks(self, checks: tuple[Condition, ...]) -> tuple[Condition, ...]:
        made = (self.condition(c) for c in checks)
        return tuple(c for c in made if c.constant is not True)

    def group(self, group: Group) -> Group:
        known = self._groups.get(id(group))
        if known is None:
            made = replace(
                group,
                extents=self.indices(group.extents),
                initials=tuple(self.scalar(i) for i in group.initials),
                steps=tuple(self.scalar(s) for s in group.steps),
            )
            known = self._groups[id(group)] = (group, made)
        return known[1]

    def step(self, step: Step) -> Step:
        match step:
            case Nest(extents=extents, targets=targets, values=values):
                places = tuple(self.target(b, at) for b, at in targets)
                made = tuple(self.scalar(v) for v in values)
                return replace(step, extents=self.indices(extents), targets=places, values=made)
            case Each(extents=extents, steps=inner):
                return replace(step, extents=self.indices(extents), steps=self.steps(inner))
            case Repeat(extents=extents, steps=inner, exchanges=exchanges):
                pairs = tuple((self.buffer(a), self.buffer(b)) for a, b in exchanges)
                return replace(step, extents=self.indices(extents), steps=self.steps(inner), exchanges=pairs)
            case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
                held = None if guard is None else self.condition(guard)
                tests = tuple(self.scalar(t) for t in test)
                return Branch(held, tests, self.steps(then), self.steps(otherwise))
            case Bind(value=value) | Assign(value=value):
                return replace(step, value=self.scalar(value))
            case Allocate(buffer=buffer):
                moved = self.buffer(buffer)
                return Allocate(replace(moved, shape=self.indices(moved.shape)))
            case Free(buffer=buffer):
                return Free(self.buffer(buffer))
            case Demand(condition=condition):
                return replace(step, condition=self.condition(condition))
        return step

    def steps(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(self.step(s) for s in steps)


Loops = tuple[tuple[str, Size], ...]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A scalar in its expression: the loops around it, the folds' among them, and whether it is computed always."""

    scalar: Scalar
    loops: Loops
    always: bool
    folded: bool


def occurrences(scalar: Scalar, loops: Loops = (), always: bool = True, folded: bool = False) -> list[Occurrence]:
    """A scalar and everything inside it, folds included, each with what is around it."""
    found: list[Occurrence] = []
    _visit(scalar, loops, always, folded, found.append)
    return found


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


def names_in(scalar: Scalar) -> frozenset[str]:
    """Every name in a scalar's indices, guards and values, and in the shapes of what it reads."""
    found: set[str] = set()
    for one in scalars_in(scalar):
        found.update(*(size.names() for size in sizes_in(one)), *(c.names() for c in conditions_in(one)))
        if isinstance(one, Load):
            found.update(*(size.names() for size in one.buffer.shape))
        name = getattr(one, "name", None)
        if isinstance(name, str):
            found.add(name)
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
        made: list[Step] = []
        for step in steps:
            match step:
                case Each(steps=inner) | Repeat(steps=inner):
                    made.append(replace(step, steps=deep(inner)))
                case Branch(then=then, otherwise=otherwise):
                    made.append(replace(step, then=deep(then), otherwise=deep(otherwise)))
                case _:
                    made.append(step)
        return change(tuple(made))

    return replace(plan, steps=deep(plan.steps))
