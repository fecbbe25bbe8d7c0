"""What goes wrong in compiled code is told as the interpreter tells it, and at once where that would take long."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.program import failures

CASES: list[tuple[str, str, tuple[Any, ...]]] = [
    ("memory", "tol n: N\ny := map(tol[n], iter * 2)", (2**50,)),
    ("shape beyond counting", "tol n: N\ny := map(tol[n,n], iter[1] * 2)", (2**40,)),
    ("overflow", "tol x: Z [n]\ny := map(x, * * 4611686018427387904)", (np.arange(5),)),
    ("overflow of a fold", "tol x: Z [n]\ny := reduce(x, mul, 1)", (np.full(70, 3),)),
    ("coordinate", "tol x: R [n]\ntol k: Z [m]\ny := map(k, i -> x[i])", (np.ones(3), np.array([1, 7]))),
    ("range", "tol x: R [n]\ny := x[1:n-5]", (np.ones(3),)),
    ("division", "tol x: Z [n]\ny := map(x, 7 % *)", (np.array([1, 0]),)),
    ("inside a function", "tol x: R [n]\ntol k: Z\nat(v, i) = v[i]\ny := at(x, k)", (np.ones(3), 9)),
]  # fmt: skip


def message(source: str, engine: str, arguments: tuple[Any, ...]) -> str:
    with pytest.raises(tolang.ToLangRunError) as error:
        tolang.compile(source, engine=engine)(*arguments)
    return str(error.value)


@pytest.mark.parametrize(("source", "arguments"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_messages_are_the_interpreters(
    monkeypatch: pytest.MonkeyPatch, source: str, arguments: tuple[Any, ...]
) -> None:
    for module in ("tolang.ground.system.memory", "tolang.engines.cpu.runtime.memory"):
        monkeypatch.setattr(f"{module}.available_memory", lambda: 1 << 33)
    assert message(source, "cpu", arguments) == message(source, "interpret", arguments)


@pytest.mark.parametrize(
    ("source", "arguments", "expected"),
    [
        ("tol x: R [n]\ntol k: Z\ny := x[k]", (np.ones(3), 9), ("<source>:3:6", "E513", "a coordinate is outside its ToL")),
        ("tol x: Z [n]\ny := map(x, * * 4611686018427387904)", (np.arange(5),), ("<source>:2:13", "E505", "mul is outside its range")),
        ("tol x: R [n]\ny := map(x[2:n], x[1:n-1], add)[1:n-7]", (np.ones(3),), ("<source>:2:6", "E513", "a range is outside its ToL")),
    ],
)  # fmt: skip
def test_long_runs_are_not_repeated(
    monkeypatch: pytest.MonkeyPatch, source: str, arguments: tuple[Any, ...], expected: tuple[str, ...]
) -> None:
    monkeypatch.setattr(failures, "EXPLAINED", -1)
    monkeypatch.setattr("tolang.readings.interpret.interpret", lambda *_: pytest.fail("run again"))
    told = message(source, "cpu", arguments)
    assert all(part in told for part in expected), told


def test_program_works_after_a_failure() -> None:
    program = tolang.compile("tol x: R [n]\ntol k: Z [m]\ny := map(k, i -> x[i])", engine="cpu")
    x = np.array([1.0, 2.0])
    for _ in range(3):
        with pytest.raises(tolang.ToLangRunError):
            program(x, np.array([1, 3]))
        assert program(x, np.array([2, 1])).tolist() == [2.0, 1.0]
