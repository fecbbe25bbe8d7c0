"""The examples of training: values that their headers state, gradients against central differences, and what is learned."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from tests.gradient.judging import judge
from tests.programs import check_file

import tolang

Array = np.ndarray[Any, Any]
FOLDER = Path(__file__).resolve().parents[2] / "examples" / "training"
PROGRAMS = sorted(FOLDER.glob("*.tol"))


@cache
def program(name: str, engine: str = "interpret") -> tolang.Program:
    return tolang.compile(FOLDER / f"{name}.tol", engine=engine)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_headers(path: Path) -> None:
    check_file(path, "interpret")


def descended(name: str, by: list[str], data: dict[str, Any], rate: float, steps: int) -> tuple[float, float]:
    """The loss before and after steps of a descent."""
    gradient = program(name).gradient("loss", by, value=True)
    before = None
    for _ in range(steps):
        found = gradient(**data)
        before = before or float(found["loss"])
        data = data | {one: data[one] - rate * found[f"d_{one}"] for one in by}
    assert before is not None
    return before, float(gradient(**data)["loss"])


def test_logistic_regression() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(40, 3))
    y = (x @ [1.0, -2.0, 0.5] + 0.3 > 0).astype(int)
    data: dict[str, Any] = {"x": x, "y": y, "w": np.zeros(3), "b": 0.0, "rate": 2.0, "steps": 50}
    judge(program("logistic_regression"), "loss", ["w", "b", "x"], data)
    found = program("logistic_regression")(**data)
    assert found["after"] < found["loss"] / 4
    assert np.mean((x @ found["weights"] + found["bias"] > 0) == y) >= 0.9


SHAPES = """
.###. ..#.. .###. .###. ...#. ##### .###. ##### .###. .###.
#...# .##.. #...# #...# ..##. #.... #.... ....# #...# #...#
#...# ..#.. ...#. ..##. .#.#. ####. ####. ...#. .###. .####
#...# ..#.. ..#.. #...# ##### ....# #...# ..#.. #...# ....#
.###. .###. ##### .###. ...#. ####. .###. ..#.. .###. .###.
"""


def synthetic_digits(count: int) -> tuple[Array, Array]:
    """Digits drawn in 8 x 8 pixels, somewhere, in some strength and with noise; the labels are from 1 to 10."""
    rows = [line.split() for line in SHAPES.split("\n") if line]
    random = np.random.default_rng(1)
    labels, images = np.arange(count) % 10 + 1, 0.1 * random.random((count, 8, 8))
    for image, label in zip(images, labels, strict=True):
        shape = np.array([[sign == "#" for sign in row[label - 1]] for row in rows])
        down, right = random.integers(0, 4, 2)
        image[down : down + 5, right : right + 5] += shape * random.uniform(0.7, 1.0)
    return images.reshape(count, 64), labels


def learned(x: Array, y: Array, hidden: int, rate: float, steps: int, engine: str) -> dict[str, Any]:
    random = np.random.default_rng(2)
    w = 0.2 * random.normal(size=hidden * (x.shape[1] + 1) + 10 * (hidden + 1))
    return dict(program("digits", engine)(hidden=hidden, x=x, y=y, w=w, rate=rate, steps=steps))


def test_digits_that_are_drawn_are_learned() -> None:
    x, y = synthetic_digits(100)
    small = {"hidden": 3, "x": x[:4, ::7], "y": y[:4], "rate": 0.1, "steps": 0}
    weights = np.random.default_rng(3).normal(size=3 * 11 + 40)
    judge(program("digits"), "loss", ["w", "x"], small | {"w": weights})
    found = learned(x, y, 16, 0.03, 40, "interpret")
    assert found["after"] < found["loss"] / 5
    assert np.mean(found["found"] == y) > 0.95


def test_the_digits_of_scikit_learn_are_learned() -> None:
    sklearn = pytest.importorskip("sklearn.datasets", reason="scikit-learn, whose digits these are, is not installed")
    images, labels = sklearn.load_digits(return_X_y=True)
    found = learned(images[:500] / 16, labels[:500] + 1, 24, 0.03, 60, "cpu")
    assert found["after"] < found["loss"] / 5
    assert np.mean(found["found"] == labels[:500] + 1) > 0.95


def test_soft_dtw() -> None:
    """The distance of two short series over all their alignments, and a barycentre of waves that are shifted."""
    random = np.random.default_rng(4)
    data: dict[str, Any] = {"series": random.normal(size=(2, 3)), "z": random.normal(size=2), "gamma": 0.7}
    data |= {"rate": 0.1, "steps": 0}
    judge(program("soft_dtw"), "loss", ["z", "series"], data)

    def costs(x: Array, z: Array) -> list[float]:
        """Of all ways through two series."""
        own = (x[-1] - z[-1]) ** 2
        if len(x) == len(z) == 1:
            return [own]
        before = [(x[:-1], z[:-1])] if len(x) > 1 and len(z) > 1 else []
        before += [(x[:-1], z)] if len(x) > 1 else []
        before += [(x, z[:-1])] if len(z) > 1 else []
        return [own + one for way in before for one in costs(*way)]

    soft = [-0.7 * np.log(np.sum(np.exp(-np.array(costs(x, data["z"])) / 0.7))) for x in data["series"]]
    assert program("soft_dtw")(**data)["loss"] == pytest.approx(np.mean(soft), rel=1e-12)
    times = np.linspace(0, 6, 6)
    waves = np.array([np.sin(times - shift) for shift in (0.0, 1.0)])
    found = program("soft_dtw")(waves, np.zeros(6), 0.1, 0.2, 8)
    assert found["after"] < found["loss"] / 4


def test_crf() -> None:
    random = np.random.default_rng(5)
    labels = np.array([1, 1, 2, 3, 3, 1])
    x = np.eye(3)[labels - 1] + 0.3 * random.normal(size=(6, 3))
    data = {"x": x, "labels": labels, "w": random.normal(size=(3, 3)), "moves": random.normal(size=(3, 3))}
    judge(program("crf"), "loss", ["w", "moves", "x"], data)
    before, after = descended("crf", ["w", "moves"], data, 0.5, 10)
    assert 0 < after < before / 10


def test_bundle_adjustment() -> None:
    """With a camera that is turned, and one that is not, where the angle is 0; noise is taken out of the points."""
    random = np.random.default_rng(6)
    cameras = np.zeros((2, 11))
    cameras[0, :6] = 0.3 * random.normal(size=6)
    cameras[:, 6:] = [2.0, 0.1, -0.2, 0.05, 0.01]
    points = random.normal(size=(4, 3)) + np.array([0, 0, 6])
    seen = [(1 + k % 2, 1 + k // 2) for k in range(8)]
    data = {"cameras": cameras, "points": points, "weights": np.ones(8), "seen": seen, "features": np.zeros((8, 2))}
    data["features"] = program("bundle_adjustment")(**data)["errors"]
    moved = data | {"points": points + 0.2 * random.normal(size=(4, 3)), "weights": random.uniform(0.5, 1.5, 8)}
    judge(program("bundle_adjustment"), "loss", ["cameras", "points", "weights"], moved, 1e-5)
    before, after = descended("bundle_adjustment", ["points"], moved | {"weights": np.ones(8)}, 1.0, 8)
    assert after < before / 20


def hand(theta: Array, parents: Array, relatives: Array, inverses: Array, skin: Array, weights: Array) -> Array:
    """Where the skin of a hand is, by matrices: of Euler's angles for each bone, and of the axis for all."""
    bones: list[Array] = []
    for bone, parent in enumerate(parents):
        finger, number = divmod(bone - 2, 4)
        x = 0.0 if bone < 2 or number == 3 else theta[6 + 4 * finger + [0, 2, 3][number]]
        z = theta[7 + 4 * finger] if bone >= 2 and number == 0 else 0.0
        turn = np.eye(4)
        around_x = [[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]]
        turn[:3, :3] = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]]) @ around_x
        own = relatives[bone] @ turn
        bones.append(bones[parent - 1] @ own if parent else own)
    bent = sum(weights[:, [k]] * (skin @ (bone @ inverses[k]).T)[:, :3] for k, bone in enumerate(bones))
    a, b, c = theta[:3]
    return np.asarray(bent @ scipy.linalg.expm(np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])).T + theta[3:6])


