"""Text that others wrote reaches no terminal as it is: names of models, headers and members, paths, values, source.

Everything that is printed, drawn or shown in a notebook has none but printable characters and line ends, and where
there is a terminal our own colours.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from tests.faces.conftest import Tol

import tolang
from tolang.ground.reporting import escaping
from tolang.ground.reporting.diagnostics import Diagnostic, Note, Source, Span, ToLangCheckError

EVIL = "\x1b[31mRED\x1b]0;title\x07\u202eevil\u2028\u200b\x7f\x9b31m\x85\r\n\t\ufeff\x00"
"""Colour, a window's title, a bell, a turned direction, a hidden space, controls of both kinds, line ends."""
NAMED = EVIL.replace("\x00", "").replace("/", "")
"""What a file may be called."""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def is_plain(text: str) -> bool:
    return all(one.isprintable() for one in text.split("\n"))


@pytest.mark.parametrize("sign", [*map(chr, range(32)), "\x7f", *map(chr, range(128, 160)), *"\u200b\u200d\u200e\u2028\u2029\u202a\u202e\u2066\ufeff\ud800\udfff\U000e0041"])  # fmt: skip
def test_whatever_acts_or_hides_is_written_out(sign: str) -> None:
    assert escaping.visible(f"a{sign}b").isprintable()
    assert escaping.visible(f"a{sign}b").encode("utf-8").startswith(b"a\\")
    assert escaping.visible_lines(f"a{sign}b") == ("a\nb" if sign == "\n" else escaping.visible(f"a{sign}b"))


def test_what_is_printable_stays_as_it_is() -> None:
    for text in ("plain", "naïve – 数 ∑ 🙂", "", "a b"):
        assert escaping.visible(text) == escaping.line(text) == escaping.shown(text) == text
    assert escaping.shown("x" * 1000) == "x" * escaping.LONGEST_NAME + "…"
    assert len(escaping.line("x" * 10**6)) < escaping.LONGEST_LINE + 10


def test_no_part_of_a_diagnostic_gets_through() -> None:
    source = Source(f"name{EVIL}", f"\tok := 1 {NAMED} + bad{NAMED}\n")
    span = Span(source, 8, 30)
    note = Note(f"note{EVIL}", span)
    text = str(ToLangCheckError(Diagnostic("E201", EVIL, span, EVIL, EVIL, EVIL, (note,))))
    assert is_plain(text)
    assert text.count("error E201") == 1
    assert text.count("\n") == 8, "no line that it did not have"


def test_carets_stand_below_what_they_mean() -> None:
    source = Source("a", "x := '\x1b[31m' \t+ bad + 1")
    start = source.text.index("bad")
    shown, carets = Span(source, start, start + 3).excerpt().split("\n")
    assert shown[carets.index("^") : carets.rindex("^") + 1] == "bad"


@pytest.fixture
def models(folder: Path) -> Path:
    """Models whose every name is hostile: one that runs, and one for each of several errors."""
    takes = helper.make_tensor_value_info(f"x{EVIL}", TensorProto.FLOAT, [f"n{EVIL}", 3])
    gives = helper.make_tensor_value_info(f"y{EVIL}", TensorProto.FLOAT, None)
    wrong = helper.make_node("Relu", [f"x{EVIL}"], [f"y{EVIL}"], name=f"node{EVIL}")
    wrong.attribute.append(helper.make_attribute(f"attribute{EVIL}", 3))
    nodes = {
        "good": helper.make_node("Relu", [f"x{EVIL}"], [f"y{EVIL}"], name=f"node{EVIL}", doc_string=EVIL),
        "operator": helper.make_node(f"Op{EVIL}", [f"x{EVIL}"], [f"y{EVIL}"], name=f"node{EVIL}"),
        "domain": helper.make_node("Relu", [f"x{EVIL}"], [f"y{EVIL}"], name=f"node{EVIL}", domain=f"domain{EVIL}"),
        "attribute": wrong,
        "missing": helper.make_node("Relu", [f"z{EVIL}"], [f"y{EVIL}"], name=f"node{EVIL}"),
    }
    for name, node in nodes.items():
        graph = helper.make_graph([node], f"graph{EVIL}", [takes], [gives])
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(f"domain{EVIL}", 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name=EVIL, doc_string=EVIL, ir_version=8)
        onnx.save(model, folder / f"{name}.onnx")
    onnx.save(onnx.load(folder / "good.onnx"), folder / f"m{NAMED}.onnx")
    return folder


