"""Coordinates that are counted anew after each period: by loops over periods where these are whole, else as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.plan.nest import Branch, Step
from tolang.plan.target import Target
from tolang.plan.traversal import inner_steps
from tolang.rewrite.remainders import BLOCK, SHORT
from tolang.schedule.planning import plan

Array = np.ndarray[Any, Any]
PROGRAMS = {
    "in an index": "tol x: R [n]\ntol h: Z\ny := map(tol[n], x[k - (k-1)%h] + x[k], k)",
    "as a number": "tol x: R [n]\ntol h: Z\ny := map(tol[n], x[k] + (k-1)%h, k)",
    "both": "tol x: R [n]\ntol h: Z\nj(k) = (k-1)%h + 1\ny := map(tol[n], x[k - j(k) + 1] + j(k), k)",
    "with rows around": "tol z: R [3,n]\ntol h: Z\ny := map(tol[3,n], z[i,k] * i + z[1, (k-1)%h + 1], [i,k])",
    "in pieces": "tol x: R [n]\ntol h: Z\ny := map(tol[6,n], if i <= 3 then x[(k-1)%h+1] else -x[(k-1)%h+1], [i,k])",
    "by a choice": "tol x: R [n]\ntol h: Z\ny := map(tol[n], if (k-1)%h == 0 then x[k] else -x[k], k)",
}
"""Programs of an input of n numbers, or of rows of these, and a period."""


def expected(name: str, x: Array, h: int) -> Array:
    n = x.shape[-1]
    k = np.arange(n)
    found: dict[str, Callable[[], Array]] = {
        "in an index": lambda: x[k - k % h] + x,
        "as a number": lambda: x + k % h,
        "both": lambda: x[k - k % h] + (k % h + 1),
        "with rows around": lambda: x * np.array([[1], [2], [3]]) + x[0][k % h],
        "in pieces": lambda: np.repeat([[1.0], [-1.0]], 3, axis=0) * x[k % h],
        "by a choice": lambda: np.where(k % h == 0, x, -x),
    }
    return found[name]()


def argument(name: str, n: int) -> Array:
    shape = (3, n) if name == "with rows around" else (n,)
    return np.random.default_rng(n).standard_normal(shape)


def branches(steps: tuple[Step, ...]) -> list[Branch]:
    inner = [one for step in steps for one in branches(inner_steps(step))]
    return [step for step in steps if isinstance(step, Branch)] + inner


@pytest.fixture(scope="module", params=list(PROGRAMS))
def named(request: pytest.FixtureRequest) -> tuple[str, tolang.Program]:
    return request.param, tolang.compile(PROGRAMS[request.param], engine="cpu", fallback=False)


def test_there_are_loops_over_periods(named: tuple[str, tolang.Program]) -> None:
    name, program = named
    found = branches(plan(program.core, Target(32, 16)).plan.steps)
    assert len(found) == (2 if name == "in pieces" else 1) * (1 + len(SHORT))


@pytest.mark.parametrize(
    ("n", "h"),
    [
        (24, 1), (24, 2), (70, 2), (24, 5), (24, 8), (24, 24), (1, 1), (7, 7),
        (3 * BLOCK, BLOCK), (4 * BLOCK, 2 * BLOCK), (2 * BLOCK + 2, BLOCK + 1), (64 * (BLOCK + 1), BLOCK + 1),
    ],
)  # fmt: skip
def test_periods_of_any_length(named: tuple[str, tolang.Program], n: int, h: int) -> None:
    name, program = named
    x = argument(name, n)
    np.testing.assert_array_equal(program(x, np.array(h)), expected(name, x, h))


@pytest.mark.parametrize(("n", "m"), [(24, 8), (24, 5), (24, 24), (24, 30), (0, 3), (3 * BLOCK, BLOCK)])
def test_a_dimension_as_a_period(n: int, m: int) -> None:
    source = "tol x: R [n]\ntol z: R [m]\ny := map(tol[n], x[k] + z[(k-1)%m + 1], k)"
    program = tolang.compile(source, engine="cpu", fallback=False)
    assert len(branches(plan(program.core, Target(32, 16)).plan.steps)) == 1 + len(SHORT)
    x, z = np.arange(float(n)), np.arange(float(m)) ** 2
    np.testing.assert_array_equal(program(x, z), x + z[np.arange(n) % m])


@pytest.mark.parametrize("h", [25, 2**41, 2**62])
@pytest.mark.parametrize("name", ["as a number", "by a choice"])
def test_periods_beyond_the_loop(name: str, h: int) -> None:
    program = tolang.compile(PROGRAMS[name], engine="cpu", fallback=False)
    x = argument(name, 24)
    np.testing.assert_array_equal(program(x, np.array(h)), expected(name, x, h))


def test_nothing_is_counted_in_a_loop_of_no_turns(named: tuple[str, tolang.Program]) -> None:
    name, program = named
    assert program(argument(name, 0), np.array(3)).size == 0


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_there_is_no_period_of_zero(name: str, engine: str) -> None:
    with pytest.raises(tolang.ToLangRunError, match="E506"):
        tolang.compile(PROGRAMS[name], engine=engine)(argument(name, 24), np.array(0))


@pytest.mark.parametrize("h", [-3, -24, -(2**62)])
def test_a_period_below_zero_counts_downwards(h: int) -> None:
    program = tolang.compile(PROGRAMS["as a number"], engine="cpu", fallback=False)
    x = argument("as a number", 24)
    np.testing.assert_array_equal(program(x, np.array(h)), x + np.arange(24) % h)


@pytest.mark.parametrize(("n", "h"), [(24, 8), (24, 5), (2 * BLOCK, BLOCK)])
def test_places_outside_are_told_as_before(n: int, h: int) -> None:
    source = "tol x: R [n]\ntol h: Z\ny := map(tol[n], x[k + (k-1)%h], k)"
    program = tolang.compile(source, engine="cpu", fallback=False)
    with pytest.raises(tolang.ToLangRunError, match="E513") as found:
        program(np.ones(n), np.array(h))
    with pytest.raises(tolang.ToLangRunError) as wanted:
        tolang.compile(source, engine="interpret")(np.ones(n), np.array(h))
    assert found.value.code == wanted.value.code
