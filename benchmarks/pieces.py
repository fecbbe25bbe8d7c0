"""Programs on two worker processes of one thread beside one process of two threads, on this machine.

    python -m benchmarks.pieces [--quick] [--rows ROW …] [--workers 2] [--runs 3] [--table FILE] [--json FILE]

Each row runs both ways in turn, a few times; the fastest of each counts, and the results must have the same bits.
Prints, and writes as a table, seconds, the part of one process that the workers reach, by the fastest runs and as the
median of runs in turn, the processor time that workers and the client took beside that of the one process, what a
worker held beside what was announced for it, and which part of the processors others had meanwhile, on this machine or
below it.  Tables are read from Parquet, by Polars too where it is installed, which takes its turns with both; its
results must be the same but for their order.  Then: what a task costs beyond computing where nothing is computed, and
how long 100,000 tasks are planned.  A row says so where something is not installed that it cannot do without.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import tolang
from benchmarks import machine
from tolang.engines.dask import grids
from tolang.engines.dask.budgets import Room
from tolang.engines.dask.cluster import local_workers
from tolang.engines.dask.piecewise import Planning
from tolang.engines.dask.work import work_of
from tolang.ground.dataclasses import dataclass

PRODUCT = "tol a: R[n,k]\ntol b: R[k,m]\nc := map(tol[n,m], reduce(map(tol[k], a[i,p]{} b[p,j], p), {}), [i,j])"
HEAT = """
tol u: R[n,n,n]
tol steps: N
inner(i,j,k) = i>1 and i<n and j>1 and j<n and k>1 and k<n
near(s,i,j,k) = s[i-1,j,k] + s[i+1,j,k] + s[i,j-1,k] + s[i,j+1,k] + s[i,j,k-1] + s[i,j,k+1]
step(s) = map(s, if inner(i,j,k) then * + 0.1 * (near(s,i,j,k) - 6 * *) else *, [i,j,k])
result := reduce(tol[steps], (s,t) -> step(s), u)
"""
GROUPS = """
use tables
list pair: [key: Z, value: R]
tol t: pair [n]
result := group_sum(t, row -> row[key]', row -> row[value]')
"""
JOIN = """
use tables
list pair: [key: Z, value: R]
tol t: pair [n]
tol u: pair [m]
result := join(t, u, row -> row[key]', row -> row[key]')
"""
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PAGERANK = (EXAMPLES / "gallery/motifs/pagerank.tol").read_text("utf-8")
KMEANS = (EXAMPLES / "paper/kmeans.tol").read_text("utf-8")
RUNS = 3
FILES = 16
"""How many files of Parquet a table is in."""
TASKS = 1000
"""How many tasks compute next to nothing, where their cost is measured."""
MEMORY = 8 << 30
"""Bytes that a worker may take."""
RNG = np.random.default_rng(16)


@dataclass(frozen=True)
class Row:
    """A program, what makes its data for a length, the length and a little one, and what the workers are to reach.

    That is a part of what one process does; where a row has `polars`, how many times as long as that they may take.
    """

    name: str
    source: str
    data: Callable[[int], tuple[Any, ...]]
    length: int
    little: int
    target: float | None = None
    polars: Callable[..., Any] | None = None


def square(n: int) -> tuple[Any, ...]:
    return RNG.random((n, n)), RNG.random((n, n))


def pairs(n: int, keys: int) -> Any:
    """A table of keys and values."""
    found = np.zeros(n, [("key", np.int64), ("value", np.float64)])
    found["key"], found["value"] = RNG.integers(0, keys, n), RNG.random(n)
    return found


def links(n: int) -> tuple[Any, ...]:
    """Edges of a graph with a page for each 200 of them, and how many steps PageRank takes."""
    pages = max(1, n // 200)
    found = np.zeros(n, [("from", np.int64), ("to", np.int64)])
    found["from"], found["to"] = RNG.integers(1, pages + 1, n), RNG.integers(1, pages + 1, n)
    return found, pages, 0.85, 10


def points(n: int) -> tuple[Any, ...]:
    """Points of four dimensions, ten of them as centres, and how many steps K-means takes."""
    found = RNG.random((n, 4))
    return found, found[:10].copy(), 5


def sums_in_polars(polars: Any, table: Any) -> Any:
    return table.group_by("key").agg(polars.col("value").sum()).sort("key")


def join_in_polars(polars: Any, table: Any, other: Any) -> Any:
    return table.join(other, on="key", maintain_order="left_right")


ROWS = (
    Row("min-plus", PRODUCT.format(" +", "min, +Inf"), square, 4096, 2048, 0.9),
    Row("product", PRODUCT.format(" *", "add, 0"), square, 8192, 4096, 0.9),
    Row("heat", HEAT, lambda n: (RNG.random((n, n, n)), 32), 512, 256, 0.8),
    Row("sort", "tol x: R[n]\nresult := sort(x)", lambda n: (RNG.random(n),), 50_000_000, 2_000_000),
    Row("groups", GROUPS, lambda n: (pairs(n, 1000),), 50_000_000, 2_000_000, 1.5, sums_in_polars),
    Row("join", JOIN, lambda n: (pairs(n, n), pairs(n // 10, n)), 50_000_000, 2_000_000, 1.5, join_in_polars),
    Row("pagerank", PAGERANK, links, 20_000_000, 10_000_000, 0.8),
    Row("kmeans", KMEANS, points, 20_000_000, 4_000_000, 0.8),
)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds that something took, by the clock and of processors, those of the system apart."""

    seconds: float
    processor: float
    system: float

    @staticmethod
    def least(runs: Sequence[Spent]) -> Spent:
        return Spent(*(min(getattr(one, name) for one in runs) for name in ("seconds", "processor", "system")))


