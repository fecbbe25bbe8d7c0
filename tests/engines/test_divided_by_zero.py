"""Coordinates and lengths that are divided by zero are errors, whatever the quotient is multiplied by."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

PROGRAMS = [
    "y := map(x, x[1 + (k-1) % m], k)",
    "y := map(x, x[1 + (k-1) / m], k)",
    "y := map(x, x[1 + 5 % (k-1)], k)",  # of 6 elements, the one that would be taken is there
    "y := map(x, x[1 + (k*k) % (k-2)], k)",
    "y := map(x, x[1 + (k-1) % m] + x[1 + k % (m+1)], k)",
    "y := map(tol[n % m], 1)",
    "y := x[1:n - n/m]",
]


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_remainders_by_zero(program: str, engine: str) -> None:
    made = tolang.compile(f"tol x: R [n]\ntol z: R [m]\n{program}", engine=engine)
    with pytest.raises(tolang.ToLangError, match="E506"):
        made(np.arange(1.0, 7.0), np.zeros(0))


@pytest.mark.parametrize("engine", ["interpret", "cpu"])
def test_what_nobody_takes_may_be_divided_by_zero(engine: str) -> None:
    source = "tol x: R [n]\ntol z: R [m]\ny := map(x, if k > m then x[1 + k%(m+1)] else x[1 + k%m], k)"
    assert tolang.compile(source, engine=engine)(np.arange(1.0, 4.0), np.zeros(0)).tolist() == [1.0, 1.0, 1.0]
    assert tolang.compile(source, engine=engine)(np.arange(1.0, 4.0), np.zeros(2)).tolist() == [2.0, 1.0, 1.0]
