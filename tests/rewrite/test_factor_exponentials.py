"""Sums of powers of sums are what they are by their definition, whatever numbers come."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp

import tolang

FIELD = """\
tol scores: {kind} [n,k]
tol moves: {kind} [k,k]
next(s, t) = map(s, scores[t+1, j] + logsumexp(s + moves[:,j]), j)
loss := logsumexp(reduce(tol[n-1], (s,e,t) -> next(s,t), scores[1]))
"""


def field(scores: np.ndarray, moves: np.ndarray) -> tuple[float, np.ndarray]:
    """The logarithm of the sum over all paths, and its derivatives by the moves, from forward and backward sums."""
    ahead, back = [scores[0]], [np.zeros(len(moves))]
    for one in scores[1:]:
        ahead.append(one + logsumexp(ahead[-1][:, None] + moves, 0))
    for one in scores[:0:-1]:
        back.append(logsumexp(moves + one + back[-1], 1))
    loss = logsumexp(ahead[-1])
    pairs = zip(ahead[:-1], scores[1:], back[-2::-1], strict=True)
    return loss, sum(np.exp(a[:, None] + moves + one + b - loss) for a, one, b in pairs)


def forbidden(values: np.ndarray, least: float) -> np.ndarray:
    """Moves of which some have next to no weight, among them all to one state."""
    made = np.where(np.random.default_rng(1).random(values.shape) < 0.3, least, values)
    made[:, 3] = max(least, -1e4)  # the derivative of a state that nothing leads to is no number
    return made


CASES: dict[str, Any] = {
    "small": lambda s, m: (s, m),
    "far apart": lambda s, m: (4000 * s, 4000 * m),  # exponents beyond what is taken apart, each in some elements
    "far from zero": lambda s, m: (s - 1e5, m + 1e5),
    "forbidden": lambda s, m: (s, forbidden(m, -1e4)),
    "never": lambda s, m: (s, forbidden(m, -np.inf)),
}


@pytest.fixture(scope="module")
def programs() -> tuple[tolang.Program, tolang.Program]:
    """The field with its derivatives, and in single precision without."""
    field = tolang.compile(FIELD.format(kind="f64"), engine="cpu")
    return field.gradient(of="loss", by="moves", value=True), tolang.compile(FIELD.format(kind="f32"), engine="cpu")


@pytest.mark.parametrize("case", CASES)
def test_a_random_field_and_its_gradient(programs: tuple[tolang.Program, tolang.Program], case: str) -> None:
    generator = np.random.default_rng(0)
    scores, moves = CASES[case](generator.standard_normal((6, 9)), generator.standard_normal((9, 9)))
    loss, slopes = field(scores, moves)
    largest = max(1.0, np.abs(scores).max(), np.abs(moves[np.isfinite(moves)]).max())
    error = 40 * np.finfo("f8").eps * largest  # as an exponent is rounded, so is its power
    found = programs[0](scores, moves)
    np.testing.assert_allclose(found["loss"], loss, rtol=error)
    np.testing.assert_allclose(found["d_moves"], slopes, atol=error, rtol=error)
    single = programs[1](scores.astype(np.float32), moves.astype(np.float32))
    np.testing.assert_allclose(single, loss, rtol=40 * np.finfo("f4").eps * largest)


def test_what_is_no_number_stays_so() -> None:
    program = tolang.compile(FIELD.format(kind="f64"), engine="cpu")
    for scores, expected in ((np.inf, np.inf), (np.nan, np.nan), (-np.inf, -np.inf)):
        np.testing.assert_equal(program(np.full((3, 9), scores), np.zeros((9, 9))), expected)


def test_the_plan_says_so_and_strict_leaves_it() -> None:
    plan = tolang.compile(FIELD.format(kind="f64")).explain().full
    assert "factor exponentials: powers of sums" in plan
    forward = plan.split("== plan ==")[1].split("repeat [")[1].split("else")[0]
    assert "max(s_" not in forward  # nothing depends on the greatest sum of each column
    assert (
        "factor exponentials: powers of sums"
        not in tolang.compile(FIELD.format(kind="f64"), strict=True).explain().full
    )
