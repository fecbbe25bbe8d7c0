"""The thirteen dwarfs of the gallery: their headers, their costs, and larger data beside other implementations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from tests.cost.counting import CountingInterpreter
from tests.gallery.headers import GALLERY, check_cost, check_header, check_page, compiled, examples_of, programs_of

import tolang

PROGRAMS = programs_of("dwarfs")
RAGGED = ("bfs", "spmv")
"""Programs over rows of a matrix or a graph, whose cost is a formula in where a row begins and where the next does."""


def run(name: str, *data: Any) -> Any:
    return compiled(GALLERY / "dwarfs" / f"{name}.tol", "cpu")(*data)


def numbers(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def compressed(generator: np.random.Generator, n: int, density: float) -> scipy.sparse.csr_array:
    """A sparse matrix, some of whose rows are empty."""
    return scipy.sparse.csr_array(np.where(generator.random((n, n)) < density, generator.normal(size=(n, n)), 0))


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_header(path: Path, engine: str) -> None:
    check_header(path, engine)
    assert not compiled(path, engine).runner.fallbacks


@pytest.mark.parametrize("path", [path for path in PROGRAMS if path.stem not in RAGGED], ids=lambda path: path.stem)
def test_cost(path: Path) -> None:
    check_cost(path)


@pytest.mark.parametrize("name", RAGGED)
def test_cost_of_rows(name: str) -> None:
    """In the header's example every row has two entries, so that the formula is exact."""
    path = GALLERY / "dwarfs" / f"{name}.tol"
    job = compiled(path).job((), examples_of(path.read_text("utf-8"))[0].inputs)
    counter = CountingInterpreter(job.core)
    counter.run(job.inputs, job.sizes)
    cost = compiled(path).cost()
    first, second = sorted(cost.eops.names() - job.sizes.keys())  # type: ignore[union-attr]  # a formula
    assert cost(**job.sizes, **{first: 1, second: 3}) == counter.eops


def test_page() -> None:
    check_page("dwarfs")


def test_cholesky() -> None:
    generator = numbers(1)
    root, b = generator.normal(size=(60, 60)), generator.normal(size=60)
    a = root @ root.T + 60 * np.eye(60)
    result = run("cholesky", a, b)
    np.testing.assert_allclose(result["l"], np.linalg.cholesky(a), rtol=1e-12, atol=1e-12)  # a is well conditioned
    np.testing.assert_allclose(result["x"], np.linalg.solve(a, b), rtol=1e-10)


@pytest.mark.parametrize("density", [0.0, 0.05])
def test_spmv(density: float) -> None:
    matrix, x = compressed(numbers(2), 80, density), numbers(3).normal(size=80)
    found = run("spmv", matrix.indptr + 1, matrix.indices + 1, matrix.data, x)
    np.testing.assert_allclose(found, matrix @ x, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (16, 64), (128, 32)])
def test_fft2(shape: tuple[int, int]) -> None:
    x = numbers(4).normal(size=shape)
    re, im = (np.asarray(part) for part in run("fft2", x).columns)
    expected = np.fft.fft2(x)
    # errors of a fast transform grow as log n times the root of n, here below 100 units in the last place
    np.testing.assert_allclose(re + 1j * im, expected, atol=1e-14 * max(1.0, np.abs(expected).max()))


def test_nbody() -> None:
    generator = numbers(5)
    place, speed, mass = generator.random((40, 3)), generator.normal(size=(40, 3)), generator.random(40)
    bodies = np.array([(*p, *s, m) for p, s, m in zip(place, speed, mass, strict=True)], dtype="f8,f8,f8,f8,f8,f8,f8")
    bodies.dtype.names = ("x", "y", "z", "u", "v", "w", "mass")
    result = np.stack([np.asarray(part) for part in run("nbody", bodies, 5, 0.01).columns], axis=1)
    for _ in range(5):
        way = place[None] - place[:, None]
        square = (way**2).sum(axis=2) + 0.01
        speed = speed + 0.01 * (way * (mass / square**1.5)[:, :, None]).sum(axis=1)
        place = place + 0.01 * speed
    np.testing.assert_allclose(result, np.column_stack([place, speed, mass]), rtol=1e-10)  # sums of forces cancel


