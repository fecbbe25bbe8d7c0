"""Products of matrices, over the numbers and over other semirings, and products that tell which term won."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers import prange, with_graphblas, with_jax, with_numba, with_onnxruntime, with_torch
from benchmarks.row import Array, Row
from tolang.ground.dataclasses import replace

PRODUCT = """\
tol a: {space} [n,k]
tol b: {space} [k,m]
c := map(tol[n,m], reduce(map(a[i], {times}), {plus}, {zero}), [i,j])
"""
POINTS = """\
tol a: f32 [n,3]
tol b: f32 [3,4]
c := map(tol[n,4], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])
"""
SMALL_BATCH = """\
tol a: f32 [s,8,8]
tol b: f32 [s,8,8]
c := map(tol[s,8,8], reduce(map(tol[8], a[t,i,q] * b[t,q,j], q), add, 0), [t,i,j])
"""
BATCH = """\
tol a: f32 [s,n,k]
tol b: f32 [s,k,m]
c := map(tol[s,n,m], reduce(map(tol[k], a[t,i,q] * b[t,q,j], q), add, 0), [t,i,j])
"""
LOG_SUM_EXP = """\
tol a: f32 [n,k]
tol b: f32 [k,m]
elem(i,j) = {
  top = reduce(map(a[i], * + b[*,j]), max, -Inf)
  top + log(reduce(map(a[i], exp(* + b[*,j] - top)), add, 0))
}
c := map(tol[n,m], elem(i,j), [i,j])
"""
ARGMIN = """\
tol a: f32 [n,k]
tol b: f32 [k,m]
nearer(s, e) = if e[1]' < s[1]' then e else s
c := map(tol[n,m], reduce(map(a[i], (* + b[*,j], q), q), nearer, (+Inf,0))[2]', [i,j])
"""


LIBRARIES = {
    "torch": with_torch(lambda torch, a, b: a @ b),
    "jax": with_jax(lambda jax, a, b: a @ b),
    "onnxruntime": with_onnxruntime(lambda node, a, b: [node("MatMul", ["x1", "x2"], ["y"])]),
}
"""Products by those who have them, of matrices and of stacks."""


def matrices(kind: str) -> Any:
    """Two random matrices of sizes n, k, m."""

    def make(generator: np.random.Generator, n: int, k: int, m: int) -> tuple[Array, ...]:
        return generator.random((n, k)).astype(kind), generator.random((k, m)).astype(kind)

    return make


def relations(generator: np.random.Generator, n: int, k: int, m: int) -> tuple[Array, ...]:
    """Dense relations; some rows are empty, so that not every pair is related."""
    a, b = generator.random((n, k)) < 0.5, generator.random((k, m)) < 0.5
    a[::8] = False
    return a, b


def stacks(generator: np.random.Generator, s: int, n: int) -> tuple[Array, ...]:
    return generator.random((s, n, n), dtype=np.float32), generator.random((s, n, n), dtype=np.float32)


def multiplications(n: int, k: int, m: int) -> float:
    return 2.0 * n * k * m


def product(name: str, sizes: tuple[int, int, int], kind: str = "f32", target: float = 0.95) -> Row:
    """A product of two matrices of numbers, as OpenBLAS computes it through NumPy."""
    return Row(
        name=f"{name} {kind}",
        source=PRODUCT.format(space=kind, times="* * b[*,j]", plus="add", zero=0),
        data=matrices({"f32": "float32", "f64": "float64"}[kind]),
        sizes=sizes,
        tiny=(min(sizes[0], 7), 9, 11),
        reference=np.matmul,
        operations=multiplications,
        target=target,
        peers=LIBRARIES,
    )


def batch(name: str, source: str, sizes: tuple[int, int], tiny: tuple[int, int]) -> Row:
    """Products of two stacks of square matrices."""
    return Row(
        name=f"{name} f32",
        source=source,
        data=stacks,
        sizes=sizes,
        tiny=tiny,
        reference=np.matmul,
        operations=lambda s, n: 2.0 * s * n**3,
        target=0.95,
        peers=LIBRARIES,
    )


def folded(times: Any, plus: Any, zero: Any) -> Any:
    """A product over a semiring in NumPy: one rank-one step for each inner coordinate, all whole-matrix operations."""

    def run(a: Array, b: Array) -> Array:
        result = np.full((a.shape[0], b.shape[1]), zero, dtype=a.dtype)
        step = np.empty_like(result)
        for q in range(a.shape[1]):
            times(a[:, q, None], b[None, q], out=step)
            plus(result, step, out=result)
        return result

    return run


def min_plus_loops(a: Array, b: Array) -> Array:
    result = np.full((a.shape[0], b.shape[1]), np.inf, np.float32)
    for i in prange(a.shape[0]):
        for q in range(a.shape[1]):
            for j in range(b.shape[1]):
                result[i, j] = min(result[i, j], a[i, q] + b[q, j])
    return result


def max_plus_loops(a: Array, b: Array) -> Array:
    result = np.full((a.shape[0], b.shape[1]), -np.inf, np.float32)
    for i in prange(a.shape[0]):
        for q in range(a.shape[1]):
            for j in range(b.shape[1]):
                result[i, j] = max(result[i, j], a[i, q] + b[q, j])
    return result


def max_min_loops(a: Array, b: Array) -> Array:
    result = np.full((a.shape[0], b.shape[1]), -np.inf, np.float32)
    for i in prange(a.shape[0]):
        for q in range(a.shape[1]):
            for j in range(b.shape[1]):
                result[i, j] = max(result[i, j], min(a[i, q], b[q, j]))
    return result


def or_and_loops(a: Array, b: Array) -> Array:
    result = np.zeros((a.shape[0], b.shape[1]), np.bool_)
    for i in prange(a.shape[0]):
        for q in range(a.shape[1]):
            if a[i, q]:
                for j in range(b.shape[1]):
                    result[i, j] |= b[q, j]
    return result


def semiring(name: str, times: str, plus: str, zero: str, reference: Any, loops: Any, broadcast: Any, blas: str) -> Row:
    """A product over a semiring other than the numbers; `broadcast` is one row of it, for JAX and PyTorch."""
    logical = plus == "or"
    return Row(
        name=f"{name} 1024",
        source=PRODUCT.format(space="B" if logical else "f32", times=times, plus=plus, zero=zero),
        data=relations if logical else matrices("float32"),
        sizes=(1024, 1024, 1024),
        tiny=(7, 9, 11),
        reference=reference,
        operations=multiplications,
        target=2.2,
        peers={
            "numba": with_numba(loops),
            "jax": with_jax(lambda jax, a, b: jax.lax.map(lambda v: broadcast(jax.numpy, v[:, None], b, 0), a)),
            "graphblas": with_graphblas(blas),
        },
    )


def log_sum_exp(a: Array, b: Array) -> Array:
    terms = (a[:, :, None] + b[None]).astype(np.float32)
    top = terms.max(axis=1)
    return np.asarray(top + np.log(np.exp(terms - top[:, None]).sum(axis=1)))


def log_sum_exp_rows(a: Array, b: Array) -> Array:
    """By rows, so that the terms fit into the cache."""
    return np.concatenate([log_sum_exp(row[None], b) for row in a])


def log_sum_exp_loops(a: Array, b: Array) -> Array:
    rows, columns = a.shape[0], b.shape[1]
    result = np.empty((rows, columns), np.float32)
    for i in prange(rows):
        top = np.full(columns, -np.inf, np.float32)
        for q in range(a.shape[1]):
            for j in range(columns):
                top[j] = max(top[j], a[i, q] + b[q, j])
        total = np.zeros(columns, np.float32)
        for q in range(a.shape[1]):
            for j in range(columns):
                total[j] += np.exp(a[i, q] + b[q, j] - top[j])
        for j in range(columns):
            result[i, j] = top[j] + np.log(total[j])
    return result


def argmin_rows(a: Array, b: Array) -> Array:
    return np.stack([(row[:, None] + b).argmin(axis=0) for row in a]) + 1


def argmin_loops(a: Array, b: Array) -> Array:
    result = np.zeros((a.shape[0], b.shape[1]), np.int64)
    for i in prange(a.shape[0]):
        best = np.full(b.shape[1], np.inf, np.float32)
        for q in range(a.shape[1]):
            for j in range(b.shape[1]):
                if a[i, q] + b[q, j] < best[j]:
                    best[j] = a[i, q] + b[q, j]
                    result[i, j] = q + 1
    return result


SEMIRINGS = [
    semiring("min-plus", "* + b[*,j]", "min", "+Inf", folded(np.add, np.minimum, np.inf), min_plus_loops,
             lambda np, v, b, axis: (v + b).min(axis), "min_plus"),
    semiring("max-plus", "* + b[*,j]", "max", "-Inf", folded(np.add, np.maximum, -np.inf), max_plus_loops,
             lambda np, v, b, axis: (v + b).max(axis), "max_plus"),
    semiring("max-min", "min(*, b[*,j])", "max", "-Inf", folded(np.minimum, np.maximum, -np.inf), max_min_loops,
             lambda np, v, b, axis: np.minimum(v, b).max(axis), "max_min"),
    semiring("or-and", "* and b[*,j]", "or", "false", folded(np.logical_and, np.logical_or, False), or_and_loops,
             lambda np, v, b, axis: (v & b).any(axis), "lor_land"),
]  # fmt: skip

ROWS = [
    product("product 100", (100, 100, 100), target=0.9),
    product("product 256", (256, 256, 256)),
    product("product 512", (512, 512, 512)),
    product("product 1024", (1024, 1024, 1024)),
    product("product 2048", (2048, 2048, 2048)),
    product("product 4096", (4096, 4096, 4096)),
    product("product 1024", (1024, 1024, 1024), "f64"),
    product("product one row 4096", (1, 4096, 4096)),
    product("product tall 65536 x 64", (65536, 64, 64)),
    product("product 2048 x 512 by 10", (2048, 512, 10)),
    product("product 2048 x 512 by 40", (2048, 512, 40)),
    replace(product("product points 100000 x 3 by 4", (100000, 3, 4)), source=POINTS, tiny=(7, 3, 4)),
    batch("product batch 64 of 128", BATCH, (64, 128), (3, 5)),
    batch("product batch 4096 of 8", SMALL_BATCH, (4096, 8), (3, 8)),
    *SEMIRINGS,
    Row(
        name="log-sum-exp product 512",
        source=LOG_SUM_EXP,
        data=matrices("float32"),
        sizes=(512, 512, 512),
        tiny=(7, 9, 11),
        reference=log_sum_exp_rows,
        operations=lambda n, k, m: 6.0 * n * k * m,
        target=1.5,
        peers={
            "numba": with_numba(log_sum_exp_loops),
            "torch": with_torch(lambda torch, a, b: torch.stack([torch.logsumexp(v[:, None] + b, 0) for v in a])),
            "jax": with_jax(
                lambda jax, a, b: jax.lax.map(lambda v: jax.scipy.special.logsumexp(v[:, None] + b, axis=0), a)
            ),
        },
    ),
    Row(
        name="min-plus product with argmin 512",
        source=ARGMIN,
        data=matrices("float32"),
        sizes=(512, 512, 512),
        tiny=(7, 9, 11),
        reference=argmin_rows,
        operations=multiplications,
        target=10.0,
        mismatches=1e-3,
        peers={
            "numba": with_numba(argmin_loops),
            "torch": with_torch(lambda torch, a, b: torch.stack([(v[:, None] + b).argmin(0) for v in a]) + 1),
            "jax": with_jax(lambda jax, a, b: jax.lax.map(lambda v: (v[:, None] + b).argmin(0), a) + 1),
        },
    ),
]
