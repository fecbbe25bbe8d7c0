"""Processes of a cluster that are killed in mid-run, started by Dask's own commands."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.pieces.programs import PRODUCT, little_is_left, normal, run_until, small_tasks

from tolang.engines.dask import cluster as clusters
from tolang.engines.dask import grids
from tolang.engines.dask.work import work_of
from tolang.ground.reporting.diagnostics import ToLangUsageError
from tolang.program.program import compile

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytestmark = pytest.mark.xdist_group("cluster")
__all__ = ["little_is_left", "small_tasks"]


@contextmanager
def process(log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's own commands, gone in the end; what it says is in a file, so that it never waits for us."""
    command = [sys.executable, "-m", *arguments]
    with log.open("wb") as said, subprocess.Popen(command, stdout=said, stderr=said) as started:
        try:
            yield started
        finally:
            started.kill()


WORKER = "distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1", "--no-dashboard"


@pytest.mark.usefixtures("small_tasks")
def test_processes_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two workers one: the same bits.  Of one worker it, then the scheduler: one error soon, nothing half-written."""
    from distributed import Client

    monkeypatch.setattr(clusters, "PATIENCE", 1.0)
    monkeypatch.setattr(grids, "TASKS_OF_A_NEAR_WORKER", 8)
    program, data = compile(PRODUCT), (normal(900, 800), normal(800, 900))
    folder, place = tmp_path / "results", tmp_path / "scheduler.json"
    folder.mkdir()
    common = "--scheduler-file", str(place)
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            process(tmp_path / "log", "distributed.cli.dask_scheduler", *common, "--no-dashboard", "--port", "0")
        )
        first, second = (stack.enter_context(process(tmp_path / f"log{k}", *WORKER, *common)) for k in range(2))
        client = stack.enter_context(Client(scheduler_file=str(place), timeout=60))
        client.wait_for_workers(2, timeout=60)
        found, total = run_until(program, data, client, 2, first.kill)
        assert total > 4
        assert found[0].columns[0].tobytes() == program(*data).tobytes()
        on = program.on(client, into=folder / "c.npy")
        assert seconds_to_an_error(on, data, second) < 30
        stack.enter_context(process(tmp_path / "log2", *WORKER, *common))
        client.wait_for_workers(1, timeout=60)
        assert seconds_to_an_error(on, data, scheduler) < 30
    assert list(folder.iterdir()) == []


def seconds_to_an_error(on: Any, data: tuple[Any, ...], victim: subprocess.Popen[bytes]) -> float:
    """How long after a process is killed in mid-run there is an error."""
    killed: list[float] = []

    def report(done: int, total: int) -> None:
        if done == 2:
            victim.kill()
            killed.append(time.monotonic())

    with pytest.raises(ToLangUsageError) as error:
        on.run(work_of(on.program, data, {}), 0, report)
    assert error.value.code == "E617"
    return time.monotonic() - killed[0]
