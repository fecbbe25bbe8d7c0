"""Amounts as people read them: counts and bytes with units, EOPs a byte, and how they grow."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Choice
from tolang.ground.symbolic.sizes import Atom, Extremum, Quotient, Size
from tolang.ground.symbolic.sums import Sum, Utmost
from tolang.readings.cost.formula import AtMost, Formula, amount_of, factored
from tolang.readings.cost.naming import has_iterators

Amount = Formula | int
"""A number, or a formula where sizes are not given."""

BALANCE = 10
"""EOPs for each byte from which on arithmetic, not memory, bounds a program: about what a core of today does while
it reads a byte."""

_COUNTS = (("P", 10**15), ("T", 10**12), ("G", 10**9), ("M", 10**6), ("k", 10**3))


def count_text(count: int, what: str = "EOPs") -> str:
    """A number of EOPs: exact where it is short, else with a unit."""
    for unit, size in _COUNTS[:-1]:
        if count >= size:
            return f"{count / size:.3g} {unit}{what}"
    return f"{count} {what}"


@dataclass(frozen=True, slots=True)
class Intensity:
    """EOPs for each byte moved."""

    eops: Amount
    bytes: Amount

    def __float__(self) -> float:
        if not isinstance(self.eops, int) or not isinstance(self.bytes, int):
            raise TypeError("an intensity is a number once all sizes are given")
        return float(Fraction(self.eops, self.bytes)) if self.bytes else float("inf") if self.eops else 0.0

    @property
    def is_number(self) -> bool:
        return isinstance(self.eops, int) and isinstance(self.bytes, int)

    @property
    def growth(self) -> int:
        """The power with which it grows when all sizes grow alike."""
        return degree(Size.of(self.eops)) - degree(Size.of(self.bytes))

    @property
    def bound(self) -> str:
        """`arithmetic` or `memory`: at the sizes given, or, where some are not, as all of them grow."""
        if self.is_number:
            return "arithmetic" if float(self) >= BALANCE else "memory"
        if self.growth:
            return "arithmetic" if self.growth > 0 else "memory"
        return "arithmetic" if self._limit() >= BALANCE else "memory"

    def _limit(self) -> float:
        """What it tends to as all sizes grow alike, from a size large enough to show it."""
        eops, moved = (_at(Size.of(one), 10**6) for one in (self.eops, self.bytes))
        return float(Fraction(eops, moved)) if eops is not None and moved else math.inf

    @property
    def _standing(self) -> str:
        """What is said before a number that is not exact."""
        if not isinstance(self.bytes, AtMost):
            return "at most " if self.is_bound else ""
        return "by bounds " if isinstance(self.eops, AtMost) else "at least "

    def sympy(self) -> Any:
        return Formula(Size.of(self.eops)).sympy() / Formula(Size.of(self.bytes)).sympy()

    def data(self) -> float | str:
        return float(self) if self.is_number else str(self)

    @property
    def is_bound(self) -> bool:
        """Whether it is known only not to be exceeded: the EOPs are bounded, the bytes exact."""
        return isinstance(self.eops, AtMost) and not isinstance(self.bytes, AtMost)

    def __str__(self) -> str:
        if self.is_number:
            return f"{self._standing}{float(self):.3g}"
        top, bottom = Size.of(self.eops), Size.of(self.bytes)
        if not top.terms:
            return "0"
        return fraction_text(*reduced(top, bottom))


def _grouped(text: str, loose: str) -> str:
    """The text in parentheses where one of some signs stands in it outside of parentheses."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and sign in loose:
            return f"({text})"
    return text


def reduced(top: Size, bottom: Size) -> tuple[Size, Size]:
    """Two sizes in the same proportion without a factor that both have, as far as one is seen; sizes are not zero."""
    (content, atoms, factors), (below, others, divisors) = factored(top), factored(bottom)
    above, under = list(atoms), list(others)
    for atom in atoms:
        if atom in under:
            above.remove(atom)
            under.remove(atom)
    for factor in list(factors):
        if factor in divisors:
            factors.remove(factor)
            divisors.remove(factor)
    proportion = Fraction(content) / Fraction(below)
    return (
        math.prod(factors, start=Size({tuple(above): proportion.numerator})),
        math.prod(divisors, start=Size({tuple(under): proportion.denominator})),
    )


def fraction_text(top: Size, bottom: Size) -> str:
    """A quotient as it is written; what is divided by 1 stands alone."""
    numerator, denominator = str(Formula(top)), str(Formula(bottom))
    if denominator == "1":
        return numerator
    return f"{_grouped(numerator, '+ ')}/{_grouped(denominator, '*+ ')}"


def _at(size: Size, value: int) -> int | None:
    """A size with all names at one value; None where it is no number."""
    amount = amount_of(size.substitute({name: Size.of(value) for name in size.names()}))
    return amount if isinstance(amount, int) else None


def degree(size: Size) -> int:
    """The power with which a size grows when all names in it grow alike.

    Sums may take from each other what grows most, so where there are some, two large values tell.
    """
    if has_iterators(size):
        few, many = (_at(size, value) for value in (10**6, 10**9))
        if few is not None and many is not None and few > 0 and many > 0:
            return round((math.log10(many) - math.log10(few)) / 3)
    return max((sum(_degree(atom) for atom in monomial) for monomial in size.terms), default=0)


def _degree(atom: Atom) -> int:
    match atom:
        case str():
            return 1
        case Quotient(numerator=numerator, denominator=denominator):
            return max(0, degree(numerator) - degree(denominator))
        case Extremum(kind=kind, sizes=sizes):
            return (min if kind == "min" else max)(degree(size) for size in sizes)
        case Choice(then=then, otherwise=otherwise):
            return max(degree(then), degree(otherwise))
        case Sum(upper=upper, body=body):
            return degree(upper) + degree(body)
        case Utmost(body=body):
            return degree(body)
    return 0
