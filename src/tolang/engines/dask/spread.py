"""Arrays whose blocks are with the workers of a cluster: known here by the tasks that give them, and never fetched.

A task that reads a region takes the blocks it is in, whole or the part of them that it needs: a halo is cut off where
its block is, so that only it travels.  Blocks of workers that are lost are computed again from what they came from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, Protocol

import numpy as np

from tolang.engines.dask.requests import Goal, InMemory, Joined, Picked, RegionSource, Request, is_reachable
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.values.casting import Array
from tolang.plan.regions import Interval, Region, lengths_of

WORTH_CUTTING = 0.5
"""Up to which part of a block only that part travels."""

Slices = tuple[slice, ...]
Given = list[Array]
"""What a task gives: blocks, of which an array has the one at its position."""


class Tasks(Protocol):
    """What submits tasks that are not fetched."""

    def given(self, block: Array) -> Any:
        """A task that gives a block which is here."""

    def read(self, source: RegionSource, region: Region) -> Any:
        """A task that gives a region of an array that all workers can read."""

    def part(self, task: Any, position: int, slices: Slices) -> Any:
        """A task that gives a part of a block of another one."""

    def fetched(self, task: Any) -> Given:
        """What a task gives, here."""


@dataclass(frozen=True, slots=True)
class Portion:
    """A region of an array, and where it is: a part of the block at a position of what a task gives."""

    region: Region
    task: Any
    position: int
    slices: Slices


class Spread:
    """An array in blocks that tasks give."""

    is_shared: ClassVar[bool] = False

    def __init__(self, tasks: Tasks, dtype: np.dtype[Any], dimensions: int) -> None:
        self.tasks, self.dtype = tasks, dtype
        self._blocks: dict[tuple[int, ...], tuple[Region, Any, int]] = {}
        self._starts: list[dict[int, None]] = [{} for _ in range(dimensions)]
        self._sorted: list[list[int]] | None = None
        self._parts: dict[tuple[tuple[int, ...], Region], Any] = {}

    def put(self, region: Region, task: Any, position: int) -> None:
        """Has a block be what a task gives."""
        if 0 in lengths_of(region):
            return
        first = tuple(low for low, _ in region)
        self._blocks[first] = region, task, position
        for starts, low in zip(self._starts, first, strict=True):
            starts[low] = None
        self._sorted = None

    def write(self, region: Sequence[Interval], block: Array) -> None:
        self.put(tuple(region), self.tasks.given(block), 0)

    def regions(self) -> Iterator[Region]:
        return (region for region, _, _ in self._blocks.values())

    def portions(self, region: Sequence[Interval]) -> Iterator[Portion]:
        """The parts of blocks that a region is made of."""
        if 0 in lengths_of(tuple(region)):
            return
        if self._sorted is None:
            self._sorted = [sorted(starts) for starts in self._starts]
        ranges = []
        for (low, high), starts in zip(region, self._sorted, strict=True):
            ranges.append(starts[max(0, bisect_right(starts, low) - 1) : bisect_right(starts, high)])
        for first in product(*ranges):
            block, task, position = self._blocks[first]
            inside = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(region, block, strict=True))
            yield self._portion(first, inside, block, task, position)

    def _portion(self, first: tuple[int, ...], inside: Region, block: Region, task: Any, position: int) -> Portion:
        slices = tuple(slice(a - c, b - c + 1) for (a, b), (c, _) in zip(inside, block, strict=True))
        if np.prod(lengths_of(inside)) > WORTH_CUTTING * np.prod(lengths_of(block)):
            return Portion(inside, task, position, slices)
        if (first, inside) not in self._parts:
            self._parts[first, inside] = self.tasks.part(task, position, slices)
        return Portion(inside, self._parts[first, inside], 0, (slice(None),) * len(slices))

    def read(self, region: Sequence[Interval]) -> Array:
        found = list(self.portions(region))
        return Arriving.of(region, self.dtype, found, range(len(found))).array(
            [self.tasks.fetched(one.task) for one in found]
        )


class Lasting:
    """An array of which the same regions are read many times: a task gives each of them, once."""

    is_shared: ClassVar[bool] = False

    def __init__(self, tasks: Tasks, source: RegionSource, dtype: np.dtype[Any]) -> None:
        self.tasks, self.source, self.dtype = tasks, source, dtype
        self._tasks: dict[Region, Any] = {}

    def portions(self, region: Sequence[Interval]) -> Iterator[Portion]:
        key = tuple(region)
        if key not in self._tasks:
            shared = self.source.is_shared
            made = self.tasks.read(self.source, key) if shared else self.tasks.given(self.source.read(key))
            self._tasks[key] = made
        yield Portion(key, self._tasks[key], 0, (slice(None),) * len(key))

    def read(self, region: Sequence[Interval]) -> Array:
        return self.source.read(region)


@dataclass(frozen=True, slots=True)
class Arriving:
    """A region of an array as a task gets it: where in it which of the blocks go that come with the task."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    parts: tuple[tuple[Slices, int, int, Slices], ...]

    is_shared: ClassVar[bool] = True

    @staticmethod
    def of(
        region: Sequence[Interval], dtype: np.dtype[Any], found: Iterable[Portion], numbers: Iterable[int]
    ) -> Arriving:
        parts = []
        for one, number in zip(found, numbers, strict=True):
            places = tuple(slice(a - c, b - c + 1) for (a, b), (c, _) in zip(one.region, region, strict=True))
            parts.append((places, number, one.position, one.slices))
        return Arriving(lengths_of(tuple(region)), dtype, tuple(parts))

    def array(self, blocks: Sequence[Given]) -> Array:
        """The region, of the blocks that have come."""
        if len(self.parts) == 1:
            ((_, number, position, slices),) = self.parts
            only: Array = blocks[number][position][slices]
            if only.shape == self.shape:
                return only
        made = np.empty(self.shape, self.dtype)
        for places, number, position, slices in self.parts:
            made[places] = blocks[number][position][slices]
        return made

    def read(self, region: Sequence[Interval]) -> Array:
        raise AssertionError("its blocks have not come yet")


