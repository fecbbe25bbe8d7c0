"""What a plan computes, element by element: a slow interpreter of plans that judges passes.

It knows no strategy and no layout, and goes through parallel loops in an order that it is told, as that must not matter.
What has not been written may not be read, nor what lies outside a buffer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values import elementary
from tolang.ground.values.casting import cast
from tolang.ground.values.conversion import convert
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.random import uniform
from tolang.ground.values.spaces import Column, dtype_of, is_unsigned
from tolang.plan.nest import (
    BELOW_ZERO,
    OUTSIDE,
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Checked,
    ConstantScalar,
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

WORD = (1 << 64) - 1
SEED = 7


class Fault(Exception):
    """A run that ends with an error, by its code."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The elements of a buffer one after the other, and which of them have been written."""

    shape: tuple[int, ...]
    elements: np.ndarray[Any, Any]
    written: np.ndarray[Any, Any]

    @property
    def value(self) -> np.ndarray[Any, Any]:
        return self.elements.reshape(self.shape)


def evaluate(
    plan: Plan, sizes: Mapping[str, int], inputs: Mapping[str, np.ndarray[Any, Any]], backwards: bool = False
) -> list[list[Any]]:
    """The elements of each output; raises `Fault` where the plan does, and `AssertionError` where it is not sound."""
    run = _Run(sizes, backwards)
    for table in plan.tables:
        inputs = {**inputs, table.buffer.name: np.array(table.elements, dtype_of(table.buffer.column.storage))}
    for buffer in plan.inputs:
        elements = np.array(inputs[buffer.name]).reshape(-1)
        run.memories[buffer.name] = Memory(run.lengths(buffer.shape), elements, np.ones(elements.size, np.bool_))
    run.names.update(dict.fromkeys((one.step for one in plan.strides), 1))
    run.steps(plan.steps)
    for buffer in itertools.chain(*plan.outputs):
        assert run.memories[buffer.name].written.all(), f"{buffer.name} is not written as a whole"
    return [[run.memories[buffer.name].value.tolist() for buffer in buffers] for buffers in plan.outputs]


