"""Reductions along one axis, several and all, against NumPy and SciPy."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
from tests.library.calls import SHAPES, Array, arrays, numbers, same, value

import tolang

pytestmark = pytest.mark.sampled(4)

WHOLE = {"sum", "product", "maximum", "minimum"}
NEEDS_ELEMENTS = {"maximum", "minimum", "mean", "variance", "standard_deviation"}
REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum, "product": np.prod, "maximum": np.max, "minimum": np.min, "mean": np.mean, "variance": np.var,
    "standard_deviation": np.std,
}  # fmt: skip
TRUTHS: dict[str, Callable[..., Any]] = {"all": np.all, "any": np.any, "count": np.count_nonzero}


def _axes(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    rank = len(shape)
    chosen = [axes for count in range(1, rank + 1) for axes in itertools.combinations(range(rank), count)]
    return chosen if rank < 3 else chosen[::2]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_reductions(name: str, shape: tuple[int, ...]) -> None:
    for x in arrays(shape) if name in WHOLE else arrays(shape)[:2]:
        data = x.astype(float) if x.dtype == bool else x
        for axes in _axes(shape):
            if name in NEEDS_ELEMENTS and 0 in (shape[a] for a in axes):
                continue
            axis: Any = axes[0] + 1 if len(axes) == 1 else tuple(a + 1 for a in axes)
            same(value(f"{name}(x, axis)", x=x, axis=axis), REDUCTIONS[name](data, axis=axes))
        if name not in NEEDS_ELEMENTS or x.size:
            same(value(f"{name}(x)", x=x), REDUCTIONS[name](data))


@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("shape", SHAPES)
def test_reductions_of_truths(name: str, shape: tuple[int, ...]) -> None:
    x = numbers(*shape) > -0.5
    same(value(f"{name}(x)", x=x), TRUTHS[name](x))
    for axes in _axes(shape):
        axis: Any = axes[0] + 1 if len(axes) == 1 else tuple(a + 1 for a in axes)
        same(value(f"{name}(x, axis)", x=x, axis=axis), TRUTHS[name](x, axis=axes))


def test_whole_numbers_stay_whole() -> None:
    x = np.array([[2**60, 3], [2**60 - 1, 1]])
    for name in ("sum", "product", "maximum", "minimum"):
        result = value(f"{name}(x, 2)", x=x)
        assert result.dtype == np.int64
        same(result, REDUCTIONS[name](x, axis=1))


def test_32_bits_stay_32_bits() -> None:
    x = numbers(3, 4).astype(np.float32)
    for name in REDUCTIONS:
        assert value(f"{name}(x, 2)", x=x).dtype == np.float32


def test_variance_with_a_correction() -> None:
    x = numbers(3, 4, 5)
    same(value("variance(x, [1,3], 1)", x=x), np.var(x, axis=(0, 2), ddof=1))
    same(value("standard_deviation(x, correction=1)", x=x), np.std(x, ddof=1))


def test_nan_is_passed_on() -> None:
    x = np.array([1.0, np.nan, 3.0])
    for name in REDUCTIONS:
        assert np.isnan(value(f"{name}(x)", x=x))


def test_extremes_of_nothing_and_of_text() -> None:
    same(value("maximum(x, 2)", x=np.zeros((0, 3))), np.zeros(0))
    with pytest.raises(tolang.ToLangRunError, match="coordinate 1 is outside dimension 1"):
        value("maximum(x)", x=np.zeros(0))
    assert value("maximum(x)", x=np.array(["b", "c", "a"])) == "c"


@pytest.mark.parametrize("shape", [s for s in SHAPES if 0 not in s])
def test_argmin_and_argmax(shape: tuple[int, ...]) -> None:
    for x in arrays(shape):
        for axis in range(1, len(shape) + 1):
            same(value("argmin(x, axis)", x=x, axis=axis), np.argmin(x, axis - 1) + 1)
            same(value("argmax(x, axis)", x=x, axis=axis), np.argmax(x, axis - 1) + 1)
        same(value("argmax(x)", x=x), np.argmax(x, -1) + 1)


def test_argmin_of_infinities_large_numbers_and_nan() -> None:
    assert value("argmin(x)", x=np.full(3, np.inf)) == 1
    assert value("argmax(x)", x=np.array([2**62, 2**62 + 1])) == 2
    assert value("argmin(x)", x=np.array([3.0, np.nan, 1.0])) == 3
    assert value("argmin(x)", x=np.array([np.nan, 1.0])) == 1


@pytest.mark.parametrize("shape", [s for s in SHAPES if 0 not in s])
def test_logsumexp(shape: tuple[int, ...]) -> None:
    for x in arrays(shape)[:2]:
        same(value("logsumexp(x)", x=x), scipy.special.logsumexp(x))
        for axes in _axes(shape):
            axis: Any = axes[0] + 1 if len(axes) == 1 else tuple(a + 1 for a in axes)
            same(value("logsumexp(x, axis)", x=x, axis=axis), scipy.special.logsumexp(x, axis=axes))


@pytest.mark.parametrize("x", [[-np.inf, -np.inf], [np.inf, 1.0], [1e308, 1e308], [-1000.0, -1000.0]])
def test_logsumexp_of_extremes(x: list[float]) -> None:
    same(value("logsumexp(x)", x=np.array(x)), scipy.special.logsumexp(x))


@pytest.mark.parametrize("shape", SHAPES)
def test_dot(shape: tuple[int, ...]) -> None:
    for x, y in itertools.combinations(arrays(shape), 2):
        same(value("dot(x, y)", x=x, y=y), np.sum(x * y))


@pytest.mark.parametrize(("one", "two"), [((3,), (2,)), ((2, 3), (2,)), ((2,), (0,)), ((2, 1), (2, 2, 2))])
def test_outer(one: tuple[int, ...], two: tuple[int, ...]) -> None:
    x, y = numbers(*one), numbers(*two, seed=1)
    same(value("outer(x, y)", x=x, y=y), np.multiply.outer(x, y))
    functions: dict[str, Any] = {"lt": np.less, "eq": np.equal, "max": np.maximum, "sub": np.subtract}
    for name, function in functions.items():
        same(value(f"outer(x, y, {name})", x=x, y=y), function.outer(x, y))


def test_reductions_of_lists() -> None:
    x: Array = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i8"), ("b", "f8")])
    assert value("sum(x)", x=x) == (4, 7.0)
