"""Every other command of `tol`, help, exit codes, and how everything that goes wrong ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tests.faces.conftest import Process, Tol

import tolang
from tolang.ground.reporting.painting import painted_error


def test_help_lists_every_command(tol: Tol) -> None:
    done = tol("--help")
    assert done.exit_code == 0
    for name in ("run", "check", "fmt", "eval", "repl", "atoms", "core", "gradient", "demo"):
        assert re.search(rf"^  {name} ", done.stdout, re.MULTILINE)
    assert max(len(line) for line in done.stdout.splitlines()) <= 80


@pytest.mark.parametrize("name", ["run", "check", "fmt", "eval", "repl", "atoms", "core", "gradient", "demo"])
def test_every_command_has_help(tol: Tol, name: str) -> None:
    for option in ("--help", "-h"):
        done = tol(name, option)
        assert done.exit_code == 0
        assert f"tol {name}" in done.stdout
    first = done.stdout.splitlines()[2]
    assert first.strip().endswith(".")


def test_version(tol: Tol) -> None:
    assert tol("--version").stdout == f"tol {tolang.__version__}\n"


@pytest.mark.parametrize("words", [("bogus",), ("run",), ("eval",), ("check",), ("eval", "1", "2"), ("--bogus",)])
def test_wrong_calls(tol: Tol, words: tuple[str, ...]) -> None:
    done = tol(*words)
    assert done.exit_code == 2
    assert done.stdout == ""


def test_eval(tol: Tol) -> None:
    assert tol("eval", "reduce([1,2,3,4,5], add, 0)").stdout == "15\n"
    assert tol("eval", "-t", "[1,2]/2").stdout == "R [2] = [0.5,1.0]\n"
    assert tol("eval", "-", input="1 +\n 1\n").stdout == "2\n"
    assert tol("eval", "([1], 'a')").stdout == "[1]\n'a'\n"
    assert tol("eval", "rand(1)", "--seed", "3").stdout == tol("eval", "rand(1)", "--seed", "3").stdout
    done = tol("eval", "1 + nope")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "    1 | 1 + nope\n      |     ^^^^" in done.stderr


@pytest.mark.parametrize(
    ("written", "value"), [("-2^2", "-4"), ("-3 + 1", "-2"), ("-sqrt(4)", "-2.0"), ("-[1,2]", "[-1,-2]")]
)
def test_an_expression_may_begin_with_a_minus(tol: Tol, written: str, value: str) -> None:
    assert tol("eval", written).stdout == f"{value}\n"
    assert tol("eval", written, "--seed", "3").stdout == f"{value}\n"
    assert tol("eval", "--", written).stdout == f"{value}\n"
    assert tol("eval", "-q").exit_code == 2, "an option that there is not is refused"


def test_check(tol: Tol, folder: Path) -> None:
    done = tol("check", "product.tol")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "product.tol: ok", "  input    a: R [n, k]", "  input    b: R [k, m]", "  output   result: R [n, m]"
    ]  # fmt: skip
    (folder / "more.tol").write_text("tol g = [n]\ng := map(g, 1)\nf(x, k=1) := x\n")
    assert "  size     n" in tol("check", "more.tol").stdout
    assert "  function f(x, k)" in tol("check", "more.tol").stdout
    assert tol("check", "-q", "more.tol").stdout == ""
    assert tol("check", ".").stdout.count(": ok") == 2


def test_check_shows_every_error(tol: Tol, folder: Path) -> None:
    (folder / "wrong.tol").write_text("r := nope\ns := 1 + other\n")
    (folder / "broken.tol").write_text("r := (1\ns := ]\n")
    done = tol("check", "wrong.tol", "product.tol", "broken.tol", "none.tol")
    assert done.exit_code == 1
    assert "product.tol: ok" in done.stdout
    for words in ("wrong.tol:1:6", "wrong.tol:2:10", "broken.tol:1:6", "broken.tol:2:6", "cannot read none.tol"):
        assert words in done.stderr
    assert tol("check", "none.tol").exit_code == 2


def test_check_laws(tol: Tol, folder: Path) -> None:
    (folder / "laws.tol").write_text("associative plus(a, b) = a + b\nr := 1\n")
    done = tol("check", "--laws", "laws.tol")
    assert done.exit_code == 0
    assert "law      plus: associative in" in done.stdout
    (folder / "laws.tol").write_text("associative minus(a, b) = a - b\nr := 1\n")
    done = tol("check", "--laws", "laws.tol")
    assert done.exit_code == 1
    assert "minus is declared associative, and is not" in done.stderr
    assert "minus(minus(" in done.stderr
    assert "none is declared" in tol("check", "--laws", "product.tol").stdout


def test_format_in_place(tol: Tol, folder: Path) -> None:
    path = folder / "x.tol"
    path.write_bytes(b"x=1+2 # sum\r\ny   :=x\r\n")
    path.chmod(0o640)
    assert tol("fmt", "--check", "x.tol").exit_code == 1
    done = tol("fmt", "--diff", "x.tol")
    assert done.exit_code == 0
    assert "-x=1+2 # sum" in done.stdout
    assert "+x = 1 + 2" in done.stdout
    assert path.read_bytes() == b"x=1+2 # sum\r\ny   :=x\r\n"
    assert tol("fmt", "x.tol").exit_code == 0
    formatted = path.read_bytes()
    assert formatted.startswith(b"x = 1 + 2")
    assert formatted.count(b"\r\n") == 2
    assert b"# sum" in formatted
    assert path.stat().st_mode & 0o777 == 0o640
    assert tol("fmt", "--check", "x.tol").exit_code == 0
    assert tol("fmt", "x.tol").stderr == ""


def test_format_leaves_wrong_files_alone(tol: Tol, folder: Path) -> None:
    (folder / "wrong.tol").write_text("x  = (1\n")
    (folder / "right.tol").write_text("x=1\n")
    done = tol("fmt", "wrong.tol", "right.tol", "none.tol")
    assert done.exit_code == 1
    assert (folder / "wrong.tol").read_text() == "x  = (1\n"
    assert (folder / "right.tol").read_text() == "x = 1\n"
    assert sorted(path.name for path in folder.iterdir()) == ["product.tol", "right.tol", "wrong.tol"]
    assert tol("fmt", "none.tol").exit_code == 2


def test_format_standard_input(tol: Tol) -> None:
    done = tol("fmt", "-", input="x=1+2")
    assert (done.exit_code, done.stdout) == (0, "x = 1 + 2\n")
    done = tol("fmt", "-", input="x=(")
    assert (done.exit_code, done.stdout) == (1, "")


def test_core(tol: Tol) -> None:
    done = tol("core", "product.tol")
    assert done.exit_code == 0
    assert done.stdout.startswith("program (n, k, m)\n")
    assert tol("core", "-", input="r := nope").exit_code == 1


def test_atoms(tol: Tol) -> None:
    done = tol("atoms", "product.tol", "a=[[1,2]]", "b=[[3],[4]]", "--ascii")
    assert done.exit_code == 0, done.output
    assert "Lambda(" in done.stdout
    assert done.stdout.endswith("result: R [1,1]\n[[11.0]]\n")
    assert "Λ(" in tol("atoms", "product.tol", "n=1", "k=1", "m=1").stdout
    assert tol("atoms", "product.tol", "n=1").exit_code == 2
    assert tol("atoms", "product.tol", "n=1", "z=1").exit_code == 2


def test_demo(tol: Tol, tmp_path: Path) -> None:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 4])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 3])
    weights = numpy_helper.from_array(np.arange(12, dtype=np.float32).reshape(4, 3), "w")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Softmax", ["h"], ["y"])]
    graph = helper.make_graph(nodes, "small", [x], [y], [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    onnx.save(model, tmp_path / "small.onnx")
    done = tol("demo", str(tmp_path / "small.onnx"), "--report", str(tmp_path / "report.html"))
    assert done.exit_code == 0, done.output
    assert "[[ 4.0, 2.0, 9.0],\n [ 2.0, 9.0,16.0]]" in done.stdout
    assert done.stdout.count("the same as") == 3
    assert "NOT" not in done.stdout
    assert "39 EOPs, 12 multiply-accumulates" in done.stdout  # 3*(2*4) and 5 for each of 3 exponentials
    assert max(len(line) for line in done.stdout.splitlines() if "report.html" not in line) <= 80
    assert "small.onnx" in (tmp_path / "report.html").read_text()


def test_demo_without_a_model(tol: Tol) -> None:
    done = tol("demo")
    assert done.exit_code == 0, done.output
    assert "tol demo model.onnx" in done.stdout


def test_internal_errors(tol: Tol, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **named: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("tolang.program.expressions.evaluate_expression", fail)
    done = tol("eval", "1")
    assert done.exit_code == 70
    assert "internal error: KeyError: 'a bug'" in done.stderr
    assert "please report" in done.stderr
    assert "Traceback" not in done.stderr
    assert isinstance(tol("--debug", "eval", "1").exception, KeyError)


def test_no_colour_where_nobody_looks(process: Process) -> None:
    done = process("eval", "1 + nope")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr


def test_module_is_the_command(process: Process) -> None:
    done = process("eval", "1+1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")


TELLING = """
import signal, sys
from pathlib import Path
from tolang.program.runner import Runner
from tolang.faces.command import main

