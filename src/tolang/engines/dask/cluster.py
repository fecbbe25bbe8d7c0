"""Tasks on the workers of a Dask cluster: submitted in windows, never pinned, so that lost workers are made up for.

A task has all that it needs in it: the core as text, which the worker plans and compiles by itself, and the blocks it
reads, the tasks that give them, or the files and regions that they are in.  So any worker can perform it, once more if
need be.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate, product
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tolang.engines.dask.grids import Cut
from tolang.engines.dask.running import Performed, Request, Source
from tolang.engines.dask.spread import Given, Lasting, Slices, Spread, sent
from tolang.engines.dask.stages import Stage
from tolang.engines.interface import Failed, Fault
from tolang.ground.casting import Array
from tolang.ground.diagnostics import Diagnostic, ToLangError, usage
from tolang.nests.regions import Region

if TYPE_CHECKING:
    from distributed import Client, Future

IN_FLIGHT = 2
"""How many tasks each thread of the cluster has at a time: one that runs, and one that waits for it."""
AHEAD = 16
"""How many tasks, whose results stay with workers, are submitted for each thread and not yet done."""
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


class Trouble(Exception):
    """What went wrong in a task: a check of the program, or an error with its diagnostics."""

    def __init__(self, fault: Fault | None, kind: type[ToLangError], diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(fault, kind, diagnostics)
        self.fault, self.kind, self.diagnostics = fault, kind, diagnostics

    def told(self) -> Exception:
        return Failed(self.fault) if self.fault is not None else self.kind(list(self.diagnostics))


class Perform(Protocol):
    """What a worker does with a task; found there by its name."""

    def __call__(self, recipe: Recipe, request: Request, *blocks: Given) -> Given: ...


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


class OnWorkers:
    """Performs tasks on a cluster.

    What is submitted for good is fetched; what is kept there is waited for only as far as not to run too far ahead.
    """

    def __init__(self, client: Client, perform: Perform, recipe_of: Callable[[Cut], Recipe]) -> None:
        self.client, self._perform, self._recipe_of = client, perform, recipe_of
        self._recipes: dict[int, Future] = {}
        self._waiting: dict[Future, None] = {}
        self._watch = _Watch(client)
        self._near: str | None = None
        self._addresses = sorted(client.nthreads())
        self._threads = max(1, sum(client.nthreads().values()))

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        slots = 1 if in_order else IN_FLIGHT * max(1, sum(self.client.nthreads().values()))
        rest, number = iter(requests), 0
        waiting: dict[Future, Request] = {}
        try:
            while True:
                while len(waiting) < slots and (request := next(rest, None)) is not None:
                    waiting[self._submitted(cut, request, number)] = request
                    number += 1
                if not waiting:
                    return
                for future in self._watch.finished(list(waiting)):
                    yield waiting.pop(future), self._watch.result(future)
        finally:
            if waiting:
                self.client.cancel(list(waiting), force=True)

    def submit(self, cut: Cut, request: Request, number: int) -> Future:
        while len(self._waiting) >= AHEAD * self._threads:
            self._settle_some()
        future = self._submitted(cut, request, number, True)
        self._waiting[future] = None
        return future

    def settle(self) -> None:
        while self._waiting:
            self._settle_some()

    def stop(self) -> None:
        if self._waiting:
            self.client.cancel(list(self._waiting), force=True)
        self._waiting.clear()
        self._recipes.clear()

    def _settle_some(self) -> None:
        for future in self._watch.finished(list(self._waiting)):
            del self._waiting[future]
            if future.status != "finished":
                self._watch.result(future)

    def _submitted(self, cut: Cut, request: Request, number: int, kept: bool = False) -> Future:
        """A task; where it works with values that workers keep, neighbouring ones are neighbours there, too."""
        if id(cut) not in self._recipes:
            self._recipes[id(cut)] = self._task(same, self._recipe_of(cut))
        kept = kept or any(isinstance(source, Spread | Lasting) for source, _ in request.reads.values())
        self._near = self._addresses[number * len(self._addresses) // max(1, cut.tasks)] if kept else None
        try:
            travelling, needed = sent(request)
            return self._task(self._perform, self._recipes[id(cut)], travelling, *needed)
        finally:
            self._near = None

    def _task(self, function: Callable[..., Any], *given: Any) -> Future:
        """A task, for the worker that it had best be near to, if it is there."""
        near = {"workers": [self._near], "allow_other_workers": True} if self._near is not None else {}
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            future: Future = self.client.submit(function, *given, pure=False, **near)
        return future

    # Blocks

    def given(self, block: Array) -> Future:
        return self._task(same, [np.ascontiguousarray(block)])

    def read(self, source: Source, region: Region) -> Future:
        return self._task(block_of, source, region)

    def part(self, task: Future, position: int, slices: Slices) -> Future:
        near, self._near = self._near, None  # where the block is
        try:
            return self._task(part_of, task, position, slices)
        finally:
            self._near = near

    def fetched(self, task: Future) -> Given:
        return self._watch.result(task)

    def spread(self, array: Any, made: Callable[[Any], Given], dtype: np.dtype[Any]) -> Spread:
        """An array of Dask by its own blocks, which workers compute, or have already; each is `made` one of ours."""
        from distributed import futures_of

        kept = self.client.persist(array)
        futures = {future.key: future for future in futures_of(kept)}
        found = Spread(self, dtype, len(kept.chunks))
        ends = [list(accumulate(lengths)) for lengths in kept.chunks]
        for at in product(*(range(len(lengths)) for lengths in kept.chunks)):
            region = tuple((e[k] - c[k] + 1, e[k]) for e, c, k in zip(ends, kept.chunks, at, strict=True))
            found.put(region, self._task(made, futures[kept.name, *at]), 0)
        return found


def same(given: Any) -> Any:
    """What is given to a worker, there."""
    return given


def block_of(source: Source, region: Region) -> Given:
    """A region of an array in a file, on a worker."""
    try:
        return [source.read(region)]
    except ToLangError as error:
        raise Trouble(None, type(error), tuple(error.diagnostics)) from None


def part_of(found: Given, position: int, slices: Slices) -> Given:
    """A part of a block, on the worker that has it."""
    return [np.ascontiguousarray(found[position][slices])]


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

    def result(self, future: Future) -> Given:
        """What a task has given; an error where it failed, ended each worker that tried it, or the cluster is gone."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        while True:
            try:
                found: Given = future.result(timeout=LOOKING)
                return found
            except Trouble as trouble:
                raise trouble.told() from None
            except TimeoutError:
                self.look()
            except KilledWorker as killed:
                raise usage("E617", f"a task ended every worker that performed it: {killed}") from None
            except FutureCancelledError:
                raise _given_up() from None


def _given_up() -> ToLangError:
    return usage("E617", "the cluster gave up the tasks of the program: its scheduler is gone, or was closed")
