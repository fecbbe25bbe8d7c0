"""Closed forms of sums whose summand has least and greatest values, case distinctions and floors of affine forms.

The sum of `min(i, n - i)` over i is that of i up to where the two meet and that of n - i from there on, and where they
meet is itself a size.  A sum over floor((i + b)/k) goes block by block of k.  So the closed form of an inner sum is
again a size of the outer names, and nested sums close from the inside out.
"""

from __future__ import annotations

import math
from functools import reduce

from tolang.ground.symbolic.conditions import choice, nonnegative
from tolang.ground.symbolic.iterated import Unsummed
from tolang.ground.symbolic.moving import Fork, exchanged, forks, iterated_inside, moving_atoms, period, sign_of
from tolang.ground.symbolic.power_sums import range_sum
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import (
    ONE,
    ZERO,
    Interned,
    Monomial,
    Quotient,
    Rational,
    Size,
    extremum,
    floor_division,
)

MOST_EFFORT = 3000
"""How many names and numbers the sums that one sum comes apart into may have, all together, before it is given up."""
MOST_CLASSES = 16
"""Up to so many remainders are taken one by one."""
_BLOCK, _PLACE, _FLOOR = "#block", "#place", "#floor"
"""Names that stand in no program."""


class Closing:
    """Finds closed forms, with so much effort for all of them together."""

    def __init__(self, effort: int = MOST_EFFORT) -> None:
        self.effort = effort
        self.ranges = Ranges()

    def total(self, body: Size, name: str, low: Size, high: Size) -> Size:
        """The sum of `body` for a name from `low` to `high`, where low <= high + 1; `Unsummed` if it is not found."""
        self._spend(body, low, high)
        length = high - low + 1
        if length.is_constant(0):
            return ZERO
        if name not in body.names():
            return body * length
        total = ZERO
        for atoms, part in by_atoms(self.without_sums(body, name), name):
            found = self._group(part, name, low, high) if atoms else range_sum(part, name, low, high)
            total = total + found
        return total

    def without_sums(self, body: Size, name: str) -> Size:
        """A size in which the sums that a name stands in are replaced by their closed forms."""
        while inside := iterated_inside(body, name):
            inner = inside[0]
            self.ranges.declare(inner.name, ONE, inner.upper)
            if inner.extreme is not None:
                closed = self.utmost(inner.extreme, inner.body, inner.name, ONE, inner.upper)
            else:
                closed = self.total(inner.body, inner.name, ONE, inner.upper)
            body = exchanged(body, name, {inner: closed})
        return body

    def utmost(self, kind: str, body: Size, name: str, low: Size, high: Size) -> Size:
        """The greatest or least value of `body` for a name from `low` to `high`, where low <= high."""
        self._spend(body, low, high)
        body = self.without_sums(body, name)
        fork = next(forks(body, name), None)
        if fork is not None:
            return self._forked_utmost(kind, body, fork, name, low, high)
        if name not in body.names():
            return body
        split = body.split(name)
        if split is None:
            return self._utmost_by_remainder(kind, body, name, low, high)
        sign = sign_of(split[0])
        if not sign:
            raise Unsummed
        return body.substitute({name: high if (sign > 0) == (kind == "max") else low})

    def _utmost_by_remainder(self, kind: str, body: Size, name: str, low: Size, high: Size) -> Size:
        """The utmost of those of each remainder, counted from `low` on, so that there is a place with remainder 0."""
        turn = common_period(body, name)
        if turn is None or turn > MOST_CLASSES:
            raise Unsummed
        found = ZERO
        for rest in range(turn):
            part = body.substitute({name: Size.of(name) * turn + low + (rest - turn)})
            last = floor_division(high - low - rest, Size.of(turn)) + 1
            one = self.utmost(kind, part, name, ONE, last)
            found = choice(nonnegative(high - low - rest), extremum(kind, [found, one]), found) if rest else one
        return found

    def _forked_utmost(self, kind: str, body: Size, fork: Fork, name: str, low: Size, high: Size) -> Size:
        """The utmost of where a comparison holds and of where it does not, of which one may be nowhere."""
        first, second = (exchanged(body, name, {fork.atom: size}) for size in (fork.holds, fork.fails))
        if first == second:
            return self.utmost(kind, first, name, low, high)
        if name not in fork.size.names():
            both = (self.utmost(kind, size, name, low, high) for size in (first, second))
            return choice(nonnegative(fork.size), *both)
        last, holds_first = self._last(fork.size, name, low, high)
        if not holds_first:
            first, second = second, first
        before, after = self.utmost(kind, first, name, low, last), self.utmost(kind, second, name, last + 1, high)
        either = choice(nonnegative(high - last - 1), extremum(kind, [before, after]), before)
        return choice(nonnegative(last - low), either, after)

    def _spend(self, *sizes: Size) -> None:
        self.effort -= sum(size.weight for size in sizes)
        if self.effort < 0:
            raise Unsummed

    def _group(self, body: Size, name: str, low: Size, high: Size) -> Size:
        """The sum of terms that have the same atoms with the name inside."""
        fork = next(forks(body, name), None)
        if fork is not None:
            return self._forked(body, fork, name, low, high)
        (first, *others) = moving_atoms(body, name)
        if isinstance(first, Quotient) and not others:
            found = block_sum(body, first, name, low, high)
            if found is not None:
                return found
        return self._by_remainder(body, name, low, high)

    def _forked(self, body: Size, fork: Fork, name: str, low: Size, high: Size) -> Size:
        """The sum where a comparison holds, and the sum where it does not."""
        holds, fails = (exchanged(body, name, {fork.atom: size}) for size in (fork.holds, fork.fails))
        if holds == fails:
            return self.total(holds, name, low, high)
        if name not in fork.size.names():
            sums = (self.total(size, name, low, high) for size in (holds, fails))
            return choice(nonnegative(fork.size), *sums)
        last, holds_first = self._last(fork.size, name, low, high)
        first, second = (holds, fails) if holds_first else (fails, holds)
        return self.total(first, name, low, last) + self.total(second, name, last + 1, high)

    def _last(self, size: Size, name: str, low: Size, high: Size) -> tuple[Size, bool]:
        """The last place, from low - 1 to high, up to which a size is at least 0, or is not; and which of both."""
        split = size.split(name)
        sign = 0 if split is None else sign_of(split[0])
        if split is None or not sign:
            raise Unsummed
        slope, rest = split
        if sign > 0:
            return self._clamped(-floor_division(rest, slope) - 1, low, high), False
        return self._clamped(floor_division(rest, -slope), low, high), True

    def _clamped(self, last: Size, low: Size, high: Size) -> Size:
        """A place from low - 1 to high."""
        return self._extreme("max", low - 1, self._extreme("min", high, last))

    def _extreme(self, kind: str, one: Size, two: Size) -> Size:
        """The lesser or greater of two sizes, which is one of them where that is known."""
        if self.ranges.proves_nonnegative(one - two):
            return two if kind == "min" else one
        if self.ranges.proves_nonnegative(two - one):
            return one if kind == "min" else two
        return extremum(kind, [one, two])

    def _by_remainder(self, body: Size, name: str, low: Size, high: Size) -> Size:
        """The sum remainder by remainder, which makes every floor with a number under it affine."""
        turn = common_period(body, name)
        if turn is None or turn > MOST_CLASSES:
            raise Unsummed
        total = ZERO
        for rest in range(turn):
            part = body.substitute({name: Size.of(name) * turn + rest})
            first, last = (floor_division(end - rest, Size.of(turn)) for end in (low - 1, high))
            total = total + self.total(part, name, first + 1, last)
        return total


