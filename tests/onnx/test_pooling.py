"""Pooling at ranks and attributes beyond onnx's own cases, against NumPy and PyTorch's rules."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw
from onnx import TensorProto, helper
from tests.onnx.operators import Array, assert_same, called, expected
from tests.onnx.samples import floats

import tolang.onnx


def pooled(x: Array, kernel: list[int], strides: list[int], gaps: list[int], pads: list[int], mode: str) -> Array:
    """Windows one by one: `max`, `mean` of what is inside, or `all` for the mean with the padding."""
    axes = len(kernel)
    reach = [(k - 1) * g + 1 for k, g in zip(kernel, gaps, strict=True)]
    filler = -np.inf if mode == "max" else np.nan if mode == "mean" else 0
    wide = [(0, 0), (0, 0), *((pads[a], pads[axes + a]) for a in range(axes))]
    padded = np.pad(x.astype(np.float64), wide, constant_values=filler)
    out = [(n - r) // s + 1 for n, r, s in zip(padded.shape[2:], reach, strides, strict=True)]
    result = np.empty((*x.shape[:2], *out))
    for place in itertools.product(*map(range, out)):
        cut = (slice(p * s, p * s + r, g) for p, s, r, g in zip(place, strides, reach, gaps, strict=True))
        index: Any = (slice(None), slice(None), *cut)
        window = padded[index].reshape(*x.shape[:2], -1)
        index = (slice(None), slice(None), *place)
        result[index] = window.max(-1) if mode == "max" else np.nanmean(window, -1)
    return result.astype(x.dtype)


@settings(max_examples=12, deadline=None)
@given(draw.data())
def test_windows(data: draw.DataObject) -> None:
    axes = data.draw(draw.integers(1, 3))
    kernel, strides, gaps = (
        [data.draw(draw.integers(low, high)) for _ in range(axes)] for low, high in ((2, 3), (1, 3), (1, 2))
    )
    pads = [data.draw(draw.integers(0, 1)) for _ in range(2 * axes)]
    x = floats(2, 3, *[7] * axes)
    given_ = ", ".join(
        f"{name}={value}"
        for name, value in (("kernel_shape", kernel), ("strides", strides), ("dilations", gaps), ("pads", pads))
    )
    assert_same(called(f"MaxPool(x, {given_})[1]'", x=x), pooled(x, kernel, strides, gaps, pads, "max"))
    assert_same(called(f"AveragePool(x, {given_})", x=x), pooled(x, kernel, strides, gaps, pads, "mean"), 1e-5)
    with_padding = called(f"AveragePool(x, {given_}, count_include_pad=1)", x=x)
    assert_same(with_padding, pooled(x, kernel, strides, gaps, pads, "all"), 1e-5)


@pytest.mark.parametrize("order", [0, 1])
def test_numbers_of_the_greatest(order: int) -> None:
    x = floats(2, 3, 5, 6)
    call = f"MaxPool(x, kernel_shape=[3,2], strides=[2,2], pads=[1,0,1,0], storage_order={order})"
    values, numbers = called(f"{call}[1]'", x=x), called(f"{call}[2]'", x=x)
    assert numbers.dtype == np.int64
    flat = (x if order == 0 else x.swapaxes(2, 3)).reshape(-1)
    np.testing.assert_array_equal(flat[numbers], values)


@pytest.mark.parametrize("kind", ["int8", "uint8"])
def test_whole_numbers(kind: str) -> None:
    x = np.random.default_rng(0).integers(-100 if kind == "int8" else 0, 100, (1, 2, 5, 5)).astype(kind)
    found = called("MaxPool(x, kernel_shape=[3,3], pads=[1,1,1,1])[1]'", x=x)
    assert_same(found, pooled(x, [3, 3], [1, 1], [1, 1], [1] * 4, "max"))


def test_unpooling_brings_back_what_was_pooled() -> None:
    x = floats(2, 3, 4, 6)
    call = "MaxPool(x, kernel_shape=[2,2], strides=[2,2])"
    back = called(f"{{ p = {call}; MaxUnpool(p[1]', p[2]', kernel_shape=[2,2], strides=[2,2]) }}", x=x)
    kept = back != 0
    assert kept.sum() == 2 * 3 * 2 * 3
    np.testing.assert_array_equal(back[kept], x[kept])


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("aligned", ["half_pixel", "output_half_pixel"])
@pytest.mark.parametrize("ratio", [0, 3])
def test_regions(mode: str, aligned: str, ratio: int) -> None:
    x, batch = floats(2, 3, 9, 8), np.array([1, 0, 1])
    rois = np.array([[1, 1, 5, 6], [0, 2, 7.5, 8.5], [-2, -3, 3, 20]], np.float32)
    attributes: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": aligned, "sampling_ratio": ratio}
    wanted = expected("RoiAlign", [x, rois, batch], output_height=3, output_width=2, spatial_scale=0.5, **attributes)
    given_ = ", ".join(f"{name}={value!r}" for name, value in attributes.items())
    call = f"RoiAlign(x, rois, batch, output_height=3, output_width=2, spatial_scale=0.5, {given_})"
    assert_same(called(call, x=x, rois=rois, batch=batch), wanted, 1e-5)


def test_regions_of_the_greatest() -> None:
    x = np.arange(36, dtype=np.float32).reshape(1, 1, 6, 6)
    rois = np.array([[0, 0, 0, 3, 3], [0, 2, 1, 5, 4], [0, 8, 8, 9, 9]], np.float32)
    found = called("MaxRoiPool(x, rois, pooled_shape=[2,2])", x=x, rois=rois)
    wanted = [[[7, 9], [19, 21]], [[15, 17], [27, 29]], [[0, 0], [0, 0]]]
    np.testing.assert_array_equal(found[:, 0], np.array(wanted, np.float32))


@pytest.mark.parametrize(("outputs", "each"), [(["y"], 4), (["y", "i"], 44)])
def test_places_that_no_one_wants_are_not_found(outputs: list[str], each: int) -> None:
    """Four comparisons a window of four; finding and numbering the places takes forty more functions."""
    node = helper.make_node("MaxPool", ["x"], outputs, kernel_shape=[2, 2], strides=[2, 2])
    given_ = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 8, 10])]
    wanted = [helper.make_empty_tensor_value_info(name) for name in outputs]
    made = helper.make_model(helper.make_graph([node], "graph", given_, wanted))
    assert tolang.onnx.load(made).cost().eops == each * 3 * 4 * 5
