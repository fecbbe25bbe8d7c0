"""Small random data of declared spaces: inputs for showing or testing a program when none are given."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tolang.core.core import Core, Input
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.faults import check_shape, shape_text
from tolang.ground.system.memory import memory_fault
from tolang.ground.values.spaces import Column, Space, integer_range
from tolang.ground.values.values import ToL, allocate

LETTERS = "abcdefgh"
MOST_ELEMENTS = 1_000_000
"""Elements are drawn one by one, which is for small data."""
SPREAD = 9
"""Samples of a space without bounds lie within this distance of 0."""


def sample_inputs(
    program: Core, sizes: Mapping[str, int], given: Mapping[str, ToL] | None = None, seed: int = 0
) -> dict[str, ToL]:
    """An input for each that is not given: random data of its spaces, in the shape that the sizes give it."""
    generator = random.Random(seed)
    found = dict(given or {})
    numbers: dict[str, int] = dict(sizes)
    for one in sorted(program.inputs, key=lambda one: len(one.type.shape)):
        if one.name not in found:
            found[one.name] = _input(one, numbers, generator)
        if one.type.is_numeric and one.type.column.space.family == "Z":
            numbers[one.name] = int(found[one.name].item())
    return found


def _input(one: Input, numbers: Mapping[str, int], generator: random.Random) -> ToL:
    missing = sorted({name for length in one.type.shape for name in length.names()} - numbers.keys())
    if missing:
        raise usage("E517", f"the size {missing[0]} is not given", fix=f"pass {missing[0]}=…")
    if one.type.is_numeric and one.name in numbers and one.type.column.space.family == "Z":
        return ToL.of(numbers[one.name], one.type.columns, one.name)
    shape = tuple(int(length.evaluate(numbers)) for length in one.type.shape)
    return sample(one.type.columns, shape, generator)


def sample(columns: Sequence[Column], shape: tuple[int, ...], generator: random.Random) -> ToL:
    """A ToL of random members of the columns' spaces."""
    if math.prod(check_shape(shape)) > MOST_ELEMENTS:
        raise memory_fault(f"random data of shape {shape_text(shape)}")
    arrays = []
    for one in columns:
        array = allocate(shape, one.storage)
        for index in np.ndindex(shape) if array.size else ():
            array[index] = sample_numeric(one, generator)
        arrays.append(array)
    return ToL(arrays, columns)


def sample_numeric(one: Column, generator: random.Random) -> Any:
    """A random member of a column's space, small where the space allows it."""
    space = one.space
    match space.family:
        case "B":
            return generator.random() < 0.5
        case "S":
            return generator.choice(LETTERS)
        case "Z":
            return _whole(space, one.storage, generator)
        case "Q":
            return _within(
                space, generator, lambda: Fraction(generator.randint(-SPREAD, SPREAD), generator.randint(1, 4))
            )
        case "R":
            return _within(space, generator, lambda: generator.randint(-4 * SPREAD, 4 * SPREAD) / 8)
        case "I":
            return complex(0, generator.randint(-SPREAD, SPREAD) / 4)
    return complex(generator.randint(-SPREAD, SPREAD) / 4, generator.randint(-SPREAD, SPREAD) / 4)  # fmt: skip


def _whole(space: Space, storage: str, generator: random.Random) -> int:
    low, high = space.limits
    if space.is_machine:
        low, high = integer_range(space.root)
    least = max(-SPREAD, math.ceil(low)) if low is not None else -SPREAD
    greatest = min(SPREAD, math.floor(high)) if high is not None else SPREAD
    if least > greatest:
        least = greatest = math.ceil(low) if low is not None and low > SPREAD else math.floor(high or 0)
    if low is not None and high is not None and low > high:
        raise usage("E501", f"nothing is in {space}", found=f"from {low} to {high}")
    drawn = generator.randint(least, greatest)
    return drawn if drawn or not space.root.endswith("*") else (1 if greatest >= 1 else -1)


def _within(space: Space, generator: random.Random, draw: Any) -> Any:
    """A number with the sign and within the bounds of its space."""
    number = draw()
    sign = space.root[1:] if not space.is_machine else ""
    if sign and not number:
        number = number + 1
    if sign == "+":
        number = abs(number)
    if sign == "-":
        number = -abs(number)
    low, high = space.limits
    if (low is not None and number < low) or (high is not None and number > high):
        base = low if low is not None else high
        assert base is not None
        other = high if low is not None and high is not None else base
        number = base + (other - base) * Fraction(generator.randint(0, 8), 8)
    return type(draw())(number)
