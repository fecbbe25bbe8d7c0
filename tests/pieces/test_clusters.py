"""Programs on real worker processes: every bit that they give on one machine, whatever becomes of workers."""

from __future__ import annotations

import gc
import io
import os
import time
from contextlib import nullcontext, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.pieces.programs import (
    GROUPS,
    HEAT,
    LONG,
    PRODUCT,
    PROGRAMS,
    RNG,
    RUN,
    bits,
    client,
    command,
    far_workers,
    kept_values,
    little_is_left,
    normal,
    pairs,
    parts_placed,
    product,
    saved_model,
    small_tasks,
)

import tolang.onnx
from tolang.engines.dask import cluster as clusters
from tolang.engines.dask import grids
from tolang.engines.dask.clusters import OnCluster
from tolang.engines.dask.description import told
from tolang.engines.dask.parts import all_cuts
from tolang.engines.dask.work import work_of
from tolang.faces.command import app
from tolang.ground.reporting.diagnostics import ToLangError, ToLangRunError, ToLangUsageError
from tolang.program.program import compile

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytestmark = pytest.mark.xdist_group("cluster")
__all__ = ["client", "far_workers", "kept_values", "little_is_left", "product", "small_tasks"]
FEW = {"counts", "place of the least"}


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize("name", sorted(FEW))
def test_same_bits(name: str, client: Any) -> None:
    source, make, _ = PROGRAMS[name]
    program, data = compile(source), make()
    on = OnCluster(program, client)
    assert max(cut.tasks for cut in all_cuts(on.placed(work_of(program, data, {})).cuts)) > 1
    assert bits(on(*data)) == bits(program(*data))


