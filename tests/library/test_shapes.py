"""Vectors, coordinates, shapes and new ToLs, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.library.calls import SHAPES, arrays, numbers, same, value

VECTORS = [np.array([3.0, 1.0, 2.0]), np.array([3, 1, 2, 1], dtype=np.int32), np.array([True, False])]


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_vectors_with_one_element_more_less_or_other(vector: Any) -> None:
    for j in range(1, len(vector) + 1):
        same(value("without(v, j)", v=vector, j=j), np.delete(vector, j - 1))
        same(value("without(v, j)", v=vector, j=np.int64(j)), np.delete(vector, j - 1))
        changed = vector.copy()
        changed[j - 1] = vector[0]
        same(value("put(v, j, v[1])", v=vector, j=j), changed)
        same(value("put(v, j, v[1])", v=vector, j=np.int64(j)), changed)
    for j in range(1, len(vector) + 2):
        same(value("insert(v, j, v[1])", v=vector, j=j), np.insert(vector, j - 1, vector[0]))


def test_insert_into_nothing() -> None:
    same(value("insert(v, 1, 5)", v=np.zeros(0)), [5.0])


@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 2, 3)])
def test_pick(shape: tuple[int, ...]) -> None:
    idx = np.array([4, 1, 1])
    for x in arrays(shape):
        same(value("pick(x, idx)", x=x, idx=idx), x[idx - 1])
        same(value("pick(x, idx)", x=x, idx=(4, 1, 1)), x[idx - 1])
        same(value("pick(x, idx)", x=x, idx=idx[:0]), x[:0])


def test_below_and_position() -> None:
    v = np.array([3.0, 1.0, 2.0, 1.0])
    assert value("below(v, k)", v=v, k=2) == 2
    assert value("below(v, k)", v=v[:0], k=2) == 0
    assert [value("position(v, k)", v=v, k=k) for k in (3.0, 1.0, 5.0)] == [1, 2, 0]


def test_merge_and_beside() -> None:
    assert value("merge([10,20], [7,8], [3,1])").tolist() == [8, 10, 7, 20]
    assert value("beside([5,6,7,8], [3,1])").tolist() == [6, 8]
    assert value("beside([5,6,7,8], 2)").tolist() == [5, 7, 8]


def test_inside_and_at() -> None:
    shape = (2, 3)
    for c in ((1, 1), (2, 3), (0, 1), (2, 4), (3, 1)):
        assert value("inside(c, shape)", c=c, shape=shape) == all(1 <= i <= n for i, n in zip(c, shape, strict=True))
    assert value("at(x, [2,1])", x=np.array([[1.0], [5.0]])) == 5
    assert value("at(x, [2,1])", x=7.5) == 7.5


@pytest.mark.parametrize("shape", [(), *SHAPES])
def test_axes_and_elements(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape)
    assert value("axes(x)", x=x).tolist() == list(range(1, x.ndim + 1))
    assert value("elements(x)", x=x) == x.size


BROADCASTS = [((2, 3), (2, 3)), ((2, 1), (1, 3)), ((4,), (2, 3, 4)), ((5, 1, 4), (3, 1)), ((0,), (1,)), ((), (2,))]


@pytest.mark.parametrize(("one", "two"), [*BROADCASTS, *((b, a) for a, b in BROADCASTS)])
def test_broadcast(one: tuple[int, ...], two: tuple[int, ...]) -> None:
    shape = np.broadcast_shapes(one, two)
    same(value("broadcast(|x|, |y|)", x=np.zeros(one), y=np.zeros(two)), np.array(shape, dtype=np.int64))
    x = numbers(*one)
    same(value("broadcast_to(x, shape)", x=x, shape=shape), np.broadcast_to(x, shape))


def test_broadcast_of_sizes_bound_by_data() -> None:
    import tolang

    program = tolang.compile("tol x: R [n,m]\ntol y: R [k,m]\nshape := broadcast(|x|, |y|)")
    for one, two in [((2, 3), (1, 3)), ((1, 3), (2, 3)), ((2, 1), (2, 1))]:
        assert program(np.zeros(one), np.zeros(two)).tolist() == list(np.broadcast_shapes(one, two))
    with pytest.raises(tolang.ToLangRunError, match="shapes that must be equal are not"):
        program(np.zeros((2, 3)), np.zeros((3, 3)))


@pytest.mark.parametrize("n", [0, 1, 5])
def test_range(n: int) -> None:
    same(value("range(n)", n=n), np.arange(1, n + 1))


@pytest.mark.parametrize("ends", [(2, 10, 3), (5, 0, -2), (0, 6, 2), (5, 0, 2), (-3, 3, 1)])
def test_arange_of_whole_numbers(ends: tuple[int, int, int]) -> None:
    start, stop, step = ends
    same(value("arange(a, b, s)", a=start, b=stop, s=step), np.arange(start, stop, step))
    same(value("arange(a, b)", a=start, b=stop), np.arange(start, stop))


def test_arange_of_fractions() -> None:
    same(value("arange(0, 1, 0.25)"), np.arange(0, 1, 0.25))
    same(value("arange(a, b, s)", a=0.5, b=2.0, s=0.5), np.arange(0.5, 2.0, 0.5))


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_linspace(n: int) -> None:
    same(value("linspace(a, b, n)", a=-1.5, b=2.0, n=n), np.linspace(-1.5, 2, n))
    same(value("linspace(0, 3, n)", n=n), np.linspace(0, 3, n))
    single = value("linspace(a, b, n)", a=np.float32(0.1), b=np.float32(0.7), n=n)
    assert single.dtype == np.float32
    same(single, np.linspace(0.1, 0.7, n))


@pytest.mark.parametrize("shape", [(3,), (2, 0), (2, 3), (2, 3, 2), (2, 1, 2, 3)])
def test_full_iota_and_one_hot(shape: tuple[int, ...]) -> None:
    same(value("full(shape, 7)", shape=shape), np.full(shape, 7))
    same(value("full(shape, v)", shape=shape, v=2.5), np.full(shape, 2.5))
    for axis in range(1, len(shape) + 1):
        same(value("iota(shape, axis)", shape=shape, axis=axis), np.indices(shape)[axis - 1] + 1)
    idx = np.random.default_rng(0).integers(1, 5, size=shape)
    same(value("one_hot(idx, 4)", idx=idx), np.eye(4)[idx - 1])
