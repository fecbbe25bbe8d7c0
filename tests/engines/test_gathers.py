"""Sums of a few elements at places that data says, as pictures of another size are: written out, on vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.strategies import lanes

NEIGHBOURS = """
tol x: R [n,m,5]
tol k: N* [p,2]
tol w: R [p,2]
coordinates(a, b, c, q) = [a, k[b,q], c]
r := map(tol[n,p,5], reduce(map(tol[2], w[b,q] * x[coordinates(a,b,c,q)], q), add, 0), [a,b,c])
"""


def data() -> dict[str, Any]:
    random = np.random.default_rng(0)
    return {
        "x": random.normal(size=(3, 7, 5)), "k": random.integers(1, 8, (11, 2)), "w": random.normal(size=(11, 2)),
    }  # fmt: skip


def test_few_neighbours_are_written_out() -> None:
    program = tolang.compile(NEIGHBOURS, fallback=False)
    given = data()
    places = given["k"] - 1
    expected = np.einsum("pq,npqc->npc", given["w"], given["x"][:, places])
    np.testing.assert_allclose(program(**given), expected, rtol=1e-12)
    strict: list[Any] = [
        tolang.compile(NEIGHBOURS, engine=engine, strict=True)(**given) for engine in ("cpu", "interpret")
    ]
    assert np.array_equal(*strict)
    _, _, strategies = program.explain().full.partition("== schedules ==")
    assert "elementwise" in strategies
    assert "fold" not in strategies


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_places_outside_are_told(engine: str) -> None:
    given = data()
    given["k"][4, 1] = 8
    with pytest.raises(tolang.ToLangRunError, match="8"):
        tolang.compile(NEIGHBOURS, engine=engine)(**given)


ALONG = """
tol start: Z [n+1]
tol column: Z [e]
tol value: {space} [e]
tol x: {space} [m]
of_row(t, i) = t[start[i]:start[i+1]-1]
r := map(tol[n], {fold}, i)
"""
FOLDS = {
    "dot": "dot(of_row(value,i), pick(x, of_row(column,i)))",
    "sum": "sum(map(pick(x, of_row(column,i)), * * 2 + 1))",
    "max": "reduce(pick(x, of_row(column,i)), max, -Inf)",
}


def rows(longest: int, space: str) -> dict[str, Any]:
    random = np.random.default_rng(longest)
    kind = "f4" if space == "f32" else "f8"
    start = np.concatenate([[1], 1 + np.cumsum(np.arange(longest))])
    count = int(start[-1]) - 1
    return {
        "start": start, "column": random.integers(1, 38, count),
        "value": random.integers(-9, 9, count).astype(kind), "x": random.integers(-9, 9, 37).astype(kind),
    }  # fmt: skip


@pytest.mark.parametrize("space", ["R", "f32"])
@pytest.mark.parametrize("fold", FOLDS)
def test_rows_of_any_length_are_gathered_on_vectors(fold: str, space: str) -> None:
    program = tolang.compile(ALONG.format(fold=FOLDS[fold], space=space), fallback=False)
    given = rows(90, space)
    wanted = []
    for low, high in zip(given["start"] - 1, given["start"][1:] - 1, strict=False):
        picked = given["x"][given["column"][low:high] - 1]
        weighted = picked * given["value"][low:high]
        wanted.append({"dot": sum(weighted), "sum": sum(picked * 2 + 1), "max": max(picked, default=-np.inf)}[fold])
    np.testing.assert_array_equal(program(**given), wanted)  # small whole numbers, which any order adds exactly


@pytest.mark.parametrize("place", [0, 38, -1, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("at", [5, 1000, 3004])
def test_a_place_outside_is_told_wherever_it_stands(at: int, place: int) -> None:
    given = rows(79, "R")
    given["column"][at] = place
    with pytest.raises(tolang.ToLangRunError, match=r"outside|too large") as error:
        tolang.compile(ALONG.format(fold=FOLDS["dot"], space="R"), fallback=False)(**given)
    assert error.value.code == "E513"


def test_what_lies_beside_places_is_asked_for_ahead(monkeypatch: pytest.MonkeyPatch, anew: None) -> None:
    """The elements of sparse rows and their places, whose next rows follow in memory; not what is in one long row."""
    asked: list[int] = []
    monkeypatch.setattr(lanes, "ask_for", lambda builder, place, ahead: asked.append(ahead))
    given = rows(30, "R")
    tolang.compile(ALONG.format(fold=FOLDS["dot"], space="R"), fallback=False)(**given)
    assert asked
    asked.clear()
    tolang.compile("tol x: R [n]\ntol y: R [n]\nr := dot(x, y)", fallback=False)(given["value"], given["value"])
    assert not asked
