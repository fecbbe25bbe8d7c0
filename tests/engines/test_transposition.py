"""Transpositions in square blocks, held against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang

PLAIN = "tol x: {kind} [b,n,m]\ny := map(tol[b,m,n], x[k,j,i], [k,i,j])"
WITH_MORE = "tol x: {kind} [b,n,m]\ntol w: {kind} [m]\ny := map(tol[b,m,n], max(0, x[k,j,i]*w[i] + 1), [k,i,j])"
SHAPES = [
    (1, 1, 1),
    (2, 3, 5),
    (1, 16, 16),
    (2, 14, 7),
    (1, 28, 30),
    (1, 15, 25),
    (3, 17, 40),
    (1, 70, 33),
    (2, 129, 8),
    (1, 0, 9),
    (0, 20, 20),
]


@pytest.mark.parametrize("kind", ["f32", "f64", "i32"])
def test_every_shape(kind: str) -> None:
    """Whole blocks, what is left over of them, nothing at all."""
    program = tolang.compile(PLAIN.format(kind=kind), engine="cpu", fallback=False)
    assert "by transposition" in program.explain().full
    for shape in SHAPES:
        x: Any = (
            np.random.default_rng(1).integers(-99, 99, shape).astype(kind.replace("f", "float").replace("i", "int"))
        )
        assert np.array_equal(program(x), x.swapaxes(1, 2)), shape


def test_what_is_computed_on_the_way() -> None:
    program = tolang.compile(WITH_MORE.format(kind="f64"), engine="cpu", fallback=False)
    assert "by transposition" in program.explain().full
    for shape in SHAPES:
        x, w = np.random.default_rng(2).standard_normal(shape), np.random.default_rng(3).standard_normal(shape[2])
        expected = np.maximum(0, x.swapaxes(1, 2) * w[:, None] + 1)
        np.testing.assert_allclose(program(x, w), expected, rtol=1e-15)


def test_lines_that_are_also_read_along_are_not_turned() -> None:
    source = "tol x: f64 [n,n]\ny := map(tol[n,n], x[j,i] + x[i,j], [i,j])"
    program = tolang.compile(source, engine="cpu", fallback=False)
    assert "by transposition" not in program.explain().full
    x = np.random.default_rng(4).standard_normal((37, 37))
    assert np.array_equal(program(x), x + x.T)


def test_components_are_turned_together() -> None:
    """A nest of several values is taken in blocks where all of them are read and written alike."""
    source = (
        "list pair: [a: {0}, b: {1}]\ntol x: pair [n,m]\nr := reduce(tol[2], (s,k) -> map(s, {2}, [i,j]), transpose(x))"
    )
    step = "(*[1]' + s[1,j][1]', *[2]' * 2)"
    program = tolang.compile(source.format("R", "R", step), engine="cpu", fallback=False)
    assert "by transposition" in program.explain().full
    for shape in [(1, 1), (3, 5), (16, 16), (28, 30), (70, 33), (0, 9)]:
        x = np.zeros(shape, [("a", "f8"), ("b", "f8")])
        x["a"], x["b"] = np.random.default_rng(5).integers(-99, 99, (2, *shape))
        a, b = x["a"].T, x["b"].T * 4
        for _ in range(2):
            a = a + a[:1]
        found: Any = program(x)
        assert all(map(np.array_equal, found.columns, (a, b))), shape
    mixed = tolang.compile(source.format("f32", "R", step), engine="cpu", fallback=False)
    assert "by transposition" not in mixed.explain().full  # blocks of two sides
