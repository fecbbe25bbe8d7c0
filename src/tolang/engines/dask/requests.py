"""What tasks are asked and given: arrays of which regions are read and written, requests, and who performs them."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Protocol, TypeGuard

import numpy as np

from tolang.engines.contract import Executable, PlanSection
from tolang.engines.dask.grids import Cut
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.values.casting import Array
from tolang.ground.values.spaces import dtype_of
from tolang.plan.nest import Buffer
from tolang.plan.regions import Interval, Region, lengths_at, lengths_of

Compiler = Callable[[PlanSection, Mapping[str, int]], Executable]
"""What makes code of a part of a program, for runs at sizes like these."""
Report = Callable[[int, int], object]
"""What is told how many tasks are done, and of how many."""


Boxes = Iterable[Mapping[str, Interval]]
LITTLE, LITTLE_TO_READ = 1 << 20, 1 << 22
"""Up to how many numbers, and bytes, a stage that is not cut is computed where it was planned: within a millisecond."""


class RegionSource(Protocol):
    """An array of which regions can be read; one that is shared can be read by other processes, too."""

    @property
    def is_shared(self) -> bool: ...

    def read(self, region: Sequence[Interval]) -> Array: ...


class Goal(RegionSource, Protocol):
    """An array of which regions can be written, too; `regions` are those in which it is read best, all of it once."""

    def write(self, region: Sequence[Interval], block: Array) -> None: ...
    def regions(self) -> Iterable[Region]: ...


class Reachable(Goal, Protocol):
    """An array that other processes of this machine can read and write, too, as `reached` has it.

    It can `exchange` its content with that of an array that is kept as it is itself.  As `all_of` has it, it is read
    and written where it is, and takes memory of a process for all of it.
    """

    def reached(self) -> Goal: ...
    def all_of(self) -> Reachable: ...
    def exchange(self, other: object) -> bool: ...


class Kept(Goal, Protocol):
    """An array whose blocks stay where they were computed; here is known which task gives which of them."""

    def put(self, region: Region, task: Any, position: int) -> None: ...


def is_reachable(array: object) -> TypeGuard[Reachable]:
    """Whether other processes of this machine can reach an array."""
    return hasattr(array, "reached")  # to look for all that a protocol has takes a task's time


def is_kept(array: object) -> TypeGuard[Kept]:
    """Whether blocks of an array stay where they were computed."""
    return hasattr(array, "put")


class Rooms(Protocol):
    """Where values between stages are: memory, files, or the workers that computed them.

    They are `shared` where they are in memory that other processes of this machine reach.
    """

    @property
    def shared(self) -> bool: ...

    def room_for(self, buffer: Buffer, known: Mapping[str, int]) -> Goal | Kept:
        """Room for all of a buffer."""

    def holding(self, buffer: Buffer, known: Mapping[str, int], block: Array) -> Goal | Kept:
        """Room that has all of a buffer, which this process has computed, and nobody else changes."""

    def all_of(self, room: Reachable) -> Reachable:
        """The same room, to be read and written where all of it is needed at the end of a stage."""

    def lasting(self, source: RegionSource, buffer: Buffer, known: Mapping[str, int]) -> RegionSource:
        """A source that is read many times."""

    def free(self, goal: RegionSource) -> None:
        """Gives up what no stage reads any more."""


@dataclass(frozen=True, slots=True)
class InMemory:
    """An array in memory; a region of it is no copy."""

    array: Array
    is_shared: ClassVar[bool] = False

    def read(self, region: Sequence[Interval]) -> Array:
        return self.array[tuple(slice(low - 1, max(low - 1, high)) for low, high in region)]

    def write(self, region: Sequence[Interval], block: Array) -> None:
        self.array[tuple(slice(low - 1, high) for low, high in region)] = block

    def regions(self) -> Iterable[Region]:
        return [tuple((1, length) for length in self.array.shape)]


@dataclass(frozen=True, slots=True)
class Filled:
    """An array of one number, which whoever reads it makes."""

    number: Any
    dtype: np.dtype[Any]
    is_shared: ClassVar[bool] = True

    def read(self, region: Sequence[Interval]) -> Array:
        lengths = lengths_of(tuple(region))
        few = math.prod(lengths) * self.dtype.itemsize <= FEW_TO_FILL
        number = np.array(self.number, self.dtype)
        return _filled(lengths, number.tobytes(), self.dtype) if few else np.full(lengths, number)


FEW_TO_FILL = 1 << 20
"""Bytes up to which an array of one number is kept for whoever reads it next."""


@lru_cache(maxsize=4)
def _filled(lengths: tuple[int, ...], number: bytes, dtype: np.dtype[Any]) -> Array:
    """An array of the number of these bytes: two zeros are equal, but not the same."""
    found = np.full(lengths, np.frombuffer(number, dtype)[0])
    found.flags.writeable = False
    return found


@dataclass(frozen=True, slots=True)
class Joined:
    """Stretches of an array one after the other, as an array of their own."""

    source: RegionSource
    stretches: tuple[Interval, ...]

    @staticmethod
    def of(source: RegionSource, stretches: Iterable[Interval]) -> Joined:
        return Joined(source, tuple((low, high) for low, high in stretches if high >= low))

    @property
    def is_shared(self) -> bool:
        return self.source.is_shared

    def read(self, region: Sequence[Interval]) -> Array:
        """All of it, for nothing reads a part; one stretch after the other, so that it is in memory once."""
        first, *others = self.stretches
        block = self.source.read([first])
        found = np.empty(sum(high - low + 1 for low, high in self.stretches), block.dtype)
        done = 0
        for stretch in (first, *others):
            block = block if stretch is first else self.source.read([stretch])
            found[done : done + len(block)] = block
            done += len(block)
        return found


SMALL_TO_SEND = 1 << 14
"""Bytes up to which a value goes along with each task that reads it, though workers could reach it."""
PORTION = 1 << 20
"""How many elements of a vector are read at a time, to pick some of them."""
PICKING = 40
"""Bytes for each element that is picked which putting places in order takes meanwhile."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Elements of a vector of a length, at the places that another vector has; those outside it are any element."""

    source: RegionSource
    places: RegionSource
    length: int
    dtype: np.dtype[Any]

    @property
    def is_shared(self) -> bool:
        return self.source.is_shared and self.places.is_shared

    def read(self, region: Sequence[Interval]) -> Array:
        """What is at the places of a region; of the vector no more than a portion is in memory."""
        places = np.clip(self.places.read(region), 1, max(1, self.length))
        found = np.zeros(len(places), self.dtype)
        order = None if bool(np.all(places[1:] >= places[:-1])) else np.argsort(places, kind="stable")
        if order is not None:
            places = places[order]
        done = 0 if self.length else len(places)
        while done < len(places):
            low = int(places[done])
            end = int(np.searchsorted(places, low + PORTION))
            portion = self.source.read([(low, int(places[end - 1]))])
            found[slice(done, end) if order is None else order[done:end]] = portion[places[done:end] - low]
            done = end
        return found


