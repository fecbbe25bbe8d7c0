"""Complex numbers in compiled code, against the interpreter: ordinary and special values, folds, both storages."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import tolang

Array = np.ndarray[Any, Any]
FUNCTIONS = {
    "sums": "[z+w, z-w, z*w, z/w, z*2.5, -z]",
    "equal ones": "map(z, * == w[i], i)",
    "sizes": "map(z, abs)",
    "growth": "[map(z, exp), map(z, sqrt), map(z, *^2), map(z, *^3)]",
    "waves": "[map(z, sin), map(z, cos), map(z, sinh), map(z, cosh)]",
    "logarithms": "[map(z, log), map(z, log(*, w[i]), i)]",
    "tangents": "[map(z, tan), map(z, tanh)]",
    "inverse ones": "[map(z, asin), map(z, acos), map(z, atan), map(z, asinh), map(z, acosh), map(z, atanh)]",
    "powers": "[map(z, *^4), map(z, *^(-3)), map(z, *^p[i], i)]",
    "parts": "map(z, v -> { p = convert(v, [R,R]); convert((p[2]', p[1]'), [C]) })",
}
EDGES = [0.0, -0.0, 1.0, -1.0, -2.5, 1e-9, np.inf, -np.inf, np.nan, 1e300, 1e-310, 710.0, -745.0]
SPECIAL = np.array([complex(a, b) for a in EDGES for b in EDGES])


def both(source: str, **data: Any) -> tuple[Array, Array]:
    made = [tolang.compile(source, engine=engine, fallback=False)(**data) for engine in ("cpu", "interpret")]
    return np.asarray(made[0]), np.asarray(made[1])


def agree(found: Array, wanted: Array, error: float) -> None:
    """Parts are the same where they are special, else apart by no more than a share of the whole number's size."""
    assert found.dtype == wanted.dtype
    if wanted.dtype == bool:
        np.testing.assert_array_equal(found, wanted)
        return
    size = np.abs(wanted)
    for one, other in ((found.real, wanted.real), (found.imag, wanted.imag)):
        special = ~np.isfinite(other)
        np.testing.assert_array_equal(one[special], other[special])
        with np.errstate(invalid="ignore"):
            near = np.abs(one - other) <= error * np.where(np.isfinite(size), size, 0) + 5e-324
            near |= (size == np.inf) & (np.abs(one - other) <= error * np.abs(other))
        assert near[~special].all()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_and_special_values(name: str) -> None:
    generator = np.random.default_rng(13)
    plain = 3 * (generator.normal(size=64) + 1j * generator.normal(size=64))
    z = np.concatenate([plain, SPECIAL])
    source = f"tol z: C [n]\ntol w: C [n]\ntol p: C [n]\ny := {FUNCTIONS[name]}"
    exponents = generator.normal(size=len(z)) + 1j * generator.normal(size=len(z))
    exponents[::2] = generator.integers(-120, 120, len(exponents[::2]))
    error = 4e-13 if name == "powers" else 1e-13  # of e^700, of which NumPy's own has as many digits
    with np.errstate(all="ignore"):
        agree(*both(source, z=z, w=np.roll(z, 7), p=exponents), error)


def test_short_ones_stay_short() -> None:
    z = (np.arange(40) / 10 + 1j * np.linspace(-2, 2, 40)).astype(np.complex64)
    agree(*both("tol z: c64 [n]\ny := map(z, exp(*) * 2 + abs(*)) / z[3]", z=z), 1e-5)
    edges = [0.0, -0.0, 1.5, np.inf, -np.inf, np.nan, 1e38, 1e-40, 89.0]
    special = np.array([complex(a, b) for a in edges for b in edges]).astype(np.complex64)
    source = "tol z: c64 [n]\ny := [map(z, exp), map(z, sqrt), map(z, log), map(z, atanh), map(z, *^4)]"
    agree(*both(source, z=special), 2e-6)


@pytest.mark.parametrize(
    "expression",
    [
        "reduce(z*z, add, 0)",
        "reduce(z, (s,e) -> s*0.5 + e, 1i)",
        "cumulative_sum(z)",
        "reduce(map(z, abs), add, 0)",
        "{ s = sum(z); map(z, * / s) }",
        "map(z, if abs(*) > 2 then * else 0)",
        "reduce(z, (s,e) -> if abs(e) > 1 then [s,e] else s, [])",
    ],
)
def test_folds(expression: str) -> None:
    generator = np.random.default_rng(14)
    z = generator.normal(size=300) + 1j * generator.normal(size=300)
    found, wanted = both(f"tol z: C [n]\ny := {expression}", z=z)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_long_sums_are_the_same_with_all_threads() -> None:
    generator = np.random.default_rng(15)
    z = generator.normal(size=600_000) + 1j * generator.normal(size=600_000)
    made = [tolang.compile("tol z: C [n]\ny := reduce(z, add, 0)", fallback=False, threads=k)(z=z) for k in (1, 2)]
    assert made[0] == made[1]
    np.testing.assert_allclose(made[0], z.sum(), rtol=1e-9)


def test_sides_of_cuts_are_those_of_mpmath() -> None:
    """On a cut the sign of a zero tells the side: compared with values just beside it, by arithmetic of 50 digits."""
    cuts = {"asin": (2, 0), "acos": (-2, 0), "atan": (0, 2), "asinh": (0, -2), "acosh": (0.5, 0), "atanh": (-3, 0)}
    sides = [complex(a or s * 0.0, b or s * 0.0) for a, b in cuts.values() for s in (1, -1)]
    source = f"tol z: C [n]\ny := {FUNCTIONS['inverse ones']}"
    found = np.split(tolang.compile(source, fallback=False)(z=np.array(sides)), len(cuts))
    for place, (name, (a, b)) in enumerate(cuts.items()):
        with mpmath.workdps(50):
            beside = [mpmath.mpc(a or s * 1e-40, b or s * 1e-40) for s in (1, -1)]
            wanted = [complex(getattr(mpmath, name)(one)) for one in beside]
        np.testing.assert_allclose(found[place][2 * place : 2 * place + 2], wanted, rtol=1e-15, atol=1e-30)
