"""Vector functions against mpmath: within two units in the last place, and right at the ends of the number line."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import tolang

STORAGES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}


def compiled(function: str, storage: str) -> Any:
    return tolang.compile(f"tol x: {storage} [n]\ny := map(x, {function}(*))", engine="cpu", fallback=False)


def points(function: str, kind: Any) -> Any:
    """Points over the whole range: many magnitudes, around 0 and 1, near overflow and underflow, and special ones."""
    generator = np.random.default_rng(3)
    info = np.finfo(kind)
    limit = float(np.log(info.max))
    spread = generator.uniform(-1.2 * limit, 1.2 * limit, 700)
    small = generator.normal(size=700)
    powers = np.ldexp(1.0, generator.integers(info.minexp - info.nmant, info.maxexp, 500)) * generator.uniform(
        1, 2, 500
    )
    near_one = 1 + generator.normal(size=300) * 1e-3
    special = [0.0, -0.0, 1.0, -1.0, float(info.max), float(info.tiny), float(info.smallest_subnormal), 0.5, 2.0]
    everything = np.concatenate([spread, small, powers, -powers, near_one, special])
    with np.errstate(over="ignore"):
        return everything.astype(kind)


def units(got: Any, exact: Any, kind: Any) -> float:
    """How many units in the last place a result is off."""
    info = np.finfo(kind)
    if exact == 0:
        return abs(float(got)) / float(info.smallest_subnormal)
    exponent = int(mpmath.floor(mpmath.log(abs(exact), 2)))
    unit = mpmath.ldexp(1, max(exponent, info.minexp) - info.nmant)
    return float(abs(mpmath.mpf(float(got)) - exact) / unit)


@pytest.mark.parametrize("storage", list(STORAGES))
@pytest.mark.parametrize("function", ["exp", "log", "tanh"])
def test_within_two_units(function: str, storage: str) -> None:
    mpmath.mp.prec = 120
    kind = STORAGES[storage]
    x = points(function, kind)
    if function == "log":
        x = np.abs(x[x != 0])
    result = compiled(function, storage)(x)
    info = np.finfo(kind)
    worst = 0.0
    for value, got in zip(x, result, strict=True):
        if not np.isfinite(value):
            continue
        exact = getattr(mpmath, function)(mpmath.mpf(float(value)))
        if abs(exact) > mpmath.mpf(float(info.max)):
            assert np.isinf(got)
        else:
            worst = max(worst, units(got, exact, kind))
    assert worst <= 2


@pytest.mark.parametrize("storage", list(STORAGES))
def test_ends_of_the_number_line(storage: str) -> None:
    kind = STORAGES[storage]
    ends = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0], dtype=kind)
    with np.errstate(all="ignore"):
        for function, numpy_function in (("exp", np.exp), ("log", np.log), ("tanh", np.tanh)):
            np.testing.assert_array_equal(compiled(function, storage)(ends), numpy_function(ends))
        assert np.isnan(compiled("log", storage)(np.array([-1.0], dtype=kind)))[0]
        assert np.signbit(compiled("tanh", storage)(np.array([-0.0], dtype=kind)))[0]
