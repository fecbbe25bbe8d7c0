"""Which columns or rows of a contraction a thread has: the same bits on any number of threads, whatever lies how."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

THREADS = (1, 2, 3, 5, 8)
BY_ROWS = "tol a: f32[n,k]\ntol b: f32[k,m]\nc := map(tol[n,m], reduce(map(tol[k], a[i,p] * b[p,j], p), add, 0), [i,j])"
TURNED = "tol a: f32[k,n]\ntol b: f32[k,m]\nc := map(tol[n,m], reduce(map(tol[k], a[p,i] * b[p,j], p), add, 0), [i,j])"
BATCH = (
    "tol a: f32[s,n,k]\ntol b: f32[s,k,m]\n"
    "c := map(tol[s,n,m], reduce(map(tol[k], a[z,i,p] * b[z,p,j], p), add, 0), [z,i,j])"
)
SHAPES = [
    (70, 33, 900),  # more columns than rows, in groups that are not alike
    (513, 40, 64),  # one panel of columns
    (40, 1900, 1030),  # a depth that is cut
    (300, 65, 520),  # as many panels as threads, and more
    (45, 2048, 500),  # rows that displace each other from a cache
    (7, 9, 11),
]


def _data(*shapes: tuple[int, ...]) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    random = np.random.default_rng(3)
    return [random.standard_normal(shape, dtype=np.float32) for shape in shapes]


@pytest.mark.parametrize(("n", "k", "m"), SHAPES)
@pytest.mark.parametrize("source", [BY_ROWS, TURNED], ids=["rows as they lie", "rows that are packed"])
def test_products(source: str, n: int, k: int, m: int) -> None:
    a, b = _data((k, n) if source is TURNED else (n, k), (k, m))
    alone, *others = (tolang.compile(source, engine="cpu", fallback=False, threads=t)(a, b) for t in THREADS)
    exact = (a.T if source is TURNED else a).astype("f8") @ b.astype("f8")
    assert np.abs(alone - exact).max() <= 1e-5 * k**0.5 * np.abs(exact).max()
    for threads, other in zip(THREADS[1:], others, strict=True):
        assert np.array_equal(alone, other), f"{threads} threads"


@pytest.mark.parametrize("count", [1, 3, 20])
def test_small_products_of_a_batch(count: int) -> None:
    """Each by one thread where there are enough of them, else cut as others are."""
    a, b = _data((count, 50, 70), (count, 70, 130))
    alone, *others = (tolang.compile(BATCH, engine="cpu", fallback=False, threads=t)(a, b) for t in THREADS)
    exact = a.astype("f8") @ b.astype("f8")
    assert np.abs(alone - exact).max() <= 1e-5 * np.abs(exact).max() * 70**0.5
    for threads, other in zip(THREADS[1:], others, strict=True):
        assert np.array_equal(alone, other), f"{threads} threads"