def sent(request: Request, near: bool) -> tuple[Request, list[Any]]:
    """A request as it travels, and the tasks whose blocks it needs.

    Blocks of arrays that are here go along; files are read where it is performed.  Workers that are `near`, on this
    machine, also reach what this process has open.
    """
    reads: dict[str, tuple[RegionSource, Region]] = {}
    needed: dict[int, tuple[int, Any]] = {}
    for name, (source, region) in request.reads.items():
        kept = source.source if isinstance(source, Joined) else source
        if isinstance(kept, Spread | Lasting):
            found = list(_joined(kept, source.stretches) if isinstance(source, Joined) else kept.portions(region))
            for one in found:
                needed.setdefault(id(one.task), (len(needed), one.task))
            reads[name] = Arriving.of(region, kept.dtype, found, [needed[id(one.task)][0] for one in found]), region
        elif source.is_shared:
            reads[name] = source, region
        elif near and is_reachable(kept):
            there = kept.reached()
            reads[name] = replace(source, source=there) if isinstance(source, Joined) else there, region
        elif near and isinstance(source, Picked) and (there_picked := _reached(source)) is not None:
            reads[name] = there_picked, region
        else:
            block = source.read(region)
            reads[name] = InMemory(block), tuple((1, length) for length in np.shape(block))
    goals: dict[str, tuple[Goal, Region]] = {
        name: (goal.reached(), region) for name, (goal, region) in request.goals.items() if near and is_reachable(goal)
    }
    return replace(request, reads=reads, goals=goals), [task for _, task in needed.values()]


def _reached(source: Picked) -> Picked | None:
    """What is picked, as another process of this machine picks it; None where it cannot."""
    both = [one.reached() if is_reachable(one) else one for one in (source.source, source.places)]
    return replace(source, source=both[0], places=both[1]) if all(one.is_shared for one in both) else None


def _joined(source: Spread | Lasting, stretches: Iterable[Interval]) -> Iterator[Portion]:
    """The parts of blocks that stretches are made of, where they are once these lie one after the other."""
    done = 0
    for low, high in stretches:
        for one in source.portions([(low, high)]):
            ((first, last),) = one.region
            yield replace(one, region=((done + first - low + 1, done + last - low + 1),))
        done += high - low + 1


def arrived(request: Request, blocks: Sequence[Given]) -> Request:
    """A request whose blocks have come."""
    reads: Mapping[str, tuple[RegionSource, Region]] = {
        name: (InMemory(source.array(blocks)), tuple((1, length) for length in source.shape))
        if isinstance(source, Arriving)
        else (source, region)
        for name, (source, region) in request.reads.items()
    }
    return replace(request, reads=reads)
