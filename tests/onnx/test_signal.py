"""Fourier transforms and windows, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw
from tests.onnx.operators import Array, assert_same, called
from tests.onnx.samples import floats


def parts(z: Array) -> Array:
    """Complex numbers as pairs in 32 bits."""
    return np.stack([z.real, z.imag], -1).astype(np.float32)


@settings(max_examples=max(6, settings().max_examples // 4), deadline=None)
@given(draw.integers(1, 12), draw.integers(0, 14), draw.integers(1, 2), draw.integers(0, 1), draw.integers(0, 1))
def test_transforms(length: int, wanted: int, kind: int, axis: int, inverse: int) -> None:
    x = np.moveaxis(floats(3, length, kind), 1, axis)
    z = x[..., 0] + 1j * (x[..., 1] if kind == 2 else 0)
    transform = np.fft.ifft if inverse else np.fft.fft
    found = called(f"DFT(x, {wanted}, {axis}, inverse={inverse})", x=x)
    assert_same(found, parts(transform(z, wanted or None, axis)), 1e-5)
    if kind == 1 and not inverse:
        half = called(f"DFT(x, {wanted}, {axis}, onesided=1)", x=x)
        assert_same(half, parts(np.fft.rfft(x[..., 0], wanted or None, axis)), 1e-5)


@pytest.mark.parametrize("length", [0, 5, 8, 9])
def test_back_from_one_side(length: int) -> None:
    spectrum = np.fft.rfft(floats(2, 8), axis=1)
    found = called(f"DFT(x, {length}, 1, inverse=1, onesided=1)", x=parts(spectrum))
    assert_same(found, np.fft.irfft(spectrum, length or None, 1)[..., None].astype(np.float32), 1e-5)


def test_frames() -> None:
    signal, window = floats(2, 40, 1), np.hanning(16).astype(np.float32)
    frames = np.stack([signal[:, k : k + 16, 0] * window for k in range(0, 25, 8)], 1)
    assert_same(called("STFT(s, 8, w)", s=signal, w=window), parts(np.fft.rfft(frames)), 1e-5)
    assert_same(called("STFT(s, 8, w, onesided=0)", s=signal, w=window), parts(np.fft.fft(frames)), 1e-5)


@pytest.mark.parametrize("size", [2, 7, 10])
@pytest.mark.parametrize("kind", ["f32", "f64", "f16"])
def test_windows(size: int, kind: str) -> None:
    dtype = np.dtype(kind.replace("f", "float"))
    n = np.arange(size)
    for name, a, b, c in (("Hann", 0.5, 0.5, 0), ("Hamming", 25 / 46, 21 / 46, 0), ("Blackman", 0.42, 0.5, 0.08)):
        for periodic, turns in ((1, size), (0, size - 1)):
            wanted = a - b * np.cos(2 * np.pi * n / turns) + c * np.cos(4 * np.pi * n / turns)
            call = f"{name}Window({size}, output_datatype='{kind}', periodic={periodic})"
            assert_same(called(call), wanted.astype(dtype))
