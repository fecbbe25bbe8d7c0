"""Programs on a cluster: planned here, performed by workers that plan and compile from the core's text."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

import numpy as np

from tolang.core.core import Core
from tolang.core.printer import print_program
from tolang.core.reader import read_program
from tolang.data.binding import tolang_names, whole_seed
from tolang.data.blocks import Mappings, Unreached, WrittenArray, in_shared_memory
from tolang.data.dask_arrays import DaskArray, dask_frame
from tolang.data.record_arrays import FieldArray
from tolang.engines import registry
from tolang.engines.contract import Engine, Executable, Failed, Keep, Owner, PlanSection
from tolang.engines.dask.blocks import piece_for
from tolang.engines.dask.budgets import Room, rounded_up
from tolang.engines.dask.choices import Choices, choices_in, chosen, with_choices
from tolang.engines.dask.cluster import ClusterWorkers, OnWorkers, Recipe, TaskTrouble, workers_of
from tolang.engines.dask.grids import Cut, bytes_of
from tolang.engines.dask.mapped import with_mapped
from tolang.engines.dask.parts import PlacedProgram, between
from tolang.engines.dask.piecewise import Compiled, Piecewise, Planning
from tolang.engines.dask.placement import AGAIN, SMALL
from tolang.engines.dask.repetitions import plan_within
from tolang.engines.dask.requests import (
    Compiler,
    Goal,
    InMemory,
    Kept,
    Performer,
    Reachable,
    RegionSource,
    Request,
    Rooms,
    written_to,
)
from tolang.engines.dask.running import Task
from tolang.engines.dask.spmd_groups import Credentials, MemberTask, SpmdGroup, WorkerLost, run_as_member
from tolang.engines.dask.spread import Given, Lasting, Spread, Tasks, arrived
from tolang.engines.dask.stages import separated
from tolang.engines.dask.storage import BufferPool, Files, Here
from tolang.engines.dask.work import ProgramWork
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import ToLangError, usage
from tolang.ground.reporting.progress import Progress, telling
from tolang.ground.system.memory import available_memory, memory_fault, physical_memory, resident_memory, return_memory
from tolang.ground.values.arrays import field_names
from tolang.ground.values.casting import Array
from tolang.ground.values.spaces import dtype_of, strong
from tolang.ground.values.values import ToL
from tolang.ground.version import VERSION
from tolang.lower.steps import lower
from tolang.plan.nest import Buffer, Plan
from tolang.plan.regions import Region, lengths_at, lengths_of

if TYPE_CHECKING:
    from distributed import Client

_COMPILING = Lock()
FRAMES: Literal["frames"] = "frames"

REMEMBERED = 8
"""How many plans of later steps are kept, for runs with the same sizes and lengths."""


PART_KEPT = 16
"""One part in so many of the machine's memory is kept at the most of what inputs were copied to, for the next run."""


