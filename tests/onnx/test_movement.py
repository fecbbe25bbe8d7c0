"""Movement on generated data, against NumPy: slices, pads, gathers and scatters wherever they may fall."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.onnx.operators import Array, assert_same, called, expected

import tolang

LENGTHS = st.integers(1, 4)
SETTINGS = settings(max_examples=12, deadline=None)


@st.composite
def tensors(draw: st.DrawFn, least: int = 1, most: int = 3) -> Array:
    shape = tuple(draw(st.lists(LENGTHS, min_size=least, max_size=most)))
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


@SETTINGS
@given(st.data())
def test_slices(data: st.DataObject) -> None:
    x = data.draw(tensors(1, 2))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    start, end = (data.draw(st.integers(-6, 6)) for _ in range(2))
    step = data.draw(st.sampled_from([1, 2, 3, -1, -2]))
    wanted = np.moveaxis(np.moveaxis(x, axis, 0)[start:end:step], 0, axis)
    if step < 0 and end < -x.shape[axis]:
        wanted = np.moveaxis(np.moveaxis(x, axis, 0)[start::step], 0, axis)
    assert_same(called(f"Slice(x, [{start}], [{end}], [{axis}], [{step}])", x=x), wanted)


@SETTINGS
@given(st.data())
def test_pads(data: st.DataObject) -> None:
    x = data.draw(tensors(1, 2))
    mode = data.draw(st.sampled_from(["constant", "edge", "reflect", "wrap"]))
    most = min(x.shape) - 1 if mode == "reflect" else 3
    pads = [(data.draw(st.integers(0, most)), data.draw(st.integers(0, most))) for _ in x.shape]
    flat = [one for one, _ in pads] + [two for _, two in pads]
    numpy_mode: Any = mode
    assert_same(called(f"Pad(x, {flat}, mode='{mode}')", x=x), np.pad(x, pads, mode=numpy_mode))


@SETTINGS
@given(st.data())
def test_gathers(data: st.DataObject) -> None:
    x = data.draw(tensors())
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    shape = data.draw(st.lists(LENGTHS, max_size=2))
    index = np.array(data.draw(st.lists(st.integers(-x.shape[axis], x.shape[axis] - 1), min_size=16, max_size=16)))
    indices = np.resize(index, shape).astype(np.int64)
    assert_same(called(f"Gather(x, indices, axis={axis})", x=x, indices=indices), np.take(x, indices, axis))


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
def test_scatters_with_equal_places(reduction: str) -> None:
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    indices = np.array([[0, 1, 2], [3, 3, 0]]) if reduction != "none" else np.array([[0, 1, 2], [3, 2, 0]])
    updates = np.array([[5, -2, 3], [1, 4, -7]], np.float32)
    wanted = expected("ScatterElements", [x, indices, updates], axis=0, reduction=reduction)
    found = called(f"ScatterElements(x, i, u, axis=0, reduction='{reduction}')", x=x, i=indices, u=updates)
    assert_same(found, wanted)


@SETTINGS
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9), st.sampled_from([0, 1]))
def test_unique(values: list[int], ordered: int) -> None:
    x = np.array(values, np.float32)
    found = called(f"Unique(x, sorted={ordered})", x=x)
    y, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first) if not ordered else np.arange(len(first))
    place = np.argsort(order)
    for one, two in zip(found, (y[order], first[order], place[inverse], counts[order]), strict=True):
        assert_same(one, two)


@SETTINGS
@given(st.floats(width=32))
def test_binary_digits_of_floats_and_back(number: float) -> None:
    x = np.array([number], np.float32)
    digits = called("BitCast(x, to='i32')", x=x)
    if number == number:
        assert_same(digits, x.view(np.int32))
    assert_same(called("BitCast(x, to='f32')", x=digits), x)


@SETTINGS
@given(st.floats(width=64, allow_nan=False))
def test_binary_digits_of_long_floats_and_back(number: float) -> None:
    x = np.array([number])
    assert_same(called("BitCast(x, to='i64')", x=x), x.view(np.int64))
    assert called("BitCast(x, to='f64')", x=x.view(np.int64)).tobytes() == x.tobytes()


def test_binary_digits_of_one_short_float_as_another() -> None:
    x = np.array([1.5, -2.25, 0, -0.0, 1e-7, 65504, np.inf], np.float16)
    found = called("BitCast(x, to='bf16')", x=x)
    assert found.dtype.name == "bfloat16"
    assert found.tobytes() == x.tobytes()


@pytest.mark.parametrize("to", ["u16", "f8e5m2", "f32"])
def test_digits_that_are_too_many_or_unknown_are_refused(to: str) -> None:
    with pytest.raises(tolang.ToLangError, match="E303"):
        called(f"BitCast(x, to='{to}')", x=np.array([1, 60, 200], np.uint8))


@SETTINGS
@given(st.data())
def test_reshape_of_what_is_left(data: st.DataObject) -> None:
    x = data.draw(tensors(2, 3))
    kept = data.draw(st.integers(0, x.ndim - 1))
    shape = [0] * kept + [-1]
    assert_same(called(f"Reshape(x, {shape})", x=x), x.reshape(*x.shape[:kept], -1))


@pytest.mark.parametrize("mode", ["linear", "circular"])
def test_tensor_scatter(mode: str) -> None:
    past, update = np.zeros((2, 1, 4, 2), np.float32), np.arange(1, 9, dtype=np.float32).reshape(2, 1, 2, 2)
    begin = np.array([1, 2] if mode == "linear" else [3, 1])
    wanted = past.copy()
    for batch, start in enumerate(begin):
        for k in range(2):
            wanted[batch, :, (start + k) % 4] = update[batch, :, k]
    assert_same(called(f"TensorScatter(p, u, b, mode='{mode}')", p=past, u=update, b=begin), wanted)
