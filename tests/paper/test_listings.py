"""The listings of section 5 of the paper, as they stand under `examples/paper`: their own examples, and random data.

Each is compared at several sizes with a result computed another way, by NumPy or SciPy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.cluster.vq import kmeans2
from scipy.signal import correlate
from scipy.sparse.csgraph import shortest_path
from tests.programs import check_file

import tolang

LISTINGS = Path(__file__).resolve().parents[2] / "examples" / "paper"
NAMES = ("matmul", "convolution", "pooling", "shortest_paths", "resnet_block", "kmeans")
Array = np.ndarray[Any, Any]


def program(name: str) -> tolang.Program:
    return tolang.compile(LISTINGS / f"{name}.tol")


def random(*key: int) -> np.random.Generator:
    return np.random.default_rng(key)


def test_every_listing_is_there() -> None:
    assert sorted(path.stem for path in LISTINGS.glob("*.tol")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_own_example(name: str) -> None:
    check_file(LISTINGS / f"{name}.tol")


@pytest.mark.parametrize(("n", "k", "m"), [(1, 1, 1), (2, 3, 4), (17, 5, 9), (3, 0, 2), (0, 4, 3), (40, 31, 23)])
def test_matmul(n: int, k: int, m: int) -> None:
    a, b = random(n, k, m).normal(size=(n, k)), random(m, k, n).normal(size=(k, m))
    np.testing.assert_allclose(program("matmul")(a, b), a @ b, rtol=1e-12, atol=1e-12)


def test_matmul_stays_in_single_precision() -> None:
    a, b = (random(seed).normal(size=(6, 6)).astype(np.float32) for seed in (1, 2))
    result = program("matmul")(a, b)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, a @ b, rtol=1e-5)


@pytest.mark.parametrize(
    ("shape", "kernel", "stride", "padding"),
    [
        ((5, 5), (3, 3), 1, 0), ((7, 4), (3, 2), 2, 1), ((6, 9), (1, 4), 3, 2), ((4, 4), (4, 4), 4, 0),
        ((8, 5), (2, 5), 1, 3),
    ],
)  # fmt: skip
def test_convolution(shape: tuple[int, int], kernel: tuple[int, int], stride: int, padding: int) -> None:
    x, k = random(*shape).normal(size=shape), random(*kernel, 7).normal(size=kernel)
    expected = correlate(np.pad(x, padding), k, mode="valid", method="direct")[::stride, ::stride]
    np.testing.assert_allclose(program("convolution")(x, k, stride, padding), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("n", "k", "stride", "padding"),
    [(9, 3, 3, 0), (10, 3, 2, 1), (7, 7, 1, 0), (12, 2, 5, 1), (1, 1, 1, 0), (20, 4, 3, 2)],
)  # fmt: skip
def test_pooling(n: int, k: int, stride: int, padding: int) -> None:
    x = random(n, k).normal(size=n)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, padding), k)[::stride]
    np.testing.assert_allclose(program("pooling")(x, k, stride, padding), windows.mean(axis=1), rtol=1e-12)


def graph(n: int, density: float) -> Array:
    """A directed graph with lengths; Inf where there is no way."""
    random_graph = random(n, 3)
    lengths = random_graph.uniform(1, 10, size=(n, n))
    return np.where(random_graph.uniform(size=(n, n)) < density, lengths, np.inf)


@pytest.mark.parametrize(("n", "density"), [(1, 1.0), (2, 0.5), (5, 0.4), (12, 0.2), (16, 0.3), (33, 0.08)])
def test_shortest_paths(n: int, density: float) -> None:
    edges = graph(n, density)
    results = program("shortest_paths")(edges)
    np.testing.assert_array_equal(results["result"], (edges[:, :, None] + edges[None, :, :]).min(axis=1))
    expected = shortest_path(np.where(np.isinf(edges), 0, edges), method="FW")
    np.testing.assert_allclose(results["paths"], expected, rtol=1e-12)


def convolved(x: Array, kernel: Array) -> Array:
    """A 3 by 3 convolution with padding 1, by NumPy's windows."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    result: Array = np.einsum("bchwyx,mcyx->bmhw", windows, kernel)
    return result


