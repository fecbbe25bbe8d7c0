"""A size over a range of whole numbers, read as polynomials of the place: stretch by stretch where they change.

On a stretch where every least and greatest value and every case distinction has one outcome, a size is a polynomial of
the place and of floors of affine forms of it.  Where an outcome changes, the stretch is cut and read again.  A floor
that something else rests on is cut at its jumps, or taken one class of remainders after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.floors import MOST_JUMPS, Flat, Floor, added, multiplied, scaled
from tolang.ground.symbolic.iterated import Unsummed
from tolang.ground.symbolic.polynomials import (
    Polynomial,
    floor_of,
    jumps,
    plateau_end,
    plus,
    sign_changes,
    times,
    value_at,
)
from tolang.ground.symbolic.sizes import Extremum, Interned, Quotient, Size

FEW_JUMPS = 24
"""A floor with few jumps is cut at them; one with more only if its remainders are many, too."""
FEW_RISES, MOST_VALUES = 64, 1000
"""Any other atom is cut where it rises if it does so seldom, and is looked at no more often than that."""
MOST_CLASSES = 64
"""Up to so many remainders are taken one after the other."""
MOST_EFFORT = 8000
"""How many names and numbers may be read, over all stretches of a range."""


@dataclass(frozen=True, slots=True)
class StridedRange:
    """The places turn*x + rest of a range for x from low to high."""

    low: int
    high: int
    turn: int = 1
    rest: int = 0

    def cut(self, starts: list[int]) -> Iterator[StridedRange]:
        """The stretch in parts, which begin at its own start and at the given ones."""
        ends = [*(start - 1 for start in starts), self.high]
        for low, high in zip([self.low, *starts], ends, strict=True):
            yield StridedRange(low, high, self.turn, self.rest)

    def classes(self, turn: int) -> Iterator[StridedRange]:
        """The stretch as classes of remainders."""
        for rest in range(turn):
            low, high = -((rest - self.low) // turn), (self.high - rest) // turn
            if low <= high:
                yield StridedRange(low, high, self.turn * turn, self.turn * rest + self.rest)


class _Parted(Exception):
    """The stretch is to be read in parts."""

    def __init__(self, parts: Iterator[StridedRange]) -> None:
        super().__init__()
        self.parts = list(parts)


class PiecewiseReader:
    """Reads sizes over ranges of a name; all other names are known."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.effort = MOST_EFFORT

    def pieces(self, size: Size, low: int, high: int, whole: bool = False) -> Iterator[tuple[Flat, StridedRange]]:
        """What the size is on each stretch from low to high; with `whole`, polynomials without any floors."""
        waiting = [StridedRange(low, high)] if low <= high else []
        while waiting:
            stretch = waiting.pop()
            self.effort -= size.weight
            if self.effort < 0:
                raise Unsummed
            reading = _StretchReading(self.name, stretch)
            try:
                flat = reading.flat(size)
                if whole:
                    reading.polynomial(flat)
            except _Parted as parted:
                waiting += parted.parts
                continue
            yield flat, stretch


