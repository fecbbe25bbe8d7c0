"""Reductions of sixteen million elements, running sums, counts, and distances between points."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers import prange, with_jax, with_numba, with_torch
from benchmarks.row import Array, Competitor, Row, Run

SUM = "tol x: f32 [n]\ny := reduce(x, add, 0)\n"
MEAN_VARIANCE = """\
tol x: f32 [n]
mean := reduce(x, add, 0) / n
variance := reduce(map(x, (* - mean)^2), add, 0) / n
"""
ARGMAX = """\
tol x: f32 [n]
y := reduce(map(x, (*, iter)), (s,e) -> if e[1]' > s[1]' then e else s, (-Inf,0))[2]'
"""
CUMULATIVE_SUM = "tol x: f64 [n]\ny := cumulative_sum(x)\n"
HISTOGRAM = """\
tol x: f32 [n]
bin(e) = 1 + convert(floor(e * 256), [Z])
y := reduce(x, (s,e) -> put(s, bin(e), s[bin(e)] + 1), tol[256])
"""
DISTANCES = """\
tol a: f32 [n,d]
tol b: f32 [m,d]
y := map(tol[n,m], sqrt(reduce(map(a[i], (* - b[j,*])^2), add, 0)), [i,j])
"""
NEIGHBOURS = """\
tol x: f32 [n,d]
tol q: f32 [m,d]
distance(i,j) = reduce(map(q[i], (* - x[j,*])^2), add, 0)
least(row) = reduce(row, (s,e) -> { k = reduce(map(s, * <= e), add, 0); [s[1:k], e, s[k+1:]][1:5] }, map(tol[5], Inf))
y := map(tol[m], least(map(tol[n], distance(i,j), j)), i)
"""
K_MEANS = """\
tol x: f32 [n,d]
tol c: f32 [k,d]
distance(i,j) = reduce(map(x[i], (* - c[j,*])^2), add, 0)
nearer(s, e) = if e[1]' < s[1]' then e else s
cluster = map(tol[n], reduce(map(tol[k], (distance(i,j), j), j), nearer, (+Inf,0))[2]', i)
count = bincount(cluster, k)
total(j,a) = reduce(map(cluster, if * == j then x[i,a] else 0, i), add, 0)
centers := map(c, total(j,a) / max(1, count[j]), [j,a])
"""


def uniform(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.random(n, dtype=np.float32),)


def uniform_double(generator: np.random.Generator, n: int) -> tuple[Array, ...]:
    return (generator.random(n),)


def two_clouds(generator: np.random.Generator, n: int, m: int, d: int) -> tuple[Array, ...]:
    return generator.random((n, d), dtype=np.float32), generator.random((m, d), dtype=np.float32)


def sum_loops(x: Array) -> Any:
    total = np.float32(0)
    for i in prange(x.size):
        total += x[i]
    return total


def mean_variance_loops(x: Array) -> Any:
    total = np.float32(0)
    for i in prange(x.size):
        total += x[i]
    mean = total / np.float32(x.size)
    squares = np.float32(0)
    for i in prange(x.size):
        squares += (x[i] - mean) ** 2
    return mean, squares / np.float32(x.size)


def cumulative_sum_loops(x: Array) -> Array:
    y = np.empty_like(x)
    total = 0.0
    for i in range(x.size):
        total += x[i]
        y[i] = total
    return y


def histogram_loops(x: Array) -> Array:
    counts = np.zeros(256, np.int64)
    for i in range(x.size):
        counts[int(x[i] * 256)] += 1
    return counts


def squared(a: Array, b: Array) -> Array:
    """Squared distances through one product of matrices, as libraries compute them."""
    lengths = (a * a).sum(1)[:, None] + (b * b).sum(1)[None]
    return np.asarray(np.maximum(lengths - np.float32(2) * (a @ b.T), 0))


def distances_loops(a: Array, b: Array) -> Array:
    result = np.empty((a.shape[0], b.shape[0]), np.float32)
    for i in prange(a.shape[0]):
        for j in range(b.shape[0]):
            total = np.float32(0)
            for q in range(a.shape[1]):
                total += (a[i, q] - b[j, q]) ** 2
            result[i, j] = np.sqrt(total)
    return result


def neighbours(x: Array, q: Array) -> Array:
    found = squared(q, x)
    return np.sort(np.partition(found, 4, axis=1)[:, :5], axis=1)


def sklearn_neighbours(x: Array, q: Array) -> Run:
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(x)
    return lambda: model.kneighbors(q)[0] ** 2


def sklearn_distances(a: Array, b: Array) -> Run:
    from sklearn.metrics import pairwise_distances

    return lambda: pairwise_distances(a, b)


def sklearn_k_means(x: Array, c: Array) -> Run:
    """One step of Lloyd's algorithm and the assignment that its result needs, which scikit-learn always adds."""
    from sklearn.cluster import KMeans

    def run() -> Any:
        return KMeans(c.shape[0], init=c, n_init=1, max_iter=1, tol=0, algorithm="lloyd").fit(x).cluster_centers_

    return quiet(run)


def quiet(run: Run) -> Run:
    """Without the warning that one step does not converge."""
    import warnings

    def quietly() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run()

    return quietly


def k_means(x: Array, c: Array) -> Array:
    cluster = squared(x, c).argmin(1)
    counts = np.bincount(cluster, minlength=c.shape[0])
    chosen = np.zeros((c.shape[0], x.shape[0]), np.float32)
    chosen[cluster, np.arange(x.shape[0])] = 1
    return np.asarray(chosen @ x / np.maximum(counts, 1)[:, None].astype(np.float32))


def k_means_loops(x: Array, c: Array) -> Array:
    cluster = np.zeros(x.shape[0], np.int64)
    for i in prange(x.shape[0]):
        best = np.float32(np.inf)
        for j in range(c.shape[0]):
            total = np.float32(0)
            for q in range(x.shape[1]):
                total += (x[i, q] - c[j, q]) ** 2
            if total < best:
                best = total
                cluster[i] = j
    sums = np.zeros(c.shape, np.float32)
    counts = np.zeros(c.shape[0], np.float32)
    for i in range(x.shape[0]):
        counts[cluster[i]] += 1
        for q in range(x.shape[1]):
            sums[cluster[i], q] += x[i, q]
    for j in range(c.shape[0]):
        sums[j] /= max(np.float32(1), counts[j])
    return sums


def jax_k_means(jax: Any, x: Any, c: Any) -> Any:
    lengths = (c * c).sum(1)[None] - 2 * (x @ c.T)
    cluster = lengths.argmin(1)
    sums = jax.ops.segment_sum(x, cluster, c.shape[0])
    counts = jax.numpy.bincount(cluster, length=c.shape[0])
    return sums / jax.numpy.maximum(1, counts)[:, None].astype(x.dtype)


def torch_k_means(torch: Any, x: Any, c: Any) -> Any:
    cluster = ((c * c).sum(1)[None] - 2 * (x @ c.T)).argmin(1)
    sums = torch.zeros_like(c).index_add_(0, cluster, x)
    return sums / torch.bincount(cluster, minlength=c.shape[0]).clamp(min=1)[:, None]


def jax_neighbours(jax: Any, x: Any, q: Any) -> Any:
    found = (q * q).sum(1)[:, None] + (x * x).sum(1)[None] - 2 * (q @ x.T)
    return -jax.lax.top_k(-found, 5)[0]


def vector_row(name: str, source: str, reference: Any, peers: dict[str, Competitor], **others: Any) -> Row:
    """A row over one vector of sixteen million numbers."""
    given: dict[str, Any] = {"data": uniform, "operations": lambda n: 1.0 * n, "tolerance": 1e-3} | others
    return Row(
        name=f"{name} 16M", source=source, sizes=(1 << 24,), tiny=(1001,), reference=reference, target=1.0, peers=peers,
        **given,
    )  # fmt: skip


ROWS = [
    vector_row("sum", SUM, np.sum, {
        "torch": with_torch(lambda torch, x: x.sum()),
        "jax": with_jax(lambda jax, x: x.sum()),
        "numba": with_numba(sum_loops),
    }),
    vector_row("mean and variance", MEAN_VARIANCE, lambda x: (x.mean(), x.var()), {
        "torch": with_torch(lambda torch, x: torch.var_mean(x, correction=0)[::-1]),
        "jax": with_jax(lambda jax, x: (x.mean(), x.var())),
        "numba": with_numba(mean_variance_loops),
    }, operations=lambda n: 4.0 * n),
    vector_row("argmax", ARGMAX, lambda x: np.argmax(x) + 1, {
        "torch": with_torch(lambda torch, x: x.argmax() + 1),
        "jax": with_jax(lambda jax, x: x.argmax() + 1),
    }, tolerance=0),
    vector_row("cumulative sum f64", CUMULATIVE_SUM, np.cumsum, {
        "torch": with_torch(lambda torch, x: x.cumsum(0)),
        "jax": with_jax(lambda jax, x: x.cumsum()),
        "numba": with_numba(cumulative_sum_loops),
    }, data=uniform_double, tolerance=1e-10),
    vector_row("histogram of 256", HISTOGRAM, lambda x: np.histogram(x, 256, (0, 1))[0], {
        "torch": with_torch(lambda torch, x: torch.histc(x, 256, 0, 1)),
        "jax": with_jax(lambda jax, x: jax.numpy.histogram(x, 256, (0, 1))[0]),
        "numba": with_numba(histogram_loops),
    }, operations=lambda n: 3.0 * n, tolerance=1e-4),
    Row(
        name="pairwise distances 2048 x 2048 x 64",
        source=DISTANCES,
        data=two_clouds,
        sizes=(2048, 2048, 64),
        tiny=(7, 9, 5),
        reference=lambda a, b: np.sqrt(squared(a, b)),
        operations=lambda n, m, d: 3.0 * n * m * d,
        target=1.0,
        tolerance=1e-3,
        peers={
            "torch": with_torch(lambda torch, a, b: torch.cdist(a, b)),
            "jax": with_jax(lambda jax, a, b: jax.numpy.sqrt(
                jax.numpy.maximum((a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * (a @ b.T), 0))),
            "numba": with_numba(distances_loops),
            "sklearn": sklearn_distances,
        },
    ),
    Row(
        name="5 nearest of 20000 x 32, 500 queries",
        source=NEIGHBOURS,
        data=two_clouds,
        sizes=(20000, 500, 32),
        tiny=(40, 6, 5),
        reference=neighbours,
        operations=lambda n, m, d: 3.0 * n * m * d,
        target=1.0,
        tolerance=1e-3,
        peers={
            "torch": with_torch(lambda torch, x, q: torch.cdist(q, x).topk(5, largest=False)[0] ** 2),
            "jax": with_jax(jax_neighbours),
            "sklearn": sklearn_neighbours,
        },
    ),
    Row(
        name="K-means step 100k x 32, k = 64",
        source=K_MEANS,
        data=two_clouds,
        sizes=(100_000, 64, 32),
        tiny=(50, 4, 5),
        reference=k_means,
        operations=lambda n, k, d: 3.0 * n * k * d,
        target=1.0,
        tolerance=1e-2,
        peers={
            "torch": with_torch(torch_k_means),
            "jax": with_jax(jax_k_means),
            "numba": with_numba(k_means_loops),
            "sklearn": sklearn_k_means,
        },
    ),
]  # fmt: skip