class OnCluster(Piecewise):
    """A program that runs on the workers of a Dask cluster; called with its inputs, it gives what it gives here."""

    apart = True

    def __init__(
        self, program: Owner, client: Client, into: Path | None = None, keep: Keep = False, progress: Progress = False
    ) -> None:
        super().__init__(program, None, into, progress)
        if keep not in (False, True, FRAMES):
            raise usage("E603", f"results are kept as arrays, keep=True, or as keep={FRAMES!r}", found=repr(keep))
        if not callable(getattr(client, "nthreads", None)):
            raise usage(
                "E603",
                "a program runs on the client of a Dask cluster",
                found=f"{client!r:.60}, a {type(client).__name__}",
                expected="a client, as of distributed.Client(address) or distributed.Client(cluster)",
                fix='an engine of this machine is chosen by tolang.compile(source, engine="cpu")',
            )
        self.client, self.keep = client, keep
        self.shelf = BufferPool(_kept_between_runs(self.engine))
        self._printed: tuple[Core, str] | None = None
        self._workers: ClusterWorkers | None = None
        self._latest: tuple[Core, dict[str, int], Room, PlacedProgram] | None = None
        self._later: dict[object, tuple[Core, PlacedProgram]] = {}

    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        if not self.keep:
            return super().__call__(*arguments, seed=seed, **named)
        work = self.work(arguments, tolang_names(named))
        if work.texts is not None:
            raise usage("E618", "a program on text leaves no results with workers")
        return self._kept(work, self.placed(work), whole_seed(seed, self.program.declared_inputs))

    def _kept(self, work: ProgramWork, placed: PlacedProgram, seed: int) -> Any:
        """Results as arrays or frames of Dask, whose blocks stay with the workers; small ones are fetched."""
        names = placed.plan.output_names
        with telling(self.progress) as report:
            running = self._run(work, replace(placed, kept=True), lambda placed: {}, seed, report, names)
        arrays, known, found = running.arrays, running.placed.known, {}
        for output, buffers in zip(work.core.outputs, placed.plan.outputs, strict=True):
            parts = tuple(_as_dask(arrays[one.name], one, known) for one in buffers)
            if self.keep == FRAMES and output.type.rank == 1:
                found[output.name] = dask_frame(_names_of(output.name, buffers), parts)
            else:
                found[output.name] = parts[0] if len(parts) == 1 else parts
        return found if len(found) > 1 else next(iter(found.values()))

    def placed(self, work: ProgramWork) -> PlacedProgram:
        """The stages of a program, cut for the workers there are; refused where it does not fit into their memory."""
        self.refuse_outputs(work)
        with _probe() as probe:
            workers = self._workers = workers_of(self.client, resident_memory, probe)
        self.memory, self.workers = workers.memory, workers.number
        if workers.near and not self.keep:
            placed = self._planned(work, replace(room_of(workers, near=True), unpacking=work.unpacking))
            if _is_room_to_share(work, placed, self.shelf):
                return replace(with_mapped(placed, workers.number, workers.threads, workers.memory), near=True)
        return self._planned(work, replace(room_of(workers), unpacking=work.unpacking))

    def placed_again(self, work: ProgramWork, placed: PlacedProgram, known: Mapping[str, int]) -> PlacedProgram:
        """The stages of later steps, for the workers of the earlier ones; where values are kept stays as it was."""
        workers = self._workers
        assert workers is not None
        room = replace(room_of(workers, placed.near), baseline=placed.baseline, unpacking=work.unpacking)
        key = placed.until, placed.packed, placed.grouped, room, tuple(sorted(known.items()))
        core, found = self._later.get(key, (None, None))
        if core is not work.core or found is None:
            planning = Planning(self.program.strict, room, placed.packed, placed.grouped, self.engine)
            found = planning.placed(work.core, known, placed.until)
            if len(self._later) >= REMEMBERED:
                self._later.clear()
            self._later[key] = work.core, found
        if placed.near:
            found = with_mapped(found, workers.number, workers.threads, workers.memory)
        return replace(found, kept=placed.kept, near=placed.near)

    def _planned(self, work: ProgramWork, room: Room) -> PlacedProgram:
        """The stages of a program: those of the run before, if all is as it was and they still fit."""
        if self._latest is not None:
            core, known, before, found = self._latest
            peak = found.peak + room.baseline - before.baseline
            alike = core is work.core and known == work.known and replace(before, baseline=room.baseline) == room
            if alike and (room.memory is None or peak <= room.memory):
                return replace(found, peak=peak)
        planning = Planning(self.program.strict, room, work.packed, engine=self.engine)
        found = planning.placed(work.core, work.known)
        self._latest = work.core, work.known, room, found
        return found

    def performer(self, work: ProgramWork, placed: PlacedProgram) -> Performer:
        text, engine, run = self._text(work.core), self.engine.name, uuid4().hex
        target = _target(engine)

        def recipe(cut: Cut) -> Recipe:
            mapped = Mappings(cut.mapped, run) if cut.mapped else None
            return Recipe(text, self.program.strict, cut.stage, VERSION, engine, target, placed.packed, mapped)

        return OnWorkers(self.client, performed, recipe, placed.near)

    def _text(self, core: Core) -> str:
        """A program as it travels: that of the run before, if it is the same."""
        if self._printed is None or self._printed[0] is not core:
            self._printed = core, print_program(core)
        return self._printed[1]

    def ended(self, performer: Performer, files: Files) -> None:
        """Keeps what inputs were copied to, unless a worker was lost: one that is not may still read it."""
        assert isinstance(performer, OnWorkers)
        if performer.are_all_there():
            files.keep_copies()

    def gang(self, work: ProgramWork, placed: PlacedProgram, performer: Performer, files: Files) -> SpmdGroup | None:
        assert isinstance(performer, OnWorkers)
        return SpmdGroup(performer, member, files) if placed.near else None

    def rooms(self, placed: PlacedProgram, performer: Performer, here: Files) -> Rooms:
        assert isinstance(performer, OnWorkers)
        return _WithWorkers(performer, here) if placed.kept and not placed.near else here

    def goal_for(self, placed: PlacedProgram, buffer: Buffer) -> InMemory | WrittenArray:
        if not placed.near or bytes_of(buffer, placed.known) <= SMALL:
            return super().goal_for(placed, buffer)
        shape = list(lengths_at(buffer.shape, placed.known))
        return in_shared_memory(shape, dtype_of(buffer.column.storage))

    def sources(self, work: ProgramWork, performer: Performer, files: Files) -> dict[str, RegionSource]:
        """The arrays of the inputs; the blocks of those of Dask are with the workers."""
        assert isinstance(performer, OnWorkers)
        found, here = work.sources(), dict[str, Here]()
        for name, one in found.items():
            match one:
                case DaskArray():
                    found[name] = _spread(performer, one)
                case InMemory(array):
                    brought = name.rpartition(".")[0] in work.brought
                    if brought and not files.shared and array.nbytes > SMALL:  # it travels once: all tasks read it
                        found[name] = Lasting(performer, one, array.dtype)
                    else:
                        here[name] = one
                case FieldArray():
                    here[name] = one
        return {**found, **files.given(here)}