class _Run:
    """The values of names and buffers at a point of a run."""

    def __init__(self, sizes: Mapping[str, int], backwards: bool) -> None:
        self.names: dict[str, Any] = dict(sizes)
        self.memories: dict[str, Memory] = {}
        self.backwards = backwards

    # Sizes

    def size(self, size: Size) -> int:
        if size.name is not None:
            return int(self.names[size.name])
        value = size.evaluate({name: int(self.names[name]) for name in size.names()})
        assert int(value) == value, f"{size} is {value}"
        return int(value)

    def lengths(self, sizes: tuple[Size, ...]) -> tuple[int, ...]:
        return tuple(self.size(one) for one in sizes)

    def holds(self, condition: Condition) -> bool:
        return bool(condition.evaluate({name: int(self.names[name]) for name in condition.names()}))

    def coordinates(self, extents: tuple[Size, ...]) -> Iterator[tuple[int, ...]]:
        """All coordinates, the first fastest."""
        turned = itertools.product(*(range(1, length + 1) for length in reversed(self.lengths(extents))))
        return (one[::-1] for one in turned)

    def in_any_order(self, extents: tuple[Size, ...]) -> list[tuple[int, ...]]:
        found = list(self.coordinates(extents))
        return found[::-1] if self.backwards else found

    # Steps

    def steps(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self.step(step)

    def step(self, step: Step) -> None:
        match step:
            case Nest():
                self.nest(step)
            case Each(iterators=iterators, extents=extents):
                for at in self.in_any_order(extents):
                    self.names.update(zip(iterators, at, strict=True))
                    self.steps(step.steps)
            case Repeat(iterators=iterators, extents=extents, exchanges=exchanges):
                own = {buffer.name: self.memories[buffer.name] for pair in exchanges for buffer in pair}
                for at in self.coordinates(extents):
                    self.names.update(zip(iterators, at, strict=True))
                    self.steps(step.steps)
                    for first, second in exchanges:
                        swapped = self.memories[second.name], self.memories[first.name]
                        self.memories[first.name], self.memories[second.name] = swapped
                for first, _ in exchanges:
                    last = self.memories[first.name]
                    own[first.name].elements[...], own[first.name].written[...] = last.elements, last.written
                self.memories.update(own)
            case Branch(guard=guard, test=test, then=then, otherwise=otherwise):
                holds = self.holds(guard) if guard is not None else bool(self.scalar(test[0]))
                self.steps(then if holds else otherwise)
            case Bind(name=name, value=value) | Assign(name=name, value=value):
                self.names[name] = self.scalar(value)
            case Allocate(buffer=buffer):
                shape = self.lengths(buffer.shape)
                if min(shape, default=0) < 0:
                    raise Fault(BELOW_ZERO.code)
                empty = np.zeros(math.prod(shape), dtype_of(buffer.column.storage))
                self.memories[buffer.name] = Memory(shape, empty, np.zeros(empty.size, np.bool_))
            case Free(buffer=buffer):
                del self.memories[buffer.name]
            case RequireStep(condition=condition, complaint=complaint):
                if not self.holds(condition):
                    raise Fault(complaint.code)

    def nest(self, nest: Nest) -> None:
        for at in self.in_any_order(nest.extents):
            self.names.update(zip(nest.iterators, at, strict=True))
            values = [self.scalar(one) for one in nest.values]
            for (buffer, place), value in zip(nest.targets, values, strict=True):
                found = self.place(buffer, place)
                memory = self.memories[buffer.name]
                memory.elements[found], memory.written[found] = value, True

    def place(self, buffer: Buffer, indices: tuple[Size, ...]) -> int:
        """Where an element lies; several axes that are one loop have their coordinate in the last, beyond its length."""
        shape, at, flat = self.memories[buffer.name].shape, self.lengths(indices), 0
        for length, one in zip(shape, at, strict=True):
            flat = flat * length + one - 1
        assert 0 <= flat < math.prod(shape), f"{buffer.name} of {shape} has no element {at}"
        return flat

    # Scalars

    def scalar(self, scalar: Scalar) -> Any:
        return np.asarray(self.computed(scalar)).astype(dtype_of(scalar.column.storage))[()]

    def computed(self, scalar: Scalar) -> Any:
        match scalar:
            case ConstantScalar(value=value):
                return value
            case Index(size=size):
                return self.size(size)
            case Named(name=name):
                return self.names[name]
            case Load(buffer=buffer, indices=indices, checks=checks):
                self.check(checks, OUTSIDE.code)
                place, memory = self.place(buffer, indices), self.memories[buffer.name]
                assert memory.written[place], f"{buffer.name} is read at {place} before it is written"
                return memory.elements[place]
            case Checked(checks=checks, value=value, complaint=complaint):
                self.check(checks, complaint.code)
                return self.scalar(value)
            case Draw(site=site, coordinates=coordinates, column=column):
                return uniform(SEED, site, [np.asarray(one) for one in self.lengths(coordinates)], column.storage)
            case Operation():
                return self.operation(scalar)
            case Select(guard=guard, test=test, then=then, otherwise=otherwise):
                holds = self.holds(guard) if guard is not None else bool(self.scalar(test[0]))
                return self.scalar(then if holds else otherwise)
            case Where(bindings=bindings, value=value):
                for name, bound in bindings:
                    self.names[name] = self.scalar(bound)
                return self.scalar(value)
            case Reduction(group=group, position=position):
                return self.fold(group)[position]
        raise AssertionError(f"{scalar} is no scalar")

    def check(self, checks: tuple[Condition, ...], code: str) -> None:
        if not all(map(self.holds, checks)):
            raise Fault(code)

    def fold(self, group: Group) -> list[Any]:
        values = [self.scalar(one) for one in group.initials]
        for at in self.coordinates(group.extents):
            self.names.update(zip(group.iterators, at, strict=True))
            self.names.update(zip(group.states, values, strict=True))
            values = [self.scalar(one) for one in group.steps]
        return values

    def operation(self, scalar: Operation) -> Any:
        arguments = [np.asarray(self.scalar(one)) for one in scalar.arguments]
        sources = [one.column for one in scalar.arguments]
        try:
            if scalar.function in FUNCTIONS:
                return elementary.apply(scalar.function, arguments, scalar.column, sources)
            if scalar.function == "fused":
                product = elementary.apply("mul", arguments[1:], scalar.column, sources[1:])
                added = arguments[0], product
                return elementary.apply("add", added, scalar.column, [sources[0], scalar.column])
            if scalar.function == "cast":
                return cast(arguments[0], scalar.column.storage, elementary.wraps(scalar.column))
            if scalar.function == "convert":
                return convert(arguments[0], sources[0], scalar.column)
        except ToLangRunError as error:
            raise Fault(error.code) from None
        return OF_PLANS[scalar.function]([one[()] for one in arguments], sources, scalar.column)


def _bits_of(value: Any, column: Column) -> int:
    """The ordinal of a number: a word that rises with it; both zeros have one, and NaN the greatest."""
    if column.storage in ("f32", "f64"):
        width = int(column.storage[1:])
        if np.isnan(value):
            return (1 << width) - 1
        raw = int((value + type(value)(0)).view(f"u{width // 8}"))
        return raw ^ ((1 << width) - 1) if raw >> (width - 1) else raw | 1 << (width - 1)
    return int(value) if is_unsigned(column.storage) else int(value) + (1 << 63)


def _key(word: int, column: Column) -> int:
    return word if is_unsigned(column.storage) else word - (1 << 63)


def _bytes(word: Any, signed: bool) -> list[int]:
    return [int(one) for one in np.asarray(word, np.int32).reshape(1).view(np.int8 if signed else np.uint8)]


def _dot(values: list[Any], signed: bool) -> int:
    pairs = zip(_bytes(values[1], signed), _bytes(values[2], True), strict=True)
    return int(values[0]) + sum(one * other for one, other in pairs)


OF_PLANS: dict[str, Callable[[list[Any], list[Column], Column], Any]] = {
    "quotient": lambda values, _, __: int(values[0]) // int(values[1]),
    "ordinal": lambda values, sources, _: np.uint64(_bits_of(values[0], sources[0])),
    "ordinal backwards": lambda values, sources, _: np.uint64(
        WORD - _bits_of(values[0], sources[0]) if sources[0].space.family == "Z" else _bits_of(-values[0], sources[0])
    ),
    "key": lambda values, _, column: _key(int(values[0]), column),
    "key backwards": lambda values, _, column: _key(WORD - int(values[0]), column),
    "span": lambda values, _, __: (int(values[0]) - int(values[1]) & WORD | 1).bit_length(),
    "digit": lambda values, _, __: ((int(values[0]) - int(values[1]) & WORD) >> int(values[2])) % (1 << int(values[3])),
    "binary digits": lambda values, _, __: int(values[0]).bit_length(),
    "doubled": lambda values, _, __: int(values[0]) << int(values[1]),
    "halved": lambda values, _, __: int(values[0]) >> int(values[1]),
    "quad": lambda values, _, __: np.array([int(one) & 255 for one in values], np.uint8).view(np.int32)[0],
    "dot": lambda values, _, __: _dot(values, True),
    "dot_unsigned": lambda values, _, __: _dot(values, False),
}
"""Functions that only plans have."""
