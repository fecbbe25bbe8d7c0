"""Is a plan sound?  Run after lowering and after every pass, so that a mistake shows where it was made.

Every name is bound before it is used, every buffer allocated before it is read or written and never used once freed,
indices mention bound names only and are as many as the buffer has axes, storages agree, every coordinate of a nest
writes an element of its own, and outputs are there at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Each,
    Free,
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
from tolang.plan.traversal import conditions_in, sizes_in


class BrokenPlan(Exception):
    """A plan that breaks a rule of its own form: a mistake in lowering or in a pass, never in the program."""


@dataclass(frozen=True, slots=True)
class NestNeeds:
    """What a nest that was found sound uses of what is around it: names by their storages, and buffers."""

    names: dict[str, str]
    buffers: tuple[Buffer, ...]


def verify(plan: Plan, sound: dict[Nest, NestNeeds] | None = None) -> None:
    """Raises `BrokenPlan` where a plan is not sound.

    Nests that were found `sound` before are not looked into again where what they need is still there.
    """
    verifier = _Verifier(plan, {} if sound is None else sound)
    verifier.steps(plan.steps)
    for buffers in plan.outputs:
        for buffer in buffers:
            verifier.live(buffer)


class _Verifier:
    """What is bound and allocated at the current place of a plan."""

    def __init__(self, plan: Plan, sound: dict[Nest, NestNeeds]) -> None:
        self.sound = sound
        self.read: set[str] = set()
        self.touched: dict[str, Buffer] = {}
        self.names: dict[str, str] = dict.fromkeys((*plan.sizes, *(one.step for one in plan.strides)), "i64")
        self.mutable: dict[str, bool] = {}
        self.buffers: dict[str, Buffer] = {b.name: b for b in plan.inputs}
        self.own: set[str] = set()
        self._changes: list[tuple[dict[str, Any], str, Any]] = []

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is put or taken inside is as before afterwards."""
        before, own = len(self._changes), self.own
        self.own = set()
        yield
        self.own = own
        while len(self._changes) > before:
            table, name, old = self._changes.pop()
            if old is None:
                table.pop(name, None)
            else:
                table[name] = old

    def _put(self, table: dict[str, Any], name: str, value: Any) -> None:
        self._changes.append((table, name, table.get(name)))
        table[name] = value

    def _take(self, table: dict[str, Any], name: str) -> None:
        self._changes.append((table, name, table.pop(name)))

    def steps(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: Step) -> None:
        match step:
            case Nest():
                self.conditions([case.condition for case in step.cases])
                if not self._has_what_it_needs(step):
                    self._nest(step)
            case Each(iterators=iterators, extents=extents, steps=inner):
                self._loop(iterators, extents, inner)
            case Repeat(iterators=iterators, extents=extents, steps=inner, exchanges=exchanges):
                self._loop(iterators, extents, inner)
                for first, second in exchanges:
                    self.live(first)
                    self.live(second)
                    alike = first.shape == second.shape and first.column.storage == second.column.storage
                    _expect(alike and first.name != second.name, f"{first.name} cannot change places with its pair")
            case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
                _expect((guard is None) == (len(test) == 1), "a branch has a guard or one test")
                self.conditions([] if guard is None else [guard])
                self.scalars(test)
                for branch in (then, otherwise):
                    with self.scope():
                        self.steps(branch)
            case Bind(name=name, value=value, mutable=mutable):
                self.scalar(value)
                _expect(name not in self.names, f"{name} is bound twice")
                self._put(self.names, name, value.column.storage)
                self._put(self.mutable, name, mutable)
            case Assign(name=name, value=value):
                self.scalar(value)
                _expect(self.mutable.get(name, False), f"{name} is assigned, and no name that may change")
                _expect(self.names[name] == value.column.storage, f"{name} changes its storage")
            case Allocate(buffer=buffer):
                self.sizes(buffer.shape)
                self._put(self.buffers, buffer.name, buffer)
                self.own.add(buffer.name)
            case Free(buffer=buffer):
                self.live(buffer)
                _expect(buffer.name in self.own, f"{buffer.name} is freed outside the steps that allocate it")
                self._take(self.buffers, buffer.name)
                self.own.discard(buffer.name)
            case RequireStep(condition=condition):
                self.conditions([condition])

    def _loop(self, iterators: tuple[str, ...], extents: tuple[Size, ...], inner: tuple[Step, ...]) -> None:
        with self.scope():
            self._iterators(iterators, extents)
            self.steps(inner)

    def _iterators(self, iterators: tuple[str, ...], extents: tuple[Size, ...]) -> None:
        _expect(len(iterators) == len(extents), "every iterator has an extent")
        for iterator, extent in zip(iterators, extents, strict=True):
            self.sizes([extent])
            self._put(self.names, iterator, "i64")

    def _has_what_it_needs(self, nest: Nest) -> bool:
        """Whether a nest was found sound before, and nothing that it uses has changed."""
        needs = self.sound.get(nest)
        return (
            needs is not None
            and self.names.items() >= needs.names.items()
            and all(self.buffers.get(one.name) is one for one in needs.buffers)
        )

    def _nest(self, nest: Nest) -> None:
        self.read.clear()
        self.touched.clear()
        _expect(len(nest.targets) == len(nest.values), "every target has a value")
        with self.scope():
            self._iterators(nest.iterators, nest.extents)
            self.scalars(nest.values)
            moving = {i for i, e in zip(nest.iterators, nest.extents, strict=True) if not e.is_constant(1)}
            for (buffer, at), value in zip(nest.targets, nest.values, strict=True):
                self._access(buffer, at)
                _expect(buffer.role != "input", f"{buffer.name} is an input, and written")
                _expect(buffer.column.storage == value.column.storage, f"{buffer.name} is stored as another storage")
                used = frozenset[str]().union(*(index.names() for index in at))
                _expect(moving <= used, f"several coordinates write one element of {buffer.name}")
        around = {name: self.names[name] for name in self.read & self.names.keys()}
        self.sound[nest] = NestNeeds(around, tuple(self.touched.values()))

    def live(self, buffer: Buffer) -> None:
        known = self.buffers.get(buffer.name)
        self.touched[buffer.name] = buffer
        if known is None:
            raise BrokenPlan(f"{buffer.name} is used, but not allocated here")
        same = known.shape == buffer.shape and known.panels == buffer.panels and known.beyond == buffer.beyond
        _expect(same, f"{buffer.name} has two shapes")
        _expect(known.column.storage == buffer.column.storage, f"{buffer.name} has two storages")

    def _access(self, buffer: Buffer, at: tuple[Size, ...]) -> None:
        self.live(buffer)
        _expect(len(at) == len(buffer.shape), f"{buffer.name} has {len(buffer.shape)} axes, not {len(at)}")
        self.sizes(at)

    def sizes(self, sizes: Iterable[Size]) -> None:
        for size in sizes:
            self._known(size.names())

    def conditions(self, conditions: Iterable[Condition]) -> None:
        for condition in conditions:
            self._known(condition.names())

    def _known(self, names: frozenset[str]) -> None:
        self.read |= names
        if not self.names.keys() >= names:
            unknown = ", ".join(sorted(names - self.names.keys()))
            raise BrokenPlan(f"{unknown} is used, but not bound here")

    def scalars(self, scalars: tuple[Scalar, ...]) -> None:
        for scalar in scalars:
            self.scalar(scalar)

    def scalar(self, scalar: Scalar) -> None:
        match scalar:
            case Operation(arguments=arguments):
                self.scalars(arguments)
            case Load(buffer=buffer, indices=indices, checks=checks):
                self._access(buffer, indices)
                self.conditions(checks)
                _expect(buffer.column.storage == scalar.column.storage, f"{buffer.name} is read as another storage")
            case Named(name=name):
                self._known(frozenset({name}))
                _expect(self.names[name] == scalar.column.storage, f"{name} is read as another storage")
            case Select(guard=guard, test=test, then=then, otherwise=otherwise):
                self.conditions(conditions_in(scalar))
                _expect((guard is None) == (len(test) == 1), "a choice has a guard or one test")
                same = then.column.storage == otherwise.column.storage == scalar.column.storage
                _expect(same, "the sides of a choice have different storages")
                self.scalars((*test, then, otherwise))
            case Where(bindings=bindings, value=value):
                with self.scope():
                    for name, bound in bindings:
                        self.scalar(bound)
                        self._put(self.names, name, bound.column.storage)
                    self.scalar(value)
            case Reduction():
                self._reduction(scalar)
            case _:
                self.sizes(sizes_in(scalar))
                self.conditions(conditions_in(scalar))
                self.scalars(scalar.children())

    def _reduction(self, scalar: Reduction) -> None:
        group = scalar.group
        counts = {len(part) for part in (group.states, group.columns, group.initials, group.steps)}
        _expect(len(counts) == 1, "a fold has as many states as initial values and steps")
        _expect(scalar.position < len(group.states), "a fold has no such component")
        self.scalars(group.initials)
        with self.scope():
            self._iterators(group.iterators, group.extents)
            for name, column in zip(group.states, group.columns, strict=True):
                self._put(self.names, name, column.storage)
            self.scalars(group.steps)
        for column, initial, step in zip(group.columns, group.initials, group.steps, strict=True):
            same = column.storage == initial.column.storage == step.column.storage
            _expect(same, "a fold's state changes its storage")


def _expect(held: bool, rule: str) -> None:
    if not held:
        raise BrokenPlan(rule)
