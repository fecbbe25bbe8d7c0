"""Elements chosen by condition, test, mask or coordinates, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from tests.library.calls import SHAPES, Array, arrays, numbers, same, value


@pytest.mark.parametrize("shape", [(), *SHAPES])
def test_where(shape: tuple[int, ...]) -> None:
    condition = numbers(*shape, seed=5) > 0
    for x in arrays(shape):
        y = x[..., ::-1] if shape else x
        same(value("where(c, x, y)", c=condition, x=x, y=y), np.where(condition, x, y))
        same(value("where(c, x, 0)", c=condition, x=x), np.where(condition, x, 0))
        same(value("where(c, 1, x)", c=condition, x=x), np.where(condition, 1, x))


def test_where_of_one_condition() -> None:
    x = numbers(2, 3)
    for condition in (True, False):
        same(value("where(c, x, -x)", c=np.bool_(condition), x=x), x if condition else -x)


@pytest.mark.parametrize("length", [0, 1, 6])
def test_filter_compress_and_positions(length: int) -> None:
    for x in arrays((length,), truths=False):
        same(value("filter(x, e -> e > 0)", x=x), x[x > 0])
        same(value("compress(x, x > 0)", x=x), x[x > 0])
        same(value("positions(x > 0)", x=x), np.flatnonzero(x > 0) + 1)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 4), (2, 3, 2, 3)])
@pytest.mark.parametrize("idx", [np.array([2, 1, 1]), np.array([[1, 2], [2, 1]]), np.zeros(0, dtype=np.int64)])
def test_take(shape: tuple[int, ...], idx: Array) -> None:
    for x in arrays(shape):
        for axis in range(1, len(shape) + 1):
            same(value("take(x, idx, axis)", x=x, idx=idx, axis=axis), np.take(x, idx - 1, axis - 1))


def test_take_at_one_coordinate_drops_the_axis() -> None:
    x = numbers(2, 3)
    for idx in (3, np.int64(3)):
        same(value("take(x, idx, 2)", x=x, idx=idx), x[:, 2])
    same(value("take(x, idx, 2)", x=x, idx=(3, 1)), x[:, [2, 0]])
    same(value("take(x, idx)", x=x, idx=2), x[1])


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 4), (2, 3, 2, 3)])
def test_take_along(shape: tuple[int, ...]) -> None:
    x = numbers(*shape)
    for axis in range(1, len(shape) + 1):
        order = np.argsort(x, axis=axis - 1)
        same(value("take_along(x, idx, axis)", x=x, idx=order + 1, axis=axis), np.sort(x, axis=axis - 1))
    same(value("take_along(x, idx)", x=x, idx=np.argsort(x) + 1), np.sort(x))


@pytest.mark.parametrize(
    ("first", "last", "step"), [(1, 4, 1), (1, 4, 2), (2, 4, 2), (4, 1, -1), (4, 1, -2), (3, 2, 1)]
)
def test_slice(first: int, last: int, step: int) -> None:
    places = np.arange(first, last + (1 if step > 0 else -1), step) - 1
    for x in (*arrays((4,)), numbers(4, 2), numbers(2, 4, 3)):
        axis = x.shape.index(4) + 1
        result = value("slice(x, a, b, s, axis)", x=x, a=first, b=last, s=step, axis=axis)
        same(result, np.take(x, places, axis - 1))
