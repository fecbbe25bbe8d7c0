"""Generated programs: the interpreter gives what the atoms give, in one piece or in many, in order or not."""

from __future__ import annotations

from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from tests.properties.programs import Generated, programs

import tolang
from tolang.data.binding import Job
from tolang.ground.values.values import ToL, equal
from tolang.program.program import Program
from tolang.readings.atoms import evaluate, expand
from tolang.readings.interpret.interpreter import interpret
from tolang.readings.interpret.machine import InterpreterMachine

EXAMPLES = settings().max_examples


def prepared(program: Generated) -> tuple[Program, Job]:
    """The program, checked and bound; what is refused is no case."""
    try:
        compiled = tolang.compile(program.source)
        return compiled, compiled.job((), program.inputs)
    except tolang.ToLangError as error:
        event(f"refused while checking: {error.code}")
        assume(False)
        raise


def interpreted(job: Job, strict: bool) -> list[ToL]:
    try:
        return interpret(job.core, job.inputs, job.sizes, 0, strict)
    except tolang.ToLangRunError as error:
        event(f"refused while running: {error.code}")
        assume(False)
        raise


def storages(values: list[ToL]) -> list[list[Any]]:
    return [[one.dtype for one in value.columns] for value in values]


@settings(max_examples=EXAMPLES)
@given(programs())
def test_interpreter_equals_atoms(program: Generated) -> None:
    """To the bit in strict mode, where the interpreter folds in the order of Table 4; storages agree too."""
    _, job = prepared(program)
    expected = interpreted(job, strict=True)
    found = evaluate(expand(job.core, job.sizes, job.inputs), job.inputs)
    assert storages(found) == storages(expected)
    for one, two in zip(found, expected, strict=True):
        assert equal(one, two), (one, two)


@settings(max_examples=EXAMPLES)
@given(programs())
def test_order_of_folds_changes_rounding_only(program: Generated) -> None:
    """Without strict mode NumPy may reassociate: exact programs give the same, others the same within rounding."""
    _, job = prepared(program)
    expected, found = interpreted(job, strict=True), interpreted(job, strict=False)
    assert storages(found) == storages(expected)
    tolerance = 0.0 if program.exact else 1e-9 if not _has_short_floats(job) else 1e-4
    for one, two in zip(found, expected, strict=True):
        assert equal(one, two, rtol=tolerance, atol=tolerance), (one, two)


def _has_short_floats(job: Job) -> bool:
    return "f32" in str(job.core.body) or any(c.storage == "f32" for i in job.core.inputs for c in i.type.columns)


@settings(max_examples=EXAMPLES)
@given(programs())
def test_pieces_give_what_the_whole_gives(program: Generated) -> None:
    """A bound on memory that cuts every map and fold into the smallest pieces changes nothing."""
    _, job = prepared(program)
    expected = interpreted(job, strict=True)
    with patch("tolang.readings.interpret.interpreter.InterpreterMachine", partial(InterpreterMachine, limit=3)):
        found = interpreted(job, strict=True)
    assert storages(found) == storages(expected)
    for one, two in zip(found, expected, strict=True):
        assert equal(one, two), (one, two)


X = np.array([[0.1, 0.7, -0.3], [1.3, -2.1, 0.9]], dtype=np.float32)
SHORT = {
    "map(x, * * 2 + 1)": X * np.float32(2) + np.float32(1),
    "x / |x|[1]": X / np.float32(2),
    "map(x, exp)": np.exp(X),
    "x * x - 0.1": X * X - np.float32(0.1),
    "map(x, if * > 0 then * else 0.1)": np.where(X > 0, X, np.float32(0.1)),
    "map(x, i/10 + *, [i,j])": X + (np.arange(1, 3) / 10).astype(np.float32)[:, None],
    "[x, map(x, 0.1)]": np.concatenate([X, np.full_like(X, np.float32(0.1))], axis=1),
    "x[2, 1:2]": X[1, :2],
    "reduce(x, max, -Inf)": X.max(),
    "map(tol[2], reduce(x[i], (s,v) -> s * 0.5 + v, 0.1), i)": None,
    "x ^ 2": X**2,
    "reshape(x, [3,2])": X.reshape(3, 2),
    "reduce(x, (s,v) -> [s, v], tol[0])": X.T.reshape(-1),
}


@pytest.mark.parametrize("expression", list(SHORT))
def test_short_floats_stay_short(expression: str) -> None:
    """Computing on f32 stays f32, literals, sizes and coordinates taking its storage: as NumPy with f32 operands."""
    found = tolang.compile(f"tol x: R [n,m]\nr := {expression}", strict=True)(X)
    assert found.dtype == np.float32
    expected = SHORT[expression]
    if expected is None:
        state = np.full(2, 0.1, dtype=np.float32)
        for column in range(3):
            state = state * np.float32(0.5) + X[:, column]
        expected = state
    assert np.array_equal(found, expected) or np.allclose(found, expected, rtol=2e-7, atol=0)
