"""What is announced before a program runs in pieces, memory above all, and that it holds no more."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import scaling
from benchmarks.paper import estimated
from tests.pieces.programs import (
    GROUPS,
    HEAT,
    JOIN,
    KMEANS,
    LONG,
    PRODUCT,
    PROGRAMS,
    RNG,
    RUN,
    bits,
    command,
    normal,
    pairs,
    placed,
    product,
)

from tolang.data import datasets
from tolang.engines.dask import piecewise
from tolang.engines.dask.budgets import ENGINE, Room
from tolang.engines.dask.grids import SCHEDULING, WORK_OF_A_TASK, shared_by
from tolang.engines.dask.parts import Driven, all_cuts
from tolang.engines.dask.piecewise import Planning, explained
from tolang.engines.dask.work import work_of
from tolang.ground.reporting.diagnostics import ToLangUsageError
from tolang.ground.reporting.quantities import bytes_from
from tolang.ground.system.memory import bytes_text
from tolang.program.program import compile

__all__ = ["product"]


def test_memory_of_the_turn_that_needs_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of eight turns reads a stretch of `w` that is eight times as long as that of the first."""
    program = compile("tol x: R[n]\ntol w: R[m]\ny := reduce(tol[8], (s,e,t) -> map(s, */3 + w[t*i], i), x)")
    data = normal(600), normal(4800)
    found, values = placed(program, data, 9000, monkeypatch)
    (cut,) = all_cuts(one for one in found.cuts if isinstance(one, Driven))
    (count,) = cut.steps
    assert 8 * (count + (8 * (count - 1) + 1) + count) <= cut.bytes <= 9000
    assert bits(values) == bits(program(*data))


def test_too_little_memory_is_refused_with_the_least_that_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piecewise, "resident_memory", lambda: 0)
    data, program = (normal(200, 50), normal(50, 200)), compile(PRODUCT)
    with pytest.raises(ToLangUsageError) as error:
        program.within(ENGINE + 1000)(*data)
    assert error.value.code == "E616"
    least = (2 * 50 + 1) * 8  # a row, a column and an element
    results = 200 * 200 * 8
    work = work_of(program, data, {})
    with pytest.raises(ToLangUsageError):
        piecewise.Piecewise(program, ENGINE + results + least - 1).placed(work)
    assert piecewise.Piecewise(program, ENGINE + results + least).placed(work).cuts[0].tasks == 200 * 200


FIGURE = re.compile(r"at least ([0-9.]+ [kMGT]B)")


