"""Steps in waves while they run: what one wave of tasks gives decides what the next is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from typing import Protocol

import numpy as np

from tolang.engines.contract import Failed
from tolang.engines.dask.blocks import EVERY, KEPT
from tolang.engines.dask.grids import Cut
from tolang.engines.dask.groups import PARTS, ROWS
from tolang.engines.dask.multipass import APPEND, GATHER, GROUP, MOST_PARTS, SCAN, SEARCH, SORT, Waves
from tolang.engines.dask.pieces import StagePiece
from tolang.engines.dask.repetitions import STRETCHES
from tolang.engines.dask.requests import (
    Filled,
    Joined,
    Performed,
    Picked,
    RegionSource,
    Request,
    Rooms,
    is_reachable,
)
from tolang.engines.dask.searches import KEYS, Counts
from tolang.engines.dask.splitting import Runs
from tolang.engines.dask.stages import LEAVES
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.casting import Array
from tolang.ground.values.functions import identity_in
from tolang.ground.values.spaces import dtype_of
from tolang.plan.grain import SCAN_BLOCK, adds_in_order
from tolang.plan.nest import Buffer, Plan
from tolang.plan.regions import Interval, Region, length_at, lengths_at

Values = Mapping[str, int]


class Conductor(Protocol):
    """The program that runs, as far as waves need it."""

    arrays: dict[str, RegionSource]
    numerics: dict[str, Array]
    rooms: Rooms

    def begun(self, opening: StagePiece, names: Sequence[tuple[str, str]], known: Values) -> Values:
        """Finds numerics of outside, and gives them to plans that have them as inputs; the sizes that these have."""

    def request(self, cut: Cut, box: Mapping[str, Interval], known: Values, state: Sequence[Array] = ()) -> Request:
        """A task at a box, with the regions that it reads."""

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        """What tasks give."""

    def spread_out(self, cut: Cut, requests: Iterable[Request], fetched: bool = False) -> list[list[Array]]:
        """Has tasks performed whose blocks go where they belong; all that they give beside, where it is `fetched`."""

    def make_room(self, buffer: Buffer, known: Values) -> None:
        """Has an array for all of a buffer."""

    def hold(self, buffer: Buffer, known: Values, block: Array) -> None:
        """Has an array for all of a buffer, which was computed here."""

    def write(self, name: str, region: Region, block: Array) -> None:
        """Writes a block of an array that is here."""

    def computed(self, plan: Plan, given: Mapping[str, Array], known: Values) -> list[Array]:
        """What a small plan gives, here."""

    def tell(self) -> None:
        """Another task is done."""


def run_in_waves(conductor: Conductor, waves: Waves, known: Values) -> None:
    """Computes a step in waves."""
    if waves.opening is not None:
        known = conductor.begun(waves.opening, waves.names, known)
    _KINDS[waves.kind](conductor, waves, known)


def _leaves(conductor: Conductor, waves: Waves, known: Values) -> None:
    """Pieces apart, each from places of neutral elements, joined in their order with the state before them."""
    (cut,), (buffer,), (given,) = waves.cuts, waves.writes, waves.cuts[0].piece.writes
    shape, kind = list(lengths_at(buffer.shape, known)), dtype_of(buffer.column.storage)
    before = conductor.arrays[buffer.name] if waves.start is None else None
    if before is not None:
        state = before.read([(1, length) for length in shape])
        conductor.arrays[buffer.name] = Filled(identity_in(waves.combine, buffer.column.storage), kind)
    else:
        state = np.full(shape, waves.start, kind)
    ((_, stretch, _),), join = cut.piece.axes, waves.plans["join"]
    numbers = {low - 1: k for k, box in enumerate(cut.boxes(), 1) for low, _ in box.values()}
    rows = replace(given, shape=(Size.of(cut.tasks), *given.shape))
    room = conductor.rooms.room_for(rows, known) if conductor.rooms.shared else None
    places = conductor.rooms.all_of(room) if room is not None and is_reachable(room) else None  # else they travel

    def requests() -> Iterator[Request]:
        for number, box in enumerate(cut.boxes(), 1):
            request = conductor.request(cut, box, known)
            goals = {} if places is None else {given.name: (places, ((number, number), *_all(shape)))}
            yield replace(request, goals=goals)

    def joined(parts: Array) -> Array:
        blocks = dict(zip((b.name for b in join.inputs), (state, parts), strict=True))
        return conductor.computed(join, blocks, {**known, STRETCHES: len(parts)})[0]

    waiting, done = dict[int, Array](), 0
    with closing(conductor.perform(cut, requests(), False)) as performed:
        for request, found in performed:
            if found:
                waiting[numbers[request.values[stretch.origin]]] = found[0]
            while done + 1 in waiting:
                done += 1
                state = joined(waiting.pop(done)[np.newaxis])
            conductor.tell()
    if room is not None and places is not None:
        state = joined(places.read(_all((cut.tasks, *shape))))
        conductor.rooms.free(room)
    if before is not None:  # not sooner: the state may be a view of it
        conductor.rooms.free(before)
    conductor.hold(buffer, known, state)


def _all(shape: Sequence[int]) -> Region:
    return tuple((1, length) for length in shape)


# Scans


def _scan(conductor: Conductor, waves: Waves, known: Values) -> None:
    """The first element, then all others: stretches apart, each from what comes before it, or one after the other."""
    first, *results, scanned = waves.cuts
    for buffer in waves.writes:
        conductor.make_room(buffer, known)
    ((_, given),) = conductor.perform(first, [conductor.request(first, next(first.boxes()), known)], False)
    conductor.tell()
    for buffer, block in zip(waves.writes, given, strict=True):
        conductor.write(buffer.name, ((1, 1),), block)
    carried = [block[0] for block in given]
    if results:
        try:
            before = _before(conductor, waves, results[0], carried[0], known)
        except Failed:  # a block by itself may be beyond what words hold, though all before it are not
            before = None
        if before is not None:
            boxes = [(box, next(iter(box.values()))[0] - 1) for box in scanned.boxes()]
            requests = (conductor.request(scanned, box, known, [before[low // SCAN_BLOCK]]) for box, low in boxes)
            conductor.spread_out(scanned, requests)
            return
    for box in scanned.boxes():
        (found,) = conductor.spread_out(scanned, [conductor.request(scanned, box, known, carried)], fetched=True)
        carried = found[-len(carried) :]


def _before(conductor: Conductor, waves: Waves, cut: Cut, first: Array, known: Values) -> Array:
    """What comes before each block of a scan."""
    ((_, stretch, _),), found = cut.piece.axes, dict[int, Array]()
    requests = (conductor.request(cut, box, known) for box in cut.boxes())
    with closing(conductor.perform(cut, requests, False)) as performed:
        for request, (results,) in performed:
            found[request.values[stretch.origin]] = results
            conductor.tell()
    results = np.concatenate([found[origin] for origin in sorted(found)])
    given = {"first.1": np.asarray(first, results.dtype), "results.1": results}
    (before,) = conductor.computed(waves.plans["offsets"], given, {"blocks": len(results)})
    return before


# Sorts


def _sort(conductor: Conductor, waves: Waves, known: Values) -> None:
    """Sorted runs, where a few of their keys are; then, range by range of the order, what all runs have of it."""
    runs, sampled, merged = waves.cuts
    assert waves.sort is not None
    for buffer in (*waves.between, *waves.writes):
        conductor.make_room(buffer, known)
    conductor.spread_out(runs, (conductor.request(runs, box, known) for box in runs.boxes()))
    ((_, stretch, _),), samples = sampled.piece.axes, dict[int, Array]()
    every = waves.known[EVERY]
    requests = (conductor.request(sampled, box, {**known, EVERY: every}) for box in sampled.boxes())
    with closing(conductor.perform(sampled, requests, False)) as performed:
        for request, (keys,) in performed:
            samples[request.values[stretch.origin]] = keys
            conductor.tell()
    key = conductor.arrays[waves.between[waves.sort.key].name]
    ends = [*sorted(samples)[1:], merged.lengths[0]]
    parts = Runs(key, ends, [samples[low] for low in sorted(samples)], every, waves.sort.relation == "ge")
    conductor.spread_out(merged, _ranges(conductor, waves, parts, known))
    for buffer in waves.between:
        conductor.rooms.free(conductor.arrays.pop(buffer.name))


def _ranges(conductor: Conductor, waves: Waves, runs: Runs, known: Values) -> Iterator[Request]:
    """A task for each range of the order, which reads what every run has of it."""
    merged, done = waves.cuts[-1], 0
    ((name, _, _),) = merged.piece.axes
    for regions in runs.split(merged.tasks):
        length = sum(high - low + 1 for low, high in regions)
        if not length:
            continue
        request = conductor.request(merged, {name: (done + 1, done + length)}, known)
        reads = dict(request.reads)
        for buffer in waves.between:
            source = Joined.of(conductor.arrays[buffer.name], regions)
            reads[buffer.name] = source, ((1, length),)
        done += length
        yield replace(request, reads=reads)


# Groups


class Ungrouped(Exception):
    """Groups that are too many to be those of pieces, or to be added up as one machine does it; from which step on."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def _groups(conductor: Conductor, waves: Waves, known: Values) -> None:
    """The groups of each piece; what all of them give, one behind the other, is grouped once more."""
    (cut,), merge = waves.cuts, waves.plans["merge"]
    given, start = dict[int, list[Array]](), waves.stage.steps[0]
    requests = (conductor.request(cut, box, known) for box in cut.boxes())
    try:
        with closing(conductor.perform(cut, requests, False)) as performed:
            for request, found in performed:
                given[request.values[ROWS.origin]] = found
                if len(found[0]) * cut.tasks > MOST_PARTS:
                    raise Ungrouped(start)
                conductor.tell()
        parts = [np.concatenate([given[low][k] for low in sorted(given)]) for k in range(len(merge.inputs))]
        blocks = {buffer.name: part for buffer, part in zip(merge.inputs, parts, strict=True)}
        results = conductor.computed(merge, blocks, {PARTS.count: len(parts[0])})
    except Failed:  # a piece by itself may be beyond what words hold, though all that comes before it is not
        raise Ungrouped(start) from None
    groups = len(results[0])
    if waves.rounded and adds_in_order(cut.lengths[0], groups):
        raise Ungrouped(start)
    conductor.numerics[waves.gives] = np.asarray(groups)
    for buffer, block in zip(waves.writes, results, strict=True):
        conductor.make_room(buffer, {**known, waves.gives: groups})
        conductor.write(buffer.name, _all(block.shape), block)