def by_atoms(body: Size, name: str) -> list[tuple[frozenset[Interned], Size]]:
    """The terms of a size by the atoms in them that a name moves."""
    groups: dict[frozenset[Interned], dict[Monomial, Rational]] = {}
    for monomial, factor in body.terms.items():
        atoms = frozenset(atom for atom in monomial if not isinstance(atom, str) and name in atom.names())
        groups.setdefault(atoms, {})[monomial] = factor
    return [(atoms, Size(terms)) for atoms, terms in groups.items()]


def common_period(body: Size, name: str) -> int | None:
    """How far a name goes until the remainders under all floors come back; None where something else moves."""
    periods = []
    for atom in moving_atoms(body, name):
        if isinstance(atom, Quotient):
            if not all(isinstance(inner, Quotient) for inner in moving_atoms(atom.numerator, name)):
                continue
            turn = period(atom, name) if not moving_atoms(atom.numerator, name) else _nested_period(atom)
            if turn is None:
                return None
            periods.append(turn)
    return reduce(math.lcm, periods) if periods else None


def _nested_period(quotient: Quotient) -> int | None:
    """The same for a floor of floors: all divisors, one after the other."""
    divisor = quotient.denominator.constant
    if not isinstance(divisor, int):
        return None
    turn = divisor
    for monomial in quotient.numerator.terms:
        for atom in monomial:
            if isinstance(atom, Quotient):
                inner = _nested_period(atom)
                if inner is None:
                    return None
                turn = math.lcm(turn, divisor * inner)
    return turn