@contextmanager
def _probe() -> Iterator[Callable[[], bool] | None]:
    """What tells on another process whether it can reach what this one has open; None where no system does that."""
    if not hasattr(os, "memfd_create"):
        yield None
        return
    made = in_shared_memory((), np.dtype(np.uint8))
    with made.file:
        yield made.reached().is_there


def _kept_between_runs(engine: Engine) -> int:
    """How many bytes of copies of inputs stay from one run to the next: no more than a part of what the machine has."""
    most = physical_memory() // PART_KEPT
    return min(engine.kept_memory(), most) if os.environ.get("TOL_KEEP_MEMORY") else most


def _is_room_to_share(work: ProgramWork, placed: PlacedProgram, shelf: BufferPool) -> bool:
    """Whether copies of inputs, results and all values between stages are no more than half of what can be had.

    What is on the shelf can be had, too; where there is no room, it is given up.  Of results whose lengths only running
    tells nothing is known; what becomes of them is seen then.
    """
    inputs = sum(one.array.nbytes for one in work.sources().values() if isinstance(one, InMemory | FieldArray))
    buffers = placed.plan.output_buffers
    told = [one for one in buffers if all(length.names() <= placed.known.keys() for length in one.shape)]
    outputs = sum(bytes_of(one, placed.known) for one in told)
    needed = inputs + outputs + sum(between(placed.plan, placed.cuts, placed.known).values())
    if 2 * needed > available_memory():
        shelf.clear()
    return 2 * needed <= available_memory()


def _spread(performer: OnWorkers, source: DaskArray) -> Spread:
    return performer.spread(source.array, partial(taken, replace(source, array=None)), source.dtype)