def used() -> tuple[float, float]:
    """Seconds that this process has had of processors, and those of the system among them."""
    times = os.times()
    return times.user + times.system, times.system


def used_by_all(client: Any) -> tuple[float, float]:
    """The same of this process and the workers of a client, if there is one."""
    both = [used(), *(client.run(used).values() if client is not None else ())]
    return sum(one for one, _ in both), sum(one for _, one in both)


def timed(call: Callable[[], Any], client: Any = None) -> tuple[Spent, Any]:
    """What a call took, on the workers of a client as well, and what it gave."""

    before, started = used_by_all(client), time.perf_counter()
    found = call()
    seconds, after = time.perf_counter() - started, used_by_all(client)
    return Spent(seconds, after[0] - before[0], after[1] - before[1]), found


def bits(found: Any) -> list[bytes]:
    """The bits of all components of all results."""
    values = found.values() if isinstance(found, dict) else [found]
    columns = (one.columns if isinstance(one, tolang.ToL) else [one] for one in values)
    return [np.asarray(column).tobytes() for each in columns for column in each]


def median_of_turns(before: Sequence[Spent], after: Sequence[Spent]) -> float | None:
    """How many times as long one took as the other in the same turn, in the middle of all turns."""
    ratios = [one.seconds / other.seconds for one, other in zip(before, after, strict=False)]
    return float(np.median(ratios)) if ratios else None


def measure(row: Row, client: Any, length: int, folder: Path, runs: int = RUNS) -> dict[str, Any]:
    """What is told of a row."""
    number = len(client.nthreads())
    program, data = tolang.compile(row.source, threads=number), row.data(length)
    given = [in_parquet(one, folder / f"{row.name}-{k}") for k, one in enumerate(data)] if row.polars else data
    del data
    on = program.on(client)
    placed = on.placed(work_of(program, given, {}))
    alone, shared, polars = list[Spent](), list[Spent](), list[Spent]()
    taken, started = others(client), time.perf_counter()
    for _ in range(runs):
        spent, expected = timed(lambda: program(*map(loaded, given)))
        alone.append(spent)
        spent, found = timed(lambda: on(*given), client)
        shared.append(spent)
        if bits(found) != bits(expected):
            raise AssertionError(f"{row.name} differs on workers")
        del found
        polars += by_polars(row, given, expected)
    taken, seconds = others(client) - taken, time.perf_counter() - started
    one, both, other = Spent.least(alone), Spent.least(shared), Spent.least(polars) if polars else None
    median = median_of_turns(shared, polars) if row.polars else median_of_turns(alone, shared)
    part = (both.seconds, other.seconds if other else None) if row.polars else (one.seconds, both.seconds)
    return {
        "row": row.name, "length": length, "workers": number, "tasks": sum(cut.tasks for cut in placed.cuts),
        "one process": one, "on workers": both, "Polars": other, "reached": part[0] / part[1] if part[1] else None,
        "median": median,
        "target": row.target, "at most": bool(row.polars), "announced": placed.peak,
        "held": max(client.run(held_at_the_most).values()), "others": taken / seconds / (os.cpu_count() or 1),
    }  # fmt: skip


