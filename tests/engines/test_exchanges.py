"""States that change places: where they are after any number of steps, and that nothing is copied for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.strategies import double_buffering

ONE = "tol x: R [n]\ntol k: R [d]\nr := reduce(k, (s,v) -> map(s, (y,i) -> y*0.5 + s[1] + i), x)"
TWO = (
    "tol x: R [n]\ntol k: R [d]\nstep(s) = map(s, (s[i][2]' + s[1][1]', s[i][1]' - i), i)\n"
    "z = reduce(k, (s,v) -> step(s), (x, 2*x))\nr := z[1]' + 3*z[2]'"
)
TWICE = (
    "tol x: R [n]\ntol k: R [d]\nstep(s) = map(s, (y,i) -> y*0.5 + s[1] + i)\n"
    "a = reduce(k, (s,v) -> step(s), x)\nb = if n > 3 then reduce(k, (s,v) -> step(s), map(a, * + 1)) else a\nr := a + 7*b"
)


def stepped(x: np.ndarray[Any, Any], steps: int) -> np.ndarray[Any, Any]:
    for _ in range(steps):
        x = x * 0.5 + x[0] + np.arange(1.0, len(x) + 1)
    return x


@pytest.fixture
def never_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """No code is written that copies a state to where it belongs."""

    def copies(*_: Any) -> None:
        raise AssertionError("a state is copied")

    monkeypatch.setattr(double_buffering._Pair, "bring_home", copies)
    monkeypatch.setenv("TOL_CACHE_DIR", "off")


@pytest.mark.parametrize("steps", range(4))
def test_states_are_where_the_last_step_has_left_them(steps: int, never_copied: None, anew: None) -> None:
    x, k = np.random.default_rng(steps).normal(size=9), np.zeros(steps)
    run = {source: tolang.compile(source, engine="cpu", fallback=False)(x, k) for source in (ONE, TWICE)}
    np.testing.assert_array_equal(run[ONE], stepped(x, steps))
    first = stepped(x, steps)
    np.testing.assert_array_equal(run[TWICE], first + 7 * stepped(first + 1, steps))


@pytest.mark.parametrize("steps", range(4))
def test_states_of_two_components(steps: int, never_copied: None, anew: None) -> None:
    x = np.random.default_rng(steps).normal(size=9)
    a, b = x, 2 * x
    for _ in range(steps):
        a, b = b + a[0], a - np.arange(1.0, 10)
    found = tolang.compile(TWO, engine="cpu", fallback=False)(x, np.zeros(steps))
    np.testing.assert_array_equal(found, a + 3 * b)


def test_steps_inside_others_change_places_there() -> None:
    source = (
        "tol x: R [n]\ntol k: N [d]\nstep(s) = map(s, (y,i) -> y*0.5 + s[1] + i)\n"
        "r := reduce(k, (s,v) -> reduce(tol[v], (t,w) -> step(t), map(s, * + 1)), x)"
    )
    x, counts = np.random.default_rng(1).normal(size=9), np.array([3, 1, 2, 0, 1])
    expected = x
    for count in counts.tolist():
        expected = stepped(expected + 1, count)
    found = tolang.compile(source, engine="cpu", fallback=False)(x, counts)
    np.testing.assert_array_equal(found, expected)
