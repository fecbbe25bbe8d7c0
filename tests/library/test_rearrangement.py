"""Axes and elements moved about, against NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from tests.library.calls import SHAPES, arrays, numbers, same, value

pytestmark = pytest.mark.sampled(3)


@pytest.mark.parametrize("shape", SHAPES)
def test_along_every_axis(shape: tuple[int, ...]) -> None:
    for x in arrays(shape)[::2]:
        for axis in range(1, len(shape) + 1):
            given: dict[str, Any] = {"x": x, "axis": axis}
            same(value("flip(x, axis)", **given), np.flip(x, axis - 1))
            same(value("roll(x, 2, axis)", **given), np.roll(x, 2, axis - 1))
            same(value("roll(x, -5, axis)", **given), np.roll(x, -5, axis - 1))
            same(value("repeat(x, 3, axis)", **given), np.repeat(x, 3, axis - 1))
            for n in (0, 2):
                times = [n if d == axis else 1 for d in range(1, len(shape) + 1)]
                same(value("tile_axis(x, n, axis)", n=n, **given), np.tile(x, times))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_order_of_axes(shape: tuple[int, ...]) -> None:
    rank = len(shape)
    for x in arrays(shape)[::2]:
        same(value("transpose(x)", x=x), x.T)
        same(value("flatten(x)", x=x), x.reshape(-1))
        for a, b in itertools.product(range(1, rank + 1), repeat=2):
            same(value("move_axis(x, a, b)", x=x, a=a, b=b), np.moveaxis(x, a - 1, b - 1))
            same(value("swap_axes(x, a, b)", x=x, a=a, b=b), np.swapaxes(x, a - 1, b - 1))
        for axis in range(1, rank + 2):
            added = value("add_axis(x, axis)", x=x, axis=axis)
            same(added, np.expand_dims(x, axis - 1))
            same(value("drop_axis(x, axis)", x=added, axis=axis), x)


@pytest.mark.parametrize("order", [*itertools.permutations((1, 2, 3)), (4, 2, 1, 3)])
def test_permute(order: tuple[int, ...]) -> None:
    x = numbers(*range(2, 2 + len(order)))
    same(value("permute(x, order)", x=x, order=order), x.transpose([d - 1 for d in order]))


@pytest.mark.parametrize("shape", SHAPES)
def test_concat_and_stack(shape: tuple[int, ...]) -> None:
    for x, y in itertools.combinations(arrays(shape)[:3], 2):
        axis = len(shape)
        longer = np.concatenate([y, y], axis - 1)
        same(value("concat(x, y, axis)", x=x, y=longer, axis=axis), np.concatenate([x, longer], axis - 1))
    x = arrays(shape)[0]
    for axis in range(1, len(shape) + 1):
        same(value("concat(x, y, axis)", x=x, y=x + 1, axis=axis), np.concatenate([x, x + 1], axis - 1))
    for axis in range(1, len(shape) + 2):
        same(value("stack(x, y, axis)", x=x, y=x + 1, axis=axis), np.stack([x, x + 1], axis - 1))


@pytest.mark.parametrize("shape", SHAPES)
def test_pad(shape: tuple[int, ...]) -> None:
    rank = len(shape)
    before, after = tuple(range(rank)), tuple(range(rank, 0, -1))
    widths = list(zip(before, after, strict=True))
    for x in arrays(shape, truths=False):
        given: dict[str, Any] = {"x": x, "before": before, "after": after}
        same(value("pad(x, before, after)", **given), np.pad(x, widths))
        same(value("pad(x, before, after, 7)", **given), np.pad(x, widths, constant_values=7))


def test_pad_cuts_off() -> None:
    same(value("pad(x, [-1,1], [0,-2])", x=numbers(3, 4)), np.pad(numbers(3, 4)[1:, :2], [(0, 0), (1, 0)]))