def written_to(room: Goal | Kept, block: Array) -> Goal | Kept:
    """A room that has a block, which is all of it."""
    room.write([(1, length) for length in block.shape], block)
    return room


def array_for(buffer: Buffer, known: Mapping[str, int]) -> InMemory:
    """Room in memory for all of a buffer."""
    shape = list(lengths_at(buffer.shape, known))
    return InMemory(np.zeros(shape, dtype_of(buffer.column.storage)))


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A task: the piece at these sizes, of these regions, with these numerics and, in a fold, the state before it.

    With a `unit`, a fold is computed for stretches of so many coordinates, each by itself.  Blocks that have a goal are
    written there by whoever performs it.
    """

    values: Mapping[str, int]
    reads: Mapping[str, tuple[RegionSource, Region]]
    numerics: Mapping[str, Array]
    seed: int
    state: tuple[Array, ...] = ()
    unit: int = 0
    goals: Mapping[str, tuple[Goal, Region]] = field(default_factory=dict)


Performed = Generator[tuple[Request, list[Array]]]
"""Tasks as they were performed, and what each gave that had no goal."""


class Performer(Protocol):
    """What performs tasks of stages."""

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        """What tasks give, one after the other where that is asked for; else results come in any order."""

    def submit(self, cut: Cut, request: Request, number: int) -> Any:
        """A task, of this number in its stage, whose results stay where it is performed."""

    def settle(self) -> None:
        """Waits for all tasks that were submitted; raises the error of one that failed."""

    def stop(self) -> None:
        """Gives up the tasks that are not done."""
