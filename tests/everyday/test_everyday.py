"""Programs of every day, as their users would write them: short, compiled whole, and right beside NumPy and SciPy."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import ndimage, special
from tests.programs import check_file

import tolang

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "everyday"
PROGRAMS = sorted(FOLDER.glob("*.tol"))
MOST_LINES = 12

Array = np.ndarray[Any, Any]


def numbers(*shape: int) -> Array:
    return np.random.default_rng(7).standard_normal(shape)


def result(name: str, *inputs: Any, **named: Any) -> Any:
    """What a program gives, all of it by compiled code."""
    return tolang.compile(FOLDER / f"{name}.tol", fallback=False)(*inputs, **named)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_is_short_and_says_what_it_computes(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert len([line for line in lines if not line.startswith("#")]) <= MOST_LINES


@pytest.mark.parametrize("path", [one for one in PROGRAMS if one.stem != "fft"], ids=lambda path: path.stem)
def test_the_example_in_its_comments(path: Path) -> None:
    check_file(path, "interpret")


def test_softmax() -> None:
    x = numbers(5, 7) * 300
    np.testing.assert_allclose(result("softmax", x), special.softmax(x, axis=1), rtol=1e-13)


def test_moving_average() -> None:
    x = numbers(100)
    np.testing.assert_allclose(result("moving_average", x, 9), np.convolve(x, np.ones(9) / 9, "valid"), rtol=1e-11)


def test_top_k() -> None:
    x = np.floor(numbers(50) * 4)
    found = result("top_k", x, 8)
    order = sorted(range(50), key=lambda k: (-x[k], k))[:8]
    assert found["places"].tolist() == [k + 1 for k in order]
    assert found["values"].tolist() == [x[k] for k in order]


@pytest.mark.parametrize("shape", [(3, 8), (12, 5), (7, 6), (1, 1)])
def test_bilinear_resize(shape: tuple[int, int]) -> None:
    image = numbers(7, 6)
    places = [(np.arange(new) + 0.5) * old / new - 0.5 for new, old in zip(shape, image.shape, strict=True)]
    wanted = ndimage.map_coordinates(image, np.meshgrid(*places, indexing="ij"), order=1, mode="nearest")
    np.testing.assert_allclose(result("bilinear_resize", image, *shape), wanted, rtol=1e-12, atol=1e-12)


def test_soft_dtw() -> None:
    x, y, gamma = numbers(9), numbers(7) + 1, 0.5
    table = np.full((10, 8), np.inf)
    table[0, 0] = 0
    for i in range(9):
        for j in range(7):
            before = np.array([table[i, j], table[i, j + 1], table[i + 1, j]])
            table[i + 1, j + 1] = (x[i] - y[j]) ** 2 - gamma * special.logsumexp(-before / gamma)
    np.testing.assert_allclose(result("soft_dtw", x, y, gamma), table[-1, -1], rtol=1e-12)


def test_coo_product() -> None:
    dense = np.where(numbers(6, 9) > 0.3, numbers(6, 9), 0)
    rows, columns = np.nonzero(dense)
    order = np.random.default_rng(1).permutation(len(rows))
    stored = [(int(rows[k]) + 1, int(columns[k]) + 1, float(dense[rows[k], columns[k]])) for k in order]
    x = numbers(9)
    np.testing.assert_allclose(result("coo_product", stored, x, 6), dense @ x, rtol=1e-12)


def test_causal_attention() -> None:
    q, k, v = numbers(6, 4), numbers(6, 4) + 1, numbers(6, 3)
    scores = np.where(np.tri(6, dtype=bool), q @ k.T / 2, -np.inf)
    np.testing.assert_allclose(result("causal_attention", q, k, v), special.softmax(scores, axis=1) @ v, rtol=1e-12)


def test_group_mean() -> None:
    generator = np.random.default_rng(5)
    words = ["", "a", "aa", "Zürich", "zoo", "\U0001d11e", "\uffff"]
    sales = [(words[k], float(x)) for k, x in zip(generator.integers(0, len(words), 90), numbers(90), strict=True)]
    groups: dict[str, list[float]] = {}
    for word, amount in sales:
        groups.setdefault(word, []).append(amount)
    found = result("group_mean", sales).to_list()
    assert [word for word, _ in found] == sorted(groups)
    np.testing.assert_allclose([mean for _, mean in found], [np.mean(groups[one]) for one in sorted(groups)])


@cache
def edits(a: str, b: str) -> int:
    """Levenshtein's distance as it is defined, by what the last step may be."""
    if not a or not b:
        return len(a) + len(b)
    return min(edits(a[:-1], b) + 1, edits(a, b[:-1]) + 1, edits(a[:-1], b[:-1]) + (a[-1] != b[-1]))


