"""Images resized and sampled in ways beyond onnx's own cases, against onnx's evaluator and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw
from tests.onnx.operators import assert_same, called, expected
from tests.onnx.samples import floats

TRANSFORMS = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric")
ERROR = 1e-5
"""The evaluator works in 64 bits, we in 32."""


def text(attributes: dict[str, Any]) -> str:
    return "".join(f", {name}={value!r}" for name, value in attributes.items())


@settings(max_examples=15, deadline=None)
@given(draw.data())
def test_resize(data: draw.DataObject) -> None:
    rank = data.draw(draw.integers(1, 4))
    x = floats(*[data.draw(draw.integers(1, 5)) for _ in range(rank)])
    mode = data.draw(draw.sampled_from(["nearest", "linear", "cubic"]))
    attributes: dict[str, Any] = {
        "mode": mode,
        "coordinate_transformation_mode": data.draw(draw.sampled_from(TRANSFORMS)),
        "nearest_mode": data.draw(draw.sampled_from(["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])),
    }
    if mode == "cubic":
        attributes["exclude_outside"] = data.draw(draw.integers(0, 1))
    if mode != "nearest":
        attributes["antialias"] = data.draw(draw.integers(0, 1))
    if data.draw(draw.booleans()):
        sizes = np.array([data.draw(draw.integers(1, 7)) for _ in range(rank)])
        wanted = expected("Resize", [x, None, None, sizes], **attributes)
        found = called(f"Resize(x, sizes={sizes.tolist()}{text(attributes)})", x=x)
    else:
        scales = np.array([data.draw(draw.sampled_from([1, 2, 3, 1.5, 2.5])) for _ in range(rank)], np.float32)
        wanted = expected("Resize", [x, None, scales], **attributes)
        found = called(f"Resize(x, scales={scales.tolist()}{text(attributes)})", x=x)
    assert_same(found, wanted, ERROR)


def test_whole_numbers_are_rounded() -> None:
    x = np.array([[0, 255], [10, 20]], np.uint8)
    found = called("Resize(x, sizes=[2,3], mode='linear')", x=x)
    assert_same(found, np.array([[0, 128, 255], [10, 15, 20]], np.uint8))


@settings(max_examples=12, deadline=None)
@given(
    draw.integers(1, 3),
    draw.sampled_from(["nearest", "linear", "cubic"]),
    draw.sampled_from(["zeros", "border", "reflection"]),
    draw.integers(0, 1),
    draw.integers(0, 99),
)
def test_grid_sample(axes: int, mode: str, padding: str, align: int, seed: int) -> None:
    x = floats(2, 2, *(4, 3, 5)[:axes], seed=seed)
    grid = (1.5 * floats(2, *[3] * axes, axes, seed=seed + 1)).astype(np.float32)
    attributes: dict[str, Any] = {"mode": mode, "padding_mode": padding, "align_corners": align}
    found = called(f"GridSample(x, g{text(attributes)})", x=x, g=grid)
    assert_same(found, expected("GridSample", [x, grid], **attributes), 1e-4)


@pytest.mark.parametrize("align", [0, 1])
@pytest.mark.parametrize("axes", [2, 3])
def test_the_unit_matrix_samples_an_image_as_it_is(axes: int, align: int) -> None:
    lengths = (4, 5, 3)[:axes]
    x, theta = floats(1, 2, *lengths), np.eye(axes, axes + 1, dtype=np.float32)[None]
    grid = f"AffineGrid(t, {[1, 2, *lengths]}, align_corners={align})"
    found = called(f"GridSample(x, {grid}, align_corners={align})", x=x, t=theta)
    np.testing.assert_allclose(found, x, rtol=1e-4, atol=1e-5)
