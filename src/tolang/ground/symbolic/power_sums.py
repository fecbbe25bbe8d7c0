"""Sums of polynomials of a name over a range, by Faulhaber's formula."""

from __future__ import annotations

from tolang.ground.symbolic.faulhaber import faulhaber
from tolang.ground.symbolic.sizes import ONE, ZERO, Monomial, Rational, Size


def power_sum(power: int, upper: Size) -> Size:
    """1^p + 2^p + … + upper^p, by Faulhaber's formula."""
    return sum((upper ** (power + 1 - k) * factor for k, factor in enumerate(faulhaber(power)) if factor), ZERO)


def range_sum(body: Size, name: str, low: Size, high: Size) -> Size:
    """The sum of a polynomial of a name from `low` to `high`, which are any sizes with low <= high + 1."""
    by_power: dict[int, dict[Monomial, Rational]] = {}
    for monomial, factor in body.terms.items():
        rest = tuple(atom for atom in monomial if atom != name)
        by_power.setdefault(len(monomial) - len(rest), {})[rest] = factor
    total = ZERO
    for power, terms in by_power.items():
        if power == 0:
            total = total + Size(terms) * (high - low + 1)
        else:
            before = ZERO if low == ONE else power_sum(power, low - 1)
            total = total + Size(terms) * (power_sum(power, high) - before)
    return total
