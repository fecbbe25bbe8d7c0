"""Products of few columns, and of some more than a tile has, in tiles that compute little for nothing."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
import pytest
from tests.plans import TARGETS, optimise

import tolang
from tolang.engines.cpu.processors import target_of
from tolang.lower.steps import lower
from tolang.plan.dispatch import with_branches
from tolang.plan.nest import Branch, Nest, Step
from tolang.plan.schedule import Tiled

HEAD = "tol a: {0} [n,k]\ntol b: {0} [k,m]\n"
PRODUCT = HEAD + "c := map(tol[n,m], reduce(map(a[i], * * b[*,j]), add, 0), [i,j])"
MIN_PLUS = HEAD + "c := map(tol[n,m], reduce(map(a[i], * + b[*,j]), min, Inf), [i,j])"
BATCH = (
    "tol a: f32 [q,n,k]\ntol b: f32 [q,k,m]\nc := map(tol[q,n,m], reduce(map(a[h,i], * * b[h,*,j]), add, 0), [h,i,j])"
)
COLUMNS = (
    1,
    3,
    4,
    7,
    8,
    9,
    15,
    16,
    17,
    24,
    31,
    32,
    33,
    40,
    47,
    48,
    49,
    63,
    64,
    65,
    80,
    96,
    97,
    100,
    129,
    144,
    193,
    200,
)


def numbers(seed: int, *shape: int) -> np.ndarray[Any, Any]:
    """Whole numbers so small that sums of their products are exact."""
    return np.random.default_rng(seed).integers(-9, 10, shape).astype(np.float32)


@pytest.mark.parametrize("space", ["f32", "f64", "i32"])
@pytest.mark.parametrize("rows", [5, 17])
def test_products_of_any_number_of_columns(space: str, rows: int) -> None:
    program = tolang.compile(PRODUCT.format(space), engine="cpu")
    kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[space]
    for columns in COLUMNS:
        a, b = numbers(1, rows, 11).astype(kind), numbers(columns, 11, columns).astype(kind)
        np.testing.assert_array_equal(np.asarray(program(a, b)), a @ b)


@pytest.mark.parametrize("columns", COLUMNS)
def test_other_operations(columns: int) -> None:
    a, b = numbers(2, 9, 13), numbers(3, 13, columns)
    found = np.asarray(tolang.compile(MIN_PLUS.format("f32"), engine="cpu")(a, b))
    np.testing.assert_array_equal(found, (a[:, :, None] + b[None]).min(1))


def test_batches() -> None:
    program = tolang.compile(BATCH, engine="cpu")
    for columns in COLUMNS:
        a, b = numbers(4, 3, 10, 6), numbers(5, 3, 6, columns)
        np.testing.assert_array_equal(np.asarray(program(a, b)), a @ b)


def tile_at(steps: tuple[Step, ...], sizes: dict[str, int]) -> Tiled | None:
    """The tile that a product has at some sizes."""
    for step in steps:
        if isinstance(step, Branch) and step.guard is not None:
            return tile_at(step.then if step.guard.evaluate(sizes) else step.otherwise, sizes)
        if isinstance(step, Nest) and step.cases:
            return tile_at((with_branches(step),), sizes)
        if isinstance(step, Nest):
            return step.schedule if isinstance(step.schedule, Tiled) else None
    return None


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("columns", range(4, 260, 7))
def test_little_is_computed_for_nothing(target: str, columns: int) -> None:
    """Of columns up to a tile's less than a vector, but for the last but one; of more less than with the widest."""
    steps = optimise(lower(tolang.compile(PRODUCT.format("f32")).core), target_of(*TARGETS[target])).steps
    widest = tile_at(steps, {"n": 10**6, "k": 50, "m": 10**6})
    found = tile_at(steps, {"n": 10**6, "k": 50, "m": columns})
    assert found is not None
    assert widest is not None
    computed = ceil(columns / found.columns) * found.columns
    assert computed <= ceil(columns / widest.columns) * widest.columns
    if columns <= widest.columns - widest.lanes:
        assert computed < columns + widest.lanes