def test_levenshtein() -> None:
    texts = ["", "a", "kitten", "sitting", "naïve café", "näive cafe", "\U0001d11e\U0001d122", "\U0001d122"]
    program = tolang.compile(FOLDER / "levenshtein.tol", fallback=False)
    assert str(program.cost().eops) == "7*m*n + m + 1"
    for a, b in product(texts, texts):
        assert program(a, b) == edits(a, b), (a, b)


def test_logistic_step() -> None:
    x, labels, w = numbers(20, 3), numbers(20) > 0, numbers(3)
    found = result("logistic_step", x, labels, w, 0.1)
    chance = special.expit(x @ w)
    loss = -np.mean(np.where(labels, np.log(chance), np.log(1 - chance)))
    np.testing.assert_allclose(found["loss"], loss, rtol=1e-12)
    np.testing.assert_allclose(found["next"], w - 0.1 * x.T @ (chance - labels) / 20, rtol=1e-12)


def test_median_filter() -> None:
    image = numbers(9, 7)
    wanted = ndimage.median_filter(image, size=3, mode="nearest")
    np.testing.assert_array_equal(result("median_filter", image), wanted)


def test_gauss_jordan() -> None:
    a = numbers(8, 8)
    a[0, 0] = 0
    np.testing.assert_allclose(result("gauss_jordan", a) @ a, np.eye(8), atol=1e-12)


def test_label_propagation() -> None:
    places = np.concatenate([numbers(10, 2), numbers(10, 2) + 9])
    weights = np.exp(-((places[:, None] - places[None]) ** 2).sum(2))
    np.fill_diagonal(weights, 0)
    labels = np.zeros(20, int)
    labels[0], labels[10] = 1, 2
    assert result("label_propagation", weights, labels, 2).tolist() == [1] * 10 + [2] * 10


def test_conjugate_gradient() -> None:
    square = numbers(12, 12)
    a, b = square @ square.T + np.eye(12), numbers(12)
    np.testing.assert_allclose(result("conjugate_gradient", a, b), np.linalg.solve(a, b), rtol=1e-7)


def test_viterbi() -> None:
    start, moves, emits = (np.log(special.softmax(numbers(*s), axis=-1)) for s in ((3,), (3, 3), (3, 4)))
    seen = np.random.default_rng(3).integers(1, 5, 6)
    likeliest, path = -math.inf, (0,)
    for states in np.ndindex(*(3,) * 6):
        score = start[states[0]] + sum(emits[s, o - 1] for s, o in zip(states, seen, strict=True))
        score += sum(moves[a, b] for a, b in pairwise(states))
        if score > likeliest:
            likeliest, path = score, states
    assert result("viterbi", start, moves, emits, seen).tolist() == [s + 1 for s in path]


def test_fft_of_a_thousand_points() -> None:
    x = numbers(1000) + 1j * numbers(1000)[::-1]
    lists = np.empty(1000, [("re", "f8"), ("im", "f8")])
    lists["re"], lists["im"] = x.real, x.imag
    real, imaginary = result("fft", lists).columns
    np.testing.assert_allclose(real + 1j * imaginary, np.fft.fft(x), atol=1e-10)
