"""Linear algebra against NumPy and SciPy: matrices, products, norms, paths, equations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.csgraph
import scipy.special
from scipy.spatial.distance import cdist
from tests.library.calls import Array, linalg, numbers, same

pytestmark = pytest.mark.sampled(3)

OFFSETS = [-9, -2, -1, 0, 1, 3, 9]
PRODUCTS = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((1, 1), (1, 1)), ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (5, 3, 4)), ((5, 1, 2, 3), (4, 3, 2)), ((3,), (5, 3, 2)), ((5, 2, 3), (3,)), ((0, 3), (3, 2)),
    ((2, 0), (0, 3)), ((1, 3), (3, 1)),
]  # fmt: skip


@pytest.mark.parametrize("offset", OFFSETS)
def test_diagonals_and_triangles(offset: int) -> None:
    for n, m in ((3, 3), (2, 4), (4, 2), (1, 1), (0, 0)):
        same(linalg(f"eye({n}, {m}, o)", o=offset), np.eye(n, m, offset))
    for shape in ((3, 3), (2, 4), (2, 3, 4), (2, 1, 3, 2)):
        a = numbers(*shape)
        same(linalg("diagonal(a, o)", a=a, o=offset), np.diagonal(a, offset, -2, -1))
        same(linalg("tril(a, o)", a=a, o=offset), np.tril(a, offset))
        same(linalg("triu(a, o)", a=a, o=offset), np.triu(a, offset))


def test_eye_trace_diagonal_matrix_and_transposed() -> None:
    same(linalg("eye(3)"), np.eye(3))
    same(linalg("diagonal_matrix(v)", v=numbers(3)), np.diag(numbers(3)))
    for shape in ((3, 3), (2, 4), (2, 3, 4), (0, 2)):
        a = numbers(*shape)
        same(linalg("trace(a)", a=a), np.trace(a, axis1=-2, axis2=-1))
        same(linalg("transposed(a)", a=a), np.swapaxes(a, -1, -2))


@pytest.mark.parametrize(("one", "two"), PRODUCTS)
def test_matmul(one: tuple[int, ...], two: tuple[int, ...]) -> None:
    a, b = numbers(*one), numbers(*two, seed=1)
    same(linalg("matmul(a, b)", a=a, b=b), a @ b)
    whole, other = (a * 9).astype(np.int64), (b * 9).astype(np.int64)
    same(linalg("matmul(a, b)", a=whole, b=other), whole @ other)
    single = linalg("matmul(a, b)", a=a.astype(np.float32), b=b.astype(np.float32))
    assert single.dtype == np.float32
    same(single, a @ b)


def test_matmul_of_complex_numbers_and_truths() -> None:
    a, b = numbers(2, 3) + 1j * numbers(2, 3, seed=1), numbers(3, 2) + 1j
    same(linalg("matmul(a, b)", a=a, b=b), a @ b)
    truth, other = numbers(4, 4) > 0, numbers(4, 4, seed=1) > 0
    same(linalg("matmul_over(a, b, and, or, false)", a=truth, b=other), truth @ other)


def test_matvec() -> None:
    a, v = numbers(5, 2, 3), numbers(5, 3)
    same(linalg("matvec(a, v)", a=a, v=v), np.einsum("bij,bj->bi", a, v))
    same(linalg("matvec(a, v)", a=a[0], v=v[0]), a[0] @ v[0])
    same(linalg("matvec(a, v)", a=a[0], v=v), v @ a[0].T)


@pytest.mark.parametrize("shape", [(4, 3), (2, 4, 3), (0, 3), (1, 1)])
def test_products_over_other_operations(shape: tuple[int, ...]) -> None:
    a = numbers(*shape)
    b = np.swapaxes(numbers(*shape, seed=1), -1, -2).copy()
    terms = a[..., :, :, None] + b[..., None, :, :]
    same(linalg("min_plus(a, b)", a=a, b=b), terms.min(-2))
    same(linalg("max_plus(a, b)", a=a, b=b), terms.max(-2))
    together = "(x,y) -> max(x,y) + log(1 + exp(-abs(x - y)))"
    summed = linalg(f"matmul_over(a, b, add, {together}, -1e300)", a=a, b=b)
    same(summed, scipy.special.logsumexp(terms, axis=-2) if a.size else terms.sum(-2))


@pytest.mark.parametrize(
    ("one", "two", "p", "q"),
    [
        ((2, 3, 4), (4, 3, 5), (2, 3), (2, 1)),
        ((2, 3, 4), (4, 5), (3,), (1,)),
        ((2, 3), (2, 3), (1, 2), (1, 2)),
        ((2, 3), (4,), (), ()),
        ((2, 0), (0, 3), (2,), (1,)),
    ],
)
def test_tensordot(one: tuple[int, ...], two: tuple[int, ...], p: tuple[int, ...], q: tuple[int, ...]) -> None:
    a, b = numbers(*one), numbers(*two, seed=1)
    expected = np.tensordot(a, b, ([d - 1 for d in p], [d - 1 for d in q]))
    same(linalg("tensordot(a, b, p, q)", a=a, b=b, p=p, q=q), expected)
    if len(p) == 1:
        same(linalg("tensordot(a, b, p, q)", a=a, b=b, p=p[0], q=q[0]), expected)


@pytest.mark.parametrize(("one", "two"), [((3,), (3,)), ((2, 3), (4, 3)), ((2, 3), (3,)), ((2, 1, 3), (2, 3))])
def test_inner(one: tuple[int, ...], two: tuple[int, ...]) -> None:
    a, b = numbers(*one), numbers(*two, seed=1)
    same(linalg("inner(a, b)", a=a, b=b), np.inner(a, b))


@pytest.mark.parametrize(("one", "two"), [((3,), (2,)), ((2, 3), (4, 2)), ((2, 1, 3), (2, 3, 1)), ((0, 2), (2, 2))])
def test_kron(one: tuple[int, ...], two: tuple[int, ...]) -> None:
    a, b = numbers(*one), numbers(*two, seed=1)
    same(linalg("kron(a, b)", a=a, b=b), np.kron(a, b))


@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3), (0, 3)])
def test_cross_gram_and_distances(shape: tuple[int, ...]) -> None:
    a, b = numbers(*shape), numbers(*shape, seed=1)
    same(linalg("cross(a, b)", a=a, b=b), np.cross(a, b))
    if a.ndim > 1:
        same(linalg("gram(a)", a=a), a @ np.swapaxes(a, -1, -2))
    if a.ndim == 2:
        same(linalg("squared_distances(a, b)", a=a, b=b[:2]), cdist(a, b[:2], "sqeuclidean"))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 7, 10, 64, 100])
def test_power(n: int) -> None:
    whole = [np.array([[2]]), np.array([[1, 1], [1, 0]])] if n < 60 else []
    for a in (numbers(3, 3) / 2, numbers(2, 2, 2) / 2, *whole):
        same(linalg("power(a, n)", a=a, n=n), np.linalg.matrix_power(a, n))


def test_doublings() -> None:
    for n in (0, 1, 2, 3, 4, 5, 8, 9, 1000, 1024, 1025):
        assert linalg("doublings(n)", n=n) == (int(np.ceil(np.log2(n))) if n else 0)
    same(linalg("twos"), 2 ** np.arange(21))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 9, 10, 17])
def test_shortest_paths(n: int) -> None:
    generator = np.random.default_rng(n)
    lengths = np.where(generator.random((n, n)) < 2 / max(n, 1), generator.random((n, n)), np.inf)
    graph = np.where(np.isinf(lengths), 0, lengths)
    expected = scipy.sparse.csgraph.shortest_path(graph, method="FW") if n else lengths
    same(linalg("shortest_paths(lengths)", lengths=lengths), expected)


def test_shortest_path_along_a_line_of_nodes() -> None:
    n = 9
    lengths = np.where(np.eye(n, k=1) == 1, 1.0, np.inf)
    same(linalg("shortest_paths(lengths)", lengths=lengths)[0], np.arange(n))


@pytest.mark.parametrize("p", ["0", "1", "2", "3", "2.5", "-1", "Inf", "-Inf"])
def test_norms(p: str) -> None:
    order = float(p.replace("Inf", "inf"))
    for x in (numbers(4), numbers(1), numbers(3, 4), np.array([3, -4, 0, 1])[: None if order >= 0 else 2]):
        same(linalg(f"norm(x, {p})", x=x), np.linalg.norm(x.ravel(), order))
    x = numbers(2, 3, 4)
    for axis in (1, 2, 3):
        same(linalg(f"norm(x, {p}, axis)", x=x, axis=axis), np.linalg.norm(x, order, axis=axis - 1))


def test_norms_of_matrices() -> None:
    a = numbers(3, 4)
    same(linalg("norm(a)", a=a), np.linalg.norm(a, "fro"))
    same(linalg("norm(a)", a=a + 1j), np.linalg.norm(a + 1j))
    same(linalg("matrix_norm(a, 1)", a=a), np.linalg.norm(a, 1))
    same(linalg("matrix_norm(a, Inf)", a=a), np.linalg.norm(a, np.inf))
    stack = numbers(2, 3, 4)
    same(linalg("matrix_norm(a, 1)", a=stack), np.linalg.norm(stack, 1, axis=(1, 2)))


SQUARES = [(1, 1), (2, 2), (5, 5), (2, 3, 3), (2, 2, 3, 3), (0, 0), (0, 3, 3)]


@pytest.mark.parametrize("shape", SQUARES)
def test_equations(shape: tuple[int, ...]) -> None:
    a, b = numbers(*shape), numbers(*shape[:-1], 2, seed=1)
    same(linalg("determinant(a)", a=a), np.linalg.det(a), 1e-9)
    same(linalg("inverse(a)", a=a), np.linalg.inv(a), 1e-9)
    same(linalg("solve(a, b)", a=a, b=b), np.linalg.solve(a, b), 1e-9)
    if a.ndim == 2:
        same(linalg("solve(a, b)", a=a, b=b[:, 0]), np.linalg.solve(a, b[:, 0]), 1e-9)


@pytest.mark.parametrize("shape", SQUARES)
def test_cholesky(shape: tuple[int, ...]) -> None:
    a = numbers(*shape)
    a = a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])
    same(linalg("cholesky(a)", a=a), np.linalg.cholesky(a), 1e-9)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_triangles_are_solved(n: int) -> None:
    lower = np.tril(numbers(n, n)) + 3 * np.eye(n)
    for b in (numbers(n), numbers(n, 3), numbers(n, 0)):
        given: dict[str, Any] = {"l": lower, "b": b}
        same(linalg("solve_lower(l, b)", **given), _triangular(lower, b, lower=True), 1e-9)
        same(linalg("solve_lower(l, b, true)", **given), _triangular(lower, b, lower=True, unit_diagonal=True), 1e-9)
        upper = lower.T.copy()
        same(linalg("solve_upper(u, b)", u=upper, b=b), _triangular(upper, b, lower=False), 1e-9)


def _triangular(a: Array, b: Array, **options: Any) -> Array:
    return np.asarray(scipy.linalg.solve_triangular(a, b, **options)) if b.size else b


def test_stacks_of_triangles_are_solved() -> None:
    lower, b = np.tril(numbers(2, 3, 3)) + 3 * np.eye(3), numbers(2, 3, 4)
    same(linalg("solve_lower(l, b)", l=lower, b=b), np.linalg.solve(lower, b), 1e-9)


@pytest.mark.parametrize("n", [1, 2, 4, 7])
def test_lu(n: int) -> None:
    a = numbers(n, n)
    packed, order, sign = linalg("lu(a)", a=a)
    lower, upper = np.tril(packed, -1) + np.eye(n), np.triu(packed)
    same(lower @ upper, a[order - 1])
    assert np.abs(lower).max() <= 1
    assert sign == np.linalg.det(np.eye(n)[order - 1])


def test_determinants_of_singular_and_whole_matrices() -> None:
    same(linalg("determinant(a)", a=np.ones((3, 3))), 0.0)
    same(linalg("determinant(a)", a=np.array([[0, 2], [3, 4]])), -6.0)
