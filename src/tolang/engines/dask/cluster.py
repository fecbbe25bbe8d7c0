"""Tasks on the workers of a Dask cluster: submitted in windows, never pinned, so that lost workers are made up for.

A task has all that it needs in it: the core as text, which the worker plans and compiles by itself, and the blocks it
reads, or the files and regions that they are in.  So any worker can perform it, once more if need be.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from tolang.engines.dask.placement import Cut
from tolang.engines.dask.running import InMemory, Performed, Performer, Request
from tolang.engines.dask.stages import Stage
from tolang.engines.interface import Failed, Fault
from tolang.ground.casting import Array
from tolang.ground.diagnostics import Diagnostic, ToLangError, usage

if TYPE_CHECKING:
    from distributed import Client, Future

IN_FLIGHT = 2
"""How many tasks each thread of the cluster has at a time: one that runs, and one that waits for it."""
PATIENCE = 10.0
"""Seconds that a program waits for a worker where there is none."""
LOOKING = 1.0
"""Seconds between two looks at whether there are workers."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a worker makes the code of a stage from, and what it has to be like to do so."""

    core: str
    strict: bool
    stage: Stage
    version: str
    target: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong in a task: a check of the program, or an error with its diagnostics."""

    fault: Fault | None = None
    kind: type[ToLangError] = ToLangError
    diagnostics: tuple[Diagnostic, ...] = ()

    def told(self) -> Exception:
        return Failed(self.fault) if self.fault is not None else self.kind(list(self.diagnostics))


class Perform(Protocol):
    """What a worker does with a task; found there by its name."""

    def __call__(self, recipe: Recipe, request: Request) -> list[Array] | Trouble: ...


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of a cluster: how many, how many threads each has at the most, the least memory that one has."""

    number: int
    threads: int
    memory: int | None
    baseline: int


def workers_of(client: Client, resident: Callable[[], int]) -> Workers:
    """The workers that there are; an error where there are none."""
    threads = client.nthreads()
    if not threads:
        raise usage("E617", "the cluster has no workers")
    limits = client.run(_limit)
    known = [limit for limit in limits.values() if limit]
    held = client.run(resident)
    return Workers(len(threads), max(threads.values()), min(known, default=None), max(held.values()))


def _limit(dask_worker: Any = None) -> int | None:
    """The memory that the worker in which it runs may take."""
    limit = dask_worker.memory_manager.memory_limit
    return int(limit) if limit else None


def performing_on(client: Client, perform: Perform, recipe_of: Callable[[Cut], Recipe]) -> Performer:
    """Performs tasks on a cluster."""

    def performed(cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        slots = 1 if in_order else IN_FLIGHT * max(1, sum(client.nthreads().values()))
        recipe, rest = recipe_of(cut), iter(requests)
        waiting: dict[Future, Request] = {}
        watch = _Watch(client)
        try:
            while True:
                while len(waiting) < slots and (request := next(rest, None)) is not None:
                    waiting[_submitted(client, perform, recipe, request)] = request
                if not waiting:
                    return
                for future in watch.finished(list(waiting)):
                    request = waiting.pop(future)
                    found = watch.result(future)
                    if isinstance(found, Trouble):
                        raise found.told()
                    yield request, found
        finally:
            if waiting:
                client.cancel(list(waiting), force=True)

    return performed


def _submitted(client: Client, perform: Perform, recipe: Recipe, request: Request) -> Future:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        future: Future = client.submit(perform, recipe, _sent(request), pure=False)
    return future


def _sent(request: Request) -> Request:
    """A task as it travels: blocks of arrays that are here go along; files are read where it is performed."""
    reads = {}
    for name, (source, region) in request.reads.items():
        if source.is_shared:
            reads[name] = source, region
        else:
            block = source.read(region)
            reads[name] = InMemory(block), tuple((1, length) for length in block.shape)
    return replace(request, reads=reads)


class _Watch:
    """Looks, while a program waits for its cluster, whether it is still there."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._alone_since: float | None = None

    def look(self) -> None:
        """Raises an error where the scheduler is gone, or for a while no worker has been there."""
        try:
            alone = not self.client.nthreads()
        except (OSError, TimeoutError):
            raise usage("E617", "the scheduler of the cluster is gone") from None
        now = time.monotonic()
        self._alone_since = (self._alone_since or now) if alone else None
        if self._alone_since is not None and now - self._alone_since > PATIENCE:
            raise usage("E617", "all workers of the cluster are gone", fix="start workers, then run it again")

    def finished(self, futures: list[Future]) -> Iterable[Future]:
        """Those that have ended, at least one."""
        from distributed import wait
        from distributed.client import FuturesCancelledError

        while True:
            try:
                done: Iterable[Future] = wait(futures, timeout=LOOKING, return_when="FIRST_COMPLETED").done
                return done
            except TimeoutError:
                self.look()
            except FuturesCancelledError:
                raise _given_up() from None

    def result(self, future: Future) -> list[Array] | Trouble:
        """What a task has given; an error where it ended each worker that tried it, or the cluster is gone."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        while True:
            try:
                found: list[Array] | Trouble = future.result(timeout=LOOKING)
                return found
            except TimeoutError:
                self.look()
            except KilledWorker as killed:
                raise usage("E617", f"a task ended every worker that performed it: {killed}") from None
            except FutureCancelledError:
                raise _given_up() from None


def _given_up() -> ToLangError:
    return usage("E617", "the cluster gave up the tasks of the program: its scheduler is gone, or was closed")
