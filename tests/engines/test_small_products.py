"""Products whose folds are short, in a batch or with few rows or columns: written out, where all of that is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.plans import TARGETS, optimise

import tolang
from tolang.engines.cpu.processors import target_of
from tolang.lower.steps import lower
from tolang.plan.dispatch import without_cases
from tolang.plan.kinds import CONTRACTION, FOLDS, kind_of
from tolang.plan.nest import Branch, Nest

ONE = "tol a: {space} [{n},{k}]\ntol b: {space} [{k},{m}]\nc := map(tol[{n},{m}], {value}, [i,j])"
BATCH = "tol a: {space} [s,{n},{k}]\ntol b: {space} [s,{k},{m}]\nc := map(tol[s,{n},{m}], {value}, [t,i,j])"
SUM = "reduce(map(tol[{k}], a[{at}i,q] * b[{at}q,j], q), add, {zero})"
LEAST = "reduce(map(tol[{k}], a[{at}i,q] + b[{at}q,j], q), min, {greatest})"


def source_of(form: str, n: object, k: int, m: object, space: str = "f32", value: str = SUM) -> str:
    zero, greatest = ("convert(0, [i32])", "convert(1000, [i32])") if space == "i32" else ("0", "Inf")
    at = "t," if form == BATCH else ""
    return form.format(space=space, n=n, k=k, m=m, value=value.format(k=k, at=at, zero=zero, greatest=greatest))


def kinds_of(source: str, target: str) -> set[str]:
    """The kinds of schedules of all cases."""
    found: set[str] = set()

    def look(steps: Any) -> None:
        for step in steps:
            if isinstance(step, Nest):
                found.add(kind_of(step))
            elif isinstance(step, Branch):
                look((*step.then, *step.otherwise))

    plan = optimise(lower(tolang.compile(source).core), target_of(*TARGETS[target]))
    look(without_cases(plan).steps)
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("form", "n", "k", "m", "small"),
    [
        (ONE, "n", 3, 4, True),  # points
        (ONE, "n", 8, 8, True),
        (ONE, "n", 8, 9, False),  # columns that are more than few
        (ONE, "n", 9, 8, False),  # a fold that is longer
        (ONE, 8, 8, "m", True),
        (ONE, 9, 8, 600, False),
        (BATCH, 4, 4, 4, True),
        (BATCH, 16, 8, 64, True),
        (BATCH, 16, 8, 65, False),  # results that are more than small
        (BATCH, 16, 9, 16, False),
        (BATCH, "n", 8, 16, False),  # of unknown length
    ],
    ids=lambda one: "batch" if one == BATCH else "one" if one == ONE else str(one),
)
def test_they_are_written_out(form: str, n: object, k: int, m: object, small: bool, target: str) -> None:
    found = kinds_of(source_of(form, n, k, m), target)
    assert found == {FOLDS} if small else CONTRACTION in found


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("value", [SUM, LEAST, f"max({{zero}}, a[{{at}}i,1] + {SUM})"], ids=["sum", "least", "relu"])
@pytest.mark.parametrize("space", ["f32", "f64", "i32"])
@pytest.mark.parametrize("form", [ONE, BATCH], ids=["one", "batch"])
def test_they_are_what_numpy_says(form: str, space: str, value: str, threads: int) -> None:
    random = np.random.default_rng(3)
    kind: Any = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[space]
    for n, k, m in ((5, 1, 4), (700, 3, 4), (301, 8, 8), (4, 4, 4), (8, 7, 1300), (16, 5, 24)):
        if form == ONE and min(n, m) > 8:
            continue
        batch = () if form == ONE else (1 + 9000 // (n * m),)
        a, b = ((random.random((*batch, *shape)) * 9).astype(kind) for shape in ((n, k), (k, m)))
        program = tolang.compile(source_of(form, n, k, m, space, value), fallback=False, threads=threads)
        if value == LEAST:
            wanted = (a[..., :, :, None] + b[..., None, :, :]).min(-2)
        else:
            wanted = a.astype(np.float64) @ b
            wanted = wanted if value == SUM else np.maximum(0, wanted + a[..., :1])
        # sums of at most 8 products and one more, each rounded once; of whole numbers, and the least, they are exact
        rounding = 9 * float(np.finfo(kind).eps) if space != "i32" and value != LEAST else 0.0
        np.testing.assert_allclose(np.asarray(program(a, b)), wanted, rtol=rounding)


@pytest.mark.parametrize("space", ["f32", "f64"])
def test_numbers_of_eight_bytes_fill_registers_sooner(space: str) -> None:
    """Written out, 8 steps of 8 columns would leave no register for points where each takes two."""
    assert (kinds_of(source_of(ONE, "n", 8, 8, space), "avx512") == {FOLDS}) == (space == "f32")
    assert kinds_of(source_of(ONE, "n", 4, 8, space), "avx512") == {FOLDS}


@pytest.mark.parametrize("space", ["f32", "f64"])
def test_bits_do_not_depend_on_where_a_product_stands_or_on_threads(space: str) -> None:
    random = np.random.default_rng(4)
    kind = {"f32": np.float32, "f64": np.float64}[space]
    a, b = random.standard_normal((3001, 8)).astype(kind), random.standard_normal((8, 4)).astype(kind)
    source = source_of(ONE, "n", 8, 4, space)
    one, three = (tolang.compile(source, fallback=False, threads=threads) for threads in (1, 3))
    whole = np.asarray(one(a, b))
    assert whole.tobytes() == np.asarray(three(a, b)).tobytes()
    for begin in (1, 7, 2990):
        assert whole[begin:].tobytes() == np.asarray(one(a[begin:].copy(), b)).tobytes()
    assert whole.tobytes() == np.concatenate([np.asarray(one(a[k : k + 1].copy(), b)) for k in range(3001)]).tobytes()
