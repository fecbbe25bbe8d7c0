"""Quotients by divisors that are shared are those of divisions to the last bit, whatever the processor prefers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.engines.llvm.quotients import Divisor
from tolang.ground.dataclasses import replace
from tolang.plan.target import Target

SOURCE = "tol x: R [n,m]\ntol d: R [n]\nr := map(tol[n], { t = reduce([d[i]], max, d[i]); map(x[i], * / t) }, i)"
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 3.0, -7.0, 1e-40, 1e38, 2.0**-126, 2.0**20, 2.0**-20, 1 / 3]


@pytest.fixture(autouse=True)
def _division_is_slow(plan_for: Callable[[Target], None]) -> None:
    """Code as for a processor on which products are better than a division, whichever this is."""
    plan_for(replace(host_target(), slow_division=True))


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


POWERS = """
tol x: R [n,m]
tol d: R [n]
powers := map(tol[n], { p = exp(x[i]); t = reduce([d[i]], max, d[i]); map(p, * / t) }, i)
"""


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_bits_of_powers_are_those_of_divisions(kind: Any) -> None:
    """Of rows that are never negative, signs are not looked after: divisors may have one, and powers be 0 or NaN."""
    generator = np.random.default_rng(8)
    with np.errstate(all="ignore"):
        divisors = np.concatenate([np.array(SPECIAL).astype(kind), numbers(generator, kind, 105)])
        rows = (generator.random((120, 1003)) * 12 - 9).astype(kind)
        rows[::3, 7] = -np.inf
        rows[::5, 11] = -87.5 if kind == np.float32 else -708.9
        rows[::7, 13] = 80 if kind == np.float32 else 705
        rows[3::15, 17] = np.nan
    source = POWERS.replace("R", "f32" if kind == np.float32 else "f64")
    alone = tolang.compile(source.replace("* / t", "* / 1"))(rows, divisors)
    with np.errstate(all="ignore"):
        wanted = alone / divisors[:, None]
    found = tolang.compile(source)(rows, divisors)
    whole = np.uint32 if kind == np.float32 else np.uint64
    same = (found.view(whole) == wanted.view(whole)) | (np.isnan(found) & np.isnan(wanted))
    assert same.all(), np.argwhere(~same)[:5]
    assert (found == 0).any()
    assert np.signbit(found[found == 0]).any()


@pytest.mark.usefixtures("anew")
def test_rows_of_powers_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Softmax divides powers, and does without their signs; what is given has any."""
    seen: list[bool] = []

    def noted(builder: Any, value: Any, storage: str, doubt: Any, signed: bool) -> Divisor:
        seen.append(signed)
        return Divisor(builder, value, storage, doubt, signed)

    monkeypatch.setattr("tolang.engines.cpu.strategies.shared_quotients.Divisor", noted)
    x = np.linspace(-3, 3, 4000, dtype=np.float32).reshape(4, 1000)
    shares = tolang.compile("tol x: f32 [n,m]\ny := softmax(x, 2)")(x)
    assert np.allclose(shares.sum(1), 1)
    assert seen
    assert not any(seen)
    seen.clear()
    quotients = tolang.compile(SOURCE.replace("R", "f32"))(x, np.full(4, 3, np.float32))
    assert np.array_equal(quotients, x / np.float32(3))
    assert seen
    assert all(seen)
