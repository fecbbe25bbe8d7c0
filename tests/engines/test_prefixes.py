"""Folds over ever longer stretches as one scan, against the interpreter, which folds each by itself, and NumPy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.lower.steps import lower
from tolang.plan.grain import SCAN_BLOCK
from tolang.plan.nest import Reduction, Step
from tolang.plan.traversal import inner_steps, occurrences, scalars_of

SCANNED = {
    "sums": "map(tol[n], reduce(x[1:i], add, 0), i)",
    "sums before": "map(tol[n], reduce(x[1:i-1], add, 0), i)",
    "maxima": "map(tol[n], reduce(x[1:i], max, -Inf), i)",
    "means": "map(tol[n], reduce(x[1:i], add, 0) / i, i)",
    "of a list": "map(tol[n], reduce(map(x[1:i], (*,k), k), (s,e) -> (s[1]' + e[1]', max(s[2]', e[2]')), (0.5,0))[1]', i)",
    "of a step that is no basic function": "map(tol[n], reduce(x[1:i], (s,e) -> s/2 + e, 1.5), i)",
    "of rows": "map(tol[3,n], reduce(x[1:i], (s,e) -> s + j*e, 0), [j,i])",
    "with two folds": "map(tol[n], reduce(x[1:i], max, -Inf) - reduce(x[1:i], min, Inf), i)",
}
FOLDED = {
    "of stretches that move": "map(tol[n], reduce(x[i:n], add, 0), i)",
    "of the place": "map(tol[n], reduce(map(x[1:i], * * i), add, 0), i)",
    "of a choice": "map(tol[n], if x[i] > 0 then reduce(x[1:i], add, 0) else 0, i)",
}


@cache
def program(expression: str, engine: str = "cpu", strict: bool = False) -> tolang.Program:
    return tolang.compile(f"tol x: R [n]\ny := {expression}", engine=engine, strict=strict, fallback=False)


def has_folds(expression: str) -> bool:
    pending: list[Step] = list(optimise(lower(tolang.compile(f"tol x: R [n]\ny := {expression}").core)).steps)
    for step in pending:
        pending.extend(inner_steps(step))
        if any(isinstance(place.scalar, Reduction) for s in scalars_of(step) for place in occurrences(s)):
            return True
    return False


@pytest.mark.parametrize("form", SCANNED)
def test_no_fold_is_left(form: str) -> None:
    assert not has_folds(SCANNED[form])


@pytest.mark.parametrize("form", FOLDED)
def test_other_folds_stay(form: str) -> None:
    assert has_folds(FOLDED[form])


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("form", [*SCANNED, *FOLDED])
def test_as_the_interpreter(form: str, strict: bool) -> None:
    expression = {**SCANNED, **FOLDED}[form]
    for length in (0, 1, 2, 3, 17, 100):
        x = np.random.default_rng(length).normal(size=length)
        found, wanted = (program(expression, engine, strict)(x=x) for engine in ("cpu", "interpret"))
        if strict:
            assert np.array_equal(found, wanted)
        else:  # sums may be regrouped: some units in the last place of the largest
            assert np.allclose(found, wanted, rtol=1e-12, atol=1e-12)


def test_nan_goes_on() -> None:
    x = np.arange(50.0)
    x[20] = np.nan
    assert np.array_equal(program(SCANNED["sums"])(x=x), np.cumsum(x), equal_nan=True)


def test_many_elements() -> None:
    """So many that folding each stretch would take hours, in blocks on several threads."""
    x = np.random.default_rng(3).integers(-9, 9, 3 * SCAN_BLOCK + 5).astype(float)
    assert np.array_equal(program(SCANNED["sums"])(x=x), np.cumsum(x))
    assert np.array_equal(program(SCANNED["sums before"])(x=x), np.cumsum(x) - x)
    assert np.array_equal(program(SCANNED["maxima"])(x=x), np.maximum.accumulate(x))
