"""Sums over a name, and greatest and least values: closed where the body is simple enough, else atoms of their own.

What has no closed form stays as it is written, which is how people read it; at given sizes its value is found by
`summing` without going through the range.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import prod
from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.interning import growth_of
from tolang.ground.symbolic.conditions import Choice, choice
from tolang.ground.symbolic.iterated import Iterated, Unsummed
from tolang.ground.symbolic.power_sums import power_sum
from tolang.ground.symbolic.sizes import ONE, ZERO, Extremum, Interned, Monomial, Rational, Size, extremum
from tolang.ground.symbolic.summing import total_of, utmost_of

MOST_TERMS = 8
"""How many terms of a sum are added one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Sum(Iterated):
    """The sum of `body` for a name from 1 to `upper`, kept where no closed form is known."""

    name: str
    upper: Size
    body: Size

    def _grows(self) -> int:
        return growth_of(self.upper) + growth_of(self.body)

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return sum_over(self.body.substitute(self.inside(values)), self.name, self.upper.substitute(values))

    def found(self) -> Rational:
        return total_of(self)

    def together(self, values: list[Any]) -> Any:
        return sum(values)

    def written(self) -> str:
        return f"sum({self.name}=1..{self.upper}, {self.body})"


@dataclass(frozen=True, slots=True, eq=False)
class Utmost(Iterated):
    """The greatest (`max`) or least (`min`) of `body` for a name from 1 to `upper`, which is at least 1."""

    kind: str
    name: str
    upper: Size
    body: Size

    def _grows(self) -> int:
        return growth_of(self.body)

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return utmost(self.kind, self.body.substitute(self.inside(values)), self.name, self.upper.substitute(values))

    def found(self) -> Rational:
        return utmost_of(self)

    @property
    def extreme(self) -> str:
        return self.kind

    def together(self, values: list[Any]) -> Any:
        return max(values) if self.kind == "max" else min(values)

    def least_length(self, upper: int) -> int:
        return max(1, upper)

    def written(self) -> str:
        return f"{self.kind}({self.name}=1..{self.upper}, {self.body})"


def utmost(kind: str, body: Size, name: str, upper: Size) -> Size:
    """The greatest or least value of a size for a name from 1 to `upper`: a number where it is found to be one.

    What does not move stands outside.
    """
    still: dict[Monomial, Rational] = {}
    moving: dict[Monomial, Rational] = {}
    for monomial, factor in body.terms.items():
        moves = any(a == name or (not isinstance(a, str) and name in a.names()) for a in monomial)
        product = _multiplied(monomial, name, upper) if moves else None
        if product is not None:
            return utmost(kind, body + (product - Size({monomial: 1})) * factor, name, upper)
        (moving if moves else still)[monomial] = factor
    if not moving:
        return body
    scale = Size(moving).denominator
    atom = Utmost(kind, name, upper, Size(moving) * scale)
    found = Size.atom(atom)
    if not atom.names():
        with suppress(Unsummed):
            found = Size.of(atom.found())
    return Size(still) + found * Fraction(1, scale)


def sum_over(body: Size, name: str, upper: Size) -> Size:
    """The sum of a size for a name running from 1 to `upper`: closed where polynomial in the name, else a `Sum`."""
    if name not in body.names():
        return body * upper
    total = ZERO
    for monomial, factor in body.terms.items():
        moving = tuple(a for a in monomial if a == name or (not isinstance(a, str) and name in a.names()))
        still = Size({tuple(a for a in monomial if a not in moving): factor})
        if all(a == name for a in moving):
            total = total + still * power_sum(len(moving), upper)
        else:
            total = total + still * _open_sum(moving, name, upper)
    return total


def _open_sum(moving: Monomial, name: str, upper: Size) -> Size:
    """The sum of a product that is no power of the name; a case distinction that does not depend on it goes outside.

    Logarithms to the base 2 are added in closed form, and a few terms one by one, if all of them are there: a quotient
    by zero is an error of the program, which running it tells.
    """
    few = upper.constant
    if isinstance(few, int) and 0 <= few <= MOST_TERMS:
        with suppress(ZeroDivisionError):
            terms = [Size({moving: 1}).substitute({name: Size.of(k)}) for k in range(1, few + 1)]
            return reduce(operator.add, terms, ZERO)
    for position, atom in enumerate(moving):
        if isinstance(atom, Choice) and name not in atom.condition.names():
            rest = Size({moving[:position] + moving[position + 1 :]: 1})
            branches = (sum_over(branch * rest, name, upper) for branch in (atom.then, atom.otherwise))
            return choice(atom.condition, *branches)
    normal = [None if isinstance(atom, str) else atom.normal() for atom in moving]
    if any(one is not None for one in normal):
        pairs = zip(moving, normal, strict=True)
        return sum_over(prod((one or Size({(atom,): 1}) for atom, one in pairs), start=ONE), name, upper)
    product = _multiplied(moving, name, upper)
    if product is not None:
        return sum_over(product, name, upper)
    only = moving[0] if len(moving) == 1 else name
    found = None if isinstance(only, str) else only.summed(name, upper)
    return Size.atom(Sum(name, upper, Size({moving: 1}))) if found is None else found


def _multiplied(atoms: Monomial, name: str, upper: Size) -> Size | None:
    """A product of which two atoms are one together while a name runs; None where there are no such two."""
    for first, second in combinations((atom for atom in atoms if not isinstance(atom, str)), 2):
        product = first.multiplied(second, name, upper)
        if product is not None:
            others = list(atoms)
            others.remove(first)
            others.remove(second)
            return product * Size({tuple(others): 1})
    return None


def normalised(size: Size) -> Size:
    """A count by atoms of which sums are known, wherever it has others: what is the same number is then one atom."""
    return _Normalising().size(size)


class _Normalising:
    """Each atom is looked at once."""

    def __init__(self) -> None:
        self.done: dict[Interned, Size] = {}

    def size(self, size: Size) -> Size:
        total = ZERO
        for monomial, factor in size.terms.items():
            atoms = (Size.of(atom) if isinstance(atom, str) else self._atom(atom) for atom in monomial)
            total = total + prod(atoms, start=ONE) * factor
        return total

    def _atom(self, atom: Interned) -> Size:
        if atom not in self.done:
            self.done[atom] = self._found(atom)
        return self.done[atom]

    def _found(self, atom: Interned) -> Size:
        if isinstance(atom, Sum):
            return sum_over(self.size(atom.body), atom.name, self.size(atom.upper))
        if isinstance(atom, Utmost):
            return utmost(atom.kind, self.size(atom.body), atom.name, self.size(atom.upper))
        if isinstance(atom, Extremum):
            return extremum(atom.kind, [self.size(one) for one in atom.sizes])
        normal = atom.normal()
        return Size.atom(atom.changed(self.size)) if normal is None else normal
