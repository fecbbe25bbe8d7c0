"""Shifts that results do not depend on are bounds of exponents; others are what the program says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logsumexp

import tolang
from tolang.idioms.shift import is_free
from tolang.lower.steps import lower
from tolang.plan.nest import Allocate, Buffer
from tolang.plan.traversal import nodes_inside

STEPS = """\
tol start: f64 [k]
tol moves: f64 [k,k]
next(s) = {{
  tops = map(s, reduce(s + moves[:,j], max, -Inf), j)
  shifts = map(tops, if abs(*) < Inf then * else 0)
  sums = map(s, reduce(map(s, exp(* + moves[i,j] - shifts[j]), i), add, 0), j)
  map(s, {{ shift = shifts[j]; sum = sums[j]; {result} }}, j)
}}
y := reduce(tol[3], (s,e) -> next(s), start)
"""


def logarithms(x: np.ndarray, m: np.ndarray) -> np.ndarray:
    return np.asarray(logsumexp(x[:, None] + m, 0))


def tops(x: np.ndarray, m: np.ndarray) -> np.ndarray:
    return np.asarray((x[:, None] + m).max(0))


def means(x: np.ndarray, m: np.ndarray) -> np.ndarray:
    powers = np.exp(x[:, None] + m)
    return np.asarray((x[:, None] * powers).sum(0) / powers.sum(0))


FREE = {
    "a logarithm": ("if sum > 0 then shift + log(sum) else -Inf", logarithms),
    "a quotient": ("reduce(map(s, * * exp(* + moves[i,j] - shift), i), add, 0) / sum", means),
}
BOUND = {
    "twice": ("2*shift + log(sum)", lambda x, m: tops(x, m) + logarithms(x, m)),
    "no shift": ("log(sum)", lambda x, m: logarithms(x, m) - tops(x, m)),
    "a comparison": (
        "if shift > 1 then log(sum) + shift else 0",
        lambda x, m: np.where(tops(x, m) > 1, logarithms(x, m), 0),
    ),
    "a neighbour": ("shift + log(sums[k+1-j])", lambda x, m: tops(x, m) + (logarithms(x, m) - tops(x, m))[::-1]),
}


@pytest.mark.parametrize("name", [*FREE, *BOUND])
def test_what_depends_on_a_shift_is_known(name: str) -> None:
    result, reference = (FREE | BOUND)[name]
    program = tolang.compile(STEPS.format(result=result), engine="cpu", fallback=False)
    plan = lower(program.core)
    (shift,) = [one.name for step in nodes_inside(plan.steps[-1]) for one in _made(step) if "shifts" in one.name]
    assert is_free(plan, shift) == (name in FREE)
    generator = np.random.default_rng(0)
    start, moves = generator.standard_normal(9), generator.standard_normal((9, 9))
    expected = start
    for _ in range(3):
        expected = reference(expected, moves)
    np.testing.assert_allclose(program(start, moves), expected, rtol=1e-12)


def _made(step: object) -> list[Buffer]:
    return [step.buffer] if isinstance(step, Allocate) else []
