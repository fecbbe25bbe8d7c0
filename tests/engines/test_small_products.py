"""Products whose folds are short, in a batch or with few rows or columns: written out, where all of that is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.engines.cpu.processors import target_of
from tolang.nests.lowering.steps import lower
from tolang.nests.nest import Branch, Nest
from tolang.nests.strategy import CONTRACTION, FOLDS

ONE = "tol a: {space} [{n},{k}]\ntol b: {space} [{k},{m}]\nc := map(tol[{n},{m}], {value}, [i,j])"
BATCH = "tol a: {space} [s,{n},{k}]\ntol b: {space} [s,{k},{m}]\nc := map(tol[s,{n},{m}], {value}, [t,i,j])"
SUM = "reduce(map(tol[{k}], a[{at}i,q] * b[{at}q,j], q), add, {zero})"
LEAST = "reduce(map(tol[{k}], a[{at}i,q] + b[{at}q,j], q), min, {greatest})"
TARGETS = {
    "avx512": ("x86_64-unknown-linux-gnu", "+avx512f,+avx2,+fma"),
    "avx2": ("x86_64-unknown-linux-gnu", "+avx2,+fma"),
    "neon": ("aarch64-unknown-linux-gnu", "+neon"),
}


def source_of(form: str, n: object, k: int, m: object, space: str = "f32", value: str = SUM) -> str:
    zero, greatest = ("convert(0, [i32])", "convert(1000, [i32])") if space == "i32" else ("0", "Inf")
    at = "t," if form == BATCH else ""
    return form.format(space=space, n=n, k=k, m=m, value=value.format(k=k, at=at, zero=zero, greatest=greatest))


def strategies_of(source: str, target: str) -> set[str]:
    """The strategies of all branches."""
    found: set[str] = set()

    def look(steps: Any) -> None:
        for step in steps:
            if isinstance(step, Nest):
                assert step.strategy is not None
                found.add(step.strategy.name)
            elif isinstance(step, Branch):
                look((*step.then, *step.otherwise))

    look(optimise(lower(tolang.compile(source).core), target_of(*TARGETS[target])).steps)
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
        (BATCH, 16, 8, 128, True),
        (BATCH, 16, 8, 129, False),  # results that are more than small
        (BATCH, 16, 9, 16, False),
        (BATCH, "n", 8, 16, False),  # of unknown length
    ],
    ids=lambda one: "batch" if one == BATCH else "one" if one == ONE else str(one),
)
def test_they_are_written_out(form: str, n: object, k: int, m: object, small: bool, target: str) -> None:
    found = strategies_of(source_of(form, n, k, m), target)
    assert found == {FOLDS} if small else CONTRACTION in found


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("value", [SUM, LEAST, f"max({{zero}}, a[{{at}}i,1] + {SUM})"], ids=["sum", "least", "relu"])
@pytest.mark.parametrize("space", ["f32", "f64", "i32"])
@pytest.mark.parametrize("form", [ONE, BATCH], ids=["one", "batch"])
def test_they_are_what_numpy_says(form: str, space: str, value: str, threads: int) -> None:
    random = np.random.default_rng(3)
    kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[space]
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
        np.testing.assert_allclose(np.asarray(program(a, b)), wanted, rtol=1e-5)
