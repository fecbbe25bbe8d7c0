"""Programs in pieces: on data larger than memory, planned before anything runs, with the bits of an ordinary run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from tolang.core.core import Core, Output
from tolang.core.text_codes import is_text
from tolang.data.binding import (
    interface,
    tolang_names,
    whole_seed,
    whole_size,
)
from tolang.data.blocks import WrittenArray
from tolang.data.datasets import WrittenTable
from tolang.data.files import replace_file, replace_folder
from tolang.data.results import returned
from tolang.data.zarr_arrays import WrittenZarr
from tolang.engines import registry
from tolang.engines.contract import Engine, Executable, Failed, Owner, PlanSection, unreported
from tolang.engines.dask.bitwise_equivalence import same_bits
from tolang.engines.dask.budgets import ENGINE, MB, Room, fits, least_budget, rounded_up, too_little
from tolang.engines.dask.choices import both_sides
from tolang.engines.dask.description import told
from tolang.engines.dask.parts import PlacedProgram, compared
from tolang.engines.dask.placement import (
    AGAIN,
    Manner,
    Uncut,
    place,
    unknown_lengths,
)
from tolang.engines.dask.requests import (
    Compiler,
    Goal,
    InMemory,
    Performer,
    RegionSource,
    Report,
    Rooms,
    array_for,
)
from tolang.engines.dask.running import GroupRunner, Here, Running
from tolang.engines.dask.stages import lengths_told
from tolang.engines.dask.storage import BufferPool, Files, written
from tolang.engines.dask.work import ProgramWork, on_coded, work_of
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangError, ToLangRunError, usage
from tolang.ground.reporting.progress import Progress, telling
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.memory import bytes_text, resident_memory
from tolang.ground.values.spaces import dtype_of, strong
from tolang.ground.values.values import ToL
from tolang.lower.steps import lower
from tolang.plan.nest import Buffer, Plan, Unsupported
from tolang.plan.regions import lengths_at
from tolang.schedule.planning import ALL_THERE_IS

COMPILED = 64
"""How many plans that were computed here are kept compiled, for runs with the same plans."""
ROUNDED = "its folds would be rounded otherwise in pieces"
MANNERS = (Manner(), Manner(False), Manner(driven=False), Manner(False, False), Manner(False, False, ROUNDED))
"""The ways to cut a program, the best first: the last is not to cut it."""
AHEAD = 4
"""How many lengths that only running tells a peak is announced beyond."""


@dataclass(frozen=True, slots=True, eq=False)
class Planning:
    """How a program is cut and compiled, and what there is to run in; `packed` inputs are unpacked once if they fit.

    The `engine` computes pieces.
    """

    strict: bool
    room: Room
    packed: frozenset[str] = frozenset()
    grouped: bool = True
    engine: Engine = field(default_factory=registry.engine)

    def placed(self, core: Core, known: Mapping[str, int], since: int = 0) -> PlacedProgram:
        """The stages of a program, cut; refused where it does not fit, or cannot be cut so that it gives the same.

        They are those of steps from a position on, as far as their lengths are known.
        """
        try:
            lowered = lower(core)
            known = dict(known) | self._computed_lengths(lowered, known)
            found, manner = self._placed(lowered, known, since)
            if fits(found, self.room.memory):
                return found if since else self._announced(lowered, found, manner)
            least, cut = least_budget(partial(self._within, lowered, known, since), self.room, found)
        except (Unsupported, Uncut) as reason:
            raise usage("E618", f"the program cannot run in pieces: {reason}") from None
        raise too_little(self.room, least, cut, found, self.room.held >= MB and may_be_file(core))

    def _within(self, lowered: Plan, known: Mapping[str, int], since: int, memory: int) -> PlacedProgram | None:
        """The stages of a program within another budget; None where it cannot be cut for it."""
        try:
            return replace(self, room=replace(self.room, memory=memory))._placed(lowered, known, since)[0]
        except Uncut:
            return None

    def _placed(self, lowered: Plan, known: Mapping[str, int], since: int) -> tuple[PlacedProgram, Manner]:
        """The first of several ways to cut a program that gives the same as the whole."""
        expected = self._planned(lowered, ALL_THERE_IS)
        for manner in (replace(one, grouped=self.grouped) for one in MANNERS):
            found = replace(self._in_manner(lowered, known, manner, since), grouped=self.grouped)
            pieces = (self._planned(piece.plan, piece.whole) for piece in compared(found.cuts))
            is_all = since == 0 and found.is_all
            if (manner.whole and is_all) or self.strict or same_bits(expected, pieces, not is_all):
                break
        else:
            raise Uncut(f"{ROUNDED}, and it tells lengths only while it runs")
        return found, manner

    def _announced(self, lowered: Plan, found: PlacedProgram, manner: Manner) -> PlacedProgram:
        """A program whose peak is also that of what follows lengths and choices which running tells, as far as it fits.

        Of a choice that is either side; lengths are taken to be those of the longest input.
        """
        manner = replace(manner, packed=found.packed, grouped=False)
        # there may be more groups than pieces should have
        first = place(lowered, self.strict, found.known, self.room, manner) if found.groups_told else found
        most = max(found.peak, self._most(lowered, first, manner, AHEAD))
        return replace(found, peak=most if self.room.memory is None else max(found.peak, min(most, self.room.memory)))

    def _most(self, lowered: Plan, placed: PlacedProgram, manner: Manner, ahead: int) -> int:
        """The peak of steps that are placed, and of those behind them, up to so many lengths later."""
        most = placed.peak
        if placed.is_all or not ahead:
            return most
        longest = max((placed.known[name] for name in placed.plan.sizes), default=0)
        lengths = dict.fromkeys(lengths_told(placed.plan, placed.until) - placed.known.keys(), longest)
        sides = list(both_sides(placed.plan, placed.until, placed.known)) or [{**placed.known, **lengths}]
        for known in sides:
            with suppress(Uncut):
                behind = place(lowered, self.strict, known, self.room, manner, placed.until)
                most = max(most, self._most(lowered, behind, manner, ahead - 1))
        return most

    def _in_manner(self, lowered: Plan, known: Mapping[str, int], manner: Manner, since: int) -> PlacedProgram:
        """The stages of a program, with packed inputs unpacked once if there is room; later ones as those before."""
        if self.packed:
            once = replace(manner, packed=self.packed)
            found = place(lowered, self.strict, known, self.room, once, since)
            if since or self.room.memory is None or found.peak <= self.room.memory:
                return replace(found, packed=self.packed)
        return place(lowered, self.strict, known, self.room, manner, since)

    def _computed_lengths(self, lowered: Plan, known: Mapping[str, int]) -> dict[str, int]:
        """Lengths of repetitions that are computed, of sizes and of whole numbers that are known."""
        opening = unknown_lengths(lowered, known)
        if opening is None:
            return {}
        sizes = {name: known.get(name, 0) for name in opening.plan.sizes}
        inputs = {
            one.name: ToL([np.array(known[one.name], dtype_of(one.column.storage))], [strong(one.column)])
            for one in opening.reads
        }
        try:
            found = self.compiler(PlanSection(opening.plan, {}), sizes).run(inputs, sizes, 0)
        except Failed:
            return {}  # running the program tells it
        values = [(name, one.columns[0][()]) for name, one in zip(opening.gives, found, strict=True)]
        return {name: math.floor(one) for name, one in values if math.isfinite(one)}  # as lengths are

    def _planned(self, lowered: Plan, whole: Mapping[str, Size]) -> Plan:
        return self.engine.planned(lowered, self.strict, whole)

    def compiler(self, part: PlanSection, sizes: Mapping[str, int]) -> Executable:
        """Compiled code for a part of a program."""
        return self.engine.compile(part, self.strict, sizes=sizes)


@dataclass(slots=True)
class Compiled:
    """Compiles plans, each once however often a program runs, as long as there are not too many."""

    compiler: Compiler
    codes: dict[int, tuple[Plan, Executable]] = field(default_factory=dict)

    def __call__(self, part: PlanSection, sizes: Mapping[str, int]) -> Executable:
        if id(part.plan) not in self.codes:
            if len(self.codes) >= COMPILED:
                self.codes.clear()
            self.codes[id(part.plan)] = part.plan, self.compiler(part, sizes)
        return self.codes[id(part.plan)][1]


@dataclass(slots=True)
class _Earlier:
    """What planning, compiling and panels `left` in this process in earlier runs: `ENGINE` has room for it already."""

    left: int = 0

    def baseline(self) -> int:
        """What the process holds beside that."""
        return max(0, resident_memory() - self.left)

    @contextmanager
    def noted(self) -> Iterator[list[int]]:
        """Sees what is left afterwards; what is listed meanwhile are bytes of results, which are not."""
        before, results = self.baseline(), list[int]()
        try:
            yield results
        finally:
            self.left = min(ENGINE, max(0, resident_memory() - before - sum(results)))


_EARLIER = _Earlier()
Goals = Callable[[PlacedProgram], Mapping[str, Goal]]
"""What makes room for the results of a program, once all of it is placed."""


class Piecewise:
    """A program that runs within so many bytes of memory, its data and results in files where they are too large."""

    apart = False
    """Whether tasks are performed side by side."""

    def __init__(
        self, program: Owner, memory: int | None, into: Path | None = None, progress: Progress = False
    ) -> None:
        if not callable(progress) and progress not in (False, True):
            expected = "True, False, or a function of how many pieces are done and of how many"
            raise usage("E603", "progress is nothing that can be told", found=repr(progress), expected=expected)
        self.program, self.memory, self.into, self.workers = program, memory, into, 0
        self.progress = progress
        self.engine = program.runner.engine
        self.compiler: Compiler = Compiled(Planning(program.strict, Room(None), engine=self.engine).compiler)
        self.shelf = BufferPool(0)

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        work = self.work(arguments, tolang_names(named))
        with telling(self.progress) as report:
            found = self.run(work, seed, report)
        return found if self.into is not None else returned(work.outputs, work.decoded(found))

    def __repr__(self) -> str:
        within = "" if self.memory is None else f" within {bytes_text(self.memory)}"
        return f"<tolang.{type(self).__name__} {self.program!r}{within}>"

    def work(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> ProgramWork:
        """The program with its data, by position and by the program's own names."""
        return work_of(self.program, arguments, named, self.apart)

    def explain(self, *arguments: Any, **named: Any) -> str:
        """How the program would be cut on these data, what that moves and holds; nothing runs."""
        placed = self.placed(self.work(arguments, tolang_names(named)))
        return told(placed, self.memory, self.workers)

    def run(
        self, work: ProgramWork, seed: int = 0, report: Report = unreported, placed: PlacedProgram | None = None
    ) -> Any:
        """The values of the outputs; the one that is written to a file as an array mapped from there."""
        placed, number = placed or self.placed(work), whole_seed(seed, self.program.declared_inputs)
        if self.into is None:
            with _EARLIER.noted() as results:
                found = self._in_memory(work, placed, number, report)
                results += [array.nbytes for one in found for array in one.columns]
            return found
        with _EARLIER.noted():
            return self._written_to(self.into, work, placed, number, report)

    def _written_to(self, into: Path, work: ProgramWork, placed: PlacedProgram, number: int, report: Report) -> Any:
        """The file or folder that the result is in then, a file as an array mapped from there."""
        match into.suffix:
            case ".zarr" | ".parquet":
                replace_folder(into, lambda folder: self._into_folder(folder, work, placed, number, report))
                return into
        replace_file(into, lambda file: self._into(file, work, placed, number, report))
        return np.load(into, mmap_mode="r")

    def placed(self, work: ProgramWork) -> PlacedProgram:
        """The stages of a program on its data; refused where it does not fit."""
        self.refuse_outputs(work)
        with _EARLIER.noted():
            planning = Planning(self.program.strict, self._room(work, work.sizes), engine=self.engine)
            return planning.placed(work.core, work.known)

    def placed_again(self, work: ProgramWork, placed: PlacedProgram, known: Mapping[str, int]) -> PlacedProgram:
        """The stages of later steps, whose lengths are known by now; what compiling took is part of the room for it."""
        room = replace(self._room(work, known), baseline=placed.baseline)
        planning = Planning(self.program.strict, room, grouped=placed.grouped, engine=self.engine)
        return planning.placed(work.core, known, placed.until)

    def _room(self, work: ProgramWork, known: Mapping[str, int]) -> Room:
        results = 0 if self.into is not None else _bytes_of_results(work, known)
        return Room(self.memory, rounded_up(_EARLIER.baseline()), held=results, unpacking=work.unpacking)

    def refuse_outputs(self, work: ProgramWork) -> None:
        """Raises the error of results that do not go into one file, or folder, where they are to."""
        if self.into is None:
            return
        if any(is_text(column) for one in work.asked for column in one.type.columns):
            raise usage("E618", "text that a program gives is not written piece by piece")
        kinds = [one.type for one in work.core.outputs]
        if self.into.suffix == ".parquet":
            if len(kinds) != 1 or kinds[0].rank != 1 or kinds[0].parts:
                raise usage("E607", "a table holds one vector", found=", ".join(self.program.outputs))
        elif len(kinds) != 1 or kinds[0].capacity != 1:
            kind = f"a {self.into.suffix} {'folder' if self.into.suffix == '.zarr' else 'file'}"
            raise usage("E607", f"{kind} holds one ToL of capacity 1", found=", ".join(self.program.outputs))

    def performer(self, work: ProgramWork, placed: PlacedProgram) -> Performer:
        """Who performs the tasks: this process."""
        return Here(self.compiler)

    def gang(self, work: ProgramWork, placed: PlacedProgram, performer: Performer, files: Files) -> GroupRunner | None:
        """Who goes through repetitions without this process."""
        return None

    def rooms(self, placed: PlacedProgram, performer: Performer, here: Files) -> Rooms:
        """Where values between stages are: in this process, or in its files."""
        return here

    def goal_for(self, placed: PlacedProgram, buffer: Buffer) -> InMemory | WrittenArray:
        """Room for a result that stays in memory."""
        return array_for(buffer, placed.known)

    def _in_memory(self, work: ProgramWork, placed: PlacedProgram, seed: int, report: Report) -> list[ToL]:
        outputs = placed.plan.output_buffers
        goals: dict[str, InMemory | WrittenArray] = {}

        def made(all_placed: PlacedProgram) -> Mapping[str, Goal]:
            for one in outputs:
                goal = goals[one.name] = self.goal_for(all_placed, one)
                if isinstance(goal, WrittenArray):
                    stack.callback(goal.close)
            return goals

        with ExitStack() as stack:
            self._run(work, placed, made, seed, report)
            arrays = {n: one.mapped() if isinstance(one, WrittenArray) else one.array for n, one in goals.items()}
        return [
            ToL([arrays[one.name] for one in buffers], [strong(one.column) for one in buffers])
            for buffers in placed.plan.outputs
        ]

    def _into(self, file: BinaryIO, work: ProgramWork, placed: PlacedProgram, seed: int, report: Report) -> None:
        ((buffer,),) = placed.plan.outputs
        made: list[WrittenArray] = []

        def goals(all_placed: PlacedProgram) -> Mapping[str, Goal]:
            made.append(written(file, buffer, all_placed.known))
            return {buffer.name: made[0]}

        self._run(work, placed, goals, seed, report)
        made[0].finish()

    def _into_folder(self, folder: Path, work: ProgramWork, placed: PlacedProgram, seed: int, report: Report) -> None:
        (buffers,), (output,) = placed.plan.outputs, work.core.outputs

        def goals(all_placed: PlacedProgram) -> Mapping[str, Goal]:
            if self.into is not None and self.into.suffix == ".parquet":
                table = WrittenTable(folder, output.name, [strong(one.column) for one in buffers])
                return {one.name: table.goal(k) for k, one in enumerate(buffers)}
            shape = list(lengths_at(buffers[0].shape, all_placed.known))
            return {buffers[0].name: WrittenZarr(folder, shape, dtype_of(buffers[0].column.storage))}

        self._run(work, placed, goals, seed, report)

    def _run(
        self, work: ProgramWork, placed: PlacedProgram, goals: Goals, seed: int, report: Report,
        lasting: frozenset[str] = frozenset(),
    ) -> Running:  # fmt: skip
        threads = 1 if self.apart else self.program.runner.threads  # workers have all others
        on_threads = nullcontext() if threads is None else self.engine.use_threads(threads)
        folder = None if self.into is None else self.into.resolve().parent
        with self.engine.keep_memory(AGAIN), on_threads, ExitStack() as stack:
            performer, files = self.performer(work, placed), Files(stack, folder, placed.near, self.shelf)
            rooms, sources = self.rooms(placed, performer, files), self.sources(work, performer, files)
            again = partial(self.placed_again, work)
            running = Running(
                placed, again, self.compiler, performer, rooms, sources, goals, seed, report, self.apart, lasting,
                gang=self.gang(work, placed, performer, files),
            )  # fmt: skip
            try:
                running.run()
            except Failed as failed:
                raise _error(failed) from None
            self.ended(performer, files)
            return running

    def ended(self, performer: Performer, files: Files) -> None:
        """All of a run is done."""

    def sources(self, work: ProgramWork, performer: Performer, files: Files) -> dict[str, RegionSource]:
        """The arrays of the inputs by the names of their buffers, as tasks read them."""
        return work.sources()


