"""Folds of several ToLs, changed where they are, against the interpreter, which makes the state anew in every step."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plans import optimise

import tolang
from tolang.lower.steps import lower
from tolang.plan.nest import Allocate, Nest, Repeat, Step
from tolang.plan.traversal import inner_steps

GIVEN = """tol a: Z [n]
tol g: Z [n,m]
tol p: Z [k]
part(v, j, row) = [[v[1:j-1]], [row], [v[j+1:]]]
at(v, i, j, x) = part(v, i, put(v[i], j, x))
"""
IN_PLACE = {
    "an element, and a numeric": "reduce(p, (s,x) -> (put(s[1]', x, s[1]'[x] + s[2]'), s[2]' + x), (a,0))",
    "by what another was": "reduce(p, (s,x) -> (put(s[1]', x, s[2]'[x] + 1), put(s[2]', 1, s[1]'[x])), (a,2*a))",
    "at a place of another": "reduce(p, (s,x) -> (put(s[1]', s[2]', x), s[1]'[x] % n + 1), (a,1))",
    "two elements": "reduce(p, (s,x) -> ([s[1]'[1:x-1], x, -x, s[1]'[x+2:]], x), ([a,0],1))",
    "unless it is done": "reduce(p, (s,x) -> if s[2]' > 2 then s else (put(s[1]', x, 9), s[2]' + 1), (a,0))",
    "one or the other": "reduce(p, (s,x) -> if x > 2 then (put(s[1]',x,7), s[2]') else (s[1]', put(s[2]',x,8)), (a,-a))",
    "each by its own choice": """reduce(p, (s,x) -> (if s[2]'[x] > 0 then put(s[1]',x,0) else s[1]',
      if s[1]'[x] > 0 then { j = n + 1 - x; put(s[2]', j, x) } else s[2]'), (a,-a))""",
    "one of three": """reduce(p, (s,x) -> (if x == 1 then put(s[1]',x,5) else if x < 4 then put(s[1]',2,x) else s[1]', x),
      (a,0))""",
    "an element of a matrix": "reduce(p, (s,x) -> at(s, x, (x*x)%m + 1, s[x,1] + x), g)",
    "an element of one of two": "reduce(p, (s,x) -> (at(s[1]', x, 1, s[2]' + s[1]'[x,m]), s[2]' + 1), (g,0))",
    "a walk": "reduce(p, (s,x) -> (at(s[1]', s[2]', s[3]', x), s[1]'[s[2]',1] % n + 1, x % m + 1), (g,1,1))",
}
BESIDE = {
    "exchanged": "reduce(p, (s,x) -> (s[2]', s[1]', s[3]' + x), (a,-a,0))",
    "a row": "reduce(p, (s,x) -> part(s, x, s[1] + s[x]), g)",
    "a row of another": "reduce(p, (s,x) -> (part(s[1]', x, s[1]'[1] + s[2]'), x), (g,0))",
    "a row by choice": "reduce(p, (s,x) -> (if x > 2 then part(s[1]', x, s[1]'[1]) else s[1]', x), (g,0))",
    "all of it": "reduce(p, (s,x) -> (map(s[1]', * + x), put(s[2]', x, s[1]'[x])), (a,-a))",
    "appended, and put": "reduce(p, (s,x) -> ([s[1]', s[2]'[x]], put(s[2]', x, s[1]'[|s[1]'|[1]])), ([0],a))",
    "moved": "reduce(p, (s,x) -> ([s[1]'[2:], x], s[1]'[1]), (a,0))",
}
EXPRESSIONS = {**IN_PLACE, **BESIDE}
PARTS = {
    name: 3 if name in ("exchanged", "a walk") else 1 if ", g)" in text else 2 for name, text in EXPRESSIONS.items()
}


def source(form: str) -> str:
    parts = PARTS[form]
    outputs = [f"y{part} := y[{part}]'" for part in range(1, parts + 1)] if parts > 1 else ["y1 := y"]
    return "\n".join([f"{GIVEN}y = {EXPRESSIONS[form]}", *outputs])


@cache
def program(form: str, engine: str) -> tolang.Program:
    return tolang.compile(source(form), engine=engine, fallback=False)