def cells(told: Mapping[str, Any]) -> list[str]:
    """What is told of a row as a line of the table."""
    one, both, other, target = told["one process"], told["on workers"], told["Polars"], told["target"]
    seconds, busy = (None, None) if other is None else (other.seconds, other.processor)
    found = [
        one.seconds, both.seconds, seconds, told["reached"], told["median"], one.processor, both.processor, busy,
        one.system, both.system, told["others"],
    ]  # fmt: skip
    numbers = ["" if number is None else f"{number:.2f}" for number in found]
    asked = "" if target is None else f"{'at most' if told['at most'] else 'at least'} {target}"
    memory = [f"{told[name] >> 20}" for name in ("announced", "held")]
    return [told["row"], str(told["length"]), *numbers[:5], asked, *numbers[5:], *memory]


HEADER = (
    "row", "length", "one process s", "workers s", "Polars s", "reached", "median", "target", "one: processor s",
    "workers: processor s", "Polars: processor s", "one: of the system s", "workers: of the system s",
    "processors others had", "announced MiB", "held MiB",
)  # fmt: skip


def in_parquet(table: Any, folder: Path) -> Path:
    """A table in a folder of files of Parquet."""
    import pyarrow
    import pyarrow.parquet

    folder.mkdir()
    ends = [len(table) * k // FILES for k in range(FILES + 1)]
    for k in range(FILES):
        part = table[ends[k] : ends[k + 1]]
        columns = {name: np.ascontiguousarray(part[name]) for name in table.dtype.names}
        pyarrow.parquet.write_table(pyarrow.table(columns), folder / f"{k:02d}.parquet")
    return folder


def loaded(given: Any) -> Any:
    """What is in files, in memory."""
    if not isinstance(given, Path):
        return given
    import pyarrow.parquet

    return pyarrow.parquet.read_table(given)


def by_polars(row: Row, given: Sequence[Path], expected: tolang.ToL) -> list[Spent]:
    """What Polars took, by as many threads; nothing where it is not installed, or has nothing to do."""
    try:
        import polars
    except ImportError:
        return []
    if row.polars is None:
        return []
    asked = row.polars
    spent, found = timed(lambda: asked(polars, *map(polars.scan_parquet, given)).collect())
    if len(found) != len(expected.columns[0]) or not np.allclose(found["value"].to_numpy(), expected.columns[1]):
        raise AssertionError(f"{row.name} differs from what Polars gives")
    return [spent]


def others(client: Any) -> float:
    """Seconds that processors were busy for others than this process and its workers, here or below; 0 if untold."""
    try:
        words = Path("/proc/stat").read_text().split(maxsplit=9)
        busy = sum(int(words[k]) for k in (1, 2, 3, 6, 7, 8)) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0
    return busy - used_by_all(client)[0]


def held_at_the_most() -> int:
    """The most bytes that the process in which it runs has held."""
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def cost_of_a_task(client: Any) -> str:
    """What a task takes beyond computing: many that add 1 to a few numbers."""
    work, most = grids.WORK_OF_A_TASK, grids.TASKS_OF_A_NEAR_WORKER
    grids.WORK_OF_A_TASK, grids.TASKS_OF_A_NEAR_WORKER = 100, TASKS // 2
    try:
        program, data = tolang.compile("tol x: R[n]\ny := map(x, * + 1)"), (RNG.random(100_000),)
        on = program.on(client)
        tasks = sum(cut.tasks for cut in on.placed(work_of(program, data, {})).cuts)
        on(*data)
        least = Spent.least([timed(lambda: on(*data))[0] for _ in range(RUNS)])
    finally:
        grids.WORK_OF_A_TASK, grids.TASKS_OF_A_NEAR_WORKER = work, most
    each, busy = (1e3 * one / tasks for one in (least.seconds, least.processor))
    return f"a task: {each:.2f} ms, {busy:.2f} ms of the client and the scheduler"


def planning() -> str:
    """How long a plan of 100,000 tasks takes, with what each of them reads."""
    core = tolang.compile(PRODUCT.format(" *", "add, 0")).core
    started = time.perf_counter()
    room = Room(64 << 30, 0, 25_000, 2, processes=25_000)
    (cut,) = Planning(False, room).placed(core, dict.fromkeys("nkm", 200_000)).cuts
    assert isinstance(cut, grids.Cut)
    known = dict.fromkeys("nkm", 200_000)
    for box in cut.boxes():
        values = cut.piece.values(box, known)
        assert all(cut.piece.region(buffer, values) for buffer in cut.piece.reads)
    tasks = cut.tasks
    return f"planning {tasks} tasks: {time.perf_counter() - started:.2f} s"


def parsed(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pieces", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="little lengths")
    names = [one.name for one in ROWS]
    parser.add_argument("--rows", nargs="*", choices=[*names, "task", "planning"], default=[*names, "task", "planning"])
    parser.add_argument("--workers", type=int, default=2, help="how many, and how many threads the one process has")
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each way, in turn")
    parser.add_argument("--table", type=Path, default=Path("build/pieces.md"), help="where the table is written")
    parser.add_argument("--json", type=Path, help="where all that was measured is written, if anywhere")
    return parser.parse_args(words)


def as_json(found: object) -> object:
    return {name: getattr(found, name) for name in Spent.__slots__} if isinstance(found, Spent) else str(found)


class Report:
    """What is printed and written, after each row: a run that is ended has not measured for nothing."""

    def __init__(self, table: Path, into: Path | None) -> None:
        self.table, self.into = table, into
        self.lines, self.rows = list[str](), list[Mapping[str, Any]]()
        self.say(f"| {' | '.join(HEADER)} |")
        self.say("|---" * len(HEADER) + "|")

    def say(self, line: str) -> None:
        print(line, flush=True)
        self.lines.append(line)
        _write(self.table, "\n".join(self.lines))

    def row(self, told: Mapping[str, Any]) -> None:
        self.rows.append(told)
        self.say(f"| {' | '.join(cells(told) if 'why' not in told else (told['row'], told['why']))} |")
        if self.into is not None:
            found = {"machine": machine.description(), "rows": self.rows}
            _write(self.into, json.dumps(found, indent=1, default=as_json))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", "utf-8")


def main(words: Sequence[str]) -> None:
    given = parsed(words)
    os.environ.setdefault("TOL_COMPILE", "full")  # for workers, too: code that is only ready soon is no measure
    report = Report(given.table, given.json)
    for row in (one for one in ROWS if one.name in given.rows):
        try:  # workers of its own, of which it is seen what they hold at the most
            with local_workers(given.workers, MEMORY) as client, TemporaryDirectory(prefix="tolang-") as folder:
                length = row.little if given.quick else row.length
                report.row(measure(row, client, length, Path(folder), given.runs))
        except (tolang.ToLangError, ModuleNotFoundError) as error:
            report.row({"row": row.name, "why": " ".join(str(error).split())})
    if "task" in given.rows:
        with local_workers(given.workers, MEMORY) as client:
            report.say("\n" + cost_of_a_task(client))
    if "planning" in given.rows:
        report.say(planning())


if __name__ == "__main__":
    main(sys.argv[1:])
