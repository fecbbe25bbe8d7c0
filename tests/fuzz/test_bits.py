"""Strict code and the strict interpreter have the same bits: a few programs; `make fuzz` takes many more."""

from __future__ import annotations

import numpy as np
import pytest
from tests.fuzz import bits
from tests.fuzz.bits import Program, difference, program

COUNT = 16


@pytest.mark.parametrize("number", range(COUNT))
def test_strict_code_has_the_bits_of_the_interpreter(number: int) -> None:
    made = program(f"kept/{number}")
    wrong = difference(made)
    assert not wrong, f"{made.told()}\n{wrong}"


SQUARES = "tol x: f32 [n,2]\n"
POINTS = "(x[k,1] - x[i,1])^2 + (x[k,2] - x[i,2])^2"


@pytest.mark.parametrize(
    "body",
    [
        "standard_deviation(x)",
        "standard_deviation(x, 1)",
        "map(x, if * > 0 then *^2 else *^3)",
        "map(x, reduce(map(x[i], *^2), add, 0.5) + *^4, [i,j])",
        f"map(x, reduce(map(tol[n], (x[k,j] - x[i,j]) / sqrt(0.1 + {POINTS}), k), add, 0), [i,j])",
    ],
)
def test_powers_are_products_in_both(body: str) -> None:
    generator = np.random.default_rng(1)
    for length in (1, 33, 1000 if "k]" not in body and "k," not in body else 70):
        x = generator.normal(size=(length, 2)).astype(np.float32)
        assert difference(Program("", f"{SQUARES}r1 := {body}", {"x": x})) == ""


def test_one_bit_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zero of the other sign is one, too; NaN of another kind is none."""
    given = iter([[np.array([0.0, np.nan])], [np.array([-0.0, -np.nan])]])
    monkeypatch.setattr(bits, "results", lambda *_: next(given))
    assert "r1 at [1], and 0 more" in difference(Program("", "", {}))
