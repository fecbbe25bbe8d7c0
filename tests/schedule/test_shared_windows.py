"""Copies of windows that several contractions read: made once, and read by whoever is there at the sizes of a run."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.schedule.direct_convolution import fills_lanes

SOURCE = """\
tol x: f32 [n,c,h,w]
tol k: f32 [m,c,3,3]
tol d: f32 [n,m,h,w]
at(l,o,i,j) = if i >= 1 and i <= h and j >= 1 and j <= w then x[l,o,i,j] else 0
y := map(tol[n,m,h,w], reduce(map(k[o], * * at(l, q, i + a - 2, j + b - 2), [q,a,b]), add, 0), [l,o,i,j])
term(o,q,a,b,l,i,j) = d[l,o,i,j] * at(l, q, i + a - 2, j + b - 2)
d_k := map(tol[m,c,3,3], reduce(map(tol[n,h,w], term(o,q,a,b,l,i,j), [l,i,j]), add, 0), [o,q,a,b])
"""


@pytest.mark.skipif(not fills_lanes(host_target()), reason="windows are no rows on this machine")
def test_a_convolution_and_its_gradient_read_one_copy() -> None:
    plan = tolang.compile(SOURCE, engine="cpu").explain().full
    copies = {line.split()[2].strip(":") for line in plan.splitlines() if line.strip().startswith("buffer windows")}
    reads = [line for line in plan.splitlines() if "turned" in line and "reduce" in line and "windows" in line]
    shared = {name for name in copies if all(f"windows {name}" in line for line in reads)}
    assert len(reads) == 1  # tiles of two shapes compute the same value, which is printed once
    assert len(shared) == 1
    (name,) = shared
    assert any(f"windows {name}[" in line and "reduce" in line and "k.1[" in line for line in plan.splitlines())


@pytest.mark.parametrize("c", [3, 18, 32])
@pytest.mark.parametrize("m", [5, 33])
def test_whoever_is_there_reads_it(c: int, m: int) -> None:
    """Either reads it, both, or none, by how many maps there are."""
    generator = np.random.default_rng(c)
    shapes = (2, c, 13, 11), (m, c, 3, 3), (2, m, 13, 11)
    x, k, d = (generator.standard_normal(shape).astype(np.float32) for shape in shapes)
    windows = sliding_window_view(np.pad(x.astype("f8"), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    found = tolang.compile(SOURCE, engine="cpu", fallback=False)(x, k, d)
    np.testing.assert_allclose(found["y"], np.einsum("okab,nkijab->noij", k, windows), rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(found["d_k"], np.einsum("noij,nkijab->okab", d, windows), rtol=1e-4, atol=1e-3)
