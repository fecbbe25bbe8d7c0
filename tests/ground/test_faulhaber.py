"""Sums of powers as polynomials, held against the sums themselves."""

from __future__ import annotations

import pytest

from tolang.ground.symbolic.faulhaber import faulhaber


@pytest.mark.parametrize("power", range(12))
def test_sums_of_powers(power: int) -> None:
    for count in (0, 1, 2, 7, 30):
        polynomial = sum(factor * count ** (power + 1 - place) for place, factor in enumerate(faulhaber(power)))
        assert polynomial == sum(number**power for number in range(1, count + 1))
