"""`python -m benchmarks.calls`: what calls of a small program cost, beside the same by libraries that are there.

Products of 8 x 8 cost next to nothing themselves, so that what is left is the way there and back.
"""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Iterator

import numpy as np
from rich.console import Console
from rich.table import Table

import tolang
from benchmarks.clock import microseconds
from benchmarks.row import Array

PRODUCT = "tol a: f32 [n,k]\ntol b: f32 [k,m]\nc := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
SCALED = "tol x: f32 [n,m]\ntol factor: f32\ny := map(x, * * factor)"
FUNCTION = "product(a, b) := map(tol[|a|[1],|b|[2]], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
LOSS = """\
tol w: f32 [k]
tol x: f32 [n,k]
tol t: f32 [n]
loss := reduce(map(tol[n], (reduce(map(w, * * x[i,*]), add, 0) - t[i])^2, i), add, 0) / n
"""
Call = Callable[[], object]


def peers(a: Array) -> Iterator[tuple[str, Call, Array]]:
    """The product by libraries that are installed, and what it is."""
    yield "NumPy's a @ a", lambda: a @ a, a @ a
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)
        own = torch.from_numpy(a)
        yield "PyTorch's mm(a, a)", lambda: torch.mm(own, own), a @ a
    if importlib.util.find_spec("jax"):
        import jax

        product, there = jax.jit(lambda x, y: x @ y), jax.numpy.asarray(a)
        yield "JAX's a @ a, by jit", lambda: product(there, there).block_until_ready(), a @ a
    if importlib.util.find_spec("numba"):
        import numba

        @numba.njit
        def dot(x: Array, y: Array) -> Array:
            return np.dot(x, y)

        yield "Numba's np.dot(a, a), by njit", lambda: dot(a, a), a @ a


def ours(a: Array) -> Iterator[tuple[str, Call, Array]]:
    """Calls of programs, in the ways that there are, and what they give."""
    product, scaled = tolang.compile(PRODUCT), tolang.compile(SCALED)
    function, slopes = tolang.compile(FUNCTION).product, tolang.compile(LOSS).gradient("loss", "w", value=True)
    turned, shapes = tolang.compile(PRODUCT), itertools.cycle([a, a[:7, :7].copy(), a[:6, :6].copy()])
    row = a[0].copy()
    slope = 2 / len(a) * (a @ row - row) @ a

    def in_turn() -> object:
        one = next(shapes)
        return turned(one, one)

    yield "a product, product(a, a)", lambda: product(a, a), a @ a
    yield "by name, product(a=a, b=a)", lambda: product(a=a, b=a), a @ a
    yield "an exported function", lambda: function(a, a), a @ a
    yield "a number beside an array", lambda: scaled(a, factor=0.5), a / 2
    yield "three shapes in turn", in_turn, a @ a
    yield "an array that does not lie in order", lambda: product(a, a.T), a @ a.T
    yield "a value and its gradient", lambda: slopes(row, a, row), slope


def checked(name: str, found: object, expected: Array) -> None:
    """Refuses to time what is wrong; of several results the gradient is looked at."""
    result = found["d_w"] if isinstance(found, dict) else found
    if not np.allclose(np.asarray(result), expected, rtol=1e-4, atol=1e-5):
        raise SystemExit(f"{name} is wrong")


def main() -> None:
    tolang.set_threads(1)
    a = np.random.default_rng(1).random((8, 8), dtype=np.float32)
    table = Table("call", "µs")
    for name, call, expected in itertools.chain(ours(a), peers(a)):
        for _ in range(19):  # which are enough for fast code
            found = call()
        checked(name, found, expected)  # the nineteenth of three in turn is the first again
        table.add_row(name, f"{microseconds(call):.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