# Elements that are kept


def _append(conductor: Conductor, waves: Waves, known: Values) -> None:
    """How many elements each stretch keeps, which tells where they go."""
    counted, appended = waves.cuts
    for buffer in waves.writes:
        conductor.make_room(buffer, known)
    ((_, stretch, _),), numbers = counted.piece.axes, dict[int, int]()
    requests = (conductor.request(counted, box, known) for box in counted.boxes())
    with closing(conductor.perform(counted, requests, False)) as performed:
        for request, (number,) in performed:
            numbers[request.values[stretch.origin]] = int(number)
            conductor.tell()
    length = int(conductor.numerics[waves.gives])

    def behind() -> Iterator[Request]:
        place = length
        for box in appended.boxes():
            request = conductor.request(appended, box, known)
            number = numbers[request.values[stretch.origin]]
            kept = {KEPT.origin: place, KEPT.count: number}
            yield replace(request, values={**request.values, **kept})
            place += number

    conductor.spread_out(appended, behind())
    total = length + sum(numbers.values())
    conductor.numerics[waves.gives] = np.asarray(total, conductor.numerics[waves.gives].dtype)


# Elements at places that data tell


def _gather(conductor: Conductor, waves: Waves, known: Values) -> None:
    """Level by level the places of elements; then what is computed of these, picked as it is read."""
    *places, taken = waves.cuts
    for level, cut in zip(waves.levels, places, strict=True):
        for buffer, _ in level.places.targets:
            conductor.make_room(buffer, known)
        conductor.spread_out(cut, (conductor.request(cut, box, known) for box in cut.boxes()))
        for one in level.gathers:
            (length,), kind = one.source.shape, dtype_of(one.source.column.storage)
            both = conductor.arrays[one.source.name], conductor.arrays[one.places.name]
            conductor.arrays[one.taken.name] = Picked(*both, length_at(length, known), kind)
    for buffer in waves.writes:
        conductor.make_room(buffer, known)
    conductor.spread_out(taken, (conductor.request(taken, box, known) for box in taken.boxes()))
    for level in waves.levels:
        for one in level.gathers:
            del conductor.arrays[one.taken.name]
    for buffer in waves.between:
        conductor.rooms.free(conductor.arrays.pop(buffer.name))