@pytest.mark.parametrize(
    "words",
    ["cost {}", "cost {} --by node", "cost {} --derive", "cost {} --json", "run {}", "run {} x={}", "draw {}", "explain {}"],
)  # fmt: skip
@pytest.mark.parametrize(
    "name", ["good", "operator", "domain", "attribute", "missing", f"m{NAMED}"], ids=escaping.visible
)
def test_models(tol: Tol, models: Path, words: str, name: str) -> None:
    found = tol(*(word.format(f"{name}.onnx") for word in words.split()))
    assert found.exit_code in (0, 1, 2), found.output
    assert found.output
    assert is_plain(found.output)


@pytest.mark.parametrize("name", ["good", f"m{NAMED}"], ids=escaping.visible)
def test_what_is_written_of_models(tol: Tol, models: Path, name: str) -> None:
    assert tol("draw", f"{name}.onnx", "-o", "o.svg").exit_code == 0
    assert r"node\x1b[31mRED" in "".join(ET.parse(models / "o.svg").getroot().itertext())
    assert tol("cost", f"{name}.onnx", "--html", "o.html").exit_code == 0
    assert tol("import", f"{name}.onnx", "-o", "o.tol").exit_code == 0
    assert is_plain((models / "o.svg").read_text("utf-8"))
    assert is_plain((models / "o.tol").read_text("utf-8"))
    head = (models / "o.tol").read_text("utf-8").partition("\n\n")[0].splitlines()
    assert all(line.startswith("# ") for line in head), "names stay in their comments"
    assert all(one.isprintable() for one in re.split("[\n\t]", (models / "o.html").read_text("utf-8")))


PROGRAMS = {
    f"file{NAMED}": "tol x: R [n]\ny := x + 1\n",
    f"wrong{NAMED}": "tol x: R [n]\ny := x + z\n",
    "text": "# \x1b[31m\u202e\ntol x: R [n]\ny := 'te\x1b[31m\u202ext'\nz := x\n",
    "error": "tol x: R [n]\ny := unknown + '\x1b[31m\u202e' \t + x # \x1b\n",
    "character": "y := 1 \x1b[31m\n",
    os.fsdecode(b"bytes\xff\x1b"): "tol x: R [n]\ny := x\n",
}


@pytest.mark.parametrize("command", ["check", "run", "cost", "explain", "core", "draw", "atoms", "fmt --diff", "fmt --check"])  # fmt: skip
@pytest.mark.parametrize("name", PROGRAMS, ids=escaping.visible)
def test_programs(tol: Tol, folder: Path, command: str, name: str) -> None:
    (folder / f"{name}.tol").write_text(PROGRAMS[name], "utf-8", newline="")
    more = ["x=[1,2]"] if command == "run" else ["n=2"] if command == "atoms" else []
    found = tol(*command.split(), f"{name}.tol", *more)
    assert found.exit_code in (0, 1, 2), found.output
    assert is_plain(found.output)


