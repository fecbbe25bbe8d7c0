"""Iterations at each point in lanes: against NumPy, and to the bit against the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tolang
from tolang.idioms.iteration import iterates
from tolang.plan.nest import Nest
from tolang.schedule import choosing

Array = NDArray[Any]

MANDELBROT = """\
tol x: f32 [m]
tol y: f32 [n]
step(z, a, b) = if z[1]'^2 + z[2]'^2 <= 4 then (z[1]'^2 - z[2]'^2 + a, 2*z[1]'*z[2]' + b, z[3]' + 1) else z
count := map(tol[n,m], reduce(tol[30], (z,t) -> step(z, x[j], y[i]), (0.0,0.0,0))[3]', [i,j])
"""
NEWTON = "tol x: f64 [n]\ntol turns: f64 [k]\ny := map(x, reduce(tol[k], (s,t) -> 0.5 * (s + * / s), 1.0))"
STEPS = "tol x: f32 [n]\ny := map(x, reduce(tol[5], (s,t) -> sqrt(abs(s)) + * + i, 0.0), i)"


@pytest.fixture(autouse=True)
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What was found about each nest with folds."""
    found: list[bool] = []
    original = iterates

    def noted(nest: Nest) -> bool:
        found.append(original(nest))
        return found[-1]

    monkeypatch.setattr(choosing, "iterates", noted)
    monkeypatch.setenv("TOL_CACHE_DIR", "off")
    return found


def mandelbrot(x: Array, y: Array) -> Array:
    a, b = np.broadcast_arrays(x[None], y[:, None])
    u, v, count = np.zeros_like(a), np.zeros_like(a), np.zeros(a.shape, np.int64)
    for _ in range(30):
        going = u * u + v * v <= 4
        count += going
        u, v = np.where(going, u * u - v * v + a, u), np.where(going, 2 * u * v + b, v)
    return count


def test_a_fold_ends_where_its_test_has_failed_for_good(taken: list[bool]) -> None:
    """Strict: a product fused with a sum could decide a point on the edge of the set otherwise."""
    program = tolang.compile(MANDELBROT, engine="cpu", strict=True, fallback=False)
    for n, m in [(0, 3), (3, 0), (1, 1), (3, 7), (2, 8), (5, 67)]:
        x, y = np.linspace(-2, 0.5, m, dtype=np.float32), np.linspace(-1.2, 1.2, n, dtype=np.float32)
        np.testing.assert_array_equal(program(x, y), mandelbrot(x, y))
    assert any(taken)


def test_turns_are_counted_while_running(taken: list[bool]) -> None:
    program = tolang.compile(NEWTON, engine="cpu", fallback=False)
    x = np.linspace(1, 9, 37)
    np.testing.assert_array_equal(program(x, np.ones(0)), np.ones(37))
    # Newton's method has converged to a unit in the last place or two after twenty turns
    np.testing.assert_allclose(program(x, np.ones(20)), np.sqrt(x), rtol=1e-15)
    assert any(taken)


@pytest.mark.parametrize("source", [NEWTON, STEPS])
def test_strict_is_the_same_to_the_bit(source: str, taken: list[bool]) -> None:
    x = np.random.default_rng(2).random(53) + 1
    arguments = (x, np.ones(7)) if source is NEWTON else (x.astype(np.float32),)
    expected = tolang.compile(source, engine="interpret", strict=True)(*arguments)
    found = tolang.compile(source, engine="cpu", strict=True, fallback=False)(*arguments)
    np.testing.assert_array_equal(found, expected)
    assert any(taken)
