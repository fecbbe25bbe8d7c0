"""Inputs at any address: compiled code reads them where they lie, as weights in a mapped file, judged by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import tolang

Array = np.ndarray[Any, Any]

FORMS: dict[str, tuple[str, Callable[[Array, Array], Any]]] = {
    "products": ("map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])", lambda a, b: a @ b),
    "elements": ("map(a, sub(*, 3))", lambda a, b: a - 3),
    "sums": ("map(tol[n], reduce(a[i], add, 0), i)", lambda a, b: a.sum(axis=1)),
    "columns": ("map(tol[k], reduce(a[1:n,i], max, -Inf), i)", lambda a, b: a.max(axis=0)),
    "all": ("reduce(map(tol[n*k], a[div(i-1,k)+1, mod(i-1,k)+1], i), add, 0)", lambda a, b: a.sum()),
    "turned": ("map(tol[m,k], b[j,i], [i,j])", lambda a, b: b.T),
    "prefixes": ("map(tol[n], reduce(a[1:i,1], add, 0), i)", lambda a, b: a[:, 0].cumsum()),
    "places": ("map(tol[n], a[n+1-i, k], i)", lambda a, b: a[::-1, -1]),
}


@cache
def program(form: str) -> tolang.Program:
    return tolang.compile(f"tol a: R [n,k]\ntol b: R [k,m]\ny := {FORMS[form][0]}", fallback=False)


def moved(array: Array, offset: int) -> Array:
    """The same elements, so many bytes behind an address that suits them."""
    room = np.zeros(array.nbytes + 64, np.uint8)
    found = np.frombuffer(room.data, array.dtype, array.size, offset).reshape(array.shape)
    found[...] = array
    assert found.flags.aligned == (offset % array.dtype.alignment == 0)
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_results_are_those_of_numpy_at_every_address(form: str, kind: str) -> None:
    random = np.random.default_rng(7)
    a, b = (random.integers(-9, 10, shape).astype(kind) for shape in ((67, 35), (35, 50)))
    expected = FORMS[form][1](a, b)  # whole numbers far below 2^24: sums of them are exact in any order
    for offset in (0, 1, 2, 3, 5, 8):
        assert np.array_equal(program(form)(moved(a, offset), moved(b, 7 - offset % 3)), expected), offset


@pytest.mark.parametrize("kind", ["i2", "i4", "i8", "u2", "f2", "?"])
def test_other_storages(kind: str) -> None:
    values = np.arange(-50, 51).astype(kind) if kind != "u2" else np.arange(101, dtype="u2")
    twice = tolang.compile(
        "tol a: " + ("B" if kind == "?" else "R") + " [n]\ny := map(tol[n], a[n+1-i], i)", fallback=False
    )
    for offset in (0, 1, 3):
        assert np.array_equal(twice(moved(values, offset)), values[::-1])