def results(form: str, engine: str, *data: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> list[object]:
    found: Any = program(form, engine)(*data)
    return [np.asarray(one).tolist() for one in (found.values() if isinstance(found, dict) else [found])]


@pytest.mark.parametrize("form", EXPRESSIONS)
def test_as_the_interpreter(form: str) -> None:
    generator = np.random.default_rng(3)
    for n, m, steps in ((4, 3, 0), (4, 3, 1), (5, 4, 40), (9, 2, 200)):
        data = (generator.integers(-9, 9, n), generator.integers(0, 9, (n, m)), generator.integers(1, n + 1, steps))
        assert results(form, "cpu", *data) == results(form, "interpret", *data)


@pytest.mark.parametrize("form", IN_PLACE)
def test_nothing_else_is_written(form: str) -> None:
    """Inside the fold there is no buffer and no loop."""
    pending: list[tuple[Step, bool]] = [
        (step, False) for step in optimise(lower(tolang.compile(source(form)).core)).steps
    ]
    while pending:
        step, repeated = pending.pop()
        assert not repeated or not isinstance(step, Allocate)
        assert not repeated or not isinstance(step, Nest) or not step.iterators
        pending.extend((inner, repeated or isinstance(step, Repeat)) for inner in inner_steps(step))


@pytest.mark.parametrize("form", ["an element, and a numeric", "an element of a matrix", "one or the other", "a walk"])
@pytest.mark.parametrize("place", [0, 6, -7])
def test_outside(form: str, place: int) -> None:
    data = np.arange(5), np.ones((5, 2), np.int64), np.array([3, place, 2])
    outcomes = []
    for engine in ("cpu", "interpret"):
        try:
            outcomes.append(str(results(form, engine, *data)))
        except tolang.ToLangRunError as error:
            outcomes.append(error.code)
    assert outcomes[0] == outcomes[1]


CHOICES = """tol a: Z [n]
tol j: Z
r = if j > 3 then (a, 1, 2.5) else if a[1] > 0 then (2*a, j, a[2]/2) else (put(a,j,7), 9, 0)
step(s, x) = { t = if x > 2 then (put(s[1]',x,x), x) else (s[1]', -x); (t[1]', s[2]' + t[2]') }
q = reduce(a, step, (a,0))
u := r[1]'
v := r[2]' + r[3]'
w := q[1]'
x := q[2]'
"""


def test_choices_of_bundles() -> None:
    programs = [tolang.compile(CHOICES, engine=engine, fallback=False) for engine in ("cpu", "interpret")]
    for a in ([1, 2, 3, 4], [-1, 2, 3, 4], [3, 3, 1, 4, 2]):
        for j in (1, 3, 5):
            found, wanted = ({name: np.asarray(v).tolist() for name, v in one(a, j).items()} for one in programs)
            assert found == wanted


JOINS = [
    "map(put(a,j,7), * + 1)",
    "[a[1:j], tol[n-j]]",
    "map(tol[2], put(a,j,i), i)",
    "sum(put(a,j,1))",
    "a + put(a,j,1)",
]


@pytest.mark.parametrize("expression", JOINS)
def test_a_range_in_a_join_is_inside(expression: str) -> None:
    text = f"tol a: Z [n]\ntol j: Z\ny := {expression}"
    programs = [tolang.compile(text, engine=engine, fallback=False) for engine in ("cpu", "interpret")]
    for j in (-4, -1, 0, 1, 3, 4, 5, 6, 9):
        outcomes = []
        for one in programs:
            try:
                outcomes.append(str(one([5, 6, 7, 8], j)))
            except tolang.ToLangRunError as error:
                outcomes.append(error.code)
        assert outcomes[0] == outcomes[1], j


@settings(max_examples=12)
@given(st.data())
def test_changes_of_two_vectors(data: st.DataObject) -> None:
    """Steps put together of changes that may or may not be made in place."""
    place = st.sampled_from(["x", "s[3]'", "s[2]'[x]%n + 1", "(x + s[3]')%n + 1"])
    value = st.sampled_from(["x", "s[1]'[x]", "s[2]'[1] + 1", "s[1]'[s[3]'] - s[2]'[n]"])
    tests = st.sampled_from(["x > 2", "s[1]'[x] > s[2]'[x]", "s[3]' == x"])

    def change(part: int, depth: int = 2) -> str:
        match data.draw(st.integers(0, 4 if depth else 2)):
            case 0:
                return f"s[{part}]'"
            case 1:
                return f"put(s[{part}]', {data.draw(place)}, {data.draw(value)})"
            case 2:
                return f"s[{3 - part}]'"
        return f"if {data.draw(tests)} then {change(part, depth - 1)} else {change(part, depth - 1)}"

    step = f"({change(1)}, {change(2)}, {data.draw(place)})"
    if data.draw(st.booleans()):
        step = f"if {data.draw(tests)} then {step} else (s[1]', {change(2)}, x)"
    text = f"tol a: Z [n]\ntol p: Z [k]\ny = reduce(p, (s,x) -> {step}, (a,-a,1))\nu := y[1]'; v := y[2]'; w := y[3]'"
    given_data: dict[str, Any] = {
        "a": np.array(data.draw(st.lists(st.integers(-3, 3), min_size=4, max_size=4))),
        "p": np.array([1, 3, 2, 4, 4]),
    }
    found, wanted = (tolang.compile(text, engine=engine)(**given_data) for engine in ("cpu", "interpret"))
    assert {name: np.asarray(one).tolist() for name, one in found.items()} == {
        name: np.asarray(one).tolist() for name, one in wanted.items()
    }
