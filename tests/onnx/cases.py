"""The official tests of the onnx package as data: models with inputs and the outputs they must give."""

from __future__ import annotations

import os
import pickle
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, TypeProto, numpy_helper

from tolang.ground.dataclasses import dataclass

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator", "light")
RTOL, ATOL = 1e-3, 1e-7
"""The tolerances of the official runner."""


def exclusions() -> dict[str, str]:
    """Names of the tests that fail here, and why."""
    lines = (Path(__file__).parent / "exclusions.txt").read_text("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class Case:
    """A test: a model, and pairs of inputs and expected outputs."""

    name: str
    kind: str
    model: ModelProto
    data_sets: list[tuple[list[Any], list[Any]]]
    rtol: float = RTOL
    atol: float = ATOL


def cases(kind: str = "node") -> dict[str, Case]:
    """The tests of one kind by name."""
    if kind == "node":
        return node_cases()
    folder = Path(onnx.__file__).parent / "backend" / "test" / "data" / kind
    found = light_cases(folder) if kind == "light" else stored_cases(folder, kind)
    return {case.name: case for case in found}


def node_cases() -> dict[str, Case]:
    """The node tests; making them takes ten seconds, so they are kept for the next run."""
    kept = Path(tempfile.gettempdir()) / f"tolang-onnx-cases-{onnx.__version__}-{os.getuid()}.pickle"
    if kept.is_file() and kept.stat().st_uid == os.getuid():
        found: dict[str, Case] = pickle.loads(kept.read_bytes())
        return found
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = collect_testcases(None)
    found = {
        one.name: Case(one.name, "node", one.model, [(list(i), list(o)) for i, o in one.data_sets], one.rtol, one.atol)
        for one in made
        if one.model is not None and one.data_sets is not None
    }
    with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
        file.write(pickle.dumps(found))
    os.replace(file.name, kept)
    return found


def stored_cases(folder: Path, kind: str) -> Iterator[Case]:
    """Tests that the package has as files."""
    for place in sorted(folder.iterdir()):
        if (place / "model.onnx").is_file():
            model = onnx.load(str(place / "model.onnx"))
            sets = [
                (
                    [read(file, info.type) for file, info in zip(files(one, "input"), model.graph.input, strict=False)],
                    [
                        read(file, info.type)
                        for file, info in zip(files(one, "output"), model.graph.output, strict=False)
                    ],
                )
                for one in sorted(place.glob("test_data_set*"))
            ]
            yield Case(place.name, kind, model, sets)


def files(folder: Path, part: str) -> list[Path]:
    return [folder / f"{part}_{k}.pb" for k in range(len(list(folder.glob(f"{part}_*.pb"))))]


def read(path: Path, kind: TypeProto) -> Any:
    """A stored value: a tensor, a sequence of them, or an optional."""
    content = path.read_bytes()
    match kind.WhichOneof("value"):
        case "sequence_type":
            return numpy_helper.to_list(onnx.SequenceProto.FromString(content))
        case "optional_type":
            return numpy_helper.to_optional(onnx.OptionalProto.FromString(content))
    return numpy_helper.to_array(onnx.TensorProto.FromString(content))


def light_cases(folder: Path) -> Iterator[Case]:
    """Large models with made-up weights; inputs are made as the official runner does."""
    from onnx.backend.test.runner import Runner

    for path in sorted(folder.glob("*.onnx")):
        model = onnx.load(str(path))
        given = {one.name for one in model.graph.initializer}
        infos = [one for one in model.graph.input if one.name not in given]
        inputs = [Runner.generate_dummy_data(one, seed=0, name=path.stem, random=False) for one in infos]
        outputs = [read(file, info.type) for file, info in zip(files_of(path), model.graph.output, strict=False)]
        yield Case(f"test_{path.stem}", "light", model, [(inputs, outputs)])


def files_of(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.stem}_output_*.pb"))


def compare(expected: Any, actual: Any, rtol: float, atol: float) -> None:
    """Raises unless a result is the expected one, in type, shape and value, as the official runner judges it."""
    from tolang.onnx.kinds import as_array

    if expected is None or actual is None:
        assert expected is actual, f"expected {expected}, found {actual}"
        return
    if isinstance(expected, list):
        assert isinstance(actual, list), f"expected a sequence, found {type(actual).__name__}"
        assert len(expected) == len(actual), f"expected {len(expected)} items, found {len(actual)}"
        for one, two in zip(expected, actual, strict=True):
            compare(one, two, rtol, atol)
        return
    wanted = as_array(expected)
    assert wanted.dtype == actual.dtype, f"expected type {wanted.dtype}, found {actual.dtype}"
    assert wanted.shape == actual.shape, f"expected shape {wanted.shape}, found {actual.shape}"
    if wanted.dtype == object:
        np.testing.assert_array_equal(actual, wanted)
        return
    if wanted.dtype.name == "bfloat16":  # two units in the last place
        rtol = max(rtol, 2.0**-6)
    if wanted.dtype.kind == "V" or wanted.dtype.name not in np.sctypeDict:
        wanted, actual = wanted.astype(np.float32), actual.astype(np.float32)
    np.testing.assert_allclose(actual, wanted, rtol=rtol, atol=atol)


def run_case(case: Case, engine: str) -> None:
    """Raises unless the model gives what the test expects."""
    from tolang.onnx import load

    model = load(case.model, engine=engine)
    for inputs, outputs in case.data_sets:
        results = model.run(model.arguments(tuple(inputs), {}))
        assert len(results) == len(outputs), f"expected {len(outputs)} outputs, found {len(results)}"
        for expected, actual in zip(outputs, results, strict=True):
            compare(expected, actual, case.rtol, case.atol)
