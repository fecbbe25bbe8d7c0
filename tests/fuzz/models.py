"""The importer on mutated models: each ends in a result or an error of ours, in time and within memory.

`python -m tests.fuzz.models COUNT --seed S` tries so many; `--case K` tries one again, here and without a limit;
`--against` holds results against onnxruntime's.  Models are tried in a process of their own, so that one that never
ends, or ends the process, is found and told as any other.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from onnx import helper
from tests.fuzz.mutants import Start, mutated, parsed, starts

import tolang
from tolang.onnx.model import Model
from tolang.program.cost import Cost
from tolang.program.costing import eops_at

PATIENCE = 20.0
"""Seconds that a model may take; most take a twentieth of one."""
MEMORY = 6 << 30
"""Bytes of address space that a process of models may have."""
READY, BEGUN, DONE, JUDGED = "ready", "begun", "done", "judged"
RUNNABLE = 10**7
"""EOPs up to which a model is run."""
STEPS = 10**5
"""EOPs that each need the one before, up to which it is: the interpreter takes such steps one by one."""
ELEMENTS = 10**6
"""A declared input of more elements is not made."""


@dataclass(slots=True)
class Report:
    """How models ended, and what is wrong with those that ended otherwise than they may."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def case(seed: int, number: int) -> tuple[Start, bytes, random.Random]:
    """The model of a number: what it began with, its bytes, and what further chances are taken by."""
    generator = random.Random(f"{seed}/{number}")
    begun = starts()
    own = generator.random() < 0.25
    start = generator.choice(begun[:8] if own else begun)
    return start, mutated(start, generator.choice(begun), generator), generator


def data_for(start: Start, model: Any) -> list[Any]:
    """Data for a model's inputs: what the model had before it was mutated, where that fits, or zeros as declared."""
    given = {one.name for one in start.model.graph.initializer}
    names = [one.name for one in start.model.graph.input if one.name not in given]
    known = dict(zip(names, start.inputs, strict=False))
    return [known[one.name] if _fits(one, known.get(one.name)) else _zeros(one) for one in model.inputs]


def _fits(given: Any, value: Any) -> bool:
    """Whether data has the shape that is declared for an input, as far as it is."""
    lengths = getattr(given.declared, "lengths", None)
    if value is None or lengths is None or not isinstance(value, np.ndarray):
        return value is not None
    pairs = zip(lengths, value.shape, strict=False)
    return len(lengths) == value.ndim and all(one == two for one, two in pairs if isinstance(one, int))


def _zeros(given: Any) -> Any:
    lengths = [one if isinstance(one, int) else 2 for one in getattr(given.declared, "lengths", (2,))]
    element = given.element if given.element in helper.get_all_tensor_dtypes() else 1
    if np.prod([float(max(1, abs(one))) for one in lengths]) > ELEMENTS or any(one < 0 for one in lengths):
        lengths = [1] * min(len(lengths), 8)
    if element == 8:
        return np.full(lengths, "x", dtype=object)
    return np.zeros(lengths, helper.tensor_dtype_to_np_dtype(element))


def attempt(start: Start, content: bytes, generator: random.Random) -> tuple[str, Any]:
    """How a model ends by one of the ways in, and its results where it has some; what is wrong is raised."""
    way = generator.choices(("message", "file", "count", "command", "backend"), (5, 3, 2, 2, 1))[0]
    engine = "cpu" if generator.random() < 0.15 else "interpret"
    try:
        match way:
            case "message":
                model = parsed(content)
                return "ran", None if model is None else _run(tolang.onnx.load(model, engine), start)
            case "file" | "count":
                with _written(content) as path:
                    loaded = tolang.onnx.load(path, engine)
                    if way == "file":
                        return "ran", _run(loaded, start)
                    str(loaded.cost().as_dict())
                    return "counted", None
            case "command":
                return _command(content, generator), None
    except tolang.ToLangError as error:
        str(error)
        return f"refused {error.code}", None
    return _backend(content, start)


