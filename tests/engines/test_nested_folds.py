"""Folds that go on with the state of the fold around them, where that is, against the interpreter."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.plans import optimise

import tolang
from tolang.lower.steps import lower
from tolang.plan.nest import Nest, Repeat, Step
from tolang.plan.traversal import inner_steps

GIVEN = """tol a: Z [n]
tol p: Z [k]
more(v, j, x) = put(v, j, v[j] + x)
"""
IN_PLACE = {
    "one ToL": "reduce(p, (s,x) -> reduce(p, (t,y) -> more(t, y, x), s), a)",
    "one ToL and a name before": "reduce(p, (s,x) -> { old = s[x] + 1; reduce(p, (t,y) -> more(t, y, old), s) }, a)",
    "a choice": "reduce(p, (s,x) -> if s[1] > x then s else reduce(p, (t,y) -> more(t, y, x), s), a)",
    "several": """reduce(p, (s,x) -> { old = s[1]'[x] + 1
      reduce(p, (t,y) -> (more(t[1]', y, old), put(t[2]', y, t[3]'), t[3]' + 1), s) }, (a,-a,0))""",
    "what a choice knows": """reduce(p, (s,x) -> if s[3]' >= n then s else
      reduce(p, (t,y) -> (put(t[1]', t[3]'%n + 1, y), t[2]', t[3]' + 1), s), (a,-a,0))""",
    "three deep": """reduce(p, (s,x) -> reduce(p, (t,y) -> reduce(p, (u,z) ->
      (more(u[1]', z, u[3]'), put(u[2]', x, y), u[3]' + z), t), s), (a,-a,0))""",
}
BESIDE = {
    "read inside": "reduce(p, (s,x) -> reduce(p, (t,y) -> more(t, y, s[x]), s), a)",
    "read inside under a name": """reduce(p, (s,x) -> { old = map(s, * * 2)
      reduce(p, (t,y) -> more(t, y, old[x]), s) }, a)""",
    "a numeric read inside": """reduce(p, (s,x) -> reduce(p, (t,y) -> (more(t[1]', y, s[3]'), t[2]', t[3]' + 1), s),
      (a,-a,0))""",
    "as many steps as a numeric": """reduce(p, (s,x) -> reduce(tol[min(s[3]', n)], (t,y) ->
      (more(t[1]', x, t[3]'), t[2]', t[3]' + 1), s), (a,-a,1))""",
    "exchanged": "reduce(p, (s,x) -> reduce(p, (t,y) -> (t[1]', more(t[2]', y, x), 1), (s[2]', s[1]', 0)), (a,-a,0))",
    "changed before": "reduce(p, (s,x) -> reduce(p, (t,y) -> more(t, y, x), more(s, x, 5)), a)",
    "wider": "reduce(p, (s,x) -> map(reduce(p, (t,y) -> more(t, y, 0.5), s), floor), 1.0*a)",
}
FORMS = {**IN_PLACE, **BESIDE}


def source(form: str) -> str:
    parts = 3 if ",0))" in FORMS[form] or ",1))" in FORMS[form] else 1
    outputs = [f"y{part} := y[{part}]'" for part in range(1, parts + 1)] if parts > 1 else ["y1 := y"]
    return "\n".join([f"{GIVEN}y = {FORMS[form]}", *outputs])


@cache
def program(form: str, engine: str) -> tolang.Program:
    return tolang.compile(source(form), engine=engine, fallback=False)


@pytest.mark.parametrize("form", FORMS)
def test_as_the_interpreter(form: str) -> None:
    generator = np.random.default_rng(5)
    for n, steps in ((3, 0), (4, 1), (5, 7)):
        data = generator.integers(-9, 9, n), generator.integers(1, n + 1, steps)
        results: list[Any] = [program(form, engine)(*data) for engine in ("cpu", "interpret")]
        found, wanted = results
        if not isinstance(found, dict):
            found, wanted = {"y1": found}, {"y1": wanted}
        for name, one in wanted.items():
            np.testing.assert_array_equal(found[name], one)


@pytest.mark.parametrize("form", FORMS)
def test_where_it_is_changed(form: str) -> None:
    """A fold that goes on loops over no ToL; another copies it."""
    pending: list[tuple[Step, bool]] = [
        (step, False) for step in optimise(lower(tolang.compile(source(form)).core)).steps
    ]
    beside = False
    while pending:
        step, repeated = pending.pop()
        beside = beside or (repeated and isinstance(step, Nest) and bool(step.iterators))
        pending.extend((inner, repeated or isinstance(step, Repeat)) for inner in inner_steps(step))
    assert beside == (form in BESIDE)
