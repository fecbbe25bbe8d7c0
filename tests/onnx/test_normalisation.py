"""Normalisation at ranks and element types beyond onnx's own cases, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from tests.onnx.operators import Array, assert_same, called
from tests.onnx.samples import floats

ERROR = {"float16": 4e-3, "float32": 1e-5, "float64": 1e-12}
"""A few units in the last place of values around 1, more where both a mean and a scale are rounded."""


def standard(x: Array, axes: tuple[int, ...], epsilon: float = 1e-5) -> Array:
    """x in 32 bits or more, less its mean and over its standard deviation along axes."""
    wide = x.astype(np.float32) if x.dtype == np.float16 else x
    spread = wide.var(axes, keepdims=True)
    return np.asarray((wide - wide.mean(axes, keepdims=True)) / np.sqrt(spread + epsilon))


def by_channel(v: Array, rank: int) -> Array:
    return v.reshape(-1, *[1] * (rank - 2))


@pytest.mark.parametrize("kind", list(ERROR))
@pytest.mark.parametrize("shape", [(3, 4), (2, 4, 5), (2, 4, 3, 5), (2, 4, 2, 3, 2)], ids=str)
def test_batches(shape: tuple[int, ...], kind: str) -> None:
    x, s, b, m = (floats(*one, seed=seed).astype(kind) for seed, one in enumerate((shape, (4,), (4,), (4,))))
    v = np.abs(floats(4, seed=5)).astype(kind) + np.array(0.5, kind)
    channel = [by_channel(one, x.ndim) for one in (s, b, m, v)]
    scale, bias, mean, spread = (one.astype(np.float64) for one in channel)
    wanted = (x - mean) / np.sqrt(spread + 1e-5) * scale + bias
    assert_same(
        called("BatchNormalization(x, s, b, m, v)[1]'", x=x, s=s, b=b, m=m, v=v), wanted.astype(kind), ERROR[kind]
    )


@pytest.mark.parametrize("kind", list(ERROR))
@pytest.mark.parametrize("shape", [(2, 4, 5), (2, 4, 3, 5)], ids=str)
def test_instances_and_groups(shape: tuple[int, ...], kind: str) -> None:
    x, s, b = (floats(*one, seed=seed).astype(kind) for seed, one in enumerate((shape, (4,), (4,))))
    scale, bias = by_channel(s, x.ndim), by_channel(b, x.ndim)
    wanted = standard(x, tuple(range(2, x.ndim))) * scale + bias
    assert_same(called("InstanceNormalization(x, s, b)", x=x, s=s, b=b), wanted.astype(kind), ERROR[kind])
    grouped = standard(x.reshape(shape[0], 2, -1), (2,)).reshape(shape)
    found = called("GroupNormalization(x, s, b, num_groups=2)", x=x, s=s, b=b)
    assert_same(found, (grouped * scale + bias).astype(kind), ERROR[kind])
    old = called("GroupNormalization_20(x, s, b, num_groups=2)", x=x, s=s[:2], b=b[:2])
    wide = [by_channel(np.repeat(one[:2], 2), x.ndim) for one in (s, b)]
    assert_same(old, (grouped * wide[0] + wide[1]).astype(kind), ERROR[kind])


@pytest.mark.parametrize("kind", list(ERROR))
@pytest.mark.parametrize("axis", [-1, 1, 0])
def test_layers(axis: int, kind: str) -> None:
    x = floats(3, 4, 5).astype(kind)
    axes = tuple(range(axis % 3, 3))
    s, b = floats(*x.shape[axes[0] :], seed=1).astype(kind), floats(5, seed=2).astype(kind)
    wanted = (standard(x, axes).astype(kind) * s + b).astype(kind)
    assert_same(called(f"LayerNormalization(x, s, b, axis={axis})[1]'", x=x, s=s, b=b), wanted, 2 * ERROR[kind])
    wide = x.astype(np.float32) if kind == "float16" else x
    root = np.sqrt((wide * wide).mean(axes, keepdims=True) + 1e-5)
    found = called(f"RMSNormalization(x, s, axis={axis})", x=x, s=s)
    assert_same(found, ((wide / root).astype(kind) * s).astype(kind), ERROR[kind])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_neighbouring_channels(size: int) -> None:
    x = floats(2, 6, 3)
    squares = np.zeros_like(x)
    for channel in range(6):
        low, high = channel - (size - 1) // 2, channel + size // 2
        squares[:, channel] = (x[:, max(0, low) : high + 1] ** 2).sum(1)
    wanted = x / (2 + 0.5 / size * squares) ** 0.75
    assert_same(called(f"LRN(x, alpha=0.5, bias=2, size={size})", x=x), wanted.astype(np.float32), 1e-5)
