"""Quotients by divisors that are shared are those of divisions to the last bit, whatever the processor prefers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.ground.dataclasses import replace

SOURCE = "tol x: R [n,m]\ntol d: R [n]\nr := map(tol[n], { t = reduce([d[i]], max, d[i]); map(x[i], * / t) }, i)"
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 3.0, -7.0, 1e-40, 1e38, 2.0**-126, 2.0**20, 2.0**-20, 1 / 3]


@pytest.fixture(autouse=True)
def _division_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code as for a processor on which products are better than a division, whichever this is."""
    target = replace(host_target(), slow_division=True)
    monkeypatch.setattr("tolang.engines.cpu.translation.host_target", lambda: target)


def numbers(generator: np.random.Generator, kind: Any, count: int) -> Any:
    """Floats of any bits, and floats of the sizes that data have."""
    whole = np.uint32 if kind == np.float32 else np.uint64
    any_bits = generator.integers(0, np.iinfo(whole).max, count, whole, endpoint=True).view(kind)
    usual = ((generator.random(count) - 0.5) * 2.0 ** generator.integers(-30, 30, count)).astype(kind)
    return np.where(generator.random(count) < 0.02, any_bits, usual)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_bits_are_those_of_divisions(kind: Any) -> None:
    generator = np.random.default_rng(7)
    with np.errstate(all="ignore"):
        divisors = np.concatenate([np.array(SPECIAL).astype(kind), numbers(generator, kind, 185)])
        rows = numbers(generator, kind, 200 * 1003).reshape(200, 1003)
        rows[::2] = ((generator.random((100, 1003)) - 0.5) * 2.0 ** generator.integers(-9, 9, (100, 1003))).astype(kind)
        rows[::4, 5] = -0.0
        wanted = rows / divisors[:, None]
    found = tolang.compile(SOURCE.replace("R", "f32" if kind == np.float32 else "f64"))(rows, divisors)
    whole = np.uint32 if kind == np.float32 else np.uint64
    same = (found.view(whole) == wanted.view(whole)) | (np.isnan(found) & np.isnan(wanted))
    assert same.all(), np.argwhere(~same)[:5]
    assert np.isnan(wanted).any()
    assert np.isinf(wanted).any()
