"""Contractions of windows in few places: the gradients of convolutions by their weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.schedule.direct_convolution import fills_lanes

WEIGHTS = """\
tol x: f32 [n,17,17,17]
tol d: f32 [n,5,9,9]
at(l,k,i,j) = if i >= 1 and i <= 17 and j >= 1 and j <= 17 then x[l,k,i,j] else 0
term(o,k,a,b,l,i,j) = d[l,o,i,j] * at(l, k, 2*i + a - 3, 2*j + b - 3)
y := map(tol[5,17,3,3], reduce(map(tol[n,9,9], term(o,k,a,b,l,i,j), [l,i,j]), add, 0) * 2 + a, [o,k,a,b])
"""


def test_maps_fill_vectors_where_they_are_many() -> None:
    program = tolang.compile(WEIGHTS, engine="cpu")
    assert ("turned" in program.explain().full) == fills_lanes(host_target())
    for n in (1, 4):  # few steps, and many
        generator = np.random.default_rng(n)
        x = generator.standard_normal((n, 17, 17, 17)).astype(np.float32)
        d = generator.standard_normal((n, 5, 9, 9)).astype(np.float32)
        padded = np.pad(x.astype("f8"), ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
        expected = np.einsum("noij,nkijab->okab", d, windows) * 2 + np.arange(1, 4)[:, None]
        np.testing.assert_allclose(program(x, d), expected, rtol=1e-4, atol=1e-4)


MANY = """\
tol x: f32 [n,c,h,w]
tol d: f32 [n,m,h,w]
at(l,k,i,j) = if i >= 1 and i <= h and j >= 1 and j <= w then x[l,k,i,j] else 0
term(o,k,a,b,l,i,j) = d[l,o,i,j] * at(l, k, i + a - 2, j + b - 2)
y := map(tol[m,c,3,3], reduce(map(tol[n,h,w], term(o,k,a,b,l,i,j), [l,i,j]), add, 0), [o,k,a,b])
"""


def test_tiles_fit_the_number_of_maps() -> None:
    """Of 32 maps by 32, a tile six rows high and 64 wide would compute a quarter more than there is."""
    program = tolang.compile(MANY, engine="cpu")
    if fills_lanes(host_target()) and host_target().vector_bytes == 64:
        assert (
            "25*floor((3*c + 63)/64)*floor((m + 5)/6) >= 26*floor((3*c + 47)/48)*floor((m + 7)/8)"
            in program.explain().full
        )
    for n, c, m, h, w in ((2, 32, 32, 13, 11), (1, 64, 6, 17, 16), (3, 17, 9, 9, 10)):
        generator = np.random.default_rng(c)
        x = generator.standard_normal((n, c, h, w)).astype(np.float32)
        d = generator.standard_normal((n, m, h, w)).astype(np.float32)
        windows = sliding_window_view(np.pad(x.astype("f8"), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
        np.testing.assert_allclose(program(x, d), np.einsum("noij,nkijab->okab", d, windows), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("stride", [1, 2])
def test_gradients_of_convolutions_of_known_sizes(stride: int) -> None:
    """What a convolution's gradients read lies in their order already, or is put in it."""
    there = (7 - 1) // stride + 1
    source = f"""\
tol x: f32 [2,32,7,7]
tol k: f32 [48,32,3,3]
loss := sum(map(convolve(x, k, [{stride},{stride}], [1,1], [1,1], [{there},{there}]), * * *))
"""
    generator = np.random.default_rng(stride)
    x = generator.standard_normal((2, 32, 7, 7)).astype(np.float32)
    k = generator.standard_normal((48, 32, 3, 3)).astype(np.float32) / 10
    gradient = tolang.compile(source, engine="cpu", fallback=False).gradient(of="loss", by=["x", "k"])
    windows = sliding_window_view(np.pad(x.astype("f8"), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    read = windows[:, :, ::stride, ::stride]
    slopes = 2 * np.einsum("okab,nkijab->noij", k, read)
    spread = np.zeros((2, 32, 9, 9))
    for a in range(3):
        for b in range(3):
            own = slice(a, a + stride * there, stride), slice(b, b + stride * there, stride)
            spread[:, :, *own] += np.einsum("noij,ok->nkij", slopes, k[:, :, a, b])
    found = gradient(x, k)
    np.testing.assert_allclose(found["d_x"], spread[:, :, 1:-1, 1:-1], rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(found["d_k"], np.einsum("noij,nkijab->okab", slopes, read), rtol=1e-4, atol=1e-3)
