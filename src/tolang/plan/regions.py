"""Regions: which part of every buffer a step reads while its coordinates run through a box, in numbers.

    y[i] = x[i-1] + x[i+1]        i from 5 to 8 reads x from 4 to 9

A region is an interval in every dimension of a buffer.  Indices are enclosed as sizes are, by the ranges of the names
in them; what a guard keeps out of a buffer is outside it anyway, so that an interval ends where the buffer does.  An
index that follows from data, which no range bounds, reads its dimension whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.enclosure import Unbounded, enclosed
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Allocate, Branch, Buffer, Each, Load, Nest, Repeat, Step
from tolang.plan.traversal import REMEMBERED, Loops, allocated, occurrences, scalars_of

Interval = tuple[int, int]
"""The first and the last coordinate; an interval that ends before it begins is empty."""
Region = tuple[Interval, ...]
Box = Mapping[str, Interval]
"""From where to where names run; what has one value runs from it to itself."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An array reference: a place of a buffer that a step reads or writes, and the loops around it, outermost first."""

    buffer: Buffer
    indices: tuple[Size, ...]
    loops: Loops


@lru_cache(maxsize=REMEMBERED)
def reads_of(step: Step) -> tuple[Reference, ...]:
    """Every read of a buffer that is not the step's own."""
    own = {buffer.name for buffer in allocated(step)}
    return tuple(one for one in _reads(step, ()) if one.buffer.name not in own)


@lru_cache(maxsize=REMEMBERED)
def writes_of(step: Step) -> tuple[Reference, ...]:
    """Every write to a buffer that is not the step's own."""
    own = {buffer.name for buffer in allocated(step)}
    return tuple(one for one in _writes(step, ()) if one.buffer.name not in own)


def _inside(step: Step, loops: Loops) -> Iterator[tuple[Step, Loops]]:
    """The steps directly inside one, with the loops around them."""
    match step:
        case Each(iterators, extents, steps) | Repeat(iterators, extents, steps):
            inner = (*loops, *zip(iterators, extents, strict=True))
            yield from ((one, inner) for one in steps)
        case Branch(then=then, otherwise=otherwise):
            yield from ((one, loops) for one in (*then, *otherwise))


def _around(step: Step, loops: Loops) -> Loops:
    """The loops around the scalars that stand in a step itself."""
    return (*loops, *zip(step.iterators, step.extents, strict=True)) if isinstance(step, Nest) else loops


def _reads(step: Step, loops: Loops) -> Iterator[Reference]:
    for scalar in scalars_of(step):
        for one in occurrences(scalar, _around(step, loops)):
            if isinstance(one.scalar, Load):
                yield Reference(one.scalar.buffer, one.scalar.indices, one.loops)
    for inner, around in _inside(step, loops):
        yield from _reads(inner, around)


def _writes(step: Step, loops: Loops) -> Iterator[Reference]:
    if isinstance(step, Nest):
        yield from (Reference(buffer, at, _around(step, loops)) for buffer, at in step.targets)
    for inner, around in _inside(step, loops):
        yield from _writes(inner, around)


@lru_cache(maxsize=REMEMBERED)
def own_of(step: Step) -> tuple[Reference, ...]:
    """Every buffer that a step makes inside itself, with the loops around the place where it does."""
    return tuple(_own(step, ()))


def _own(step: Step, loops: Loops) -> Iterator[Reference]:
    if isinstance(step, Allocate):
        yield Reference(step.buffer, (), loops)
    for inner, around in _inside(step, loops):
        yield from _own(inner, around)


def length_within(length: Size, loops: Loops, values: Mapping[str, int]) -> int:
    """The greatest value of a length inside loops; 0 where nothing bounds it."""
    inside = entered(loops, {name: (value, value) for name, value in values.items()})
    return max(0, (interval_of(length, inside) or (0, 0))[1])


def interval_of(size: Size, box: Box) -> Interval | None:
    """Between which whole numbers a size lies while names run; None where a name in it has no range."""
    try:
        low, high = enclosed(size, box)
    except (KeyError, Unbounded):
        return None
    return math.ceil(low), math.floor(high)


def entered(loops: Loops, box: Box) -> dict[str, Interval]:
    """The ranges of names inside loops; iterators that the box tells of run as it says."""
    inside = dict(box)
    for name, extent in loops:
        if name not in inside:
            length = interval_of(extent, inside)
            if length is not None:
                inside[name] = 1, max(1, length[1])
    return inside


def region_of(access: Reference, box: Box, lengths: Sequence[int]) -> Region:
    """The part of its buffer, of these lengths, that an access touches while coordinates run through a box."""
    inside = entered(access.loops, box)
    found = []
    for index, length in zip(access.indices, lengths, strict=True):
        low, high = interval_of(index, inside) or (1, length)
        found.append((max(1, low), min(length, high)))
    return tuple(found)


def hull(regions: Iterable[Region]) -> Region:
    """The least region that has some others in it."""
    return tuple((min(low for low, _ in sides), max(high for _, high in sides)) for sides in zip(*regions, strict=True))


def length_at(length: Size, values: Mapping[str, int]) -> int:
    """A length as a number: one below none, which is refused once it is asked for, is none until then."""
    return max(0, int(length.evaluate(values)))


def lengths_at(lengths: Iterable[Size], values: Mapping[str, int]) -> tuple[int, ...]:
    """Lengths as numbers."""
    return tuple(length_at(one, values) for one in lengths)


def lengths_of(region: Region) -> tuple[int, ...]:
    return tuple(max(0, high - low + 1) for low, high in region)
