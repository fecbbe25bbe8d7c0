"""`tol help`, `tol new`, what a shell completes, `:help` and `it` at the prompt, and that `make` leaves what is not its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.faces.conftest import Process, Tol

from tolang.check.library import library_names, library_sheets
from tolang.ground.reporting.codes import CODES
from tolang.ground.system.memory import resident_memory
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import FAMILIES, NARROW_INTEGERS
from tolang.program.descriptions import PRIMITIVES, all_names, describe
from tolang.program.expressions import evaluate_expression
from tolang.program.session import Session
from tolang.program.topics import TOPICS, Topic, all_topics, explained, module_text
from tolang.syntax.lexemes import KEYWORDS, SIGNS

ROOT = Path(__file__).resolve().parents[2]


def test_help_of_the_library(tol: Tol) -> None:
    shown = tol("help", "matmul").stdout
    assert shown.startswith("matmul(a, b)  (use linalg)\nthe product of matrices")
    assert "\nEOPs: 2*vol(result)*|a|[||a||]\n" in shown
    assert "\n\nmatmul(a, b) =" in shown
    assert "\nEOPs: if p == 2 then" in tol("help", "norm").stdout
    assert "vol(result) + 1\n" in tol("help", "norm").stdout, "a statement may have several lines"
    assert "basic elementary function" in tol("help", "exp").stdout
    assert "fold" in tol("help", "reduce").stdout


def test_every_name_has_help() -> None:
    assert len(all_names()) > 200
    missing = [name for name in all_names() if (found := describe(name)) is None or not found.text().strip()]
    assert missing == []


def test_help_of_nothing(tol: Tol) -> None:
    done = tol("help", "softmx")
    assert done.exit_code == 2
    assert "did you mean softmax?" in done.stderr


def test_everything_has_help() -> None:
    words = {*KEYWORDS, *SIGNS, *library_names(), *CODES, *FAMILIES, *NARROW_INTEGERS, "as"} - {"**"}
    assert words <= {*all_topics(), *all_names()}
    missing = [name for name in {*all_topics(), *words} if not (explained(name) or "").strip()]
    assert missing == []


@pytest.mark.parametrize(
    "topic", [one for one in dict.fromkeys(TOPICS.values()) if one.example], ids=lambda one: one.written
)
def test_examples_of_help_are_right(topic: Topic) -> None:
    assert topic.example is not None
    assert str(evaluate_expression(topic.example[0])) == topic.example[1]


def test_help_of_all_kinds(tol: Tol) -> None:
    shown = tol("help").stdout
    assert "modules     core fourier linalg nn optim tables\n" in shown
    assert all(name in shown for name in (*FUNCTIONS, *PRIMITIVES, "if", "->", "f8e5m2", "E303"))
    shown = tol("help", "tables").stdout
    assert shown.startswith("tables  (use tables)\n")
    assert "\nOrder\n" in shown
    names = [name for sheet in library_sheets("tables") for name in sheet.places]
    assert all(f"\n  {name}(" in shown for name in names if not name.endswith("'"))
    assert tol("help", "E303").stdout == tol("help", "e303").stdout
    assert "Count from 1, up to the length" in tol("help", "E303").stdout
    assert "if c then a else b" in tol("help", "else").stdout
    assert "in a map the current element" in tol("help", "*").stdout
    assert "a function without a name" in tol("help", "->").stdout
    assert "x + y    add" in tol("help", "+").stdout
    assert "real numbers" in tol("help", "R").stdout


def test_help_of_what_has_another_name(tol: Tol) -> None:
    assert "fix: write `sgn(x)`" in tol("help", "sign").output
    assert "`kth(" in tol("repl", input=":help median\n").stderr
    assert "tol help '*'" in tol("help", "product.tol", "tests").output, "as a shell makes of a star without quotes"
    assert "the space of text" in tol("repl", input=":help S\n").stdout
    assert "fix: write `sgn(x)`" in tol("help", "np.sign").output
    assert "write `x ^ y`" in tol("help", "power").output, "the power of the library is that of matrices"


def test_help_of_a_command_and_of_no_error(tol: Tol) -> None:
    assert "fix: tol cost --help" in tol("help", "cost").stderr
    assert "W101: repeated work" in tol("help", "w101").output
    assert f"no error has the code E999\n      expected: E101 to {max(CODES)}" in tol("help", "E999").stderr


def test_help_of_a_module_tells_whole_sentences_in_the_width_of_the_terminal() -> None:
    whole = module_text("linalg")
    assert "upper triangle in one matrix, the order, and the sign of the order\n" in whole
    (found,) = [line for line in module_text("core").splitlines() if line.startswith("  searchsorted(")]
    assert found.endswith("NaN goes last"), "the first sentence is enough"
    for width in (60, 110):
        folded = module_text("linalg", width)
        assert folded.split() == whole.split()
        assert all(len(one) <= width for one in folded.splitlines() if one.startswith("  "))
    assert "\n\n\n" not in module_text("tables")


def test_new_makes_a_program_that_is_right(tol: Tol, folder: Path) -> None:
    assert tol("new", "my-shares").exit_code == 0
    made = folder / "my-shares"
    assert sorted(path.name for path in made.iterdir()) == ["README.md", "my_shares.tol", "test_my_shares.py"]
    assert tol("fmt", "--check", made / "my_shares.tol").exit_code == 0
    np.save(folder / "a.npy", np.array([[1.0, 3.0], [2.0, 2.0]]))
    done = tol("run", made / "my_shares.tol", "a=a.npy", "-o", "out.npy")
    assert done.exit_code == 0, done.output
    np.testing.assert_array_equal(np.load(folder / "out.npy"), [[0.25, 0.75], [0.5, 0.5]])
    commands = [line for line in (made / "README.md").read_text().splitlines() if line.startswith("    ")]
    assert len({line.rindex("     ") for line in commands}) == 1, "what they do stands in one column"
    (cost,) = [line for line in (made / "README.md").read_text().splitlines() if "tol cost" in line]
    assert tol("cost", made / "my_shares.tol", cost.split()[3]).exit_code == 0
    moved = made.rename(folder / "elsewhere")
    for place, path in ((folder, "elsewhere/test_my_shares.py"), (folder.parent, moved)):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
        test = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        assert test.returncode == 0, test.stdout


def test_new_leaves_what_is_there(tol: Tol, folder: Path) -> None:
    (folder / "there").mkdir()
    assert tol("new", "there").exit_code == 2
    assert list((folder / "there").iterdir()) == []
    assert "expected: a letter, then" in tol("new", "3x").stderr
    assert tol("new", "use").exit_code == 2


@pytest.mark.parametrize("asked", ["help", "help()", "?"])
def test_prompt_is_asked_for_help_as_others_are(tol: Tol, asked: str) -> None:
    assert tol("repl", input=f"{asked}\n").stdout == tol("repl", input=":help\n").stdout


@pytest.mark.parametrize("asked", ["help matmul", "help(matmul)"])
def test_prompt_is_asked_for_a_name_as_others_are(tol: Tol, asked: str) -> None:
    assert tol("repl", input=f"{asked}\n").stdout == tol("repl", input=":help matmul\n").stdout
    assert tol("repl", input=f"help = 3\nhelp\n{asked}\n").stdout == "3 : N\n", "an own name is what it was defined as"


def test_help_of_an_order_of_the_prompt(tol: Tol) -> None:
    shown = tol("repl", input=":help :cost\n:help load\n").stdout.splitlines()
    assert [line.split()[:2] for line in shown] == [[":cost", "EXPR"], [":load", "FILE"]]
    assert tol("repl", input=":help fourier\n").stdout.endswith("\n:help NAME says more about each.\n")


def test_prompt_knows_it(tol: Tol) -> None:
    done = tol("repl", input="[1,2,3]\nit * 2\nx = it\n10\nx\nit + 1\n")
    assert done.stdout == "[1,2,3] : N [3]\n[2,4,6] : N [3]\n10 : N\n[2,4,6] : N [3]\n[3,5,7] : Z [3]\n".replace(
        ": Z [3]", ": N [3]"
    )
    assert done.stderr == ""


def test_it_is_only_of_expressions(tol: Tol) -> None:
    assert "unknown name it" in tol("repl", input="it\n").stderr
    assert "unknown name it" in tol("repl", input="1\ny = it + 1\n").stderr, (
        "a definition would change with every answer"
    )
    assert tol("repl", input="it = 5\n3\nit\n").stdout == "3 : N\n5 : N\n", "an own name is what it was defined as"
    assert tol("repl", input="2\nx = it\n:list\n").stdout == "2 : N\ntol x: N\n"


@pytest.mark.parametrize("word", ["exit", "quit", "exit()", ":quit"])
def test_prompt_is_left(tol: Tol, word: str) -> None:
    assert tol("repl", input=f"1\n{word}\n2\n").stdout == "1 : N\n"


def test_words_to_leave_may_be_names(tol: Tol) -> None:
    assert tol("repl", input="exit = 3\nexit\n4\n").stdout == "3 : N\n4 : N\n"


def test_help_at_the_prompt(tol: Tol) -> None:
    text = "# adds all\nf(v) = reduce(v, add, 0)\n:help f\nz = 2 * 3\n:help z\n:help softmax\n:help nope\n"
    done = tol("repl", input=text)
    assert "f(v)\nEOPs: m*n, of R [n, m]\n\nf(v) = reduce(v, add, 0)\n" in done.stdout
    assert "z: N\n" in done.stdout
    assert "5*vol(x)" in done.stdout
    assert "there is no nope here" in done.stderr
    assert "Type an expression" in tol("repl", input=":help\n").stdout


def test_help_has_the_comment_of_a_loaded_definition(tol: Tol, folder: Path) -> None:
    (folder / "own.tol").write_text("# The sum of squares\nsquares(v) = reduce(map(v, *^2), add, 0)\n")
    assert "The sum of squares" in tol("repl", input=":load own.tol\n:help squares\n").stdout


def test_prompt_does_not_grow() -> None:
    session = Session()
    list(session.enter("sum(map(tol[1000], i * 0.5, i))"))
    before = resident_memory()
    for k in range(25):
        list(session.enter(f"sum(map(tol[1000], i * {k}.5, i))"))
        list(session.enter("map(tol[100000], i * 1.0, i)"))
    assert resident_memory() - before < 40 << 20


def completed(process: Process, words: str) -> list[str]:
    """What bash completes the last of some words to."""
    count = len(words.split(" ")) - 1
    environment = os.environ | {"_TOL_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    done = subprocess.run(
        [sys.executable, "-m", "tolang"], env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout.split()


def test_shell_completes(process: Process, folder: Path) -> None:
    assert completed(process, "tol help logsum") == ["logsumexp"]
    assert completed(process, "tol run product.tol a") == ["a="]


MODEL_NAMES = ("input.1", "/weights:0", "out/put:0")


def test_names_of_a_model_are_its_own(tol: Tol, folder: Path) -> None:
    onnx = pytest.importorskip("onnx")
    first, second, out = MODEL_NAMES
    tensors = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2]) for name in MODEL_NAMES]
    node = onnx.helper.make_node("Sub", [first, second], [out])
    graph = onnx.helper.make_graph([node], "g", tensors[:2], tensors[2:])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "m.onnx"))
    done = tol("run", "m.onnx", f"{second}=[1,2]", f"{first}=[5,5]")
    assert done.stdout == f"{out}: f32 [2]\n[4.0,3.0]\n", done.output
    done = tol("run", "m.onnx", f"{first}=[5,5]")
    assert f"the input {second} is missing" in done.output
    assert f"input    {first}: f32 [2]" in tol("check", "m.onnx").stdout
    done = tol("run", "m.onnx", "input_1=[5,5]", "weights_0=[1,2]", "-o", "out.npz")
    assert done.exit_code == 0, done.output
    assert list(np.load(folder / "out.npz")) == ["out_put_0"], "a file has no member with such a name"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the Makefile, and a stand-in for Python that makes environments."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("src", "tests"):
        (tmp_path / name).mkdir()
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *venv*) mkdir -p .venv/bin; echo fresh > .venv/bin/python;; esac\n')
    python.chmod(0o755)
    return tmp_path


def make(project: Path, *goals: str) -> subprocess.CompletedProcess[str]:
    command = ["make", f"PYTHON={project / 'python'}", *goals]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_leaves_an_environment_that_is_not_its_own(project: Path) -> None:
    own = project / ".venv" / "mine"
    own.parent.mkdir()
    own.write_text("precious")
    done = make(project, ".venv/created")
    assert done.returncode != 0
    assert "left as it is" in done.stdout
    assert make(project, "clean").returncode == 0
    assert own.read_text() == "precious"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_makes_its_environment_and_removes_it(project: Path) -> None:
    assert make(project, ".venv/created").returncode == 0
    (project / ".venv" / "created").unlink()  # as where making it was interrupted
    (project / ".venv" / "bin" / "python").write_text("half made")
    assert make(project, ".venv/created").returncode == 0
    assert (project / ".venv" / "bin" / "python").read_text() == "fresh\n"
    assert make(project, "clean").returncode == 0
    assert not (project / ".venv").exists()
