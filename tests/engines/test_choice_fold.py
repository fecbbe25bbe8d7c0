"""Folds that choose one of their elements, against the same fold step by step in Python."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.strategies.choice_fold import LANES, TOGETHER

GROUP = LANES * TOGETHER
LENGTHS = (1, 63, 4 * LANES, 4 * LANES + 1, GROUP - 1, GROUP, GROUP + 1, 3 * GROUP + 5 * LANES + 7)
RELATIONS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


def chosen(x: np.ndarray[Any, Any], relation: str, initial: float) -> tuple[float, int]:
    best, place = initial, 0
    for k, value in enumerate(x.tolist(), 1):
        if RELATIONS[relation](value, best):
            best, place = value, k
    return best, place


def elements(kind: str, n: int) -> np.ndarray[Any, Any]:
    generator = np.random.default_rng(n)
    if kind == "rising":
        return np.arange(n, dtype=np.float32)
    if kind == "zeros":
        return np.where(generator.random(n) < 0.5, -0.0, 0.0).astype(np.float32)
    few = generator.integers(-3, 4, n).astype(np.float32)
    if kind == "none":
        few[generator.random(n) < 0.3] = np.nan
    return few


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("storage", ["f32", "f64", "i32", "u8", "bf16"])
def test_the_place_of_an_extreme(relation: str, storage: str) -> None:
    source = (
        f"tol x: {storage} [n]\ntol y: {storage}\n"
        f"r := reduce(map(x, (*, k), k), (s, e) -> if e[1]' {relation} s[1]' then e else s, (y, 0))"
    )
    program = tolang.compile(source, engine="cpu", fallback=False)
    for n in LENGTHS:
        x = elements("few", n)
        x = np.abs(x) if storage == "u8" else x
        first, second = program(x, 1)
        assert (float(first), int(second)) == chosen(x, relation, 1.0)


@pytest.mark.parametrize("kind", ["rising", "zeros", "none"])
@pytest.mark.parametrize("initial", [-math.inf, math.nan, 0.0, -2.0])
def test_elements_that_are_equal_or_compare_with_nothing(kind: str, initial: float) -> None:
    source = (
        "tol x: f32 [n]\ntol y: f32\nr := reduce(map(x, (*, k), k), (s, e) -> if e[1]' > s[1]' then e else s, (y, 0))"
    )
    program = tolang.compile(source, engine="cpu", fallback=False)
    for n in LENGTHS:
        x = elements(kind, n)
        first, second = program(x, initial)
        best, place = chosen(x, ">", initial)
        assert int(second) == place
        assert np.float32(first).tobytes() == np.float32(best).tobytes()


def test_places_in_rows() -> None:
    x = elements("few", 7 * (GROUP + 70)).reshape(7, -1)
    found = tolang.compile("tol x: f32 [n,m]\nr := map(tol[n], argmax(x[i]), i)")(x)
    np.testing.assert_array_equal(found, x.argmax(1) + 1)
