"""The user's own modules: found beside a file, in the working folder and on TOL_PATH, kept by their content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper
from typer.testing import CliRunner

import tolang
from tolang.faces.command import app
from tolang.faces.notebook.workspace import CellOptions, Workspace
from tolang.onnx import load
from tolang.program.session import EvaluatedExpression, Session

DOUBLE = "double(x) = map(x, 2 * *)\n"
PROGRAM = "use helpers\ntol x: R [n]\ny := double(x)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a module in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOL_PATH", raising=False)
    (tmp_path / "helpers.tol").write_text(DOUBLE)
    return tmp_path


def test_a_module_is_found_beside_the_file_and_not_where_the_process_works(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "main.tol").write_text(PROGRAM)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "helpers.tol").write_text("double(x) = map(x, 0 * *)\n")
    monkeypatch.chdir(elsewhere)
    assert tolang.compile(folder / "main.tol")([1.0, 2.0]).tolist() == [2, 4]
    assert tolang.compile(PROGRAM)([1.0, 2.0]).tolist() == [0, 0]


def test_what_a_module_says_now_is_what_a_new_program_does_and_an_old_one_stays(folder: Path) -> None:
    (folder / "inner.tol").write_text("factor = 2\n")
    (folder / "helpers.tol").write_text("use inner\ndouble(x) = map(x, factor * *)\n")
    before = tolang.compile(PROGRAM)
    (folder / "inner.tol").write_text("factor = 5\n")
    after = tolang.compile(PROGRAM)
    assert after([1.0]).tolist() == [5]
    assert before([1.0]).tolist() == [2]
    single: Any = before(np.ones(1, np.float32))  # is checked only now, for these numbers
    assert (single.tolist(), single.dtype) == ([2], np.float32)
    (folder / "inner.tol").unlink()
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(PROGRAM)
    assert caught.value.code == "E202"
    assert "helpers.tol is used here" in str(caught.value)


def test_folders_of_the_path_are_searched_after_the_one_beside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, factor in (("first", 3), ("second", 7)):
        (folder / name).mkdir()
        (folder / name / "factors.tol").write_text(f"factor = {factor}\n")
    monkeypatch.setenv("TOL_PATH", f"{folder / 'first'}:{folder / 'second'}")
    assert tolang.evaluate("factor", use="factors") == 3
    (folder / "factors.tol").write_text("factor = 9\n")
    assert tolang.evaluate("f.factor", use=["factors as f", "helpers.tol"]) == 9


def test_a_name_of_the_library_that_is_also_a_file_is_told(folder: Path) -> None:
    (folder / "linalg.tol").write_text("matmul(a, b) = a\n")
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile("use linalg\ny := 1")
    assert caught.value.code == "E214"
    assert tolang.compile('use "linalg.tol"\ny := matmul(3, 4)')() == 3


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x" * (1 << 23) + b"\n"], ids=["no text", "too large"])
def test_what_cannot_be_read_is_told(folder: Path, content: bytes) -> None:
    (folder / "helpers.tol").write_bytes(content)
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(PROGRAM)
    assert caught.value.code == "E202"
    assert "cannot be read" in str(caught.value)


def test_a_file_of_nearly_the_name_is_told(folder: Path) -> None:
    (folder / "helpers.tol").write_text("f(x) = x\n")
    with pytest.raises(tolang.ToLangError, match=r"did you mean helpers\?"):
        tolang.compile("use helper\ny := f(1)\n")


def test_mistakes_in_a_module_stand_in_its_file_with_the_chain(folder: Path) -> None:
    (folder / "helpers.tol").write_text("use inner\n")
    (folder / "inner.tol").write_text("f(x) = (x\n")
    with pytest.raises(tolang.ToLangError) as caught:
        tolang.compile(PROGRAM)
    (problem,) = caught.value.diagnostics
    assert problem.span is not None
    assert (problem.code, problem.span.place) == ("E102", "inner.tol:1:8")
    assert [note.span.place for note in problem.notes if note.span] == ["helpers.tol:1:1", "<source>:1:1"]


def test_modules_at_the_prompt_are_read_again_when_they_are_used_again(folder: Path) -> None:
    session = Session()

    def value(text: str) -> object:
        (answer,) = session.enter(text)
        assert isinstance(answer, EvaluatedExpression)
        assert not isinstance(answer.value, tuple)
        return answer.value.to_list()

    list(session.enter("use helpers as h; use helpers"))
    assert (value("h.double([1,2])"), value("double([3])")) == ([2, 4], [6])
    (folder / "helpers.tol").write_text("double(x) = map(x, 3 * *)\n")
    assert value("h.double([1,2])") == [2, 4]
    list(session.enter("use helpers as h"))
    assert value("h.double([1,2])") == [3, 6]
    assert "double" in session.names()


def test_modules_in_a_notebook(folder: Path) -> None:
    workspace = Workspace({"x": np.array([1.0, 2.0])})
    workspace.run("use helpers as h", CellOptions())
    ran = workspace.run("y := h.double(x)\nh.double([5])", CellOptions())
    assert [one.to_list() for one in ran.values if not isinstance(one, tuple)] == [[10]]
    assert workspace.variables["y"].tolist() == [2, 4]
    (folder / "helpers.tol").write_text("double(x) = map(x, 3 * *)\n")
    workspace.run("use helpers as h\ny := h.double(x)", CellOptions())
    assert workspace.variables["y"].tolist() == [3, 6]


def test_the_command_evaluates_with_modules(folder: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(app, ["eval", "double([1,2])", "--use", "helpers.tol"]).output == "[2,4]\n"
    assert runner.invoke(app, ["eval", "h.double([1,2])", "-u", "helpers as h"]).output == "[2,4]\n"
    assert runner.invoke(app, ["eval", "matmul([[1,2]], [[1],[2]])", "--use", "linalg"]).output == "[[5]]\n"


def test_operators_of_a_model_use_modules_of_their_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "operators.tol").write_text("use helpers as h\ncom_example_Twice(x) = h.double(x)\n")
    node = helper.make_node("Twice", ["x"], ["y"], domain="com.example")
    given = [helper.make_tensor_value_info("x", 1, [3])]
    graph = helper.make_graph([node], "g", given, [helper.make_empty_tensor_value_info("y")])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.example", 1)]
    path = folder / "model.onnx"
    path.write_bytes(helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString())
    x = np.array([1, 2, 3], np.float32)
    monkeypatch.chdir("/")
    assert load(path, operators=folder / "operators.tol")(x).tolist() == [2, 4, 6]
    (folder / "helpers.tol").write_text("double(x) = map(x, 3 * *)\n")
    assert load(path, operators=folder / "operators.tol")(x).tolist() == [3, 6, 9]


def test_random_numbers_do_not_change_with_the_folder(folder: Path) -> None:
    (folder / "noise.tol").write_text("noise(x) = map(x, rand(1))\n")
    (folder / "inner").mkdir()
    (folder / "inner" / "noise.tol").write_text("noise(x) = map(x, rand(1))\n")
    (folder / "inner" / "main.tol").write_text("use noise\ny := noise(tol[3])")
    one = tolang.compile("use noise\ny := noise(tol[3])")()
    other = tolang.compile(folder / "inner" / "main.tol")()
    assert one.tolist() == other.tolist()
