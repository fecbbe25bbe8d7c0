"""Budgets: what of a process' memory a run in pieces takes, the least that would do, and the error of too little.

what the process holds before, rounded up        so that the next process, or the next run, names the same figure
+ compiling and running                          what code, threads and panels take
+ results that stay in memory
+ data                                           tasks, and values between stages
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from tolang.engines.dask.grids import Cut
from tolang.engines.dask.parts import PlacedProgram, all_cuts, name_of
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import ToLangUsageError, usage
from tolang.ground.system.memory import bytes_text

MB = 10**6
ENGINE = 200 * MB
"""Bytes that compiling, the threads' own memory and panels of operands may take beside what a piece holds."""
STEP = 20 * MB
"""To multiples of how many bytes what a process holds is rounded up: runs of one program hold a little more or less."""
DIGITS = 3
"""How many digits of a figure are told."""


def rounded_up(held: int) -> int:
    """The bytes that a process is taken to hold which holds so many."""
    return -(-held // STEP) * STEP


@dataclass(frozen=True, slots=True)
class Room:
    """What a program has to run in: bytes for a process, of which it holds some before it starts.

    Without `workers` to share them out to, pieces are no smaller than memory asks for.  `held` are bytes of results
    that stay in memory; a process holds what a task holds `slots` times, and what `unpacking` takes while it reads.
    Values between stages are shared out among `processes`, where there are some that keep them; workers that are `near`
    share memory instead.
    """

    memory: int | None
    baseline: int = 0
    workers: int = 0
    slots: int = 1
    held: int = 0
    processes: int = 0
    near: bool = False
    unpacking: int = 0

    @property
    def fixed(self) -> int:
        """The bytes that no cutting makes less."""
        return self.baseline + ENGINE + self.held

    def of_a_task(self, kept: int = 0) -> int | None:
        """The bytes that a task may hold, while so many bytes are kept."""
        if self.memory is None:
            return None
        return (self.memory - self.fixed - kept) // self.slots - self.unpacking

    def peak(self, largest: int, kept: int) -> int:
        """The bytes that a process holds at the most, where tasks hold up to so many, and so many are kept."""
        return self.baseline + ENGINE + kept + self.slots * (largest + self.unpacking)

    def told(self, peak: int) -> str:
        """What so many bytes are for."""
        parts = [(self.baseline, "that the process holds"), (ENGINE, "to compile and run")]
        is_much = self.held >= MB
        parts += [(self.held, "for the result in memory")] if is_much else []
        parts.append((max(0, peak - self.fixed + (0 if is_much else self.held)), "for data"))
        return ", ".join(f"{bytes_text(size)} {what}" for size, what in parts)


def fits(placed: PlacedProgram | None, memory: int | None) -> TypeGuard[PlacedProgram]:
    """Whether a program that is placed holds no more than it may."""
    return placed is not None and (memory is None or placed.peak <= memory)


def least_budget(
    place: Callable[[int], PlacedProgram | None], room: Room, placed: PlacedProgram
) -> tuple[int, PlacedProgram]:
    """The least budget, in figures that are told whole, in which a program that is placed fits; and how it is cut then.

    What a budget allows is tried: a step that may have a little more is cut another way, and may take much less.
    """
    high = _told_whole(max(placed.peak, room.fixed))
    while not fits(found := place(high), high):
        high = _told_whole(2 * high if found is None else found.peak)
    low = room.fixed
    while (middle := _told_whole((low + high) // 2)) < high:
        tried = place(middle)
        if fits(tried, middle):
            high, found = middle, tried
        else:
            low = middle
    return high, found


def _unit(number: int) -> int:
    """What figures are told in multiples of, an MB at the least."""
    return max(MB, int(10 ** (len(str(number)) - DIGITS)))


def _told_whole(number: int) -> int:
    """A number, rounded up to one that is told whole."""
    unit = _unit(number)
    return -(-number // unit) * unit


def _largest(placed: PlacedProgram) -> Cut | None:
    return max(all_cuts(placed.cuts), key=lambda cut: cut.bytes, default=None)


def too_little(room: Room, least: int, cut: PlacedProgram, refused: PlacedProgram, into_file: bool) -> ToLangUsageError:
    """The error of a program that is refused in a room; `cut` is it in the least that would do."""
    assert room.memory is not None
    largest, worst = _largest(cut), _largest(refused)
    whole = largest is not None and worst is not None and largest.stage.reason and worst.stage.reason
    why = f"; {name_of(worst)} is not cut: {worst.stage.reason}" if worst is not None and whole else ""
    whose = "a worker's " if room.workers else ""
    fix = f"allow {bytes_text(least).replace(' ', '')}"
    if into_file:
        fix += ', or have the result written to a file: -o y.npy, into="y.npy"'
    return usage(
        "E616",
        f"the program does not fit into {whose}{bytes_text(room.memory)}, however it is cut{why}",
        found=bytes_text(room.memory),
        expected=f"at least {bytes_text(least)}: {room.told(least)}",
        fix=fix,
    )
