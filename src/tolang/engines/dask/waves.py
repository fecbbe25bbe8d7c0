"""Waves: what one step computes of all that others did, in pieces all the same, one wave of tasks after the other.

    leaves      sums by label and histograms: pieces add to places of their own, which are joined in order

Pieces end where those of one machine do, or where it does not matter, so that no bit depends on how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tolang.engines.dask import grids
from tolang.engines.dask.grids import Cut, Values
from tolang.engines.dask.pieces import Piece, opening_of
from tolang.engines.dask.repetitions import Undriven, joining, stretched
from tolang.engines.dask.stages import CHAIN, LEAVES, LIGHT, WHOLE, Stage, Within, folded_by_label, light_binds
from tolang.ground.functions import EXACT_IN_ANY_ORDER
from tolang.nests.nest import Buffer, Constant, Nest, Plan, Reduction, Repeat
from tolang.nests.patterns import histogram, labels
from tolang.nests.patterns.histogram import histogram_of
from tolang.nests.patterns.labels import labels_of


@dataclass(frozen=True, slots=True)
class Means:
    """What there is to compute with: bytes for a task, and workers; pieces are as the order of folds allows."""

    strict: bool
    room: int | None
    workers: int

    def is_worth(self, whole: Cut, turns: bool) -> bool:
        """Whether a step is better shared out: it does not fit, or there is work for several workers."""
        if self.room is not None and whole.bytes > self.room:
            return True
        least = grids.WORK_OF_A_TASK / (grids.TURNS_OF_A_TASK if turns else 1)
        return self.workers > 1 and whole.work >= 2 * least


@dataclass(frozen=True, eq=False)
class Waves:
    """A step in waves of tasks, each a stage in its grid; `whole` is the step as it would be in one task.

    Leaves begin with the state that is there, or with `start` at every place.  `names` are numerics that an `opening`
    finds, by which inputs of the plans each.
    `between` are the buffers that one wave gives to the next; `plans` are small ones, computed where it was planned.
    """

    kind: str
    stage: Stage
    cuts: tuple[Cut, ...]
    whole: Piece
    known: Values
    writes: tuple[Buffer, ...]
    combine: str = ""
    start: Any = None
    opening: Piece | None = None
    names: tuple[tuple[str, str], ...] = ()
    between: tuple[Buffer, ...] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)

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
        own = {one.name for one in self.between} | {name for _, name in self.names}
        read = {one.name for cut in self.cuts for one in cut.piece.reads} - own
        return read if self.opening is None else read | {one.name for one in self.opening.reads}


def waves_of(plan: Plan, position: int, known: Values, within: Within, means: Means) -> Waves:
    """The step at a position in waves; raises `Undriven` where it is none of those, or that is of no use."""
    step = plan.steps[position]
    match step:
        case Nest():
            return _by_label(plan, position, known, within, means)
        case Repeat(iterators=(_,)) if histogram_of(step) is not None:
            return _histogram(plan, position, known, within, means)
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
    stage = Stage(LEAVES, (position,), group.iterators[:1], until=position + 1, within=within)
    whole = _in_one(plan, position, known, means, within)
    elements = int(group.extents[0].evaluate(known))
    found = labels_of(nest)
    if found is None:  # counts, of which any number of pieces gives the same
        cut = _freely(plan, stage, known, means)
    elif means.strict:
        raise Undriven("its order counts")
    else:
        places = int(dict(zip(nest.iterators, nest.extents, strict=True))[found.place].evaluate(known))
        cut = _at_ends(plan, stage, known, labels.pieces_of(elements, places))
    ((buffer, _),), start = nest.targets, group.initials[0]
    assert isinstance(start, Constant)
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
    stage = Stage(CHAIN, chosen, step.iterators, until=len(steps), within=(*within, ~position))
    places = math.prod(int(length.evaluate(known)) for length in found.buffer.shape)
    if found.counts or found.combine in EXACT_IN_ANY_ORDER:
        if means.workers < 2:
            raise Undriven("its stretches go one after the other")
        cut = _freely(repetition.plan, stage, inner, means)
    elif means.strict:
        raise Undriven("its order counts")
    else:
        ends = histogram.pieces_of(int(step.extents[0].evaluate(known)), places)
        cut = _at_ends(repetition.plan, stage, inner, ends)
    plans = {"join": joining(found.buffer, repetition.plan.sizes, found.combine)}
    opening = opening_of(plan, position + 1, (name for name, _ in repetition.names))
    return Waves(
        LEAVES, stage, (cut,), whole.piece, inner, (found.buffer,), found.combine,
        opening=opening, names=repetition.names, plans=plans,
    )  # fmt: skip


def _in_one(plan: Plan, position: int, known: Values, means: Means, within: Within) -> Cut:
    """A step in one task; raises where it is better left so."""
    found = grids.cut(plan, Stage(WHOLE, (position,)), means.strict, known, None, grids.Sharing(math.inf, 1))
    if not means.is_worth(found, bool(within)):
        raise Undriven("it is too little to share out")
    return found


def _freely(plan: Plan, stage: Stage, known: Values, means: Means) -> Cut:
    sharing = grids.shared_by(means.workers, bool(stage.within)) if means.workers else grids.Sharing(math.inf, 1)
    return _several(grids.cut(plan, stage, means.strict, known, means.room, sharing))


def _at_ends(plan: Plan, stage: Stage, known: Values, ends: tuple[int, ...]) -> Cut:
    return _several(grids.cut_at(plan, stage, known, ends))


def _several(cut: Cut) -> Cut:
    if cut.tasks < 2:
        raise Undriven("one machine takes it in one piece")
    return cut
