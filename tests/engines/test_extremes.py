"""The greatest and least of many floats, NaN and the signs of 0 included, whatever instructions a processor has."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.ground.dataclasses import replace
from tolang.plan.target import Target

LENGTHS = (1, 7, 16, 33, 64, 200, 1003)
ROWS: list[tuple[str, list[float]]] = [
    ("numbers", [3.0, -2.5, 7.25, -7.25, 0.5]), ("not a number", [1.0, math.nan, 2.0]), ("negative", [-1.0, -2.0, -0.25]),
    ("infinite", [-math.inf, 1.0, math.inf]), ("least of all", [-math.inf]), ("zeros", [0.0, -0.0]), ("negative zeros", [-0.0]),
    ("below zero", [-1.0, -0.0]), ("above zero", [1.0, 0.0]), ("beside zero", [1.0, -0.0]), ("up to zero", [-1.0, 0.0]),
]  # fmt: skip


def extreme(numbers: list[float], greatest: bool) -> float:
    """By IEEE 754: NaN stays, and -0 is below 0."""
    if any(map(math.isnan, numbers)):
        return math.nan
    found = (max if greatest else min)(numbers, key=lambda one: (one, math.copysign(1, one)))
    return found


@pytest.mark.parametrize("extrema", [True, False])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("function", ["max", "min"])
def test_extremes(plan_for: Callable[[Target], None], function: str, kind: type, extrema: bool) -> None:
    plan_for(replace(host_target(), extrema=extrema))
    start = "-Inf" if function == "max" else "+Inf"
    storage = "f32" if kind == np.float32 else "f64"
    program = tolang.compile(f"tol x: {storage} [n,m]\nr := map(tol[n], reduce(x[i], {function}, {start}), i)")
    generator = np.random.default_rng(3)
    for length in LENGTHS:
        rows = [list(generator.permutation((numbers * length)[:length])) for _, numbers in ROWS]
        found = program(np.array(rows, kind))
        wanted = [extreme(row, function == "max") for row in rows]
        assert [repr(float(one)) for one in found] == [repr(float(one)) for one in wanted], length


STRANGE: list[tuple[str, list[float]]] = [
    ("ordinary", []), ("not a number", [math.nan]), ("negative zeros", [-0.0, 0.0]), ("above", [math.inf]), ("below", [-math.inf]),
    ("both ends", [math.inf, -math.inf]),
]  # fmt: skip
SEMIRINGS = [
    ("* + b[*,j]", "min", "+Inf", np.float32), ("* + b[*,j]", "max", "-Inf", np.float64), ("min(*, b[*,j])", "max", "-Inf", np.float32),
    ("* + b[*,j]", "max", "-0.0", np.float32),
]  # fmt: skip


@pytest.mark.parametrize(("term", "function", "start", "kind"), SEMIRINGS)
def test_extremes_of_pairs(
    plan_for: Callable[[Target], None], term: str, function: str, start: str, kind: type
) -> None:
    """Products over semirings where plain instructions are taken once packing has seen ordinary numbers alone."""
    plan_for(replace(host_target(), extrema=False))
    storage = "f32" if kind == np.float32 else "f64"
    product = f"map(tol[n,m], reduce(map(a[i], {term}), {function}, {start}), [i,j])"
    program = tolang.compile(f"tol a: {storage} [n,k]\ntol b: {storage} [k,m]\nc := {product}")
    assert "min and max by one instruction where packing sees no NaN and no -0" in program.explain().full
    generator = np.random.default_rng(5)
    choose = {"min": np.minimum, "max": np.maximum}[function]
    for rows, depth, columns in ((70, 45, 90), (33, 700, 40)):
        for (_, left), (_, right) in itertools.product(STRANGE, STRANGE):
            shapes = (rows, depth), (depth, columns)
            a, b = (np.array(generator.integers(-3, 4, shape), kind) for shape in shapes)  # type: ignore[var-annotated]  # of either kind
            for array, numbers in ((a, left), (b, right)):
                for number in numbers:
                    array.flat[generator.integers(array.size, size=3)] = number
            with np.errstate(invalid="ignore"):
                terms = np.minimum(a[:, :, None], b) if term.startswith("min") else a[:, :, None] + b
                wanted = choose(choose.reduce(terms, axis=1), kind(float(start)))
            np.testing.assert_array_equal(program(a, b), wanted)