def _run(model: Model, start: Start) -> list[Any] | None:
    """The results of a model on data; None where it would compute for long, as any program may be asked to."""
    data = model.arguments(tuple(data_for(start, model)), {})
    if not model.parts and (variant := model.variant(data)).program is not None:
        job = variant.program.job((), {name: variant.leaf(name, data) for name in variant.leaves})
        eops = eops_at(job.core, job.sizes, job.inputs)
        known = {name: size for name, size in job.sizes.items() if name in job.core.sizes}
        span = Cost(job.core, None, known).span
        if eops is None or eops > RUNNABLE or (isinstance(span, int) and span > STEPS):
            return None
    found: list[Any] = model.run(data)
    return found


class _written:
    """A model in a file in a folder of its own."""

    def __init__(self, content: bytes) -> None:
        self.content, self.folder = content, tempfile.TemporaryDirectory()

    def __enter__(self) -> Path:
        path = Path(self.folder.name) / "m.onnx"
        path.write_bytes(self.content)
        return path

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def _command(content: bytes, generator: random.Random) -> str:
    """A command on the model's file, whose exit code is none of an internal error."""
    from typer.testing import CliRunner

    from tolang.faces.command import app

    command = generator.choice(("run", "cost", "import", "check", "explain", "draw", "core"))
    with _written(content) as path:
        further = ["-o", str(path.with_suffix(".tol"))] if command == "import" else []
        result = CliRunner().invoke(app, [command, str(path), *further])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1, 2), f"tol {command} ended with {result.exit_code}: {result.output[-2000:]}"
    return f"commanded {result.exit_code}"


def _backend(content: bytes, start: Start) -> tuple[str, Any]:
    from tolang.onnx import backend

    model = parsed(content)
    if model is None:
        return "no message", None
    try:
        if _run(tolang.onnx.load(model, "interpret"), start) is None:
            return "long", None
        if len(model.graph.node) == 1:
            backend.run_node(model.graph.node[0], start.inputs)
        backend.run_model(model, start.inputs)
    except tolang.ToLangError as error:
        str(error)
        return f"refused {error.code}", None
    return "ran", None


