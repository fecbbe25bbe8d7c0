"""One model in a process of its own: loaded cold, run, counted, and held against onnxruntime before it is timed.

`python -m benchmarks.models.trial NAME` prints what it found as JSON; with `--again` only how long loading took,
and what is held in the end.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models.catalogue import BY_NAME
from benchmarks.models.making import cases_of, file_of, known_of
from benchmarks.models.ways import Model

THREADS = int(os.environ.get("TOL_NUM_THREADS", "2"))
REST = 0.1
"""Seconds between two calls, after which all threads sleep."""
PRODUCTS = frozenset({"MatMul", "Gemm", "Conv", "ConvTranspose", "Einsum"})
"""Operators whose multiply-accumulates PyTorch counts; sums of squares in norms, and LSTMs, are none of its."""
LONGEST_FORMULA = 400
"""Characters of the longest formula that a row keeps."""


def main() -> int:
    name, *more = sys.argv[1:]
    print(json.dumps(_tried(BY_NAME[name], "--again" in more)))
    return 0


def _tried(model: Model, again: bool) -> dict[str, Any]:
    import tolang.onnx
    from tolang.engines.cpu.runtime.tier_up import improvements_end

    path, (inputs, *further) = file_of(model), cases_of(model)
    before = _held()
    start = time.perf_counter()
    ours = tolang.onnx.load(path, engine="cpu")
    results = ours.run(inputs)
    until_first = time.perf_counter() - start
    ours.run(inputs)
    improvements_end()  # which code that is called again gets in the background
    (later,) = _interleaved([lambda: ours.run(inputs)], rounds=3)
    found: dict[str, Any] = {"cold s": round(max(0.0, until_first - later), 2)}
    if again:
        return {**found, "held MiB": None if before is None else (_held() or 0) - before}
    found["MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found["weights MiB"] = round(path.stat().st_size / 2**20, 1)
    found["nodes"] = len(ours.proto.graph.node)
    session, judge = _session(path), _session(path, as_written=True)
    compared = [(results, judge.run(None, inputs))]
    compared += [(ours.run(case), judge.run(None, case)) for case in further]
    apart = max((_apart(a, b) for ours_, theirs in compared for a, b in zip(ours_, theirs, strict=True)), default=0.0)
    found["apart"], found["agrees"] = float(f"{apart:.1e}"), "yes" if apart <= model.tolerance else "no"
    if not any(map(_varies, compared[0][1])):
        found["agrees"] = "all results are alike"
    times = _interleaved([lambda: ours.run(inputs), lambda: session.run(None, inputs)])
    found["ours ms"], found["onnxruntime ms"] = (round(1e3 * t, 2) for t in times)
    found["ratio"] = round(times[1] / times[0], 2)
    return {**found, **_compiled(ours, inputs), **_counted(ours, inputs), **known_of(model)}


def _held() -> int | None:
    """MiB of memory that are this process' own, without files that it has mapped, on systems that tell it."""
    status = Path("/proc/self/status")
    told = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) // 1024 for line in told if line.startswith("RssAnon:")), None)


def _varies(result: Any) -> bool:
    """Whether results have different elements: those of weights so small that nothing is left of them say nothing."""
    if isinstance(result, Mapping | list):
        return any(map(_varies, result.values() if isinstance(result, Mapping) else result))
    return np.unique(np.asarray(result)).size > 1


def _apart(ours: Any, theirs: Any) -> float:
    """How far results are apart, as a share of the largest number among them; infinite where they are of two kinds."""
    if isinstance(theirs, Mapping):
        return _apart(list(ours.values()), list(theirs.values())) if ours.keys() == theirs.keys() else float("inf")
    if isinstance(theirs, list):
        return max((_apart(a, b) for a, b in zip(ours, theirs, strict=True)), default=0.0)
    one, two = np.asarray(ours), np.asarray(theirs)
    if one.shape != two.shape or one.dtype.kind != two.dtype.kind:
        return float("inf")
    if one.dtype.kind not in "fc":
        return float(np.mean(one != two)) if one.size else 0.0
    with np.errstate(invalid="ignore"):
        same = (one == two) | (np.isnan(one) & np.isnan(two))
        far = np.where(same, 0, np.abs(one.astype(np.float64) - two.astype(np.float64)))
    if not np.isfinite(far).all():
        return float("inf")
    largest = np.max(np.abs(two[np.isfinite(two)]), initial=0)
    return float(np.max(far, initial=0) / (largest or 1))


def _compiled(model: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """How many kernels there are, and what was left to the interpreter; nothing of a model in parts."""
    if model.parts:
        outside = [one.op_type for one in model.parts if hasattr(one, "op_type")]
        return {"fallbacks": [], "outside": outside}
    variant = model.variant(inputs)
    kernels = variant.program.compile_ahead()  # which it was when it ran
    return {"kernels": kernels, "fallbacks": [str(one) for one in variant.program.runner.fallbacks]}


def _counted(model: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """The counts for these inputs, the formula where lengths are open, and how long counting both takes."""
    from tolang import ToLangError

    start = time.perf_counter()
    try:
        here = model.cost({name: one if name in model.static else one.shape for name, one in inputs.items()})
    except ToLangError as error:
        return {"counted": "no", "why not counted": str(error).splitlines()[0]}
    counts: dict[str, Any] = {"counted": "yes", "EOPs": _number(here.eops), "MACs": _number(here.macs)}
    if isinstance(here.memory, int):
        counts["announced MiB"] = round(here.memory / 2**20, 1)
    counts["product MACs"] = _number(sum(one.macs for one in here.by_operator() if one.operator in PRODUCTS))
    if not model.open_inputs:
        try:
            formula = model.cost()
            counts["formula"] = str(formula.macs)[:LONGEST_FORMULA]
            counts["formula length"] = len(str(formula.eops))
        except ToLangError as error:
            counts["why no formula"] = str(error).splitlines()[0]
    return {**counts, "count s": round(time.perf_counter() - start, 2)}


def _number(amount: Any) -> int | str:
    """An amount, or where lengths are left open its formula."""
    return amount if isinstance(amount, int) else str(amount)[:LONGEST_FORMULA]


def _session(path: Path, as_written: bool = False) -> Any:
    """onnxruntime's session: as fast as it can be, or as the model is written, which its optimiser rounds otherwise."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    if as_written:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
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


if __name__ == "__main__":
    sys.exit(main())
