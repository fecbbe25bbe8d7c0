"""Tasks on the workers of a Dask cluster: submitted in windows, never pinned, so that lost workers are made up for.

A task has all that it needs in it: the core as text, which the worker plans and compiles by itself, and the blocks it
reads, the tasks that give them, or the files and regions that they are in.  So any worker can perform it, once more if
need be.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate, islice, product
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tolang.engines.contract import Failed, Fault
from tolang.engines.dask.grids import Cut
from tolang.engines.dask.requests import Performed, RegionSource, Request
from tolang.engines.dask.spread import Given, Lasting, Slices, Spread, sent
from tolang.engines.dask.stages import PlanStage
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangError, usage
from tolang.ground.values.casting import Array
from tolang.plan.regions import Region

if TYPE_CHECKING:
    from distributed import Client, Future

WAVES = 2
"""How many waves of tasks are submitted at a time: one that runs, and one that waits for it."""
LARGEST_WAVE = 64
"""How many tasks of a wave there are for each thread at the most."""
WORK_OF_A_WAVE = 5e7
"""About how many numbers each thread computes in a wave of several tasks: a twentieth of a second."""
BYTES_OF_A_WAVE = 32 << 20
"""How many bytes a wave of several tasks for each thread holds at the most, where results travel."""
WORK_OF_A_SHARE = 1e9
"""About how many numbers one thread computes at the most in a wave of tasks whose results are where they belong."""
WORK_IN_ONE_SHARE = 5e8
"""Up to how many numbers that one thread computes in a stage are one share: half a second on paper."""
AHEAD = 16
"""How many tasks, whose results stay with workers, are submitted for each thread and not yet done."""
PATIENCE = 10.0
"""Seconds that a program waits for a worker where there is none."""
LOOKING = 1.0
"""Seconds between two looks at whether there are workers."""
ANSWERED = 5.0
"""Seconds within which a scheduler that has nothing else to do answers."""
SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.memory.monitor-interval": "500ms",
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 64 << 20,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 32 << 20,
}
"""Of workers that have nothing to do but our tasks: else looking after itself takes each a twentieth of its time.

