"""Binary searches, compiled and interpreted, against the steps that their definition says, in order or not."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.readings.interpret import searches

Array = np.ndarray[Any, Any]
SOURCE = "tol v: R [n]\ntol x: R [m]\ny := map(x, searchsorted(v, *, true))"
LENGTHS = [0, 1, 2, 3, 7, 8, 9, 33]


@cache
def program(engine: str) -> tolang.Program:
    return tolang.compile(SOURCE, engine=engine, fallback=False)


def by_steps(v: Array, item: float) -> int:
    """The definition, written down once more: strides of half of what is left, rounded up."""
    before, left = 0, len(v)
    while left:
        stride, left = (left + 1) // 2, left // 2
        before += stride if v[before + stride - 1] <= item else 0
    return 1 + (before if item == item else len(v))


def items(generator: np.random.Generator) -> Array:
    return np.append(generator.integers(-4, 5, 19) / 2, [np.nan, np.inf, -np.inf, -0.0])


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize("order", [np.sort, np.array], ids=["in order", "in no order"])
def test_all_lengths(engine: str, order: Any) -> None:
    generator = np.random.default_rng(7)
    for length in LENGTHS:
        v, x = order(generator.integers(-4, 5, length) / 2), items(generator)
        assert program(engine)(v=v, x=x).tolist() == [by_steps(v, float(item)) for item in x]


def test_places_behind_numbers_are_found_among_nan() -> None:
    v, x = np.array([-1.0, 0.5, 2.0, np.nan, np.nan]), items(np.random.default_rng(8))
    for engine in ("cpu", "interpret"):
        np.testing.assert_array_equal(program(engine)(v=v, x=x), np.searchsorted(v, x, "right") + 1)


def test_many_points_go_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    v, x = np.sort(np.random.default_rng(9).normal(size=50)), np.linspace(-2, 2, 9)
    at_once = program("interpret")(v=v, x=x)
    monkeypatch.setattr(searches, "FEW", 0)
    np.testing.assert_array_equal(at_once, program("interpret")(v=v, x=x))


def test_searches_read_without_checks_and_side_by_side() -> None:
    shown = program("cpu").explain().full
    assert "by pointer chase" in shown
    assert "v.1[next_7]," in shown
