"""Windows of each map by itself, the maps innermost: against NumPy, for lengths that vectors and places do not divide."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

DEPTHWISE = """tol x: {kind} [n,{height},{width},{maps}]
tol w: {kind} [{a},{b},{maps}]
tol d: {kind} [{maps}]
at(k,i,j,c) = if i > 0 and i <= {height} and j > 0 and j <= {width} then x[k,i,j,c] else 0
summed(k,i,j,c) = reduce(map(tol[{a},{b}], at(k, {step}*(i-1)+p-{before}, {step}*(j-1)+q-{before}, c) * w[p,q,c], [p,q]), add, 0)
y := map(tol[n,{rows},{columns},{maps}], {{ s = summed(k,i,j,c) + d[c]; s * min(max(s/6 + 0.5, 0), 1) }}, [k,i,j,c])
"""
POOLED = """tol x: {kind} [n,{height},{width},{maps}]
y := map(tol[n,{rows},{columns},{maps}], reduce(map(tol[3,3], x[k,i+p-1,j+q-1,c], [p,q]), max, -Inf), [k,i,j,c])
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("kind", "height", "width", "maps", "side", "step"),
    [("f32", 8, 8, 48, 3, 1), ("f32", 7, 5, 24, 5, 1), ("f32", 15, 16, 17, 3, 2), ("f64", 9, 23, 19, 7, 1)],
)
def test_windows_of_maps(kind: str, height: int, width: int, maps: int, side: int, step: int, threads: int) -> None:
    before = side // 2
    rows, columns = ((length - 1) // step + 1 for length in (height, width))
    names = {"kind": kind, "height": height, "width": width, "maps": maps, "a": side, "b": side, "step": step}
    source = DEPTHWISE.format(**names, before=before, rows=rows, columns=columns)
    program = tolang.compile(source, engine="cpu", threads=threads, fallback=False)
    assert "depthwise" in program.explain().full
    generator = np.random.default_rng(1)
    x = generator.standard_normal((2, height, width, maps)).astype(f"f{int(kind[1:]) // 8}")
    w, d = (generator.standard_normal(shape).astype(x.dtype) for shape in ((side, side, maps), (maps,)))
    around = np.pad(x.astype("f8"), ((0, 0), (before, before), (before, before), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(around, (side, side), (1, 2))[:, ::step, ::step]
    summed = np.einsum("nijcpq,pqc->nijc", windows, w.astype("f8")) + d
    expected = summed * np.clip(summed / 6 + 0.5, 0, 1)
    np.testing.assert_allclose(program(x, w, d), expected, rtol=1e-4, atol=1e-4 if kind == "f32" else 1e-10)


def test_pooled_maps_keep_nan() -> None:
    program = tolang.compile(POOLED.format(kind="f32", height=6, width=9, maps=33, rows=4, columns=7), fallback=False)
    assert "depthwise" in program.explain().full
    x = np.random.default_rng(2).standard_normal((1, 6, 9, 33)).astype("f4")
    x[0, 2, 3, 5], x[0, 1, 1, 32] = np.nan, -np.inf
    expected = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2)).max(axis=(-1, -2))
    np.testing.assert_array_equal(program(x), expected)
