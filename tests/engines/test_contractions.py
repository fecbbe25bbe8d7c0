"""The contraction kernel: any semiring, any shapes beside whole tiles, several cuts of the depth, fused epilogues."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.nests.contractions import Contraction, classify
from tolang.nests.nest import Nest
from tolang.nests.steps import lower

DECLARED = "tol a: R [n,k]\ntol b: R [k,m]\ntol bias: R [m]\ntol scale: R [n]\n"
PRODUCT = "reduce(map(a[i], * * b[*,j]), add, 0)"
SHAPES = [(1, 1, 1), (8, 12, 5), (9, 13, 17), (3, 40, 2), (17, 5, 1100), (30, 25, 0), (0, 4, 3), (4, 0, 3)]
Array = np.ndarray[Any, Any]


def contractions(source: str) -> list[Contraction]:
    found = [classify(step) for step in lower(tolang.compile(source).core).steps if isinstance(step, Nest)]
    return [one for one in found if one is not None]


def data(shape: tuple[int, int, int], kind: str) -> tuple[Array, Array, Array, Array]:
    n, m, k = shape
    generator = np.random.default_rng(n + m + k)
    made = [generator.normal(size=size).astype(kind) for size in ((n, k), (k, m), (m,), (n,))]
    return made[0], made[1], made[2], made[3]


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_product_with_epilogue(shape: tuple[int, int, int], kind: str) -> None:
    """Bias along the columns, a factor along the rows, an activation: on whole tiles and beside them."""
    source = DECLARED + f"y := map(tol[n,m], max(0, scale[i] * {PRODUCT} + bias[j]) - 0.5, [i,j])"
    assert len(contractions(source)) == 1
    a, b, bias, scale = data(shape, kind)
    expected = np.maximum(0, scale[:, None] * (a @ b) + bias) - np.asarray(0.5, kind)
    result = tolang.compile(source, engine="cpu", fallback=False)(a, b, bias, scale)
    assert result.dtype == expected.dtype
    tolerance = 2e-4 if kind == "f4" else 1e-11  # sums of up to 1,100 products, in another order than NumPy's
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("times", "plus", "zero", "expected"),
    [
        ("* + b[*,j]", "min", "+Inf", lambda a, b: (a[:, :, None] + b).min(axis=1, initial=np.inf)),
        ("* + b[*,j]", "max", "-Inf", lambda a, b: (a[:, :, None] + b).max(axis=1, initial=-np.inf)),
        ("min(*, b[*,j])", "max", "-Inf", lambda a, b: np.minimum(a[:, :, None], b).max(axis=1, initial=-np.inf)),
        ("(* - b[*,j])^2", "add", "0", lambda a, b: ((a[:, :, None] - b) ** 2).sum(axis=1)),
    ],
    ids=["min-plus", "max-plus", "max-min", "squared distances"],
)
@pytest.mark.parametrize("shape", SHAPES)
def test_other_products(shape: tuple[int, int, int], times: str, plus: str, zero: str, expected: Any) -> None:
    source = DECLARED + f"y := map(tol[n,m], reduce(map(a[i], {times}), {plus}, {zero}), [i,j])"
    assert len(contractions(source)) == 1
    a, b, bias, scale = data(shape, "f8")
    result = tolang.compile(source, engine="cpu", fallback=False)(a, b, bias, scale)
    np.testing.assert_allclose(result, expected(a, b), rtol=1e-12, atol=1e-12)


def test_min_plus_keeps_nan() -> None:
    source = DECLARED + "y := map(tol[n,m], reduce(map(a[i], * + b[*,j]), min, +Inf), [i,j])"
    a, b, bias, scale = data((9, 13, 7), "f4")
    a[4, 2] = np.nan
    result = tolang.compile(source, engine="cpu", fallback=False)(a, b, bias, scale)
    assert np.isnan(result[4]).all()
    assert not np.isnan(np.delete(result, 4, axis=0)).any()


def test_renamed_and_inlined_copies_are_the_same_contraction() -> None:
    """A contraction is a classification of dimensions: what the user calls things, or writes out, does not matter."""
    library = "use linalg\ntol a: R [n,k]\ntol b: R [k,m]\ny := matmul(a, b)"
    copied = (
        "tol p: R [n,k]\ntol q: R [k,m]\nz := map(tol[n,m], reduce(tol[k], (s,t,l) -> s + p[u,l]*q[l,v], 0), [u,v])"
    )
    shapes = [(len(c.rows), len(c.columns), len(c.depth), len(c.batch), c.group.combine) for s in (library, copied)
              for c in contractions(s)]  # fmt: skip
    assert shapes == [(1, 1, 1, 0, "add")] * 2