def run(*arguments, whole=Runner.run):
    Path("running").touch()
    return whole(*arguments)

signal.signal(signal.SIGINT, signal.default_int_handler)
Runner.run = run
sys.argv[1:] = ["run", "long.tol"]
main()
"""
"""`tol run long.tol` that heeds Ctrl-C wherever it is started, and makes a file once the program is about to run."""


def test_interrupted(folder: Path) -> None:
    (folder / "long.tol").write_text("r := reduce(tol[1000000000], (s,x) -> map(s, sin(*)), tol[100])\n")
    command = [sys.executable, "-c", TELLING]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (folder / "running").exists():
        assert running.poll() is None
        time.sleep(0.05)
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in errors
    assert output == ""


def test_broken_pipe(folder: Path) -> None:
    (folder / "many.tol").write_text("".join(f"value{i} := {i}\n" for i in range(300)))
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "tolang", "run", "many.tol"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 141


def test_help_is_light(folder: Path) -> None:
    program = (
        "import sys; sys.argv = ['tol', '--help']\n"
        "from tolang.faces.command import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([m for m in ('numpy', 'rich', 'llvmlite', 'prompt_toolkit', 'tolang.check') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "words",
    [
        ["cost", "product.tol", f"n={'9' * 5000}"], ["cost", "product.tol", "n=²"], ["cost", "product.tol", f"a={'9' * 5000}x2"],
        ["cost", "product.tol", f"a=({'9' * 5000},2)"], ["cost", "product.tol", f"--over=n=1:{'9' * 5000}"], ["cost", "product.tol", f"--over=n=1:1{'0' * 400}"],
        ["run", "product.tol", "--max-eops", "1e999999999"], ["run", "product.tol", "--max-eops", f"1e{'9' * 5000}"], ["run", "product.tol", "--max-memory", "9" * 5000],
        ["run", "product.tol", f"n={'9' * 5000}"], ["run", "product.tol", "--seed", "9" * 5000], ["run", "product.tol", "--threads", "9" * 5000],
        ["cost", "product.tol", "--html", "r.html", "--peak-flops", "1e300"],
    ],
)  # fmt: skip
def test_numbers_without_end_are_told(tol: Tol, words: list[str]) -> None:
    found = tol(*words)
    assert found.exit_code in (0, 1, 2), found.output
    assert "internal" not in found.output


def test_the_place_of_a_note_keeps_its_colour_whole() -> None:
    with pytest.raises(tolang.ToLangError) as refused:
        tolang.evaluate("[1,2}")
    assert "\x1b[36m      note at <expression>:1:1:\x1b[0m `[` opens here" in painted_error(str(refused.value))
