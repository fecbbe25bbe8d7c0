"""Folds side by side: as many as their states leave room for, in blocks whose edges show in no result."""

from __future__ import annotations

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.idioms.column_folds import MOST_PLACES, PLACES, folds_of, places_side_by_side
from tolang.lower.steps import lower
from tolang.plan.nest import Nest

SUM = "y := map(tol[m], reduce(map(tol[n], a[i,j], i), add, 0), j)"
SPREAD = "y := map(tol[m], reduce(map(tol[n], a[i,j], i), max, -Inf) - reduce(map(tol[n], a[i,j], i), min, Inf), j)"


def source(space: str, result: str) -> str:
    return f"tol a: {space} [n,m]\n{result}"


@pytest.mark.parametrize(
    ("space", "result", "places"),
    [
        ("f32", SUM, MOST_PLACES),
        ("f64", SUM, MOST_PLACES // 2),
        ("f32", SPREAD, MOST_PLACES // 2),
        ("f64", SPREAD, PLACES),
    ],
)
def test_more_are_side_by_side_the_smaller_their_states(space: str, result: str, places: int) -> None:
    (nest,) = (
        step for step in optimise(lower(tolang.compile(source(space, result)).core)).steps if isinstance(step, Nest)
    )
    assert places_side_by_side(folds_of(nest)) == places


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("length", [1, PLACES + 1, MOST_PLACES - 1, MOST_PLACES + 1, 3 * MOST_PLACES + 130])
@pytest.mark.parametrize("space", ["f32", "f64"])
@pytest.mark.parametrize("result", [SUM, SPREAD])
def test_every_place_has_its_own_fold_in_its_order(result: str, space: str, length: int, threads: int) -> None:
    a = np.random.default_rng(length).standard_normal((19, length)).astype("float32" if space == "f32" else "float64")
    wanted = a.max(0) - a.min(0) if result == SPREAD else np.zeros(length, a.dtype)
    for row in a if result == SUM else ():
        wanted += row
    found = tolang.compile(source(space, result), engine="cpu", fallback=False, threads=threads)(a)
    assert np.array_equal(np.asarray(found), wanted)
