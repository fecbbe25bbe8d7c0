"""Quantised operators for all element types, per tensor, per axis and by blocks, against onnx's evaluator."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tests.library.samples import Sample
from tests.onnx.defined import assert_as_onnxruntime, node_model, number
from tests.onnx.operators import Array, assert_same, called, expected
from tests.onnx.statements import assert_statement

KINDS: dict[str, Any] = {
    "u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16, "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e5m2": ml_dtypes.float8_e5m2, "u4": ml_dtypes.uint4, "i4": ml_dtypes.int4, "u2": ml_dtypes.uint2,
    "i2": ml_dtypes.int2, "f4e2m1": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
NUMBERS = {
    "u8": 2,
    "i8": 3,
    "u16": 4,
    "i16": 5,
    "f8e4m3fn": 17,
    "f8e5m2": 19,
    "u4": 21,
    "i4": 22,
    "f4e2m1": 23,
    "u2": 25,
    "i2": 26,
}


def numbers(*shape: int, kind: str = "float32") -> Array:
    """Real numbers of which some are beyond every quantised range, and some half-way between two numbers."""
    values = np.random.default_rng(1).integers(-40, 40, shape) / 4
    values.reshape(-1)[:2] = (-3e4, 3e4)
    return values.astype(kind)


def equal(actual: Any, wanted: Any, kind: str) -> None:
    """Equal values; whole numbers of less than a byte are held in one."""
    assert str(np.asarray(wanted).dtype) == str(np.dtype(KINDS[kind]))
    np.testing.assert_array_equal(np.asarray(actual).astype(np.float32), np.asarray(wanted).astype(np.float32))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("real", ["float32", "float16"])
def test_quantize_per_tensor(kind: str, real: str) -> None:
    x, scale = numbers(3, 5, kind=real), np.array(0.5, real)
    zero = np.array(0 if kind[0] == "f" else 1, KINDS[kind])
    with np.errstate(all="ignore"):
        wanted = expected("QuantizeLinear", [x, scale, zero])
    equal(called("QuantizeLinear(x, s, z)", x=x, s=scale, z=zero), wanted, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_quantize_into_a_type_asked_for(kind: str) -> None:
    x, scale = numbers(7), np.array(0.25, np.float32)
    with np.errstate(all="ignore"):
        wanted = expected("QuantizeLinear", [x, scale], output_dtype=NUMBERS[kind])
    equal(called(f"QuantizeLinear(x, s, output_dtype='{kind}')", x=x, s=scale), wanted, kind)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_quantize_and_back_per_axis(axis: int) -> None:
    x = numbers(2, 3, 4)
    length = x.shape[axis]
    scale, zero = np.linspace(0.5, 2, length).astype(np.float32), np.arange(length).astype(np.int8)
    wanted = expected("QuantizeLinear", [x, scale, zero], axis=axis)
    found = called(f"QuantizeLinear(x, s, z, axis={axis})", x=x, s=scale, z=zero)
    assert_same(found, wanted)
    back = expected("DequantizeLinear", [wanted, scale, zero], axis=axis)
    assert_same(called(f"DequantizeLinear(x, s, z, axis={axis})", x=found, s=scale, z=zero), back)


def test_quantize_and_back_by_blocks() -> None:
    x = numbers(2, 6)
    scale = np.array([[0.5, 1, 2], [1, 2, 4]], np.float32)
    zero = np.array([[0, 1, 2], [3, 4, 5]], np.uint8)
    wanted = expected("QuantizeLinear", [x, scale, zero], axis=1, block_size=2)
    assert_same(called("QuantizeLinear(x, s, z, axis=1, block_size=2)", x=x, s=scale, z=zero), wanted)
    back = expected("DequantizeLinear", [wanted, scale, zero], axis=1, block_size=2)
    assert_same(called("DequantizeLinear(x, s, z, axis=1, block_size=2)", x=wanted, s=scale, z=zero), back)


@pytest.mark.parametrize("kind", [*KINDS, "i32"])
def test_dequantize(kind: str) -> None:
    x = np.array([0, 1, 2, 3]).astype({**KINDS, "i32": np.int32}[kind])
    scale = np.array(0.5, np.float16)
    assert_same(called("DequantizeLinear(x, s)", x=x, s=scale), expected("DequantizeLinear", [x, scale]))


@pytest.mark.parametrize("low", [-3.0, 1.0, -9.0])
def test_dynamic(low: float) -> None:
    x = np.linspace(low, low + 7, 12, dtype=np.float32).reshape(3, 4)
    y, scale, zero = called("DynamicQuantizeLinear(x)", x=x)
    for found, wanted in zip((y, scale, zero), expected("DynamicQuantizeLinear", [x], outputs=3), strict=True):
        assert_same(found, np.asarray(wanted))


def test_dynamic_of_zeros() -> None:
    y, scale, zero = called("DynamicQuantizeLinear(x)", x=np.zeros(3, np.float32))
    assert (y.tolist(), float(scale), int(zero)) == ([0, 0, 0], 1.0, 0)


def test_products_with_a_zero_point_for_each_row_and_column() -> None:
    generator = np.random.default_rng(2)
    a, b = generator.integers(0, 256, (2, 3, 4)).astype(np.uint8), generator.integers(-128, 128, (4, 5)).astype(np.int8)
    za, zb = np.array([1, 2, 3], np.uint8), np.array([1, -2, 3, -4, 5], np.int8)
    wanted = (a.astype(np.int32) - za[:, None].astype(np.int32)) @ (b.astype(np.int32) - zb.astype(np.int32))
    assert_same(called("MatMulInteger(a, b, za, zb)", a=a, b=b, za=za, zb=zb), wanted)
    sa, sb = np.array([0.1, 0.2, 0.3], np.float32), np.array([0.1, 0.2, 0.1, 0.2, 0.1], np.float32)
    scaled = np.rint(wanted.astype(np.float32) * (sa[:, None] * sb / np.float32(7)).astype(np.float32)) + 9
    y = called("QLinearMatMul(a, sa, za, b, sb, zb, sy, zy)", a=a, sa=sa, za=za, b=b, sb=sb, zb=zb,
               sy=np.array(7, np.float32), zy=np.array(9, np.int8))  # fmt: skip
    assert_same(y, np.clip(scaled, -128, 127).astype(np.int8))


def test_convolution_with_padding_of_zero_points() -> None:
    generator = np.random.default_rng(4)
    x, w = (
        generator.integers(0, 256, (1, 2, 5, 5)).astype(np.uint8),
        generator.integers(0, 256, (3, 2, 3, 3)).astype(np.uint8),
    )
    zx, zw = np.array(7, np.uint8), np.array([1, 2, 3], np.uint8)
    padded = np.pad(x.astype(np.int32) - 7, ((0, 0), (0, 0), (1, 1), (1, 1)))
    kernel = w.astype(np.int32) - zw.astype(np.int32)[:, None, None, None]
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    sums = np.einsum("nchwij,mcij->nmhw", windows, kernel).astype(np.int32)
    assert_same(called("ConvInteger(x, w, zx, zw, pads=[1,1,1,1])", x=x, w=w, zx=zx, zw=zw), sums)
    bias, scales = np.array([100, -200, 300], np.int32), np.array([0.5, 0.25, 0.125], np.float32)
    y = called(
        "QLinearConv(x, sx, zx, w, sw, zw, sy, zy, b, pads=[1,1,1,1])", x=x, sx=np.array(0.5, np.float32), zx=zx, w=w,
        sw=scales, zw=zw, sy=np.array(256, np.float32), zy=np.array(100, np.uint8), b=bias,
    )  # fmt: skip
    scaled = np.rint((sums + bias[:, None, None]) * (0.5 * scales / 256)[:, None, None]) + 100
    assert_same(y, np.clip(scaled, 0, 255).astype(np.uint8))


X, K = np.linspace(-2, 2, 12).reshape(3, 4), np.arange(12).reshape(3, 4)
STATEMENTS: list[tuple[str, Sample]] = [
    ("QuantizeLinear", {"x": X, "y_scale": 0.5}),
    ("QuantizeLinear", {"x": X, "y_scale": 0.5, "output_dtype": "f8e5m2"}),
    ("DequantizeLinear", {"x": K, "x_scale": X[0]}),
    ("DynamicQuantizeLinear", {"x": X}),
    ("MatMulInteger", {"a": K, "b": K.T}),
    ("ConvInteger", {"x": K[None, None], "w": np.arange(8).reshape(2, 1, 2, 2)}),
]


@pytest.mark.parametrize(("name", "sample"), STATEMENTS, ids=[name for name, _ in STATEMENTS])
def test_stated_eops(name: str, sample: Sample) -> None:
    assert_statement(name, sample)


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
@pytest.mark.parametrize("engine", ["interpret", "cpu"])
def test_what_is_no_number_and_infinities_are_quantised(kind: Any, engine: str) -> None:
    """As onnxruntime has it: what is not a number becomes the least."""
    x = np.array([np.nan, np.inf, -np.inf, 1, -3.4e38, 3.4e38], np.float32)
    inputs = [x, number(0.001), number(100, kind)]
    assert_as_onnxruntime(node_model("QuantizeLinear", inputs, ["y"], ""), inputs, engine)
