"""`tol repl`: from a pipe, and what the terminal's completion and keys rest on."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from tests.faces.conftest import Process, Tol

from tolang.faces.completion import NameCompleter
from tolang.faces.repl import Repl, history_file
from tolang.program.session import Session


def test_definitions_and_expressions(tol: Tol) -> None:
    done = tol("repl", input="x = [1,2,3]\nf(v) = reduce(v, add, 0)\nf(x)\nx = [4]\nf(x)\n[1,2]/2\n")
    assert done.exit_code == 0
    assert done.stdout == "6 : Z\n4 : Z\n[0.5,1.0] : R [2]\n"
    assert done.stderr == ""


def test_several_lines(tol: Tol) -> None:
    text = "f(v) = {\n  s = reduce(v,\n    add, 0)\n\n  s * 2\n}\nf([1,\n2])\n1 +\n1\nif true\nthen 5\nelse 6\n"
    assert tol("repl", input=text).stdout == "6 : Z\n2 : N\n5 : N\n"


def test_errors_are_told_and_the_rest_goes_on(tol: Tol) -> None:
    done = tol("repl", input="1 + nope\n2\n(3\n")
    assert done.exit_code == 1
    assert done.stdout == "2 : N\n"
    assert "    1 | 1 + nope\n      |     ^^^^" in done.stderr
    assert "never closed" in done.stderr


def test_commands(tol: Tol, folder: Path) -> None:
    np.save(folder / "a.npy", np.arange(4.0).reshape(2, 2))
    text = (
        ":load product.tol\n:read a a.npy\nb = [[1,0],[0,1]]\nresult\n:type result\n:cost result\n:core |a|\n"
        "tol unused: R\n:forget unused\n:save out.tol\n:list\n:quit\nnever reached\n"
    )
    done = tol("repl", input=text)
    assert done.exit_code == 0, done.output
    assert "[[0.0,1.0],[2.0,3.0]] : R [2,2]\nR [n, m]\n" in done.stdout
    assert "program (n, k" in done.stdout
    assert "\n2*k*m*n\n" in done.stdout
    assert done.stdout.endswith((folder / "out.tol").read_text())
    assert (folder / "out.tol").read_text() == (folder / "product.tol").read_text()


@pytest.mark.parametrize("line", [":bogus", ":", ":read a", ":load", ":load none.tol", ":type", ":type (", ":forget x"])
def test_wrong_commands(tol: Tol, line: str) -> None:
    done = tol("repl", input=f"{line}\n1+1\n")
    assert done.exit_code == 1
    assert done.stdout == "2 : N\n"
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_help_names_every_command(tol: Tol) -> None:
    shown = tol("repl", input=":help\n").stdout
    for order in Repl(Session(), False).orders:
        assert f":{order}" in shown


def test_loaded_at_the_start(tol: Tol) -> None:
    assert tol("repl", "product.tol", input=":type at\n").stdout == "at(i, j), a function\n"
    assert tol("repl", "none.tol", input="").exit_code == 2


def test_large_values_have_their_type_above(tol: Tol) -> None:
    assert tol("repl", input="tol[50]\n").stdout.startswith("N [50]\n[0,0,")


def completed(text: str, session: Session | None = None) -> list[str]:
    completer = NameCompleter(session or Session(), [":type ", ":quit"])
    return [one.text for one in completer.get_completions(Document(text), CompleteEvent())]


def test_completion(folder: Path) -> None:
    session = Session()
    list(session.enter("softly = 1"))
    assert {"softmax", "softly"} <= set(completed("1 + soft", session))
    assert "sqrt" in completed("sq")
    assert completed("'soft") == []
    assert completed(":q") == [":quit"]
    assert completed(":load pro") == ["duct.tol"]
    assert completed("") == []


def test_history_is_in_the_state_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_file() == tmp_path / "tolang" / "history"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert history_file() == tmp_path / ".local" / "state" / "tolang" / "history"


def test_a_process_of_its_own(process: Process) -> None:
    done = process("repl", input="1+1\n:quit\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 : N\n", "")


class Terminal:
    """`tol repl` in a terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self.output = ""
        self.master, slave = pty.openpty()
        environment = {
            **os.environ,
            "XDG_STATE_HOME": str(folder),
            "TERM": "xterm",
            "NO_COLOR": "1",
            "PROMPT_TOOLKIT_NO_CPR": "1",
        }
        command = [sys.executable, "-m", "tolang", "repl"]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True
        )
        os.close(slave)

    def wait_for(self, words: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while words not in self.output:
            assert time.monotonic() < end, self.output[-2000:]
            if select.select([self.master], [], [], 0.2)[0]:
                self.output += os.read(self.master, 65536).decode("utf-8", "replace")

    def type(self, keys: str, words: str, then: str = "tol>") -> None:
        """Types keys, and waits for words that come after them and for the next prompt."""
        self.output = ""
        os.write(self.master, keys.encode())
        self.wait_for(words)
        self.output = self.output.partition(words)[2]
        self.wait_for(then)


def test_in_a_terminal(folder: Path) -> None:
    terminal = Terminal(folder / "state")
    terminal.wait_for("tol>")
    terminal.type("x = [1,\r", "...", "")
    terminal.type("2,3]\r", "x: N [3]")
    terminal.type("reduce(x, add, 0)\r", "6 : Z")
    terminal.type("softm\t", "ax", "")  # the rest of softmax
    terminal.type("(convert(x,[R]), 1)[3]\r", "0.66524")
    terminal.type("1 + nope\r", "unknown name nope")
    terminal.type("this line is cancelled\x03", "cancelled")
    terminal.type("1 +\r", "...", "")
    terminal.type("\r", "E101")
    terminal.type("x = 5\r", "(replaced)")
    os.write(terminal.master, b"\x04")
    assert terminal.process.wait(30) == 0
    history = (folder / "state" / "tolang" / "history").read_text()
    assert "+x = [1,\n+2,3]" in history
    assert "cancelled" not in history


def test_an_error_of_ours_does_not_end_a_session(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repl = Repl(Session(), True)
    repl.answer("x = 3")
    for error, words in (
        (ZeroDivisionError("oops"), "internal error: ZeroDivisionError: oops"),
        (MemoryError(), "E508"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(Session, "enter", lambda session, text, error=error: (_ for _ in ()).throw(error))
            repl.answer("x")
        assert words in capsys.readouterr().err
    repl.answer("x + 1")
    assert capsys.readouterr().out == "4 : N\n"
    monkeypatch.setattr(Session, "enter", lambda session, text: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Repl(Session(), False).answer("x")  # from a pipe it ends, and says so by its exit code


def test_the_example_of_the_first_page(tol: Tol) -> None:
    text = (
        "list way: [length: R, stop: N]\ntol best: way [2]\nbest = [(4,2), (2,1)]\nbest[length]'\n1 + 1\nlengths = it\n"
    )
    done = tol("repl", input=f"{text}best[length]'\nlengths = it\nlengths\n:list\n")
    assert done.stderr == ""
    assert done.stdout.startswith("[4.0,2.0] : [length: R] [2]\n2 : N\n[4.0,2.0] : [length: R] [2]\n[4.0,2.0]")
    assert done.stdout.endswith("tol lengths: [length: R] [2]\n")
