"""The dwarfs of the gallery, as they stand in its files; numerics such as a number of steps are written into them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import prange, with_numba
from benchmarks.row import Array, Row

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "gallery" / "dwarfs"
STEPS = 10
BODY = [(name, "f8") for name in ("x", "y", "z", "u", "v", "w", "mass")]
EDGE = [("from", "i8"), ("to", "i8")]


def source(name: str, result: str = "", columns: tuple[str, ...] = (), **given: float) -> str:
    """A program of the gallery with some inputs given, and the components of a result as results of their own."""
    text = (FOLDER / f"{name}.tol").read_text("utf-8")
    for one, value in given.items():
        text = re.sub(rf"^tol {one}: .*$", f"{one} = {value}", text, flags=re.MULTILINE)
    if columns:
        text = text.replace(f"\n{result} := ", f"\n{result} = ")
    return text + "".join(f"{result}_{one} := {result}[{one}]'\n" for one in columns)


def equations(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    root = generator.normal(size=(n, n))
    return root @ root.T + n * np.eye(n), generator.normal(size=n)


def factorised(a: Array, b: Array) -> tuple[Array, ...]:
    triangle = np.linalg.cholesky(a)
    return triangle, np.linalg.solve(triangle.T, np.linalg.solve(triangle, b))


def rows(generator: np.random.Generator, n: int, degree: int) -> tuple[Array, Array]:
    """Where rows begin, and the columns of their entries, from 1 on: about `degree` a row, at random."""
    counts = generator.integers(0, 2 * degree + 1, size=n)
    return np.concatenate([[1], 1 + np.cumsum(counts)]), generator.integers(1, n + 1, size=int(counts.sum()))


def sparse(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    start, column = rows(generator, n, 20)
    return start, column, generator.normal(size=column.size), generator.normal(size=n)


def sparse_product(start: Array, column: Array, value: Array, x: Array) -> Array:
    row = np.repeat(np.arange(start.size - 1), np.diff(start))
    return np.bincount(row, value * x[column - 1], start.size - 1)


def sparse_loops(start: Array, column: Array, value: Array, x: Array) -> Array:
    result = np.empty(start.size - 1)
    for i in prange(start.size - 1):
        total = 0.0
        for k in range(start[i] - 1, start[i + 1] - 1):
            total += value[k] * x[column[k] - 1]
        result[i] = total
    return result


def picture(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.normal(size=(n, n)),)


def spectrum(x: Array) -> tuple[Array, ...]:
    found = np.fft.fft2(x)
    return found.real, found.imag


def bodies(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    records = np.empty(n, BODY)
    for name, _ in BODY:
        records[name] = generator.random(n)
    return (records,)


def orbits(records: Array) -> tuple[Array, ...]:
    place = np.stack([records[name] for name in "xyz"], axis=1)
    speed = np.stack([records[name] for name in "uvw"], axis=1)
    for _ in range(STEPS):
        change = np.empty_like(speed)
        for i in range(place.shape[0]):
            way = place - place[i]
            square = (way * way).sum(1) + 0.01
            change[i] = (records["mass"] / (square * np.sqrt(square))) @ way
        speed = speed + 0.01 * change
        place = place + 0.01 * speed
    return place[:, 0], place[:, 1], place[:, 2]


def orbits_loops(records: Array) -> tuple[Array, ...]:
    n = records.size
    x, y, z = records["x"].copy(), records["y"].copy(), records["z"].copy()
    u, v, w, mass = records["u"].copy(), records["v"].copy(), records["w"].copy(), records["mass"].copy()
    for _ in range(10):
        for i in prange(n):
            fx, fy, fz = 0.0, 0.0, 0.0
            for j in range(n):
                a, b, c = x[j] - x[i], y[j] - y[i], z[j] - z[i]
                square = a * a + b * b + c * c + 0.01
                pull = mass[j] / (square * np.sqrt(square))
                fx += pull * a
                fy += pull * b
                fz += pull * c
            u[i] += 0.01 * fx
            v[i] += 0.01 * fy
            w[i] += 0.01 * fz
        x += 0.01 * u
        y += 0.01 * v
        z += 0.01 * w
    return x, y, z


def mesh(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    edges = np.empty(3 * n, EDGE)
    edges["from"], edges["to"] = generator.integers(1, n + 1, size=(2, 3 * n))
    return generator.normal(size=n), edges


def smoothed(x: Array, edges: Array) -> Array:
    a, b = edges["from"] - 1, edges["to"] - 1
    degree = np.bincount(a, minlength=x.size) + np.bincount(b, minlength=x.size)
    for _ in range(STEPS):
        sums = np.bincount(a, x[b], x.size) + np.bincount(b, x[a], x.size)
        x = np.where(degree == 0, x, (x + sums / np.maximum(degree, 1)) / 2)
    return x


def smoothed_loops(x: Array, edges: Array) -> Array:
    a, b = edges["from"], edges["to"]
    degree = np.zeros(x.size)
    for k in range(a.size):
        degree[a[k] - 1] += 1
        degree[b[k] - 1] += 1
    for _ in range(10):
        sums = np.zeros(x.size)
        for k in range(a.size):
            sums[a[k] - 1] += x[b[k] - 1]
            sums[b[k] - 1] += x[a[k] - 1]
        x = np.where(degree == 0, x, (x + sums / np.maximum(degree, 1)) / 2)
    return x


def words(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.zipf(1.3, size=n) % 10_000,)


def digits(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.integers(0, 1 << 32, size=n, dtype=np.uint32),)


def graph(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return rows(generator, n, 8)


def levels(start: Array, neighbour: Array) -> Array:
    level = np.full(start.size - 1, -1)
    level[0], front, depth = 0, np.array([0]), 0
    while front.size:
        depth += 1
        counts = start[front + 1] - start[front]
        shift = np.repeat(start[front] - 1 - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        reached = np.unique(neighbour[np.arange(int(counts.sum())) + shift] - 1)
        front = reached[level[reached] < 0]
        level[front] = depth
    return level


def levels_loops(start: Array, neighbour: Array) -> Array:
    level, queue = np.full(start.size - 1, -1), np.zeros(start.size - 1, np.int64)
    level[0], last, k = 0, 1, 0
    while k < last:
        node = queue[k]
        k += 1
        for place in range(start[node] - 1, start[node + 1] - 1):
            other = neighbour[place] - 1
            if level[other] < 0:
                level[other] = level[node] + 1
                queue[last] = other
                last += 1
    return level


def letters(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return generator.integers(0, 4, size=n), generator.integers(0, 4, size=n)


def distance(a: Array, b: Array) -> Any:
    """By rows: the least of the entries above, then of those to the left, each one more than the one before."""
    places = np.arange(b.size + 1)
    row = places.copy()
    for i, letter in enumerate(a):
        above = np.minimum(row[1:] + 1, row[:-1] + (b != letter))
        row = np.minimum.accumulate(np.concatenate([[i + 1], above]) - places) + places
    return row[-1]


def distance_loops(a: Array, b: Array) -> Any:
    row = np.arange(b.size + 1)
    for i in range(a.size):
        corner, row[0] = row[0], i + 1
        for j in range(b.size):
            above = row[j + 1]
            row[j + 1] = min(min(row[j], above) + 1, corner + (a[i] != b[j]))
            corner = above
    return row[b.size]


def markov(generator: np.random.Generator, k: int, n: int) -> tuple[Array, ...]:
    start, move, emit = (generator.dirichlet(np.ones(width), size=count) for count, width in ((1, k), (k, k), (k, 8)))
    return start[0], move, emit, generator.integers(1, 9, size=n)


def states(start: Array, move: Array, emit: Array, seen: Array) -> tuple[Any, ...]:
    moves, signs = np.log(move), np.log(emit)
    total = best = np.log(start) + signs[:, seen[0] - 1]
    kept = [best]
    for sign in seen[1:] - 1:
        over = total[:, None] + moves
        top = over.max(0)
        total = top + np.log(np.exp(over - top).sum(0)) + signs[:, sign]
        best = (best[:, None] + moves).max(0) + signs[:, sign]
        kept.append(best)
    path = [int(kept[-1].argmax())]
    for row in kept[-2::-1]:
        path.append(int((row + moves[:, path[-1]]).argmax()))
    return total.max() + np.log(np.exp(total - total.max()).sum()), np.array(path[::-1]) + 1


def machine(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return generator.integers(1, 9, size=(4, 8)), generator.integers(1, 5, size=n)


def walked(delta: Array, text: Array) -> Array:
    """As the program: rounds that join actions twice as far apart."""
    actions, apart = delta[text - 1] - 1, 1
    while apart < text.size:
        actions[apart:] = np.take_along_axis(actions[apart:], actions[:-apart], axis=1)
        apart *= 2
    return np.asarray(actions[:, 0] + 1)


def walked_loops(delta: Array, text: Array) -> Array:
    result, state = np.empty(text.size, np.int64), 1
    for k in range(text.size):
        state = delta[text[k] - 1, state - 1]
        result[k] = state
    return result


def row(name: str, text: str, data: Any, reference: Any, operations: Any, *sizes: int, **others: Any) -> Row:
    """A row that is held against every peer; `tiny` sizes are told among the others."""
    return Row(
        name=name, source=text, data=data, sizes=sizes, reference=reference, operations=operations, target=1.0, **others
    )  # fmt: skip


ROWS = [
    row("Cholesky and solve 512", source("cholesky"), equations, factorised, lambda n: n**3 / 3, 512, tiny=(7,)),
    row("CSR times vector 100000, 20 a row", source("spmv"), sparse, sparse_product, lambda n: 40.0 * n, 100_000,
        tiny=(9,), peers={"numba": with_numba(sparse_loops)}),
    row("FFT 512 x 512", source("fft2", "y", ("re", "im")), picture, spectrum,
        lambda n: 16.0 * n * n * np.log2(n), 512, tiny=(8,)),
    row("N-body records 1024, 10 steps", source("nbody", "result", ("x", "y", "z"), steps=STEPS, dt=0.01), bodies,
        orbits, lambda n: 18.0 * STEPS * n * n, 1024, tiny=(6,), peers={"numba": with_numba(orbits_loops)}),
    row("smoothing over edges 100000, 10 steps", source("smoothing", steps=STEPS), mesh, smoothed,
        lambda n: 22.0 * STEPS * n, 100_000, tiny=(8,), peers={"numba": with_numba(smoothed_loops)}),
    row("word count 1000000", source("wordcount", "counts", ("1", "2")).replace("words: S", "words: N"), words,
        lambda given: np.unique(given, return_counts=True), lambda n: 20.0 * n, 1_000_000, tiny=(30,), tolerance=0),
    row("population count 1000000", source("popcount"), digits, np.bitwise_count, lambda n: 25.0 * n, 1_000_000,
        tiny=(10,), tolerance=0),
    row("breadth first 100000, 8 a node", source("bfs", source=1), graph, levels, lambda n: 59.0 * n, 100_000,
        tiny=(12,), tolerance=0, peers={"numba": with_numba(levels_loops)}),
    row("edit distance 2000", source("edit_distance"), letters, distance, lambda n: 5.0 * n * n, 2000,
        tiny=(9,), tolerance=0, peers={"numba": with_numba(distance_loops)}),
    row("forward and Viterbi 64 states, 500 signs", source("hidden_markov"), markov, states,
        lambda k, n: 7.0 * k * k * n, 64, 500, tiny=(3, 5)),
    row("automaton of 8 states 100000", source("automaton", start=1), machine, walked, lambda n: 8.0 * n, 100_000,
        tiny=(11,), tolerance=0, peers={"numba": with_numba(walked_loops)}),
]  # fmt: skip
