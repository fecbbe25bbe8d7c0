"""Costs as people read them: tables as wide as a terminal, the leading term first, fractions reduced, names that stay."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tolang
from tolang.faces import terminal
from tolang.faces.command import app
from tolang.ground.symbolic.sizes import Size
from tolang.program.amounts import reduced
from tolang.program.cost_table import cost_table
from tolang.program.text_tables import laid_out, wrapped

FILTERED = "tol x: R [n]\nkept = filter(x, v -> v > 0)\nr := map(kept, exp(*))\n"
LONG = (
    "tol a: R [first,second]\ntol b: R [second,third]\nuse linalg\ny := softmax(matmul(a, b)) + softmax(matmul(a, b))\n"
)


def test_a_cost_prints_its_table(tmp_path: Path) -> None:
    cost = tolang.compile(FILTERED).cost()
    assert str(cost).splitlines()[:3] == ["r", "                    formula", "EOPs                kept_length + n"]
    assert repr(cost) == "<tolang.Cost of r: kept_length + n EOPs>"
    (tmp_path / "kept.tol").write_text(FILTERED)
    assert CliRunner().invoke(app, ["cost", str(tmp_path / "kept.tol")]).output.rstrip("\n") == str(cost)


@pytest.mark.parametrize("width", [20, 40, 72, 100, 140])
def test_a_table_is_as_wide_as_the_terminal(width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is longer than a line, and nothing is lost."""
    cost = tolang.compile(LONG).cost()
    lines = cost_table(cost, width).splitlines()
    assert max(map(len, lines)) <= width
    assert sorted("".join("".join(lines).split())) == sorted("".join(str(cost).split()))
    (tmp_path / "long.tol").write_text(LONG)
    monkeypatch.setattr(terminal, "terminal_width", lambda: width)
    assert CliRunner().invoke(app, ["cost", str(tmp_path / "long.tol")]).output.splitlines() == lines


def test_a_line_is_not_broken_where_there_is_no_terminal() -> None:
    assert (
        len(str(tolang.compile(LONG).cost()).splitlines()) == len(str(tolang.compile(FILTERED).cost()).splitlines()) - 1
    )


def test_signs_stay_with_what_they_stand_before() -> None:
    assert wrapped("alpha + beta - gamma", 9) == ["alpha", "  + beta", "  - gamma"]
    assert laid_out([["a", "1"], ["bc", "20"]], right={1}) == ["a    1", "bc  20"]


@pytest.mark.parametrize(
    ("source", "measure", "text"),
    [
        ("tol x: R [n]\ntol k: N\nr := map(tol[n-k+1], exp(i), i)", "eops", "n - k + 1"),
        ("tol x: R [n]\nr := sort(x)", "bytes_read", "8*n"),
        ("tol a: R [n,n]\ntol k: N\nr := map(a, exp(*)) + map(tol[n,n], k)", "eops", "2*n^2"),
    ],
)
def test_what_grows_most_comes_first(source: str, measure: str, text: str) -> None:
    assert str(getattr(tolang.compile(source).cost(), measure)) == text


def test_a_greatest_size_stands_by_its_growth() -> None:
    n, m = Size.of("n"), Size.of("m")
    from tolang.ground.symbolic.sizes import extremum

    assert str(n + extremum("max", [n * n, m]) + 5) == "max(m, n^2) + n + 5"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("tol x: R [n]\nr := map(x, exp(*))", "1/16"),
        ("tol x: R [n]\ntol y: R [n]\nr := x*y + 1", "1/12"),
        ("tol a: R [h,w]\nr := map(a, exp(*) + 1)", "1/8"),
        ("tol x: R [n]\nr := reduce(x, add, 0)", "n/(8*(n + 1))"),
        ("tol a: R [n,k]\ntol b: R [k,m]\nuse linalg\nr := matmul(a, b)", "k*m*n/(4*(k*m + k*n + m*n))"),
    ],
)
def test_fractions_are_reduced(source: str, text: str) -> None:
    assert str(tolang.compile(source).cost().intensity) == text


def test_a_reduced_fraction_is_the_same_number() -> None:
    n, m = Size.of("n"), Size.of("m")
    top, bottom = 6 * n * (n + 1) * (m + 2), 4 * n * n * (m + 2)
    above, below = reduced(top, bottom)
    assert (str(above), str(below)) == ("3*n + 3", "2*n")
    assert top * below == bottom * above


