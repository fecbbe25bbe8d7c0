"""Convolutions at ranks and attributes beyond onnx's own cases: against onnx's evaluator, and by what they must obey."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw
from tests.onnx.operators import assert_same, called, expected
from tests.onnx.samples import floats

import tolang

ERROR = 1e-4
"""Sums of up to some dozens of products in 32 bits, in another order."""


def text(attributes: dict[str, Any]) -> str:
    """Attributes as they stand in a call."""
    return "".join(f", {name}={v if isinstance(v, list) else repr(v)}" for name, v in attributes.items())


@settings(max_examples=10, deadline=None)
@given(draw.data())
def test_conv(data: draw.DataObject) -> None:
    axes = data.draw(draw.integers(1, 3))
    each = [data.draw(draw.integers(1, 3)) for _ in range(3 * axes)]
    kernel, strides, dilations = each[:axes], each[axes : 2 * axes], each[2 * axes :]
    pads = data.draw(draw.lists(draw.integers(0, 2), min_size=2 * axes, max_size=2 * axes))
    group = data.draw(draw.sampled_from([1, 2]))
    x, w, b = floats(2, 4, *[7] * axes), floats(6, 4 // group, *kernel, seed=1), floats(6, seed=2)
    attributes: dict[str, Any] = {"strides": strides, "dilations": dilations, "pads": pads, "group": group}
    wanted = expected("Conv", [x, w, b], kernel_shape=kernel, **attributes)
    assert_same(called(f"Conv(x, w, b{text(attributes)})", x=x, w=w, b=b), wanted, ERROR)


@settings(max_examples=8, deadline=None)
@given(draw.integers(1, 2), draw.integers(1, 3), draw.integers(1, 2), draw.integers(0, 1), draw.sampled_from([1, 2]))
def test_conv_transpose_is_the_transpose_of_conv(axes: int, stride: int, gap: int, pad: int, group: int) -> None:
    attributes: dict[str, Any] = {"strides": [stride] * axes, "dilations": [gap] * axes, "pads": [pad] * 2 * axes}
    attributes["group"] = group
    x, w = floats(2, 4, *[8] * axes), floats(6, 4 // group, *[3] * axes, seed=1)
    y = called(f"Conv(x, w{text(attributes)})", x=x, w=w)
    g = floats(*y.shape, seed=2)
    attributes["output_padding"] = [(8 + 2 * pad - 2 * gap - 1) % stride] * axes
    back = called(f"ConvTranspose(g, w{text(attributes)})", g=g, w=w)
    assert back.shape == x.shape
    np.testing.assert_allclose(np.vdot(y, g), np.vdot(x, back), rtol=ERROR, atol=1e-3)


@pytest.mark.parametrize("auto_pad", ["SAME_UPPER", "SAME_LOWER", "VALID"])
@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_auto_pad(auto_pad: str, size: int) -> None:
    x, w = floats(1, 2, size, size), floats(3, 2, 3, 2)
    found = called(f"Conv(x, w, auto_pad='{auto_pad}', strides=[2,3])", x=x, w=w)
    lengths = [-(-size // s) if auto_pad[0] == "S" else (size - k) // s + 1 for s, k in ((2, 3), (3, 2))]
    assert list(found.shape[2:]) == lengths
    total = [max(0, (n - 1) * s + k - size) for n, s, k in zip(lengths, (2, 3), (3, 2), strict=True)]
    total = total if auto_pad[0] == "S" else [0, 0]
    before = [one // 2 if auto_pad == "SAME_UPPER" else one - one // 2 for one in total]
    pads = [*before, *(all_ - b for all_, b in zip(total, before, strict=True))]
    assert_same(found, expected("Conv", [x, w], strides=[2, 3], pads=pads, kernel_shape=[3, 2]), ERROR)


def test_offsets_of_zero_change_nothing() -> None:
    x, w, offset = floats(2, 4, 6, 6), floats(3, 4, 3, 3), np.zeros((2, 18, 4, 4), np.float32)
    assert_same(called("DeformConv(x, w, o)", x=x, w=w, o=offset), called("Conv(x, w)", x=x, w=w), ERROR)


def test_one_program_convolves_at_every_size() -> None:
    text = "use onnx\ntol x: f32 [n,c,h,v]\ntol w: f32 [m,c,3,3]\ny := Conv(x, w, pads=[1,1,1,1], strides=[2,2])"
    program = tolang.compile(text, engine="interpret")
    for size in (3, 6, 7):
        x, w = floats(1, 2, size, size + 1), floats(4, 2, 3, 3)
        assert_same(program(x, w), expected("Conv", [x, w], pads=[1, 1, 1, 1], strides=[2, 2]), ERROR)
    assert str(program.cost().eops).count("n") == 1
