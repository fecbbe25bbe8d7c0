"""Programs of which compiled code can take only a part: that part is compiled, the rest interpreted, the values equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang
from tolang.engines import registry
from tolang.program.explain import in_full
from tolang.program.segments import segmented

TEXT_AND_FRACTIONS = """
tol q: Q [n]
tol names: S [n]
marked = map(names, if * == 'b' then 'x' else *)
thirds = map(q, (marked[iter], * / 3))
label := map(thirds[1]', if * == 'x' then 1 else length(*))
exact := thirds[2]'
"""
RATIONAL = """
tol x: R [n]
tol q: Q [n]
squares := map(x, * * *)
third   := map(q, * / 3)
sums    := map(squares, * + 1)
exact   := reduce(third, add, 0)
"""
FILTERED = """
tol x: R [n]
tol q: Q [n]
kept  = reduce(x, (s,v) -> if v > 0 then [s,v] else s, tol[0])
exact = map(q, * * 2)
both := map(kept, * * 10)
last := map(exact, * + 1)
more := map(kept, * + |kept|[1])
"""
COUNTED = """
tol x: R [n]
tol q: Q [n]
k = reduce(map(x, if * > 0 then 1 else 0), add, 0)
exact := map(q, * * k)
grid  := map(tol[k], iter * 2)
"""
CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("text", TEXT_AND_FRACTIONS, {"q": [1, 2, 3], "names": ["aaa", "b", "b"]}),
    ("rational", RATIONAL, {"x": np.array([1.0, -2.0]), "q": [1, 2]}),
    ("a length from data", FILTERED, {"x": np.array([1.0, -2.0, 5.0]), "q": [1, 2, 3]}),
    ("a numeric as a length", COUNTED, {"x": np.array([1.0, -2.0, 5.0]), "q": [1, 2, 3]}),
]


def plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def kind(value: Any) -> Any:
    return getattr(value, "dtype", type(value))


@pytest.mark.parametrize(("source", "data"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_values_are_those_of_the_interpreter(source: str, data: dict[str, Any]) -> None:
    compiled, interpreted = tolang.compile(source, engine="cpu"), tolang.compile(source, engine="interpret")
    found, expected = compiled(**data), interpreted(**data)
    assert {name: plain(value) for name, value in found.items()} == {n: plain(v) for n, v in expected.items()}
    assert {n: kind(v) for n, v in found.items()} == {n: kind(v) for n, v in expected.items()}
    (prepared,) = compiled.runner._prepared.values()
    engines = [executable is not None for _, executable in prepared.segments]
    assert True in engines
    assert False in engines
    assert compiled.runner.fallbacks


def test_fallbacks_tell_place_and_reason() -> None:
    program = tolang.compile(RATIONAL, engine="cpu")
    program(np.ones(2), [1, 2])
    assert len(program.runner.fallbacks) == 2
    assert program.runner.fallbacks[0].startswith("<source>:5:")
    assert all("rational values are left to the interpreter" in one for one in program.runner.fallbacks)


def test_explain_lists_fallbacks() -> None:
    text = in_full(tolang.compile(RATIONAL).core)
    assert "== fallback ==" in text
    assert "<source>:5:" in text
    assert "rational values are left to the interpreter" in text
    assert "schedules ==" in text


def test_no_fallback_refuses() -> None:
    with pytest.raises(tolang.ToLangUsageError, match="rational values are left to the interpreter"):
        tolang.compile(RATIONAL, engine="cpu", fallback=False)(np.ones(2), [1, 2])


def test_a_program_without_refusals_is_one_segment() -> None:
    core = tolang.compile("tol x: R [n]\ny := map(x, * * 2)\nz := map(y, * + 1)").core
    split = segmented(core, lambda part: registry.engine().refusal(part, False))
    assert [one.way for one in split.segments] == [None]


def test_random_numbers_are_the_same_in_segments() -> None:
    source = "tol q: Q [n]\nnoise := map(tol[4], rand(1))\nexact := map(q, * / 2)"
    found = tolang.compile(source, engine="cpu")([1, 2], seed=7)
    expected = tolang.compile(source, engine="interpret")([1, 2], seed=7)
    assert found["noise"].tolist() == expected["noise"].tolist()


def test_errors_in_a_segment_are_told_as_by_the_interpreter() -> None:
    source = "tol q: Q [n]\ntol x: R [m]\ntol k: Z [p]\nexact := map(q, * / 2)\npicked := map(k, i -> x[i])"
    data = ([1], np.ones(3), np.array([1, 9]))
    messages = []
    for engine in ("cpu", "interpret"):
        with pytest.raises(tolang.ToLangRunError) as error:
            tolang.compile(source, engine=engine)(*data)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