def normalised(x: Array) -> Array:
    mean, variance = x.mean(axis=(0, 2, 3), keepdims=True), x.var(axis=(0, 2, 3), keepdims=True)
    normal: Array = (x - mean) / np.sqrt(variance + 1e-5)
    return normal


@pytest.mark.parametrize(
    ("batch", "channel", "height", "width"), [(1, 1, 3, 3), (2, 3, 4, 5), (3, 4, 6, 2), (1, 2, 1, 7)]
)
def test_resnet_block(batch: int, channel: int, height: int, width: int) -> None:
    x = random(batch, channel).normal(size=(batch, channel, height, width))
    first, second = (random(channel, seed).normal(size=(channel, channel, 3, 3)) for seed in (1, 2))
    out = normalised(convolved(np.maximum(normalised(convolved(x, first)), 0), second))
    expected = np.maximum(out + x, 0)
    block = program("resnet_block")
    np.testing.assert_allclose(block(x, first, second), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(block.forward(x, kernel1=first, kernel2=second), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(block.conv(x, first), convolved(x, first), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(block.bn(x), normalised(x), rtol=1e-9, atol=1e-9)


def clustered(data: Array, centers: Array, steps: int) -> tuple[Array, Array]:
    """K-means by NumPy: the centers after some steps, and the cluster, from 1, of each point."""
    for _ in range(steps + 1):
        nearest = np.linalg.norm(data[:, None] - centers[None], axis=2).argmin(axis=1)
        final, centers = centers, np.array(
            [data[nearest == j].mean(axis=0) if (nearest == j).any() else centers[j] for j in range(len(centers))]
        )  # fmt: skip
    return final, nearest + 1


@pytest.mark.parametrize(("n", "dimension", "k", "steps"), [(6, 1, 2, 1), (30, 2, 3, 0), (40, 3, 5, 4), (25, 2, 4, 12)])
def test_kmeans(n: int, dimension: int, k: int, steps: int) -> None:
    data = random(n, k).normal(size=(n, dimension))
    centers, nearest = clustered(data, data[:k], steps)
    results = program("kmeans")(data, data[:k], steps)
    np.testing.assert_allclose(results["newcenters"], centers, rtol=1e-12)
    np.testing.assert_array_equal(results["cluster"], nearest)


def test_kmeans_finds_what_scipy_finds() -> None:
    middle = np.array([[0.0, 0.0], [8.0, 8.0], [-8.0, 8.0]])
    data = np.concatenate([m + random(int(m[0] + 9)).normal(size=(20, 2)) for m in middle])
    start = data[[0, 25, 45]]
    expected, labels = kmeans2(data, start, iter=10, minit="matrix")
    results = program("kmeans")(data, start, 10)
    np.testing.assert_allclose(results["newcenters"], expected, rtol=1e-12)
    np.testing.assert_array_equal(results["cluster"], labels + 1)


def test_kmeans_random_centers_are_points_of_the_data() -> None:
    data = random(4).normal(size=(50, 3))
    chosen = program("kmeans").random_centers(data, 6, seed=11)
    assert chosen.shape == (6, 3)
    assert all((data == one).all(axis=1).any() for one in chosen)
    assert len(np.unique(chosen, axis=0)) > 1
    np.testing.assert_array_equal(chosen, program("kmeans").random_centers(data, 6, seed=11))


def test_kmeans_dist() -> None:
    first, second = random(1).normal(size=4), random(2).normal(size=4)
    np.testing.assert_allclose(program("kmeans").dist(first, second), np.linalg.norm(first - second), rtol=1e-12)
