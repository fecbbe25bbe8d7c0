"""f16 by every value there is: as NumPy converts it, by instructions and by the functions of ours that stand in for them."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.processors import PROCESSORS, host, runnable
from tolang.ground.reporting.diagnostics import ToLangUsageError

CONVERSIONS = "tol x: f16 [n]\ntol z: f64 [m]\nwide := convert(x, [f64])\nnarrow := convert(z, [f16])"
ARITHMETIC = "tol x: f16 [n]\ntol y: f16 [n]\nroots := map(x, sqrt(abs(*)) + y[k], k)\ntotal := reduce(x, max, -Inf)"


def every_half() -> np.ndarray:
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def between_halves() -> np.ndarray:
    """Numbers that are halves, in the middle of two, and next to these; and beyond all halves."""
    halves = every_half().astype(float)
    ordered = np.sort(halves[np.isfinite(halves)])
    middles = (ordered[1:] + ordered[:-1]) / 2
    near = [np.nextafter(middles, side) for side in (-np.inf, np.inf)]
    beyond = np.array([65519.999, 65520.0, 1e300, -1e300, 1e-300, 2.0**-25, np.nextafter(2.0**-25, 1), -(2.0**-25)])
    return np.concatenate([halves, middles, *near, beyond])


def check() -> None:
    halves, numbers = every_half(), between_halves()
    found = tolang.compile(CONVERSIONS, engine="cpu", fallback=False)(halves, numbers)
    np.testing.assert_array_equal(np.asarray(found["wide"]), halves.astype(float))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(np.asarray(found["narrow"]).view(np.uint16) & 0x7FFF < 0x7C01, ~np.isnan(numbers))
        np.testing.assert_array_equal(np.asarray(found["narrow"]), numbers.astype(np.float16))
    finite = halves[np.isfinite(halves)]
    computed = tolang.compile(ARITHMETIC, engine="cpu", fallback=False)(finite, finite[::-1].copy())
    with np.errstate(over="ignore"):
        expected = (np.sqrt(np.abs(finite.astype(np.float32))).astype(np.float16) + finite[::-1]).astype(np.float16)
    np.testing.assert_array_equal(np.asarray(computed["roots"]), expected)
    assert computed["total"] == np.float16(65504)


def test_halves() -> None:
    check()


@pytest.mark.parametrize("name", runnable()[:1])
def test_halves_as_on_an_old_processor(name: str) -> None:
    """One without an instruction for them, in a process of its own: what a process compiles for is decided once."""
    code = "from tests.engines.test_halves import check; check()"
    environment = os.environ | {"TOL_PROCESSOR": name}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_processor_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOL_PROCESSOR", "pentium")
    with pytest.raises(ToLangUsageError, match=r"E605.*\n.*found: pentium\n.*expected: "):
        host.__wrapped__()
    foreign = next(one for one in PROCESSORS.values() if one.name not in runnable())
    monkeypatch.setenv("TOL_PROCESSOR", foreign.name)
    with pytest.raises(ToLangUsageError, match=f"found: {foreign.name}"):
        host.__wrapped__()
