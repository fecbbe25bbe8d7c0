"""Convolutions of ResNet-50, one image, with bias and relu: the shapes that occur in it, their weights fixed."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers import with_jax, with_onnxruntime, with_torch
from benchmarks.row import Array, Row

CONVOLUTION = """\
tol x: f32 [n,c,h,w]
tol k: f32 [m,c,r,s]
tol b: f32 [m]
at(i,q,y,z) = if y >= 1 and y <= h and z >= 1 and z <= w then x[i,q,y,z] else 0
taps(i,o,y,z) = map(k[o], * * at(i, q, (y-1)*{stride} + u - {pad}, (z-1)*{stride} + v - {pad}), [q,u,v])
tol result = [n, m, (h + 2*{pad} - r)/{stride} + 1, (w + 2*{pad} - s)/{stride} + 1]
y := map(result, max(0, b[o] + reduce(taps(i,o,y,z), add, 0)), [i,o,y,z])
"""


def images(generator: np.random.Generator, c: int, m: int, size: int, kernel: int) -> tuple[Array, ...]:
    x = generator.standard_normal((1, c, size, size)).astype(np.float32)
    k = generator.standard_normal((m, c, kernel, kernel)).astype(np.float32)
    return x, k, generator.standard_normal(m).astype(np.float32)


def windows_product(stride: int, pad: int) -> Any:
    """NumPy's way: windows laid out as rows, and one product of matrices."""

    def run(x: Array, k: Array, b: Array) -> Array:
        padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, k.shape[2:], axis=(2, 3))
        windows = windows[:, :, ::stride, ::stride]
        product = np.tensordot(windows, k, axes=([1, 4, 5], [1, 2, 3]))
        return np.asarray(np.maximum(np.moveaxis(product, 3, 1) + b[:, None, None], 0))

    return run


def convolution(c: int, m: int, size: int, kernel: int, stride: int) -> Row:
    """One shape of the network; padding keeps the size where the stride is 1."""
    pad = kernel // 2

    def on_torch(torch: Any, x: Any, k: Any, b: Any) -> Any:
        return torch.relu_(torch.nn.functional.conv2d(x, k, b, stride, pad))

    def on_jax(jax: Any, x: Any, k: Any, b: Any) -> Any:
        found = jax.lax.conv_general_dilated(x, k, (stride, stride), ((pad, pad), (pad, pad)))
        return jax.nn.relu(found + b[:, None, None])

    def on_onnxruntime(node: Any, x: Array, k: Array, b: Array) -> list[Any]:
        attributes = {"strides": [stride] * 2, "pads": [pad] * 4}
        return [node("Conv", ["x1", "x2", "x3"], ["t"], **attributes), node("Relu", ["t"], ["y"])]

    places = ((size + 2 * pad - kernel) // stride + 1) ** 2
    return Row(
        name=f"conv {kernel}x{kernel}/{stride} {c} to {m}, {size}x{size}",
        source=CONVOLUTION.format(stride=stride, pad=pad),
        data=images,
        sizes=(c, m, size, kernel),
        tiny=(3, 5, 9, kernel),
        reference=windows_product(stride, pad),
        operations=lambda c, m, size, kernel: 2.0 * m * c * kernel**2 * places,
        target=0.95,
        against=("onnxruntime",),
        tolerance=1e-4,
        fixed=(1, 2),
        peers={
            "onnxruntime": with_onnxruntime(on_onnxruntime, fixed=True),
            "torch": with_torch(on_torch),
            "jax": with_jax(on_jax),
        },
    )


ROWS = [
    convolution(3, 64, 224, 7, 2),
    convolution(64, 64, 56, 1, 1),
    convolution(64, 64, 56, 3, 1),
    convolution(256, 128, 56, 1, 1),
    convolution(128, 128, 56, 3, 2),
    convolution(128, 128, 28, 3, 1),
    convolution(256, 256, 14, 3, 1),
    convolution(512, 512, 7, 3, 1),
    convolution(1024, 2048, 14, 1, 2),
]
