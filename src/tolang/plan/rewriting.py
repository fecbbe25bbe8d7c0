"""Rewriting of plans: names replaced, scalars exchanged.

Components of one fold share their group by identity, so a rewriter remembers the group it made of each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
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
    RequireStep,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.schedule import ScheduleCase
from tolang.plan.traversal import dependencies

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
        place: Callable[[Buffer, Indices], tuple[Buffer, Indices]] | None = None,
        only: Callable[[Scalar], bool] | None = None,
    ) -> None:
        """Loads and targets of nests go to the `place` of their buffer and indices.

        Where it is told which scalars `only` have something to be replaced inside, others are left as they are.
        """
        self.sizes, self.rule, self.buffers = sizes or {}, rule, buffers or {}
        self._condition, self._size, self._place, self._only = condition, size, place, only
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

    def placed(self, buffer: Buffer, at: Indices) -> tuple[Buffer, Indices]:
        place = self.buffer(buffer), self.indices(at)
        return self._place(*place) if self._place else place

    def scalar(self, scalar: Scalar) -> Scalar:
        if self._only is not None and not self._only(scalar):
            return scalar
        if self.rule is not None:
            made = self.rule(scalar)
            if made is not None:
                return made
        return self.parts(scalar)

    def parts(self, scalar: Scalar) -> Scalar:
        """The scalar with its parts rewritten; itself where none of them changes."""
        rewritten = _PARTS.get(type(scalar))
        return scalar if rewritten is None else rewritten(self, scalar)

    def _operation(self, scalar: Operation) -> Scalar:
        made = self.scalars(scalar.arguments)
        return scalar if made is scalar.arguments else replace(scalar, arguments=made)

    def _load(self, scalar: Load) -> Scalar:
        (buffer, at), checks = self.placed(scalar.buffer, scalar.indices), self._checks(scalar.checks)
        if buffer is scalar.buffer and at is scalar.indices and checks is scalar.checks:
            return scalar
        return replace(scalar, buffer=buffer, indices=at, checks=checks)

    def _index(self, scalar: Index) -> Scalar:
        made = self.size(scalar.size)
        return scalar if made is scalar.size else replace(scalar, size=made)

    def _checked(self, scalar: Checked) -> Scalar:
        left = self._checks(scalar.checks)
        made = self.scalar(scalar.value)
        return self._changed(scalar, checks=left, value=made) if left else made

    def _draw(self, scalar: Draw) -> Scalar:
        return self._changed(scalar, coordinates=self.indices(scalar.coordinates))

    def _select(self, scalar: Select) -> Scalar:
        held = None if scalar.guard is None else self.condition(scalar.guard)
        if held is not None and held.constant is not None:
            return self.scalar(scalar.then if held.constant else scalar.otherwise)
        test, then, otherwise = self.scalars(scalar.test), self.scalar(scalar.then), self.scalar(scalar.otherwise)
        return self._changed(scalar, guard=held, test=test, then=then, otherwise=otherwise)

    def _where(self, scalar: Where) -> Scalar:
        old = tuple([inner for _, inner in scalar.bindings])
        made = self.scalars(old)
        bound = scalar.bindings
        if made is not old:
            bound = tuple(zip([name for name, _ in bound], made, strict=True))
        return self._changed(scalar, bindings=bound, value=self.scalar(scalar.value))

    def _reduction(self, scalar: Reduction) -> Scalar:
        made = self.group(scalar.group)
        return scalar if made is scalar.group else replace(scalar, group=made)

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
                places = tuple([self.placed(b, at) for b, at in targets])
                if all(b is c and at is to for (b, at), (c, to) in zip(targets, places, strict=True)):
                    places = targets
                made = self.scalars(values)
                cases = kept(step.cases, tuple([self._case(case) for case in step.cases]))
                return self._changed(step, extents=self.indices(extents), targets=places, values=made, cases=cases)
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
            case RequireStep(condition=condition):
                return self._changed(step, condition=self.condition(condition))
        return step

    def _case(self, case: ScheduleCase) -> ScheduleCase:
        condition = self.condition(case.condition)
        return case if condition is case.condition else replace(case, condition=condition)

    def nest(self, nest: Nest) -> Nest:
        made = self.step(nest)
        assert isinstance(made, Nest)
        return made

    def steps(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return kept(steps, tuple([self.step(s) for s in steps]))


_PARTS: dict[type[Scalar], Callable[[Rewriter, Any], Scalar]] = {
    Operation: Rewriter._operation,
    Load: Rewriter._load,
    Index: Rewriter._index,
    Checked: Rewriter._checked,
    Draw: Rewriter._draw,
    Select: Rewriter._select,
    Where: Rewriter._where,
    Reduction: Rewriter._reduction,
}
"""How the parts of each kind of scalar are rewritten; others have none."""


def kept(old: tuple[Part, ...], made: tuple[Part, ...]) -> tuple[Part, ...]:
    """What was made of parts; the old ones where it is the same objects, so that what is known of them stays known."""
    return old if len(made) == len(old) and all(map(operator.is_, made, old)) else made


def renaming(names: Mapping[str, str], sizes: Mapping[str, Size] | None = None, rule: Rule | None = None) -> Rewriter:
    """Puts names in place of others wherever they stand; sizes in place of some, and what a rule says, goes before."""

    def renamed(scalar: Scalar) -> Scalar | None:
        made = None if rule is None else rule(scalar)
        if made is None and isinstance(scalar, Named) and scalar.name in names:
            return replace(scalar, name=names[scalar.name])
        return made

    return Rewriter({old: Size.of(new) for old, new in names.items()} | dict(sizes or {}), renamed)


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
