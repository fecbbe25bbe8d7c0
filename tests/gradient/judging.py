"""Central differences, which gradients are held against."""

from __future__ import annotations

from typing import Any

import numpy as np

import tolang
from tolang.core.verifier import verify

Array = np.ndarray[Any, Any]
STEP = 1e-6


def results(program: tolang.Program, data: dict[str, Any]) -> dict[str, Any]:
    """What a program gives, by name."""
    found = program(**data)
    return found if len(program.outputs) > 1 else {next(iter(program.outputs)): found}


def slopes(program: tolang.Program, of: str, by: str, data: dict[str, Any], cotangent: Any) -> Array:
    """The derivatives of the product of an output with its cotangent by each element of an input."""
    point = np.asarray(data[by], dtype=np.float64)
    found = np.zeros(point.shape)
    for place in np.ndindex(point.shape):
        ends = []
        for sign in (1, -1):
            moved = point.copy()
            moved[place] += sign * STEP
            value = results(program, data | {by: moved})[of]
            ends.append(float(np.sum(np.asarray(value, dtype=np.float64) * cotangent)))
        found[place] = (ends[0] - ends[1]) / (2 * STEP)
    return found


def judge(program: tolang.Program, of: str, by: list[str], data: dict[str, Any], tolerance: float = 1e-5) -> None:
    """Holds the pullback of an output by inputs against central differences, at one point."""
    pullback = program.pullback(of, by)
    verify(pullback.core)
    value = results(program, data)[of]
    cotangent = np.random.default_rng(1).normal(size=np.shape(value))
    found = results(pullback, data | {f"d_{of}": cotangent})
    for one in by:
        expected = slopes(program, of, one, data, cotangent)
        actual = np.asarray(found[f"d_{one}"], dtype=np.float64)
        assert actual.shape == expected.shape
        np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
