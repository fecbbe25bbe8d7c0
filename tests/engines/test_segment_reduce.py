"""Folds by label: every element goes to the place that its label names, whatever the number of pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang

Array = np.ndarray[Any, Any]


SUMS = "tol x: {kind} [n,d]\ntol label: Z [n]\nr := map(tol[{places},d], reduce(map(tol[n], if label[i] == j then x[i,a] else {other}, i), {function}, {start}), [j,a])"


def expected(x: Array, labels: Array, places: int, function: str, start: float) -> Array:
    found = np.full((places, x.shape[1]), start, x.dtype)
    combine = {"add": np.add, "max": np.maximum, "min": np.minimum}[function]
    for row, label in zip(x, labels, strict=True):
        if 1 <= label <= places:
            found[label - 1] = combine(found[label - 1], row)
    return found


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("kind", "function", "start", "other"),
    [("R", "add", "0", "0"), ("Z", "add", "3", "0"), ("f32", "max", "-Inf", "-Inf"), ("R", "min", "Inf", "Inf")],
)
def test_folds_by_label(kind: str, function: str, start: str, other: str, strict: bool) -> None:
    """Labels that are no place go nowhere; places that no element names keep what they began with."""
    source = SUMS.format(kind=kind, places=9, function=function, start=start, other=other)
    program = tolang.compile(source, fallback=False, strict=strict)
    assert "by segment reduce" in program.explain().full
    generator = np.random.default_rng(11)
    for rows, columns in ((0, 3), (5, 1), (9000, 4), (20000, 7)):
        kinds: dict[str, type] = {"R": float, "Z": int, "f32": np.float32}
        x: Array = np.array(generator.integers(-50, 50, (rows, columns)), kinds[kind])
        labels = generator.integers(-1, 9, rows)
        if rows > 9000:
            labels[:] = np.where(labels == 4, 3, labels)
        np.testing.assert_array_equal(program(x, labels), expected(x, labels, 9, function, float(start)))


def test_many_places_and_one_dimension() -> None:
    source = "tol x: R [n]\ntol label: Z [n]\ntol y: R [k]\nr := map(y, (b,j) -> b + reduce(map(x, if label[i] == j then * else 0, i), add, 0))"
    program = tolang.compile(source, fallback=False)
    assert "by segment reduce" in program.explain().full
    generator = np.random.default_rng(2)
    x, y, labels = generator.normal(size=30000), generator.normal(size=700), generator.integers(1, 701, 30000)
    wanted = y + np.bincount(labels - 1, x, minlength=700)
    np.testing.assert_allclose(program(x, labels, y), wanted, rtol=1e-12, atol=1e-12)


def test_others_are_no_folds_by_label() -> None:
    """What takes anything but a neutral element where labels differ is computed as it is written."""
    x, labels = np.linspace(-1, 2, 50), np.arange(50) % 11
    places = np.arange(1, 10)[:, None]
    cases = [
        ("if label[i] == j then x[i] else 1", np.where(labels == places, x, 1)),
        ("if label[i] == j then x[i] else 0-x[i]", np.where(labels == places, x, -x)),
        ("if label[i] >= j then x[i] else 0", np.where(labels >= places, x, 0)),
    ]
    for term, terms in cases:
        source = f"tol x: R [n]\ntol label: Z [n]\nr := map(tol[9], reduce(map(tol[n], {term}, i), add, 0), j)"
        program = tolang.compile(source, fallback=False)
        assert "by segment reduce" not in program.explain().full
        np.testing.assert_allclose(program(x, labels), terms.sum(axis=1), rtol=1e-12, atol=1e-12)


def test_where_there_is_no_place_no_label_is_looked_at() -> None:
    """A label that cannot be read is an error only if there is somewhere to go."""
    source = (
        "tol x: R [n]\ntol label: Z [m]\ntol y: R [k]\n"
        "r := map(y, (b,j) -> b + reduce(map(x, if label[i+1] == j then * else 0, i), add, 0))"
    )
    program = tolang.compile(source, fallback=False)
    assert "by segment reduce" in program.explain().full
    assert program([1.0, 2.0], [1, 2], np.zeros(0)).shape == (0,)
    with pytest.raises(tolang.ToLangRunError):
        program([1.0, 2.0], [1, 2], np.zeros(5))
