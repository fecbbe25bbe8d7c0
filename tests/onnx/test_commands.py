"""ONNX models on the command line: run, counted, and written as ToLang."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from typer.testing import CliRunner

from tolang.faces.command import app


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model that has weights, and data for it."""
    weights = [numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(4, 3), "w")]
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 4])
    graph = helper.make_graph([node], "graph", [given], [helper.make_empty_tensor_value_info("y")], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    np.save(tmp_path / "x.npy", np.ones((2, 4), np.float32))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tol(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def test_a_model_runs(folder: Path) -> None:
    tol("run", "model.onnx", "x=x.npy", "-o", "y.npy", "--engine", "interpret")
    assert np.load(folder / "y.npy").tolist() == [[18, 22, 26]] * 2


def test_a_model_is_counted(folder: Path) -> None:
    assert "24*rows" in tol("cost", "model.onnx")
    assert "240" in tol("cost", "model.onnx", "rows=10")


def test_an_imported_model_runs_to_the_same_result(folder: Path) -> None:
    tol("import", "model.onnx", "-o", "model.tol")
    assert "y := MatMul(x, w)" in (folder / "model.tol").read_text("utf-8")
    tol("run", "model.tol", "model.npz", "x=x.npy", "-o", "y.npy", "--engine", "interpret")
    assert np.load(folder / "y.npy").tolist() == [[18, 22, 26]] * 2


def test_a_file_that_is_no_model(folder: Path) -> None:
    (folder / "broken.onnx").write_bytes(b"no model")
    result = CliRunner().invoke(app, ["run", "broken.onnx"])
    assert result.exit_code == 2
    assert "E702" in result.output