def may_be_file(core: Core) -> bool:
    """Whether what a program gives can be written block by block: one ToL of one component."""
    kinds = [one.type for one in core.outputs]
    return len(kinds) == 1 and kinds[0].capacity == 1 and not kinds[0].parts


def explained(program: Owner, given: Mapping[str, Any], memory: int | None, workers: int) -> str:
    """How a program is cut at sizes, without data: inputs but numbers are in files, its result where it may be."""
    numerics = {name for name, kind in program.inputs.items() if kind.is_numeric}
    unknown = given.keys() - {*program.sizes, *numerics}
    if unknown:
        expected = interface(program.inputs, program.sizes)
        raise usage("E603", f"the program has no size or number {min(unknown)}", expected=expected)
    known = {name if name in program.sizes else f"{name}.1": whole_size(name, one) for name, one in given.items()}
    missing = [name for name in program.sizes if name not in known]
    if missing:
        raise usage("E517", f"the size {missing[0]} is not given", fix=f"give it by name: {missing[0]}=1000")
    text = on_coded(program.core)
    core = program.core if text is None else text.core
    results = _bytes_of_outputs(core.outputs, known)
    kinds = [one.type for one in core.outputs]
    is_table = len(kinds) == 1 and len(kinds[0].shape) == 1 and not kinds[0].parts
    held = 0 if workers or is_table or may_be_file(core) else results
    room = Room(memory, rounded_up(resident_memory()), workers, 2 if workers else 1, processes=workers, held=held)
    known |= {name: 1 for name in core.sizes if name not in known}  # of a dictionary that is not known yet
    planning = Planning(program.strict, room, engine=program.runner.engine)
    found = told(planning.placed(core, known), memory, workers)
    if workers:
        return found
    if held:
        return f"{found}results stay in memory: what is written to a file block by block is one array, or one table\n"
    return f"{found}results are written to a file; to have them in memory takes {bytes_text(results)} more\n"


def _error(failed: Failed) -> ToLangError:
    """What is told of a check that failed in a piece."""
    fault = failed.fault
    if not fault.code:
        return usage("E618", f"the program cannot run in pieces: {fault.about}")
    return ToLangRunError(Diagnostic(fault.code, fault.about, fault.span))


def _bytes_of_results(work: ProgramWork, known: Mapping[str, int] | None = None) -> int:
    """The bytes of results that stay in memory; those whose lengths only running tells are not counted."""
    return _bytes_of_outputs(work.core.outputs, work.sizes if known is None else known)


def _bytes_of_outputs(outputs: Sequence[Output], sizes: Mapping[str, int]) -> int:
    total = 0
    for one in outputs:
        if all(length.names() <= sizes.keys() for length in one.type.shape):
            width = sum(dtype_of(column.storage).itemsize for column in one.type.columns)
            total += math.prod(lengths_at(one.type.shape, sizes)) * width
    return total