@pytest.mark.usefixtures("small_tasks", "far_workers", "kept_values")
def test_tables(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorts, scans, filters and folds by label of values that stay with workers; lengths are told meanwhile."""
    monkeypatch.setattr("tolang.engines.dask.grids.TASKS_OF_A_WORKER", 1)
    program, near = compile(GROUPS), pairs(30_000, 900)
    far = near.copy()
    far["key"] *= 10_000
    on, later = program.on(client), parts_placed(monkeypatch, OnCluster)
    assert "what follows is planned once" in on.explain(near)
    for data, sorts in ((near, False), (far, True)):
        later.clear()
        assert bits(on(data)) == bits(program(data))
        text = "\n".join(told(one, None, 2) for one in later)
        assert ("sorted runs" in text) == sorts
        assert "places of their own" in text


@pytest.mark.usefixtures("small_tasks", "kept_values")
@pytest.mark.parametrize("far", [False, pytest.param(True, marks=LONG)], ids=["near", "far"])
def test_vectors_larger_than_a_worker(far: bool, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements at places that data tell are picked, and put, with a part of the vector at a time."""
    if far:
        monkeypatch.setattr("tolang.engines.dask.clusters._probe", nullcontext)
    monkeypatch.setattr("tolang.engines.dask.clusters.resident_memory", _nothing)
    monkeypatch.setattr("tolang.engines.dask.multipass.PORTION", 500)
    waves = {"picked": "where elements are that data tell", "placed": "in stretches of its steps"}
    longer = {"searched": "keys of one portion after the other"} if "TOLANG_CLUSTER" in os.environ else {}
    for name, words in (waves | longer).items():
        source, make, room = PROGRAMS[name]
        program, data = compile(source), make()
        monkeypatch.setattr(clusters, "_limit", partial(_tight, 3 * room // (1 if far else 2)))
        assert words in program.on(client).explain(*data)
        assert bits(program.on(client)(*data)) == bits(program(*data))


@pytest.mark.usefixtures("small_tasks")
def test_what_turns_read_again_stays_mapped_as_long_as_they_go(client: Any) -> None:
    """Workers keep an array of 4 MB that all turns read, which is announced; when all is done nothing is mapped."""
    far = "reduce(map(x, abs(* - e)), add, 0) / n"
    program = compile(f"tol x: R[n]\ny := reduce(tol[5], (s,t) -> map(s, e -> e + {far}), [0.0,0.5])")
    data, on = ((x := normal(500_000)),), OnCluster(program, client)
    placed = on.placed(work_of(program, data, {}))
    mapped = sum(cut.mapped for cut in all_cuts(placed.cuts))
    assert mapped >= x.nbytes
    assert placed.peak >= mapped + max(cut.bytes for cut in placed.cuts)
    assert bits(on(*data)) == bits(program(*data))
    until = time.monotonic() + 20
    while any(client.run(_has_mapped).values()) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(client.run(_has_mapped).values())


def _has_mapped() -> bool:
    """Whether the process in which it runs has memory of another one mapped."""
    return "memfd:tolang" in Path("/proc/self/maps").read_text()


def _tight(room: int, dask_worker: Any = None) -> int:
    from tolang.engines.dask.budgets import ENGINE

    return ENGINE + room


def _nothing() -> int:
    return 0


@pytest.mark.usefixtures("small_tasks", "kept_values")
@pytest.mark.parametrize("name", [pytest.param("heat", marks=LONG), "less the sums of columns"])
def test_memory_that_workers_share(name: str, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks do not travel: workers read and write them where they are, and nothing is left open afterwards."""
    source, make, _ = PROGRAMS[name]
    program, data, given = compile(source), make(), list[int]()
    results = clusters.OnWorkers.perform

    def noted(workers: Any, *asked: Any) -> Any:
        for request, found in results(workers, *asked):
            given.extend(one.size for one in found)
            yield request, found

    monkeypatch.setattr(clusters.OnWorkers, "perform", noted)
    on = program.on(client)
    assert "memory that the workers share" in on.explain(*data)
    assert on.explain(*data).startswith("1. s: 5 turns, 4 together") == (name == "heat")  # and no copy before them
    assert bits(on(*data)) == bits(program(*data))
    assert max(given, default=0) <= 12
    del on  # which has kept what inputs were copied to
    gc.collect()
    opened = []
    for one in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the client's own thread has closed it meanwhile
            opened.append(os.readlink(one))
    assert not [one for one in opened if "memfd:tolang" in one]


@pytest.mark.usefixtures("small_tasks", "kept_values")
def test_memory_of_inputs_serves_the_next_run(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the values of each run, and results of earlier ones stay; a run that fails, or loses workers, keeps none."""
    source = "list pair: [a: N, b: R]\ntol t: pair [n]\ntol x: R [n]\ny := map(x, *)\nz := map(t, *[a]' * *[b]')"
    program = compile(source)
    on, rng, found = OnCluster(program, client), np.random.default_rng(3), []
    for _ in range(3):
        table, x = np.zeros(200_000, [("a", np.int64), ("b", np.float64)]), rng.random(200_000)
        table["a"], table["b"] = rng.integers(0, 9, len(x)), rng.random(len(x))
        found.append((bits(program(table, x)), on(table, x)))
        assert on.shelf.held == table.nbytes + x.nbytes
    assert all(bits(given) == expected for expected, given in found)
    table["a"][150_000] = -1
    with pytest.raises(ToLangError, match=r"-1 at \[150001\] of t\[a\]' is not in N"):
        on(table, x)
    assert on.shelf.held < table.nbytes + x.nbytes
    table["a"][150_000] = 1
    monkeypatch.setattr(clusters.OnWorkers, "are_all_there", lambda workers: False)
    assert bits(on(table, x)) == bits(program(table, x))
    assert on.shelf.held == 0


@pytest.mark.usefixtures("small_tasks", "kept_values", "far_workers")
@pytest.mark.parametrize("name", ["heat", "conjugate gradient"])
def test_values_stay_with_workers(name: str, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stages give to each other is never fetched: the results alone are."""
    source, make, _ = PROGRAMS[name]
    program, data, fetched = compile(source), make(), list[int]()
    found = clusters.OnWorkers.fetched

    def noted(workers: Any, task: Any) -> Any:
        blocks = found(workers, task)
        fetched.append(sum(block.nbytes for block in blocks))
        return blocks

    monkeypatch.setattr(clusters.OnWorkers, "fetched", noted)
    assert on_workers(program, client, data) == bits(program(*data))
    results = sum(len(one) for one in bits(program(*data)).values())
    assert sum(fetched) <= results


def on_workers(program: Any, client: Any, data: tuple[Any, ...]) -> dict[str, bytes]:
    on = program.on(client)
    assert on.placed(work_of(program, data, {})).kept
    assert "stay with the workers" in on.explain(*data)
    return bits(on(*data))


@pytest.mark.usefixtures("small_tasks")
def test_strict(client: Any) -> None:
    source, make, _ = PROGRAMS["product"]
    program, data = compile(source, strict=True), make()
    assert bits(program.on(client)(*data)) == bits(program(*data))


@pytest.mark.usefixtures("small_tasks")
def test_files(client: Any, tmp_path: Path) -> None:
    a, b = normal(120, 40), normal(40, 70)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    program = compile(PRODUCT)
    found = program.on(client, into=tmp_path / "c.npy")(tmp_path / "a.npy", tmp_path / "b.npy")
    assert found.tobytes() == program(a, b).tobytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.npy", "b.npy", "c.npy"]


@pytest.mark.usefixtures("small_tasks")
def test_a_file_that_changes_while_workers_read_it(client: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", normal(3000))
    program = compile("tol x: R[n]\ny := map(x, exp(*))")
    work = work_of(program, (tmp_path / "x.npy",), {})
    np.save(tmp_path / "x.npy", normal(3000))
    with pytest.raises(ToLangUsageError, match="changed"):
        program.on(client, into=tmp_path / "y.npy").run(work)
    assert [one.name for one in tmp_path.iterdir()] == ["x.npy"]


@pytest.mark.usefixtures("small_tasks")
def test_chunks_and_tables_by_workers(client: Any, tmp_path: Path) -> None:
    """Workers read chunks of Zarr; what they give is written to chunks, or to a folder of Parquet."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra tables is not installed")
    zarr = pytest.importorskip("zarr", reason="the extra dask is not installed")
    a, b = normal(120, 40), normal(40, 70)
    zarr.create_array(store=str(tmp_path / "a.zarr"), shape=a.shape, dtype=a.dtype, chunks=(32, 16))[:] = a
    program, table = compile(PRODUCT), compile("tol x: R[n]\ny := map(x, exp(*))")
    into = program.on(client, into=tmp_path / "c.zarr")(tmp_path / "a.zarr", b)
    assert np.asarray(zarr.open_array(str(into))[:]).tobytes() == program(a, b).tobytes()
    into = table.on(client, into=tmp_path / "y.parquet")(x := normal(3000))
    assert parquet.read_table(into).column(0).to_numpy().tobytes() == table(x).tobytes()


@pytest.mark.usefixtures("small_tasks")
def test_a_gradient_on_workers(client: Any) -> None:
    fit = "fit = map(tol[n], reduce(map(x[i], * * w[j], j), add, 0), i)"
    loss = compile(f"tol x: R[n,m]\ntol w: R[m]\n{fit}\nloss := reduce(map(fit, *^2), add, 0) / n")
    gradient, data = loss.gradient(of="loss", by=["w"], value=True), (normal(2000, 30), normal(30))
    on = OnCluster(gradient, client)
    assert max(cut.tasks for cut in all_cuts(on.placed(work_of(gradient, data, {})).cuts)) > 1
    assert bits(on(*data)) == bits(gradient(*data))


@pytest.mark.usefixtures("small_tasks")
def test_a_model_on_workers(client: Any, tmp_path: Path) -> None:
    """Over a batch, near and far; its weights travel once."""
    pytest.importorskip("onnx")
    model, images = tolang.onnx.load(saved_model(tmp_path)), normal(40, 3, 16, 16).astype("f4")
    on = OnCluster(model.program, client)
    assert max(cut.tasks for cut in all_cuts(on.placed(work_of(model.program, (images,), {})).cuts)) > 1
    assert np.asarray(on(images)).tobytes() == np.asarray(model(images)).tobytes()


def test_what_a_task_costs(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below two milliseconds of the client, the scheduler and the workers together, where nothing is computed.

    The least of some runs counts: processor time is half as long again while others use the machine, too.
    """
    monkeypatch.setattr(grids, "WORK_OF_A_TASK", 100)
    monkeypatch.setattr(grids, "TASKS_OF_A_NEAR_WORKER", 128)
    program, data = compile("tol x: R[n]\ny := map(x, * + 1)"), (normal(100_000),)
    on = OnCluster(program, client)
    tasks = sum(cut.tasks for cut in on.placed(work_of(program, data, {})).cuts)
    assert tasks >= 250
    on(*data)

    def spent() -> float:
        return sum((time.process_time(), *client.run(time.process_time).values()))

    times = [spent(), *(on(*data) is not None and spent() for _ in range(8))]
    assert min(after - before for before, after in pairwise(times)) < 2e-3 * tasks


@pytest.mark.usefixtures("small_tasks", "kept_values")
def test_dask_arrays_in_and_out(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are taken where they are, and results stay with the workers until somebody asks for them."""
    import dask.array

    a, b = normal(120, 40), normal(40, 70)
    program, lazy = compile(PRODUCT), dask.array.from_array(a, chunks=(50, 17))
    fetched: list[Any] = []
    monkeypatch.setattr(clusters.OnWorkers, "fetched", lambda workers, task: fetched.append(task))
    found = program.on(client, keep=True)(lazy, b)
    assert (found.shape, found.dtype, fetched) == ((120, 70), np.dtype(float), [])
    assert found.numblocks != (1, 1)
    assert np.ascontiguousarray(found.compute()).tobytes() == program(a, b).tobytes()
    assert np.allclose((found + 1).sum().compute(), (a @ b + 1).sum())
    monkeypatch.undo()
    with pytest.raises(ToLangError) as error:
        compile("tol k: N[n]\ny := map(k, * + 1)").on(client)(dask.array.from_array(np.array([3, -1]), chunks=1))
    assert error.value.code == "E501"
    assert program.within("4GB")(lazy, b).tobytes() == program(a, b).tobytes()


def test_dask_frames(client: Any) -> None:
    """Columns go to components by name, each partition where it is."""
    pandas = pytest.importorskip("pandas", reason="frames of Dask are made of those of pandas")
    import dask.dataframe

    amount, price = RNG.integers(0, 9, 100), normal(100)
    table = pandas.DataFrame({"price": price, "unit": "kg", "amount": amount})
    program = compile("tol sales: (amount: N, price: R)[n]\ny := map(sales, *[amount]' * *[price]')")
    frame = dask.dataframe.from_pandas(table, npartitions=3)
    expected: Any = program(table[["amount", "price"]]).tobytes()
    assert program.on(client)(frame).tobytes() == expected == (amount * price).tobytes()
    assert program.within("4GB")(frame).tobytes() == expected
    sums = compile(GROUPS)
    given, expected = (
        frame.rename(columns={"amount": "key", "price": "value"}),
        sums(pandas.DataFrame({"key": amount, "value": price})),
    )
    found = sums.on(client, keep="frames")(given)
    assert type(found).__module__.startswith("dask.dataframe")
    assert list(found.columns) == ["key", "f2"]
    assert found.compute().to_numpy().tolist() == np.array(expected.columns).T.tolist()
    doubled = compile("tol price: R[n]\ny := map(price, * * 2)").on(client, keep="frames")(frame["price"])
    assert doubled[doubled.y > 0].y.sum().compute() == pytest.approx(2 * price[price > 0].sum())
    column = compile("tol price: R[n]\ny := map(price, * + 1)").on(client)(frame["price"])
    assert column.tobytes() == (price + 1).tobytes()
    with pytest.raises(ToLangError) as error:
        program.on(client)(frame.assign(amount=-1))
    assert error.value.code == "E501"


@pytest.mark.parametrize("name", ["product", "heat"])
def test_memory_of_a_worker(name: str, client: Any, small_tasks: None) -> None:
    """What workers hold at the most is what was announced at the most."""
    program = compile(PRODUCT if name == "product" else HEAT)
    data = (normal(1200, 900), normal(900, 1200) if name == "product" else 5)
    on = OnCluster(program, client)
    announced = on.placed(work_of(program, data, {})).peak
    on(*data)
    held = client.run(_held)
    assert max(held.values()) <= announced <= 1 << 30


def _held() -> int:
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize("turns", ["", "among workers"])
def test_errors_of_the_program(turns: str, client: Any) -> None:
    """Those of a task, and of turns that go among workers: the fifth reads what is not there."""
    far = "reduce(map(k, mod(* * s[i], 7)), add, 0)"
    turns_of = f"reduce(tol[9], (s,t) -> map(s, k[s[i]] + s[i] + 0 * {far}, i), map(k, 1))"
    program = compile(f"tol k: Z[m]\ny := {turns_of if turns else 'map(k, k[k[i]], i)'}")
    data = np.full(2000, 600 if turns else 9000)
    assert turns in program.on(client).explain(data)
    with pytest.raises(ToLangRunError) as error:
        program.on(client)(data)
    assert error.value.code == "E513"


def test_too_little_memory_is_refused(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_limit", _little)
    with pytest.raises(ToLangUsageError) as error:
        compile(PRODUCT).on(client)(normal(50, 40), normal(40, 30))
    assert error.value.code == "E616"


def _little(dask_worker: Any = None) -> int:
    return 1 << 20


@pytest.mark.parametrize(
    ("what", "other"), [("VERSION", "0.0.1"), ("_target", lambda engine: "a processor of its own")]
)
def test_unlike_workers_are_told(what: str, other: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tolang.engines.dask import clusters as programs

    monkeypatch.setattr(programs, what, other)
    with pytest.raises(ToLangError) as error:
        compile(PRODUCT).on(client)(normal(50, 40), normal(40, 30))
    assert error.value.code == "E617"
    assert (other("cpu") if callable(other) else other) in str(error.value)


def test_run_on_workers(product: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On those that are started for it, and on those of a cluster that is there; one that is not is told."""
    for workers in (["--workers", "1", "--memory", "1GB"], ["--cluster", client.scheduler.address]):
        done = command(*RUN, *workers)
        assert (done.exit_code, "dashboard: http" in done.stderr) == (0, "--workers" in workers)
        assert np.load("c.npy").tobytes() == product.tobytes()
        Path("c.npy").unlink()
    monkeypatch.setattr("tolang.faces.commands.pieces.SOON", 1)
    refused = command(*RUN, "--cluster", "tcp://127.0.0.1:1")
    assert (refused.exit_code, "E617" in refused.stderr) == (2, True)


@pytest.mark.usefixtures("small_tasks", "product")
@pytest.mark.parametrize("on_terminal", [True, False])
def test_progress_of_workers(on_terminal: bool, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal is shown how many tasks are done; a pipe is not."""
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: on_terminal)
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr("tolang.ground.reporting.progress.PATIENCE", 0.0)
    app([*RUN, "--cluster", client.scheduler.address], standalone_mode=False)
    assert ("running product" in stream.getvalue()) == on_terminal
    assert "c.npy: c" in stream.getvalue()
