"""Every definition of the library that has a derivative: against central differences, as ToLang, and what it costs."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from tests.gradient.judging import judge, results
from tests.gradient.sameness import read_again
from tests.library.samples import SAMPLES, Function, Sample, Written
from tests.library.test_definitions import definitions

import tolang
from tolang.core.source import print_source
from tolang.ground.values.values import ToL
from tolang.syntax import tree

pytestmark = pytest.mark.sampled(6)

SPACES = {"f": "R", "i": "N", "b": "B"}
DEAR = {
    "cholesky": "a triangle is put together from rows of one length",
    "cross": "each element is read at two places that go round",
    "determinant": "by lu",
    "gelu": "the error function is computed for the value, and again for the gradient",
    "hypot": "its arguments are compared and scaled first",
    "inverse": "by lu",
    "product": "zeros are counted",
    "solve": "by lu, each step of which makes a whole matrix of a part of it",
}
"""Definitions that cost more than the bound below, and why."""


def _text(value: Any) -> str | None:
    """An argument that is written into the program; None for data."""
    match value:
        case Function(text=text) | Written(text=text):
            return text
        case tuple():
            return f"[{','.join(str(one) for one in value)}]"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
    return None


def _program(module: str, definition: tree.Definition, sample: Sample, known: bool) -> tuple[str, dict[str, Any]]:
    """A program that calls a definition: with lengths that are open, or known."""
    declared, arguments = [], []
    data: dict[str, Any] = {}
    for name, value in sample.items():
        text = _text(value)
        if text is None:
            array = np.asarray(value)
            lengths = [str(n) if known else f"s{len(data)}{axis}" for axis, n in enumerate(array.shape)]
            declared.append(f"tol in_{name}: {SPACES[array.dtype.kind]} [{','.join(lengths)}]")
            data[f"in_{name}"] = array
        arguments.append(f"{name}={text or f'in_{name}'}")
    call = definition.id + (f"({', '.join(arguments)})" if definition.parameters is not None else "")
    return "\n".join([f"use {module}", *declared, f"y := {call}"]), data


def _compiled(module: str, definition: tree.Definition, sample: Sample) -> tuple[tolang.Program, dict[str, Any]]:
    for known in (False, True):
        text, data = _program(module, definition, sample, known)
        try:
            return tolang.compile(text, engine="interpret"), data
        except tolang.ToLangCheckError:
            if known:
                raise
    raise AssertionError


CONSTANT = ("stop",)
"""Definitions whose derivative is none on purpose: tests/gradient/test_own.py."""


LONG = pytest.mark.skipif("TOLANG_ALL" not in os.environ, reason="it takes long: make thorough runs it")


def _cases() -> list[Any]:
    """Definitions and samples of them with real numbers in and out."""
    found = list[Any]()
    for module in ("core", "linalg", "nn", "optim", "fourier"):
        for name in definitions(module):
            for number, sample in enumerate(SAMPLES[name]):
                kinds = {np.asarray(v).dtype.kind for v in sample.values() if _text(v) is None}
                plain = "f" in kinds <= SPACES.keys() and not any(isinstance(v, Written) for v in sample.values())
                if plain and name not in CONSTANT:
                    long = [LONG] if module == "fourier" else []
                    found.append(pytest.param(module, name, number, marks=long))
    return found


def _lists(capacity: int, shape: tuple[int, ...]) -> Any:
    """Lists of random numbers, or numbers alone."""
    random = np.random.default_rng(2)
    parts = tuple(random.normal(size=shape) for _ in range(capacity))
    return ToL.of(parts) if capacity > 1 else parts[0]


def _same_again(program: tolang.Program, data: dict[str, Any]) -> None:
    """A program printed as ToLang gives the same; of folds over lists the core is another one that does."""
    again = tolang.compile(print_source(program.core), engine="interpret")
    expected = results(program, data)
    for name, found in results(again, data).items():
        np.testing.assert_allclose(found, expected[name], rtol=1e-12)


@pytest.mark.parametrize(("module", "name", "number"), _cases())
def test_definition(module: str, name: str, number: int) -> None:
    program, data = _compiled(module, definitions(module)[name], SAMPLES[name][number])
    by = [one for one, value in data.items() if np.asarray(value).dtype.kind == "f"]
    kind = program.outputs["y"]
    real = not kind.parts and kind.columns[0].space.family == "R"
    if not real or any(length.names() - set(program.sizes) for length in kind.shape):
        with pytest.raises(tolang.ToLangUsageError):
            program.pullback("y", by)
        return
    pullback = program.pullback("y", by)
    if kind.columns[1:]:
        _same_again(pullback, data | {"d_y": _lists(len(pullback.inputs["d_y"].columns), program(**data).shape)})
        return
    judge(program, "y", by, data)
    if number == 0:
        read_again(pullback)
    given = program.cost(**{one: np.shape(value) for one, value in data.items()}).eops
    shapes = {one: np.shape(value) for one, value in data.items()} | {"d_y": np.shape(program(**data))}
    found = program.pullback("y", by, value=True).cost(**shapes).eops
    moved = sum(int(np.prod(shape)) for shape in shapes.values())
    assert isinstance(given, int)
    assert isinstance(found, int)
    cheap = found <= 5 * given + 2 * moved
    assert cheap == (name not in DEAR), f"{given} EOPs, and {found} with the pullback"
