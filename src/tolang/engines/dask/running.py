"""Runs a placed program, stage after stage: blocks in, compiled code, blocks out.

Who performs the tasks of a stage is left open: this process, one after the other, or the workers of a cluster.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby, zip_longest
from typing import Any, Protocol

import numpy as np

from tolang.engines.contract import Executable, Failed, Fault, PlanSection, unreported
from tolang.engines.dask.grids import Cut
from tolang.engines.dask.multipass import Waves
from tolang.engines.dask.multipass_pieces import Ungrouped, run_in_waves
from tolang.engines.dask.parts import Driven, Part, PlacedProgram, all_cuts, read_by, written_by
from tolang.engines.dask.pieces import JOINED, StagePiece
from tolang.engines.dask.placement import AGAIN, numerics_of
from tolang.engines.dask.requests import (
    LITTLE,
    LITTLE_TO_READ,
    Boxes,
    Compiler,
    Goal,
    InMemory,
    Performed,
    Performer,
    RegionSource,
    Report,
    Request,
    Rooms,
    is_kept,
    is_reachable,
    written_to,
)
from tolang.engines.dask.stages import FOLD, copied
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.system.memory import return_memory
from tolang.ground.values.casting import Array
from tolang.ground.values.functions import identity_in
from tolang.ground.values.spaces import dtype_of, strong
from tolang.ground.values.values import ToL
from tolang.plan.nest import BELOW_ZERO, Allocate, Buffer, Free, Plan
from tolang.plan.regions import Interval, Region, lengths_at, lengths_of, reads_of


class Task:
    """What performs the pieces of one stage in this process; compiled when the first of them is performed."""

    def __init__(self, piece: StagePiece, compiler: Compiler) -> None:
        self.piece, self.compiler = piece, compiler
        self._code: Executable | None = None
        steps = [one for one in piece.plan.steps if not isinstance(one, Allocate | Free)]
        self._copied = copied(steps[0]) if len(steps) == 1 and len(piece.writes) == 1 else None

    def again(self, request: Request) -> int:
        """How many bytes that a piece gives back it had best take again, for what it makes next."""
        regions = [(one, self.piece.region(one, request.values)) for one in self.piece.inner]
        return max((math.prod(lengths_of(r)) * dtype_of(b.column.storage).itemsize for b, r in regions), default=0)

    def perform(self, request: Request) -> list[Array]:
        """What a piece gives of the blocks it reads: blocks that have no goal, numerics, or a fold's next state."""
        blocks = {name: source.read(region) for name, (source, region) in request.reads.items()}
        if request.unit:
            return self._leaves(request, blocks)
        if self._copied is not None and request.goals:
            found, rest = [blocks[self._copied[0].name]], list[Array]()
        else:
            found, rest = self._run(request, blocks), list[Array]()
        names = [buffer.name for buffer in self.piece.writes]
        for name, block in zip_longest(names[: len(found)], found):
            if name in request.goals:
                goal, region = request.goals[name]
                goal.write(region, block)
            else:
                rest.append(block)
        return rest

    def _leaves(self, request: Request, blocks: Mapping[str, Array]) -> list[Array]:
        """What each stretch of a piece of a fold gives by itself."""
        piece = self.piece
        ((axis, stretch, _),) = piece.axes
        (state,) = piece.states
        kind = dtype_of(state.column.storage)
        nothing = np.array(identity_in(piece.combine, state.column.storage), kind)
        first, end = request.values[stretch.origin], request.values[stretch.origin] + request.values[stretch.count]
        found = []
        for low in range(first, end, request.unit):
            values = piece.values({axis: (low + 1, min(low + request.unit, end))}, request.values)
            parts = {}
            for buffer in piece.reads:
                whole, part = (piece.region(buffer, one) for one in (request.values, values))
                inside = [slice(a - b, c - b + 1) for (a, c), (b, _) in zip(part, whole, strict=True)]
                parts[buffer.name] = blocks[buffer.name][tuple(inside)]
            found += self._run(replace(request, values=values, state=(nothing,)), parts)
        return [np.array(found, kind)]

    def _run(self, request: Request, blocks: Mapping[str, Array]) -> list[Array]:
        plan, given = self.piece.plan, dict(blocks)
        given |= {f"{name} value": one for name, one in request.numerics.items()}
        given |= {one.name: part for one, part in zip(self.piece.states, request.state, strict=False)}
        sizes = {name: request.values[name] for name in plan.sizes}
        inputs = {one.name: _value(one, given.pop(one.name), sizes) for one in plan.inputs if one.name in given}
        if self._code is None:
            self._code = self.compiler(PlanSection(plan, self.piece.whole), sizes)
        return [one.columns[0] for one in self._code.run(inputs, sizes, request.seed)]


