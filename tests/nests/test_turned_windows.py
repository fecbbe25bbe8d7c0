"""Contractions of windows in few places: the gradients of convolutions by their weights."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import tolang

WEIGHTS = """\
tol x: f32 [n,17,17,17]
tol d: f32 [n,5,9,9]
at(l,k,i,j) = if i >= 1 and i <= 17 and j >= 1 and j <= 17 then x[l,k,i,j] else 0
term(o,k,a,b,l,i,j) = d[l,o,i,j] * at(l, k, 2*i + a - 3, 2*j + b - 3)
y := map(tol[5,17,3,3], reduce(map(tol[n,9,9], term(o,k,a,b,l,i,j), [l,i,j]), add, 0) * 2 + a, [o,k,a,b])
"""


def test_maps_fill_vectors_where_they_are_many() -> None:
    program = tolang.compile(WEIGHTS, engine="cpu")
    assert "turned" in program.explain()
    for n in (1, 4):  # few steps, and many
        generator = np.random.default_rng(n)
        x = generator.standard_normal((n, 17, 17, 17)).astype(np.float32)
        d = generator.standard_normal((n, 5, 9, 9)).astype(np.float32)
        padded = np.pad(x.astype("f8"), ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
        expected = np.einsum("noij,nkijab->okab", d, windows) * 2 + np.arange(1, 4)[:, None]
        np.testing.assert_allclose(program(x, d), expected, rtol=1e-4, atol=1e-4)
