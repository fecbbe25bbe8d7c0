"""Sums of powers: 1^p + 2^p + … + n^p as a polynomial in n."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache


@cache
def _bernoulli(index: int) -> Fraction:
    """Bernoulli numbers with B1 = +1/2."""
    if index < 2:
        return Fraction(1, index + 1)
    total = sum((math.comb(index + 1, k) * _bernoulli(k) for k in range(index)), Fraction(0))
    return 1 - total / (index + 1)


@cache
def faulhaber(power: int) -> tuple[Fraction, ...]:
    """The factors of n^(p+1), n^p, … n in the sum of the p-th powers of 1 to n."""
    return tuple(Fraction(math.comb(power + 1, k), power + 1) * _bernoulli(k) for k in range(power + 1))