@pytest.mark.parametrize(
    ("source", "known"),
    [
        (PRODUCT, {"n": 4000, "k": 3000, "m": 4000}),
        ("tol x: R[n]\ny := sort(x)", {"n": 12_000_000}),
        (HEAT, {"n": 90_000, "m": 90_000, "steps": 3}),
        ("tol x: R[n]\ny := reduce(x, (s,v,i) -> put(s, i, v * s[i]), x)", {"n": 3 * 10**9}),
    ],
    ids=["product", "sort", "heat", "in one task"],
)
def test_the_least_that_would_do_is_what_is_told(
    source: str, known: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever little is allowed, the same figure is told, which is accepted, and what it is for; no less is."""
    monkeypatch.setattr(piecewise, "resident_memory", lambda: 51_234_567)
    program = compile(source)
    figures = set()
    for little in (1, 30_000_000, 255_000_000):
        with pytest.raises(ToLangUsageError) as error:
            explained(program, known, little, 0)
        told = str(error.value)
        figures |= {bytes_from(one.replace(" ", "")) for one in FIGURE.findall(told)}
        assert "60 MB that the process holds, 200 MB to compile and run, " in told
        assert f"allow {FIGURE.findall(told)[0].replace(' ', '')}" in told
    (least,) = figures
    assert "tasks" in explained(program, known, least, 0) or "one task" in explained(program, known, least, 0)
    with pytest.raises(ToLangUsageError):
        explained(program, known, least - max(10**6, least // 100), 0)


def test_a_result_in_memory_is_told_apart() -> None:
    data = np.zeros((1500, 40)), np.zeros((40, 1500))
    with pytest.raises(ToLangUsageError) as error:
        compile(PRODUCT).within("10MB")(*data)
    assert "18 MB for the result in memory" in str(error.value)
    assert 'into="y.npy"' in str(error.value)


def test_units_of_memory_are_decimal() -> None:
    """Those with an i are not; what is told can be given."""
    amounts = {"500M": 5 * 10**8, "2GB": 2 * 10**9, "1.5 kB": 1500, "2GiB": 2 << 30, "1KiB": 1024}
    assert {text: bytes_from(text) for text in amounts} == amounts
    assert [bytes_from(bytes_text(one).replace(" ", "")) for one in (10**6, 381 * 10**6, 12 * 10**9)] == [
        10**6, 381 * 10**6, 12 * 10**9,
    ]  # fmt: skip


def test_progress_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A function is called with how many pieces are done, from none to all; or a line is written while it runs."""
    monkeypatch.setattr(piecewise, "resident_memory", lambda: 0)
    program, data = compile(PRODUCT), (normal(60, 40), normal(40, 60))
    room, told = ENGINE + 60 * 60 * 8 + 9000, list[tuple[int, int]]()
    whole = program(*data)
    assert bits(program.within(room, progress=lambda done, total: told.append((done, total)))(*data)) == bits(whole)
    total = told[-1][1]
    assert told == [(done, total) for done in range(total + 1)]
    assert total > 8
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("tolang.ground.reporting.progress.PATIENCE", 0.0)
    monkeypatch.setattr("tolang.ground.reporting.progress.REFRESH_IN_A_FILE", 0.0)
    program.within(room, progress=True)(*data)
    assert f"of {total} pieces" in capsys.readouterr().err
    with pytest.raises(ToLangUsageError) as error:
        program.within(room, progress="yes")  # type: ignore[arg-type]  # as somebody may write
    assert error.value.code == "E603"


def test_progress_counts_what_is_planned_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where running tells lengths there are more pieces to do, and never fewer than are done."""
    source, make, room = PROGRAMS["sums of groups"]
    program, data, told = compile(source), make(), list[tuple[int, int]]()
    placed(program, data, room, monkeypatch)
    work = work_of(program, data, {})
    pieces = program.within(ENGINE + room + piecewise._bytes_of_results(work), None, lambda *one: told.append(one))
    pieces(*data)
    assert all(done <= total for done, total in told)
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] > told[0][1]


LARGE = """
import sys
from pathlib import Path
import tolang
from tolang.ground.system.memory import resident_memory
from tolang.engines.dask.work import work_of
program = tolang.compile(sys.argv[1])
pieces = program.within(sys.argv[2], into=None if sys.argv[3] == "-" else sys.argv[3])
given = [int(one) if one.isdigit() else Path(one) for one in sys.argv[4:]]
before = resident_memory()
announced = pieces.placed(work_of(program, given, {})).peak
pieces(*given)
held = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(before, announced, int(held.split()[1]) * 1024)
"""


def rows_of(*shape: int) -> Callable[[Path], Path]:
    """What writes an array, a million numbers at a time."""

    def made(path: Path) -> Path:
        file = np.lib.format.open_memmap(path.with_suffix(".npy"), "w+", float, shape)
        rows = max(1, 1_000_000 * shape[0] // math.prod(shape))
        for low in range(0, shape[0], rows):
            file[low : low + rows] = RNG.random(file[low : low + rows].shape)
        return path.with_suffix(".npy")

    return made


def table_of(rows: int, keys: int, apart: int = 1) -> Callable[[Path], Path]:
    """What writes a table of keys, so far apart, and values, in several files."""

    def made(path: Path) -> Path:
        import pyarrow.parquet

        path.mkdir()
        for k in range(4):
            one = pairs(rows // 4, keys)
            one["key"] *= apart
            table = pyarrow.table({name: np.ascontiguousarray(one[name]) for name in one.dtype.names})
            pyarrow.parquet.write_table(table, path / f"{k}.parquet", row_group_size=1 << 16)
        return path

    return made


@pytest.mark.parametrize(("rows", "largest"), [(1 << 15, 1 << 21), (300_000, 1 << 21), (300_000, 1 << 16)])
def test_unpacking_takes_what_was_announced(
    rows: int, largest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups of rows, of many columns, as a whole and batch by batch: what Arrow has allocated at the most."""
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(datasets, "LARGEST_GROUP", largest)
    monkeypatch.setattr(datasets, "BATCH", 1 << 13)
    columns = {f"c{k}": RNG.random(300_000) if k % 2 else RNG.integers(0, 9, 300_000) for k in range(6)}
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet", row_group_size=rows)
    program = compile("list row: [c1: R, c4: Z]\ntol t: row[n]\ny := map(t, row -> row[c1]' + row[c4]')")
    work = work_of(program, (tmp_path / "t.parquet",), {})
    before = pyarrow.default_memory_pool()
    for one in work.sources().values():
        assert isinstance(one, datasets.StoredColumn)
        pool = pyarrow.proxy_memory_pool(before)
        pyarrow.set_memory_pool(pool)
        try:
            one.read([(20_001, 280_000)])
        finally:
            pyarrow.set_memory_pool(before)
        assert 0 < pool.max_memory() <= one.unpacking
    placed = piecewise.Piecewise(program, 64 * 10**9).placed(
        work
    )  # what tests before have left in the process counts, too
    assert placed.peak >= placed.cuts[0].bytes + work.unpacking + ENGINE


CENTRED = "tol x: R[n,m]\nc = reduce(x, add, 0)/(n*m)\ny := map(x, (* - c)^2)"
STREAMED: dict[str, tuple[str, list[Callable[[Path], Path] | int], str]] = {
    "product": (PRODUCT, [rows_of(8000, 100), rows_of(100, 3000)], "out.npy"),
    "centred": (CENTRED, [rows_of(20_000, 1000)], "out.npy"),
    "sort": ("tol x: R[n]\ny := sort(x)", [rows_of(20_000_000)], "out.npy"),
    "groups": (GROUPS, [table_of(12_000_000, 500_000)], "out.parquet"),
    "join": (JOIN, [table_of(10_000_000, 10_000_000), table_of(2_000_000, 10_000_000)], "out.parquet"),
    "join by search": (JOIN, [table_of(2_000_000, 10**7, 10**9), table_of(20_000_000, 10**7, 10**9)], "out.parquet"),
    "clusters": (KMEANS, [rows_of(8_000_000, 4), rows_of(10, 4), 2], "-"),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system does not tell what a process has held")
@pytest.mark.parametrize("name", ["product", *(pytest.param(n, marks=LONG) for n in [*STREAMED][1:])])
def test_peak_is_what_was_announced(name: str, tmp_path: Path) -> None:
    """Data and what is made of them do not fit into the memory allowed; the resident set stays below the announced."""
    source, inputs, out = STREAMED[name]
    given = [one if isinstance(one, int) else one(tmp_path / f"{k}") for k, one in enumerate(inputs)]
    into = tmp_path / out if out != "-" else out
    done = subprocess.run(
        [sys.executable, "-c", LARGE, source, "400M", str(into), *map(str, given)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    before, announced, held = map(int, done.stdout.split())
    files = (one for one in tmp_path.rglob("*") if one.is_file())
    assert held <= announced <= 400 << 20
    assert sum(one.stat().st_size for one in files) > announced - before - ENGINE


@pytest.mark.parametrize(
    ("name", "known", "workers", "bound"),
    [
        ("product", {"n": 100_000, "k": 100_000, "m": 100_000}, 100, "computing"),
        ("turned", {"n": 10**6, "m": 10**6}, 100, "moving"),
        ("joined", {"n": 10**13, "m": 10}, 10_000, "scheduling"),
    ],
)
def test_on_paper(name: str, known: dict[str, int], workers: int, bound: str) -> None:
    """Products compute, turned matrices move; so many workers that each has next to nothing wait for the scheduler."""
    room = Room(16 << 30, 0, workers, 2, processes=workers)
    found = estimated(Planning(False, room).placed(compile(PROGRAMS[name][0]).core, known), workers)
    assert found.bound == bound
    assert getattr(found, bound) <= found.total <= found.computing + found.moving + found.scheduling


@pytest.mark.parametrize(
    "case",
    [pytest.param(one, marks=LONG if "steps.1" in one.sizes(1) else (), id=one.name) for one in scaling.CASES],
)
def test_five_programs_on_ten_thousand_workers(case: scaling.Case) -> None:
    """On paper 16 workers are of use, all of them; ten thousand are no slower than so few, and have tasks to do."""
    (alone, _), (few, _), (many, tasks) = (scaling.on_paper(case, case.whole, number) for number in (1, 16, 10_000))
    assert alone.total / few.total > 12
    assert many.total < few.total
    assert tasks > 100


def test_turns_have_as_many_tasks_as_make_them_fastest() -> None:
    """The time of a turn of `work` in `tasks` is that of its share and that of the scheduler: least where both are."""
    sharing = shared_by(10_000, turns=True)
    for work in (2e8, 1e10, 1e12):
        times = {tasks: work / tasks + tasks * WORK_OF_A_TASK * SCHEDULING for tasks in range(1, 10_001)}
        assert times[sharing.tasks(work)] <= 1.01 * min(times.values())


def test_run_within_memory(product: Any) -> None:
    assert command(*RUN, "--memory", "4GB").exit_code == 0
    assert np.load("c.npy").tobytes() == product.tobytes()
    for options, code in ((["10M"], "E616"), (["4GB", "--engine", "interpret"], "E618")):
        refused = command(*RUN, "--memory", *options)
        assert (refused.exit_code, code in refused.stderr) == (2, True)


def test_many_tasks_are_planned_soon() -> None:
    """A hundred thousand, with what each of them reads, within five seconds: of so many fewer as much less."""
    known, started = dict.fromkeys("nkm", 50_000), time.thread_time()
    core = compile(PRODUCT).core
    (cut,) = all_cuts(Planning(False, Room(64 << 30, workers=2000, slots=2, processes=2000)).placed(core, known).cuts)
    regions = [cut.piece.region(one, cut.piece.values(box, known)) for box in cut.boxes() for one in cut.piece.reads]
    assert cut.tasks >= 8000
    assert len(regions) == 2 * cut.tasks
    assert time.thread_time() - started < 5 * cut.tasks / 100_000 + 1


@pytest.mark.usefixtures("product")
def test_explain() -> None:
    """Figures that follow from the grid that is told: 16 workers, four tasks each, squares of a square result."""
    lengths = "n=40000", "k=10000", "m=40000"
    stage, tasks, peak = command(
        "explain", "product.tol", *lengths, "--workers", "16", "--memory", "8GB"
    ).stdout.splitlines()
    piece = (2 * 5000 * 10_000 + 5000 * 5000) * 8
    moved = 64 * 2 * 5000 * 10_000 * 8 + 40_000 * 40_000 * 8
    assert stage == (
        "1. c: 64 tasks of 5000 of 40000 x 5000 of 40000; "
        f"a task holds {bytes_text(piece)}, all move {bytes_text(moved)}"
    )
    assert tasks == f"64 tasks on 16 workers, {bytes_text(moved)} moved"
    assert peak.endswith("of 8 GB allowed")
    alone = command("explain", "product.tol", *lengths, "--memory", "8GB").stdout
    assert alone.endswith("results are written to a file; to have them in memory takes 12.8 GB more\n")
    refused = command("explain", "product.tol", "n=3", "--memory", "8GB")
    assert (refused.exit_code, "E517" in refused.stderr) == (2, True)


def test_explain_counts_what_no_file_takes(tmp_path: Path) -> None:
    """Two results, which `tol run` holds in memory: what is told to fit does, and what does not is refused by both."""
    (tmp_path / "two.tol").write_text("tol x: R [n]\ntotal := reduce(x, add, 0)\ntwice := map(x, * * 2)\n")
    enough, little = (
        command("explain", str(tmp_path / "two.tol"), "n=200000000", "--memory", memory) for memory in ("4GB", "1GB")
    )
    assert "results stay in memory" in enough.stdout
    assert "1.6 GB for the result in memory" in little.stderr


@pytest.mark.parametrize(
    ("source", "known", "workers", "grid"),
    [
        (PRODUCT, dict.fromkeys("nkm", 4096), 2, (2, 1)),
        (PRODUCT, dict.fromkeys("nkm", 4096), 3, (8, 1)),
        (PRODUCT, {"n": 2**20, "k": 64, "m": 64}, 2, (4, 1)),
        ("tol x: R[n]\ny := map(x, exp(*))", {"n": 2**28}, 2, (4,)),
    ],
)
def test_near_workers_have_rows_that_lie_together(
    source: str, known: dict[str, int], workers: int, grid: tuple[int, ...]
) -> None:
    """Each has two stretches of rows, or one where two would read much twice and workers have as many then.

    What a task holds is announced once, for nothing of it travels.
    """
    placed = Planning(False, Room(8 << 30, workers=workers, near=True)).placed(compile(source).core, known)
    (cut,) = all_cuts(placed.cuts)
    assert cut.grid == grid
    assert placed.peak == ENGINE + cut.bytes


def test_turns_go_together_from_where_their_state_lies() -> None:
    """All of them in one task for each worker, where the halo is little beside its rows; no stage copies the input."""
    known = {"n": 20_000, "m": 20_000, "steps.1": 8, "steps": 8}
    (driven,) = Planning(False, Room(8 << 30, workers=2, near=True)).placed(compile(HEAT).core, known).cuts
    assert isinstance(driven, Driven)
    assert (driven.leap, driven.tasks) == (8, 2)
    assert list(driven.begins.values()) == ["u.1"]
