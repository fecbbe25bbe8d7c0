"""Two steps of a fold at once: four rows computed of four give what steps give one by one, and all others are left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.symbolic.conditions import FALSE
from tolang.plan.nest import Branch, Named, RequireStep, Step, unmet
from tolang.rewrite import step_pairs

Array = np.ndarray[Any, Any]
Place = Callable[[Array, int, float], Array]
"""Where rows, counted from 1, read: of so many in all, and of what is left of these in a step."""

STAGE = (
    "tol x: R [n,m]\ntol h: R [d]\nat(h, i) = {{ {at} }}\n"
    "stage(s, h) = map(s, {{ k = at(h,i); s[k,j] + i*s[k+{apart}, j] }}, [i,j])\ny := reduce(h, (s,e,t) -> stage(s,e), x)"
)
BY_HALVES = STAGE.format(at="part = (i-1)%h; 2*(i-1-part)%n + part + 1", apart="h")
BACKWARDS = STAGE.format(at="part = (i-1)%h; (n-1-i+part)%(n-1) + 1", apart="1")
PAIRS = (
    "tol x: R [n,2,m]\ntol h: R [d]\nat(h, i) = { part = (i-1)%h; 2*(i-1-part)%n + part + 1 }\n"
    "one(s, k, h, l, j, i) = (s[k,l,j][1]' - i*s[k+h,l,j][2]', s[k,l,j][2]' + s[k+h,l,j][1]')\n"
    "stage(s, h) = map(s, one(s, at(h,i), h, l, j, i), [i,l,j])\n"
    "z = reduce(h, (s,e,t) -> stage(s,e), (x, x+1))\ny := z[1]' + 3*z[2]'"
)


def run(source: str, **given: Any) -> Array:
    return np.asarray(tolang.compile(source, engine="cpu", fallback=False)(**given))


def by_halves(i: Array, n: int, h: float) -> Array:
    part = (i - 1) % h
    return 2 * (i - 1 - part) % n + part + 1


def backwards(i: Array, n: int, h: float) -> Array:
    return (n - 1 - i + (i - 1) % h) % (n - 1) + 1


def expected(x: Array, steps: Array, at: Place, apart: float | None = None) -> Array:
    rows = np.arange(1.0, len(x) + 1)
    for h in steps.tolist():
        k = at(rows, len(x), h)
        one, other = (np.floor(place).astype(int) - 1 for place in (k, k + (h if apart is None else apart)))
        x = x[one] + rows[:, None] * x[other]
    return x


def halves(n: int, steps: int) -> Array:
    return n / 2.0 ** np.arange(1, steps + 1)


@pytest.fixture
def never_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that are not done in pairs fail."""

    def branch(guard: None, test: tuple[Named], then: tuple[Step, ...], otherwise: tuple[Step, ...]) -> Branch:
        return Branch(guard, test, then, (RequireStep(FALSE, unmet("steps come in pairs")),))

    monkeypatch.setattr(step_pairs, "Branch", branch)
    monkeypatch.setenv("TOL_CACHE_DIR", "off")


@pytest.mark.parametrize(("rows", "steps"), [(4, 2), (8, 3), (32, 5), (64, 6), (64, 4), (24, 3)])
@pytest.mark.parametrize("columns", [16, 37])
def test_pairs_of_steps_give_the_same_bits(rows: int, steps: int, columns: int, never_one_by_one: None) -> None:
    x, h = np.random.default_rng(rows).normal(size=(rows, columns)), halves(rows, steps)
    np.testing.assert_array_equal(run(BY_HALVES, x=x, h=h), expected(x, h, by_halves))


def test_states_of_several_components_and_dimensions(never_one_by_one: None) -> None:
    x, h = np.random.default_rng(2).normal(size=(16, 2, 9)), halves(16, 4)
    rows = np.arange(1.0, 17)
    one, two = x, x + 1
    for step in h.tolist():
        k = by_halves(rows, 16, step).astype(int) - 1
        other, i = k + int(step), rows[:, None, None]
        one, two = one[k] - i * two[other], two[k] + one[other]
    np.testing.assert_array_equal(run(PAIRS, x=x, h=h), one + 3 * two)