Dask has them give all memory back to the system at once, so that each task has its pages anew; ours give back what is
too much after each task.
"""
AT_LEAST = 1e-3
"""Seconds that a client of ours waits for further messages before it sends one: Dask has 10 ms, a tenth of a stage."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a worker makes the code of a stage from, by which engine, and what it has to be like to do so.

    What tasks of the stage have `mapped` to read it again is with it, and gone as soon as nobody wants the stage.
    """

    core: str
    strict: bool
    stage: PlanStage
    version: str
    engine: str
    target: str
    packed: frozenset[str] = frozenset()
    mapped: Any = None


class TaskTrouble(Exception):
    """What went wrong in a task: a check of the program, or an error with its diagnostics."""

    def __init__(self, fault: Fault | None, kind: type[ToLangError], diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(fault, kind, diagnostics)
        self.fault, self.kind, self.diagnostics = fault, kind, diagnostics

    def told(self) -> Exception:
        return Failed(self.fault) if self.fault is not None else self.kind(list(self.diagnostics))


class Perform(Protocol):
    """What a worker does with a task; found there by its name."""

    def __call__(self, recipe: Recipe, request: Request, blocks: Sequence[Given]) -> Given: ...


@dataclass(frozen=True, slots=True)
class ClusterWorkers:
    """The workers of a cluster: how many, how many threads each has at the most, the least memory that one has.

    Workers that are all `near` can reach what this process has open.
    """

    number: int
    threads: int
    memory: int | None
    baseline: int
    near: bool


@contextmanager
def local_workers(number: int, memory: int | None, silence_logs: int | None = None) -> Iterator[Client]:
    """A client of so many worker processes of one thread on this machine, which end with it."""
    import dask
    from distributed import Client, LocalCluster

    quiet = {} if silence_logs is None else {"silence_logs": silence_logs}
    with (
        dask.config.set(SETTINGS),
        LocalCluster(
            n_workers=number, threads_per_worker=1, memory_limit=memory or 0, dashboard_address=":0", **quiet
        ) as cluster,
        Client(cluster) as client,
    ):
        client.scheduler_comm.interval = AT_LEAST
        yield client


def workers_of(client: Client, resident: Callable[[], int], reaches: Callable[[], bool] | None) -> ClusterWorkers:
    """The workers that there are; an error where there are none.  Those that `reaches` holds on are near."""
    threads = client.nthreads()
    if not threads:
        raise usage("E617", "the cluster has no workers")
    with _lost_workers():
        limits, held, near = zip(*client.run(_facts, _limit, resident, reaches).values(), strict=True)
    least = min((limit for limit in limits if limit), default=None)
    return ClusterWorkers(len(threads), max(threads.values()), least, max(held), all(near))


@contextmanager
def _lost_workers() -> Iterator[None]:
    """What asks workers something: one that is lost before it answers is the error of the cluster."""
    try:
        yield
    except OSError as error:
        raise usage("E617", f"a worker of the cluster does not answer: {error}", fix="run it again") from None


def _facts(
    limit: Callable[..., int | None],
    resident: Callable[[], int],
    reaches: Callable[[], bool] | None,
    dask_worker: Any = None,
) -> tuple[int | None, int, bool]:
    """Of the worker in which it runs: the memory that it may take, what it holds, and whether it is near."""
    return limit(dask_worker), resident(), reaches is not None and reaches()


def _limit(dask_worker: Any = None) -> int | None:
    """The memory that the worker in which it runs may take."""
    limit = dask_worker.memory_manager.memory_limit
    return int(limit) if limit else None


@dataclass(frozen=True, slots=True)
class _Wave:
    """Tasks that are submitted and fetched at once, in shares that one thread performs: each `together`, or alone.

    Where all that they give is where it belongs when they are done, nothing is `fetched`.
    """

    shares: list[list[Request]]
    futures: list[Future]
    together: bool
    fetched: bool = True


class OnWorkers:
    """Performs tasks on a cluster.

    What is submitted for good is fetched; what is kept there is waited for only as far as not to run too far ahead.
    """

    def __init__(self, client: Client, perform: Perform, recipe_of: Callable[[Cut], Recipe], near: bool) -> None:
        """Workers that are `near` reach what this process has open: they take turns, each with a share of a wave."""
        self.client, self._perform, self.recipe_of = client, perform, recipe_of
        self._recipes: dict[int, Future] = {}
        self._waiting: dict[Future, None] = {}
        self._watch = _Watch(client)
        self._near: int | None = None
        self._are_near = near
        self._addresses = sorted(client.nthreads())
        self._threads = max(1, sum(client.nthreads().values()))

    def perform(self, cut: Cut, requests: Iterable[Request], in_order: bool) -> Performed:
        """Waves of tasks, each submitted and fetched together: small tasks in large waves, for each costs its time."""
        rest, number = iter(requests), 0
        waves: deque[_Wave] = deque()
        size = 1 if in_order else self._threads * self._of_a_wave(cut)
        try:
            while True:
                while len(waves) < (1 if in_order else WAVES) and (wave := list(islice(rest, size))):
                    waves.append(self._submitted_together(cut, wave, number))
                    number += len(wave)
                if not waves:
                    return
                found = self._given(waves[0])
                done = waves.popleft()
                for share, given in zip(done.shares, found, strict=True):
                    yield from zip(share, given if done.together else [given], strict=True)
        finally:
            self._watch.give_up([future for one in waves for future in one.futures])

    def _given(self, wave: _Wave) -> list[Any]:
        """What the tasks of a wave have given."""
        if wave.fetched or not self._watch.are_done(wave.futures):
            return self._watch.results(wave.futures)
        return [[[] for _ in share] for share in wave.shares]

    def submit(self, cut: Cut, request: Request, number: int) -> Future:
        while len(self._waiting) >= AHEAD * self._threads:
            self._settle_some()
        _, future = self._submitted(cut, request, number, True)
        self._waiting[future] = None
        return future

    def are_all_there(self) -> bool:
        """Whether the workers are those that there were in the beginning."""
        try:
            return sorted(self.client.nthreads(callback_timeout=ANSWERED)) == self._addresses
        except (OSError, TimeoutError):
            return False

    def settle(self) -> None:
        while self._waiting:
            self._settle_some()

    def stop(self) -> None:
        self._watch.give_up(list(self._waiting))
        self._waiting.clear()
        self._recipes.clear()

    # Members of gangs

    def threads(self) -> list[str]:
        """The workers that there are, each once for each of its threads."""
        with _lost_workers():
            found = sorted(self.client.nthreads().items())
        return [address for address, threads in found for _ in range(threads)]

    def bound(self, address: str, function: Callable[..., Any], *given: Any) -> Future:
        """A task for one worker and no other."""
        with _large_tasks(), self._watch.translated():
            future: Future = self.client.submit(function, *given, pure=False, workers=[address], retries=0)
        return future

    def look(self) -> None:
        self._watch.look()

    def give_up(self, futures: list[Future]) -> None:
        self._watch.give_up(futures)

    def _settle_some(self) -> None:
        for future in self._watch.finished(list(self._waiting)):
            del self._waiting[future]
            if future.status != "finished":
                self._watch.result(future)

    def _submitted_together(self, cut: Cut, requests: list[Request], number: int) -> _Wave:
        """A wave; tasks of it that one thread has are one for Dask, unless they read values that workers keep."""
        if len(requests) == 1 or any(_reads_kept(one) for one in requests):
            made = [self._submitted(cut, one, number + k) for k, one in enumerate(requests)]
            return _Wave([[request] for request, _ in made], [future for _, future in made], False)
        recipe, shares = self._recipe(cut), min(self._threads, len(requests))
        travelling = [[sent(one, self._are_near)[0] for one in requests[k :: self._threads]] for k in range(shares)]
        wave = _Wave([], [], True, not all(_gives_nothing(cut, one) for share in travelling for one in share))
        for first, share in enumerate(travelling):
            self._near = (number + first) % len(self._addresses) if self._are_near else None
            wave.shares.append(share)
            wave.futures.append(self._task(each_performed, self._perform, recipe, share))
        self._near = None
        return wave

    def _of_a_wave(self, cut: Cut) -> int:
        """How many tasks of a stage there are in a wave for each thread: half of its own, if no results travel.

        All of its own where they are short, so that to have two shares of them would cost more than it saves.
        """
        each = max(1, cut.work // max(1, cut.tasks))
        if self._are_near:
            waves = 1 if cut.work <= WORK_IN_ONE_SHARE * self._threads else WAVES
            share: int = -(-cut.tasks // (waves * self._threads))
            return max(1, min(LARGEST_WAVE, share, int(WORK_OF_A_SHARE // each)))
        return max(1, min(LARGEST_WAVE, round(WORK_OF_A_WAVE / each), BYTES_OF_A_WAVE // max(1, cut.bytes)))

    def _recipe(self, cut: Cut) -> Future:
        """What a stage is made from, which travels once to each worker."""
        if id(cut) not in self._recipes:
            self._recipes[id(cut)] = self._task(same, self.recipe_of(cut))
        return self._recipes[id(cut)]

    def _submitted(self, cut: Cut, request: Request, number: int, kept: bool = False) -> tuple[Request, Future]:
        """A task; where it works with values that workers keep, neighbouring ones are neighbours there, too."""
        recipe = self._recipe(cut)
        if kept or _reads_kept(request):
            self._near = number * len(self._addresses) // max(1, cut.tasks)
        elif self._are_near:
            self._near = number % len(self._addresses)
        try:
            travelling, needed = sent(request, self._are_near)
            return travelling, self._task(self._perform, recipe, travelling, needed)
        finally:
            self._near = None

    def _task(self, function: Callable[..., Any], *given: Any) -> Future:
        """A task, for the worker that it had best be near to, if it is there."""
        beside = self._beside(self._near) if self._near is not None else {}
        with _large_tasks(), self._watch.translated():
            future: Future = self.client.submit(function, *given, pure=False, **beside)
        return future

    def _beside(self, number: int) -> dict[str, Any]:
        """What has a task prefer the worker of a number, though any other will do."""
        return {"workers": [self._addresses[number]], "allow_other_workers": True}

    # Blocks

    def given(self, block: Array) -> Future:
        return self._task(same, [np.ascontiguousarray(block)])

    def read(self, source: RegionSource, region: Region) -> Future:
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


def _gives_nothing(cut: Cut, request: Request) -> bool:
    """Whether all that a task gives has a goal."""
    goals = {one.name for one in cut.piece.writes} <= request.goals.keys()
    return goals and len(cut.piece.plan.outputs) == len(cut.piece.writes) and not request.unit


def _reads_kept(request: Request) -> bool:
    return any(isinstance(source, Spread | Lasting) for source, _ in request.reads.values())


@contextmanager
def _large_tasks() -> Iterator[None]:
    """Tasks may be large here, for they carry data; nobody is to be told so."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        yield


