"""Folds that change one coordinate of their state in place, against the interpreter, which makes the state anew."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.lower.steps import lower
from tolang.plan.nest import Nest, Repeat, Step
from tolang.plan.traversal import inner_steps

GIVEN = "tol x: R [n,d]\ntol l: Z [n]\n"
IN_PLACE = {
    "sums by label": "reduce(l, (s,e,i) -> map(s, if r == e then * + x[i,q] else *, [r,q]), tol[5,d])",
    "the last by label": "reduce(l, (s,e,i) -> map(s, if e == r then x[i,q] else *, [r,q]), tol[5,d])",
    "by the second axis": "reduce(l, (s,e,i) -> map(s, if r == e then max(*, x[i,q]) else *, [q,r]), tol[d,5])",
    "counts": "reduce(l, (s,e) -> map(s, if r == e then * + 1 else *, r), tol[5])",
    "at a sum": "reduce(l, (s,e,i) -> map(s, if r == e + 1 then * + x[i,q] else *, [r,q]), tol[5,d])",
}
BESIDE = {
    "of another row": "reduce(l, (s,e,i) -> map(s, if r == e then s[1,q] + x[i,q] else *, [r,q]), map(tol[5,d], 1.5))",
    "of a place in the state": "reduce(l, (s,e,i) -> map(s, if r == s[1,1] then * + e else *, [r,q]), map(tol[5,d], 1))",
    "of many rows": "reduce(l, (s,e,i) -> map(s, if r <= e then * + x[i,q] else *, [r,q]), tol[5,d])",
    "of all others": "reduce(l, (s,e,i) -> map(s, if r == e then * else * + x[i,q], [r,q]), tol[5,d])",
    "at a real": "reduce(l, (s,e,i) -> map(s, if r == x[i,1] then * + 1 else *, [r,q]), tol[5,d])",
}


@cache
def program(expression: str, engine: str = "cpu", strict: bool = False) -> tolang.Program:
    return tolang.compile(f"{GIVEN}y := {expression}", engine=engine, strict=strict, fallback=False)


def dimensions_written(expression: str) -> set[int]:
    """Over how many dimensions the nests inside a program's folds run."""
    pending: list[tuple[Step, bool]] = [
        (step, False) for step in optimise(lower(tolang.compile(f"{GIVEN}y := {expression}").core)).steps
    ]
    found = set()
    while pending:
        step, repeated = pending.pop()
        if isinstance(step, Nest) and repeated:
            found.add(len(step.iterators))
        pending.extend((inner, repeated or isinstance(step, Repeat)) for inner in inner_steps(step))
    return found


@pytest.mark.parametrize("form", IN_PLACE)
def test_one_coordinate_is_written(form: str) -> None:
    assert dimensions_written(IN_PLACE[form]) == {0 if form == "counts" else 1}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("form", [*IN_PLACE, *BESIDE])
def test_as_the_interpreter(form: str, strict: bool) -> None:
    expression = {**IN_PLACE, **BESIDE}[form]
    generator = np.random.default_rng(1)
    for rows, columns in ((0, 3), (1, 1), (40, 3), (200, 17)):
        x = generator.integers(-9, 9, (rows, columns)).astype(float)
        labels = generator.integers(-1, 8, rows)  # some outside the state, which change nothing
        found, wanted = (program(expression, engine, strict)(x=x, l=labels) for engine in ("cpu", "interpret"))
        assert np.array_equal(found, wanted)


def test_nan_and_many_elements() -> None:
    generator = np.random.default_rng(2)
    x, labels = generator.normal(size=(50_000, 3)), generator.integers(1, 6, 50_000)
    x[7, 1] = np.nan
    wanted = np.zeros((5, 3))
    np.add.at(wanted, labels - 1, x)
    # sums in the same order: equal but for the rounding of fused products, of which there are none
    assert np.array_equal(program(IN_PLACE["sums by label"])(x=x, l=labels), wanted, equal_nan=True)