def block_sum(body: Size, floor: Quotient, name: str, low: Size, high: Size) -> Size | None:
    """The sum of a polynomial of a name and of floor((name + b)/k), or of floor((b - name)/k), block by block of k.

    With m for name + b, the terms up to m = k*q + r are q whole blocks, in which the floor is 0 to q - 1, and r + 1
    terms in which it is q; each of both is a polynomial of q, r and k.  None where the slope is another.
    """
    given = _unit_slope(floor, name)
    if given is None:
        return None
    outside, slope, shift, divisor = given
    flat = exchanged(body, name, {floor: Size.of(_FLOOR) + outside})
    place = Size.of(_PLACE)
    flat = flat.substitute({name: place - shift if slope > 0 else shift - place, _FLOOR: Size.of(_BLOCK)})
    first, last = (low + shift, high + shift) if slope > 0 else (shift - high, shift - low)
    return _blocks_up_to(flat, divisor, last) - _blocks_up_to(flat, divisor, first - 1)


def _unit_slope(floor: Quotient, name: str) -> tuple[Size, int, Size, Size] | None:
    """A floor as `outside + floor((slope*name + shift)/divisor)` with a slope of 1 or -1; None where it is no such."""
    split, divisor = floor.numerator.split(name), floor.denominator
    if split is None or sign_of(divisor) != 1 or name in divisor.names():
        return None
    slope, shift = split[0].constant, split[1]
    number = divisor.constant
    if not isinstance(slope, int):
        return None
    if isinstance(number, int):
        common = math.gcd(slope, number)
        slope, number = slope // common, number // common
        shift, divisor = floor_division(shift, Size.of(common)), Size.of(number)
        if slope % number == number - 1 and number > 2:
            outside = Size.of(name) * ((slope + 1) // number)
            return outside, -1, shift, divisor
        if slope % number == 1 % number:
            return Size.of(name) * ((slope - 1) // number), 1, shift, divisor
    return (ZERO, int(slope), shift, divisor) if slope in (1, -1) else None


def _blocks_up_to(flat: Size, divisor: Size, last: Size) -> Size:
    """The sum of a polynomial of place and block for places up to `last`, counted from 0 upwards or downwards."""
    block, place = Size.of(_BLOCK), Size.of(_PLACE)
    inside = flat.substitute({_PLACE: divisor * block + place})
    whole = range_sum(inside, _PLACE, ZERO, divisor - 1)
    blocks = floor_division(last, divisor)
    before = range_sum(whole, _BLOCK, ZERO, blocks - 1)
    return before + range_sum(inside.substitute({_BLOCK: blocks}), _PLACE, ZERO, last - divisor * blocks)
