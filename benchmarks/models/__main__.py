"""Models made, counted, run, and held against onnxruntime: `python -m benchmarks.models [NAME …]`, or `make models`.

Each model is made in a process of its own, tried in a second, where loading is cold and memory its own, and loaded
again in a third, with the kernels on disk.  What crashes or hangs is a line of the table.  With `--resume` models that
an interrupted run has tried are not tried again.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import tolang
from benchmarks.models import table
from benchmarks.models.catalogue import BY_NAME, MODELS
from benchmarks.models.maker import Maker
from benchmarks.models.making import folder_of
from benchmarks.models.sources import FOLDER
from benchmarks.models.trial import THREADS
from benchmarks.models.ways import Model

LONGEST_TRIAL = 300.0
RESULTS = FOLDER / "results.json"
"""What was found of each model, by its folder's name, written after each."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="models, or patterns such as 'gpt2*'; all if none")
    parser.add_argument("--list", action="store_true", help="only say which models there are")
    parser.add_argument("--resume", action="store_true", help="take what was found before, as far as there is any")
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
    compileall.compile_dir(Path(tolang.__file__).parent, quiet=1)  # as installing the package does
    rows = _rows(chosen, arguments.resume)
    print(table.summary(rows))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if arguments.docs:
        table.write(Path(arguments.docs), rows)
    return 0 if all(row["agrees"] == "yes" for row in rows) else 1


def _rows(chosen: list[Model], resume: bool) -> list[table.Row]:
    """What is found of each model, shown as it comes and kept for a later run."""
    FOLDER.mkdir(exist_ok=True)
    kept: dict[str, table.Row] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    maker = Maker()
    rows = []
    for number, model in enumerate(chosen, start=1):
        own = folder_of(model).name
        if not resume or "error" in kept.get(own, {"error": "not tried"}):
            kept[own] = {"model": model.name, "agrees": "no", **_found(model, maker)}
            RESULTS.write_text(json.dumps(kept, indent=1))
        rows.append(kept[own])
        print(f"[{number}/{len(chosen)}] {table.line(rows[-1])}", flush=True)
    return rows


def _found(model: Model, maker: Maker) -> dict[str, Any]:
    """All figures of a model; where something fails, what failed."""
    problem = maker.made(model)
    if problem:
        return {"error": f"not made: {problem}"}
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "TOL_CACHE_DIR": cache, "TOL_NUM_THREADS": str(THREADS)}
        found = _tried(model, environment)
        if "error" not in found:
            found["warm s"] = _tried(model, environment, "--again").get("cold s")
    return found


def _tried(model: Model, environment: dict[str, str], *more: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.models.trial", model.name, *more]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST_TRIAL
        )
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
