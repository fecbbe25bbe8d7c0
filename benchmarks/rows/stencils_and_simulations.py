"""Repeated steps over a grid, forces between bodies, and iterations at each point."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers import prange, with_jax, with_numba, with_torch
from benchmarks.row import Array, Row

JACOBI = """\
tol u: f32 [n,m]
inner(i,j) = i > 1 and i < n and j > 1 and j < m
step(s) = map(s, if inner(i,j) then 0.25 * (s[i-1,j] + s[i+1,j] + s[i,j-1] + s[i,j+1]) else *, [i,j])
y := reduce(tol[10], (s,t) -> step(s), u)
"""
LIFE = """\
tol u: u8 [n,m]
at(s,i,j) = s[1 + (i-1+n) % n, 1 + (j-1+m) % m]
row(s,i,j) = at(s,i,j-1) + at(s,i,j) + at(s,i,j+1)
around(s,i,j) = row(s,i-1,j) + at(s,i,j-1) + at(s,i,j+1) + row(s,i+1,j)
step(s) = map(s, { k = around(s,i,j); if k == 3 then 1 else if k == 2 then * else 0 }, [i,j])
y := reduce(tol[10], (s,t) -> step(s), u)
"""
BODIES = """\
tol p: f32 [n,3]
tol mass: f32 [n]
pull(i,j,q) = {
  square = reduce(map(p[j] - p[i], *^2), add, 0) + 0.01
  mass[j] * (p[j,q] - p[i,q]) / (square * sqrt(square))
}
force := map(tol[n,3], reduce(map(tol[n], pull(i,j,q), j), add, 0), [i,q])
"""
MANDELBROT = """\
tol x: f32 [m]
tol y: f32 [n]
step(z, a, b) = if z[1]'^2 + z[2]'^2 <= 4 then (z[1]'^2 - z[2]'^2 + a, 2*z[1]'*z[2]' + b, z[3]' + 1) else z
count := map(tol[n,m], reduce(tol[100], (z,t) -> step(z, x[j], y[i]), (0.0,0.0,0))[3]', [i,j])
"""
STEPS = 10


def grid(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.random((n, n), dtype=np.float32),)


def cells(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return ((generator.random((n, n)) < 0.3).astype(np.uint8),)


def bodies(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return generator.random((n, 3), dtype=np.float32), generator.random(n, dtype=np.float32)


def plane(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return np.linspace(-2, 0.5, n, dtype=np.float32), np.linspace(-1.2, 1.2, n, dtype=np.float32)


def jacobi(u: Array) -> Array:
    s = u.copy()
    for _ in range(STEPS):
        t = s.copy()
        t[1:-1, 1:-1] = np.float32(0.25) * (s[:-2, 1:-1] + s[2:, 1:-1] + s[1:-1, :-2] + s[1:-1, 2:])
        s = t
    return s


def jacobi_loops(u: Array) -> Array:
    s, t = u.copy(), u.copy()
    for _ in range(10):
        for i in prange(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                t[i, j] = np.float32(0.25) * (s[i - 1, j] + s[i + 1, j] + s[i, j - 1] + s[i, j + 1])
        s, t = t, s
    return s


def jax_jacobi(jax: Any, u: Any) -> Any:
    def step(_: Any, s: Any) -> Any:
        return s.at[1:-1, 1:-1].set(0.25 * (s[:-2, 1:-1] + s[2:, 1:-1] + s[1:-1, :-2] + s[1:-1, 2:]))

    return jax.lax.fori_loop(0, STEPS, step, u)


def torch_jacobi(torch: Any, u: Any) -> Any:
    s = u.clone()
    for _ in range(STEPS):
        t = s.clone()
        t[1:-1, 1:-1] = 0.25 * (s[:-2, 1:-1] + s[2:, 1:-1] + s[1:-1, :-2] + s[1:-1, 2:])
        s = t
    return s


def around(module: Any, s: Any) -> Any:
    """The number of live neighbours on a torus; rows of three are added first."""
    three = module.roll(s, 1, 1) + s + module.roll(s, -1, 1)
    return module.roll(three, 1, 0) + three + module.roll(three, -1, 0) - s


def life(u: Array) -> Array:
    for _ in range(STEPS):
        k = around(np, u)
        u = ((k == 3) | ((k == 2) & (u == 1))).astype(np.uint8)
    return u


def life_loops(u: Array) -> Array:
    n, m = u.shape
    s, t = u.copy(), np.empty_like(u)
    for _ in range(10):
        for i in prange(n):
            above, below = (i + n - 1) % n, (i + 1) % n
            for j in range(m):
                left, right = m - 1 if j == 0 else j - 1, 0 if j == m - 1 else j + 1
                k = s[above, left] + s[above, j] + s[above, right] + s[i, left] + s[i, right]
                k += s[below, left] + s[below, j] + s[below, right]
                t[i, j] = 1 if k == 3 else s[i, j] if k == 2 else 0
        s, t = t, s
    return s


def jax_life(jax: Any, u: Any) -> Any:
    def step(_: Any, s: Any) -> Any:
        k = around(jax.numpy, s)
        return ((k == 3) | ((k == 2) & (s == 1))).astype(s.dtype)

    return jax.lax.fori_loop(0, STEPS, step, u)


def forces(p: Array, mass: Array) -> Array:
    result = np.empty_like(p)
    for i in range(p.shape[0]):
        d = p - p[i]
        square = (d * d).sum(1) + np.float32(0.01)
        result[i] = (mass / (square * np.sqrt(square))) @ d
    return result


def forces_loops(p: Array, mass: Array) -> Array:
    result = np.empty_like(p)
    for i in prange(p.shape[0]):
        fx, fy, fz = np.float32(0), np.float32(0), np.float32(0)
        for j in range(p.shape[0]):
            x, y, z = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1], p[j, 2] - p[i, 2]
            square = x * x + y * y + z * z + np.float32(0.01)
            pull = mass[j] / (square * np.sqrt(square))
            fx += pull * x
            fy += pull * y
            fz += pull * z
        result[i, 0], result[i, 1], result[i, 2] = fx, fy, fz
    return result


def module_forces(module: Any, p: Any, mass: Any) -> Any:
    d = p[None] - p[:, None]
    square = (d * d).sum(2) + 0.01
    return ((mass / (square * module.sqrt(square)))[:, :, None] * d).sum(1)


def mandelbrot(x: Array, y: Array) -> Array:
    a, b = np.broadcast_arrays(x[None], y[:, None])
    u, v, count = np.zeros_like(a), np.zeros_like(a), np.zeros(a.shape, np.int64)
    for _ in range(100):
        going = u * u + v * v <= 4
        count += going
        u, v = np.where(going, u * u - v * v + a, u), np.where(going, 2 * u * v + b, v)
    return count


def mandelbrot_loops(x: Array, y: Array) -> Array:
    count = np.zeros((y.size, x.size), np.int64)
    for i in prange(y.size):
        for j in range(x.size):
            u, v, k = np.float32(0), np.float32(0), 0
            while k < 100 and u * u + v * v <= np.float32(4):
                u, v = u * u - v * v + x[j], np.float32(2) * u * v + y[i]
                k += 1
            count[i, j] = k
    return count


def jax_mandelbrot(jax: Any, x: Any, y: Any) -> Any:
    a, b = jax.numpy.broadcast_arrays(x[None], y[:, None])

    def step(_: Any, state: Any) -> Any:
        u, v, count = state
        going = u * u + v * v <= 4
        nu = jax.numpy.where(going, u * u - v * v + a, u)
        return nu, jax.numpy.where(going, 2 * u * v + b, v), count + going

    zero = jax.numpy.zeros_like(a)
    return jax.lax.fori_loop(0, 100, step, (zero, zero, zero.astype("int32")))[2]


COMPILERS = ("jax", "numba")
ROWS = [
    Row(
        name="Jacobi 2048 x 2048, 10 steps",
        source=JACOBI,
        data=grid,
        sizes=(2048,),
        tiny=(9,),
        reference=jacobi,
        operations=lambda n: 4.0 * STEPS * n * n,
        target=1.0,
        against=COMPILERS,
        peers={
            "torch": with_torch(torch_jacobi),
            "jax": with_jax(jax_jacobi),
            "numba": with_numba(jacobi_loops),
        },
    ),
    Row(
        name="Game of Life 2048 x 2048, 10 steps",
        source=LIFE,
        data=cells,
        sizes=(2048,),
        tiny=(9,),
        reference=life,
        operations=lambda n: 10.0 * STEPS * n * n,
        target=1.0,
        against=COMPILERS,
        tolerance=0,
        peers={"jax": with_jax(jax_life), "numba": with_numba(life_loops)},
    ),
    Row(
        name="N-body forces 4096",
        source=BODIES,
        data=bodies,
        sizes=(4096,),
        tiny=(11,),
        reference=forces,
        operations=lambda n: 20.0 * n * n,
        target=1.0,
        against=COMPILERS,
        tolerance=1e-3,
        peers={
            "torch": with_torch(module_forces),
            "jax": with_jax(lambda jax, p, mass: module_forces(jax.numpy, p, mass)),
            "numba": with_numba(forces_loops),
        },
    ),
    Row(
        name="Mandelbrot 1024 x 1024, 100 steps",
        source=MANDELBROT,
        data=plane,
        sizes=(1024,),
        tiny=(16,),
        reference=mandelbrot,
        operations=lambda n: 8.0 * 100 * n * n,
        target=1.0,
        against=COMPILERS,
        tolerance=0,
        mismatches=0.02,
        peers={"jax": with_jax(jax_mandelbrot), "numba": with_numba(mandelbrot_loops)},
    ),
]
