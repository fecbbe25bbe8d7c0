"""Buffers in another order than the program's axes: whoever reads them, in whatever way, reads the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines.cpu.runtime import native
from tolang.schedule.direct_convolution import fills_lanes

MAPS = 32
CONVOLUTION = f"""\
tol x: R [{MAPS},6,7]
tol v: R [{MAPS},{MAPS},3,3]
tol w: R [{MAPS},{MAPS},3,3]
at(t,c,i,j) = if i > 0 and i <= |t|[2] and j > 0 and j <= |t|[3] then t[c,i,j] else 0
convolve(t,u) = map(tol[{MAPS},6,7], reduce(map(u[o], * * at(t, c, i+a-2, j+b-2), [c,a,b]), add, 0), [o,i,j])
y = convolve(x, v)
"""
READERS = {
    "another": "r := convolve(y, w)",
    "two others": "r := map(convolve(y, w), * + max(y[o,i,j], x[o,i,j]), [o,i,j])",
    "a chain": "z = convolve(map(y, max(*, 0)), w)\nr := convolve(map(z, * + y[o,i,j], [o,i,j]), v)",
    "windows of each": f"p = map(tol[{MAPS},3,3], reduce(map(tol[2,2], y[c,2*i+a-2,2*j+b-2], [a,b]), max, -Inf), [c,i,j])\nr := convolve(y, w)\ns := p",
    "windows with weights": f"z = map(tol[{MAPS},6,7], reduce(map(v[c,1], * * at(y, c, i+a-2, j+b-2), [a,b]), add, 0), [c,i,j])\nr := convolve(z, w)",
    "sums of each": f"z = convolve(y, w)\nr := map(tol[{MAPS}], reduce(map(tol[6,7], z[c,i,j], [i,j]), add, 0), c)",
    "all in a row": f"z = convolve(y, w)\nr := map(reshape(z, [{MAPS * 42}]), * + 1)",
    "rows of another length": f"z = convolve(y, w)\nr := map(reshape(z, [{MAPS * 3},14]), * + 1)",
    "other axes": f"z = convolve(y, w)\nr := map(tol[7,{MAPS},6], z[c,i,j] * 2, [j,c,i])",
    "one element": "z = convolve(y, w)\nr := z[3,2,1] + z[1,2,3]",
    "a part": "z = convolve(y, w)\nr := map(z[5:9], * * 3)",
    "joined": "z = convolve(y, w)\nr := map([y, z], exp(*))",
    "a fold's steps": "z = convolve(y, w)\nr := reduce(tol[3], (s,e) -> map(s, * * 0.5 + z[1,1,1]), z)",
    "places from data": "z = convolve(y, w)\nr := map(tol[4], z[1 + floor(abs(x[i,1,1])), 2, i], i)",
}  # fmt: skip
ORDERED = ("another", "two others", "a chain", "windows of each", "windows with weights")


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    random = np.random.default_rng(3)
    shapes = {"x": (MAPS, 6, 7), "v": (MAPS, MAPS, 3, 3), "w": (MAPS, MAPS, 3, 3)}
    return {name: random.normal(size=shape) / (1 if name == "x" else MAPS) for name, shape in shapes.items()}


@pytest.mark.parametrize("reader", READERS)
def test_the_same_numbers_are_read(reader: str, data: dict[str, Any]) -> None:
    source = CONVOLUTION + READERS[reader]
    found: Any = tolang.compile(source, engine="cpu", fallback=False)(**data)
    wanted: Any = tolang.compile(source, engine="cpu", fallback=False, strict=True)(**data)
    np.testing.assert_allclose(
        found["r"] if isinstance(found, dict) else found,
        wanted["r"] if isinstance(wanted, dict) else wanted,
        rtol=1e-10,
        atol=1e-12,
    )


@pytest.mark.skipif(not fills_lanes(native.host_target()), reason="windows are no rows on this machine")
@pytest.mark.parametrize("reader", ORDERED)
def test_between_convolutions_nothing_is_turned(reader: str) -> None:
    told = tolang.compile(CONVOLUTION + READERS[reader]).explain().full
    assert "layout assignment: buffers between" in told
    assert f"[6, 7, {MAPS}]" in told


def test_a_convolution_is_that_of_numpy(data: dict[str, Any]) -> None:
    padded = np.pad(data["x"], ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    once = np.einsum("ocab,cijab->oij", data["v"], windows)
    again = np.lib.stride_tricks.sliding_window_view(np.pad(once, ((0, 0), (1, 1), (1, 1))), (3, 3), axis=(1, 2))
    wanted = np.einsum("ocab,cijab->oij", data["w"], again)
    np.testing.assert_allclose(tolang.compile(CONVOLUTION + READERS["another"])(**data), wanted, rtol=1e-10)
