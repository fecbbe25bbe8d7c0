"""Lines, functions and folds along axes, and running results, against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from tests.library.calls import SHAPES, arrays, numbers, same, value

pytestmark = pytest.mark.sampled(3)


def test_line() -> None:
    x = numbers(2, 3, 4)
    same(value("line(x, 2, [2,3])", x=x), x[1, :, 2])
    same(value("line(x, [1,3], [2])", x=x), x[:, 1, :])
    same(value("line(x, [3,1], [2])", x=x), x[:, 1, :].T)


@pytest.mark.parametrize("shape", SHAPES)
def test_reduce_axis(shape: tuple[int, ...]) -> None:
    for x in arrays(shape)[:2]:
        for count in range(1, len(shape) + 1):
            for axes in itertools.combinations(range(1, len(shape) + 1), count):
                axis: Any = axes[0] if count == 1 else axes
                expected = np.sum(x, tuple(a - 1 for a in axes)) + 3
                same(value("reduce_axis(x, add, 3, axis)", x=x, axis=axis), expected)


def test_reduce_axis_keeps_the_order_of_a_fold_that_is_no_sum() -> None:
    x = numbers(2, 3, 4)
    expected = x[:, 0] / 2**3 + x[:, 1] / 2**2 + x[:, 2] / 2
    same(value("reduce_axis(x, (s,e) -> (s+e)/2, 0, 2)", x=x), expected)


def test_map_axis() -> None:
    x = numbers(2, 3, 4)
    for axis in (1, 2, 3):
        same(value("map_axis(x, v -> sum(v), axis)", x=x, axis=axis), x.sum(axis - 1))
        same(value("map_axis(x, v -> v - mean(v), axis)", x=x, axis=axis), x - x.mean(axis - 1, keepdims=True))
        doubled = value("map_axis(x, v -> concat(v, v), axis)", x=x, axis=axis)
        same(doubled, np.concatenate([x, x], axis - 1))
    same(value("map_axis(v, softmax)", v=x[0, 0]), np.exp(x[0, 0]) / np.exp(x[0, 0]).sum())


RUNNING = {
    "cumulative_sum": np.add, "cumulative_product": np.multiply, "cumulative_maximum": np.maximum,
    "cumulative_minimum": np.minimum,
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_cumulative(shape: tuple[int, ...]) -> None:
    for x in arrays(shape)[::2]:
        for axis in range(1, len(shape) + 1):
            for name, function in RUNNING.items():
                data = x.astype(np.int64) if x.dtype == bool and "imum" not in name else x
                expected = function.accumulate(data, axis=axis - 1)
                same(value(f"{name}(x, axis)", x=x, axis=axis), expected)
    same(value("cumulative_sum(x)", x=arrays(shape)[0]), np.cumsum(arrays(shape)[0], axis=-1))


def test_scan_and_accumulate() -> None:
    x = numbers(3, 4)
    same(value("scan(x, add, 10)", x=x), 10 + np.cumsum(x, axis=1))
    same(value("scan(x, add, 10, 1)", x=x), 10 + np.cumsum(x, axis=0))
    state = np.zeros(4)
    rows = [state := (state + row) / 2 for row in x]
    same(value("scan(x, (s,e) -> (s+e)/2, 0, 1)", x=x), rows)
    state = x[0]
    rows = [x[0], *(state := (state + row) / 2 for row in x[1:])]
    same(value("accumulate(x, (s,e) -> (s+e)/2, 1)", x=x), rows)
    same(value("scan(x, add, 10)", x=x[:, :0]), x[:, :0])


def test_running_results_of_text() -> None:
    assert value("cumulative_maximum(x)", x=np.array(["b", "a", "c"])).tolist() == ["b", "b", "c"]
