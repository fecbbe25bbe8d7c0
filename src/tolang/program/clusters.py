"""Programs on a cluster: planned here, performed by workers that plan and compile from the core's text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tolang.core.printer import print_program
from tolang.core.reader import read_program
from tolang.engines.dask.cluster import OnWorkers, Recipe, Trouble, Workers, workers_of
from tolang.engines.dask.grids import Cut, bytes_of
from tolang.engines.dask.pieces import piece_of
from tolang.engines.dask.placement import SMALL, Placed, Room
from tolang.engines.dask.repetitions import plan_within
from tolang.engines.dask.running import Goal, Kept, Performer, Request, Rooms, Source, Task
from tolang.engines.dask.spread import Given, Lasting, Spread, Tasks, arrived
from tolang.engines.dask.stages import separated
from tolang.engines.interface import Failed
from tolang.ground.diagnostics import ToLangError, usage
from tolang.ground.memory import resident_memory
from tolang.ground.spaces import dtype_of
from tolang.ground.version import VERSION
from tolang.nests.lowering.steps import lower
from tolang.nests.nest import Buffer
from tolang.program.piecewise import Owner, Piecewise, Planning, Work

if TYPE_CHECKING:
    from distributed import Client

_COMPILING = Lock()


class OnCluster(Piecewise):
    """A program that runs on the workers of a Dask cluster; called with its inputs, it gives what it gives here."""

    apart = True

    def __init__(self, program: Owner, client: Client, into: Path | None = None) -> None:
        super().__init__(program, None, into)
        self.client = client

    def placed(self, work: Work) -> Placed:
        """The stages of a program, cut for the workers there are; refused where it does not fit into their memory."""
        self.refuse_outputs(work)
        workers = workers_of(self.client, resident_memory)
        self.memory, self.workers = workers.memory, workers.number
        return Planning(self.program.strict, room_of(workers)).placed(work.core, work.known)

    def performer(self, work: Work) -> Performer:
        text, target = print_program(work.core), _target()

        def recipe(cut: Cut) -> Recipe:
            return Recipe(text, self.program.strict, cut.stage, VERSION, target)

        return OnWorkers(self.client, performed, recipe)

    def rooms(self, placed: Placed, performer: Performer, here: Rooms) -> Rooms:
        assert isinstance(performer, OnWorkers)
        return _WithWorkers(performer, here) if placed.kept else here


class _WithWorkers:
    """Values between stages stay with the workers, but for small ones."""

    def __init__(self, tasks: Tasks, here: Rooms) -> None:
        self.tasks, self.here = tasks, here

    def room_for(self, buffer: Buffer, known: Mapping[str, int]) -> Goal | Kept:
        if bytes_of(buffer, known) <= SMALL:
            return self.here.room_for(buffer, known)
        return Spread(self.tasks, dtype_of(buffer.column.storage), len(buffer.shape))

    def lasting(self, source: Source, buffer: Buffer, known: Mapping[str, int]) -> Source:
        if isinstance(source, Spread | Lasting) or bytes_of(buffer, known) <= SMALL:
            return source
        return Lasting(self.tasks, source, dtype_of(buffer.column.storage))

    def free(self, goal: Source) -> None:
        if not isinstance(goal, Spread | Lasting):
            self.here.free(goal)


def room_of(workers: Workers) -> Room:
    """What there is to run in on some workers: what a task reads and gives is there twice while it travels."""
    threads = workers.number * workers.threads
    return Room(workers.memory, workers.baseline, threads, 2 * workers.threads, processes=workers.number)


def performed(recipe: Recipe, request: Request, *blocks: Given) -> Given:
    """Performs a task on the worker that this runs on."""
    from tolang.engines.cpu.runtime.native import keep_no_memory

    try:
        if (recipe.version, recipe.target) != (VERSION, _target()):
            found = f"tolang {VERSION} for {_target()}"
            expected = f"tolang {recipe.version} for {recipe.target}"
            raise usage("E617", "a worker is unlike the machine that planned the program", found, expected)
        with _COMPILING:
            task = _task(recipe)
        with keep_no_memory():
            return task.perform(arrived(request, blocks))
    except Failed as failed:
        raise Trouble(failed.fault, ToLangError, ()) from None
    except ToLangError as error:
        raise Trouble(None, type(error), tuple(error.diagnostics)) from None


@lru_cache(maxsize=256)
def _task(recipe: Recipe) -> Task:
    """What performs the tasks of a stage, each of them by one thread: a worker has as many tasks as threads."""
    from tolang.engines.cpu.runtime.native import set_threads

    set_threads(1)
    plan = plan_within(separated(lower(read_program(recipe.core))), recipe.stage.within)
    return Task(piece_of(plan, recipe.stage), Planning(recipe.strict, Room(None)).compiler)


def _target() -> str:
    """What code depends on, so that workers whose code would differ are told apart."""
    from tolang.engines.cpu.runtime.native import host_target

    return repr(host_target())
