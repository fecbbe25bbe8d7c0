"""Folds that append some of their elements, without a branch where every element can be had, against the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tolang

GIVEN = "tol x: R [n]\ntol k: N [n]\ntol y: R [m]\n"
ALWAYS = {
    "scalar replacement": "reduce(x, (s,e) -> if e > 0 then [s,e] else s, [])",
    "sums": "reduce(x, (s,e,i) -> if e > y[1] then [s, e + i] else s, y)",
    "lists": "reduce(map(x, (*, i), i), (s,e) -> if e[1]' < 0.3 then [s,e] else s, [(0.5, 7)])",
    "coordinates": "reduce(x, (s,e,i) -> if e > 0 then [s,i] else s, [])",
    "what comes after another": "reduce(x, (s,e) -> if e > s[|s|[1]] then [s,e] else s, [-1.0])",
}
BRANCHING = {
    "elements that only the condition allows": (
        "reduce(k, (s,e) -> if (e >= 1) and (e <= m) then [s, y[max(1,min(m,e))]] else s, [])"
    ),
    "costly values": "reduce(x, (s,e) -> if e > 0 then [s, exp(e)] else s, [])",
    "what may fail": "reduce(k, (s,e) -> if e > 1 then [s, e*e*e] else s, [])",
    "two at a time": "reduce(x, (s,e) -> if e > 0 then [s,e,e] else s, [])",
}


def judged(value: str) -> str:
    """Runs a program on data of several lengths; gives its plan."""
    source = f"{GIVEN}r := {value}"
    compiled = tolang.compile(source, engine="cpu", fallback=False)
    judge = tolang.compile(source, engine="interpret")
    generator = np.random.default_rng(0)
    for n in (0, 1, 2, 50):
        data: dict[str, Any] = {
            "x": generator.standard_normal(n),
            "k": generator.integers(0, 9, n),
            "y": np.array([0.25, -0.5, 0.75]),
        }
        found, expected = compiled(**data), judge(**data)
        for one, other in zip(
            getattr(found, "columns", [found]), getattr(expected, "columns", [expected]), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-15)
    return str(compiled.explain().full)


@pytest.mark.parametrize("form", ALWAYS)
def test_what_is_at_hand_is_written_without_a_branch(form: str) -> None:
    assert " grows = " in judged(ALWAYS[form])


@pytest.mark.parametrize("form", BRANCHING)
def test_what_is_not_at_hand_waits_for_its_condition(form: str) -> None:
    assert " grows = " not in judged(BRANCHING[form])