def _value(buffer: Buffer, array: Any, sizes: Mapping[str, int]) -> ToL:
    """A block as compiled code takes it, which trusts its shape and type."""
    block = np.asarray(array)
    assert block.shape == lengths_at(buffer.shape, sizes), buffer.name
    assert block.dtype == dtype_of(buffer.column.storage), buffer.name
    return ToL([block], [strong(buffer.column)])


class Here:
    """Performs tasks in this process, one after the other."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self._tasks: dict[int, Task] = {}

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        task = self._tasks.setdefault(id(cut.piece), Task(cut.piece, self.compiler))
        for request in requests:
            yield request, task.perform(request)
            return_memory(AGAIN)

    def submit(self, cut: Cut, request: Request, number: int) -> Any:
        raise AssertionError("what is computed here is not kept elsewhere")

    def settle(self) -> None:
        """All that was asked for is done."""

    def stop(self) -> None:
        """Nothing is left to be done."""


class GroupRunner(Protocol):
    """Workers that go through repetitions by themselves."""

    def drive(self, running: Running, driven: Driven, known: Mapping[str, int]) -> bool:
        """Whether they have been through one, so that its state is what that leaves."""


@dataclass(slots=True)
class Running:
    """A placed program while it runs: arrays by the names of buffers, numerics by their own.

    What is not placed yet, for lengths of it were not known, is `placed_again` once they are; there are goals for
    results when all is placed.  Where tasks are performed `apart`, a fold is computed for its stretches side by side,
    as far as it may be.  Arrays that are `lasting` are still there when all is done.
    """

    placed: PlacedProgram
    placed_again: Callable[[PlacedProgram, Mapping[str, int]], PlacedProgram]
    compiler: Compiler
    performer: Performer
    rooms: Rooms
    arrays: dict[str, RegionSource]
    goals_for: Callable[[PlacedProgram], Mapping[str, Goal]]
    seed: int
    report: Report = unreported
    apart: bool = False
    lasting: frozenset[str] = frozenset()
    goals: Mapping[str, Goal] = field(default_factory=dict)
    numerics: dict[str, Array] = field(default_factory=dict)
    gang: GroupRunner | None = None
    done: int = 0
    _before: int = 0
    _direct: dict[str, Goal] = field(default_factory=dict)
    _here: Here = field(init=False)

    def __post_init__(self) -> None:
        self._here = Here(self.compiler)

    def run(self) -> None:
        """Computes every stage in turn; results are in the goals then."""
        outputs = self.placed.plan.output_names
        lasting = outputs | self.lasting | self.arrays.keys()
        try:
            self.tell(0)
            while not self.placed.is_all:
                later = (access for one in self.placed.plan.steps[self.placed.until :] for access in reads_of(one))
                try:
                    self._stages(self.placed.cuts, self.placed.known, lasting | {one.buffer.name for one in later})
                except Ungrouped as many:
                    before = replace(self.placed, cuts=(), until=many.position, grouped=False)
                    self.placed, self._before = self.placed_again(before, self._known()), self.done
                    continue
                self._refuse_below_zero()
                self.placed, self._before = self.placed_again(self.placed, self._told()), self.done
            self.goals = self.goals_for(self.placed)
            self._direct = self._goals_at_once()
            self._stages(self.placed.cuts, self.placed.known, lasting)
            self._refuse_below_zero()
            for name, goal in self.goals.items():
                found: Any = self.arrays[name]
                if found is goal or (is_reachable(goal) and goal.exchange(found)):
                    continue
                for region in found.regions():
                    goal.write(region, found.read(region))
            self.performer.settle()
        finally:
            self.performer.stop()

    def _refuse_below_zero(self) -> None:
        """Raises the error of buffers with a length below zero: pieces allocate parts of buffers, and no such part."""
        known = self.placed.known
        for step in self.placed.plan.steps[: self.placed.until]:
            if isinstance(step, Allocate):
                for length in step.buffer.shape:
                    if length.names() <= known.keys() and length.evaluate(known) < 0:
                        span = step.buffer.span
                        raise Failed(Fault(BELOW_ZERO.code, BELOW_ZERO.about, span if isinstance(span, Span) else None))

    def _told(self) -> dict[str, int]:
        """What is known once lengths are that only running tells."""
        opening = self.placed.opening
        assert opening is not None
        self.numerics |= self._opened(opening, self.placed.known)
        return self._known()

    def _known(self) -> dict[str, int]:
        """What is known by now, whole numerics among it."""
        found = self.numerics
        whole = {name: math.floor(one) for name, one in found.items() if one.dtype.kind in "biuf" and np.isfinite(one)}
        return {**self.placed.known, **whole}

    def _goals_at_once(self) -> dict[str, Goal]:
        """The goals of results that one stage writes, so that they go there from the start."""
        cuts = self.placed.cuts
        writers = Counter(one.name for cut in cuts for one in written_by(cut))
        read = set[str]().union(*(read_by(cut) for cut in cuts))
        driven = {one.name for cut in cuts if isinstance(cut, Driven) for one in written_by(cut)}
        return {n: goal for n, goal in self.goals.items() if writers[n] == 1 and n not in driven | read}

    def _stages(
        self,
        cuts: Sequence[Part],
        known: Mapping[str, int],
        lasting: Container[str],
        boxes: Boxes | None = None,
    ) -> None:
        """Computes stages in turn, or some boxes of one; what no later one reads is given up, unless it is to last."""
        last = {name: place for place, cut in enumerate(cuts) for name in read_by(cut)}
        for place, cut in enumerate(cuts):
            if isinstance(cut, Driven):
                self._drive(cut, known)
            elif isinstance(cut, Waves):
                run_in_waves(self, cut, known)
            else:
                self._stage(cut, known, cut.boxes() if boxes is None else boxes)
            for name in {*read_by(cut), *(one.name for one in written_by(cut))}:
                if name in self.arrays and name not in lasting and last.get(name, -1) <= place:
                    self.rooms.free(self.arrays.pop(name))

    def _stage(self, cut: Cut, known: Mapping[str, int], boxes: Boxes) -> None:
        if cut.stage.kind != FOLD and self._performer(cut) is self._here:
            self._at_once(cut, known, boxes)
            return
        for one in cut.piece.writes:
            self.make_room(one, known)
        if cut.stage.kind == FOLD:
            self._fold(cut, known)
            return
        self.spread_out(cut, (self.request(cut, box, known) for box in boxes))

    def _at_once(self, cut: Cut, known: Mapping[str, int], boxes: Boxes) -> None:
        """A stage of one task, which is computed here: what it gives is all of what it writes."""
        requests = [self.request(cut, box, known) for box in boxes]
        for request, found in self._here.perform(cut, requests, False):
            for buffer, block in zip(cut.piece.writes, found, strict=False):
                self._keep_here(cut, request, buffer, known, block)
            self.numerics |= dict(zip(cut.piece.gives, found[len(cut.piece.writes) :], strict=False))
            self.tell()

    def _keep_here(
        self, cut: Cut, request: Request, buffer: Buffer, known: Mapping[str, int], block: Array
    ) -> None:  # fmt: skip
        region, lengths = cut.piece.region(buffer, request.values), list(lengths_at(buffer.shape, known))
        if region == tuple((1, length) for length in lengths):
            self.hold(buffer, known, block)
        else:
            self.make_room(buffer, known)
            self.write(buffer.name, region, block)

    def make_room(self, buffer: Buffer, known: Mapping[str, int]) -> None:
        """Has an array for all of a buffer: where it is to be in the end, if it can be written there at once."""
        self.arrays[buffer.name] = self._direct.get(buffer.name) or self.rooms.room_for(buffer, known)

    def hold(self, buffer: Buffer, known: Mapping[str, int], block: Array) -> None:
        """Has an array for all of a buffer, which was computed here."""
        direct = self._direct.get(buffer.name)
        self.arrays[buffer.name] = (
            self.rooms.holding(buffer, known, block) if direct is None else written_to(direct, block)
        )

    def write(self, name: str, region: Region, block: Array) -> None:
        """Writes a block of an array that is here."""
        goal: Any = self.arrays[name]
        goal.write(region, block)

    def spread_out(self, cut: Cut, requests: Iterable[Request], fetched: bool = False) -> list[list[Array]]:
        """Has tasks performed whose blocks go where they belong; all that they give beside, where it is `fetched`."""
        kept = [goal for one in cut.piece.writes if is_kept(goal := self.arrays[one.name])]
        if kept and not cut.piece.gives and not fetched and len(kept) == len(cut.piece.writes):
            for number, request in enumerate(requests):
                task = self.performer.submit(cut, request, number)
                for position, (buffer, goal) in enumerate(zip(cut.piece.writes, kept, strict=True)):
                    goal.put(cut.piece.region(buffer, request.values), task, position)
                self.tell()
            return []
        aimed = (self._with_goals(cut, request) for request in requests)
        with closing(self._performer(cut).perform(cut, aimed, False)) as performed:
            given = []
            for request, found in performed:
                self._keep(cut, request, found)
                given += [found] if fetched else []
                self.tell()
        return given

    def _performer(self, cut: Cut) -> Performer:
        """Who performs a stage: what is next to nothing, and is here, is computed here."""
        little = cut.tasks == 1 and cut.work <= LITTLE and cut.bytes <= LITTLE_TO_READ
        arrays = (self.arrays[one.name] for one in cut.piece.reads)
        here = all(isinstance(one, InMemory) or is_reachable(one) for one in arrays)
        return self._here if little and here else self.performer

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        """What tasks of a stage give."""
        return self._performer(cut).perform(cut, requests, in_order)

    def request(
        self, cut: Cut, box: Mapping[str, Interval], known: Mapping[str, int], state: Sequence[Array] = ()
    ) -> Request:
        values = cut.piece.values(box, known)
        reads = {b.name: (self.arrays[b.name], cut.piece.region(b, values)) for b in cut.piece.reads}
        return Request(values, reads, self._numerics(cut.piece), self.seed, tuple(state))

    def _with_goals(self, cut: Cut, request: Request) -> Request:
        """A task with where its blocks go, as far as that is no matter of who keeps them."""
        goals: dict[str, tuple[Goal, Region]] = {}
        for buffer in cut.piece.writes:
            goal: Any = self.arrays[buffer.name]
            if not is_kept(goal):
                goals[buffer.name] = goal, cut.piece.region(buffer, request.values)
        return replace(request, goals=goals)

    # Repetitions

    def _drive(self, driven: Driven, known: Mapping[str, int]) -> None:
        """A repetition: turn after turn, each from what the one before it left, as long as it goes on.

        A turn knows what is `known` around it, coordinates of turns around it among that, and its own; what it was
        planned with has the coordinates of one turn for all.
        """
        repetition, before = driven.repetition, dict(self.arrays)
        self.numerics |= self._opened(driven.opening, known)
        held = {one.name: one for one in repetition.plan.inputs}
        states = {now.name for now, _ in repetition.states}
        for name in (read_by(driven) & held.keys()) - states:
            self.arrays[name] = self.rooms.lasting(self.arrays[name], held[name], known)
        if not driven.among_workers or self.gang is None or not self.gang.drive(self, driven, known):
            self.turn_by_turn(driven, known)
        self.arrays = before | {name: self.arrays[name] for name in states}

    def turn_by_turn(self, driven: Driven, known: Mapping[str, int]) -> None:
        """The turns of a repetition, whose numerics of outside are found."""
        repetition, before = driven.repetition, dict(self.arrays)
        after = {one.name for _, one in repetition.states} | {name for _, name in repetition.left}
        self.arrays |= {name: self.arrays[source] for name, source in driven.begins.items()}
        lasting = after | self.arrays.keys()
        for coordinates, cuts, boxes in self._turns(driven):
            here = {**self._given(repetition.names, known), **coordinates}
            here |= numerics_of(repetition.plan, here)
            if repetition.test is not None and not self._asked(repetition.test, here):
                if repetition.is_final:
                    break
                continue
            self._stages(cuts, here, lasting | {name for _, name in repetition.names}, boxes)
            for now, then in repetition.states:
                old, self.arrays[now.name] = self.arrays[now.name], self.arrays.pop(then.name)
                if not any(one is old for one in before.values()):
                    self.rooms.free(old)
            self.numerics |= {name: self.arrays.pop(buffer).read(()) for name, buffer in repetition.left}

    def begun(self, opening: StagePiece, names: Sequence[tuple[str, str]], known: Mapping[str, int]) -> dict[str, int]:
        """Finds numerics of outside, and gives them to plans that have them as inputs; the sizes that these have."""
        self.numerics |= self._opened(opening, known)
        return self._given(names, known)

    def _given(self, names: Sequence[tuple[str, str]], known: Mapping[str, int]) -> dict[str, int]:
        """Gives a turn the numerics of outside that it uses; the sizes that it has then."""
        given = {buffer: InMemory(self.numerics[name]) for name, buffer in names}
        self.arrays |= given
        values = {b: int(one.array) for b, one in given.items() if one.array.dtype.kind in "biu"}
        named = {name: values[buffer] for name, buffer in names if buffer in values}
        return {**known, **values, **named}

    def _turns(self, driven: Driven) -> Iterator[tuple[dict[str, int], tuple[Part, ...], Boxes | None]]:
        """The coordinates of turns, all boxes in each; or those of one stretch of steps after the other."""
        if driven.leaping:  # turns that are alike: they may all have the coordinates of the first
            first = next(driven.coordinates())
            for times, cuts in driven.portions:
                yield from ((first, cuts, None) for _ in range(times))
        elif not driven.in_stretches:
            yield from ((coordinates, driven.cuts, None) for coordinates in driven.coordinates())
        else:
            (cut,) = all_cuts(driven.cuts)
            steps = cut.piece.axes[0][0]
            yield from (({}, driven.cuts, list(boxes)) for _, boxes in groupby(cut.boxes(), lambda box: box[steps]))

    def _asked(self, test: Plan, known: Mapping[str, int]) -> bool:
        (found,) = self.computed(test, {one.name: self.arrays[one.name].read(()) for one in test.inputs}, known)
        return bool(found)

    def _opened(self, opening: StagePiece, known: Mapping[str, int]) -> dict[str, Array]:
        """Numerics that each piece else finds for itself; what is demanded is asked for."""
        values = opening.values({}, known)
        given = {one.name: self.arrays[one.name].read(opening.region(one, values)) for one in opening.reads}
        given |= {f"{name} value": one for name, one in self._numerics(opening).items()}
        return dict(zip(opening.gives, self.computed(opening.plan, given, values), strict=True))

    def computed(self, plan: Plan, given: Mapping[str, Array], known: Mapping[str, int]) -> list[Array]:
        """What a small plan gives here."""
        sizes = {name: known.get(name, 0) for name in plan.sizes}
        inputs = {one.name: _value(one, given[one.name], sizes) for one in plan.inputs if one.name in given}
        return [one.columns[0] for one in self.compiler(PlanSection(plan, {}), sizes).run(inputs, sizes, self.seed)]

    # Folds

    def _fold(self, cut: Cut, known: Mapping[str, int]) -> None:
        """A fold: each piece from the state that the one before it gives, or stretches apart, then joined."""
        state = self._start(cut, known)
        if self.apart and cut.piece.join is not None and cut.tasks > 1 and not self.placed.strict:
            state = self._joined(cut, known, state)
        else:
            state = self._chained(cut, known, state)
        self.numerics |= {name: one for name, one in zip(cut.piece.gives, state, strict=True) if name}

    def _joined(self, cut: Cut, known: Mapping[str, int], state: list[Array]) -> list[Array]:
        requests = (replace(self.request(cut, box, known), unit=cut.units[0]) for box in cut.boxes())
        (_, stretch, _), plan = cut.piece.axes[0], cut.piece.join
        assert plan is not None
        found: dict[int, Array] = {}
        with closing(self.performer.perform(cut, requests, False)) as performed:
            for request, (leaves,) in performed:
                found[request.values[stretch.origin]] = leaves
                self.tell()
        leaves = np.concatenate([found[origin] for origin in sorted(found)])
        given = {b.name: one for b, one in zip(plan.inputs, (leaves, *state), strict=True)}
        return self.computed(plan, given, {JOINED.count: len(leaves)})

    def _chained(self, cut: Cut, known: Mapping[str, int], state: list[Array]) -> list[Array]:

        def requests() -> Iterator[Request]:
            for box in cut.boxes():
                yield self.request(cut, box, known, state)

        with closing(self._performer(cut).perform(cut, requests(), True)) as performed:
            for _, found in performed:
                state = found
                self.tell()
        return state

    def _start(self, cut: Cut, known: Mapping[str, int]) -> list[Array]:
        """The state of a fold before its first element."""
        assert cut.piece.start is not None
        return list(self._opened(cut.piece.start, known).values())

    def _numerics(self, piece: StagePiece) -> dict[str, Array]:
        return {name: self.numerics[name] for name in piece.takes}

    def _keep(self, cut: Cut, request: Request, found: list[Array]) -> None:
        """Puts what a piece gives where it belongs: blocks first, as far as they are not there, then numerics."""
        piece = cut.piece
        writes = [buffer for buffer in piece.writes if buffer.name not in request.goals]
        for buffer, block in zip(writes, found, strict=False):
            goal: Any = self.arrays[buffer.name]
            goal.write(piece.region(buffer, request.values), block)
        self.numerics |= dict(zip(piece.gives, found[len(writes) :], strict=False))  # states are given beside them

    def tell(self, done: int = 1) -> None:
        """Another task is done; how many there are is known as far as lengths are."""
        self.done += done
        self.report(self.done, max(self.done, self._before + sum(cut.tasks for cut in self.placed.cuts)))
