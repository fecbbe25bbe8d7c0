"""The summary that `explain` gives: what is said of each definition is what the plan has, in the names of the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tolang
from tolang.core.own_text import in_own_text
from tolang.engines.cpu.translation import plan_of
from tolang.faces import terminal
from tolang.faces.command import app
from tolang.plan.printer import print_plan
from tolang.syntax.tree import Definition, Unpacked

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("**/*.tol"))
PRODUCT = """tol a: R [n,k]
tol b: R [k,m]
tol result = [n,m]
through(i,j) = map(a[i], add(*, b[*,j]))
best(i,j) = reduce(through(i,j), min, Inf)
result := map(result, best(i,j), [i,j])
"""


def rows(source: str, **options: str) -> dict[str, str]:
    """What is told of each definition: its first line, without the name."""
    explanation = tolang.compile(source, **options).explain()  # type: ignore[arg-type]  # an engine
    return {one.name: f"{one.shape} {one.how}".strip() for one in explanation.lines if one.name}


def test_each_definition_has_its_line() -> None:
    told = rows(PRODUCT)
    assert list(told) == ["through", "best", "result"]
    assert told["best"] == "[n, m] contraction over k, packed, a tile in registers, threaded"
    assert told["through"] == "fused into best"
    assert told["result"] == "[n, m] computed with best"


def test_names_do_not_matter() -> None:
    """A sum that is called a histogram is a sum."""
    told = rows("tol x: R [n]\ncontraction(v) = reduce(v, add, 0)\nhistogram := contraction(x)\n")
    assert told["contraction"].startswith("fold over n, ")
    assert told["histogram"] == "computed by contraction"


def test_a_case_stands_once() -> None:
    """The ways of a product differ in their tiles: those that are one way to a reader are one case."""
    lines = str(tolang.compile(PRODUCT).explain()).splitlines()
    assert len(set(lines)) == len(lines)
    cases = [re.sub(r".*where [^:]*: ", "", line) for line in lines if "over k" in line]
    assert len(set(cases)) == len(cases) >= 2


def test_a_nest_with_cases_is_told_once() -> None:
    full = tolang.compile(PRODUCT).explain().full
    plan = full.partition("== plan ==")[2].partition("== passes ==")[0]
    values = [line.strip() for line in plan.splitlines() if " = reduce[" in line]
    assert len(values) == 1
    assert plan.count("where ") >= 2


def test_what_a_library_computes_is_told_where_it_is_called() -> None:
    """Two sums of one definition of the library, each at its own place."""
    told = rows("tol x: R [n]\ntol y: R [m]\nleft := sum(x)\nright := sum(y)\n")
    assert told["left"].startswith("fold over n, ")
    assert told["right"].startswith("fold over m, ")


def test_interpreted_and_slow_come_first() -> None:
    source = (
        "tol x: R [n]\ntol q: Q [n]\nlevel := scan(x, (s,y) -> s/2 + y, 0)\nthirds := map(q, * / 3)\n"
        "last := reduce(x, (s,y) -> s/2 + y, 0)\n"
    )
    explanation = tolang.compile(source).explain()
    assert explanation.notes[0] == "interpreted: line 4, thirds: rational values are left to the interpreter"
    assert [one.partition(": each")[0] for one in explanation.notes[1:2]] == [
        "slow: line 3, level: scan over n, one step after the other"
    ]
    assert explanation.notes[2].startswith("slow: line 5, last: fold over n, one step after the other: ")
    assert str(explanation).splitlines()[:3] == list(explanation.notes)
    assert rows(source)["thirds"] == "interpreted"


def test_a_scan_that_may_be_regrouped_is_not_slow() -> None:
    explanation = tolang.compile("tol x: R [n]\nsums := scan(x, add, 0)\n").explain()
    assert explanation.notes == ()
    assert "in blocks on all threads" in str(explanation)


def test_an_interpreted_program_is_told_so() -> None:
    explanation = tolang.compile(PRODUCT, engine="interpret").explain()
    assert explanation.notes == ("interpreted as a whole: the engine is `interpret`",)
    assert "contraction" not in str(explanation)


def test_the_object_shows_its_summary() -> None:
    explanation = tolang.compile(PRODUCT).explain()
    assert repr(explanation).startswith(str(explanation))
    assert "== plan ==" not in str(explanation)
    assert "== plan ==" in explanation.full
    assert explanation._repr_html_().startswith("<pre>through")


@pytest.mark.parametrize("width", [40, 72, 100])
def test_lines_are_as_wide_as_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    explanation = tolang.compile(PRODUCT).explain()
    lines = explanation.text(width).splitlines()
    assert max(map(len, lines)) <= width
    assert " ".join(explanation.text(width).split()) == " ".join(str(explanation).split())
    (tmp_path / "product.tol").write_text(PRODUCT)
    monkeypatch.setattr(terminal, "terminal_width", lambda: width)
    printed = CliRunner().invoke(app, ["explain", str(tmp_path / "product.tol")]).output
    assert printed.startswith(explanation.text(width))


def test_a_pipe_has_long_lines_and_full_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "product.tol").write_text(PRODUCT)
    told, full = (
        CliRunner().invoke(app, ["explain", str(tmp_path / "product.tol"), *more]) for more in ([], ["--full"])
    )
    assert told.output == f"{tolang.compile(PRODUCT).explain()}\n"
    assert "== plan ==" in full.output


@pytest.mark.parametrize("path", EXAMPLES[::4], ids=lambda path: path.stem)
def test_examples_are_summed_up_without_internal_names(path: Path) -> None:
    """Each definition outside of blocks has a line, and no name that lowering gave reaches it."""
    program = tolang.compile(path)
    explanation = program.explain()
    assert not re.search(r"[A-Za-z_]\.\d|[a-z]_\d+", str(explanation))
    definitions = [one for one in program.module.statements if isinstance(one, Definition)]
    names = {one.id for one in definitions if not isinstance(one.body, Unpacked)}
    assert names <= {one.name for one in explanation.lines}


@pytest.mark.parametrize("path", EXAMPLES[::12], ids=lambda path: path.stem)
def test_places_do_not_change_the_plan(path: Path) -> None:
    """What is summed up is the plan that runs: of the same program, with other places."""
    program = tolang.compile(path)
    placed, _ = in_own_text(program.core, program.source)
    assert print_plan(plan_of(placed, False).plan) == print_plan(plan_of(program.core, False).plan)


def test_what_is_printed_has_no_empty_line_at_its_end() -> None:
    told = tolang.compile(PRODUCT).explain()
    assert told.text().endswith(f"{str(told).splitlines()[-1]}\n")
    assert not str(told).endswith("\n")
