"""What workers of this machine keep mapped from one turn of a repetition to the next, and how much that may be.

Tasks of near workers read arrays where they are, in memory that all share; to map pages costs about as much as to read
them.  What turn after turn reads stays mapped, therefore, as far as there is room for it beside what a task holds.
"""

from __future__ import annotations

import math

from tolang.engines.dask import grids
from tolang.engines.dask.grids import Cut, Values, bytes_of
from tolang.engines.dask.multipass import Waves
from tolang.engines.dask.parts import Driven, Part, PlacedProgram, read_by
from tolang.engines.dask.stages import LEAVES
from tolang.ground.dataclasses import replace
from tolang.ground.values.spaces import dtype_of
from tolang.plan.regions import lengths_of

PAGE = 1 << 13
"""Bytes that are mapped of what is beside an array, at its ends."""


def with_mapped(placed: PlacedProgram, processes: int, threads: int, memory: int | None) -> PlacedProgram:
    """A program on near workers, of whose turns what they read again stays mapped; its peak is what all that takes.

    Turns go among workers where each thread of these has room for what is little in them, and for joining what pieces
    give.
    """
    mapping = _Mapping(placed.known, processes, math.inf if memory is None else memory - placed.peak)
    cuts = list[Part]()
    for one in placed.cuts:
        made = mapping.part(one, frozenset())
        if isinstance(made, Driven) and made.turns > 1 and not made.in_stretches:
            held = threads * sum(map(_held_by_a_member, made.parts))
            if mapping.taken + held <= mapping.room:
                mapping.taken += held
                made = replace(made, among_workers=True)
        cuts.append(made)
    return replace(placed, cuts=tuple(cuts), peak=placed.peak + mapping.taken)


def _held_by_a_member(part: Part) -> int:
    """Bytes that each member of a gang has for itself of what a stage computes beside its tasks."""
    if isinstance(part, Driven):
        return sum(map(_held_by_a_member, part.parts))
    if isinstance(part, Waves):
        joined = part.cuts[0].tasks + 2 if part.kind == LEAVES else 0
        return joined * sum(bytes_of(one, part.known) for one in part.writes)
    return part.bytes if part.tasks == 1 else 0


class _Mapping:
    """Stages with what a process keeps mapped, as long as there is room."""

    def __init__(self, known: Values, processes: int, room: float) -> None:
        self.known, self.processes, self.room, self.taken = known, processes, room, 0

    def part(self, part: Part, again: frozenset[str]) -> Part:
        """A stage, of which what is read `again` stays mapped."""
        if isinstance(part, Waves):
            return replace(part, cuts=tuple(self._cut(one, again, part.known) for one in part.cuts))
        if isinstance(part, Cut):
            return self._cut(part, again, self.known)
        if part.turns < 2:
            return part
        inner = _Mapping(part.known, self.processes, self.room - self.taken)
        states = {now.name for now, _ in part.repetition.states}
        read = again | read_by(part) & {one.name for one in part.repetition.plan.inputs} - states
        made = [tuple(inner.part(one, read) for one in cuts) for cuts in (part.cuts, part.leaping)]
        self.taken += inner.taken
        return replace(part, cuts=made[0], leaping=made[1])

    def _cut(self, cut: Cut, again: frozenset[str], known: Values) -> Cut:
        read = [one for one in cut.piece.reads if one.name in again]
        if not read or cut.tasks < 2:
            return cut
        most = 0
        for box in grids.samples(cut) if not cut.ends else cut.boxes():
            values = cut.piece.values(box, known)
            widths = ((one, dtype_of(one.column.storage).itemsize) for one in read)
            most = max(most, sum(math.prod(lengths_of(cut.piece.region(one, values))) * w + PAGE for one, w in widths))
        mapped = most * -(-cut.tasks // self.processes)
        if self.taken + mapped > self.room:
            return cut
        self.taken += mapped
        return replace(cut, mapped=mapped)
