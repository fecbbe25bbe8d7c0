"""Models made, counted, run, and held against onnxruntime: `python -m benchmarks.models [NAME …]`, or `make models`.

All models are made first, several at a time, and kept; then each is tried in a process of its own, where loading is
cold and memory its own, and loaded again in another, with the kernels on disk.  What crashes or hangs is a line of the
table.  With `--resume` models that an interrupted run of the same code on this machine has tried are not tried again.
On a machine with many cores several models may be tried beside each other, each on cores of its own.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import queue
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import tolang
from benchmarks.models import table
from benchmarks.models.catalogue import BY_NAME, MODELS
from benchmarks.models.maker import Maker, made
from benchmarks.models.making import folder_of
from benchmarks.models.sources import FOLDER
from benchmarks.models.version import version
from benchmarks.models.ways import Model

LONGEST_TRIAL = 300.0
RESULTS = FOLDER / "results.json"
"""What was found of each model, by its folder's name, written after each."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="models, or patterns such as 'gpt2*'; all if none")
    parser.add_argument("--list", action="store_true", help="only say which models there are")
    parser.add_argument("--resume", action="store_true", help="take what was found before, as far as there is any")
    parser.add_argument("--threads", type=int, default=2, help="threads of ours and of onnxruntime, 2 if not given")
    parser.add_argument("--beside", type=int, default=1, help="models that are tried at a time, 1 if not given")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    parser.add_argument("--docs", metavar="PAGE", help="write the table into a page, as into docs/onnx.md")
    arguments = parser.parse_args()
    wanted = arguments.names or ["*"]
    chosen = list({one.name: one for name in wanted for one in MODELS if fnmatch(one.name, name)}.values())
    if not chosen:
        raise SystemExit(f"there is no such model: {', '.join(BY_NAME)}")
    if arguments.list:
        print("\n".join(f"{one.name}: {type(one.way).__name__.lower()}" for one in chosen))
        return 0
    cores = sorted(os.sched_getaffinity(0))
    if arguments.threads * arguments.beside > len(cores):
        raise SystemExit(f"{arguments.beside} models of {arguments.threads} threads need more than {len(cores)} cores")
    compileall.compile_dir(Path(tolang.__file__).parent, quiet=1)  # as installing the package does
    rows = _rows(chosen, arguments.resume, arguments.threads, arguments.beside)
    print(table.summary(rows))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if arguments.docs:
        table.write(Path(arguments.docs), rows)
    return 0 if all(row["agrees"] == "yes" for row in rows) else 1


def _rows(chosen: list[Model], resume: bool, threads: int, beside: int) -> list[table.Row]:
    """What is found of each model, shown as it comes and kept for a later run."""
    FOLDER.mkdir(exist_ok=True)
    kept: dict[str, table.Row] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    now = f"{version()} {threads}"
    problems = made(chosen, Maker())

    def one(model: Model, cores: set[int]) -> table.Row:
        known = kept.get(folder_of(model).name, {})
        if resume and "error" not in known and known.get("version") == now:
            return known
        found = (
            {"error": f"not made: {problems[model.name]}"} if problems[model.name] else _found(model, threads, cores)
        )
        return {"model": model.name, "agrees": "no", "version": now, **found}

    rows = list[table.Row]()
    for model, row in zip(chosen, _beside(one, chosen, threads, beside), strict=True):
        kept[folder_of(model).name] = row
        _written(RESULTS, json.dumps(kept, indent=1))
        rows.append(row)
        print(f"[{len(rows)}/{len(chosen)}] {table.line(row)}", flush=True)
    return rows


def _beside(
    one: Callable[[Model, set[int]], table.Row], models: list[Model], threads: int, beside: int
) -> Iterator[table.Row]:
    """What is found of models in their order, so many at a time, each with so many cores that are its own meanwhile."""
    cores, free = sorted(os.sched_getaffinity(0)), queue.SimpleQueue[set[int]]()
    for place in range(beside):
        free.put(set(cores if beside == 1 else cores[place * threads : (place + 1) * threads]))

    def tried(model: Model) -> table.Row:
        own = free.get()
        try:
            return one(model, own)
        finally:
            free.put(own)

    with ThreadPoolExecutor(beside) as pool:
        yield from pool.map(tried, models)


def _written(file: Path, text: str) -> None:
    """Writes a file at once, so that an interrupted run leaves the one before it, or all of this."""
    part = file.with_suffix(".part")
    part.write_text(text)
    part.replace(file)


def _found(model: Model, threads: int, cores: set[int]) -> dict[str, Any]:
    """All figures of a model, tried on these cores; where something fails, what failed."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "TOL_CACHE_DIR": cache, "TOL_NUM_THREADS": str(threads)}
        found = _tried(model, environment, cores)
        if "error" not in found:
            again = _tried(model, environment, cores, "--again")
            found["warm s"], found["held MiB"] = again.get("cold s"), again.get("held MiB")
    return found


def _tried(model: Model, environment: dict[str, str], cores: set[int], *more: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.models.trial", model.name, *more]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST_TRIAL,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"error": f"it took more than {LONGEST_TRIAL:.0f} s"}
    if done.returncode:
        (folder_of(model) / "trial.txt").write_text(done.stderr)
        lines = [one for one in done.stderr.strip().splitlines() if one.strip()]
        told = next((one for one in reversed(lines) if "Error" in one), lines[-1] if lines else "no message")
        return {"error": f"{told.strip()} (exit {done.returncode})"}
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main())
