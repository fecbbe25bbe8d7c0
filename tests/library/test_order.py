"""Sorting, searching and counting, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from tests.library.calls import SHAPES, Array, arrays, same, value

import tolang

pytestmark = pytest.mark.sampled(3)


@pytest.mark.parametrize("shape", SHAPES)
def test_sort_and_argsort(shape: tuple[int, ...]) -> None:
    for x in arrays(shape)[::2]:
        for axis in range(1, len(shape) + 1):
            same(value("sort(x, axis)", x=x, axis=axis), np.sort(x, axis - 1))
            same(value("argsort(x, axis)", x=x, axis=axis), np.argsort(x, axis - 1, kind="stable") + 1)
        same(value("sort(x)", x=x), np.sort(x))


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 4)])
def test_descending(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).integers(0, 4, size=shape)
    same(value("sort(x, ||x||, true)", x=x), -np.sort(-x))
    same(value("argsort(x, descending=true)", x=x), np.argsort(-x, kind="stable") + 1)


def test_nan_is_last() -> None:
    x = np.array([3.0, np.nan, 1.0, np.nan, 2.0, -np.inf])
    same(value("sort(x)", x=x), np.sort(x))
    same(value("argsort(x)", x=x), np.argsort(x, kind="stable") + 1)
    same(value("sort(x, descending=true)", x=x), [3, 2, 1, -np.inf, np.nan, np.nan])


def test_text_is_sorted() -> None:
    assert value("sort(x)", x=np.array(["pear", "fig", "apple"])).tolist() == ["apple", "fig", "pear"]


def test_records_are_sorted_by_a_key() -> None:
    rows = [("b", 2), ("a", 1), ("c", 2), ("d", 0)]
    x = tolang.ToL.of(rows)
    assert value("sort_by(x, r -> r[2]')", x=x).to_list() == sorted(rows, key=lambda r: r[1])
    assert value("sort_by(x, r -> r[1]')", x=x).to_list() == sorted(rows)
    descending = sorted(rows, key=lambda r: r[1], reverse=True)
    assert value("sort_by(x, r -> r[2]', true)", x=x).to_list() == descending


def test_rows_are_sorted_by_a_key() -> None:
    x = np.array([[3.0, 1.0], [1.0, 1.0], [0.0, 5.0]])
    same(value("sort_by(x, row -> sum(row))", x=x), x[np.argsort(x.sum(1))])


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(side: str) -> None:
    flag = "true" if side == "right" else "false"
    items = np.array([-1.0, 1.0, 1.5, 2.0, 9.0, np.nan])
    for v in (np.array([1.0, 2.0, 2.0, 3.0]), np.array([1, 1, 2]), np.zeros(0)):
        expected = np.searchsorted(v, items, side=side) + 1  # type: ignore[call-overload]
        same(value(f"map(items, searchsorted(v, *, {flag}))", v=v, items=items), expected)


def test_what_is_inserted_where_it_is_searched_keeps_the_order() -> None:
    v = np.array([5.0, 3.0, 3.0, 1.0])
    for item in (6.0, 3.0, 2.0, 0.0):
        result = value("insert(v, searchsorted(v, x, true, true), x)", v=v, x=item)
        same(result, -np.sort(-np.append(v, item)))


@pytest.mark.parametrize("length", [0, 1, 2, 9])
def test_unique_and_bincount(length: int) -> None:
    x = np.sort(np.random.default_rng(length).integers(1, 6, size=length))
    same(value("unique(x)", x=x), np.unique(x))
    same(value("unique(x)", x=x / 2), np.unique(x / 2))
    same(value("bincount(x, 5)", x=x), np.bincount(x, minlength=6)[1:])


@pytest.mark.parametrize("shape", [(0,), (1,), (50,), (5, 6), (2, 3, 4)])
def test_histogram(shape: tuple[int, ...]) -> None:
    x: Array = np.random.default_rng(1).integers(-1, 9, size=shape) / 2
    for edges in (np.array([0.0, 1.0, 3.0]), np.array([0.0, 0.5, 1.5, 1.75, 4.0])):
        same(value("histogram(x, edges)", x=x, edges=edges), np.histogram(x, edges)[0])


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_the_first_few_are_those_of_the_whole_order(engine: str) -> None:
    source = "tol v: R [n]\ntol k: N\nplaces := top_k(v, k)\nleast := top_k(v, k, false)\nlast := kth(v, k)"
    program = tolang.compile(source, engine=engine, fallback=False)
    generator = np.random.default_rng(12)
    for length, k in ((1, 1), (7, 3), (12, 1), (9, 9)):
        v = generator.choice([-1.0, 0.5, 2.0, 3.0, np.inf, np.nan], length)
        v = generator.permutation(np.append(v, generator.normal(size=length)))
        found = program(v=v, k=k)
        np.testing.assert_array_equal(found["places"], np.argsort(-v, kind="stable")[:k] + 1)
        np.testing.assert_array_equal(found["least"], np.argsort(v, kind="stable")[:k] + 1)
        assert np.array_equal(found["last"], np.sort(v)[k - 1], equal_nan=True)
