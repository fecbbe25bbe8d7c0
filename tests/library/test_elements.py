"""Functions of elements and the functions of neural networks built on them, against NumPy, SciPy and mpmath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
from tests.library.calls import SHAPES, Array, arrays, numbers, same, value

EXTREMES = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 1e308, -1e308, 0.49999999999999994, 2.0**52 + 1])
HALVES = np.arange(-40, 41) / 8
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "ceil": np.ceil, "trunc": np.trunc, "round": np.round, "is_nan": np.isnan, "is_finite": np.isfinite,
    "is_infinite": np.isinf, "relu": lambda x: np.maximum(x, 0), "sigmoid": scipy.special.expit,
    "gelu": lambda x: x * scipy.special.ndtr(x),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_one_argument(name: str) -> None:
    for shape in SHAPES:
        for x in arrays(shape, truths=False)[:3]:
            same(value(f"{name}(x * 2.5)", x=x), FUNCTIONS[name](x * 2.5))
    same(value(f"{name}(x)", x=HALVES), FUNCTIONS[name](HALVES))
    assert value(f"{name}(x)", x=2.5) == pytest.approx(float(FUNCTIONS[name](2.5)), rel=1e-12)
    extremes = EXTREMES if name != "gelu" else EXTREMES[np.isfinite(EXTREMES)]
    with np.errstate(all="ignore"):
        same(value(f"{name}(x)", x=extremes), FUNCTIONS[name](extremes))


@pytest.mark.parametrize("name", ["ceil", "trunc", "round", "relu", "sigmoid", "gelu", "erf"])
def test_32_bits_stay_32_bits(name: str) -> None:
    assert value(f"{name}(x)", x=HALVES.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("shape", SHAPES)
def test_clip_lerp_and_hypot(shape: tuple[int, ...]) -> None:
    for x in arrays(shape, truths=False):
        same(value("clip(x, -1, 2)", x=x), np.clip(x, -1, 2))
        same(value("clip(x, x - 1, 0)", x=x), np.clip(x, x - 1, 0))
        same(value("lerp(x, y, 0.25)", x=x, y=x + 4), x + 1.0)
        same(value("lerp(x, y, t)", x=x, y=x + 4, t=x), x + 4.0 * x)
        same(value("hypot(x, y)", x=x, y=x + 1), np.hypot(x, x + 1))
        same(value("hypot(x, 3)", x=x), np.hypot(x, 3))


def test_hypot_does_not_overflow() -> None:
    x: Array = np.array([1e300, 1e-300, 0.0, np.inf, 3.0])
    y: Array = np.array([1e300, 1e-300, 0.0, 1.0, np.nan])
    same(value("hypot(x, y)", x=x, y=y) / 1e290, np.hypot(x, y) / 1e290)
    same(value("hypot(x, y)", x=x[1:2], y=y[1:2]) * 1e300, np.hypot(x[1:2], y[1:2]) * 1e300)


def test_polynomial() -> None:
    for coefficients in ((3, -2, 5), (7,), ()):
        for x in (numbers(3), numbers(2, 3), numbers(2, 3, 2)):
            expected = np.polyval(np.array(coefficients), x)
            same(value("polynomial(k, x)", k=coefficients, x=x), expected)
            same(value("polynomial(k, x)", k=np.array(coefficients, dtype=float), x=x), expected)


def _erf(x: Array) -> Array:
    with mpmath.workdps(40):
        return np.array([float(mpmath.erf(mpmath.mpf(float(v)))) for v in x.ravel()]).reshape(x.shape)


def test_erf_is_as_accurate_as_stated() -> None:
    near = [0.5, np.nextafter(0.5, 0), np.nextafter(0.5, 1), 6.0, 5.9999]
    x = np.concatenate([np.linspace(-7, 7, 2001), np.geomspace(1e-300, 1, 300), near])
    x = x[x != 0]
    assert np.max(np.abs(value("erf(x)", x=x) / _erf(x) - 1)) < 5e-16
    single = x[np.abs(x) > 1e-30].astype(np.float32)
    assert np.max(np.abs(value("erf(x)", x=single) / _erf(single) - 1)) < 5e-7


def test_erf_of_extremes() -> None:
    for kind in (np.float64, np.float32):
        same(value("erf(x)", x=np.array([np.inf, -np.inf, 0.0, 40.0, np.nan], kind)), [1, -1, 0, 1, np.nan])


@pytest.mark.parametrize("shape", SHAPES)
def test_softmax(shape: tuple[int, ...]) -> None:
    for x in arrays(shape, truths=False):
        for axis in range(1, len(shape) + 1):
            if x.size == 0:
                assert value("softmax(x, axis)", x=x, axis=axis).shape == shape
                continue
            same(value("softmax(x, axis)", x=x, axis=axis), scipy.special.softmax(x, axis=axis - 1))
            same(value("log_softmax(x, axis)", x=x, axis=axis), scipy.special.log_softmax(x, axis=axis - 1))


def test_softmax_of_large_numbers() -> None:
    x = np.array([[1000.0, 1001.0], [-1e8, -1e8 + 1]])
    same(value("softmax(x)", x=x), scipy.special.softmax(x, axis=-1))
    same(value("log_softmax(x)", x=x), scipy.special.log_softmax(x, axis=-1))


def _convolved(x: Array, w: Array, strides: int, dilation: int, pads: int, groups: int) -> Array:
    """Convolution by its definition, one output at a time."""
    rank = x.ndim - 2
    padded = np.pad(x, [(0, 0), (0, 0), *[(pads, pads)] * rank])
    window = [(k - 1) * dilation + 1 for k in w.shape[2:]]
    out = [(n - k) // strides + 1 for n, k in zip(padded.shape[2:], window, strict=True)]
    result = np.zeros((x.shape[0], w.shape[0], *out))
    for at in np.ndindex(*result.shape):
        group = at[1] // (w.shape[0] // groups)
        channels = slice(group * w.shape[1], (group + 1) * w.shape[1])
        places = [slice(p * strides, p * strides + k, dilation) for p, k in zip(at[2:], window, strict=True)]
        result[at] = np.sum(padded[(at[0], channels, *places)] * w[at[1]])
    return result


@pytest.mark.parametrize(
    ("x", "w", "strides", "dilation", "pads", "groups"),
    [
        ((2, 3, 8), (4, 3, 3), 1, 1, 0, 1),
        ((1, 4, 7), (4, 2, 3), 2, 1, 1, 2),
        ((2, 3, 6, 7), (4, 3, 3, 2), 2, 1, 1, 1),
        ((1, 4, 6, 6), (6, 2, 2, 2), 1, 2, 2, 2),
        ((1, 2, 4, 4, 4), (2, 1, 2, 2, 2), 2, 1, 0, 2),
    ],
)
def test_convolve(x: tuple[int, ...], w: tuple[int, ...], strides: int, dilation: int, pads: int, groups: int) -> None:
    data, weights = numbers(*x), numbers(*w, seed=1)
    expected = _convolved(data, weights, strides, dilation, pads, groups)
    result = value(
        f"convolve(x, w, {strides}, {dilation}, {pads}, out, {groups})", x=data, w=weights, out=expected.shape[2:]
    )
    same(result, expected)
