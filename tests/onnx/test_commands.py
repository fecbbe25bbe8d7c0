"""ONNX models on the command line: run, counted, and written as ToLang."""

from __future__ import annotations

import subprocess
import sys
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
    node = helper.make_node("MatMul", ["x", "w"], ["y"], "product")
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


def test_a_model_is_compiled_ahead(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled ahead is kept, so that a later process has no code to make; cores that were checked are no code."""
    cache = folder / "cache"
    cache.mkdir(mode=0o700)
    monkeypatch.setenv("TOL_CACHE_DIR", str(cache))
    monkeypatch.setenv("TOL_COMPILE", "")

    def alone(*arguments: str) -> str:
        """What a process of its own prints: one that has run nothing before keeps all that it compiles."""
        command = [sys.executable, "-m", "tolang", *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout + done.stderr

    def code() -> set[str]:
        return {one.name for one in cache.rglob("*") if one.is_file() and one.suffix != ".core"}

    assert "model.onnx: " in alone("compile", "model.onnx", "rows=2")
    kept = code()
    assert kept
    alone("run", "model.onnx", "x=x.npy", "-o", "y.npy", "--engine", "cpu")
    assert np.load(folder / "y.npy").tolist() == [[18, 22, 26]] * 2
    assert code() == kept


def test_a_model_is_counted(folder: Path) -> None:
    assert "24*rows" in tol("cost", "model.onnx")
    assert "240" in tol("cost", "model.onnx", "rows=10")


def test_a_model_is_explained_with_its_weights(folder: Path) -> None:
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 64])
    weights = [numpy_helper.from_array(np.ones((64, 32), np.float32), "w")]
    graph = helper.make_graph([node], "graph", [given], [helper.make_empty_tensor_value_info("y")], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    (folder / "wide.onnx").write_bytes(model.SerializeToString())
    told = tol("explain", "wide.onnx", "--full")
    assert "by contraction" in told
    assert "once, before the first run" in told
    assert "by prepacking" in told


def test_an_imported_model_runs_to_the_same_result(folder: Path) -> None:
    tol("import", "model.onnx", "-o", "model.tol")
    assert "y := MatMul(x, w)" in (folder / "model.tol").read_text("utf-8")
    tol("run", "model.tol", "x=x.npy", "-o", "y.npy", "--engine", "interpret")
    assert np.load(folder / "y.npy").tolist() == [[18, 22, 26]] * 2


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 2, result.output
    return result.output


def test_a_model_is_counted_by_node_and_operator_and_function(folder: Path) -> None:
    assert "MatMul    1       240   120    240" in tol("cost", "model.onnx", "rows=10")
    by_node = tol("cost", "model.onnx", "--by", "node")
    assert "product  MatMul    24*rows  12*rows  24*rows" in by_node
    assert "mul       12*rows" in tol("cost", "model.onnx", "--by", "function")
    assert '"by_node": [' in tol("cost", "model.onnx", "--json")


def test_what_a_mac_is_stands_in_the_help() -> None:
    text = " ".join(tol("cost", "--help").split())
    assert "A MAC is a sum of a fold that adds a product" in text


def test_counting_refuses_what_there_is_not(folder: Path) -> None:
    (folder / "plain.tol").write_text("tol x: R [n]\nr := x + 1\n", "utf-8")
    assert "E603" in refused("cost", "plain.tol", "--by", "node")
    assert "E606" in refused("cost", "model.onnx", "--function", "f")
    assert "E603" in refused("cost", "model.onnx", "columns=3")


def test_weights_given_go_before_those_beside(folder: Path) -> None:
    tol("import", "model.onnx", "-o", "model.tol")
    np.save(folder / "w.npy", np.ones((4, 3), np.float32))
    tol("run", "model.tol", "x=x.npy", "w=w.npy", "-o", "y.npy", "--engine", "interpret")
    assert np.load(folder / "y.npy").tolist() == [[4, 4, 4]] * 2


def test_what_an_imported_model_costs(folder: Path) -> None:
    tol("import", "model.onnx", "-o", "model.tol")
    assert "24*rows" in tol("cost", "model.tol")


def test_an_import_that_fails_leaves_nothing_behind(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    assert "E607" in refused("import", "model.onnx", "-o", "model.txt")
    assert "E609" in refused("import", "model.onnx", "-o", "nowhere/model.tol")
    (folder / "broken.onnx").write_bytes(b"no model")
    assert "E702" in refused("import", "broken.onnx", "-o", "broken.tol")
    assert sorted(path.name for path in folder.iterdir()) == sorted([*before, "broken.onnx"])


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "double", "int8", "uint64", "bool"])
def test_weights_of_every_kind_are_read_again(folder: Path, kind: str) -> None:
    element = getattr(TensorProto, {"double": "DOUBLE", "bool": "BOOL"}.get(kind, kind.upper()))
    numbers = np.array([[0, 1, 0, 1]] * 9, np.float64).reshape(-1)
    weights = helper.make_tensor("w", element, [36], numbers.tolist())
    nodes = [helper.make_node("Cast", ["w"], ["f"], to=TensorProto.FLOAT), helper.make_node("Add", ["f", "x"], ["y"])]
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, [36])
    graph = helper.make_graph(nodes, "graph", [given], [helper.make_empty_tensor_value_info("y")], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    (folder / "kinds.onnx").write_bytes(model.SerializeToString())
    np.save(folder / "x36.npy", np.arange(36, dtype=np.float32))
    tol("import", "kinds.onnx", "-o", "kinds.tol")
    tol("run", "kinds.tol", "x=x36.npy", "-o", "y.npy", "--engine", "interpret")
    assert np.load(folder / "y.npy").tolist() == (np.arange(36) + numbers).tolist()


def test_values_that_a_program_is_made_for(folder: Path) -> None:
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["r"]), helper.make_node("Exp", ["r"], ["y"])]
    given = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4]),
        helper.make_tensor_value_info("shape", TensorProto.INT64, [2]),
    ]
    graph = helper.make_graph(nodes, "graph", given, [helper.make_empty_tensor_value_info("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    (folder / "shaped.onnx").write_bytes(model.SerializeToString())
    assert "E705" in refused("cost", "shaped.onnx")
    assert "4*n" in tol("cost", "shaped.onnx", "shape=[4,-1]")
    tol("run", "shaped.onnx", "x=x.npy", "shape=[4,2]", "-o", "y.npy", "--engine", "interpret")
    assert np.load(folder / "y.npy").shape == (4, 2)
    tol("import", "shaped.onnx", "-o", "shaped.tol", "shape=[4,2]")
    tol("run", "shaped.tol", "x=x.npy", "-o", "again.npy", "--engine", "interpret")
    assert np.array_equal(np.load(folder / "again.npy"), np.load(folder / "y.npy"))


def test_a_file_that_is_no_model(folder: Path) -> None:
    (folder / "broken.onnx").write_bytes(b"no model")
    result = CliRunner().invoke(app, ["run", "broken.onnx"])
    assert result.exit_code == 2
    assert "E702" in result.output


def test_operators_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n"]) for name in ("x", "y")]
    node = helper.make_node("Twice", ["x"], ["y"], domain="com.example")
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.example", 1)]
    model = helper.make_model(helper.make_graph([node], "own", infos[:1], infos[1:]), opset_imports=opsets)
    Path("own.onnx").write_bytes(model.SerializeToString())
    Path("mine.tol").write_text("com_example_Twice(x) = x + x", encoding="utf-8")
    assert "[2.0,4.0]" in tol("run", "own.onnx", "x=[1,2]", "--operators", "mine.tol")
    assert "n" in tol("cost", "own.onnx", "--operators", "mine.tol").split()
    tol("import", "own.onnx", "-o", "own.tol", "--operators", "mine.tol")
    assert "[2.0,4.0]" in tol("run", "own.tol", "x=[1,2]")
    for given in (["own.onnx"], ["own.tol", "--operators", "mine.tol"]):
        assert CliRunner().invoke(app, ["run", *given, "x=[1,2]"]).exit_code != 0


def test_scores_are_shown_and_written_by_name(folder: Path) -> None:
    """A classifier's ZipMap names the columns of a matrix, which all commands take as one."""
    node = helper.make_node("ZipMap", ["x"], ["scores"], domain="ai.onnx.ml", classlabels_strings=["cat", "a dog"])
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 2])
    graph = helper.make_graph([node], "graph", [given], [helper.make_empty_tensor_value_info("scores")])
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", 3)]
    (folder / "named.onnx").write_bytes(helper.make_model(graph, opset_imports=opsets).SerializeToString())
    np.save("two.npy", np.array([[0.25, 0.75], [1, 0]], np.float32))
    shown = tol("run", "named.onnx", "x=two.npy")
    assert "cat: f32" in shown
    assert "(0.25,0.75)" in shown
    tol("run", "named.onnx", "x=two.npy", "-o", "scores.csv")
    assert (folder / "scores.csv").read_text().splitlines()[0].replace('"', "") == "cat,a dog"
    assert "ok" in tol("check", "named.onnx")
    tol("import", "named.onnx", "-o", "named.tol")
    assert "the columns of scores are the scores of 'cat', 'a dog'" in (folder / "named.tol").read_text()
    tol("run", "named.tol", "x=two.npy", "-o", "again.npy")
    assert np.array_equal(np.load("again.npy"), np.load("two.npy"))


def test_a_model_is_checked_without_its_weights(folder: Path) -> None:
    told = tol("check", "model.onnx")
    assert "input    x: f32 [rows, 4]" in told
    assert " w: " not in told
