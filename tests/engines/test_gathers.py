"""Sums of a few elements at places that data says, as pictures of another size are: written out, on vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang

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
    strict = [tolang.compile(NEIGHBOURS, engine=engine, strict=True)(**given) for engine in ("cpu", "interpret")]
    assert np.array_equal(*strict)
    _, _, strategies = program.explain().partition("== strategies ==")
    assert "elementwise" in strategies
    assert "fold" not in strategies


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_places_outside_are_told(engine: str) -> None:
    given = data()
    given["k"][4, 1] = 8
    with pytest.raises(tolang.ToLangRunError, match="8"):
        tolang.compile(NEIGHBOURS, engine=engine)(**given)
