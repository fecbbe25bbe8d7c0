"""Placement: which stages a program has, how each is cut, what that moves and holds; all of it before anything runs.

A stage is cut until a piece fits into memory and there is work for everybody, each time along the axis that makes the
pieces read least together.  What cannot fit is refused, with the least memory that would do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from tolang.engines.dask.pieces import Piece, piece_of
from tolang.engines.dask.stages import FOLD, MAP, Stage, Units, candidates, fused, in_one, separated
from tolang.ground.diagnostics import ToLangRunError, usage
from tolang.ground.memory import bytes_text
from tolang.ground.sizes import Size
from tolang.ground.spaces import dtype_of
from tolang.nests.nest import Bind, Buffer, Constant, Index, Load, Plan, Reduction
from tolang.nests.patterns.choice_fold import choice_fold_of
from tolang.nests.patterns.lanes import elements_of_a_piece
from tolang.nests.patterns.tree_fold import PIECE, tree_fold_of
from tolang.nests.regions import Interval, lengths_of
from tolang.nests.work import work_of

DUPLICATED = 1.25
"""How much more than the whole the halves of a stage may compute together, for steps to be computed in its pieces."""
ENGINE = 192 << 20
"""Bytes that compiling, the threads' own memory and panels of operands may take beside what a piece holds."""
SMALL = 1 << 20
"""Bytes up to which a value between stages stays in memory."""
NEARLY = 1.05
"""How much more than the least pieces may move together, to be cut along an earlier axis, as files lie."""
WORK_OF_A_TASK = 5e8
"""About how many numbers a task computes at the least where several workers share a stage: half a second."""
TASKS_OF_A_WORKER = 4

Values = Mapping[str, int]


