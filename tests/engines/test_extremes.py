"""The greatest and least of many floats, NaN and the signs of 0 included, whatever instructions a processor has."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import host_target

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
def test_extremes(monkeypatch: pytest.MonkeyPatch, function: str, kind: type, extrema: bool) -> None:
    target = replace(host_target(), extrema=extrema)
    monkeypatch.setattr("tolang.engines.cpu.translation.host_target", lambda: target)
    start = "-Inf" if function == "max" else "+Inf"
    storage = "f32" if kind == np.float32 else "f64"
    program = tolang.compile(f"tol x: {storage} [n,m]\nr := map(tol[n], reduce(x[i], {function}, {start}), i)")
    generator = np.random.default_rng(3)
    for length in LENGTHS:
        rows = [list(generator.permutation((numbers * length)[:length])) for _, numbers in ROWS]
        found = program(np.array(rows, kind))
        wanted = [extreme(row, function == "max") for row in rows]
        assert [repr(float(one)) for one in found] == [repr(float(one)) for one in wanted], length
