"""Polynomials of one whole number as tuples of factors: where their sign changes, their sum, their greatest value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, zip_longest

from tolang.ground.reporting.faults import fault
from tolang.ground.symbolic.faulhaber import faulhaber
from tolang.ground.symbolic.sizes import Rational

Polynomial = tuple[Rational, ...]
"""The factors of 1, x, x^2 and so on, the last of which is not 0."""


def _trimmed(factors: list[Rational]) -> Polynomial:
    while factors and not factors[-1]:
        factors.pop()
    return tuple(factors)


def plus(one: Polynomial, two: Polynomial) -> Polynomial:
    return _trimmed([a + b for a, b in zip_longest(one, two, fillvalue=0)])


def times(one: Polynomial, two: Polynomial) -> Polynomial:
    if len(one) == 1:
        return tuple(one[0] * factor for factor in two)
    product: list[Rational] = [0] * (len(one) + len(two) - 1) if one and two else []
    for place, a in enumerate(one):
        if a:
            for other, b in enumerate(two):
                product[place + other] += a * b
    return _trimmed(product)


def at_shifted(polynomial: Polynomial, shift: int) -> Polynomial:
    """The polynomial of x whose value is that of the given one at x + shift."""
    result: Polynomial = ()
    for factor in reversed(polynomial):
        result = plus(times(result, (shift, 1)), (factor,) if factor else ())
    return result


def value_at(polynomial: Sequence[Rational], place: int) -> Rational:
    value: Rational = 0
    for factor in reversed(polynomial):
        value = value * place + factor
    return value


def total(polynomial: Sequence[Rational], low: int, high: int) -> Rational:
    """The sum of its values from low to high."""
    found: Rational = 0
    for power, factor in enumerate(polynomial):
        if power == 0:
            found += factor * (high - low + 1)
        elif factor:
            shape, divisor = _power_sum(power)
            found += factor * ((value_at(shape, high) - value_at(shape, low - 1)) // divisor)
    return found


@cache
def _power_sum(power: int) -> tuple[tuple[int, ...], int]:
    """1^p + 2^p + … + x^p as a whole polynomial of x over a number."""
    factors = (*faulhaber(power), Fraction(0))[::-1]
    scale = math.lcm(*(factor.denominator for factor in factors))
    return tuple(int(factor * scale) for factor in factors), scale


def _sign(value: Rational) -> int:
    return (value > 0) - (value < 0)


def sign_changes(polynomial: Sequence[Rational], low: int, high: int) -> list[int]:
    """The places after low, up to high, at which the sign is not that of the place before.

    Between two changes of the sign of its steps a polynomial rises or falls, and a change of sign there is found by
    halving; the steps are a polynomial of a lower degree.
    """
    factors = _whole(polynomial)
    if len(factors) < 2 or high <= low:
        return []
    if len(factors) == 2:
        return _changes_of_line(factors[0], factors[1], low, high)
    found: list[int] = []
    for start, end in _monotone(factors, low, high):
        found += _changes_between(factors, start, end)
    return found


def _changes_of_line(shift: int, slope: int, low: int, high: int) -> list[int]:
    places = sorted({-(shift // slope), -shift // slope + 1})
    return [
        place
        for place in places
        if low < place <= high and _sign(slope * place + shift) != _sign(slope * (place - 1) + shift)
    ]


def _whole(polynomial: Sequence[Rational]) -> list[int]:
    """A whole multiple of a polynomial, which has its signs."""
    scale = math.lcm(*(factor.denominator for factor in polynomial if type(factor) is not int))
    factors = [int(factor * scale) for factor in polynomial]
    while factors and not factors[-1]:
        factors.pop()
    return factors


def _monotone(factors: Sequence[Rational], low: int, high: int) -> list[tuple[int, int]]:
    """The stretches on which a polynomial only rises or only falls, each ending where the next one begins."""
    whole = _whole(factors)
    steps = [
        sum(math.comb(power, lower) * whole[power] for power in range(lower + 1, len(whole)))
        for lower in range(len(whole) - 1)
    ]
    ends = [low, *sign_changes(steps, low, high - 1), high]
    return list(pairwise(ends))


def _changes_between(factors: Sequence[int], start: int, end: int) -> list[int]:
    """The changes of sign after start, up to end, where the polynomial only rises or only falls."""
    found: list[int] = []
    last = _sign(value_at(factors, end))
    while (sign := _sign(value_at(factors, start))) != last:
        below, above = start, end
        while above - below > 1:
            middle = (below + above) // 2
            if _sign(value_at(factors, middle)) == sign:
                below = middle
            else:
                above = middle
        found.append(above)
        start = above
    return found


def extreme_place(polynomial: Sequence[Rational], low: int, high: int, is_greatest: bool) -> int:
    """The place from low to high where it is greatest, or least: an end, or where it turns."""
    places = [low, *(end for _, end in _monotone(polynomial, low, high))]
    return (max if is_greatest else min)(places, key=lambda place: value_at(polynomial, place))


def jumps(numerator: Polynomial, divisor: int, low: int, high: int) -> int:
    """How far the floor of a polynomial over a number goes up and down from low to high, all together."""
    stretches = _monotone(numerator, low, high)
    return sum(abs(int(value_at(numerator, b) // divisor - value_at(numerator, a) // divisor)) for a, b in stretches)


def plateau_end(numerator: Polynomial, denominator: Polynomial, start: int, high: int) -> int:
    """The last place up to high until which floor(u/w) is what it is at the start.

    With v for that value, u - v*w and (v + 1)*w - u keep their signs until then, and so does w.
    """
    below = value_at(denominator, start)
    if not below:
        raise fault("E506", "a length or coordinate is divided by zero")
    value = int(value_at(numerator, start) // below)
    sign = 1 if below > 0 else -1
    held = (
        times((sign,), denominator),
        times((sign,), plus(numerator, times((-value,), denominator))),
        times((sign,), plus(times((value + 1,), denominator), times((-1,), numerator))),
    )
    last = high
    for polynomial, least in zip(held, (1, 0, 1), strict=True):
        scale = math.lcm(*(factor.denominator for factor in polynomial))
        margin = plus(times((scale,), polynomial), (-least,) if least else ())
        last = next((c - 1 for c in sign_changes(margin, start, last) if value_at(margin, c) < 0), last)
    return last


def floor_of(numerator: Polynomial, divisor: Rational) -> tuple[Polynomial, Polynomial, int]:
    """The floor of a polynomial over a number as a polynomial and a floor of factors below the divisor, above 0."""
    if not divisor:
        raise fault("E506", "a length or coordinate is divided by zero")
    scale = math.lcm(divisor.denominator, *(factor.denominator for factor in numerator))
    scale = scale if divisor > 0 else -scale
    whole, under = [int(factor * scale) for factor in numerator], int(divisor * scale)
    common = math.gcd(under, *whole[1:])
    whole, under = [factor // common for factor in whole], under // common
    return _trimmed([f // under for f in whole]), _trimmed([f % under for f in whole]), under
