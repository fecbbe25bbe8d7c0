"""Rows of a contraction that lie side by side: read as they lie, or packed, several panels at once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import tolang

CASES = """
import numpy as np, tolang

generator = np.random.default_rng(3)

def normal(*shape, kind=np.float32):
    return generator.standard_normal(shape).astype(kind)

def product(kind):
    storage = np.dtype(kind).name.replace("loat", "")
    return f"tol a: {storage} [k,n]\\ntol b: {storage} [k,m]\\nc := map(tol[n,m], reduce(tol[k], (s,v,p) -> s + a[p,i]*b[p,j], 0), [i,j])"

BATCHES = "tol a: f32 [q,k,n]\\ntol b: f32 [q,k,m]\\nc := map(tol[q,n,m], reduce(tol[k], (s,v,p) -> s + a[o,p,i]*b[o,p,j], 0), [o,i,j])"
DEEP = "tol a: f32 [r,k,n]\\ntol b: f32 [r,k,m]\\nc := map(tol[n,m], reduce(map(tol[r,k], a[o,p,i]*b[o,p,j], [o,p]), add, 0), [i,j])"
APART = "tol a: f32 [k,3,n]\\ntol b: f32 [k,m]\\nc := map(tol[n,m], reduce(tol[k], (s,v,p) -> s + a[p,2,i]*b[p,j], 0), [i,j])"
ROWS = "tol a: f32 [k,h,w]\\ntol b: f32 [k,m]\\nc := map(tol[h,w,m], reduce(tol[k], (s,v,p) -> s + a[p,i,j]*b[p,l], 0), [i,j,l])"
TRANSPOSED = "tol a: f32 [n,k]\\ntol b: f32 [m,k]\\nc := map(tol[n,m], reduce(tol[k], (s,v,p) -> s + a[i,p]*b[j,p], 0), [i,j])"

def check(source, a, b, expected):
    first = None
    for threads in (1, 2, 4, 7):
        program = tolang.compile(source, engine="cpu", fallback=False, threads=threads)
        for _ in range(4):
            found = program(a, b)
            first = found if first is None else first
            assert np.array_equal(found, first), (source, threads, a.shape, b.shape)  # the same bits, wherever rows are read
    depth = np.sqrt(a.size * b.size / expected.size)
    error = 4 * np.finfo(a.dtype).eps * depth  # so many sums, of a few roots of the depth, are rounded one after the other
    assert np.allclose(first, expected, rtol=0, atol=error), (source, a.shape, b.shape, abs(first - expected).max(), error)


sizes = [(4, 5, 9), (13, 900, 70), (60, 130, 300), (97, 64, 100), (128, 300, 64), (384, 96, 200), (301, 403, 129)]
for n, k, m in sizes:
    a, b = normal(k, n), normal(k, m)
    check(product(np.float32), a, b, a.T.astype("f8") @ b)
    c, d = normal(n, k), normal(m, k)
    check(TRANSPOSED, c, d, c.astype("f8") @ d.T)
a, b = normal(120, 50, kind=np.float64), normal(120, 65, kind=np.float64)
check(product(np.float64), a, b, a.T @ b)
for q in (2, 9):
    a, b = normal(q, 70, 60), normal(q, 70, 80)
    check(BATCHES, a, b, np.einsum("qkn,qkm->qnm", a.astype("f8"), b))
a, b = normal(7, 90, 40), normal(7, 90, 80)
check(DEEP, a, b, np.einsum("rkn,rkm->nm", a.astype("f8"), b))
a, b = normal(90, 3, 40), normal(90, 80)
check(APART, a, b, a[:, 1].T.astype("f8") @ b)
a, b = normal(90, 6, 11), normal(90, 80)
check(ROWS, a, b, np.einsum("khw,km->hwm", a.astype("f8"), b))
print("equal")
"""


@pytest.mark.parametrize("caches", ["32K,128K,1M", "48K,2M,8M"])
def test_results_are_those_of_numpy(caches: str) -> None:
    """Of small caches, most rows are packed and depths are cut; of large ones, threads read them where they lie."""
    environment = os.environ | {"TOL_CACHES": caches}
    found = subprocess.run(
        [sys.executable, "-c", CASES], env=environment, capture_output=True, text=True, check=False, timeout=240
    )
    assert found.stdout == "equal\n", found.stderr


def test_nothing_behind_the_last_row_is_read() -> None:
    """The last rows of an array end with its memory: what lies behind them, were it read, would end the process."""
    source = """
import mmap, ctypes, numpy as np, tolang
page = mmap.PAGESIZE
memory = mmap.mmap(-1, 3 * page)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.mprotect(ctypes.c_void_p(start + 2 * page), page, 0) == 0
k, n = 40, 11
whole = np.frombuffer(memory, np.float32, count=2 * page // 4)
a = whole[-k * n :].reshape(k, n)
a[:] = np.arange(k * n).reshape(k, n) % 7
b = np.ones((k, 70), np.float32)
code = "tol a: f32 [k,n]\\ntol b: f32 [k,m]\\nc := map(tol[n,m], reduce(tol[k], (s,v,p) -> s + a[p,i]*b[p,j], 0), [i,j])"
for threads in (1, 2, 5):
    found = tolang.compile(code, engine="cpu", fallback=False, threads=threads)(a, b)
    assert np.array_equal(found, a.T @ b)
print("equal")
"""
    found = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False, timeout=120)
    assert found.stdout == "equal\n", (found.returncode, found.stderr)


def test_explain_says_so() -> None:
    source = (
        "tol a: f32 [k,n]\ntol b: f32 [k,m]\nc := map(tol[n,m], reduce(tol[k], (s,v,p) -> s + a[p,i]*b[p,j], 0), [i,j])"
    )
    plan = tolang.compile(source, engine="cpu").explain().full
    if "lane rows" in plan or "splat" in plan:
        pytest.skip("this processor multiplies by lanes of a vector, or has no loads that fill one")
    assert "left columns in place" in plan
    assert "left rows in place" not in plan
