"""Contractions whose rows are read as they lie, at distances that a written number gives: channels of a shuffle."""

from __future__ import annotations

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime.native import host_target
from tolang.schedule.direct_convolution import fills_lanes

SOURCE = """
tol x: f32 [n,h+2,w+2,{all}]
tol k: f32 [o,{part},2]
y := map(tol[n,h,w,o], reduce(map(tol[{part},2], x[a,b+1,c+1,{apart}*q+r+{first}] * k[d,r,q], [r,q]), add, 0), [a,b,c,d])
"""


@pytest.mark.parametrize(("part", "apart", "first"), [(12, 24, -12), (24, 48, -24), (5, 7, -7), (16, 20, -8)])
@pytest.mark.parametrize("fixed", [False, True], ids=["weights given", "weights fixed"])
def test_channels_apart(part: int, apart: int, first: int, fixed: bool) -> None:
    """Kernels are shared by programs that differ in such numbers, which they are told when they run."""
    there = 2 * apart + part + first
    source = SOURCE.format(all=there, part=part, apart=apart, first=first)
    program = tolang.compile(source, engine="cpu", fallback=False)
    random = np.random.default_rng(part)
    x = random.standard_normal((2, 9, 7, there), dtype=np.float32)
    assert ("direct convolution" in program.explain().full) == fills_lanes(host_target())
    k = random.standard_normal((24, part, 2), dtype=np.float32)
    inner = x[:, 1:-1, 1:-1]
    chosen = np.stack([inner[..., apart * q + first : apart * q + first + part] for q in (1, 2)], axis=-1)
    expected = np.einsum("abcrq,drq->abcd", chosen.astype("f8"), k.astype("f8"))
    found = program.fix(k=k)(x) if fixed else program(x, k)
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()  # sums of at most 48 products in 32 bits
