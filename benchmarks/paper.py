"""How long a placed program takes on paper, and what bounds it: computing, moving data, or the scheduler.

The figures are those of no machine in particular; what they are good for is to see which of the three grows.
"""

from __future__ import annotations

from tolang.engines.dask.grids import Cut, Values, bytes_of
from tolang.engines.dask.multipass import Waves
from tolang.engines.dask.parts import Driven, Part, PlacedProgram
from tolang.ground.dataclasses import dataclass

RATE = 1e9
"""Numbers that one thread of a worker computes in a second."""
NETWORK = 1e9
"""Bytes that one worker takes in or gives away in a second."""
TASK = 5e-4
"""Seconds that the scheduler of a cluster spends on a task."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds that a program computes, moves data and waits for the scheduler; in each stage the longest counts."""

    computing: float = 0.0
    moving: float = 0.0
    scheduling: float = 0.0
    total: float = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            self.computing + other.computing,
            self.moving + other.moving,
            self.scheduling + other.scheduling,
            self.total + other.total,
        )

    def times(self, turns: int) -> Estimate:
        return Estimate(turns * self.computing, turns * self.moving, turns * self.scheduling, turns * self.total)

    @property
    def bound(self) -> str:
        """What takes longest."""
        return max(("computing", "moving", "scheduling"), key=lambda what: getattr(self, what))


def estimated(placed: PlacedProgram, workers: int) -> Estimate:
    """How long a placed program takes on so many threads of workers."""
    return _together(placed.cuts, placed.known, max(1, workers), False)


def _together(parts: tuple[Part, ...], known: Values, workers: int, kept: bool) -> Estimate:
    found = Estimate()
    for part in parts:
        if isinstance(part, Driven):
            for times, cuts in part.portions:
                found += _together(cuts, part.known, workers, True).times(times)
        elif isinstance(part, Waves):
            found += _together(part.cuts, part.known, workers, kept)
        else:
            found += _of_a_stage(part, known, workers, kept)
    return found


def _of_a_stage(cut: Cut, known: Values, workers: int, kept: bool) -> Estimate:
    """A stage; where its values are `kept` by workers, only what a piece has of its neighbours travels."""
    busy = min(workers, cut.tasks)
    moved = cut.moved
    if kept:
        moved -= sum(bytes_of(one, known) for one in (*cut.piece.reads, *cut.piece.writes))
    rounds = -(-cut.tasks // busy)
    computing = cut.work / RATE * rounds / cut.tasks
    moving, scheduling = max(0, moved) / NETWORK / busy, cut.tasks * TASK
    return Estimate(computing, moving, scheduling, max(computing, moving, scheduling))