def test_names_of_lengths_do_not_depend_on_other_definitions() -> None:
    before = tolang.compile(FILTERED)
    other = "others = filter(x, v -> v < 0)\nq := map(others, exp(*))\n"
    after = tolang.compile(FILTERED.replace("kept =", f"{other}kept ="))
    assert set(before.cost().unknowns) == {"kept_length"}
    assert set(after.cost().unknowns) == {"kept_length", "others_length"}
    assert str(after.outputs["r"]) == str(before.outputs["r"]) == "R [kept_length]"


def test_lengths_are_called_after_what_they_are_lengths_of() -> None:
    source = f"{FILTERED}squares := map(tol[|kept|[1],|kept|[1]], kept[i]*kept[j], [i,j])\njoined := [kept, filter(x, v -> v < 0)]"
    program = tolang.compile(source)
    assert str(program.outputs["squares"]) == "R [kept_length, kept_length]"
    assert str(program.outputs["joined"]) == "R [joined_part_length + kept_length]"
    assert "kept_length" in repr(program)


def test_a_name_that_is_taken_gets_a_number() -> None:
    program = tolang.compile(FILTERED.replace("[n]", "[kept_length]"))
    assert str(program.outputs["r"]) == "R [kept_length_2]"


def test_what_a_library_makes_on_the_way_has_no_name_here() -> None:
    source = "use tables\ntol sales: (city: S, amount: R) [n]\nmeans := group_mean(sales, ((c,_)) -> c, ((_,a)) -> a)"
    assert set(tolang.compile(source).cost().unknowns) == {"means_length"}


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        (["q=3"], "the program has no size q\n      expected: n"),
        (["n=-3"], "the size n is not a length\n      found: -3\n      expected: a whole number of at least 0"),
        (["n=1.5"], "n is not a size\n      found: 1.5\n      expected: a whole number"),
        (["n=many"], "n is not a size\n      found: many"),
        (["n=3x4"], "the size n is not a length\n      found: (3, 4)"),
        (["n=3", "n=4"], "n is given twice"),
    ],
)
def test_what_is_no_size_is_refused(sizes: list[str], words: str, tmp_path: Path) -> None:
    (tmp_path / "exp.tol").write_text("tol x: R [n]\nr := map(x, exp(*))\n")
    result = CliRunner().invoke(app, ["cost", str(tmp_path / "exp.tol"), *sizes])
    assert result.exit_code == 2
    assert words in result.output


@pytest.mark.parametrize("given", [-1, 1.5, "a"])
def test_a_formula_refuses_what_is_no_size(given: object) -> None:
    formula = tolang.compile(FILTERED).cost().bytes_read
    with pytest.raises(tolang.ToLangUsageError, match="the size n is not a length"):
        formula(n=given)  # type: ignore[arg-type, operator]  # a formula, as its sizes are open


EQUAL = "tol a: R [n,k]\ntol b: R [m,p]\ntol x: R [q]\nz := a + b\ny := x[1:3] + x[2]\n"


def test_what_a_program_assumes_is_told(tmp_path: Path) -> None:
    (tmp_path / "equal.tol").write_text(EQUAL)
    told = CliRunner().invoke(app, ["check", str(tmp_path / "equal.tol")]).output
    assert re.findall(r"assumes  (.*)", told) == ["m = n", "k = p", "q >= 3"]
    assert tolang.compile("tol x: R [n]\nr := x + 1").cost().assumptions == ()


@pytest.mark.parametrize(
    ("source", "assumed", "good", "bad"),
    [
        ("tol x: R [n]\nr := x[2]", "n >= 2", 2, 1),
        ("tol x: R [n]\nr := map(tol[n-4], x[i], i)", "n >= 4", 4, 3),
        ("tol x: R [n]\nr := map(tol[3], x[2*i], i)", "n >= 6", 6, 5),
        ("tol x: R [n]\ntol y: R [2]\nr := x + y", "n = 2", 2, 3),
    ],
)
def test_assumptions_are_what_runs_ask_for(source: str, assumed: str, good: int, bad: int) -> None:
    program = tolang.compile(source, engine="interpret")
    assert program.cost().assumptions == (assumed,)
    more: dict[str, Any] = {name: [1.0, 2.0] for name in program.inputs if name == "y"}
    program(x=[1.0] * good, **more)
    with pytest.raises(tolang.ToLangError):
        program(x=[1.0] * bad, **more)
