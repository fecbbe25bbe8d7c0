"""`python -m benchmarks`: measure every row, print the table, write JSON and a plot.

Each number of threads is measured in a process of its own, whose environment gives every library the same number,
and which may use only as many cores.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import machine, report
from benchmarks.rows import chosen

VARIABLES = (
    "TOL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "POLARS_MAX_THREADS", "NPROC",
)  # fmt: skip
FULL_SECONDS, QUICK_SECONDS = 2.0, 0.15
ROOT = Path(__file__).resolve().parents[1]


def environment(threads: int) -> dict[str, str]:
    """The environment of a process in which every library uses so many threads."""
    found = dict(os.environ) | dict.fromkeys(VARIABLES, str(threads))
    found |= {"JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": ""}  # nobody has an accelerator
    if threads == 1:
        found["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    found["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [found.get("PYTHONPATH")])])
    return found


def restrict(threads: int) -> None:
    """Let this process use only as many cores: JAX takes its number of threads from them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[-threads:]))


def measured(rows: str, threads: int, seconds: float) -> Iterator[dict[str, Any]]:
    """The results of one process, as they come.  One that dies is told with the end of what it said."""
    command = [sys.executable, "-m", "benchmarks.measure", "--rows", rows, "--seconds", str(seconds)]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        subprocess.Popen(
            command, env=environment(threads), stdout=subprocess.PIPE, stderr=said, text=True, encoding="utf-8",
            preexec_fn=lambda: restrict(threads),
        ) as process,
    ):  # fmt: skip
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("{"):
                    yield json.loads(line) | {"threads": threads}
        except KeyboardInterrupt:
            process.kill()
            raise
        if process.wait() != 0:
            said.seek(0)
            raise RuntimeError(f"the measuring process ended with {process.returncode}:\n{said.read()[-2000:]}")


Keep = Callable[[list[dict[str, Any]]], None]
"""What is done with the results so far, after each of them: a run that is ended has not measured for nothing."""


def run(
    rows: str, counts: list[int], seconds: float, console: Console, keep: Keep
) -> tuple[list[dict[str, Any]], list[str]]:
    """All results in the order of the rows, and why a process died, if one did."""
    results: list[dict[str, Any]] = []
    died: list[str] = []
    total = len(counts) * sum(len(one) for one in chosen([word for word in rows.split(",") if word]).values())
    with console.status("measuring …") as status:
        for threads in counts:
            try:
                for result in measured(rows, threads, seconds):
                    results.append(result)
                    keep(results)
                    done = f"{len(results)} of {total}: {result['name']}, {threads} thread(s), {report.verdict(result)}"
                    status.update(done)
                    if not console.is_terminal:
                        print(done, file=sys.stderr, flush=True)
            except KeyboardInterrupt:
                died.append("interrupted")
                break
            except RuntimeError as error:
                died.append(f"{threads} thread(s): {error}")
    return results, died


def in_order(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results row by row, in each by the number of threads."""
    order = {name: place for place, name in enumerate(dict.fromkeys(one["name"] for one in results))}
    return sorted(results, key=lambda one: (order[one["name"]], one["threads"]))


def thread_counts(text: str) -> list[int]:
    """Numbers of threads that this machine has cores for; `all` are 1, 2, 4 and so on, and as many as there are."""
    if text == "all":
        return [*(1 << k for k in range(16) if 1 << k < machine.cores()), machine.cores()]
    wanted = [int(one) for one in text.split(",")]
    return [one for one in wanted if 1 <= one <= machine.cores()] or [1]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default="", help="families or parts of names, separated by commas; all if left out")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, separated by commas, or all")
    parser.add_argument("--seconds", type=float, default=FULL_SECONDS, help="for each competitor, 2 if left out")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_SECONDS} seconds for each competitor")
    parser.add_argument("--json", type=Path, default=Path("build/benchmarks.json"), help="where results are written")
    parser.add_argument("--plot", type=Path, default=Path("build/benchmarks.svg"), help="where the plot is written")
    parser.add_argument("--markdown", type=Path, help="where the table is written for a page, if anywhere")
    return parser.parse_args()


def write(path: Path | None, text: str) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main() -> int:
    given = arguments()
    console = Console(width=None if sys.stdout.isatty() else 220)
    seconds = QUICK_SECONDS if given.quick else given.seconds
    described = {"machine": machine.description(), "seconds for each competitor": seconds}

    def keep(measured: list[dict[str, Any]], died: Sequence[str] = ()) -> None:
        rated = [one | {"ratio": report.ratio(one), "verdict": report.verdict(one)} for one in in_order(measured)]
        write(given.json, json.dumps(described | {"results": rated, "died": list(died)}, indent=1) + "\n")
        write(given.markdown, report.markdown(rated, machine.description()))

    results, died = run(given.rows, thread_counts(given.threads), seconds, console, keep)
    results = in_order(results)
    keep(results, died)
    console.print(report.table(results))
    for line in [*report.failures(results), *died]:
        console.print(f"failed: {line}", style="red", markup=False, highlight=False)
    missed = [one for one in results if report.verdict(one) != "met"]
    console.print(f"{len(results) - len(missed)} of {len(results)} targets met", highlight=False)
    write(given.plot, report.plot(results))
    console.print(f"written: {given.json}, {given.plot}", highlight=False)
    return 1 if died else 0


if __name__ == "__main__":
    sys.exit(main())
