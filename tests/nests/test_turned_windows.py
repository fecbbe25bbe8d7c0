"""Contractions of windows in few places: the gradients of convolutions by their weights."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import tolang

WEIGHTS = """\
tol x: f32 [n,c,h,w]
tol d: f32 [n,m,u,v]
at(l,k,i,j) = if i >= 1 and i <= h and j >= 1 and j <= w then x[l,k,i,j] else 0
term(o,k,a,b,l,i,j) = d[l,o,i,j] * at(l, k, 2*i + a - 3, 2*j + b - 3)
y := map(tol[m,c,3,3], reduce(map(tol[n,u,v], term(o,k,a,b,l,i,j), [l,i,j]), add, 0) * 2 + a, [o,k,a,b])
"""


def test_maps_fill_vectors_where_they_are_many() -> None:
    program = tolang.compile(WEIGHTS, engine="cpu")
    assert "turned" in program.explain()
    for n, c, m, size in ((4, 17, 5, 17), (1, 3, 2, 17)):  # many maps, and few
        generator, places = np.random.default_rng(size), (size - 1) // 2 + 1
        x = generator.standard_normal((n, c, size, size)).astype(np.float32)
        d = generator.standard_normal((n, m, places, places)).astype(np.float32)
        padded = np.pad(x.astype("f8"), ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
        expected = np.einsum("noij,nkijab->okab", d, windows) * 2 + np.arange(1, 4)[:, None]
        np.testing.assert_allclose(program(x, d), expected, rtol=1e-4, atol=1e-4)