class Uncut(Exception):
    """A program whose stages cannot be told before it runs; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A stage with its grid: how many coordinates of each axis a piece has, multiples of units, and what that takes.

    `bytes` are those of the largest piece: all that it reads, makes and gives; `moved` are those that all pieces read
    and write together.
    """

    stage: Stage
    piece: Piece
    lengths: tuple[int, ...]
    units: tuple[int, ...]
    steps: tuple[int, ...]
    tasks: int
    bytes: int
    moved: int
    work: int

    @property
    def grid(self) -> tuple[int, ...]:
        return tuple(max(1, -(-length // step)) for length, step in zip(self.lengths, self.steps, strict=True))

    def boxes(self) -> Iterator[dict[str, Interval]]:
        """The boxes of the pieces, in order; a stage that is not cut has one."""
        names = [name for name, _, _ in self.piece.axes]
        ranges = [
            [(low + 1, min(low + step, length)) for low in range(0, length, step)] if length else [(1, 0)]
            for length, step in zip(self.lengths, self.steps, strict=True)
        ]
        for box in product(*ranges):
            yield dict(zip(names, box, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A program in stages with their grids; `peak` is the most bytes that a process holds while it runs."""

    plan: Plan
    cuts: tuple[Cut, ...]
    known: Values
    strict: bool
    peak: int


def place(
    lowered: Plan,
    strict: bool,
    known: Values,
    memory: int | None,
    baseline: int = 0,
    workers: int = 0,
    held: int = 0,
    together: bool = True,
    slots: int = 1,
    whole: str = "",
) -> Placed:
    """The stages of a lowered program at sizes and numerics that are known, within so many bytes for a process.

    Without `workers` to share them out to, pieces are no smaller than memory asks for.  `held` are bytes of results
    that stay in memory; a process holds what a task holds `slots` times.  With `together`, steps whose results nobody
    else reads are computed in the pieces that read them; where there is a reason for it to run `whole`, it does.
    """
    plan = separated(lowered)
    known = dict(known) | dict(_numerics(plan, known))
    try:
        stages = in_one(plan, whole) if whole else _stages(Units(plan, strict), known, together)
        room = None if memory is None else (memory - baseline - ENGINE - held) // slots
        cuts = tuple(_cut(plan, stage, strict, known, room, workers) for stage in stages)
    except KeyError as unknown:
        raise Uncut(f"the length {unknown} is told only by running it") from None
    except ToLangRunError as wrong:
        raise Uncut(str(wrong)) from None
    kept = held + sum(bytes_of(one, known) for one in _between(plan, cuts) if bytes_of(one, known) <= SMALL)
    largest = max((cut.bytes for cut in cuts), default=0)
    return Placed(plan, cuts, known, strict, baseline + ENGINE + kept + slots * largest)


def refuse_beyond(placed: Placed, memory: int | None) -> None:
    """Raises the error of a program that does not fit into memory, however it is cut."""
    if memory is None or placed.peak <= memory:
        return
    worst = max(placed.cuts, key=lambda cut: cut.bytes)
    why = f"; {name_of(worst)} is not cut: {worst.stage.reason}" if worst.stage.reason else ""
    raise usage(
        "E616",
        f"the program does not fit into {bytes_text(memory)}, however it is cut{why}",
        found=bytes_text(memory),
        expected=f"at least {bytes_text(placed.peak)}",
    )


def name_of(cut: Cut) -> str:
    """What a stage computes, by the names of the program."""
    names = [one.name.rpartition(".")[0].rpartition("_")[0] or one.name for one in cut.piece.writes]
    names += [name.rpartition(" of ")[2].rpartition("_")[0] or name for name in cut.piece.gives if name]
    return ", ".join(dict.fromkeys(names)) or "nothing"


def bytes_of(buffer: Buffer, values: Values) -> int:
    return math.prod(int(length.evaluate(values)) for length in buffer.shape) * dtype_of(buffer.column.storage).itemsize


def _between(plan: Plan, cuts: tuple[Cut, ...]) -> Iterator[Buffer]:
    outputs = {buffer.name for buffers in plan.outputs for buffer in buffers}
    return (buffer for cut in cuts for buffer in cut.piece.writes if buffer.name not in outputs)


def _numerics(plan: Plan, known: Values) -> Iterator[tuple[str, int]]:
    """The numerics of a plan whose values follow from what is known; inputs are known by the names of their buffers."""
    found = dict(known)
    for step in plan.steps:
        if not isinstance(step, Bind) or step.mutable:
            continue
        value: int | None = None
        match step.value:
            case Load(buffer=buffer, indices=()):
                value = found.get(buffer.name)
            case Index(size=size) if size.names() <= found.keys():
                value = int(size.evaluate(found))
            case Constant(value=int(number)):
                value = number
        if value is not None:
            found[step.name] = value
            yield step.name, value


# Stages


def _stages(units: Units, known: Values, together: bool) -> list[Stage]:
    """The stages of a plan, each with what is worth computing in its pieces and the axes worth cutting at."""
    worth: dict[int, frozenset[int]] = {}
    axes: dict[int, tuple[str, ...]] = {}
    taken: set[int] = set()
    for lead in reversed(range(len(units.units))):
        unit = units.units[lead]
        if lead in taken or unit.kind not in (MAP, FOLD):
            continue
        members, axes[lead], refused = frozenset[int](), unit.axes, set[int]()
        while together:
            fresh = next((k for k in candidates(units, lead, members) if k not in refused | taken), None)
            if fresh is None:
                break
            found = _worthwhile(units, lead, members | {fresh}, known)
            if found:
                members, axes[lead] = members | {fresh}, found
            else:
                refused.add(fresh)
        worth[lead] = members
        taken |= members
    by_lead = {units.units[lead].steps[-1]: found for lead, found in axes.items()}
    return [replace(stage, axes=by_lead.get(stage.lead, stage.axes)) for stage in fused(units, worth)]


def _worthwhile(units: Units, lead: int, members: frozenset[int], known: Values) -> tuple[str, ...]:
    """The axes of a stage along which halves compute hardly more than the whole."""
    unit = units.units[lead]
    steps = tuple(position for k in sorted((*members, lead)) for position in units.units[k].steps)
    found = []
    for axis in unit.axes:
        piece = piece_of(units.plan, Stage(unit.kind, steps, (axis,)))
        ((_, _, extent),) = piece.axes
        length = int(extent.evaluate(known))
        whole = _work(piece, piece.values({axis: (1, length)}, known))
        half = max(1, length // 2)
        halves = [(1, half), (half + 1, length)] if length > 1 else [(1, length)]
        if sum(_work(piece, piece.values({axis: one}, known)) for one in halves) <= DUPLICATED * whole:
            found.append(axis)
    return tuple(found)


def _work(piece: Piece, values: Values) -> float:
    """About how many numbers a piece computes."""
    total = sum((work_of(step) for step in piece.plan.steps), Size.of(0))
    return float(total.evaluate(dict.fromkeys(total.names(), 1) | dict(values)))


# Grids


def _cut(plan: Plan, stage: Stage, strict: bool, known: Values, room: int | None, workers: int) -> Cut:
    """A stage cut so far that a piece fits into the room there is, and all workers have something to do."""
    piece = piece_of(plan, stage)
    lengths = tuple(max(0, int(extent.evaluate(known))) for _, _, extent in piece.axes)
    units = tuple(_unit(stage, plan, strict, known) for _ in lengths)
    work = _work(piece, piece.values({n: (1, k) for (n, _, _), k in zip(piece.axes, lengths, strict=True)}, known))
    wanted = min(math.ceil(work / WORK_OF_A_TASK), TASKS_OF_A_WORKER * workers)
    parts = tuple(1 for _ in lengths)
    found = _measured(stage, piece, lengths, units, parts, known, work)
    while (room is not None and found.bytes > room) or found.tasks < wanted:
        finer = [
            (_measured(stage, piece, lengths, units, more, known, work), more)
            for k, more in enumerate((*parts[:k], 2 * parts[k], *parts[k + 1 :]) for k in range(len(parts)))
            if found.steps[k] > units[k]
        ]
        if not finer:
            break
        least = min(one.moved for one, _ in finer)
        found, parts = next((one, more) for one, more in finer if one.moved <= NEARLY * least)
    return found


def _unit(stage: Stage, plan: Plan, strict: bool, known: Values) -> int:
    """At multiples of how many coordinates a stage may be cut so that no result depends on it."""
    lead = plan.steps[stage.lead]
    if strict or stage.kind != FOLD or not isinstance(lead, Bind) or not isinstance(lead.value, Reduction):
        return 1
    group = lead.value.group
    if choice_fold_of(group) is not None:
        return 1
    if tree_fold_of(group) is not None:
        return PIECE
    return int(elements_of_a_piece(group).evaluate(known)) if group.combine is not None else 1


def _measured(
    stage: Stage,
    piece: Piece,
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
    sampled = [_bytes(piece, piece.values(box, known)) for box in _samples(cut)]
    moved = max(read for read, _, _ in sampled) * tasks + sum(bytes_of(one, known) for one in piece.writes)
    return replace(cut, tasks=tasks, bytes=max(map(sum, sampled), default=0), moved=moved)


def _samples(cut: Cut) -> Iterator[dict[str, Interval]]:
    """Boxes among which are the largest pieces: those at the ends of an axis, beside them, and in the middle."""
    ranges = []
    for length, step, number in zip(cut.lengths, cut.steps, cut.grid, strict=True):
        places = {k for k in (0, 1, number // 2, number - 2, number - 1) if 0 <= k < number}
        ranges.append([(k * step + 1, min((k + 1) * step, length)) for k in sorted(places)] or [(1, 0)])
    for box in product(*ranges):
        yield dict(zip([name for name, _, _ in cut.piece.axes], box, strict=True))


def _bytes(piece: Piece, values: Values) -> tuple[int, int, int]:
    """The bytes that a piece reads, makes for itself, and gives."""

    def together(buffers: tuple[Buffer, ...]) -> int:
        total = 0
        for one in buffers:
            width = dtype_of(one.column.storage).itemsize
            total += math.prod(lengths_of(piece.region(one, values))) * width
        return total

    return together(piece.reads), together(piece.inner), together(piece.writes)
