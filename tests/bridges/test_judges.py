"""Gradients of library definitions as PyTorch and JAX have them, at random points, where nothing ties.

All definitions are held against central differences in tests/gradient/test_library.py.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tolang

torch = pytest.importorskip("torch", reason="there is no PyTorch to judge gradients by")
jax = pytest.importorskip("jax", reason="there is no JAX to judge gradients by")
F, numpy = torch.nn.functional, jax.numpy

SHAPES = {"x": (3, 4), "w": (5, 4), "b": (5,), "v": (4,), "q": (3, 4), "s": (3, 3), "i": (1, 2, 7), "k": (3, 2, 3)}
SOLVED = 4 * np.eye(3)
"""Added to square matrices, so that they are far from singular."""
CASES: dict[str, tuple[Any, Any]] = {
    "softmax(x)": (lambda x: F.softmax(x, 1), jax.nn.softmax),
    "log_softmax(x)": (lambda x: F.log_softmax(x, 1), jax.nn.log_softmax),
    "logsumexp(x, 2)": (lambda x: torch.logsumexp(x, 1), lambda x: jax.nn.logsumexp(x, 1)),
    "gelu(x)": (F.gelu, lambda x: jax.nn.gelu(x, approximate=False)),
    "silu(x)": (F.silu, jax.nn.silu),
    "softplus(x)": (F.softplus, jax.nn.softplus),
    "relu(x)": (F.relu, jax.nn.relu),
    "erf(x)": (torch.erf, jax.scipy.special.erf),
    "maximum(x, 1)": (lambda x: torch.amax(x, 0), lambda x: x.max(0)),
    "sort(x)": (lambda x: torch.sort(x, 1)[0], lambda x: numpy.sort(x, 1)),
    "product(x, 2)": (lambda x: x.prod(1), lambda x: x.prod(1)),
    "cumulative_sum(x)": (lambda x: x.cumsum(1), lambda x: x.cumsum(1)),
    "cumulative_product(x)": (lambda x: x.cumprod(1), lambda x: x.cumprod(1)),
    "standard_deviation(x, 1)": (lambda x: x.std(0, correction=0), lambda x: x.std(0)),
    "norm(x)": (torch.linalg.norm, numpy.linalg.norm),
    "linear(x, transposed(w), b)": (F.linear, lambda x, w, b: x @ w.T + b),
    "layer_norm(x, v, v)": (
        lambda x, v: F.layer_norm(x, (4,), v, v),
        lambda x, v: (x - x.mean(1, keepdims=True)) / numpy.sqrt(x.var(1, keepdims=True) + 1e-5) * v + v,
    ),
    "attention(x, q, q)": (
        lambda x, q: F.scaled_dot_product_attention(x[None], q[None], q[None])[0],
        lambda x, q: jax.nn.softmax(x @ q.T / 2) @ q,
    ),
    "huber(x, q)": (F.huber_loss, None),
    "mean_squared(x, q)": (F.mse_loss, lambda x, q: ((x - q) ** 2).mean()),
    "squared_distances(x, w)": (
        lambda x, w: ((x[:, None] - w) ** 2).sum(2),
        lambda x, w: ((x[:, None] - w) ** 2).sum(2),
    ),
    "min_plus(x, transposed(w))": (
        lambda x, w: (x[:, None] + w).amin(2),
        lambda x, w: (x[:, None] + w).min(2),
    ),
    "solve(s, b[1:3])": (
        lambda s, b: torch.linalg.solve(s, b[:3]),
        lambda s, b: numpy.linalg.solve(s, b[:3]),
    ),
    "determinant(s)": (torch.linalg.det, numpy.linalg.det),
    "inverse(s)": (torch.linalg.inv, numpy.linalg.inv),
    "cholesky(gram(s))": (
        lambda s: torch.linalg.cholesky(s @ s.T),
        lambda s: numpy.linalg.cholesky(s @ s.T),
    ),
    "convolve(i, k, [2], [1], [1], [4])": (
        lambda i, k: F.conv1d(i, k, stride=2, padding=1),
        lambda i, k: jax.lax.conv_general_dilated(i, k, (2,), ((1, 1),)),
    ),
}


def _data(names: list[str]) -> dict[str, Any]:
    random = np.random.default_rng(3)
    drawn = {name: random.normal(size=SHAPES[name]) for name in names}
    return {name: value + SOLVED if name == "s" else value for name, value in drawn.items()}


@pytest.mark.parametrize("call", CASES)
def test_definition(call: str) -> None:
    on_torch, on_jax = CASES[call]
    names = list(dict.fromkeys(re.findall(r"\b[a-z]\b", call)))
    data = _data(names)
    declared = "\n".join(f"tol {name}: R {list(SHAPES[name])}" for name in names)
    program = tolang.compile(f"use nn\nuse linalg\n{declared}\ny := {call}", engine="interpret")
    weights = np.random.default_rng(4).normal(size=np.shape(program(**data)))
    found = program.pullback("y", names, value=True)(**data, d_y=weights)
    tensors = {name: torch.tensor(value, requires_grad=True) for name, value in data.items()}
    value = on_torch(*tensors.values())
    value.backward(torch.tensor(weights))
    np.testing.assert_allclose(found["y"], value.detach().numpy(), rtol=1e-9, atol=1e-11)
    for name, tensor in tensors.items():
        np.testing.assert_allclose(found[f"d_{name}"], tensor.grad.numpy(), rtol=1e-8, atol=1e-10)
    if on_jax is None:
        return
    with jax.enable_x64(True):
        pulled = jax.jit(lambda given, *arrays: jax.vjp(on_jax, *arrays)[1](given))
        for name, slope in zip(names, pulled(weights, *data.values()), strict=True):
            np.testing.assert_allclose(found[f"d_{name}"], np.asarray(slope), rtol=1e-8, atol=1e-10)