def test_hand_tracking() -> None:
    """A hand of two fingers, by matrices of NumPy and differences."""
    random = np.random.default_rng(7)
    model = {
        "parents": np.array([0, 1, 2, 3, 4, 5, 2, 7, 8, 9]), "relatives": random.normal(size=(10, 4, 4)) / 4 + np.eye(4),
        "inverses": random.normal(size=(10, 4, 4)) / 4 + np.eye(4), "skin": random.normal(size=(5, 4)),
        "weights": random.uniform(size=(5, 10)),
    }  # fmt: skip
    model["relatives"][:, 3] = model["inverses"][:, 3] = [0, 0, 0, 1]
    theta, between = 0.3 * random.normal(size=14), random.uniform(0.1, 0.4, size=(4, 2))
    data: dict[str, Any] = {**model, "theta": theta, "between": between, "points": np.zeros((4, 3)), "mirrored": False}
    data |= {"triangles": np.array([[1, 2, 3], [3, 4, 5]]), "places": np.array([1, 2, 2, 1])}
    corners = hand(theta, *model.values())[data["triangles"][data["places"] - 1] - 1]
    sides = np.column_stack([between, 1 - between.sum(1)])
    expected = np.einsum("pk,pkx->px", sides, corners)
    np.testing.assert_allclose(program("hand_tracking")(**data)["errors"], -expected, rtol=1e-12, atol=1e-12)
    judge(program("hand_tracking"), "loss", ["theta", "between", "weights"], data, 1e-5)


KMEANS = """\
tol x: R [n,d]
tol c: R [k,d]
distance(i, j) = reduce(map(x[i], (* - c[j,*])^2), add, 0)
loss := reduce(map(tol[n], reduce(map(tol[k], distance(i,j), j), min, Inf), i), add, 0)
"""


def test_kmeans() -> None:
    """ADBench's objective: each centre gets the way to its own points, and as second derivatives twice their number."""
    random = np.random.default_rng(8)
    x, c = random.normal(size=(30, 2)), random.normal(size=(4, 2))
    owner = ((x[:, None] - c) ** 2).sum(2).argmin(1)
    first = tolang.compile(KMEANS, engine="interpret").gradient("loss", "c")
    slopes = [2 * (c[j] - x[owner == j]).sum(0) for j in range(4)]
    assert np.allclose(first(x, c), slopes, rtol=1e-12)
    second = first.tangent("d_c", "c")
    counts = np.bincount(owner, minlength=4)[:, None]
    assert np.allclose(second(x, c, np.ones_like(c)), 2 * counts * np.ones_like(c), rtol=1e-12)
