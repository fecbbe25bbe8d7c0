"""Gradients of windows that move by several coordinates and reach over the ends, whatever is computed of what they read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tolang

Array = NDArray[np.float64]
SOURCE = """\
tol x: f64 [{length}]
tol k: f64 [{width}]
at(p) = if p >= 1 and p <= {length} then {of} else 0
y = map(tol[{windows}], reduce(map(k, (w,i) -> w * at({stride}*o + i - {stride} - {edge})), add, 0), o)
loss := reduce(map(y, * * *), add, 0) / 2
"""
SLOPES = {"x[p]": lambda x: np.ones_like(x), "x[p]^2": lambda x: 2 * x}
VALUES = {"x[p]": lambda x: x, "x[p]^2": lambda x: x * x}


def slopes(of: str, x: Array, k: Array, stride: int, edge: int, windows: int) -> tuple[Array, Array]:
    """By the chain rule, element by element."""
    read, d_x, d_k = VALUES[of](x), np.zeros_like(x), np.zeros_like(k)
    for window in range(windows):
        met = [(i, stride * window + i - edge) for i in range(len(k))]
        inside = [(i, p) for i, p in met if 0 <= p < len(x)]
        y = sum(k[i] * read[p] for i, p in inside)
        for i, p in inside:
            d_x[p] += y * k[i] * SLOPES[of](x)[p]
            d_k[i] += y * read[p]
    return d_x, d_k


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
@pytest.mark.parametrize("of", SLOPES)
@pytest.mark.parametrize("edge", [0, 1, 2])
@pytest.mark.parametrize(("stride", "width"), [(2, 1), (2, 3), (2, 4), (3, 2), (3, 5)])
def test_gradients_of_windows(stride: int, width: int, edge: int, of: str, engine: str) -> None:
    generator = np.random.default_rng(stride * width + edge)
    k = generator.standard_normal(width)
    # what is derived of known lengths is the same for both engines, and is not compiled, too
    known = (8, 9) if engine == "interpret" else ()
    for length in ("n", *known):
        windows = f"({length} + {2 * edge - width}) / {stride} + 1"
        spelt: dict[str, Any] = {"length": length, "width": width, "windows": f"floor({windows})"}
        source = SOURCE.format(**spelt, of=of, stride=stride, edge=edge)
        gradient = tolang.compile(source, engine=engine).gradient(of="loss", by=["x", "k"])
        for n in (length,) if isinstance(length, int) else (7, 8, 9, 12):
            x = generator.standard_normal(n)
            d_x, d_k = slopes(of, x, k, stride, edge, (n + 2 * edge - width) // stride + 1)
            found = gradient(x=x, k=k)
            # the same sums of at most twelve products in another order; some are nearly 0
            np.testing.assert_allclose(found["d_x"], d_x, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(found["d_k"], d_k, rtol=1e-12, atol=1e-12)
