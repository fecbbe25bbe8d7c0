"""The first call of a new program: reading, checking, compiling and running it, in a process that is already warm.

Each call is of a program never seen before, one constant of which is new, so that no cache can answer.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.row import Array, Competitor, Row, Run

PRODUCT = """\
tol a: f32 [n,k]
tol b: f32 [k,m]
c := map(tol[n,m], max(0, {fresh} + reduce(map(a[i], * * b[*,j]), add, 0)), [i,j])
"""
SOFTMAX = "tol x: f32 [n,m]\ny := softmax(map(x, * + {fresh}), 2)\n"
STENCIL = """\
tol u: f32 [n,m]
inner(i,j) = i > 1 and i < n and j > 1 and j < m
y := map(u, if inner(i,j) then {fresh} * (u[i-1,j] + u[i+1,j] + u[i,j-1] + u[i,j+1]) else *, [i,j])
"""


def fresh_jax(function: Callable[..., Any]) -> Competitor:
    """A function of jax, a new constant and the arrays, compiled anew at each call."""

    def prepare(*data: Array) -> Run:
        import jax

        arrays = [jax.numpy.asarray(one) for one in data]
        constants = new_constants()

        def run() -> Any:
            constant = next(constants)
            return jax.block_until_ready(jax.jit(lambda *given: function(jax, constant, *given))(*arrays))

        return run

    return prepare


def fresh_numba(make: Callable[[float], Callable[..., Any]]) -> Competitor:
    """A function made anew with a new constant, compiled by Numba at each call."""

    def prepare(*data: Array) -> Run:
        import numba

        constants = new_constants()
        return lambda: numba.njit(fastmath=True)(make(next(constants)))(*data)

    return prepare


def new_constants() -> Iterator[float]:
    """Numbers near a quarter that no earlier process has used either; results differ less than the tolerance."""
    start = secrets.randbelow(10**9)
    return (0.25 + (start + place) * 1e-14 for place in itertools.count())


def matrices(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return generator.random((n, n), dtype=np.float32), generator.random((n, n), dtype=np.float32)


def matrix(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.random((n, n), dtype=np.float32),)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def stencil(u: Array) -> Array:
    result = u.copy()
    result[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return result


def jax_stencil(jax: Any, constant: float, u: Any) -> Any:
    return u.at[1:-1, 1:-1].set(constant * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]))


def numba_stencil(constant: float) -> Callable[..., Any]:
    def run(u: Array) -> Array:
        result = u.copy()
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                result[i, j] = constant * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        return result

    return run


def first_call(name: str, within: float, source: str, data: Any, reference: Any, peers: dict[str, Competitor]) -> Row:
    return Row(
        name=f"first call: {name}", source=source, data=data, sizes=(64,), tiny=(9,), reference=reference,
        operations=lambda n: 0.0, target=1.0, against=("jax",), peers=peers, fresh=True, within=within,
    )  # fmt: skip


ROWS = [
    first_call("product, bias, relu", 0.1, PRODUCT, matrices, lambda a, b: np.maximum(a @ b + np.float32(0.25), 0), {
        "jax": fresh_jax(lambda jax, constant, a, b: jax.nn.relu(a @ b + constant)),
    }),
    first_call("softmax", 0.08, SOFTMAX, matrix, softmax, {
        "jax": fresh_jax(lambda jax, constant, x: jax.nn.softmax(x + constant, axis=1)),
    }),
    first_call("stencil", 0.08, STENCIL, matrix, stencil, {
        "jax": fresh_jax(jax_stencil),
        "numba": fresh_numba(numba_stencil),
    }),
]  # fmt: skip
