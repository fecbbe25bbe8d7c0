"""Models counted, run, and held against onnxruntime: `python -m benchmarks.models [NAME …]`, or `make models`.

Each model is tried in a process of its own, so that loading is cold and memory its own; a second process loads it
again, with the kernels on disk.  Results must agree within rtol 1e-3 and atol 1e-4 before anything is timed.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import tolang
from benchmarks.models.catalogue import MODELS
from benchmarks.models.sources import Model, place

if TYPE_CHECKING:
    from tolang.engines.cpu.engine import Executable

THREADS = 2
REST = 0.1
"""Seconds between two calls, after which all threads sleep."""
COLUMNS = (
    "model",
    "nodes",
    "kernels",
    "agrees",
    "cold s",
    "warm s",
    "ours ms",
    "onnxruntime ms",
    "ratio",
    "MiB",
    "count s",
    "EOPs",
    "MACs",
)
BEGIN, END = "<!-- models -->", "<!-- end of models -->"
"""What stands in a page around the table."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.models", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(m.name for m in MODELS))
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file")
    parser.add_argument("--docs", metavar="PAGE", help="write the table into a page, as into docs/onnx.md")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(_tried(_named(arguments.one), arguments.again)))
        return 0
    chosen = [_named(name) for name in arguments.names] or list(MODELS)
    compileall.compile_dir(Path(tolang.__file__).parent, quiet=1)  # as installing the package does
    rows = []
    for model in chosen:
        rows.append(_row(model))
        print(_shown(rows[-1]), flush=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if arguments.docs:
        _write_table(Path(arguments.docs), rows)
    return 0 if all(row["agrees"] == "yes" for row in rows) else 1


def _named(name: str) -> Model:
    for model in MODELS:
        if model.name == name:
            return model
    raise SystemExit(f"there is no model {name}: {', '.join(m.name for m in MODELS)}")


def _row(model: Model) -> dict[str, Any]:
    """All figures of a model; where something fails, what failed."""
    place(model)
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "TOL_CACHE_DIR": cache, "TOL_NUM_THREADS": str(THREADS)}
        found = _in_process(model, environment)
        if "error" not in found:
            found["warm s"] = _in_process(model, environment, "--again").get("cold s")
    return {"model": model.name, "agrees": "no", **found}


def _in_process(model: Model, environment: dict[str, str], *more: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.models", "--one", model.name, *more]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1:] or ["no message"]}
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def _tried(model: Model, again: bool) -> dict[str, Any]:
    """One model in this process."""
    import tolang.onnx
    from tolang.engines.cpu.runtime.improving import improvements_end

    path, inputs = place(model), model.inputs(np.random.default_rng(0))
    start = time.perf_counter()
    ours = tolang.onnx.load(path, engine="cpu")
    results = ours.run(inputs)
    until_first = time.perf_counter() - start
    ours.run(inputs)
    improvements_end()  # which code that is called again gets in the background
    (later,) = _interleaved([lambda: ours.run(inputs)], rounds=3)
    found: dict[str, Any] = {"cold s": round(max(0.0, until_first - later), 2)}
    if again:
        return found
    found["MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found["nodes"] = len(ours.proto.graph.node)
    found.update(_counted(ours, inputs))
    session = _session(path)
    expected = session.run(None, inputs)
    agrees = all(np.allclose(a, b, rtol=1e-3, atol=1e-4) for a, b in zip(results, expected, strict=True))
    found["agrees"] = "yes" if agrees else "no"
    if agrees:
        times = _interleaved([lambda: ours.run(inputs), lambda: session.run(None, inputs)])
        found["ours ms"], found["onnxruntime ms"] = (round(1e3 * t, 2) for t in times)
        found["ratio"] = round(times[1] / times[0], 2)
    return found


def _counted(model: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """How long counting takes, as a formula and for these inputs, and the counts for these."""
    variant = model.variant(inputs)
    sizes = {
        re.sub(r"\W", "_", dimension.dim_param): length
        for info in model.infos
        for dimension, length in zip(info.type.tensor_type.shape.dim, np.shape(inputs[info.name]), strict=False)
    }
    start = time.perf_counter()
    cost = variant.program.cost()
    here = variant.program.cost(**{name: sizes[name] for name in variant.program.sizes if name in sizes})
    counts = {"EOPs": _number(here.eops), "MACs": _number(here.macs), "formula": str(cost.eops)}
    seconds = round(time.perf_counter() - start, 2)
    runner = variant.program.runner
    prepared = runner.prepared(variant.program.core)
    compiled: list[Executable] = [
        one for one in (prepared.whole, *(e for _, e in prepared.segments)) if one is not None
    ]
    kernels = len({name for one in compiled for name in one.artifact.kernels})
    return {"count s": seconds, **counts, "kernels": kernels, "fallbacks": runner.fallbacks}


def _number(amount: Any) -> int | str:
    """An amount, or where lengths are left open its formula."""
    return amount if isinstance(amount, int) else str(amount)


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _interleaved(calls: list[Callable[[], Any]], rounds: int = 7) -> list[float]:
    """The best time of each call, taken in turns.

    Threads of onnxruntime go on looking for work for some time after a run, and take a core from whoever comes next.
    """
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for position, call in enumerate(calls):
            time.sleep(REST)
            start = time.perf_counter()
            call()
            best[position] = min(best[position], time.perf_counter() - start)
    return best


def _shown(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['model']}: {row['error'][0]}"
    left = "".join(f"\n  left to the interpreter: {one}" for one in row["fallbacks"])
    return "  ".join(f"{name} {row.get(name, '-')}" for name in COLUMNS) + left


def _write_table(page: Path, rows: list[dict[str, Any]]) -> None:
    """The table in place of the one that a page has between its marks."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(_cell(row.get(name, "–")) for name in COLUMNS) + " |" for row in rows]
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{chr(10).join(lines)}\n{END}{after}")


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    sys.exit(main())