@pytest.mark.parametrize("shape", [(1, 5), (2, 2), (30, 47)])
def test_heat(shape: tuple[int, int]) -> None:
    u = numbers(6).random(shape)
    expected = u.copy()
    for _ in range(20):
        expected[1:-1, 1:-1] = (expected[:-2, 1:-1] + expected[2:, 1:-1] + expected[1:-1, :-2] + expected[1:-1, 2:]) / 4
    np.testing.assert_allclose(run("heat", u, 20), expected, rtol=1e-12)


def test_smoothing() -> None:
    x, near = numbers(7).normal(size=120), np.triu(numbers(7).random((120, 120)) < 0.02, 1)
    edges = np.array([(a + 1, b + 1) for a, b in np.argwhere(near)], dtype=[("from", "i8"), ("to", "i8")])
    near = (near | near.T).astype(float)
    degree = near.sum(axis=1)
    expected = x
    for _ in range(10):
        means = np.divide(near @ expected, degree, out=expected.copy(), where=degree > 0)
        expected = (expected + means) / 2
    np.testing.assert_allclose(run("smoothing", x, edges, 10), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("count", [0, 1, 400])
def test_wordcount(count: int) -> None:
    words = [f"w{k}" for k in numbers(8).zipf(1.5, size=count) % 50]
    assert run("wordcount", words).to_list() == sorted(Counter(words).items())


def test_wordcount_of_numbers_is_compiled() -> None:
    source = (GALLERY / "dwarfs" / "wordcount.tol").read_text("utf-8").replace("words: S", "words: N")
    words = numbers(9).integers(0, 60, size=5000)
    values, counts = np.unique(words, return_counts=True)
    program = tolang.compile(source, fallback=False)
    assert program(words).to_list() == list(zip(values.tolist(), counts.tolist(), strict=True))


def test_popcount() -> None:
    words = numbers(10).integers(0, 1 << 32, size=10_000, dtype=np.uint32)
    found = run("popcount", words)
    assert found.dtype == np.uint32
    assert np.array_equal(found, np.bitwise_count(words))


@pytest.mark.parametrize("density", [0.0, 0.012, 0.1])
def test_bfs(density: float) -> None:
    matrix = compressed(numbers(11), 150, density)
    lengths = scipy.sparse.csgraph.shortest_path(abs(matrix), unweighted=True, indices=4)
    found = run("bfs", matrix.indptr + 1, matrix.indices + 1, 5)
    assert found.tolist() == np.where(np.isfinite(lengths), lengths, -1).tolist()


@pytest.mark.parametrize(("n", "m"), [(0, 7), (7, 0), (60, 90)])
def test_edit_distance(n: int, m: int) -> None:
    a, b = numbers(12).integers(0, 4, size=n), numbers(13).integers(0, 4, size=m)
    table = np.add.outer(np.arange(n + 1), np.arange(m + 1))
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            others = min(table[i - 1, j], table[i, j - 1]) + 1
            table[i, j] = min(others, table[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
    assert run("edit_distance", a, b) == table[n, m]


def test_queens() -> None:
    for n, solutions in enumerate([1, 0, 0, 2, 10, 4, 40, 92], start=1):  # OEIS A000170
        assert run("queens", n, 2100) == {"solutions": solutions, "complete": True}
    assert not run("queens", 6, 100)["complete"]


def test_hidden_markov() -> None:
    generator = numbers(14)
    start, move, emit = (generator.dirichlet(np.ones(4), size=rows) for rows in (1, 4, 4))
    seen = generator.integers(1, 5, size=6)
    paths = np.stack(np.meshgrid(*[np.arange(4)] * 6, indexing="ij"), axis=-1).reshape(-1, 6)
    chances = start[0][paths[:, 0]] * emit[paths[:, 0], seen[0] - 1]
    for t in range(1, 6):
        chances = chances * move[paths[:, t - 1], paths[:, t]] * emit[paths[:, t], seen[t] - 1]
    result = run("hidden_markov", start[0], move, emit, seen)
    assert result["likelihood"] == pytest.approx(np.log(chances.sum()), rel=1e-12)
    assert result["path"].tolist() == (paths[chances.argmax()] + 1).tolist()


@pytest.mark.parametrize("n", [1, 2, 37, 300])
def test_automaton(n: int) -> None:
    generator = numbers(15)
    delta, text = generator.integers(1, 6, size=(3, 5)), generator.integers(1, 4, size=n)
    state, expected = 2, []
    for sign in text:
        state = int(delta[sign - 1, state - 1])
        expected.append(state)
    assert run("automaton", delta, text, 2).tolist() == expected
