"""The same bits whatever the number of threads, for every strategy, and at both levels of optimisation where order is kept.

What a regrouped sum gives depends on how LLVM lays it out in vectors, so that these strategies are left out of the
comparison of levels: they are named below.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.nests.test_strategies import CASES

import tolang

GENERATOR = np.random.default_rng(3)
LARGE = {"x": GENERATOR.random(300007), "a": GENERATOR.random((261, 515)), "b": GENERATOR.random((515, 133))}
REGROUPED_BY_LLVM = {"matrix-vector", "prepacked matrix-vector", "scan", "lanes", "pieces"}
THREADS = (1, 2, 3, 5, 8)


def data_of(name: str) -> dict[str, Any]:
    """Data of odd lengths, long enough to be shared out; lengths that a program writes stay."""
    _, small, fixed = CASES[name]
    if fixed or name == "histogram":
        return small if name != "histogram" else {"x": GENERATOR.integers(1, 9, 2_000_003)}
    if name == "matrix-vector":
        return {"a": LARGE["a"], "x": LARGE["x"][:515]}
    return {key: LARGE[key] for key in small}


def bits(name: str, threads: int, data: dict[str, Any]) -> bytes:
    found = tolang.compile(CASES[name][0], engine="cpu", fallback=False, threads=threads)(**data)
    return np.asarray(found).tobytes()


@pytest.mark.parametrize("name", CASES)
def test_threads(name: str) -> None:
    data = data_of(name)
    assert len({bits(name, threads, data) for threads in THREADS}) == 1


@pytest.mark.parametrize("name", sorted(CASES.keys() - REGROUPED_BY_LLVM))
def test_levels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = data_of(name)
    monkeypatch.delenv("TOL_COMPILE", raising=False)
    full = bits(name, 2, data)
    monkeypatch.setenv("TOL_COMPILE", "quick")
    assert bits(name, 2, data) == full