def taken(source: DaskArray, block: Any) -> Given:
    """A block of an array of Dask, on a worker."""
    try:
        return [source.checked(block)]
    except ToLangError as error:
        raise TaskTrouble(None, type(error), tuple(error.diagnostics)) from None


def _as_dask(found: RegionSource, buffer: Buffer, known: Mapping[str, int]) -> Any:
    """A result as an array of Dask."""
    import dask.array
    from dask import delayed

    dtype = dtype_of(buffer.column.storage)
    if not isinstance(found, Spread):
        whole = found.read(tuple((1, length) for length in lengths_at(buffer.shape, known)))
        return dask.array.from_array(whole) if buffer.shape else whole

    def nested(region: Region, rest: int) -> Any:
        if not rest:
            (one,) = found.portions(region)
            return dask.array.from_delayed(delayed(one.task)[one.position], lengths_of(region), dtype)
        axis = len(region)
        return [nested((*region, side), rest - 1) for side in sides[axis]]

    sides = [sorted({region[axis] for region in found.regions()}) for axis in range(len(buffer.shape))]
    if not all(sides):
        return dask.array.zeros(list(lengths_at(buffer.shape, known)), dtype=dtype)
    return dask.array.block(nested((), len(buffer.shape)))


def _names_of(name: str, buffers: Sequence[Buffer]) -> list[str]:
    """The columns of a table that a result is, as in files."""
    columns = [strong(one.column) for one in buffers]
    nothing = ToL([np.zeros(0, dtype_of(one.storage)) for one in columns], columns)
    return field_names(nothing) if len(columns) > 1 else [name]


class _WithWorkers:
    """Values between stages stay with the workers, but for small ones."""

    shared = False

    def __init__(self, tasks: Tasks, here: Rooms) -> None:
        self.tasks, self.here = tasks, here

    def room_for(self, buffer: Buffer, known: Mapping[str, int]) -> Goal | Kept:
        if bytes_of(buffer, known) <= SMALL:
            return self.here.room_for(buffer, known)
        return Spread(self.tasks, dtype_of(buffer.column.storage), len(buffer.shape))

    def holding(self, buffer: Buffer, known: Mapping[str, int], block: Array) -> Goal | Kept:
        return written_to(self.room_for(buffer, known), block)

    def all_of(self, room: Reachable) -> Reachable:
        return self.here.all_of(room)

    def lasting(self, source: RegionSource, buffer: Buffer, known: Mapping[str, int]) -> RegionSource:
        if isinstance(source, Spread | Lasting) or bytes_of(buffer, known) <= SMALL:
            return source
        return Lasting(self.tasks, source, dtype_of(buffer.column.storage))

    def free(self, goal: RegionSource) -> None:
        if not isinstance(goal, Spread | Lasting):
            self.here.free(goal)


def room_of(workers: ClusterWorkers, near: bool = False) -> Room:
    """What there is to run in on some workers.

    What a task reads and gives is there twice while it travels.  Where all of them are `near`, nothing does, and values
    between stages are with none of them.
    """
    threads = workers.number * workers.threads
    if near:
        return Room(workers.memory, rounded_up(workers.baseline), threads, workers.threads, near=True)
    return Room(workers.memory, rounded_up(workers.baseline), threads, 2 * workers.threads, processes=workers.number)


def performed(recipe: Recipe, request: Request, blocks: Sequence[Given]) -> Given:
    """Performs a task on the worker that this runs on."""
    try:
        return performed_among_others(recipe, request, blocks)
    finally:
        return_memory(AGAIN)


