"""Rows that a tile reads where they lie, a line of each asked for ahead: the sums are those of rows that were copied."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang

PRODUCT = "tol a: {kind} [n,k]\ntol b: {kind} [k,m]\nc := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
NEAREST = (
    "tol a: {kind} [n,k]\ntol b: {kind} [k,m]\nc := map(tol[n,m], reduce(map(a[i], * + b[*,j]), min, +Inf), [i,j])"
)
FEW, MANY = 70, 900
"""Columns for which rows are read where they lie, in two panels at the least, and for which they are copied."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("source", [PRODUCT, NEAREST], ids=["product", "nearest"])
def test_depths_around_lines(source: str, kind: str, threads: int) -> None:
    program = tolang.compile(source.format(kind=f"f{kind[-2:]}"), engine="cpu", fallback=False, threads=threads)
    generator = np.random.default_rng(5)
    for depth in (1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 64, 95, 130, 1700):
        for rows in (4, 6, 13, 61):
            a: Any = generator.standard_normal((rows, depth)).astype(kind)
            b: Any = generator.standard_normal((depth, MANY)).astype(kind)
            few, many = np.asarray(program(a, b[:, :FEW].copy())), np.asarray(program(a, b))
            assert np.array_equal(few, many[:, :FEW]), (depth, rows)
            wide = a.astype("f8")
            wanted = wide @ b if source == PRODUCT else (a[:, :, None] + b[None, :, :FEW]).min(1)
            assert np.allclose(few, wanted[:, :FEW], rtol=1e-4, atol=1e-4), (depth, rows)
