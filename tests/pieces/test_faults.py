"""What becomes of a program on real worker processes when a worker, a file, a disk or whoever asked for it fails."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.pieces.programs import (
    HEAT,
    LONG,
    PRODUCT,
    PROGRAMS,
    bits,
    client,
    cluster,
    far_workers,
    kept_values,
    little_is_left,
    normal,
    run_until,
    small_tasks,
)

from tolang.engines.dask import spmd_groups
from tolang.ground.reporting.diagnostics import ToLangError, ToLangUsageError
from tolang.program.program import compile

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytestmark = pytest.mark.xdist_group("cluster")
__all__ = ["client", "far_workers", "kept_values", "little_is_left", "small_tasks"]


@LONG
@pytest.mark.usefixtures("small_tasks", "kept_values")
@pytest.mark.parametrize("where", ["far_workers", "near"])
def test_a_worker_killed_while_turns_go(where: str, request: pytest.FixtureRequest) -> None:
    """What a far one kept is computed again from what it came from; near ones begin the repetition anew."""
    if where == "far_workers":
        request.getfixturevalue(where)
    program, data = compile(HEAT), (normal(300, 200), 400)
    with cluster() as client:
        victim = next(iter(client.run(os.getpid).values()))
        found, total = run_until(program, data, client, 20, lambda: os.kill(victim, signal.SIGKILL))
    assert total > 40
    assert found[0].columns[0].tobytes() == program(*data).tobytes()


@pytest.mark.usefixtures("small_tasks")
def test_turns_among_workers(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers go through turns by themselves; where one is lost on the way, all of them begin anew, one by one."""
    source, make, _ = PROGRAMS["conjugate gradient"]
    program, data, went, meetings = compile(source), make(), list[bool](), list[Any]()
    drive, meeting = spmd_groups.SpmdGroup.drive, spmd_groups.Hub.meeting

    def noted(gang: Any, *given: Any) -> bool:
        went.append(drive(gang, *given))
        return went[-1]

    def parting(hub: Any, look: Any) -> Any:
        meetings.append(meeting(hub, look))
        if len(meetings) == 9:
            raise spmd_groups.WorkerLost
        return meetings[-1]

    monkeypatch.setattr(spmd_groups.SpmdGroup, "drive", noted)
    assert "7 turns, among workers" in program.on(client).explain(*data)
    for _ in range(2):
        assert bits(program.on(client)(*data)) == bits(program(*data))
        monkeypatch.setattr(spmd_groups.Hub, "meeting", parting)
    assert went == [True, False]


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize("source", [PRODUCT, pytest.param(HEAT, marks=LONG)], ids=["product", "turns"])
def test_interrupted(source: str, client: Any) -> None:
    """Ctrl-C ends a run soon, and no task goes on on the cluster."""
    program, data = compile(source), (normal(900, 800), normal(800, 900) if source == PRODUCT else 1000)
    with pytest.raises(KeyboardInterrupt):
        run_until(program, data, client, 1, lambda: os.kill(os.getpid(), signal.SIGINT))
    wait_until(lambda: not any(client.processing().values()), 20)
    assert not any(client.processing().values())


def test_a_damaged_file_on_workers(client: Any, tmp_path: Path) -> None:
    """A damaged file of Parquet among many is named, and nothing is left of the result."""
    import pyarrow.parquet

    for k in range(3):
        pyarrow.parquet.write_table(pyarrow.table({"x": normal(2000)}), tmp_path / f"{k}.parquet", row_group_size=200)
    path = tmp_path / "1.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[:2000] + bytes(4000) + whole[6000:])
    program = compile("tol x: R[n]\ny := map(x, * + 1)")
    with pytest.raises(ToLangUsageError) as error:
        program.on(client, into=tmp_path / "y.npy")(tmp_path)
    assert (error.value.code, "1.parquet" in str(error.value)) == ("E608", True)
    assert sorted(one.suffix for one in tmp_path.iterdir()) == [".parquet"] * 3


@pytest.mark.usefixtures("small_tasks")
def test_disk_full_on_workers(client: Any, tmp_path: Path) -> None:
    """Workers write blocks into the file themselves: where they cannot there is one error, and nothing is left."""
    a, b = normal(400, 30), normal(30, 400)
    client.run(_longest_file, 4096)
    try:
        with pytest.raises(ToLangUsageError) as error:
            compile(PRODUCT).on(client, into=tmp_path / "c.npy")(a, b)
    finally:
        client.run(_longest_file, None)
    assert error.value.code == "E609"
    assert list(tmp_path.iterdir()) == []


def _longest_file(most: int | None) -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard if most is None else most, hard))


@LONG
def test_a_worker_out_of_memory() -> None:
    """What was announced is not there after all: one clear error, and the worker goes on."""
    program, data = compile(PRODUCT), (normal(3000, 2000), normal(2000, 3000))
    with cluster(n_workers=1, memory_limit="4GiB") as client:
        small = (normal(30, 20), normal(20, 30))
        program.on(client)(*small)
        client.run(_addresses, 16 << 20)
        with pytest.raises(ToLangError) as error:
            program.on(client)(*data)
        client.run(_addresses, None)
        assert bits(program.on(client)(*small)) == bits(program(*small))
    assert error.value.code in ("E508", "E617")


def _addresses(more: int | None) -> None:
    """Leaves a process so many bytes of addresses more than it has; all that there are without a number."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = hard if more is None else pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


GONE = """
import sys
import numpy as np
from distributed import Client
from tolang.engines.dask import gangs, grids
from tolang.program.program import compile
grids.WORK_OF_A_TASK, grids.TASKS_OF_A_WORKER = 1000, 4000
x = np.ones((8000, 3000))
with Client(sys.argv[1]) as client:
    compile("tol x: R[n,m]\\ny := map(x, exp(*))").on(client)(x)
"""


@LONG
def test_a_client_that_goes_away(client: Any) -> None:
    """Its tasks are given up, and so is the memory that it shared with workers."""
    address = client.scheduler_info()["address"]
    with subprocess.Popen([sys.executable, "-c", GONE, address]) as other:
        wait_until(lambda: any(client.processing().values()) or other.poll() is not None, 60)
        assert other.poll() is None
        other.kill()
    wait_until(lambda: not any(client.processing().values()), 30)
    assert not any(client.processing().values())
    wait_until(lambda: not any(client.run(_shared).values()), 10)
    assert not any(client.run(_shared).values())


def _shared() -> bool:
    """Whether this process has memory mapped that a program shared with it, after what failed there is collected."""
    gc.collect()
    return "memfd:tolang" in Path("/proc/self/maps").read_text()


def wait_until(holds: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        time.sleep(0.05)
