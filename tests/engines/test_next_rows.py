"""Rows that are asked for while the row before them is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.plan.nest import Each, Plan
from tolang.plan.target import Target
from tolang.schedule.next_rows import next_rows
from tolang.schedule.planning import plan

SOFTMAX = "tol x: f64 [n,m]\ny := softmax(x, 2)\n"
NORM = """\
tol x: f64 [n,m]
row(v) = {
  mean = reduce(v, add, 0) / m
  variance = reduce(map(v, (* - mean)^2), add, 0) / m
  map(v, (* - mean) / sqrt(variance + 1e-5))
}
y := map(tol[n], row(x[i]), i)
"""


def planned(source: str) -> Plan:
    return plan(tolang.compile(source).core, Target(32, 16)).plan


def asked(source: str) -> list[tuple[str, str, bool]]:
    """The buffers whose next rows are asked for, the row's coordinate there, and whether it is written."""
    found = [next_rows(step) for step in planned(source).steps if isinstance(step, Each)]
    return [(row.buffer.name[0], str(row.at[0])[-3:], row.written) for one in found if one for row in one[1]]


@pytest.mark.parametrize("source", [SOFTMAX, NORM])
def test_what_is_read_and_written_is_asked_for_a_row_ahead(source: str) -> None:
    assert asked(source) == [("x", "+ 1", False), ("y", "+ 1", True)]


@pytest.mark.parametrize(
    "source",
    [
        "tol x: R [n,m]\ny := map(tol[n,m], exp(x[i,j]), [i,j])",
        "tol x: R [n,m]\ntol k: N [n]\ny := map(tol[n], map(x[k[i]], * - reduce(x[k[i]], max, -Inf)), i)",
        "tol x: R [m]\ny := map(tol[n], map(x, exp(* - i)), i)\ntol n: N",
    ],
    ids=["gone through once", "where data says", "the same for all"],
)
def test_other_rows_are_not(source: str) -> None:
    assert asked(source) == []


@pytest.mark.parametrize("source", [SOFTMAX, NORM])
@pytest.mark.parametrize("shape", [(3, 5), (2, 128), (3, 129), (700, 400), (0, 300)])
def test_results_are_the_same_however_long_rows_are(source: str, shape: tuple[int, int]) -> None:
    x: Any = np.random.default_rng(5).normal(size=shape)
    found = np.asarray(tolang.compile(source, engine="cpu", fallback=False)(x))
    centred = x - (x.max(1, keepdims=True, initial=-np.inf) if source is SOFTMAX else x.mean(1, keepdims=True))
    if source is SOFTMAX:
        wanted = np.exp(centred) / np.exp(centred).sum(1, keepdims=True)
    else:
        wanted = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)