@dataclass(slots=True)
class _StretchReading:
    """One size on one stretch."""

    name: str
    stretch: StridedRange
    known: dict[Interned, Flat] = field(default_factory=dict)

    def flat(self, size: Size) -> Flat:
        total: Flat = {}
        for monomial, factor in size.terms.items():
            product: Flat = {(): (factor,)}
            for atom in monomial:
                if isinstance(atom, str):
                    product = multiplied(product, {(): (self.stretch.rest, self.stretch.turn)})
                else:
                    product = multiplied(product, self._atom(atom))
            total = added(total, product)
        return total

    def polynomial(self, flat: Flat) -> Polynomial:
        """A size that is to be a polynomial: its floors are settled, one after the other."""
        for floors in flat:
            for floor in floors:
                self._settle((floor.shift, floor.slope), floor.divisor)
        return flat.get((), ())

    def _atom(self, atom: Interned) -> Flat:
        if atom not in self.known:
            self.known[atom] = self._read(atom)
        return self.known[atom]

    def _read(self, atom: Interned) -> Flat:
        match atom:
            case Extremum(kind=kind, sizes=sizes):
                best = self.flat(sizes[0])
                for size in sizes[1:]:
                    other = self.flat(size)
                    if self._at_least_zero(added(best, scaled(other, -1))) != (kind == "max"):
                        best = other
                return best
            case Choice(condition=condition, then=then, otherwise=otherwise):
                return self.flat(then if self._holds(condition) else otherwise)
            case Quotient(numerator=numerator, denominator=denominator):
                return self._quotient(self.flat(numerator), self.flat(denominator))
        return {(): (self._rising(atom),)}

    def _holds(self, condition: Condition) -> bool:
        if condition.size is not None:
            flat = self.flat(condition.size)
            if condition.kind == "nonnegative":
                return self._at_least_zero(flat)
            return self._at_least_zero(flat) and self._at_least_zero(scaled(flat, -1))
        match condition.kind:
            case "not":
                return not self._holds(condition.parts[0])
            case "and":
                return all(self._holds(part) for part in condition.parts)
            case "or":
                return any(self._holds(part) for part in condition.parts)
        return condition.kind == "true"

    def _at_least_zero(self, flat: Flat) -> bool:
        """Whether a size is at least 0 on the stretch, which is cut where that changes."""
        asked = self._compared(flat)
        low, high = self.stretch.low, self.stretch.high
        truth = value_at(asked, low) >= 0
        starts = []
        for change in sign_changes(asked, low, high):
            if (value_at(asked, change) >= 0) != truth:
                truth = not truth
                starts.append(change)
        if starts:
            raise _Parted(self.stretch.cut(starts))
        return truth

    def _compared(self, flat: Flat) -> Polynomial:
        """A polynomial that is at least 0 where a size is.

        One floor does not hinder: floor(u/c) + r >= 0 is u + c*r >= 0, and r - floor(u/c) >= 0 is c*(r+1) - u >= 1.
        """
        inside = [floors for floors in flat if floors]
        rest = flat.get((), ())
        if len(inside) == 1 and len(inside[0]) == 1 and all(type(factor) is int for factor in rest):
            floor, factor = inside[0][0], flat[inside[0]]
            below = times((floor.divisor,), rest)
            if factor == (1,):
                return plus(below, (floor.shift, floor.slope))
            if factor == (-1,):
                return plus(below, (floor.divisor - 1 - floor.shift, -floor.slope))
        return self.polynomial(flat)

    def _quotient(self, above: Flat, below: Flat) -> Flat:
        """The floor of a quotient: whole parts outside, and what is left a floor of its own, if it is affine."""
        numerator, denominator = self.polynomial(above), self.polynomial(below)
        if len(denominator) > 1:
            return {(): (self._plateau(numerator, denominator),)}
        outside, inside, divisor = floor_of(numerator, denominator[0] if denominator else 0)
        if len(inside) < 2:
            return {(): outside}
        low, high = self.stretch.low, self.stretch.high
        if plateau_end(inside, (divisor,), low, high) == high:
            return {(): plus(outside, (value_at(inside, low) // divisor,))}
        if len(inside) > 2:
            self._settle(inside, divisor)
        return {(): outside, (Floor(int(inside[1]), int(inside[0]), divisor),): (1,)}

    def _settle(self, numerator: Polynomial, divisor: int) -> None:
        """Parts the stretch so that a floor is one number, or a polynomial, on each part."""
        low, high = self.stretch.low, self.stretch.high
        number = jumps(numerator, divisor, low, high)
        turn = divisor // math.gcd(divisor, *(int(factor) for factor in numerator[1:]))
        if number > FEW_JUMPS and self.stretch.turn * turn <= MOST_CLASSES and turn <= high - low:
            raise _Parted(self.stretch.classes(turn))
        if number > MOST_JUMPS:
            raise Unsummed
        self._plateau(numerator, (divisor,))

    def _plateau(self, numerator: Polynomial, denominator: Polynomial) -> int:
        """The one value of a floor on the stretch, which is cut at the jumps if it has several."""
        starts: list[int] = []
        start, high = self.stretch.low, self.stretch.high
        while (end := plateau_end(numerator, denominator, start, high)) < high:
            start = end + 1
            starts.append(start)
            if len(starts) > MOST_JUMPS:
                raise Unsummed
        if starts:
            raise _Parted(self.stretch.cut(starts))
        return int(value_at(numerator, high) // value_at(denominator, high))

    def _rising(self, atom: Interned) -> int:
        """The one value of any other atom, if it never falls; the stretch is cut where it rises."""
        values: dict[int, int] = {}

        def value(x: int) -> int:
            if x not in values:
                values[x] = int(atom.evaluate({self.name: self.stretch.turn * x + self.stretch.rest}))
            return values[x]

        low, high = self.stretch.low, self.stretch.high
        if low == high:
            return value(low)
        if not atom.rises(self.name) or min(value(high) - value(low), high - low) > FEW_RISES:
            raise Unsummed
        starts: list[int] = []
        start = low
        while value(start) != value(high):
            below = max(x for x in values if values[x] == values[start])
            above = min(x for x in values if x > below)
            while above - below > 1:
                middle = (below + above) // 2
                below, above = (middle, above) if value(middle) == value(start) else (below, middle)
            start = above
            starts.append(start)
            if len(values) > MOST_VALUES:
                raise Unsummed
        if starts:
            raise _Parted(self.stretch.cut(starts))
        return value(low)
