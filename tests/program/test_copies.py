"""Programs are copied and sent to other processes, before they are called and after."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

import tolang

SOURCE = "tol x: f64 [n]\ntol k: f64 [n]\nscaled(v) := map(v, * * 2)\ny := map(x, * * k[*])\ns := reduce(y, add, 0)"
X = np.arange(1.0, 4)
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)), "copy": copy.copy, "deepcopy": copy.deepcopy,
}  # fmt: skip


def made(kind: str) -> tuple[tolang.Program, tuple[Any, ...]]:
    program = tolang.compile(SOURCE, engine="interpret" if kind == "interpreted" else "cpu", threads=2)
    match kind:
        case "fixed":
            return program.fix(k=X), (X,)
        case "gradient":
            return program.gradient("s", "x", value=True), (X, X)
        case "batched":
            return program.batched("x"), (np.stack([X, 2 * X]), X)
    return program, (X, X)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["plain", "fixed", "gradient", "batched", "interpreted"])
def test_copies_do_what_programs_do(kind: str, way: str) -> None:
    program, arguments = made(kind)
    before = WAYS[way](program)
    found = [program(*arguments) for _ in range(5)][-1]
    for other in (before, WAYS[way](program), WAYS[way](WAYS[way](program))):
        for _ in range(4):
            again = other(*arguments)
            assert list(again) == list(found)
            assert all(np.array_equal(again[name], found[name]) for name in found)
        assert (other.engine, other.strict, other.runner.threads) == (program.engine, program.strict, 2)
        assert other.cost().eops == program.cost().eops
        assert str(other.core) == str(program.core)
    if kind == "plain":
        assert np.array_equal(WAYS[way](program).scaled(X), 2 * X)


@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_copies_do_what_functions_do(way: str) -> None:
    function = made("plain")[0].scaled
    for _ in range(4):
        assert np.array_equal(function(X), 2 * X)
        assert np.array_equal(WAYS[way](function)(X), 2 * X)


def test_programs_are_sent_to_processes() -> None:
    program, arguments = made("gradient")
    for _ in range(4):
        expected = program(*arguments)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(program, *arguments).result()
    assert found["s"] == expected["s"]
    assert np.array_equal(found["d_x"], expected["d_x"])