# Searches


def _search(conductor: Conductor, waves: Waves, known: Values) -> None:
    """How many keys come before each item, level by level; then what is computed of that."""
    *counts, found = waves.cuts
    for level, cut in zip(waves.counts, counts, strict=True):
        _count(conductor, level, cut, known)
    for buffer in waves.writes:
        conductor.make_room(buffer, known)
    conductor.spread_out(found, (conductor.request(found, box, known) for box in found.boxes()))
    for buffer in (one for level in waves.counts for one in level.before):
        conductor.rooms.free(conductor.arrays.pop(buffer.name))


def _count(conductor: Conductor, level: Counts, cut: Cut, known: Values) -> None:
    """How many keys come before each item, one portion of them after the other."""
    for buffer in level.before:
        conductor.arrays[buffer.name] = Filled(0, dtype_of(buffer.column.storage))
    for _, boxes in groupby(cut.boxes(), lambda box: box[KEYS]):
        for buffer in level.after:
            conductor.make_room(buffer, known)
        conductor.spread_out(cut, [conductor.request(cut, box, known) for box in boxes])
        for old, new in zip(level.before, level.after, strict=True):
            conductor.rooms.free(conductor.arrays[old.name])
            conductor.arrays[old.name] = conductor.arrays.pop(new.name)


_KINDS = {SEARCH: _search, LEAVES: _leaves, SCAN: _scan, SORT: _sort, APPEND: _append, GATHER: _gather, GROUP: _groups}
