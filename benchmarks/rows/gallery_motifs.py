"""The eight data motifs of the gallery."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import prange, with_numba
from benchmarks.row import Array, Row

GALLERY = Path(__file__).resolve().parents[2] / "examples" / "gallery" / "motifs"
STEPS = 20


def source(name: str, **components: int) -> str:
    """A program of the gallery; where its result is a vector of lists, with an output for each component instead."""
    text = (GALLERY / f"{name}.tol").read_text("utf-8")
    if not components:
        return text
    outputs = "".join(f"{output} := result[{position}]'\n" for output, position in components.items())
    return text.replace("result :=", "result =") + outputs


def graph(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    lengths = generator.integers(1, 100, (n, n)).astype(np.float64)
    lengths[generator.random((n, n)) < 0.9] = np.inf
    return (lengths,)


def all_paths(lengths: Array) -> Array:
    distances = lengths.copy()
    np.fill_diagonal(distances, 0)
    for k in range(len(distances)):
        np.minimum(distances, distances[:, k, None] + distances[None, k], out=distances)
    return distances


def all_paths_loops(lengths: Array) -> Array:
    distances = lengths.copy()
    n = len(distances)
    for i in range(n):
        distances[i, i] = 0
    for k in range(n):
        for i in prange(n):
            through = distances[i, k]
            for j in range(n):
                distances[i, j] = min(distances[i, j], through + distances[k, j])
    return distances


def points(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (np.array(n),)


def monte_carlo(n: Array) -> float:
    x, y = np.random.default_rng(1).random((2, int(n)))
    return 4 * np.count_nonzero(x * x + y * y < 1) / int(n)


def monte_carlo_loop(n: Array) -> Any:
    hits = 0
    for _ in prange(n[()]):
        x, y = np.random.random(), np.random.random()
        if x * x + y * y < 1:
            hits += 1
    return 4 * hits / n[()]


def message(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.integers(0, 256, n, np.uint8),)


def checksum_loop(data: Array) -> Any:
    table = np.empty(256, np.uint32)
    for b in range(256):
        value = np.uint32(b)
        for _ in range(8):
            value = np.uint32(0xEDB88320) ^ (value >> np.uint32(1)) if value & np.uint32(1) else value >> np.uint32(1)
        table[b] = value
    remainder = np.uint32(0xFFFFFFFF)
    for k in range(data.size):
        remainder = table[(remainder ^ data[k]) & np.uint32(255)] ^ (remainder >> np.uint32(8))
    return remainder ^ np.uint32(0xFFFFFFFF)


def signal(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    table = np.zeros(n, dtype=[("re", "f8"), ("im", "f8")])
    table["re"], table["im"] = generator.normal(size=(2, n))
    return (table,)


def transform(table: Array) -> tuple[Array, Array]:
    result = np.fft.fft(table.view(np.complex128))
    return result.real, result.imag


def sets(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    first, second = (generator.choice(4 * n, n, replace=False) for _ in range(2))
    return first, second


def links(generator: np.random.Generator, count: int, pages: int) -> tuple[Array, ...]:
    table = np.zeros(count, dtype=[("from", "i8"), ("to", "i8")])
    table["from"], table["to"] = generator.integers(1, pages + 1, (2, count))
    return table, np.array(pages), np.array(0.85), np.array(STEPS)


def ranks(table: Array, pages: Array, d: Array, steps: Array) -> Array:
    n, source_page, target_page = int(pages), table["from"] - 1, table["to"] - 1
    degree = np.bincount(source_page, minlength=n)
    rank = np.full(n, 1 / n)
    for _ in range(STEPS):
        share = np.where(degree > 0, rank / np.maximum(degree, 1), 0)
        base = (1 - d + d * rank[degree == 0].sum()) / n
        rank = base + d * np.bincount(target_page, share[source_page], n)
    return rank


def ranks_loop(table: Array, pages: Array, d: Array, steps: Array) -> Array:
    n, damping = pages[()], d[()]
    degree = np.zeros(n, np.int64)
    for k in range(table.size):
        degree[table[k]["from"] - 1] += 1
    rank = np.full(n, 1 / n)
    for _ in range(steps[()]):
        lost = 0.0
        for v in range(n):
            if degree[v] == 0:
                lost += rank[v]
        following = np.full(n, (1 - damping + damping * lost) / n)
        for k in range(table.size):
            v = table[k]["from"] - 1
            following[table[k]["to"] - 1] += damping * rank[v] / degree[v]
        rank = following
    return rank


def edges(generator: np.random.Generator, count: int, nodes: int) -> tuple[Array, ...]:
    return links(generator, count, nodes)[0], np.array(nodes), np.array(1)


def levels(table: Array, nodes: Array, start: Array) -> Array:
    source_node, target_node = table["from"] - 1, table["to"] - 1
    order = np.argsort(source_node, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(source_node, minlength=int(nodes)))])
    neighbours = target_node[order]
    known = np.full(int(nodes), np.inf)
    known[int(start) - 1] = 0
    frontier, level = np.array([int(start) - 1]), 0
    while frontier.size:
        level += 1
        reached = np.concatenate([neighbours[first[v] : first[v + 1]] for v in frontier])
        frontier = np.unique(reached[np.isinf(known[reached])])
        known[frontier] = level
    return known


def levels_loop(table: Array, nodes: Array, start: Array) -> Array:
    known = np.full(nodes[()], np.inf)
    known[start[()] - 1] = 0
    changing, level = True, 0
    while changing:
        changing = False
        for k in range(table.size):
            v, w = table[k]["from"] - 1, table[k]["to"] - 1
            if known[v] == level and known[w] > level + 1:
                known[w] = level + 1
                changing = True
        level += 1
    return known


def people(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    table = np.zeros(n, dtype=[("number", "i8"), ("height", "i8"), ("age", "i8")])
    table["number"], table["height"], table["age"] = (
        np.arange(n),
        generator.integers(0, 200, n),
        generator.integers(0, 100, n),
    )
    return (table,)


def in_order(table: Array) -> tuple[Array, ...]:
    result = table[np.lexsort((table["age"], table["height"]))]
    return result["number"], result["height"], result["age"]


def sample(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (1000 + generator.normal(size=n),)


def moments(x: Array) -> tuple[Any, Any]:
    return x.mean(), x.var()


def moments_loop(x: Array) -> tuple[float, float]:
    mean, squares = 0.0, 0.0
    for k in range(x.size):
        shift = x[k] - mean
        mean += shift / (k + 1)
        squares += shift * (x[k] - mean)
    return mean, squares / x.size


ROWS = [
    Row(
        name="shortest paths between 1024 nodes",
        source=source("shortest_paths"),
        data=graph,
        sizes=(1024,),
        tiny=(9,),
        reference=all_paths,
        operations=lambda n: 2.0 * n**3 * 11,
        target=1.0,
        tolerance=0,
        peers={"numba": with_numba(all_paths_loops)},
    ),
    Row(
        name="Monte Carlo, 10 million points",
        source=source("monte_carlo_pi"),
        data=points,
        sizes=(10_000_000,),
        tiny=(20_000,),
        reference=monte_carlo,
        operations=lambda n: 7.0 * n,
        target=1.0,
        tolerance=0.02,
        peers={"numba": with_numba(monte_carlo_loop)},
    ),
    Row(
        name="CRC-32 of 10 million bytes",
        source=source("crc32"),
        data=message,
        sizes=(10_000_000,),
        tiny=(40,),
        reference=lambda data: zlib.crc32(data.tobytes()),
        operations=lambda n: 7.0 * n,
        target=1.0,
        tolerance=0,
        peers={"numba": with_numba(checksum_loop)},
    ),
    Row(
        name="Fourier transform of 2^20 numbers",
        source=source("fft", re=1, im=2),
        data=signal,
        sizes=(2**20,),
        tiny=(16,),
        reference=transform,
        operations=lambda n: 5.0 * n * np.log2(n),
        target=1.0,
        tolerance=1e-12,
    ),
    Row(
        name="intersection of sets of 1 million",
        source=source("set_intersection"),
        data=sets,
        sizes=(1_000_000,),
        tiny=(20,),
        reference=lambda first, second: np.intersect1d(first, second, assume_unique=True),
        operations=lambda n: 2.0 * n * np.log2(2 * n),
        target=1.0,
        tolerance=0,
    ),
    Row(
        name="PageRank, 1 million links, 20 steps",
        source=source("pagerank"),
        data=links,
        sizes=(1_000_000, 100_000),
        tiny=(50, 12),
        reference=ranks,
        operations=lambda count, pages: 4.0 * STEPS * (count + pages),
        target=1.0,
        tolerance=1e-12,
        peers={"numba": with_numba(ranks_loop)},
    ),
    Row(
        name="breadth-first search, 1 million edges",
        source=source("bfs"),
        data=edges,
        sizes=(1_000_000, 100_000),
        tiny=(30, 20),
        reference=levels,
        operations=lambda count, nodes: 2.0 * count * np.log2(nodes),
        target=1.0,
        tolerance=0,
        peers={"numba": with_numba(levels_loop)},
    ),
    Row(
        name="sort of 1 million records by two keys",
        source=source("sort_records", number=1, height=2, age=3),
        data=people,
        sizes=(1_000_000,),
        tiny=(60,),
        reference=in_order,
        operations=lambda n: 2.0 * n * np.log2(n),
        target=1.0,
        tolerance=0,
    ),
    Row(
        name="Welford's mean and variance of 10 million",
        source=source("welford"),
        data=sample,
        sizes=(10_000_000,),
        tiny=(100,),
        reference=moments,
        operations=lambda n: 11.0 * n,
        target=1.0,
        tolerance=1e-9,
        peers={"numba": with_numba(moments_loop)},
    ),
]
