"""Folds of lists by associative functions, regrouped, against the interpreter, which keeps the order, and NumPy."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.idioms.tree_fold import tree_fold_of
from tolang.lower.steps import lower
from tolang.plan.grain import TREE_BLOCK, TREE_PIECE
from tolang.plan.nest import Group, Reduction, Step
from tolang.plan.traversal import inner_steps, occurrences, scalars_of

MOMENTS = """associative join(a, b) = {
  d = b[2]' - a[2]'
  m = a[1]' + b[1]'
  (m, a[2]' + d*b[1]'/m, a[3]' + b[3]' + d*d*a[1]'*b[1]'/m)
}
"""
LOGSUMEXP = """associative join(a, b) = {
  m = max(a[1]', b[1]')
  (m, a[2]'*exp(a[1]' - m) + b[2]'*exp(b[1]' - m))
}
"""
# x -> max(x + p, q), one after the other: not commutative, and exact of whole numbers
CLAMPED_WALK = "associative join(a, b) = (a[1]' + b[1]', max(a[2]' + b[1]', b[2]'))\n"
SOURCES = {
    "moments": f"tol x: R [n]\n{MOMENTS}y := reduce(map(x, (1,*,0)), join, (0,0,0))",
    "log of a sum": f"tol x: R [n]\n{LOGSUMEXP}y := reduce(map(x, (*,1.0)), join, (-1e300,0.0))",
    "walk": f"tol x: R [n]\n{CLAMPED_WALK}y := reduce(map(x, (*, -*)), join, (0.0,0.0))",
    "walk of whole numbers": f"tol x: Z [n]\n{CLAMPED_WALK}y := reduce(map(x, (*, -*)), join, (0,0))",
}
LENGTHS = [
    0,
    1,
    2,
    3,
    100,
    *(k * TREE_BLOCK + d for k in (1, 2) for d in (-1, 0, 1)),
    *(TREE_PIECE + d for d in (-1, 0, 1, TREE_BLOCK + 1)),
]


@cache
def program(source: str, engine: str = "cpu", strict: bool = False) -> tolang.Program:
    return tolang.compile(source, engine=engine, strict=strict, fallback=False)


def folds_of(source: str) -> list[Group]:
    pending: list[Step] = list(optimise(lower(tolang.compile(source).core)).steps)
    found: dict[int, Group] = {}
    while pending:
        step = pending.pop()
        pending.extend(inner_steps(step))
        inside = (place.scalar for scalar in scalars_of(step) for place in occurrences(scalar))
        found |= {id(one.group): one.group for one in inside if isinstance(one, Reduction)}
    return list(found.values())


@pytest.mark.parametrize("name", SOURCES)
def test_merges_are_recognised(name: str) -> None:
    (fold,) = folds_of(SOURCES[name])
    assert tree_fold_of(fold) is not None


@pytest.mark.parametrize(
    "fold",
    [
        "reduce(map(x, (k,*), k), (s,e) -> (s[1]' + e[1]', s[2]' - s[1]'*e[2]'), (0,0.0))",  # not said to be associative
        "reduce(map(x, (k,*), k), join, (0.0,0.0))",  # a real would be where whole numbers are multiplied
    ],
)
def test_other_folds_are_none(fold: str) -> None:
    source = f"tol x: R [n]\nassociative join(a, b) = (a[1]' + b[1]'*b[1]', a[2]' + b[2]')\ny := {fold}"
    (group,) = folds_of(source)
    assert tree_fold_of(group) is None
    x = np.random.default_rng(1).normal(size=50)
    assert program(source)(x=x) == pytest.approx(program(source, "interpret")(x=x), rel=1e-12)


@pytest.mark.parametrize("length", LENGTHS)
def test_moments(length: int) -> None:
    x = np.random.default_rng(length).normal(3, 2, length)
    count, mean, squares = program(SOURCES["moments"])(x=x)
    assert count == length
    # both sums lose a few units in the last place, as pairwise sums do
    assert mean == pytest.approx(x.mean() if length else 0, rel=1e-13)
    assert squares == pytest.approx(x.var() * length if length else 0, rel=1e-11)


@pytest.mark.parametrize("length", LENGTHS)
def test_log_of_a_sum(length: int) -> None:
    x = np.random.default_rng(length).normal(0, 5, length)
    top, total = program(SOURCES["log of a sum"])(x=x)
    assert top == (x.max() if length else -1e300)
    # one rounding of an exponential for each level of the trees, and each block before
    assert total == pytest.approx(np.exp(x - top).sum() if length else 0, rel=1e-12)


@pytest.mark.parametrize("length", LENGTHS)
def test_order_is_kept(length: int) -> None:
    x = np.random.default_rng(length).integers(-5, 6, length)
    whole = program(SOURCES["walk of whole numbers"])(x=x)
    real = program(SOURCES["walk"])(x=x.astype(float))
    place = np.concatenate([[0], np.cumsum(x)])
    # the greatest of what each clamp leaves, carried to the end; the start counts as one at 0
    left = place[-1] + max([0, *(-x - place[1:])])
    assert (int(whole[0]), int(whole[1])) == (place[-1], left)
    assert (real[0], real[1]) == (place[-1], left)


@pytest.mark.parametrize("name", ["moments", "log of a sum", "walk"])
def test_strict_keeps_the_grouping(name: str) -> None:
    x = np.random.default_rng(4).normal(size=TREE_BLOCK + 77)
    found, wanted = (program(SOURCES[name], engine, True)(x=x) for engine in ("cpu", "interpret"))
    if name == "log of a sum":  # exponentials agree within 2 ulp each
        assert found == pytest.approx(wanted, rel=1e-12)
    else:
        assert list(found) == list(wanted)


def test_nan_and_infinities() -> None:
    x = np.random.default_rng(5).normal(size=3 * TREE_BLOCK)
    for value in (np.nan, np.inf):
        x[TREE_BLOCK + 5] = value
        _, mean, squares = program(SOURCES["moments"])(x=x)
        assert not np.isfinite(mean)
        assert np.isnan(squares)


def test_rows() -> None:
    source = f"tol x: R [m,n]\n{MOMENTS}y := map(tol[m], reduce(map(x[i], (1,*,0)), join, (0,0,0))[3]', i)"
    x = np.random.default_rng(6).normal(size=(5, TREE_BLOCK + 3))
    # as in the test of moments
    assert program(source)(x=x) == pytest.approx(x.var(1) * x.shape[1], rel=1e-11)


def test_any_number_of_threads() -> None:
    x: Any = np.random.default_rng(7).normal(size=3 * TREE_PIECE + 11)
    found = [tolang.compile(SOURCES["moments"], threads=threads)(x=x) for threads in (1, 2, 3)]
    assert list(found[0]) == list(found[1]) == list(found[2])