def performed_among_others(recipe: Recipe, request: Request, blocks: Sequence[Given]) -> Given:
    """Performs one of several tasks, on the worker that this runs on; what is freed may serve the next."""
    engine = registry.engine(recipe.engine)
    with _troubles():
        _refuse_unlike(recipe)
        with _COMPILING:
            plain = replace(recipe, mapped=None)
            task = _task(plain, choices_in(_lowered(recipe.core, recipe.packed), request.values))
        with engine.keep_memory(max(AGAIN, task.again(request)), AGAIN):
            return task.perform(_with_mapped(arrived(request, blocks), recipe.mapped))


def member(ticket: Credentials, job: MemberTask, number: int) -> None:
    """Goes through a repetition as a member of a gang, on the worker that this runs on."""
    engine = registry.engine(job.recipes[0].engine)
    with suppress(WorkerLost), closing(ticket.table(number)) as table:
        try:
            with _troubles(), engine.keep_memory(AGAIN):
                for one in job.recipes:
                    _refuse_unlike(one)
                with _COMPILING:
                    engine.set_threads(1)
                    placed, compiler = _unpacked(job.placed, engine.name)
                run_as_member(job, placed, compiler, performed_among_others, table, number)
        except WorkerLost:
            raise
        except Exception as error:
            table.fail(error)


@lru_cache(maxsize=8)
def _unpacked(placed: bytes, engine: str) -> tuple[PlacedProgram, Compiler]:
    """A repetition that has travelled, and what compiles the plans of it that members run for themselves."""
    found: PlacedProgram = pickle.loads(placed)
    compiler = Compiled(Planning(found.strict, Room(None), engine=registry.engine(engine)).compiler)

    def one_at_a_time(part: PlanSection, sizes: Mapping[str, int]) -> Executable:
        with _COMPILING:
            return compiler(part, sizes)

    return found, one_at_a_time


def _refuse_unlike(recipe: Recipe) -> None:
    """Raises where this worker would make other code of a recipe than the machine it is from."""
    own = _target(recipe.engine)
    if (recipe.version, recipe.target) != (VERSION, own):
        found = f"tolang {VERSION} for {own}"
        expected = f"tolang {recipe.version} for {recipe.target}"
        raise usage("E617", "a worker is unlike the machine that planned the program", found, expected)


@contextmanager
def _troubles() -> Iterator[None]:
    """What goes wrong on a worker, as it travels."""
    try:
        yield
    except MemoryError:
        short = memory_fault("a task on a worker", there=available_memory())
        raise TaskTrouble(None, type(short), tuple(short.diagnostics)) from None
    except Failed as failed:
        raise TaskTrouble(failed.fault, ToLangError, ()) from None
    except ToLangError as error:
        raise TaskTrouble(None, type(error), tuple(error.diagnostics)) from None
    except Unreached as error:
        lost = usage("E617", f"a worker cannot reach the memory of the machine that planned the program: {error}")
        raise TaskTrouble(None, type(lost), tuple(lost.diagnostics)) from None


def _with_mapped(request: Request, mapped: Mappings | None) -> Request:
    """A task that reads what stays mapped as it is."""
    if mapped is None:
        return request
    return replace(request, reads={n: (mapped.of(one), region) for n, (one, region) in request.reads.items()})


@lru_cache(maxsize=16)
def _lowered(core: str, packed: frozenset[str]) -> Plan:
    """A program that has travelled as text, with the choices that it is cut with."""
    return with_choices(lower(read_program(core)), packed)


@lru_cache(maxsize=256)
def _task(recipe: Recipe, choices: Choices) -> Task:
    """What performs the tasks of a stage, each of them by one thread: a worker has as many tasks as threads."""
    engine = registry.engine(recipe.engine)
    engine.set_threads(1)
    plan = separated(chosen(_lowered(recipe.core, recipe.packed), choices))
    plan = plan_within(plan, recipe.stage.within, recipe.stage.turns)
    return Task(piece_for(plan, recipe.stage), Planning(recipe.strict, Room(None), engine=engine).compiler)


@cache
def _target(engine: str) -> str:
    """What an engine's code depends on, so that workers whose code would differ are told apart."""
    return registry.engine(engine).target()
