"""Rewriting of plans: names replaced, scalars exchanged.

Components of one fold share their group by identity, so a rewriter remembers the group it made of each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tolang.ground.conditions import Condition
from tolang.ground.dataclasses import replace
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
from tolang.nests.traversal import dependencies

Indices = tuple[Size, ...]
Bindings = tuple[tuple[str, Scalar], ...]
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
                pairs = tuple([(self.buffer(a), self.buffer(b)) for a, b in exchanges])
                if all(a is c and b is d for (a, b), (c, d) in zip(exchanges, pairs, strict=True)):
                    pairs = exchanges
                return self._changed(step, extents=self.indices(extents), steps=self.steps(inner), exchanges=pairs)
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


def within(known: Bindings, scalar: Scalar) -> Scalar:
    """A scalar with those of the names known around it that it uses."""
    names, used = set(dependencies(scalar)), list[tuple[str, Scalar]]()
    for name, bound in reversed(known):
        if name in names:
            used.append((name, bound))
            names |= dependencies(bound)
    return Where(tuple(reversed(used)), scalar, column=scalar.column) if used else scalar


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
