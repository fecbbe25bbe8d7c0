"""The values of sums at given sizes, exact, without going through their ranges.

Sums inside the summand are closed first (`closing`); then the range is read stretch by stretch (`pieces`), and what is
found on each, a polynomial of the place and of floors, has a sum of its own (`floors`).  A short range of which nothing
of that is known is gone through.  What is left has bounds (`enclosure`).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tolang.ground.symbolic.closing import Closing, by_atoms, common_period
from tolang.ground.symbolic.floors import flat_total
from tolang.ground.symbolic.iterated import MOST_PLACES, Iterated, Unsummed
from tolang.ground.symbolic.pieces import PiecewiseReader
from tolang.ground.symbolic.polynomials import extreme_place, value_at
from tolang.ground.symbolic.sizes import Rational, Size


def total_of(sum_: Iterated) -> Rational:
    """The value of a sum in which no name is free; `Unsummed` where it is not found."""
    found = _total_of(sum_)
    if found is None:
        raise Unsummed
    return found


@lru_cache(maxsize=1024)
def _total_of(sum_: Iterated) -> Rational | None:
    high = int(sum_.upper.evaluate({}))
    try:
        return total_over(sum_.body, sum_.name, 1, high)
    except Unsummed:
        return _one_by_one(sum_, high)


def total_over(body: Size, name: str, low: int, high: int) -> Rational:
    """The sum of a size that has no other name than one running from low to high."""
    reader = PiecewiseReader(name)
    found: Rational = 0
    closed = _closed(body, name, low, high)
    scale = closed.denominator
    for _, part in by_atoms(closed * scale, name):
        for flat, where in reader.pieces(part, low, high):
            found += flat_total(flat, where.low, where.high)
    return Size.of(Fraction(found, scale)).constant or 0


def _closed(size: Size, name: str, low: int, high: int) -> Size:
    """A size in which the sums over other names have closed forms."""
    closing = Closing()
    closing.ranges.declare(name, Size.of(low), Size.of(high))
    return closing.without_sums(size, name)


def extreme_over(size: Size, name: str, low: int, high: int, is_greatest: bool) -> tuple[Rational, int]:
    """The greatest or least value of a size that has no other name than one running from low to high, and where."""
    found: list[tuple[Rational, int]] = []
    closed = _closed(size, name, low, high)
    if _rises(closed, name):
        place = high if is_greatest else low
        return closed.evaluate({name: place}), place
    low, high = _one_period(closed, name, low, high, is_greatest)
    for flat, where in PiecewiseReader(name).pieces(closed, low, high, whole=True):
        polynomial = flat.get((), ())
        place = extreme_place(polynomial, where.low, where.high, is_greatest)
        found.append((value_at(polynomial, place), where.turn * place + where.rest))
    return (max if is_greatest else min)(found, key=lambda pair: pair[0])


def _rises(size: Size, name: str) -> bool:
    """Whether all that moves in a size is added to the rest, and never falls."""
    for monomial, factor in size.terms.items():
        for atom in monomial:
            if not isinstance(atom, str) and name in atom.names():
                if len(monomial) > 1 or factor < 0 or not atom.rises(name):
                    return False
            elif atom == name and (len(monomial) > 1 or factor < 0):
                return False
    return True


def _one_period(size: Size, name: str, low: int, high: int, is_greatest: bool) -> tuple[int, int]:
    """The part of a range in which an extreme stands, if a size grows by the same amount with each period."""
    turn = common_period(size, name)
    if turn is None or turn > high - low:
        return low, high
    growth = (size.substitute({name: Size.of(name) + turn}) - size).constant
    if growth is None:
        return low, high
    return (high - turn + 1, high) if (growth > 0) == is_greatest else (low, low + turn - 1)


@lru_cache(maxsize=1024)
def _utmost_of(one: Iterated) -> Rational | None:
    high = max(1, int(one.upper.evaluate({})))
    try:
        return extreme_over(one.body, one.name, 1, high, one.extreme == "max")[0]
    except Unsummed:
        return _one_by_one(one, high)


def utmost_of(one: Iterated) -> Rational:
    """The greatest or least value where no name is free; `Unsummed` where it is not found."""
    found = _utmost_of(one)
    if found is None:
        raise Unsummed
    return found


def _one_by_one(one: Iterated, high: int) -> Rational | None:
    """What a short range comes to, place by place; None where it is not short."""
    import numpy as np

    if high > MOST_PLACES:
        return None
    try:
        values = one.body.evaluate({one.name: np.arange(1, high + 1).astype(object)})
    except Unsummed:
        return None
    found: Rational = one.together(np.broadcast_to(np.asarray(values, dtype=object), (high,)).tolist())
    return found