def difference(content: bytes, start: Start, results: list[Any]) -> str | None:
    """How results differ from those of onnxruntime, where it has some."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    model = parsed(content)
    if model is None:
        return None
    model.ir_version = min(model.ir_version, 10)
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        data = dict(
            zip((one.name for one in session.get_inputs()), data_for(start, tolang.onnx.load(model)), strict=True)
        )
        theirs = session.run(None, data)
    except Exception:
        return None
    for name, one, two in zip((one.name for one in session.get_outputs()), results, theirs, strict=True):
        if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
            if (one.dtype, one.shape) != (two.dtype, two.shape):
                return f"{name}: {one.dtype} {one.shape}, onnxruntime {two.dtype} {two.shape}"
            if one.dtype.kind in "fc" and not np.allclose(one, two, 1e-2, 1e-3, equal_nan=True):
                return f"{name}: {one.reshape(-1)[:6]}, onnxruntime {two.reshape(-1)[:6]}"
            if one.dtype.kind in "biu" and not np.array_equal(one, two):
                return f"{name}: {one.reshape(-1)[:6]}, onnxruntime {two.reshape(-1)[:6]}"
    return None


def work(seed: int, against: bool) -> None:
    """What a process of models does: a number comes in, how its model ended goes out."""
    sys.setrecursionlimit(1000)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from tolang.onnx import wire

    wire.LARGE = 16
    starts()
    out = sys.stdout
    sys.stdout = sys.stderr

    def say(*words: str) -> None:
        print("\t".join(word.replace("\n", "\\n").replace("\t", " ") for word in words), file=out, flush=True)

    say(READY)
    for line in sys.stdin:
        number = int(line)
        start, content, generator = case(seed, number)
        say(BEGUN, start.name)
        try:
            outcome, results = attempt(start, content, generator)
        except BaseException as error:
            say(DONE, "wrong", _told(error))
            continue
        say(DONE, outcome)
        if against:
            say(JUDGED, difference(content, start, results) or "" if isinstance(results, list) else "")


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = next((one for one in reversed(frames) if "tolang" in one.filename), frames[-1] if frames else None)
    where = f"{Path(place.filename).name}:{place.lineno}" if place else "nowhere"
    return f"{type(error).__name__}: {str(error)[:300]} ({where})"


class _Worker:
    """A process of models."""

    def __init__(self, seed: int, against: bool) -> None:
        environment = {**os.environ, "TOL_COMPILE": "quick", "TOL_CACHE_DIR": os.environ.get("TOL_CACHE_DIR", "off")}
        command = [sys.executable, "-m", "tests.fuzz.models", "0", "--worker", "--seed", str(seed)]
        self.process = subprocess.Popen(
            [*command, *(["--against"] if against else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        self.buffer = b""
        if (said := self.said(120)) != [READY]:
            raise RuntimeError(f"the process of models does not begin: {said}")

    def ask(self, number: int) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{number}\n".encode())
        self.process.stdin.flush()

    def said(self, seconds: float) -> list[str] | None:
        """The next line, None where none comes in time; the end of the process is an empty one."""
        assert self.process.stdout is not None
        until = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                return []
            self.buffer += more
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode("utf-8", "replace").split("\t")

    def end(self) -> int:
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        return self.process.wait()


def run(count: int, seed: int, first: int = 0, against: bool = False, shown: bool = False) -> Report:
    """Tries models one after the other, each in time."""
    report, worker = Report(), _Worker(seed, against)
    for number in range(first, first + count):
        worker.ask(number)
        for words in _until_done(worker, against):
            match words:
                case [wrong, name, why]:
                    line = f"--seed {seed} --case {number} ({name}): {why}"
                    (report.differences if wrong == JUDGED else report.failures).append(line)
                    if shown:
                        print(f"{wrong}: {line}", flush=True)
                    if wrong == "ended" and worker is not None:
                        worker.end()
                        worker = _Worker(seed, against)
                case [outcome]:
                    report.outcomes[outcome] += 1
    worker.end()
    return report


def _until_done(worker: _Worker, against: bool) -> Iterator[list[str]]:
    """How one model ends: its outcome, or what is wrong, with the name of the model it began with."""
    name, done = "?", False
    while True:
        match worker.said(PATIENCE):
            case [word, begun] if word == BEGUN:
                name = begun
            case [word, "wrong", why] if word == DONE:
                yield ["wrong", name, why]
                return
            case [word, outcome] if word == DONE:
                yield [outcome]
                done = True
                if not against:
                    return
            case [word, why] if word == JUDGED:
                if why:
                    yield [JUDGED, name, why]
                return
            case None:
                yield ["ended", name, f"nothing after {PATIENCE} seconds{' of onnxruntime' if done else ''}"]
                return
            case _:
                code = worker.process.wait()
                yield ["ended", name, f"the process ended with {code}{' in onnxruntime' if done else ''}"]
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--case", type=int)
    parser.add_argument("--against", action="store_true")
    parser.add_argument("--worker", action="store_true")
    given = parser.parse_args()
    if given.worker:
        work(given.seed, given.against)
        return
    if given.case is not None:
        import tolang.onnx  # noqa: F401
        from tolang.onnx import wire

        wire.LARGE = 16
        start, content, generator = case(given.seed, given.case)
        print(start.name, parsed(content) or content[:2000])
        outcome, results = attempt(start, content, generator)
        print(outcome, results)
        if given.against and isinstance(results, list):
            print(difference(content, start, results))
        return
    print(f"seed {given.seed}", flush=True)
    report = run(given.count, given.seed, given.first, given.against, shown=True)
    print(dict(report.outcomes), f"{len(report.failures)} wrong, {len(report.differences)} differ")
    sys.exit(bool(report.failures))


if __name__ == "__main__":
    main()
