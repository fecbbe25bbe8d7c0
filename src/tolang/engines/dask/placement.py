"""Placement: which stages a program has, how each is cut, what that moves and holds; all of it before anything runs.

What cannot fit is refused (see `budgets`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from tolang.engines.dask import grids
from tolang.engines.dask.budgets import MB, Room
from tolang.engines.dask.choices import choices_in, chosen, with_choices
from tolang.engines.dask.grids import Cut, Values, bytes_of, computed
from tolang.engines.dask.groups import Grouping, groupings
from tolang.engines.dask.multipass import Means, Waves, groups_of, waves_of
from tolang.engines.dask.parts import Driven, Part, PlacedProgram, all_cuts, between, bytes_given, read_by, written_by
from tolang.engines.dask.pieces import StagePiece, opening_of, piece_of
from tolang.engines.dask.repetitions import Undriven, repetition_of, same_in_stretches, stretched, together
from tolang.engines.dask.stages import (
    CHAIN,
    FOLD,
    LIGHT,
    MAP,
    REPEAT,
    SCATTERED,
    WHOLE,
    PlanStage,
    Units,
    Within,
    candidates,
    copied,
    fused,
    in_one,
    known_until,
    light_binds,
    separated,
)
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import ToLangRunError
from tolang.plan.nest import Bind, Buffer, ConstantScalar, Index, Load, Nest, Plan, Repeat
from tolang.plan.regions import length_at, lengths_at, lengths_of, reads_of, writes_of

DUPLICATED = 1.25
"""How much more than the whole the halves of a stage may compute together, for steps to be computed in its pieces."""
AGAIN = 64 * MB
"""Bytes of what running takes that a task gives back and the next takes again: fresh pages cost their time."""
LEAPS = (2, 4, 8, 16, 32)
"""How many turns of a repetition may go together."""
AT_ONCE = 8
"""About how many numbers turns that go together compute in the time in which a byte is read or written: in vectors."""
SMALL = MB
"""Bytes up to which a value between stages stays in memory."""


class Uncut(Exception):
    """A program whose stages cannot be told before it runs; the message says why."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a program is cut: with steps whose results nobody else reads `together` with those that read them.

    Turns of repetitions are `driven` where that is of use; where there is a reason for it to run `whole`, it does.
    Inputs that are `packed` are unpacked once, for all steps that read them.  Rows are `grouped` piece by piece.
    """

    together: bool = True
    driven: bool = True
    whole: str = ""
    packed: frozenset[str] = frozenset()
    grouped: bool = True


def place(lowered: Plan, strict: bool, known: Values, room: Room, manner: Manner, since: int = 0) -> PlacedProgram:
    """The stages of a lowered program at sizes and numerics that are known, within the room there is.

    They are those of the steps from a position on, as far as what is known tells their lengths.
    """
    plan, known = _to_cut(with_choices(lowered, manner.packed), known)
    groups = _groups(plan, strict, known, room, manner, since)
    until = known_until(plan, known, since, [one.span for one, _ in groups])
    if until == since < len(plan.steps):
        raise Uncut("a length is told only by running it")
    try:
        placing = _StagePlacement(strict, room, manner, span=range(since, until), groups=groups)
        ways = (placing, replace(placing, leaps=())) if room.processes else ()
        kept = (_kept(one, plan, known) for one in ways)  # turns that go together hold more
        return next((found for found in kept if found is not None), None) or _through_here(placing, plan, known)
    except KeyError as unknown:
        raise Uncut(f"the length {unknown} is told only by running it") from None
    except ToLangRunError as wrong:
        raise Uncut(str(wrong)) from None


Groups = tuple[tuple[Grouping, Waves], ...]


def _groups(plan: Plan, strict: bool, known: Values, room: Room, manner: Manner, since: int) -> Groups:
    """What groups rows from a position on, in pieces; the first of it, for lengths of others follow from that."""
    if not manner.grouped or manner.whole or not manner.together:
        return ()
    for one in groupings(plan):
        if one.span.start >= since:
            try:
                return ((one, groups_of(plan, one, known, Means(strict, room.of_a_task(), room.workers))),)
            except Undriven:
                continue
    return ()


def _to_cut(whole: Plan, known: Values) -> tuple[Plan, dict[str, int]]:
    """A program as it is cut, with the choices that are known; and what is known, with what follows from it."""
    found = dict(known)
    while True:
        plan = separated(chosen(whole, choices_in(whole, found)))
        more = dict(numerics_of(plan, found))
        if more.keys() <= found.keys():
            return plan, found
        found |= more


def unknown_lengths(lowered: Plan, known: Values) -> StagePiece | None:
    """The plan of numerics that repetitions are as long as, where these follow from what is known; None without any."""
    plan, found = _to_cut(with_choices(lowered), known)
    light = {one.name for position in light_binds(plan) if isinstance(one := plan.steps[position], Bind)}
    lengths = {size.name or "" for one in plan.steps if isinstance(one, Repeat) for size in one.extents}
    wanted = (lengths & light) - found.keys()
    if not wanted:
        return None
    opening = opening_of(plan, 0, wanted)
    told = all(not one.shape and one.name in found for one in opening.reads) and not opening.takes
    return opening if told else None


def _through_here(placing: _StagePlacement, plan: Plan, known: Values) -> PlacedProgram:
    """A program whose values between stages are in the process that planned it, small ones in memory.

    How much these are is known once stages are: they are cut once more for what that leaves.
    """
    cuts, room = placing.cuts(plan, known), placing.room
    for again in (True, True, False):
        values = _of_earlier_steps(plan, placing.span.start, known) | between(plan, cuts, known)
        kept = sum(size for size in values.values() if size <= SMALL)
        largest = max((cut.bytes for cut in cuts), default=0)
        peak = room.peak(largest, room.held + kept)
        if again and room.memory is not None and peak > room.memory:
            cuts = replace(placing, kept=kept).cuts(plan, known)
    return PlacedProgram(plan, cuts, known, placing.strict, peak, placing.span.stop, room.baseline)


def _kept(placing: _StagePlacement, plan: Plan, known: Values) -> PlacedProgram | None:
    """A program whose values between stages stay with workers; None where these have no room for them.

    How much is kept is known once stages are: they are cut once more for what that leaves.
    """
    cuts, room = placing.cuts(plan, known), placing.room
    for _ in range(2):
        kept = _resident(plan, cuts, known, room.processes, placing.span.start)
        largest = max((cut.bytes for cut in cuts), default=0)
        peak = room.peak(largest, kept)
        if room.memory is None or peak <= room.memory:
            return PlacedProgram(plan, cuts, known, placing.strict, peak, placing.span.stop, room.baseline, bool(kept))
        if (left := room.of_a_task(kept)) is None or left <= 0:
            break
        cuts = replace(placing, kept=kept).cuts(plan, known)
    return None


def _of_earlier_steps(plan: Plan, since: int, known: Values) -> dict[str, int]:
    """The values that steps before a position give to those from there on, and how many bytes each has."""
    written = {access.buffer.name for one in plan.steps[:since] for access in writes_of(one)}
    later = (access.buffer for one in plan.steps[since:] for access in reads_of(one))
    return {one.name: bytes_of(one, known) for one in later if one.name in written}


def _resident(plan: Plan, cuts: tuple[Part, ...], known: Values, processes: int, since: int) -> int:
    """The most bytes that one of some processes keeps of values between stages, which they share evenly.

    Values are kept from the stage that gives them to the last that reads them; in a repetition, also what it reads.
    """
    inputs = {one.name: one for one in plan.inputs}
    outputs = plan.output_names
    before = _of_earlier_steps(plan, since, known)
    most = largest = 0
    for place, cut in enumerate(cuts):
        later = outputs.union(*(read_by(one) for one in cuts[place:]))
        alive = {name: size for one in cuts[: place + 1] for name, size in bytes_given(one, known).items()}
        alive = {name: size for name, size in alive.items() if name in later}
        if not any(name in read_by(one) for one in cuts[place + 1 :] for name in alive) and not isinstance(cut, Driven):
            alive = {name: size for name, size in alive.items() if name not in {b.name for b in written_by(cut)}}
        alive |= {name: size for name, size in before.items() if name in later}
        if isinstance(cut, Waves):
            alive |= {one.name: bytes_of(one, cut.known) for one in cut.between}
        if isinstance(cut, Driven):
            alive |= between(replace(plan, outputs=()), cut.cuts, cut.known)
            alive |= {name: bytes_of(one, known) for name, one in inputs.items() if name in read_by(cut)}
        kept = [size for size in alive.values() if size > SMALL]
        most = max(most, -(-sum(kept) // processes))
        largest = max([largest, *(one.bytes for one in all_cuts([cut]) if kept)])
    return most + largest


def numerics_of(plan: Plan, known: Values) -> Iterator[tuple[str, int]]:
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
            case ConstantScalar(value=int(number)):
                value = number
        if value is not None:
            found[step.name] = value
            yield step.name, value


# Stages


@dataclass(frozen=True, slots=True, eq=False)
class _StagePlacement:
    """The stages of plans, one inside the other; `kept` are bytes that a process keeps between stages."""

    strict: bool
    room: Room
    manner: Manner
    kept: int = 0
    span: range = range(0)
    groups: Groups = ()
    leaps: tuple[int, ...] = LEAPS

    def cuts(self, plan: Plan, known: Values, within: Within = ()) -> tuple[Part, ...]:
        """The stages of a plan, cut."""
        if self.manner.whole:
            return tuple(self._cut(plan, stage, known) for stage in in_one(self.span, self.manner.whole))
        driven, undriven = dict[int, Driven | Waves](), dict[int, str]()
        span = self.span if not within else range(len(plan.steps))
        groups = {} if within else {one.span.start: one.steps for one, _ in self.groups if one.span.start in span}
        grouped = {position for one, _ in self.groups if one.span.start in groups for position in one.span}
        driven |= {one.steps[-1]: waves for one, waves in self.groups if one.span.start in groups}
        for position in span:
            step = plan.steps[position]
            if isinstance(step, Repeat | Nest) and position not in grouped:
                try:
                    driven[position] = self._apart(plan, position, known, within)
                    undriven[position] = ""
                except Undriven as reason:
                    if isinstance(step, Repeat):
                        undriven[position] = str(reason)
        units = Units(plan, self.strict, undriven, span, groups)
        turning = (one for one in driven.values() if isinstance(one, Driven))
        states = {now.name for one in turning for now, _ in one.repetition.states}
        parts: list[Part] = []
        for stage in _stages(units, known, self.manner.together):
            if stage.kind == REPEAT:
                one = driven[stage.lead]
                if isinstance(one, Driven):
                    opening = opening_of(plan, stage.until, (name for name, _ in one.repetition.names))
                    one = replace(one, stage=replace(stage, within=within), opening=opening)
                parts.append(one)
            else:
                written = {one.buffer.name for one in writes_of(plan.steps[stage.lead])}
                parts.append(self._cut(plan, replace(stage, within=within), known, bool(written & states)))
        return _without_copies(plan, parts)

    def _apart(self, plan: Plan, position: int, known: Values, within: Within) -> Driven | Waves:
        """The step at a position in turns, in waves or in stretches; raises the first reason where it is in one."""
        means = Means(self.strict, self.room.of_a_task(self.kept), self.room.workers)
        tried: list[Callable[[], Driven | Waves]] = [lambda: waves_of(plan, position, known, within, means)]
        if isinstance(plan.steps[position], Repeat):
            tried.insert(0, lambda: self._driven(plan, position, known, within))
            tried.append(lambda: self._in_stretches(plan, position, known, within))
        reasons = list[Undriven]()
        for attempt in tried:
            try:
                return attempt()
            except Undriven as reason:
                reasons.append(reason)
            except KeyError as unknown:
                reasons.append(Undriven(f"the length {unknown} is told only by running it"))
        raise reasons[0]

    def _cut(self, plan: Plan, stage: PlanStage, known: Values, turns: bool = False) -> Cut:
        """A stage in its grid; what `turns` begin with is shared out as they are."""
        sharing = grids.shared_by(self.room.workers, turns or bool(stage.within), self.room.near)
        return grids.cut(plan, stage, self.strict, known, self.room.of_a_task(self.kept), sharing)

    def _driven(self, plan: Plan, position: int, known: Values, within: Within) -> Driven:
        """The repetition at a position, in turns; raises the reason where it is better left whole."""
        if not self.manner.driven:
            raise Undriven("its folds would be rounded otherwise in pieces")
        repetition = repetition_of(plan, position)
        unit = next(one for one in Units(plan, self.strict).units if position in one.steps)
        whole = PlanStage(WHOLE, unit.steps)
        try:
            lengths = lengths_at(repetition.extents, known)
            one, task = self._cut(plan, whole, known), self.room.of_a_task(self.kept)
        except KeyError as unknown:
            raise Undriven(f"the length {unknown} is told only by running it") from None
        shared = self.room.workers > 1 and one.work / max(1, math.prod(lengths)) >= grids.WORK_OF_A_TASK
        if not shared and (task is None or one.bytes <= task):
            raise Undriven("its steps go on from the state of those before, each too little to share out")
        inner = dict(known) | dict.fromkeys(repetition.step.iterators, 1)
        inner |= {grids.turns_of(i): turns for i, turns in zip(repetition.step.iterators, lengths, strict=True)}
        inner |= {buffer: known[name] for name, buffer in repetition.names if name in known}
        inner |= dict(numerics_of(repetition.plan, inner))
        cuts = self.cuts(repetition.plan, inner, (*within, position))
        work = sum(cut.work for cut in all_cuts(cuts) if cut.tasks > 1)
        if task is not None and one.bytes > task:
            if max((cut.bytes for cut in cuts), default=0) >= one.bytes:
                raise Undriven("nothing of its steps can be cut")
        elif 2 * work < sum(cut.work for cut in all_cuts(cuts)):
            raise Undriven("most of its steps cannot be cut")
        opening = opening_of(plan, position + 1, (name for name, _ in repetition.names))
        driven = Driven(whole, repetition, opening, lengths, cuts, inner)
        for leap in self.leaps:
            found = self._leaping(driven, leap)
            if found is None or _effort(found) >= _effort(driven):
                break
            driven = found
        return driven

    def _leaping(self, driven: Driven, leap: int) -> Driven | None:
        """A repetition of which several turns go together; None where they cannot, or hold too much."""
        (one, *others), room = driven.cuts, self.room.of_a_task(self.kept)
        if others or not isinstance(one, Cut) or one.stage.kind != MAP or one.tasks == 1 or leap > driven.turns:
            return None
        try:
            plan = together(driven.repetition, leap)
        except Undriven:
            return None
        nests = tuple(position for position, step in enumerate(plan.steps) if isinstance(step, Nest))
        stage = replace(one.stage, steps=nests, until=len(plan.steps), turns=leap)
        cut = self._cut(plan, stage, driven.known)
        if room is not None and cut.bytes > max(room, one.bytes):
            return None
        most = max(_points(cut.piece.plan, cut.piece.values(box, driven.known)) for box in grids.samples(cut))
        again = cut.tasks * most / (leap * max(1, _points(driven.repetition.plan, driven.known)))
        return replace(driven, leap=leap, leaping=(replace(cut, work=round(cut.work * max(1.0, again))),))

    def _in_stretches(self, plan: Plan, position: int, known: Values, within: Within) -> Driven:
        """The repetition at a position in stretches of its steps; raises where that is of no use, or gives another."""
        task, step = self.room.of_a_task(self.kept), plan.steps[position]
        assert isinstance(step, Repeat)
        if not self.manner.driven or (not self.strict and not same_in_stretches(step, known)):
            raise Undriven("it would be rounded otherwise")
        unit = next(one for one in Units(plan, self.strict).units if position in one.steps)
        whole, repetition = self._cut(plan, PlanStage(WHOLE, unit.steps), known), stretched(plan, position)
        if task is None or whole.bytes <= task:
            raise Undriven("it is too little")
        inner = dict(known) | {buffer: known[name] for name, buffer in repetition.names if name in known}
        inner |= dict(numerics_of(repetition.plan, inner))
        light, steps = frozenset(light_binds(repetition.plan)), repetition.plan.steps
        chosen = tuple(p for p, one in enumerate(steps) if p not in light and not isinstance(one, LIGHT))
        stage = PlanStage(CHAIN, chosen, step.iterators, until=len(steps), within=(*within, ~position))
        cut = self._with_the_state(repetition.plan, stage, inner, task)
        if cut.tasks == 1 or cut.bytes >= whole.bytes:
            raise Undriven("its stretches hold as much as the whole")
        opening = opening_of(plan, position + 1, (name for name, _ in repetition.names))
        return Driven(whole.stage, repetition, opening, (), (cut,), inner, True)

    def _with_the_state(self, plan: Plan, stage: PlanStage, known: Values, task: int) -> Cut:
        """Stretches of the steps of a repetition, each with all of the state, or with a stretch of it."""
        alone = grids.Sharing(math.inf, 1)
        cut = grids.cut(plan, stage, self.strict, known, task, alone)
        try:
            apart = grids.cut(plan, replace(stage, kind=SCATTERED), self.strict, known, task, alone)
        except Undriven:
            return cut
        return min((cut, apart), key=lambda one: (max(task, one.bytes), one.moved))


def _without_copies(plan: Plan, parts: list[Part]) -> tuple[Part, ...]:
    """Stages without those that copy what a repetition begins with: it leaves other buffers after its first turn."""
    found = list(parts)
    for driven in (one for one in parts if isinstance(one, Driven) and one.repetition.test is None and one.turns):
        states = {now.name for now, _ in driven.repetition.states}
        begins = dict[str, str]()
        for one in (one for one in parts[: parts.index(driven)] if isinstance(one, Cut) and one.stage.kind == MAP):
            both = copied(plan.steps[one.stage.lead]) if len(one.stage.steps) == 1 else None
            if both is not None and both[1].name in states and not _is_touched(both, parts, one, driven):
                begins[both[1].name] = both[0].name
                found.remove(one)
        if begins:
            found[found.index(driven)] = replace(driven, begins=begins)
    return tuple(found)


def _is_touched(copy: tuple[Buffer, Buffer], parts: list[Part], since: Part, until: Part) -> bool:
    """Whether stages between two change what is copied, or use the copy."""
    names = {one.name for one in copy}
    between_them = parts[parts.index(since) + 1 : parts.index(until)]
    goal = copy[1].name
    return any(goal in read_by(one) or names & {b.name for b in written_by(one)} for one in between_them)


def _effort(driven: Driven) -> float:
    """About how many numbers are computed in the time that all turns take; the halo of each is wider than the next."""
    cuts = ((times, one) for times, cuts in driven.portions for one in all_cuts(cuts))
    return sum(times * (one.work / AT_ONCE + one.moved) for times, one in cuts)


def _points(plan: Plan, known: Values) -> int:
    """How many elements the nests of a plan compute."""
    nests = (one for one in plan.steps if isinstance(one, Nest))
    return sum(math.prod(lengths_at(one.extents, known)) for one in nests)


def _stages(units: Units, known: Values, together: bool) -> list[PlanStage]:
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
        piece = piece_of(units.plan, PlanStage(unit.kind, steps, (axis,)))
        ((_, _, extent),) = piece.axes
        length = length_at(extent, known)
        half = max(1, length // 2)
        halves = [(1, half), (half + 1, length)] if length > 1 else [(1, length)]
        unpacked = [both[0] for p in steps if (both := copied(units.plan.steps[p])) is not None]
        whole, *parts = (piece.values({axis: one}, known) for one in ((1, length), *halves))
        amounts: list[Callable[[Values], float]] = [partial(computed, piece)]
        amounts += [partial(_elements_of, piece, one) for one in unpacked]
        if all(sum(map(amount, parts)) <= DUPLICATED * amount(whole) for amount in amounts):
            found.append(axis)
    return tuple(found)


def _elements_of(piece: StagePiece, buffer: Buffer, values: Values) -> int:
    """How many elements of a buffer a piece reads."""
    return math.prod(lengths_of(piece.region(buffer, values)))