@pytest.mark.parametrize(
    ("rows", "columns", "steps"), [(8, 15, 3), (6, 20, 2), (2, 20, 1), (8, 20, 1), (8, 20, 0), (8, 0, 3)]
)
def test_where_there_are_few_steps_are_done_one_by_one(rows: int, columns: int, steps: int) -> None:
    x, h = np.random.default_rng(3).normal(size=(rows, columns)), halves(rows, steps)
    np.testing.assert_array_equal(run(BY_HALVES, x=x, h=h), expected(x, h, by_halves))


@pytest.mark.parametrize("steps", [[8.0, 4.0, 2.0, 1.0], [8.0, 8.0], [1.0, 2.0, 4.0], [3.0, 5.0, 2.5]])
def test_rows_that_read_what_they_like_are_computed_one_by_one(steps: list[float]) -> None:
    x, h = np.random.default_rng(4).normal(size=(16, 20)), np.array(steps)
    np.testing.assert_array_equal(run(BACKWARDS, x=x, h=h), expected(x, h, backwards, 1.0))
    if all(step in (1, 2, 4, 8) for step in steps):
        np.testing.assert_array_equal(run(BY_HALVES, x=x, h=h), expected(x, h, by_halves))


@pytest.mark.parametrize("wrong", [[8.0, 40.0], [40.0, 8.0], [8.0, 4.0, -3.0], [np.nan, 8.0], [0.0, 0.0], [8.0, 1e300]])
def test_rows_outside_are_told(wrong: list[float]) -> None:
    x = np.ones((16, 20))
    with pytest.raises(tolang.ToLangRunError) as told:
        tolang.compile(BY_HALVES, engine="cpu")(x=x, h=np.array(wrong))
    with pytest.raises(tolang.ToLangRunError) as judged:
        tolang.compile(BY_HALVES, engine="interpret")(x=x, h=np.array(wrong))
    assert told.value.code == judged.value.code


@pytest.mark.parametrize(
    ("source", "pairs"),
    [
        (BY_HALVES, True),
        (PAIRS, True),
        ("tol x: R [n,m]\ny := reduce(tol[5], (s,e) -> map(s, s[n+1-i,j] + s[i,j], [i,j]), x)", False),
        (
            "tol x: R [n,m]\ny := reduce(tol[5], (s,e) -> map(s, { k = i%3 + 1; s[k,j] + s[k+1,m+1-j] }, [i,j]), x)",
            False,
        ),
        ("tol x: R [n,m]\ny := reduce(tol[5], (s,e) -> map(s, { k = i%3 + 1; s[k,j] + 1 }, [i,j]), x)", False),
        ("tol x: R [n]\ny := reduce(tol[5], (s,e) -> map(s, { k = i%3 + 1; s[k] + s[k+1] }, i), x)", False),
        (
            "tol x: R [n,m]\nstage(s, a) = map(s, { k = i%3 + 1; a*s[k,j] + s[k+1,j] }, [i,j])\n"
            "y := reduce(tol[5], (s,e) -> stage(s, s[1,1]), x)",
            False,
        ),
        (
            "tol x: R [n,m]\nstage(s, a) = map(s, { k = i%3 + 1; a*s[k,j] + s[k+1,j] }, [i,j])\n"
            "y := reduce(tol[5], (s,e) -> stage(s, reduce(s, add, 0)), x)",
            False,
        ),
    ],
    ids=["halves", "components", "own places", "other columns", "one row", "no columns", "an element", "a sum"],
)
def test_steps_are_paired_where_rows_are_of_two_rows(source: str, pairs: bool) -> None:
    assert ("step pairs: " in tolang.compile(source).explain().full) == pairs
