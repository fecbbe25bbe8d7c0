"""Grids: into which pieces a stage is cut, what each of them holds and all of them move; told before anything runs.

A stage is cut until a piece fits into memory and there is work for everybody, each time along the axis that makes the
pieces read least together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise, product

from tolang.engines.dask.blocks import piece_for
from tolang.engines.dask.pieces import Derived, StagePiece
from tolang.engines.dask.stages import FIRST, FOLD, RESULTS, SAMPLED, SCANNED, PlanStage
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import dtype_of
from tolang.idioms.choice_fold import choice_fold_of
from tolang.idioms.histogram import histogram_of
from tolang.idioms.segment_reduce import labels_of
from tolang.idioms.sort import sort_of
from tolang.idioms.tree_fold import tree_fold_of
from tolang.plan.grain import SCAN_BLOCK, TREE_PIECE, elements_of_a_piece, pieces_of_histogram, pieces_of_labels
from tolang.plan.nest import Bind, Branch, Buffer, Each, Nest, Plan, Reduction, Repeat
from tolang.plan.regions import (
    Interval,
    Reference,
    length_at,
    length_within,
    lengths_at,
    lengths_of,
    own_of,
    reads_of,
    writes_of,
)
from tolang.plan.work import work_of

NEARLY = 1.05
"""How much more than the least pieces may move together, to be cut along an earlier axis, as files lie."""
ABOUT = 1.25
"""How much longer finer pieces may seem to take: all of them count as long as the longest."""
WORK_OF_A_TASK = 1e8
"""About how many numbers a task computes at the least where several workers share a stage: a tenth of a second."""
NUMBERS_OF_A_BYTE = 1
"""About how many numbers are computed in the time in which a byte is read or written."""
TASKS_OF_A_WORKER, TASKS_OF_A_NEAR_WORKER = 4, 2
MUCH_MORE = 1.2
"""How many times as much all tasks may move where each is in two, so that near workers have all of theirs."""
LONG_ENOUGH = 64
"""How many coordinates the first axis has for each task, for near workers to have stretches of it alone."""
SORTING = 4
"""About how many numbers a sort computes for each comparison that it cannot do without."""
SCHEDULING = 5e-3
"""Which part of the time of such a task a scheduler spends on it."""

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sharing:
    """How much work a task has at the least, and how many tasks there are at the most, unless memory asks for more.

    Where a stage is one of many `turns` there are no more tasks than make it fastest: the scheduler takes its time for
    each of them, one after the other, and each of so many computes so much less.  Where there are so many `workers`, no
    more tasks than make all of it sooner done, for each of them may read the same again.  Workers that are `near` read
    and write arrays where they are: stretches of the first axis lie in one piece, and are no copies.  They have half of
    their tasks where more would move much more: what each task reads of the whole, it has to bring into order, too.
    """

    least: float
    most: int
    turns: bool = False
    workers: int = 0
    near: bool = False

    def are_enough(self, found: Cut, finer: Cut) -> bool:
        """Whether near workers have as many tasks as are worth what finer ones would move."""
        half = max(self.workers, self.most // 2)
        even = found.tasks >= half and found.tasks % half == 0
        return self.near and self.workers > 0 and even and finer.moved > MUCH_MORE * found.moved

    def tasks(self, work: float) -> int:
        found = min(math.ceil(work / self.least), self.most)
        return min(found, math.isqrt(max(1, round(work / (WORK_OF_A_TASK * SCHEDULING))))) if self.turns else found


def shared_by(workers: int, turns: bool, near: bool = False) -> Sharing:
    """How a stage, or one of the turns of a repetition, is shared out to workers."""
    if turns:
        return Sharing(WORK_OF_A_TASK / max(1, workers), workers, turns, near=near)
    each = TASKS_OF_A_NEAR_WORKER if near else TASKS_OF_A_WORKER
    return Sharing(WORK_OF_A_TASK, each * workers, workers=workers, near=near)


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A stage with its grid: how many coordinates of each axis a piece has, multiples of units, and what that takes.

    `bytes` are those of the largest piece: all that it reads, makes and gives; `moved` are those that all pieces read
    and write together.  Where there are `ends`, these are where pieces end along the only axis, whatever the steps.
    A process keeps so many bytes `mapped` of what turn after turn reads.
    """

    stage: PlanStage
    piece: StagePiece
    lengths: tuple[int, ...]
    units: tuple[int, ...]
    steps: tuple[int, ...]
    tasks: int
    bytes: int
    moved: int
    work: int
    ends: tuple[int, ...] = ()
    mapped: int = 0

    @property
    def effort(self) -> float:
        """About how many numbers are computed in the time that all of it takes, reading and writing included."""
        return self.work + NUMBERS_OF_A_BYTE * self.moved

    @property
    def grid(self) -> tuple[int, ...]:
        if self.ends:
            return (len(self.ends),)
        return tuple(max(1, -(-length // step)) for length, step in zip(self.lengths, self.steps, strict=True))

    def boxes(self) -> Iterator[dict[str, Interval]]:
        """The boxes of the pieces, in order; a stage that is not cut has one."""
        names = [name for name, _, _ in self.piece.axes]
        if self.ends:
            yield from ({names[0]: (low + 1, high)} for low, high in pairwise((0, *self.ends)))
            return
        ranges = [
            [(low + 1, min(low + step, length)) for low in range(0, length, step)] if length else [(1, 0)]
            for length, step in zip(self.lengths, self.steps, strict=True)
        ]
        for box in product(*ranges):
            yield dict(zip(names, box, strict=True))


def bytes_of(buffer: Buffer, values: Values) -> int:
    return math.prod(lengths_at(buffer.shape, values)) * dtype_of(buffer.column.storage).itemsize


def computed(piece: StagePiece, values: Values) -> float:
    """About how many numbers a piece computes."""
    return _at(sum((work_of(step) for step in piece.plan.steps), Size.of(0)), values)


def _at(work: Size, values: Values) -> float:
    """Work where names that nothing is known of are 1."""
    return float(work.evaluate(dict.fromkeys(work.names(), 1) | dict(values)))


def cut(plan: Plan, stage: PlanStage, strict: bool, known: Values, room: int | None, sharing: Sharing) -> Cut:
    """A stage cut so far that a piece fits into the room there is, and all workers have something to do."""
    piece = piece_for(plan, stage)
    lengths = lengths_at((extent for _, _, extent in piece.axes), known)
    units = tuple(unit_of(stage, plan, strict, known) for _ in lengths)
    work = _work(plan, stage, known)
    parts = tuple(1 for _ in lengths)
    found = measured(stage, piece, lengths, units, parts, known, work)
    wanted = sharing.tasks(work if sharing.turns else found.effort)
    while (room is not None and found.bytes > room) or found.tasks < wanted:
        finer = [
            (measured(stage, piece, lengths, units, more, known, work), more)
            for k, more in enumerate((*parts[:k], 2 * parts[k], *parts[k + 1 :]) for k in range(len(parts)))
            if found.steps[k] > units[k]
        ]
        if not finer:
            break
        fits = room is None or found.bytes <= room
        in_one = sharing.near and fits and lengths[0] >= LONG_ENOUGH * wanted
        least = finer[0][0].moved if in_one else min(one.moved for one, _ in finer)
        chosen, parts = next((one, more) for one, more in finer if one.moved <= NEARLY * least)
        if fits and sharing.workers and _time(chosen, sharing.workers) > ABOUT * _time(found, sharing.workers):
            break
        if fits and sharing.are_enough(found, chosen):
            break
        found = chosen
    return found


def _time(cut: Cut, workers: int) -> float:
    """About how long a stage takes on some workers, in numbers that one of them computes meanwhile."""
    return cut.effort / min(cut.tasks, workers)


def _work(plan: Plan, stage: PlanStage, known: Values) -> float:
    """About how many numbers a stage computes: a sort is no insertion sort, and a sample or first element no scan."""
    if stage.kind in (FIRST, SAMPLED):
        return 1.0
    total = 0.0
    for step in (plan.steps[position] for position in stage.steps):
        if isinstance(step, Repeat) and sort_of(step) is not None:
            length = max(2, int(step.extents[0].evaluate(known)))
            total += length * SORTING * math.log2(length)
        else:
            total += _at(work_of(step), known)
    return total


def unit_of(stage: PlanStage, plan: Plan, strict: bool, known: Values) -> int:
    """At multiples of how many coordinates a stage may be cut so that no result depends on it."""
    lead = plan.steps[stage.lead]
    if stage.kind in (RESULTS, SCANNED):
        return SCAN_BLOCK
    if strict or stage.kind != FOLD or not isinstance(lead, Bind) or not isinstance(lead.value, Reduction):
        return 1
    group = lead.value.group
    if choice_fold_of(group) is not None:
        return 1
    if tree_fold_of(group) is not None:
        return TREE_PIECE
    return int(elements_of_a_piece(group.extents).evaluate(known)) if group.combine is not None else 1


def measured(
    stage: PlanStage,
    piece: StagePiece,
    lengths: tuple[int, ...],
    units: tuple[int, ...],
    parts: tuple[int, ...],
    known: Values,
    work: float,
) -> Cut:
    """A stage in about so many parts along each axis: how large its pieces are, and what they move together."""
    steps = tuple(
        max(unit, -(-length // (part * unit)) * unit) for length, unit, part in zip(lengths, units, parts, strict=True)
    )
    cut = Cut(stage, piece, lengths, units, steps, 1, 0, 0, round(work))
    tasks = math.prod(cut.grid)
    sampled = [_bytes(piece, piece.values(box, turn)) for turn in _turns(piece, known) for box in samples(cut)]
    moved = max(read for read, _, _ in sampled) * tasks + sum(bytes_of(one, known) for one in piece.writes)
    states = max(_states(piece, piece.values(box, known)) for box in samples(cut))
    if piece.start is not None:
        states += max(sum(_bytes(piece.start, piece.start.values({}, turn))) for turn in _turns(piece.start, known))
    return replace(cut, tasks=tasks, bytes=max(map(sum, sampled), default=0) + states, moved=moved)


def cut_at(plan: Plan, stage: PlanStage, known: Values, ends: tuple[int, ...]) -> Cut:
    """A stage whose pieces end at these coordinates of its only axis."""
    piece = piece_for(plan, stage)
    ((_, _, extent),) = piece.axes
    work = _work(plan, stage, known)
    longest = max(high - low for low, high in pairwise((0, *ends)))
    cut = Cut(stage, piece, (length_at(extent, known),), (1,), (longest,), len(ends), 0, 0, round(work), ends)
    turns = [[_bytes(piece, piece.values(box, turn)) for box in cut.boxes()] for turn in _turns(piece, known)]
    moved = max(sum(read for read, _, _ in sizes) for sizes in turns)
    moved += sum(bytes_of(one, known) for one in piece.writes)
    return replace(cut, bytes=max(sum(one) for sizes in turns for one in sizes), moved=moved)


def turns_of(iterator: str) -> str:
    """By which name it is known how many turns there are along a coordinate of turns, while stages of one are cut."""
    return f"{iterator} turns"


def _turns(piece: StagePiece, known: Values) -> Iterator[Values]:
    """What is known in the first and the last turns around a stage, as far as these decide how much a piece reads."""
    names = {name for one in piece.derived if isinstance(one, Derived) for name in one.names}
    around = sorted(name for name in names if turns_of(name) in known)
    for turn in product(*({1, max(1, known[turns_of(name)])} for name in around)):
        yield {**known, **dict(zip(around, turn, strict=True))}


def samples(cut: Cut) -> Iterator[dict[str, Interval]]:
    """Boxes among which are the largest pieces: those at the ends of an axis, beside them, and in the middle."""
    ranges = []
    for length, step, number in zip(cut.lengths, cut.steps, cut.grid, strict=True):
        places = {k for k in (0, 1, number // 2, number - 2, number - 1) if 0 <= k < number}
        ranges.append([(k * step + 1, min((k + 1) * step, length)) for k in sorted(places)] or [(1, 0)])
    for box in product(*ranges):
        yield dict(zip([name for name, _, _ in cut.piece.axes], box, strict=True))


def _bytes(piece: StagePiece, values: Values) -> tuple[int, int, int]:
    """The bytes that a piece reads, makes for itself, and gives."""

    def together(buffers: tuple[Buffer, ...]) -> int:
        total = 0
        for one in buffers:
            width = dtype_of(one.column.storage).itemsize
            total += math.prod(lengths_of(piece.region(one, values))) * width
        return total

    own = 0
    for made, times in _own(piece):
        lengths = [length_within(length, made.loops, values) for length in made.buffer.shape]
        own += times * math.prod(lengths) * dtype_of(made.buffer.column.storage).itemsize
    return together(piece.reads), min(together(piece.inner), _alive(piece, together)) + own, together(piece.writes)


@lru_cache(maxsize=256)
def _own(piece: StagePiece) -> tuple[tuple[Reference, int], ...]:
    """What steps of a piece make inside themselves, and how many times: a sort merges from one copy into another."""
    found = []
    for step in piece.plan.steps:
        if isinstance(step, Each | Repeat | Branch):
            times = 2 if isinstance(step, Repeat) and sort_of(step) is not None else 1
            found += [(made, times) for made in own_of(step)]
    return tuple(found)


def _states(piece: StagePiece, values: Values) -> int:
    """The bytes of the states that pieces of histograms and folds by label begin with, where one task has several."""
    most = 0
    for buffer, length, pieces_of in _with_states(piece):
        places = math.prod(lengths_at(buffer.shape, values))
        pieces = len(pieces_of(length_at(length, values), places))
        most = max(most, pieces * places * 8 if pieces > 1 else 0)
    return most


PiecesOf = Callable[[int, int], tuple[int, ...]]


@lru_cache(maxsize=256)
def _with_states(piece: StagePiece) -> tuple[tuple[Buffer, Size, PiecesOf], ...]:
    """What histograms and folds by label add to, how many elements they take, and what cuts these into pieces."""
    found: list[tuple[Buffer, Size, PiecesOf]] = []
    for step in piece.plan.steps:
        if isinstance(step, Repeat) and len(step.iterators) == 1 and (one := histogram_of(step)) is not None:
            found.append((one.buffer, step.extents[0], pieces_of_histogram))
        elif isinstance(step, Nest) and step.iterators and (fold := labels_of(step)) is not None:
            found.append((step.targets[0][0], fold.group.extents[0], pieces_of_labels))
    return tuple(found)


def _alive(piece: StagePiece, together: Callable[[tuple[Buffer, ...]], int]) -> int:
    """The most bytes of its own that a piece needs at a time, and the largest once more, which is kept for the next."""
    sizes = {one.name: together((one,)) for one in piece.inner}
    changes = [0] * (len(piece.plan.steps) + 1)
    for name, first, last in _lives(piece):
        changes[first] += sizes[name]
        changes[last + 1] -= sizes[name]
    return max(accumulate(changes)) + max(sizes.values(), default=0)


@lru_cache(maxsize=256)
def _lives(piece: StagePiece) -> tuple[tuple[str, int, int], ...]:
    """What a piece makes for itself, by its names, and the first and last step that each is needed in."""
    found: dict[str, tuple[int, int]] = {}
    inner = {one.name for one in piece.inner}
    for position, step in enumerate(piece.plan.steps):
        for access in (*reads_of(step), *writes_of(step)):
            if (name := access.buffer.name) in inner:
                found[name] = found.get(name, (position, position))[0], position
    return tuple((name, *both) for name, both in found.items())
