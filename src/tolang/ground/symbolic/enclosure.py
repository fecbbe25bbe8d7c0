"""Bounds of sizes whose exact value is not found: between which two numbers they lie.

A sum that nothing closes is bounded stretch by stretch, and the stretch that leaves most open is halved, so long as
that is worth its time.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from functools import lru_cache

from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.iterated import Iterated, Unsummed
from tolang.ground.symbolic.moving import moving_atoms
from tolang.ground.symbolic.sizes import Atom, Extremum, Interned, Quotient, Rational, Size
from tolang.ground.symbolic.sums import Sum, Utmost

MOST_STRETCHES = 96
"""How many stretches the range of a sum is halved into."""
Interval = tuple[Rational, Rational]
"""The least and the greatest value."""
Box = Mapping[str, Interval]
"""From where to where names run."""


class Unbounded(Exception):
    """A size of which no bounds are known."""


def number_or_bounds(size: Size) -> Interval:
    """The value of a size without names, twice; or bounds of it, where it is not found in time."""
    try:
        value = size.evaluate({})
    except Unsummed:
        return enclosed(size, {})
    return value, value


def enclosed(size: Size, box: Box) -> Interval:
    """Bounds of a size while names run."""
    low: Rational = 0
    high: Rational = 0
    for monomial, factor in size.terms.items():
        product: Interval = (factor, factor)
        for atom in monomial:
            product = _product(product, box[atom] if isinstance(atom, str) else _atom(atom, box))
        low, high = low + product[0], high + product[1]
    return low, high


def _product(one: Interval, two: Interval) -> Interval:
    ends = [a * b for a in one for b in two]
    return min(ends), max(ends)


def _atom(atom: Atom, box: Box) -> Interval:
    match atom:
        case Quotient(numerator=numerator, denominator=denominator):
            return _quotient(enclosed(numerator, box), enclosed(denominator, box))
        case Extremum(kind=kind, sizes=sizes):
            found = [enclosed(size, box) for size in sizes]
            choose = min if kind == "min" else max
            return choose(low for low, _ in found), choose(high for _, high in found)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            truth = _truth(condition, box)
            if truth is not None:
                return enclosed(then if truth else otherwise, box)
            return _hull([enclosed(then, box), enclosed(otherwise, box)])
        case Sum() if atom.names():
            return _sum(atom, box)
        case Utmost() if atom.names():
            return enclosed(atom.body, {**box, atom.name: (1, max(1, enclosed(atom.upper, box)[1]))})
        case Iterated():
            return _closed(atom)
        case Interned():
            return atom.enclosed(box)
    raise Unbounded


def _hull(intervals: Iterable[Interval]) -> Interval:
    found = list(intervals)
    return min(low for low, _ in found), max(high for _, high in found)


def _quotient(above: Interval, below: Interval) -> Interval:
    if below[0] <= 0 <= below[1]:
        raise Unbounded
    ends = [a // b for a in above for b in below]
    return min(ends), max(ends)


def _truth(condition: Condition, box: Box) -> bool | None:
    """Whether a condition holds everywhere or nowhere; None where neither is seen."""
    if condition.size is not None:
        low, high = enclosed(condition.size, box)
        if condition.kind == "nonnegative":
            return True if low >= 0 else False if high < 0 else None
        return True if low == high == 0 else False if low > 0 or high < 0 else None
    truths = [_truth(part, box) for part in condition.parts]
    match condition.kind:
        case "not":
            return None if truths[0] is None else not truths[0]
        case "and":
            return False if False in truths else None if None in truths else True
        case "or":
            return True if True in truths else None if None in truths else False
    return condition.kind == "true"


def _sum(sum_: Sum, box: Box) -> Interval:
    """Bounds of a sum that depends on names which run: the fewest and the most terms, each at its bounds."""
    fewest, most = (max(0, end) for end in enclosed(sum_.upper, box))
    if not most:
        return 0, 0
    low, high = enclosed(sum_.body, {**box, sum_.name: (1, most)})
    return min(low * fewest, low * most), max(high * fewest, high * most)


@lru_cache(maxsize=1024)
def _closed(one: Iterated) -> Interval:
    """Bounds of what has no free name, the stretch of its range that leaves most open halved again and again."""
    try:
        value = one.found()
    except Unsummed:
        pass
    else:
        return value, value
    most = int(number_or_bounds(one.upper)[1])
    stretches = [_stretch(one, 1, max(1, most))]
    while len(stretches) < MOST_STRETCHES and stretches[0][0] < 0:
        _, low, high, _ = heapq.heappop(stretches)
        middle = (low + high) // 2
        for start, end in ((low, middle), (middle + 1, high)):
            heapq.heappush(stretches, _stretch(one, start, end))
    lows, highs = ([ends[side] for *_, ends in stretches] for side in (0, 1))
    return one.together(lows), one.together(highs)


def _stretch(one: Iterated, low: int, high: int) -> tuple[Rational, int, int, Interval]:
    """A stretch with its bounds, those that leave most open first; a single place is not halved any more.

    What is a sum itself at each place is not looked for there: there are many places.
    """
    if low == high and not any(isinstance(atom, Iterated) for atom in moving_atoms(one.body, one.name)):
        return 0, low, high, number_or_bounds(one.body.substitute({one.name: Size.of(low)}))
    least, most = enclosed(one.body, {one.name: (low, high)})
    if low == high:
        return 0, low, high, (least, most)
    if isinstance(one, Utmost):
        return (-most if one.kind == "max" else least) - 1, low, high, (least, most)
    count = high - low + 1
    return (least - most) * count, low, high, (least * count, most * count)
