"""Maps of four million elements and normalisations: limited by memory or by exp, tanh and log."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.peers import prange, with_jax, with_numba, with_onnxruntime, with_torch
from benchmarks.row import Array, Row

GELU = """\
tol x: f32 [n]
y := map(x, 0.5 * * * (1 + tanh(0.7978845608 * (* + 0.044715 * *^3))))
"""
SIGMOID = "tol x: f32 [n]\ny := map(x, 1 / (1 + exp(-*)))\n"
SOFTMAX = "tol x: f32 [n,m]\ny := softmax(x, 2)\n"
LAYER_NORM = """\
tol x: f32 [n,m]
tol scale: f32 [m]
tol shift: f32 [m]
row(v) = {
  mean = reduce(v, add, 0) / m
  variance = reduce(map(v, (* - mean)^2), add, 0) / m
  map(v, (* - mean) / sqrt(variance + 1e-5) * scale[*] + shift[*])
}
y := map(tol[n], row(x[i]), i)
"""
BATCH_NORM = """\
tol x: f32 [n,c,h,w]
tol scale: f32 [c]
tol shift: f32 [c]
mean = map(tol[c], reduce(map(tol[n,h,w], x[i,k,p,q], [i,p,q]), add, 0) / (n*h*w), k)
variance = map(tol[c], reduce(map(tol[n,h,w], (x[i,k,p,q] - mean[k])^2, [i,p,q]), add, 0) / (n*h*w), k)
y := map(x, (* - mean[k]) / sqrt(variance[k] + 1e-5) * scale[k] + shift[k], [i,k,p,q])
"""
BLACK_SCHOLES = """\
tol spot: f32 [n]
tol strike: f32 [n]
tol years: f32 [n]
normal(x) = 0.5 * (1 + erf(x * 0.7071067811865476))
call(s, k, t) = {
  spread = 0.2 * sqrt(t)
  d = (log(s/k) + 0.07 * t) / spread
  s * normal(d) - k * exp(-0.05 * t) * normal(d - spread)
}
price := map(spot, call(*, strike[*], years[*]))
"""


def vector(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.standard_normal(n).astype(np.float32),)


def matrix(generator: np.random.Generator, n: int, m: int) -> tuple[Array, ...]:
    return (generator.standard_normal((n, m)).astype(np.float32),)


def normalised_rows(generator: np.random.Generator, n: int, m: int) -> tuple[Array, ...]:
    parameters = generator.random((2, m), dtype=np.float32)
    return generator.standard_normal((n, m)).astype(np.float32), parameters[0], parameters[1]


def images(generator: np.random.Generator, n: int, c: int, h: int, w: int) -> tuple[Array, ...]:
    parameters = generator.random((2, c), dtype=np.float32)
    return generator.standard_normal((n, c, h, w)).astype(np.float32), parameters[0], parameters[1]


def options(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    def uniform(low: float, high: float) -> Array:
        return generator.uniform(low, high, n).astype(np.float32)

    return uniform(50, 150), uniform(50, 150), uniform(0.1, 2)


def gelu(x: Array) -> Array:
    return np.asarray(np.float32(0.5) * x * (1 + np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x**3))))


def gelu_loops(x: Array) -> Array:
    y = np.empty_like(x)
    for i in prange(x.size):
        v = x[i]
        inner = np.float32(0.7978845608) * (v + np.float32(0.044715) * v * v * v)
        y[i] = np.float32(0.5) * v * (np.float32(1) + np.tanh(inner))
    return y


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def sigmoid_loops(x: Array) -> Array:
    y = np.empty_like(x)
    for i in prange(x.size):
        y[i] = np.float32(1) / (np.float32(1) + np.exp(-x[i]))
    return y


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def layer_norm(x: Array, scale: Array, shift: Array) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt(variance + np.float32(1e-5)) * scale + shift)


def batch_norm(x: Array, scale: Array, shift: Array) -> Array:
    centred = x - x.mean(axis=(0, 2, 3), keepdims=True)
    variance = (centred**2).mean(axis=(0, 2, 3), keepdims=True)
    normal = centred / np.sqrt(variance + np.float32(1e-5))
    return np.asarray(normal * scale[:, None, None] + shift[:, None, None])


def jax_layer_norm(jax: Any, x: Any, scale: Any, shift: Any) -> Any:
    return jax.nn.standardize(x, axis=-1, epsilon=1e-5) * scale + shift


def jax_batch_norm(jax: Any, x: Any, scale: Any, shift: Any) -> Any:
    centred = x - x.mean((0, 2, 3), keepdims=True)
    variance = (centred**2).mean((0, 2, 3), keepdims=True)
    return centred / jax.numpy.sqrt(variance + 1e-5) * scale[:, None, None] + shift[:, None, None]


def torch_batch_norm(torch: Any, x: Any, scale: Any, shift: Any) -> Any:
    return torch.nn.functional.batch_norm(x, None, None, scale, shift, training=True)


def normal_numpy(x: Array) -> Array:
    """The normal distribution by Abramowitz and Stegun 7.1.26, for NumPy has no erf; to 1.5e-7."""
    z = np.abs(x) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.polyval(np.array([1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0], np.float32), t)
    return np.asarray(0.5 * (1 + np.sign(x) * (1 - series * np.exp(-z * z))))


def black_scholes(spot: Array, strike: Array, years: Array) -> Array:
    spread = np.float32(0.2) * np.sqrt(years)
    d = (np.log(spot / strike) + np.float32(0.07) * years) / spread
    discount = np.exp(np.float32(-0.05) * years)
    return np.asarray(spot * normal_numpy(d) - strike * discount * normal_numpy(d - spread))


def black_scholes_loops(spot: Array, strike: Array, years: Array) -> Array:
    price = np.empty_like(spot)
    half, root = np.float32(0.5), np.float32(0.7071067811865476)
    for i in prange(spot.size):
        spread = np.float32(0.2) * math.sqrt(years[i])
        d = (math.log(spot[i] / strike[i]) + np.float32(0.07) * years[i]) / spread
        first = half * (np.float32(1) + math.erf(d * root))
        second = half * (np.float32(1) + math.erf((d - spread) * root))
        price[i] = spot[i] * first - strike[i] * math.exp(np.float32(-0.05) * years[i]) * second
    return price


def with_module(erf: Any, module: Any, spot: Any, strike: Any, years: Any) -> Any:
    """The same formula for PyTorch and JAX, whose functions have the same names."""
    spread = 0.2 * module.sqrt(years)
    d = (module.log(spot / strike) + 0.07 * years) / spread
    first, second = (0.5 * (1 + erf(x * 0.7071067811865476)) for x in (d, d - spread))
    return spot * first - strike * module.exp(-0.05 * years) * second


NATIVE = ("jax", "torch", "onnxruntime")
"""What the target of a common operator is set against: libraries that have it as one."""

ROWS = [
    Row(
        name="gelu 4M",
        source=GELU,
        data=vector,
        sizes=(1 << 22,),
        tiny=(37,),
        reference=gelu,
        operations=lambda n: 9.0 * n,
        target=1.0,
        against=NATIVE,
        peers={
            "torch": with_torch(lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh")),
            "jax": with_jax(lambda jax, x: jax.nn.gelu(x, approximate=True)),
            "numba": with_numba(gelu_loops),
            "onnxruntime": with_onnxruntime(lambda node, x: [node("Gelu", ["x1"], ["y"], approximate="tanh")]),
        },
    ),
    Row(
        name="sigmoid 4M",
        source=SIGMOID,
        data=vector,
        sizes=(1 << 22,),
        tiny=(37,),
        reference=sigmoid,
        operations=lambda n: 4.0 * n,
        target=1.0,
        against=NATIVE,
        peers={
            "torch": with_torch(lambda torch, x: torch.sigmoid(x)),
            "jax": with_jax(lambda jax, x: jax.nn.sigmoid(x)),
            "numba": with_numba(sigmoid_loops),
            "onnxruntime": with_onnxruntime(lambda node, x: [node("Sigmoid", ["x1"], ["y"])]),
        },
    ),
    Row(
        name="softmax 4096 x 1024",
        source=SOFTMAX,
        data=matrix,
        sizes=(4096, 1024),
        tiny=(5, 13),
        reference=softmax,
        operations=lambda n, m: 5.0 * n * m,
        target=1.0,
        against=NATIVE,
        peers={
            "torch": with_torch(lambda torch, x: torch.softmax(x, 1)),
            "jax": with_jax(lambda jax, x: jax.nn.softmax(x, axis=1)),
            "onnxruntime": with_onnxruntime(lambda node, x: [node("Softmax", ["x1"], ["y"], axis=1)]),
        },
    ),
    Row(
        name="layer norm 4096 x 1024",
        source=LAYER_NORM,
        data=normalised_rows,
        sizes=(4096, 1024),
        tiny=(5, 13),
        reference=layer_norm,
        operations=lambda n, m: 8.0 * n * m,
        target=1.0,
        against=NATIVE,
        peers={
            "torch": with_torch(lambda torch, x, g, b: torch.nn.functional.layer_norm(x, x.shape[1:], g, b, 1e-5)),
            "jax": with_jax(jax_layer_norm),
            "onnxruntime": with_onnxruntime(
                lambda node, x, g, b: [node("LayerNormalization", ["x1", "x2", "x3"], ["y"], axis=1, epsilon=1e-5)]
            ),
        },
    ),
    Row(
        name="batch norm 16 x 64 x 64 x 64",
        source=BATCH_NORM,
        data=images,
        sizes=(16, 64, 64, 64),
        tiny=(2, 3, 4, 5),
        reference=batch_norm,
        operations=lambda n, c, h, w: 8.0 * n * c * h * w,
        target=1.0,
        against=NATIVE,
        peers={"torch": with_torch(torch_batch_norm), "jax": with_jax(jax_batch_norm)},
    ),
    Row(
        name="Black-Scholes 4M",
        source=BLACK_SCHOLES,
        data=options,
        sizes=(1 << 22,),
        tiny=(37,),
        reference=black_scholes,
        operations=lambda n: 20.0 * n,
        target=1.0,
        against=("jax", "numba"),
        peers={
            "torch": with_torch(lambda torch, *data: with_module(torch.erf, torch, *data)),
            "jax": with_jax(lambda jax, *data: with_module(jax.lax.erf, jax.numpy, *data)),
            "numba": with_numba(black_scholes_loops),
        },
    ),
]
