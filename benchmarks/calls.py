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


def peers(a: np.ndarray) -> Iterator[tuple[str, Call]]:
    """The product by libraries that are installed."""
    yield "NumPy's a @ a", lambda: a @ a
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)
        own = torch.from_numpy(a)
        yield "PyTorch's mm(a, a)", lambda: torch.mm(own, own)
    if importlib.util.find_spec("jax"):
        import jax

        product, there = jax.jit(lambda x, y: x @ y), jax.numpy.asarray(a)
        yield "JAX's a @ a, by jit", lambda: product(there, there).block_until_ready()
    if importlib.util.find_spec("numba"):
        import numba

        @numba.njit
        def dot(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return np.dot(x, y)

        yield "Numba's np.dot(a, a), by njit", lambda: dot(a, a)


def ours(a: np.ndarray) -> Iterator[tuple[str, Call]]:
    """Calls of programs, in the ways that there are."""
    product, scaled = tolang.compile(PRODUCT), tolang.compile(SCALED)
    function, slopes = tolang.compile(FUNCTION).product, tolang.compile(LOSS).gradient("loss", "w", value=True)
    turned, shapes = tolang.compile(PRODUCT), itertools.cycle([a[:n, :n].copy() for n in (8, 7, 6)])
    row = a[0].copy()

    def in_turn() -> object:
        one = next(shapes)
        return turned(one, one)

    yield "a product, product(a, a)", lambda: product(a, a)
    yield "by name, product(a=a, b=a)", lambda: product(a=a, b=a)
    yield "an exported function", lambda: function(a, a)
    yield "a number beside an array", lambda: scaled(a, factor=0.5)
    yield "three shapes in turn", in_turn
    yield "an array that does not lie in order", lambda: product(a, a.T)
    yield "a value and its gradient", lambda: slopes(row, a, row)


def main() -> None:
    tolang.set_threads(1)
    a = np.random.default_rng(1).random((8, 8), dtype=np.float32)
    assert np.allclose(tolang.compile(PRODUCT)(a, a), a @ a)
    table = Table("call", "µs")
    for name, call in itertools.chain(ours(a), peers(a)):
        for _ in range(20):
            call()
        table.add_row(name, f"{microseconds(call):.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
