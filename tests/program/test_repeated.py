"""Warnings of what is computed again and again: where they stand, what they say, and where there are none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tolang
from tolang.ground.reporting.diagnostics import Diagnostic
from tolang.program.repeated import ABOVE, CODE, repeated

X, A = "tol x: R [n]\n", "tol a: R [m,n]\n"


def warnings_of(text: str) -> list[Diagnostic]:
    return list(repeated(tolang.compile(text, engine="interpret").core))


@pytest.mark.parametrize(
    ("text", "meant", "fix"),
    [
        (f"{X}y := map(x, * - mean(x))", "mean(x)", "name it above: mean_x = mean(x)"),
        (f"{X}y := reduce(x, (s,e) -> s + e*mean(x), 0)", "mean(x)", "name it above: mean_x = mean(x)"),
        (f"{X}y := map(x, * - sort(x)[i], i)", "sort(x)", "name it above: sort_x = sort(x)"),
        (f"use nn\n{X}y := map(x, softmax(x)[i], i)", "softmax(x)", "name it above: softmax_x = softmax(x)"),
        (f"{A}y := map(a, * - mean(a[i]), [i,j])", "mean(a[i])", "compute it above, in a map over i, and read it here"),
        (f"{A}y := map(a, * - mean(a[:,j]), [i,j])", "mean(a[:,j])", "compute it above, in a map over j, and read it here"),
        (f"{X}f(v,i) = v[i] - mean(v)\ny := map(x, f(x,i), i)", "mean(v)", "name it outside of the loop"),
        (f"{X}y := map(x, {{ m = sum(x); * - m }})", "sum(x)", "move m out of the loop"),
    ],
)  # fmt: skip
def test_what_is_the_same_in_every_turn_is_told(text: str, meant: str, fix: str) -> None:
    (found,) = warnings_of(text)
    assert found.code == CODE
    assert found.span is not None
    assert (found.span.text, found.fix) == (meant, fix)
    assert found.render().splitlines()[0].startswith("<source>:")


def test_it_tells_both_costs_as_they_are_counted() -> None:
    (found,) = warnings_of(f"{X}y := map(x, * - mean(x))")
    before, after = (
        str(tolang.compile(text).cost().eops)
        for text in (f"{X}y := map(x, * - mean(x))", f"{X}m = mean(x)\ny := map(x, * - m)")
    )
    assert found.message.endswith(f"y costs {after} EOPs, not {before}")
    assert before != after


@pytest.mark.parametrize(
    "text",
    [
        f"{X}m = mean(x)\ny := map(x, * - m)",  # named already
        "tol x: R [5]\ny := map(x, * - mean(x))",  # no size decides
        f"{X}tol v: R [3]\ny := map(x, * / sum(v))",  # as many times more at all sizes
        f"{X}y := map(x, * + mean(map(x, rand(1))))",  # another one for each element
        f"{A}y := map(tol[m], sum(a[i]), i)",
        f"use nn\n{A}y := softmax(a, 2)",
        f"{A}tol b: R [n,k]\nuse linalg\ny := matmul(a, b)",
    ],
)
def test_nothing_is_told_of_what_grows_no_faster(text: str) -> None:
    assert warnings_of(text) == []


def test_naming_it_as_told_leaves_nothing_to_tell() -> None:
    text = f"{X}y := map(x, (* - mean(x)) / standard_deviation(x))\n"
    for _ in range(2):
        found = warnings_of(text)[0]
        assert found.span is not None
        assert found.fix is not None
        definition = found.fix.removeprefix(ABOVE)
        text = text.replace(found.span.text, definition.partition(" ")[0], 1) + definition + "\n"
    assert warnings_of(text) == []
    assert tolang.compile(text)([1.0, 2.0, 6.0]).shape == (3,)


def test_check_and_the_prompt_tell_it(tmp_path: Path) -> None:
    file = tmp_path / "centred.tol"
    file.write_text(f"{X}y := map(x, * - mean(x))\n")
    checked = subprocess.run(
        [sys.executable, "-m", "tolang", "check", str(file)], capture_output=True, text=True, check=True
    )
    assert "centred.tol:2:17: warning W101: `mean(x)` is the same for every element" in checked.stderr
    quiet = [sys.executable, "-m", "tolang", "check", "--quiet", str(file)]
    assert subprocess.run(quiet, capture_output=True, text=True, check=True).stderr == ""
    typed = "x = [1,2,6]\nmap(x, * - mean(x))\n"
    prompt = subprocess.run([sys.executable, "-m", "tolang", "repl"], input=typed, capture_output=True, text=True)
    assert "warning W101" not in prompt.stderr  # three elements are no size
    typed = "tol x: R [n]\ny = map(x, * - mean(x))\n"
    prompt = subprocess.run([sys.executable, "-m", "tolang", "repl"], input=typed, capture_output=True, text=True)
    assert "warning W101" in prompt.stderr


def test_a_choice_of_lengths_is_looked_at() -> None:
    """The type of a choice has the length that is bound with it: what that costs is not asked for again."""
    source = "tol a: N\ntol k: N [n]\ntol g: N [m]\nr := map(g, sum(if a > * then k else k[2:]))"
    program = tolang.compile(source)
    assert list(repeated(program.core)) == []
    assert program(4, [1, 2, 3], [3, 4]).tolist() == [6, 5]
