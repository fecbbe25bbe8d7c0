"""Rows in turns: halves of a nest that read the same rows are gone through together, and give what they give apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.plan.nest import Nest
from tolang.plan.schedule import LoopSchedule
from tolang.plan.target import Target
from tolang.schedule.planning import plan

PICKED = "tol x: f64 [r,m]\ntol k: N [n]\ny := map(tol[n,m], x[k[i],j] + i, [i,j])\n"
TARGET = Target(32, 16)
COUNTED = "tol x: f64 [n,m]\ntol h: R\ny := map(tol[n,m], { at = (i-1)%h + 1; x[at,j] + 2*i }, [i,j])\n"


def run(source: str, **given: Any) -> np.ndarray[Any, Any]:
    return np.asarray(tolang.compile(source, engine="cpu", fallback=False)(**given))


@pytest.mark.parametrize("rows", [1, 2, 4, 6, 7, 64, 65])
@pytest.mark.parametrize("columns", [0, 1, 9])
def test_every_row_has_its_turn(rows: int, columns: int) -> None:
    x = np.random.default_rng(1).normal(size=(rows, columns))
    alike = np.arange(rows) % max(1, rows // 2)
    for places in (alike, np.arange(rows)[::-1]):
        wanted = x[places] + np.arange(1, rows + 1)[:, None]
        np.testing.assert_array_equal(run(PICKED, x=x, k=places + 1), wanted)
    wanted = x[np.arange(rows) % max(1, rows // 2)] + 2.0 * np.arange(1, rows + 1)[:, None]
    np.testing.assert_array_equal(run(COUNTED, x=x, h=float(max(1, rows // 2))), wanted)


def test_places_outside_are_told_where_there_are_elements_alone() -> None:
    wrong = np.array([1, 9, 1, 9])
    assert run(PICKED, x=np.zeros((4, 0)), k=wrong).shape == (4, 0)
    with pytest.raises(tolang.ToLangRunError):
        run(PICKED, x=np.zeros((4, 3)), k=wrong)


@pytest.mark.parametrize(
    ("source", "shares"),
    [
        (PICKED, True),
        ("tol x: R [n,m]\ny := map(tol[n,m], x[i,j] + i, [i,j])\n", False),
        ("tol x: R [m]\ntol k: N [n]\ny := map(tol[n,m], x[j] + k[i], [i,j])\n", False),
    ],
    ids=["picked rows", "its own row", "one row for all"],
)
def test_rows_take_turns_where_places_are_looked_up(source: str, shares: bool) -> None:
    nests = [step for step in plan(tolang.compile(source).core, TARGET).plan.steps if isinstance(step, Nest)]
    loops = [nest.schedule for nest in nests if isinstance(nest.schedule, LoopSchedule)]
    assert loops
    assert any(one.alternate for one in loops) == shares
