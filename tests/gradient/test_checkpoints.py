"""Folds that keep their states some steps apart, and compute those between again: memory, cost, and the same values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.gradient.judging import numbers, results
from tests.gradient.sameness import read_again
from tests.gradient.test_rules import PROGRAMS, reals

import tolang
from tolang.core.verifier import verify
from tolang.program import checkpoints

CELL = """
tol x: R [n,k]
tol w: R [k,k]
tol h: R [k]
next(s,i) = map(s, tanh(x[i,j] + reduce(map(s, * * w[j,q], q), add, 0)), j)
loss := sum(reduce(tol[n], (s,e,i) -> next(s,i), h)^2)
"""
LONG = """
tol u: R [n]
tol w: R [k]
tol h: R [k]
loss := sum(reduce(u, (s,e) -> map(s, tanh(* * w[i] + e), i), h)^2)
"""
FOLDS = [
    "a fold",
    "a fold over two",
    "a fold of vectors",
    "a fold of lists",
    "a fold of bundles",
    "a list of vectors as a state",
]


def data(**shapes: tuple[int, ...]) -> dict[str, Any]:
    return {name: numbers(*shape, seed=seed) - 1 for seed, (name, shape) in enumerate(shapes.items())}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", FOLDS)
@pytest.mark.parametrize("apart", [1, 2, 9])
def test_folds_of_all_kinds(name: str, apart: int) -> None:
    """Against the gradient that keeps all states, also where there are no steps, and few in the last segment."""
    program = tolang.compile(PROGRAMS[name], engine="interpret")
    whole, cut = (program.pullback("y", reals(PROGRAMS[name]), checkpoints=c) for c in (None, apart))
    verify(cut.core)
    read_again(cut)
    for sizes in ({"n": 5, "m": 2, "k": 3}, {"n": 0, "m": 2, "k": 3}):
        given = {
            one: numbers(*(int(length.evaluate(sizes)) for length in kind.shape), seed=seed)
            for seed, (one, kind) in enumerate(whole.inputs.items())
        }
        expected, found = results(whole, given), results(cut, given)
        for one, value in expected.items():
            np.testing.assert_allclose(found[one], value, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
def test_values_are_the_same_to_the_last_bit(engine: str) -> None:
    """Recomputed states are those that were; only sums over all steps are grouped otherwise."""
    program = tolang.compile(CELL, engine=engine)
    whole = program.gradient("loss", ["x", "w", "h"], value=True)
    cut = program.gradient("loss", ["x", "w", "h"], value=True, checkpoints="block")
    given = data(x=(11, 3), w=(3, 3), h=(3,))
    expected = whole(**given)
    for apart in ({}, {"block": 1}, {"block": 4}, {"block": 20}):
        found = cut(**given, **apart)
        for one in ("loss", "d_x", "d_h"):
            assert np.array_equal(found[one], expected[one])
        np.testing.assert_allclose(found["d_w"], expected["d_w"], rtol=1e-13)


def test_exact_numbers_are_equal() -> None:
    text = "tol x: Q [n]\ntol w: Q\nloss := reduce(x, (s,e) -> s*w + e*s*s, 1)"
    program = tolang.compile(text)
    given = [Fraction(1, n) for n in range(2, 9)], Fraction(2, 3)
    whole = program.gradient("loss", ["x", "w"])(*given)
    cut = program.gradient("loss", ["x", "w"], checkpoints=3)(*given)
    assert whole["d_w"] == cut["d_w"]
    assert list(whole["d_x"]) == list(cut["d_x"])


def test_memory_is_that_of_few_states() -> None:
    """For each of k numbers in the state: three histories of n steps, or one of n/b and three of b, and a few."""
    program = tolang.compile(LONG)
    whole = program.gradient("loss", ["u", "w", "h"])
    cut = program.gradient("loss", ["u", "w", "h"], checkpoints="block")
    n, k, block = 10_000, 64, 100
    kept, few = whole.cost(n=n, k=k).memory, cut.cost(n=n, k=k, block=block).memory
    assert isinstance(kept, int)
    assert isinstance(few, int)
    assert kept >= 8 * 3 * k * n
    assert few <= 8 * (k * (n // block + 4 * block + 12) + 6 * n)


def test_the_cost_is_one_time_through_more() -> None:
    program = tolang.compile(LONG)
    n, k = 10_000, 64
    value = program.cost(n=n, k=k).eops
    whole, cut = (program.gradient("loss", ["u", "w", "h"], checkpoints=c).cost(n=n, k=k).eops for c in (None, 100))
    assert isinstance(value, int)
    assert isinstance(whole, int)
    assert isinstance(cut, int)
    assert cut - whole <= value * 1.05


def test_runs_that_would_hold_too_much_have_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the formula of memory at the sizes of the run, whatever ran before; cost and plan tell."""
    program = tolang.compile(LONG)
    by = ["u", "w", "h"]
    whole, cut, chosen = (program.gradient("loss", by, checkpoints=c) for c in (None, "block", None))
    small, large = data(u=(10,), w=(3,), h=(3,)), data(u=(1000,), w=(3,), h=(3,))
    plain = [whole(**given) for given in (small, large)]
    most = whole.cost(n=500, k=3).memory
    assert isinstance(most, int)
    monkeypatch.setattr(checkpoints, "limit", lambda: most)
    for given in (small, large, small, large, large, large):
        found, expected = chosen(*(given[one] for one in by)), plain[given is large]
        same = expected if given is small else cut(**given)
        assert all(np.array_equal(found[one], same[one]) for one in found)
        assert all(np.allclose(found[one], expected[one], rtol=1e-12) for one in found)
        assert chosen.job((), given).sizes.get("checkpoint_steps") == (None if given is small else 32)
    assert chosen.cost(n=1000, k=3).eops == cut.cost(n=1000, k=3, block=32).eops
    assert "with checkpoints, for without it would hold" in str(chosen.cost(n=1000, k=3))
    assert "checkpoint_steps apart" in chosen.explain().full
    narrow = chosen(*(large[one].astype(np.float32) for one in by))
    assert narrow["d_w"].dtype == np.float32
    np.testing.assert_allclose(narrow["d_w"], plain[1]["d_w"], rtol=1e-4, atol=1e-5)


def test_what_is_no_number_of_steps_is_refused() -> None:
    program = tolang.compile(LONG)
    for wrong in (0, -1, True, "two words"):
        with pytest.raises(tolang.ToLangUsageError, match="checkpoints"):
            program.gradient("loss", "w", checkpoints=wrong)
    with pytest.raises(tolang.ToLangUsageError, match="called k"):
        program.gradient("loss", "w", checkpoints="k")
