"""Calls that give other numbers of the same types share what is made of a definition, and nothing that depends on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.check import instances
from tolang.check.given_numbers import GivenNumber
from tolang.check.programs import check_program
from tolang.core.core import Expr
from tolang.ground.reporting.diagnostics import Source
from tolang.syntax.parser import parse


def instances_made(text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of definitions whose bodies are checked for instances in a program."""
    found: list[str] = []
    before = instances._instantiated

    def noting(checking: Any, closure: Any, *rest: Any) -> Any:
        found.append(closure.name)
        return before(checking, closure, *rest)

    monkeypatch.setattr(instances, "_instantiated", noting)
    check_program(parse(Source("a program", text)))
    return found


def everything(expr: Expr) -> Iterator[Expr]:
    yield expr
    for child in expr.children():
        yield from everything(child)


def results(text: str, **inputs: Any) -> tuple[Any, ...]:
    """What a program gives by both engines, which agree; no mark is left in its core."""
    program = tolang.compile(text, engine="interpret")
    assert not any(isinstance(one, GivenNumber) for one in everything(program.core.body))
    found = tuple(program(**inputs).values())
    compiled = tuple(tolang.compile(text, engine="cpu")(**inputs).values())
    assert [np.asarray(one).tolist() for one in compiled] == [np.asarray(one).tolist() for one in found]
    return found


X = np.array([1.0, 2.0, 3.0], np.float32)
HEAD = "tol x: f32 [n]\n"


def test_numbers_of_one_type_share_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        HEAD + "times(t, s) = map(t, * * s)\n"
        "a := times(x, convert(0.5, [f32]))\nb := times(x, convert(0.25, [f32]))\nc := times(x, convert(2, [i64]))"
    )
    first, second, third = results(text, x=X)
    assert first.tolist() == [0.5, 1, 1.5]
    assert second.tolist() == [0.25, 0.5, 0.75]
    assert third.tolist() == [2, 4, 6]
    assert instances_made(text, monkeypatch) == ["times"] * 2  # one for each type


def test_what_asks_for_a_number_is_made_for_each() -> None:
    first, second = results(
        HEAD + "chosen(t, s) = if s > 0.3 then map(t, * * s) else map(t, * + 1)\n"
        "a := chosen(x, convert(0.5, [f32]))\nb := chosen(x, convert(0.25, [f32]))",
        x=X,
    )
    assert first.tolist() == [0.5, 1, 1.5]
    assert second.tolist() == [2, 3, 4]


def test_numbers_in_coordinates_are_asked_for() -> None:
    found = results(
        HEAD + "tol k: i64\nafter(t, k, d) = t[k + d]\n"
        "a := after(x, k, convert(1, [i64]))\nb := after(x, k, convert(2, [i64]))",
        x=X, k=1,
    )  # fmt: skip
    assert [float(one) for one in found] == [2, 3]


def test_numbers_as_lengths_are_asked_for() -> None:
    first, second = results(
        HEAD + "repeated(t, k) = map(tol[k], t[1] + i, i)\n"
        "a := repeated(x, convert(2, [i64]))\nb := repeated(x, convert(3, [i64]))",
        x=X,
    )
    assert first.tolist() == [2, 3]
    assert second.tolist() == [2, 3, 4]


def test_what_a_space_does_not_hold_is_converted_as_before() -> None:
    """1000 is in i16, 40000 is not: the second is converted while running, which the first is not."""
    text = HEAD + "short(t, k) = map(t, convert(*, [i16]) + convert(k, [i16]))\n"
    one, two = text + "a := short(x, convert(7, [i32]))\n", "b := short(x, convert({}, [i32]))"
    first, second = results(one + two.format(1000), x=X)
    assert first.tolist() == [8, 9, 10]
    assert second.tolist() == [1001, 1002, 1003]
    alone, beside = text + two.format(40000), one + two.format(40000)
    told = []
    for program in (alone, beside):
        with pytest.raises(tolang.ToLangError) as error:
            tolang.compile(program, engine="interpret")(x=X)
        told.append(error.value.diagnostics[0].code)
    assert told[0] == told[1]


def test_calls_inside_share_too(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        HEAD + "times(t, s) = map(t, * * s)\ntwice(t, s) = times(times(t, convert(s, [f64])), s)\n"
        "a := twice(x, convert(0.5, [f32]))\nb := twice(x, convert(2.0, [f32]))"
    )
    first, second = results(text, x=X)
    assert first.tolist() == [0.25, 0.5, 0.75]
    assert second.tolist() == [4, 8, 12]
    assert instances_made(text, monkeypatch).count("twice") == 1


def test_equal_numbers_in_one_call_stay_apart() -> None:
    first, second = results(
        HEAD + "line(t, s, o) = map(t, * * s + o)\n"
        "a := line(x, convert(0.5, [f32]), convert(0.5, [f32]))\nb := line(x, convert(2, [f32]), convert(1, [f32]))",
        x=X,
    )
    assert first.tolist() == [1, 1.5, 2]
    assert second.tolist() == [3, 5, 7]


def test_vectors_of_numbers_are_told_apart() -> None:
    first, second = results(
        HEAD + "weighted(t, w) = map(t, * * w[1] + w[2])\nboth(t, s) = weighted(t, [s, s])\n"
        "a := both(x, convert(0.5, [f32]))\nb := both(x, convert(2, [f32]))",
        x=X,
    )
    assert first.tolist() == [1, 1.5, 2]
    assert second.tolist() == [4, 6, 8]


def test_definitions_with_derivatives_of_their_own_have_each_number() -> None:
    text = (
        HEAD + "scaled(t, s) = map(t, * * s)\nderivative scaled(t, s, d) = (map(d, * * s), 0)\n"
        "outer(t, s) = sum(scaled(t, s))\n"
        "a := gradient(t -> outer(t, convert(0.5, [f32])), x)\nb := gradient(t -> outer(t, convert(2, [f32])), x)"
    )
    first, second = results(text, x=X)
    assert first.tolist() == [0.5, 0.5, 0.5]
    assert second.tolist() == [2, 2, 2]
