"""Programs on a cluster: planned here, performed by workers that plan and compile from the core's text."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from tolang.core.printer import print_program
from tolang.core.reader import read_program
from tolang.engines.dask.cluster import Recipe, Trouble, Workers, performing_on, workers_of
from tolang.engines.dask.pieces import piece_of
from tolang.engines.dask.placement import Cut, Placed
from tolang.engines.dask.running import Performer, Request, Task
from tolang.engines.dask.stages import separated
from tolang.engines.interface import Failed
from tolang.ground.casting import Array
from tolang.ground.diagnostics import ToLangError, usage
from tolang.ground.memory import resident_memory
from tolang.ground.version import VERSION
from tolang.nests.lowering.steps import lower
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
        return planning_for(workers, self.program.strict).placed(work.core, work.known, 0, workers.baseline)

    def performer(self, work: Work) -> Performer:
        text, target = print_program(work.core), _target()

        def recipe(cut: Cut) -> Recipe:
            return Recipe(text, self.program.strict, cut.stage, VERSION, target)

        return performing_on(self.client, performed, recipe)


def planning_for(workers: Workers, strict: bool) -> Planning:
    """How a program is cut for some workers: what a task reads and gives is there twice while it travels."""
    return Planning(strict, workers.memory, workers.number * workers.threads, 2 * workers.threads)


def performed(recipe: Recipe, request: Request) -> list[Array] | Trouble:
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
            return task.perform(request)
    except Failed as failed:
        return Trouble(failed.fault)
    except ToLangError as error:
        return Trouble(None, type(error), tuple(error.diagnostics))


@lru_cache(maxsize=256)
def _task(recipe: Recipe) -> Task:
    """What performs the tasks of a stage, each of them by one thread: a worker has as many tasks as threads."""
    from tolang.engines.cpu.runtime.native import set_threads

    set_threads(1)
    plan = separated(lower(read_program(recipe.core)))
    return Task(piece_of(plan, recipe.stage), Planning(recipe.strict, None).compiler)


def _target() -> str:
    """What code depends on, so that workers whose code would differ are told apart."""
    from tolang.engines.cpu.runtime.native import host_target

    return repr(host_target())
