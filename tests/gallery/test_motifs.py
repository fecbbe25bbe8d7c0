"""The data motifs in the gallery: as their headers say, and against NumPy, SciPy and zlib."""

from __future__ import annotations

import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import floyd_warshall, shortest_path
from tests.gallery.headers import GALLERY, check_cost, check_costs, check_header, check_page, compiled, programs_of

import tolang

PROGRAMS = programs_of("motifs")


def program(name: str, engine: str = "cpu") -> tolang.Program:
    return compiled(GALLERY / "motifs" / f"{name}.tol", engine)


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_header(path: Path, engine: str) -> None:
    check_header(path, engine)
    assert not compiled(path, engine).runner.fallbacks


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_cost(path: Path) -> None:
    check_cost(path)


def test_page() -> None:
    check_page("motifs")
    check_costs("motifs")


def pairs(first: Any, second: Any, names: tuple[str, str]) -> Any:
    """Two columns of whole numbers as a vector of lists."""
    table = np.zeros(len(first), dtype=[(name, "i8") for name in names])
    table[names[0]], table[names[1]] = first, second
    return table


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 17, 64])
def test_shortest_paths(nodes: int) -> None:
    generator = np.random.default_rng(nodes)
    lengths = generator.integers(1, 50, (nodes, nodes)).astype(float)
    lengths[generator.random((nodes, nodes)) < 0.8] = np.inf
    assert np.array_equal(program("shortest_paths")(lengths), floyd_warshall(lengths))


def test_monte_carlo_pi() -> None:
    n = 1_000_000
    found = program("monte_carlo_pi")(n, seed=3)
    deviation = 4 * math.sqrt(math.pi / 4 * (1 - math.pi / 4) / n)
    assert abs(found - math.pi) < 5 * deviation
    assert program("monte_carlo_pi")(5000, seed=9) == program("monte_carlo_pi", "interpret")(5000, seed=9)


def test_crc32() -> None:
    generator = np.random.default_rng(1)
    for length in (0, 1, 2, 255, 100_000):
        data = generator.integers(0, 256, length, np.uint8)
        assert program("crc32")(data) == zlib.crc32(data.tobytes())


def test_fft() -> None:
    generator = np.random.default_rng(2)
    for length in (2, 4, 8, 64, 4096):
        x = generator.normal(size=length) + 1j * generator.normal(size=length)
        table = np.zeros(length, dtype=[("re", "f8"), ("im", "f8")])
        table["re"], table["im"] = x.real, x.imag
        found = program("fft")(table)
        # each of log2(n) stages rounds relative to results that are of the size sqrt(n)
        atol = 4e-16 * math.log2(length) * math.sqrt(length)
        assert np.allclose(found.columns[0] + 1j * found.columns[1], np.fft.fft(x), rtol=0, atol=atol)


@pytest.mark.parametrize("length", [6, 12, 20])
def test_fft_refuses_what_is_no_power_of_2(length: int) -> None:
    with pytest.raises(tolang.ToLangRunError):
        program("fft")([(1.0, 0.0)] * length)


def test_set_intersection() -> None:
    generator = np.random.default_rng(3)
    for sizes in ((0, 0), (0, 5), (1, 1), (300, 500), (20_000, 3000)):
        a, b = (generator.choice(np.arange(-30_000, 30_000), size, replace=False) for size in sizes)
        assert np.array_equal(program("set_intersection")(a, b), np.intersect1d(a, b))


def test_pagerank() -> None:
    """The surfer's matrix, pages without links included, has the ranks as its fixed point."""
    generator = np.random.default_rng(4)
    pages, count, d = 60, 200, 0.85
    source, target = generator.integers(1, pages - 4, count), generator.integers(1, pages + 1, count)
    links = np.zeros((pages, pages))
    np.add.at(links, (source - 1, target - 1), 1)
    degree = links.sum(axis=1, keepdims=True)
    follow = np.where(degree > 0, links / np.maximum(degree, 1), 1 / pages)
    wanted = np.linalg.solve(np.eye(pages) - d * follow.T, np.full(pages, (1 - d) / pages))
    found = program("pagerank")(pairs(source, target, ("from", "to")), pages, d, 250)
    # the distance shrinks by d in every step, to 0.85^250 = 2e-18; what is left are roundings
    assert np.allclose(found, wanted, rtol=1e-12)


def test_bfs() -> None:
    generator = np.random.default_rng(5)
    for nodes, count in ((1, 0), (50, 60), (400, 500), (300, 2000)):
        first, second = generator.integers(1, nodes + 1, count), generator.integers(1, nodes + 1, count)
        graph = csr_matrix((np.ones(count), (first - 1, second - 1)), shape=(nodes, nodes))
        wanted = shortest_path(graph, unweighted=True, indices=0)
        assert np.array_equal(program("bfs")(pairs(first, second, ("from", "to")), nodes, 1), wanted)


def test_sort_records() -> None:
    generator = np.random.default_rng(6)
    people = np.zeros(3000, dtype=[("number", "i8"), ("height", "i8"), ("age", "i8")])
    people["number"], people["height"] = np.arange(1, 3001), generator.integers(150, 200, 3000)
    people["age"] = generator.integers(0, 100, 3000)
    wanted = people[np.lexsort((people["age"], people["height"]))]
    assert program("sort_records")(people).to_list() == wanted.tolist()


def test_welford() -> None:
    x = 1e9 + np.random.default_rng(7).normal(size=10_001)
    found = program("welford")(x)
    exact = x - 1e9  # no rounding: both are close to 1e9
    assert found["mean"] == pytest.approx(1e9 + exact.mean(), rel=1e-15)
    # what is squared is rounded at 1e9, relative to deviations of about 1
    assert found["variance"] == pytest.approx(exact.var(), rel=1e-6)
    assert np.isnan(program("welford")(np.array([1.0, np.nan]))["mean"])