@pytest.fixture
def data(folder: Path) -> Path:
    """Files of data whose names, headers and values are hostile."""
    cells = NAMED.replace('"', "")
    (folder / "head.csv").write_text(f'"a{cells}","b{cells}",c\n"text{cells}",2,3\n', "utf-8", newline="")
    (folder / "bad.csv").write_text(f'a,b\n1,"q{cells}"\n', "utf-8", newline="")
    np.savez(folder / "m.npz", **{f"a{EVIL[:20]}": np.ones(2), "other": np.ones(3)})  # type: ignore[arg-type]  # mypy takes the names for options
    np.save(folder / "s.npy", np.array([f"a{EVIL}z", "b"]))
    (folder / "k.json").write_text('{"a\\u001b[31m\\u202e": [1,2], "b": ["t\\u001b\\u2028"]}')
    (folder / f"n{NAMED}.csv").write_text("1,2\nx,y\n")
    (folder / "t.tol").write_text("tol t: [a:S, b:R] [n]\ny := t\n")
    (folder / "v.tol").write_text("tol v: R [n]\ny := v\n")
    (folder / "s.tol").write_text("tol s: S [n]\ny := s\nz := s[1]\nl := (s,s)\n")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ["run", "t.tol", "t=head.csv"], ["run", "v.tol", "v=bad.csv"], ["run", "v.tol", "v=bad.csv:b"],
        ["run", "v.tol", "v=head.csv:zz"], ["run", "v.tol", "v=m.npz:q"], ["run", "v.tol", "v=m.npz"], ["run", "v.tol", "m.npz"],
        ["run", "v.tol", "v=k.json"], ["run", "v.tol", "v=k.json:b"], ["run", "s.tol", "s=s.npy"], ["run", "v.tol", "v=s.npy"],
        ["run", "v.tol", "v=@\x1b[31m"], ["run", "v.tol", "v=\x1b"], ["run", "v.tol", "w\x1b=3"], ["run", "v.tol", "zz=3\x1b"],
        ["run", "v.tol", f"v=n{NAMED}.csv"], ["run", "v.tol", "v=[1]", "-o", "o\x1b\n.npz"], ["run", "v.tol", "v=[1]", "-o", "no\x1b/o.npz"],
        ["run", "v.tol", "v=[1]", "--engine", "e\x1b"], ["run", "v.tol", "v=[1]", "--max-eops", "e\x1b"], ["run", "v.tol", "-f", "\x1b"],
        ["eval", "'a\x1b\u202eb'"], ["eval", "q\x1b"], ["cost", "v.tol", "\x1b=3"], ["cache", "e\x1b"], ["e\x1b"], ["run", "--e\x1b"],
        ["check", "no\x1b[31m\n.tol"], ["fmt", "no\x1b[31m\n.tol"],
    ],
)  # fmt: skip
def test_data_and_calls(tol: Tol, data: Path, words: list[str]) -> None:
    found = tol(*words)
    assert found.exit_code in (0, 1, 2), found.output
    assert found.output
    assert is_plain(found.output)


def test_what_is_typed_and_loaded(tol: Tol, folder: Path) -> None:
    (folder / "l.tol").write_text("# \x1b[31m\u202e\ny := 'te\x1b[31m\u202ext'\n", "utf-8")
    found = tol("repl", input=":load l.tol\n:list\n:\x1b[31m\ny\n'\x1b'\nq\x1b\n:load no\x1b\n")
    assert r"'te\x1b[31m\u202ext'" in found.output
    assert is_plain(found.output)


def shown_in_python(folder: Path) -> Iterator[str]:
    table = tolang.read(folder / "head.csv")
    yield from (repr(table), str(table), table._repr_html_())
    program = tolang.compile("tol s: S [n]\ny := (s,s)")
    program.source = Source(EVIL, program.source.text)  # as a file of that name gives it
    value = program(np.array([EVIL, "b"]))
    yield from (repr(program), program._repr_html_(), repr(value), value._repr_html_())
    cost = tolang.compile("tol x: R [n]\ny := x + 1").cost()
    yield from (repr(cost), cost._repr_html_())


def test_python_and_notebooks(data: Path) -> None:
    shown = list(shown_in_python(data))
    assert [text for text in shown if not is_plain(text)] == []
    assert r"\x1b[31mRED" in shown[0]


def test_a_terminal_gets_our_own_colours_alone(data: Path) -> None:
    main, other = pty.openpty()
    command = [sys.executable, "-m", "tolang", "run", "v.tol", "v=bad.csv:b"]
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
    done = subprocess.Popen(command, stdout=other, stderr=other, stdin=other, env=environment)
    os.close(other)
    written = b""
    while True:
        try:
            chunk = os.read(main, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        written += chunk
    os.close(main)
    assert done.wait(60) == 2
    text = written.decode("utf-8").replace("\r\n", "\n")
    assert "\x1b[1;31merror E608:\x1b[0m" in text
    assert is_plain(COLOUR.sub("", text))
    assert COLOUR.findall(text) == ["\x1b[1;31m", "\x1b[0m"]


def test_files_are_called_what_they_are_called(tol: Tol) -> None:
    """Numbers after points tell names of a program apart, and are left out there; in the name of a file they stay."""
    assert "cannot read run.1.npy" in tol("run", "product.tol", "a=run.1.npy").output
    assert "cannot read a~b.2.tol" in tol("check", "a~b.2.tol").output
