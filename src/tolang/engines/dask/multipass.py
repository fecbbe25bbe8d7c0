"""Waves: what one step computes of all that others did, in pieces all the same, one wave of tasks after the other.

    leaves      sums by label and histograms: pieces add to places of their own, which are joined in order
    scan        each block combined by itself, then what comes before each of them, then their elements
    sort        stretches in order, then what all of them have of a range of the order, for each range
    append      how many elements of each stretch are kept, then these, one stretch behind the other
    gather      where the elements are that a stretch needs, level by level, then what is computed of these
    search      how many of the keys in order come before each item, portion by portion, then what is computed of these
    group       the groups of each piece of the rows, then of all that these give

Pieces end where those of one machine do, or where it does not matter, so that no bit depends on how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tolang.engines.dask import grids
from tolang.engines.dask.blocks import EVERY, appended_apart, offsets_of, run_of, scan_apart, sort_apart
from tolang.engines.dask.gathers import GatherLevel, gathered
from tolang.engines.dask.grids import Cut, Values, bytes_of
from tolang.engines.dask.groups import AXIS, Grouping, given_by, merge_of
from tolang.engines.dask.pieces import StagePiece, opening_of, piece_of
from tolang.engines.dask.repetitions import Undriven, joining, stretched
from tolang.engines.dask.requests import PICKING, PORTION
from tolang.engines.dask.searches import Counts, Searched, searched
from tolang.engines.dask.stages import (
    APPENDED,
    CHAIN,
    COUNTED,
    COUNTS,
    FIRST,
    FOUND,
    GROUPED,
    LEAVES,
    LIGHT,
    MAP,
    MERGED,
    PLACES,
    RESULTS,
    RUNS,
    SAMPLED,
    SCANNED,
    TAKEN,
    WHOLE,
    PlanStage,
    Units,
    Within,
    folded_by_label,
    is_kept_apart,
    light_binds,
)
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.values.functions import EXACT_IN_ANY_ORDER
from tolang.ground.values.spaces import dtype_of, is_complex, is_float, is_narrow
from tolang.idioms.append_fold import appending_of
from tolang.idioms.histogram import histogram_of
from tolang.idioms.scan import scan_of
from tolang.idioms.segment_reduce import labels_of
from tolang.idioms.sort import Sort, sort_of
from tolang.plan.grain import SCAN_BLOCK, pieces_of_histogram, pieces_of_labels
from tolang.plan.nest import Buffer, ConstantScalar, Nest, Plan, Reduction, Repeat
from tolang.plan.regions import length_at, lengths_at

AGAIN = 5
"""How many times as much work a step has at the least that is worth waves which go through all of it more than once."""
MOST = 10_000
"""How many stretches a sort or a filter has at the most: of each it is seen what it gives."""
SAMPLE = 4096
"""How far apart keys of a run are, of which one is looked at, at the most."""
SCAN, SORT, APPEND, GATHER, SEARCH, GROUP = "scan", "sort", "append", "gather", "search", "group"
MOST_PARTS = 1 << 18
"""How many groups all pieces give together at the most: these are grouped once more where the program was planned."""
TABLE = 48
"""Bytes for each row that a table of keys may take, or a sort in its place."""
OF_A_ROW = 16
"""About how many numbers are computed for a row that is grouped."""


@dataclass(frozen=True, slots=True)
class Means:
    """What there is to compute with: bytes for a task, and workers; pieces are as the order of folds allows."""

    strict: bool
    room: int | None
    workers: int

    def is_worth(self, whole: Cut, turns: bool, again: bool = False) -> bool:
        """Whether a step is better shared out: it does not fit, or there is work for several workers.

        Where waves go through all of it `again`, there has to be more.
        """
        if self.room is not None and whole.bytes > self.room:
            return True
        if again:
            return self.workers > 1 and whole.work >= 2 * AGAIN * grids.WORK_OF_A_TASK
        return self.workers > 1 and (whole.work if turns else whole.effort) >= 2 * grids.WORK_OF_A_TASK


@dataclass(frozen=True, eq=False)
class Waves:
    """A step in waves of tasks, each a stage in its grid; `whole` is the step as it would be in one task.

    Leaves begin with the state that is there, or with `start` at every place.  `names` are numerics that an `opening`
    finds, by which inputs of the plans each.
    A `sort` has its order, what keeps elements `gives` how many it has kept, gathers have `levels`, and searches those
    of their `counts`.  Groups `give` how many they are; where their sums are `rounded`, that decides whether they are
    those of one machine.
    `between` are the buffers that one wave gives to the next; `plans` are small ones, computed where it was planned.
    """

    kind: str
    stage: PlanStage
    cuts: tuple[Cut, ...]
    whole: StagePiece
    known: Values
    writes: tuple[Buffer, ...]
    combine: str = ""
    start: Any = None
    opening: StagePiece | None = None
    names: tuple[tuple[str, str], ...] = ()
    between: tuple[Buffer, ...] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    sort: Sort | None = None
    gives: str = ""
    levels: tuple[GatherLevel, ...] = ()
    counts: tuple[Counts, ...] = ()
    rounded: bool = False

    @property
    def tasks(self) -> int:
        return sum(cut.tasks for cut in self.cuts)

    @property
    def bytes(self) -> int:
        return max(cut.bytes for cut in self.cuts)

    @property
    def moved(self) -> int:
        return sum(cut.moved for cut in self.cuts)

    @property
    def work(self) -> int:
        return sum(cut.work for cut in self.cuts)

    @property
    def reads(self) -> set[str]:
        """The names of what its waves read of other stages."""
        gathers = [one for level in self.levels for one in level.gathers]
        own = {one.name for one in (*self.between, *(g.taken for g in gathers))} | {name for _, name in self.names}
        read = {one.name for cut in self.cuts for one in cut.piece.reads} - own | {g.source.name for g in gathers}
        return read if self.opening is None else read | {one.name for one in self.opening.reads}


def waves_of(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    """The step at a position in waves; raises `Undriven` where it is none of those, or that is of no use."""
    step = plan.steps[position]
    match step:
        case Nest() if folded_by_label(step) is None:
            return _gather(plan, position, known, within, means)
        case Nest():
            return _by_label(plan, position, known, within, means)
        case Repeat(iterators=(_,)) if histogram_of(step) is not None:
            return _histogram(plan, position, known, within, means)
        case Repeat(iterators=(_,)) if scan_of(step) is not None:
            return _scan(plan, position, known, within, means)
        case Repeat(iterators=(_,)) if sort_of(step) is not None:
            return _sort(plan, position, known, within, means)
        case Repeat(iterators=(_,)) if appending_of(step) is not None:
            return _append(plan, position, known, within, means)
    raise Undriven("its steps go on from the state of those before")


# Leaves


def _by_label(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    """A nest of folds by label."""
    nest = plan.steps[position]
    assert isinstance(nest, Nest)
    group = folded_by_label(nest)
    if group is None or not isinstance(nest.values[0], Reduction):
        raise Undriven("it is no fold by label")
    assert group.combine is not None
    stage = PlanStage(LEAVES, (position,), group.iterators[:1], until=position + 1, within=within)
    whole = _in_one(plan, position, known, means, within)
    elements = length_at(group.extents[0], known)
    found = labels_of(nest)
    if found is None:  # counts, of which any number of pieces gives the same
        cut = _freely(plan, stage, known, means)
    elif means.strict:
        raise Undriven("its order counts")
    else:
        places = length_at(dict(zip(nest.iterators, nest.extents, strict=True))[found.place], known)
        cut = _at_ends(plan, stage, known, pieces_of_labels(elements, places))
    ((buffer, _),), start = nest.targets, group.initials[0]
    assert isinstance(start, ConstantScalar)
    plans = {"join": joining(buffer, plan.sizes, group.combine)}
    return Waves(LEAVES, stage, (cut,), whole.piece, known, (buffer,), group.combine, start.value, plans=plans)


def _histogram(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    step = plan.steps[position]
    assert isinstance(step, Repeat)
    found = histogram_of(step)
    assert found is not None
    whole, repetition = _in_one(plan, position, known, means, within), stretched(plan, position)
    inner = dict(known) | {buffer: known[name] for name, buffer in repetition.names if name in known}
    light, steps = frozenset(light_binds(repetition.plan)), repetition.plan.steps
    chosen = tuple(p for p, one in enumerate(steps) if p not in light and not isinstance(one, LIGHT))
    stage = PlanStage(CHAIN, chosen, step.iterators, until=len(steps), within=(*within, ~position))
    places = math.prod(lengths_at(found.buffer.shape, known))
    if found.counts or found.combine in EXACT_IN_ANY_ORDER:
        if means.workers < 2:
            raise Undriven("its stretches go one after the other")
        cut = _freely(repetition.plan, stage, inner, means)
    elif means.strict:
        raise Undriven("its order counts")
    else:
        ends = pieces_of_histogram(length_at(step.extents[0], known), places)
        cut = _at_ends(repetition.plan, stage, inner, ends)
    if means.room is not None and cut.bytes > means.room:
        raise Undriven("its places do not fit into memory")
    if not within and 2 * cut.tasks * places > cut.lengths[0] and not means.is_worth(whole, turns=False, again=True):
        raise Undriven("it has so many places that it is too little to share out")
    plans = {"join": joining(found.buffer, repetition.plan.sizes, found.combine)}
    opening = opening_of(plan, position + 1, (name for name, _ in repetition.names))
    return Waves(
        LEAVES, stage, (cut,), whole.piece, inner, (found.buffer,), found.combine,
        opening=opening, names=repetition.names, plans=plans,
    )  # fmt: skip


# Scans


def _scan(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    """A scan: where blocks may be combined by themselves, in three waves, else one stretch after the other."""
    step = plan.steps[position]
    assert isinstance(step, Repeat)
    scan = scan_apart(step).scan
    whole = _in_one(plan, position, known, means, within, again=True)
    targets = tuple(buffer for buffer, _ in scan.targets)
    storage, exact = targets[0].column.storage, scan.combine in EXACT_IN_ANY_ORDER
    if any(is_narrow(one.column.storage) for one in targets):
        raise Undriven("it adds up narrow floats")
    if length_at(step.extents[0], known) > SCAN_BLOCK * SCAN_BLOCK:
        raise Undriven("it has too many blocks")
    rounds = is_float(storage) and not exact
    apart = scan.combine is not None and not is_complex(storage) and not (means.strict and rounds)
    apart = apart and (rounds or means.workers > 1)  # else stretches go on from each other, which computes less
    stages = [_stage(kind, step, position, within) for kind in (FIRST, RESULTS, SCANNED)]
    first = grids.cut_at(plan, stages[0], known, (1,))
    scanned = _freely(plan, stages[2], known, means if apart else replace(means, workers=0))
    results = (_freely(plan, stages[1], known, means),) if apart else ()
    plans = {"offsets": offsets_of(step)} if apart else {}
    return Waves(SCAN, stages[2], (first, *results, scanned), whole.piece, known, targets, plans=plans)


def _stage(kind: str, step: Repeat, position: int, within: Within) -> PlanStage:
    return PlanStage(kind, (position,), step.iterators, until=position + 1, within=within)


# Sorts


def _sort(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    step = plan.steps[position]
    assert isinstance(step, Repeat)
    sort = sort_apart(step)
    whole = _in_one(plan, position, known, means, within)
    stages = [_stage(kind, step, position, within) for kind in (RUNS, SAMPLED, MERGED)]
    runs = _freely(plan, stages[0], known, means)
    every = min(SAMPLE, max(1, runs.steps[0] // (4 * (runs.tasks + 1))))
    inner = {**known, EVERY: every}
    sampled = grids.cut_at(plan, stages[1], inner, runs_ends(runs))
    merged = _freely(plan, stages[2], known, means)
    spare = round(merged.bytes / max(1, merged.steps[0]) * (runs.tasks + 1) * every)  # ends are as close as samples
    if means.room is not None and merged.bytes + spare > means.room:
        merged = _freely(plan, stages[2], known, replace(means, room=means.room - spare))
    merged = replace(merged, bytes=merged.bytes + spare)
    targets = tuple(buffer for buffer, _ in sort.targets)
    between = tuple(map(run_of, targets))
    return Waves(SORT, stages[2], (runs, sampled, merged), whole.piece, inner, targets, between=between, sort=sort)


def runs_ends(cut: Cut) -> tuple[int, ...]:
    """Where stretches along the only axis of a stage end; raises where these would be too many to look at."""
    if cut.tasks > MOST:
        raise Undriven("memory has no room for stretches that are worth while")
    ((name, _, _),) = cut.piece.axes
    return tuple(box[name][1] for box in cut.boxes())


# Elements that are kept


def _append(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    step = plan.steps[position]
    assert isinstance(step, Repeat)
    found = appended_apart(step)
    whole = _in_one(plan, position, known, means, within)
    stages = [_stage(kind, step, position, within) for kind in (COUNTED, APPENDED)]
    appended = _freely(plan, stages[1], known, means)
    counted = grids.cut_at(plan, stages[0], known, runs_ends(appended))
    return Waves(APPEND, stages[1], (counted, appended), whole.piece, known, found.buffers, gives=found.length)


# Groups


def groups_of(plan: Plan, found: Grouping, known: Values, means: Means) -> Waves:
    """Steps that group rows, in pieces that end where sums of few groups do; raises where that is of no use."""
    rounds = any(
        is_float(one.buffer.column.storage) and one.combine not in EXACT_IN_ANY_ORDER for _, one in found.folds
    )
    if (means.strict and rounds) or any(is_narrow(one.buffer.column.storage) for _, one in found.folds):
        raise Undriven("its order counts")
    if found.rows not in known or means.workers < 2:
        raise Undriven("it is not shared out")
    ends = pieces_of_histogram(known[found.rows], 1)
    stage = PlanStage(GROUPED, found.steps, (AXIS,), until=found.span.stop)
    inner = {**known, found.length: MOST_PARTS}
    cut = _at_ends(plan, stage, inner, ends)
    sorts = [one for p in found.ranking if isinstance(one := plan.steps[p], Repeat) and sort_of(one) is not None]
    each = OF_A_ROW + len(sorts) * grids.SORTING * math.log2(max(2, known[found.rows]))
    cut = replace(cut, bytes=cut.bytes + TABLE * cut.steps[0], work=round(each * known[found.rows]))
    if cut.effort < 2 * grids.WORK_OF_A_TASK or (means.room is not None and cut.bytes > means.room):
        raise Undriven("it is too little to share out, or does not fit into memory")
    whole = piece_of(plan, PlanStage(WHOLE, found.steps, until=found.span.stop))
    plans, writes = {"merge": merge_of(plan, found)}, tuple(given_by(plan, found))
    return Waves(
        GROUP, stage, (cut,), whole, inner, writes, plans=plans, gives=found.length, rounded=rounds,
    )  # fmt: skip


# Elements at places that data tell


def _gather(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    """A nest that needs more of vectors than memory has room for, if it reads all of them; else it is left alone."""
    nest = plan.steps[position]
    assert isinstance(nest, Nest)
    axes = tuple(one for one in nest.iterators if is_kept_apart(nest, one))
    stage, alone = PlanStage(MAP, (position,), axes, until=position + 1, within=within), grids.Sharing(math.inf, 1)
    if means.room is None or not axes:
        raise Undriven("it is not cut, or need not be")
    if grids.cut(plan, stage, means.strict, known, means.room, alone).bytes <= means.room:
        raise Undriven("what it reads fits into memory")
    if (search := searched(plan, position)) is not None:
        return _search(plan, stage, search, known, means)
    found = gathered(nest)
    if found is None or axes != nest.iterators:
        raise Undriven("it reads no elements at places that data tell")
    stages = [replace(stage, kind=PLACES, level=k + 1) for k in range(len(found.levels))]
    sources = [one.source for level in found.levels for one in level.gathers]
    portion = max(min(bytes_of(one, known), PORTION * dtype_of(one.column.storage).itemsize) for one in sources)
    stages.append(replace(stage, kind=TAKEN))
    cuts = tuple(_picking(plan, one, known, means, portion) for one in stages)
    whole = grids.cut(plan, PlanStage(WHOLE, (position,)), means.strict, known, None, alone)
    between = tuple(buffer for level in found.levels for buffer, _ in level.places.targets)
    writes = tuple(buffer for buffer, _ in nest.targets)
    return Waves(GATHER, stage, cuts, whole.piece, known, writes, between=between, levels=found.levels)


def _search(plan: Plan, stage: PlanStage, found: Searched, known: Values, means: Means) -> Waves:
    """A nest that searches among more keys than memory has room for."""
    sharing = grids.shared_by(means.workers, bool(stage.within)) if means.workers else grids.Sharing(math.inf, 1)
    stages = [replace(stage, kind=COUNTS, level=k + 1) for k in range(len(found.levels))]
    stages.append(replace(stage, kind=FOUND))
    cuts = tuple(grids.cut(plan, one, means.strict, known, means.room, sharing) for one in stages)
    whole = grids.cut(plan, PlanStage(WHOLE, stage.steps), means.strict, known, None, grids.Sharing(math.inf, 1))
    writes = tuple(buffer for buffer, _ in found.nest.targets)
    between = tuple(one for level in found.levels for one in (*level.before, *level.after))
    return Waves(SEARCH, stage, cuts, whole.piece, known, writes, between=between, counts=found.levels)


def _picking(plan: Plan, stage: PlanStage, known: Values, means: Means, portion: int) -> Cut:
    """A stage of a gather, with room for picking elements, and for the portion of a vector that these are in."""
    assert means.room is not None
    sharing = grids.shared_by(means.workers, bool(stage.within)) if means.workers else grids.Sharing(math.inf, 1)
    cut = grids.cut(plan, stage, means.strict, known, means.room - portion, sharing)
    each = cut.bytes / max(1, cut.steps[0])
    room = round((means.room - portion) * each / (each + PICKING))
    cut = grids.cut(plan, stage, means.strict, known, room, sharing)
    return replace(cut, bytes=cut.bytes + PICKING * cut.steps[0] + portion)


def _in_one(plan: Plan, position: int, known: Values, means: Means, within: Within, again: bool = False) -> Cut:
    """A step in one task; raises where it is better left so."""
    unit = next(one for one in Units(plan, means.strict).units if position in one.steps)
    one, stage = grids.Sharing(math.inf, 1), PlanStage(WHOLE, unit.steps)
    found = grids.cut(plan, stage, means.strict, known, None, one)
    if not means.is_worth(found, bool(within), again and not within):
        raise Undriven("it is too little to share out")
    return found


def _freely(plan: Plan, stage: PlanStage, known: Values, means: Means) -> Cut:
    """A stage in two pieces at least, for what is not better shared out does not go in waves."""
    two = grids.Sharing(1.0, 2)
    sharing = grids.shared_by(means.workers, bool(stage.within)) if means.workers else two
    cut = grids.cut(plan, stage, means.strict, known, means.room, sharing)
    return _several(cut if cut.tasks > 1 else grids.cut(plan, stage, means.strict, known, means.room, two))


def _at_ends(plan: Plan, stage: PlanStage, known: Values, ends: tuple[int, ...]) -> Cut:
    return _several(grids.cut_at(plan, stage, known, ends))


def _several(cut: Cut) -> Cut:
    if cut.tasks < 2:
        raise Undriven("one machine takes it in one piece")
    return cut
