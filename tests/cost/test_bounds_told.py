"""Figures that are not exact, but known not to be exceeded, say so wherever they are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import tolang
from tolang.faces.command import app
from tolang.faces.report.building import report_of
from tolang.faces.report.peaks import Peaks
from tolang.program.costing import check_limits
from tolang.readings.cost.formula import AtMost

DIVISORS = "tol x: R [n]\nr := map(x, reduce(x[1:floor(n/i)], add, 0), i)"
"""No closed form is known for the sum of floor(n/i)."""
N = 10**12
EXACT = 27_785_452_449_086
"""Its value at 10^12 (OEIS A057494)."""
FILTER = "tol v: R [n]\nkept = reduce(v, (s,x) -> if x > 0 then [s,x] else s, tol[0])\nr := map(kept, exp(*)*2)"


def test_a_bound_is_a_number_that_says_what_it_is() -> None:
    cost = tolang.compile(DIVISORS).cost(n=N)
    assert isinstance(cost.eops, AtMost)
    assert EXACT <= cost.eops < 2 * EXACT
    assert str(cost.eops) == repr(cost.eops) == f"at most {int(cost.eops)}"
    assert str(cost.intensity).startswith("at most ")
    assert f"at most {int(cost.eops)} EOPs" in repr(cost)
    assert cost(n=N) == tolang.compile(DIVISORS).cost()(n=N) == cost.eops
    assert cost.span == N
    assert not isinstance(cost.span, AtMost)
    assert tolang.compile(DIVISORS).cost(n=1000).eops == sum(1000 // i for i in range(1, 1001))
    assert tolang.compile(DIVISORS).cost(n=1000).at_most == ()


def test_the_command_tells_it(tmp_path: Path) -> None:
    program = tmp_path / "divisors.tol"
    program.write_text(DIVISORS)

    def tol(*words: str) -> str:
        found = CliRunner().invoke(app, ["cost", str(program), f"n={N}", *words])
        assert found.exit_code == 0, found.output
        return found.stdout

    bound = int(tolang.compile(DIVISORS).cost(n=N)())
    rows = {line.split("  ")[0]: line for line in tol("--by", "function").splitlines()}
    assert f"at most {bound}" in rows["EOPs"]
    assert "at most" in rows["EOPs a byte"]
    assert "at most" not in rows["span"]
    assert f"at most {bound}" in rows["add"]
    assert f"at most {bound}" in tol("--by", "definition")
    assert tol("--derive").splitlines()[-1] == f"<={bound}"
    data = json.loads(tol("--json"))
    assert data["eops"] == bound
    assert data["at_most"] == [
        "eops", "flops", "by_function.add", "by_definition.r.eops", "by_definition.r.own", "intensity",
    ]  # fmt: skip
    page = tmp_path / "report.html"
    tol("--html", str(page))
    assert "EOPs, at most" in page.read_text()
    assert "upper bounds, not exact: eops, flops" in page.read_text()
    assert "EOPs, at most over n" in tol("--over", f"n=1:{N}")


def test_so_do_a_report_and_a_notebook() -> None:
    program = tolang.compile(DIVISORS)
    report = report_of(program.cost(), program.cost(n=N), "divisors.tol", Peaks(1e12, 1e11, "given"))
    told = {one.name: one.value for one in report.totals}
    assert told["EOPs, at most"] == program.cost(n=N).eops
    assert told["span"] == N
    assert any(remark.startswith("upper bounds, not exact: eops") for remark in report.remarks)
    assert "at most" not in json.dumps(report.data()["tables"])
    markup = program.cost(n=N)._repr_html_()
    assert f"at most {int(program.cost(n=N))}" in markup
    assert "upper bounds, not exact: eops" in markup
    exact = report_of(program.cost(), program.cost(n=100), "divisors.tol", Peaks(1e12, 1e11, "given"))
    assert not any("at most" in one.name for one in exact.totals)
    assert "upper bounds" not in program.cost(n=100)._repr_html_()


def test_lengths_that_running_tells_give_bounds() -> None:
    cost = tolang.compile(FILTER).cost(n=100)
    assert (str(cost.eops), str(cost.bytes_written), str(cost.span)) == ("at most 300", "at most 800", "3")
    assert cost.at_most[:3] == ("eops", "bytes_written", "memory")
    assert str(cost.at(kept_length=7).eops) == "114"
    assert cost.at(kept_length=7).at_most == ()


@given(st.integers(0, 9), st.data())
def test_bounds_hold_where_more_is_kept_for_less_work(n: int, data: st.DataObject) -> None:
    """What is left beside a filter's result costs most when nothing is kept."""
    rest = "r := reduce(v[|kept|[1]+1:], add, 0) + reduce(kept, (s,t) -> s + t*t, 0)"
    program = tolang.compile(f"{FILTER.rpartition(chr(10))[0]}\n{rest}")
    most = program.cost(n=n).eops
    kept = data.draw(st.integers(0, n))
    assert isinstance(most, int)
    assert most >= program.cost(n=n, kept_length=kept).eops  # type: ignore[operator]


def test_a_limit_that_may_be_exceeded_is_told_as_such() -> None:
    core = tolang.compile(FILTER).cost().core
    with pytest.raises(tolang.ToLangError, match=r"may need up to 300 EOPs, 1 EOPs more than allowed"):
        check_limits(core, {"n": 100}, 299)
    check_limits(core, {"n": 100}, 300)


def test_what_nothing_bounds() -> None:
    program = tolang.compile("tol x: R [n]\nr := map(x, reduce(tol[abs(tan(i))], (s,t) -> s + 1, 0), i)")
    cost = program.cost(n=N)
    assert str(cost.eops) == f"sum(i=1..{N}, floor(abs(tan(i))))"
    with pytest.raises(tolang.ToLangError, match="E517: nothing bounds the EOPs"):
        cost()
    with pytest.raises(tolang.ToLangError, match="E611: nothing bounds the program's EOPs"):
        check_limits(cost.core, {"n": N}, 10**30)
