"""Quantised products and convolutions: whole numbers of eight bits from a zero point on, with fixed weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers import with_onnxruntime
from benchmarks.row import Array, Row

PRODUCT = """\
tol a: u8 [n,k]
tol b: i8 [k,m]
tol z: u8
long(q) = convert(q, [i32])
one = map(a, long(*) - long(z))
c := map(tol[n,m], reduce(map(one[i], * * long(b[k,j]), k), add, 0), [i,j])
"""
CONVOLUTION = """\
tol x: u8 [c,h,w]
tol k: i8 [m,c,3,3]
tol z: u8
tol s: f32 [m]
long(q) = convert(q, [i32])
at(q,y,v) = if y >= 1 and y <= h and v >= 1 and v <= w then long(x[q,y,v]) - long(z) else 0
summed(o,y,v) = reduce(map(k[o], long(*) * at(q, y+a-2, v+b-2), [q,a,b]), add, 0)
within(e) = if e > 0 then min(e, 255) else 0
y := map(tol[m,h,w], convert(within(round(convert(summed(o,y,v), [f32]) * s[o])), [u8]), [o,y,v])
"""
ZERO = 113


def matrices(generator: np.random.Generator, n: int, k: int, m: int) -> tuple[Array, ...]:
    a, b = generator.integers(0, 256, (n, k)), generator.integers(-127, 128, (k, m))
    return a.astype(np.uint8), b.astype(np.int8), np.uint8(ZERO) * np.ones((), np.uint8)


def images(generator: np.random.Generator, c: int, m: int, size: int) -> tuple[Array, ...]:
    x, k = generator.integers(0, 256, (c, size, size)), generator.integers(-127, 128, (m, c, 3, 3))
    scales = generator.uniform(2e-4, 4e-4, m).astype(np.float32)
    return x.astype(np.uint8), k.astype(np.int8), np.uint8(ZERO) * np.ones((), np.uint8), scales


def convolved(x: Array, k: Array, z: Array, s: Array) -> Array:
    padded = np.pad(x.astype(np.float64) - float(z), ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    total = np.tensordot(k.astype(np.float64), windows, axes=([1, 2, 3], [0, 3, 4]))
    return np.asarray(np.clip(np.round(total.astype(np.float32) * s[:, None, None]), 0, 255).astype(np.uint8))


def one_convolution(node: Any, x: Array, k: Array, z: Array, s: Array) -> list[Any]:
    """QLinearConv of one image, whose scales are one but for the weights'."""

    def constant(name: str, value: Array) -> Any:
        from onnx import numpy_helper

        return node("Constant", [], [name], value=numpy_helper.from_array(value))

    unit, none = np.ones((), np.float32), np.zeros((), np.uint8)
    return [
        constant("one", unit), constant("none", none), constant("zeros", np.zeros(len(s), np.int8)),
        constant("front", np.zeros(1, np.int64)),
        node("Unsqueeze", ["x1", "front"], ["image"]),
        node("QLinearConv", ["image", "one", "x3", "x2", "x4", "zeros", "one", "none"], ["t"], pads=[1] * 4),
        node("Squeeze", ["t", "front"], ["y"]),
    ]  # fmt: skip


ROWS = [
    Row(
        name="quantised product 512",
        source=PRODUCT,
        data=matrices,
        sizes=(512, 512, 512),
        tiny=(5, 7, 6),
        reference=lambda a, b, z: ((a.astype(np.float64) - float(z)) @ b.astype(np.float64)).astype(np.int32),
        operations=lambda n, k, m: 2.0 * n * k * m,
        target=0.7,
        against=("onnxruntime",),
        fixed=(1, 2),
        peers={
            "onnxruntime": with_onnxruntime(
                lambda node, a, b, z: [node("MatMulInteger", ["x1", "x2", "x3"], ["y"])], True, np.int32
            ),
        },
    ),
    Row(
        name="quantised conv 3x3/1 128 to 128, 28x28",
        source=CONVOLUTION,
        data=images,
        sizes=(128, 128, 28),
        tiny=(6, 5, 7),
        reference=convolved,
        operations=lambda c, m, size: 18.0 * m * c * size**2,
        target=0.7,
        against=("onnxruntime",),
        fixed=(1, 2, 3),
        mismatches=0.001,  # a sum times a scale that lies between two whole numbers may be rounded to either
        peers={"onnxruntime": with_onnxruntime(one_convolution, True)},
    ),
]