def same(given: Any) -> Any:
    """What is given to a worker, there."""
    return given


def each_performed(perform: Perform, recipe: Recipe, requests: Sequence[Request]) -> list[Given]:
    """Performs tasks one after the other, on a worker."""
    return [perform(recipe, one, ()) for one in requests]


def block_of(source: RegionSource, region: Region) -> Given:
    """A region of an array in a file, on a worker."""
    try:
        return [source.read(region)]
    except ToLangError as error:
        raise TaskTrouble(None, type(error), tuple(error.diagnostics)) from None


def part_of(found: Given, position: int, slices: Slices) -> Given:
    """A part of a block, on the worker that has it."""
    return [np.ascontiguousarray(found[position][slices])]


class _Watch:
    """Looks, while a program waits for its cluster, whether it is still there."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._alone_since: float | None = None

    def look(self) -> None:
        """Raises an error where the scheduler is gone, or for a while no worker has been there.

        A client that has lost its scheduler has given up all tasks, though it goes on asking for it; a scheduler that
        does not answer for a while may have much to do.
        """
        try:
            if self.client.status != "running":
                raise _gone()
            alone = not self.client.nthreads(callback_timeout=ANSWERED)
        except TimeoutError:
            return
        except OSError:
            raise _gone() from None
        now = time.monotonic()
        self._alone_since = (self._alone_since or now) if alone else None
        if self._alone_since is not None and now - self._alone_since > PATIENCE:
            raise usage("E617", "all workers of the cluster are gone", fix="start workers, then run it again")

    def finished(self, futures: list[Future]) -> Iterable[Future]:
        """Those that have ended, at least one."""
        from distributed import wait

        while True:
            try:
                with self.translated():
                    done: Iterable[Future] = wait(futures, timeout=LOOKING, return_when="FIRST_COMPLETED").done
                return done
            except TimeoutError:
                self.look()

    def are_done(self, futures: list[Future]) -> bool:
        """Waits for tasks; whether all of them have done what they were to do."""
        while any(future.status == "pending" for future in futures):
            self.finished([future for future in futures if future.status == "pending"])
        return all(future.status == "finished" for future in futures)

    def result(self, future: Future) -> Given:
        """What a task has given; an error where it failed, ended each worker that tried it, or the cluster is gone."""
        found: Given
        (found,) = self.results([future])
        return found

    def results(self, futures: list[Future]) -> list[Any]:
        """What tasks have given, all of them fetched together, however long that takes."""
        asking = self.client.gather(futures, asynchronous=True)
        asked = asyncio.run_coroutine_threadsafe(asking, self.client.loop.asyncio_loop)
        try:
            with self.translated():
                while not concurrent.futures.wait([asked], LOOKING).done:
                    self.look()
                found: list[Any] = asked.result()
                return found
        except TimeoutError:
            raise _given_up() from None

    def give_up(self, futures: list[Future]) -> None:
        """Cancels tasks, as far as there is somebody to tell."""
        from distributed.client import ClosedClientError

        with suppress(ClosedClientError):
            if futures:
                self.client.cancel(futures, force=True)

    @contextmanager
    def translated(self) -> Iterator[None]:
        """What Dask raises as an error of the program: of a task, or of a cluster that is not there any more."""
        from distributed import KilledWorker
        from distributed.client import ClosedClientError, FutureCancelledError, FuturesCancelledError
        from distributed.comm import CommClosedError

        try:
            yield
        except TaskTrouble as trouble:
            raise trouble.told() from None
        except KilledWorker as killed:
            raise usage("E617", f"a task ended every worker that performed it: {killed}") from None
        except (FutureCancelledError, FuturesCancelledError, concurrent.futures.CancelledError):
            raise _given_up() from None
        except (CommClosedError, ClosedClientError):
            raise _gone() from None
        except OSError:
            if self.client.status != "running":
                raise _gone() from None
            raise


def _gone() -> ToLangError:
    return usage("E617", "the scheduler of the cluster is gone")


def _given_up() -> ToLangError:
    return usage("E617", "the cluster gave up the tasks of the program: its scheduler is gone, or was closed")
