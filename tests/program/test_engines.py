"""Which engine runs what: the default, the rule of `auto`, and that values do not depend on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.program import runner
from tolang.program.session import EvaluatedExpression, Session
from tolang.readings import interpret as readings

SUM = "tol x: R [n]\ny := reduce(map(x, * * 2), add, 0)"


def runs_compiled(program: tolang.Program, *arguments: Any) -> bool:
    program(*arguments)
    return bool(program.runner._prepared)


def test_default_is_compiled() -> None:
    assert tolang.compile(SUM).engine == "cpu"
    assert runs_compiled(tolang.compile(SUM), np.ones(3))
    assert not runs_compiled(tolang.compile(SUM, engine="interpret"), np.ones(3))


def test_auto_goes_by_the_cost() -> None:
    """Two functions an element: half a million elements cost a million EOPs."""
    assert not runs_compiled(tolang.compile(SUM, engine="auto"), np.ones(runner.SMALL // 2))
    assert runs_compiled(tolang.compile(SUM, engine="auto"), np.ones(runner.SMALL // 2 + 1))


def test_auto_counts_a_large_program_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_CACHE_DIR", str(tmp_path))
    large, small = np.ones(runner.SMALL), np.ones(3)
    assert runs_compiled(tolang.compile(SUM, engine="auto"), large)
    monkeypatch.setattr(runner, "_costs_at_most", lambda *_: True)
    assert runs_compiled(tolang.compile(SUM, engine="auto"), large)
    assert not runs_compiled(tolang.compile(SUM, engine="auto"), small)


def test_auto_compiles_what_nothing_bounds() -> None:
    source = "tol k: R [n]\ny := reduce(map(tol[k[1]], iter * 1.0), add, 0)"
    program = tolang.compile(source, engine="auto")
    assert program(np.array([4.0])) == 10.0
    assert program.runner._prepared


def test_no_such_engine() -> None:
    with pytest.raises(tolang.ToLangUsageError, match="interpret, cpu, auto"):
        tolang.compile(SUM, engine="warp")


def test_evaluation_and_session_go_by_the_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    original = readings.interpret

    def noted(*arguments: Any) -> Any:
        ran.append("interpreted")
        return original(*arguments)

    monkeypatch.setattr(readings, "interpret", noted)
    assert tolang.evaluate("reduce(map(tol[10], iter), add, 0)") == 55
    assert ran == ["interpreted"]
    assert tolang.evaluate("reduce(map(tol[2000000], 1), add, 0)") == 2000000
    answers = list(Session().enter("reduce(map(tol[2000000], 1), add, 0)"))
    assert [one.value.to_list() for one in answers if isinstance(one, EvaluatedExpression)] == [2000000]  # type: ignore[union-attr]
    assert ran == ["interpreted"]


def test_functions_are_compiled_once() -> None:
    program = tolang.compile("tol w: R [m]\nscaled(v) := map(v, * * 2)\nweighed(v) := map(v, * * w[1])", engine="cpu")
    for n in (1, 2, 3):
        assert program.scaled(np.ones(n + 1)).tolist() == [2.0] * (n + 1)
        assert program.weighed(np.ones(n + 1), w=np.full(3, 5.0)).tolist() == [5.0] * (n + 1)
    assert len(program.runner._prepared) == 2


def test_numeric_argument_as_a_coordinate_is_compiled() -> None:
    source = "tol x: R [n]\ntol k: Z [m]\nat(v, i) = v[i]\ny := map(k, j -> at(x, j) + 1)\nz := at(x, k[1])"
    found = tolang.compile(source, engine="cpu", fallback=False)(np.array([5.0, 7.0]), np.array([2, 1, 2]))
    assert found["y"].tolist() == [8.0, 6.0, 8.0]
    assert found["z"] == 7.0
