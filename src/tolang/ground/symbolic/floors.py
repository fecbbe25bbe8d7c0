"""Polynomials of a place and of floors of affine forms of it, and their sums over a range.

The sum of x^p * floor((a*x + b)/c)^q takes as many steps as Euclid's algorithm: the line y = (a*x + b)/c is walked in
steps to the right and up.  What is known of a walk (how far it goes, and the sums over its steps to the right) follows
from what is known of its halves, and a walk along a line is made of repeated walks along a flatter one, as remainders
are in Euclid's algorithm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.iterated import Unsummed
from tolang.ground.symbolic.polynomials import Polynomial, at_shifted, plus, times, total
from tolang.ground.symbolic.sizes import Rational

MOST_JUMPS = 400
"""How many jumps of floors a range is cut at."""


@dataclass(frozen=True, order=True, slots=True)
class Floor:
    """floor((slope*x + shift)/divisor), slope and shift being at least 0 and below the divisor."""

    slope: int
    shift: int
    divisor: int

    def at(self, place: int) -> int:
        return (self.slope * place + self.shift) // self.divisor


Flat = Mapping[tuple[Floor, ...], Polynomial]
"""A polynomial of x for each product of floors, those of one product in order."""


def added(one: Flat, two: Flat) -> Flat:
    total_ = dict(one)
    for floors, polynomial in two.items():
        found = plus(total_.get(floors, ()), polynomial)
        if found:
            total_[floors] = found
        else:
            total_.pop(floors, None)
    return total_


def multiplied(one: Flat, two: Flat) -> Flat:
    product: Flat = {}
    for floors, polynomial in one.items():
        part = {tuple(sorted(floors + others)): times(polynomial, other) for others, other in two.items()}
        product = added(product, part)
    return product


def scaled(flat: Flat, factor: int) -> Flat:
    return {floors: times((factor,), polynomial) for floors, polynomial in flat.items()}


def _shifted(flat: Flat, shift: int) -> Flat:
    """The same at x + shift."""
    result: Flat = {}
    for floors, polynomial in flat.items():
        product: Flat = {(): at_shifted(polynomial, shift)}
        for floor in floors:
            start = floor.slope * shift + floor.shift
            inside = Floor(floor.slope, start % floor.divisor, floor.divisor)
            outside = start // floor.divisor
            product = multiplied(product, {(inside,): (1,), (): (outside,)} if outside else {(inside,): (1,)})
        result = added(result, product)
    return result


def flat_total(flat: Flat, low: int, high: int) -> Rational:
    """The sum over the places from low to high; `Unsummed` where different floors are multiplied and jump too often."""
    if low > high:
        return 0
    found = total(flat.get((), ()), low, high)
    lines: dict[Floor, dict[Powers, Rational]] = {}
    mixed: dict[tuple[Floor, ...], Polynomial] = {}
    for floors, polynomial in _shifted({key: one for key, one in flat.items() if key}, low - 1).items():
        if len(set(floors)) > 1:
            mixed[floors] = polynomial
        elif floors:
            terms = lines.setdefault(floors[0], {})
            terms.update({(power, len(floors)): factor for power, factor in enumerate(polynomial) if factor})
        else:
            found += total(polynomial, 1, high - low + 1)
    for floor, terms in lines.items():
        found += floor_sum(terms, floor, high - low + 1)
    return found + (_mixed_total(mixed, high - low + 1) if mixed else 0)


def _mixed_total(flat: Flat, count: int) -> Rational:
    """The sum over places from 1 of products of different floors: at their jumps, or block by block of places.

    After a block all remainders come back, so that a floor there is affine in the number of the block.
    """
    floors = {floor for key in flat for floor in key}
    if sum(floor.at(count) - floor.at(1) for floor in floors) <= MOST_JUMPS:
        return _total_at_jumps(flat, count)
    turn = math.lcm(*(floor.divisor // math.gcd(floor.divisor, floor.slope) for floor in floors))
    blocks = count // turn
    if not blocks or sum(floor.slope * turn // floor.divisor for floor in floors) > MOST_JUMPS:
        raise Unsummed
    by_block: dict[int, Flat] = {}
    for key, polynomial in flat.items():
        for power, part in _at_blocks(key, polynomial, turn).items():
            by_block[power] = added(by_block.get(power, {}), part)
    each: Flat = {}
    for power, part in by_block.items():
        times_all = total((0,) * power + (1,), 0, blocks - 1)
        each = added(each, {key: times((times_all,), one) for key, one in part.items()} if times_all else {})
    return flat_total(each, 1, turn) + flat_total(flat, turn * blocks + 1, count)


def _at_blocks(floors: tuple[Floor, ...], polynomial: Polynomial, turn: int) -> dict[int, Flat]:
    """A product at turn*b + x as a polynomial of the block b, whose factors are products at x."""
    result: dict[int, Flat] = {}
    for power, factor in enumerate(polynomial):
        for block in range(power + 1):
            part = (0,) * (power - block) + (factor * math.comb(power, block) * turn**block,)
            result[block] = added(result.get(block, {}), {(): part} if factor else {})
    for floor in floors:
        rise = floor.slope * turn // floor.divisor
        raised: dict[int, Flat] = {}
        for block, flat in result.items():
            raised[block] = added(raised.get(block, {}), multiplied(flat, {(floor,): (1,)}))
            raised[block + 1] = added(raised.get(block + 1, {}), scaled(flat, rise) if rise else {})
        result = raised
    return result


def _total_at_jumps(flat: Flat, count: int) -> Rational:
    """The sum over places from 1, cut where a floor jumps."""
    starts = {1}
    for floor in {floor for key in flat for floor in key}:
        for value in range(floor.at(1) + 1, floor.at(count) + 1):
            starts.add(-((floor.shift - floor.divisor * value) // floor.slope))
    ordered = sorted(starts)
    found: Rational = 0
    for start, after in zip(ordered, [*ordered[1:], count + 1], strict=True):
        for floors, polynomial in flat.items():
            found += math.prod(floor.at(start) for floor in floors) * total(polynomial, start, after - 1)
    return found


Powers = tuple[int, int]
"""The powers of x and of a floor in a term."""


@dataclass(frozen=True, slots=True)
class _LatticeWalk:
    """How far a walk goes, and the sums of x^p * y^q over its steps to the right."""

    right: int
    up: int
    sums: Mapping[Powers, int]

    def then(self, other: _LatticeWalk) -> _LatticeWalk:
        """This walk, and the other from where it ends."""
        if not other.right:
            return _LatticeWalk(self.right, self.up + other.up, self.sums)
        sums = {}
        for (p, q), own in self.sums.items():
            rest = 0
            for i in range(p + 1):
                across = math.comb(p, i) * self.right ** (p - i)
                if across:
                    for j in range(q + 1):
                        rest += across * math.comb(q, j) * self.up ** (q - j) * other.sums[i, j]
            sums[p, q] = own + rest
        return _LatticeWalk(self.right + other.right, self.up + other.up, sums)

    def repeated(self, count: int) -> _LatticeWalk:
        result, power = _LatticeWalk(0, 0, dict.fromkeys(self.sums, 0)), self
        while count:
            if count & 1:
                result = result.then(power)
            power = power.then(power) if count > 1 else power
            count >>= 1
        return result


def floor_sum(terms: Mapping[Powers, Rational], floor: Floor, count: int) -> Rational:
    """The sum of terms x^p * floor^q with their factors, for x from 1 to count."""
    across, upwards = max(p for p, _ in terms), max(q for _, q in terms)
    every = [(p, q) for p in range(across + 1) for q in range(upwards + 1)]
    right = _LatticeWalk(1, 0, {(p, q): int(q == 0) for p, q in every})
    whole = _along(floor, count, _LatticeWalk(0, 1, dict.fromkeys(every, 0)), right)
    return sum((factor * whole.sums[powers] for powers, factor in terms.items()), 0)


def _along(floor: Floor, count: int, up: _LatticeWalk, right: _LatticeWalk) -> _LatticeWalk:
    """The walk along a line to x = count, in terms of two walks."""
    slope, shift, divisor = floor.slope, floor.shift, floor.divisor
    head = tail = right.repeated(0)
    while count:
        if slope >= divisor:
            right = up.repeated(slope // divisor).then(right)
            slope %= divisor
        height = (slope * count + shift) // divisor
        if not height:
            return head.then(right.repeated(count)).then(tail)
        left = count - (divisor * height - shift - 1) // slope
        head = head.then(right.repeated((divisor - shift - 1) // slope)).then(up)
        tail = right.repeated(left).then(tail)
        slope, divisor, shift, count = divisor, slope, (divisor - shift - 1) % slope, height - 1
        up, right = right, up
    return head.then(tail)
