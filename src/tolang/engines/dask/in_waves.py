"""Steps in waves while they run: what one wave of tasks gives decides what the next is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, Protocol

import numpy as np

from tolang.engines.dask.grids import Cut
from tolang.engines.dask.pieces import Piece
from tolang.engines.dask.requests import InMemory, Performed, Request, Rooms, Source
from tolang.engines.dask.stages import LEAVES
from tolang.engines.dask.waves import Waves
from tolang.ground.casting import Array
from tolang.ground.functions import identity_in
from tolang.ground.spaces import dtype_of
from tolang.nests.nest import Plan
from tolang.nests.regions import Interval

Values = Mapping[str, int]


class Conductor(Protocol):
    """The program that runs, as far as waves need it."""

    arrays: dict[str, Source]
    rooms: Rooms

    def begun(self, opening: Piece, names: Sequence[tuple[str, str]], known: Values, inner: Values) -> Values:
        """Finds numerics of outside, and gives them to plans that have them as inputs; the sizes that these have."""

    def request(self, cut: Cut, box: Mapping[str, Interval], known: Values, state: Sequence[Array] = ()) -> Request:
        """A task at a box, with the regions that it reads."""

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        """What tasks give."""

    def computed(self, plan: Plan, given: Mapping[str, Array], known: Values) -> list[Array]:
        """What a small plan gives, here."""

    def tell(self) -> None:
        """Another task is done."""


def run_in_waves(conductor: Conductor, waves: Waves, known: Values) -> None:
    """Computes a step in waves."""
    if waves.opening is not None:
        known = conductor.begun(waves.opening, waves.names, known, waves.known)
    _KINDS[waves.kind](conductor, waves, known)


def _leaves(conductor: Conductor, waves: Waves, known: Values) -> None:
    """Pieces apart, each from places of neutral elements, joined in their order with the state before them."""
    (cut,), (buffer,), join = waves.cuts, waves.writes, waves.plans["join"]
    ((_, stretch, _),) = cut.piece.axes
    shape, kind = [int(length.evaluate(known)) for length in buffer.shape], dtype_of(buffer.column.storage)
    if waves.start is None:
        before = conductor.arrays[buffer.name]
        state = before.read([(1, length) for length in shape])
        conductor.rooms.free(before)
        neutral = np.full(shape, identity_in(waves.combine, buffer.column.storage), kind)
        conductor.arrays[buffer.name] = InMemory(neutral)
    else:
        state = np.full(shape, waves.start, kind)
    waiting: dict[int, Any] = {}
    origins = [box[name][0] - 1 for box in cut.boxes() for name in box]
    requests = (conductor.request(cut, box, known) for box in cut.boxes())
    with closing(conductor.perform(cut, requests, False)) as performed:
        for request, (found,) in performed:
            waiting[request.values[stretch.origin]] = found
            while origins and origins[0] in waiting:
                given = {b.name: one for b, one in zip(join.inputs, (state, waiting.pop(origins.pop(0))), strict=True)}
                (state,) = conductor.computed(join, given, known)
            conductor.tell()
    conductor.arrays[buffer.name] = InMemory(state)


_KINDS = {LEAVES: _leaves}
