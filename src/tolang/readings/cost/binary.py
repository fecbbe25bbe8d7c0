"""Whole logarithms to the base 2 and whole powers of 2, as atoms of sizes, and the sums of such logarithms.

A binary search among i elements takes about log2(i) steps, and a sort makes one for each i.  The sum of ceil(log2(i))
over i = 1..n is n*d - 2^d + 1 with d = ceil(log2(n)): it counts, for each k below d, those i that are above 2^k.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.interning import Values
from tolang.ground.symbolic.enclosure import Unbounded, enclosed
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, Interned, Size, extremum
from tolang.readings.interpret.machine import FARTHEST, NO_NUMBER

LARGEST_EXPONENT = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Logarithm(Interned):
    """The floor of the logarithm of a size to the base 2."""

    size: Size

    def _grows(self) -> int:
        return 0

    def parts(self) -> tuple[Size, ...]:
        return (self.size,)

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return logarithm(self.size.substitute(values))

    def evaluate(self, values: Values) -> Any:
        return _elementwise(_logarithm_of, self.size.evaluate(values))

    def rises(self, name: str) -> bool:
        split = self.size.split(name)
        return split is not None and isinstance(split[0].constant, int) and split[0].constant > 0

    def enclosed(self, box: Mapping[str, tuple[Any, Any]]) -> tuple[Any, Any]:
        low, high = enclosed(self.size, box)
        if low < 1:
            raise Unbounded
        return _logarithm_of(math.floor(low)), _logarithm_of(math.floor(high))

    def written(self) -> str:
        half = (self.size + 1) * Fraction(1, 2)
        if half.denominator == 1:
            return f"ceil(log({half}, 2))"
        return f"floor(log({self.size}, 2))"

    def summed(self, name: str, upper: Size) -> Size | None:
        """Of log2(2*(i + k) - 1), which is log2(i + k) rounded up, and of log2(i + k)."""
        split = self.size.split(name)
        slope, shift = (None, None) if split is None else (split[0].constant, split[1].constant)
        if not isinstance(shift, int) or slope not in (1, 2):
            return None
        if slope == 2 and shift % 2 and shift >= -1:
            before = (shift + 1) // 2
            return _sum_of_ceilings(upper + before) - _sum_of_ceilings(Size.of(before))
        if slope == 1 and shift >= 0:
            return _sum_of_floors(upper + shift) - _sum_of_floors(Size.of(shift))
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Power(Interned):
    """2 to the power of a size, floored where that is below 0."""

    exponent: Size

    def _grows(self) -> int:
        return 1

    def parts(self) -> tuple[Size, ...]:
        return (self.exponent,)

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return power(self.exponent.substitute(values))

    def evaluate(self, values: Values) -> Any:
        return _elementwise(_power_of, self.exponent.evaluate(values))

    def rises(self, name: str) -> bool:
        split = self.exponent.split(name)
        return split is not None and isinstance(split[0].constant, int) and split[0].constant > 0

    def enclosed(self, box: Mapping[str, tuple[Any, Any]]) -> tuple[Any, Any]:
        low, high = (_power_of(math.floor(one)) for one in enclosed(self.exponent, box))
        return low, high

    def multiplied(self, other: Interned, name: str, upper: Size) -> Size | None:
        """The power of both exponents, where neither is ever below 0."""
        if not isinstance(other, Power):
            return None
        whole = all(_never_negative(one.exponent, name, upper) for one in (self, other))
        return power(self.exponent + other.exponent) if whole else None

    def written(self) -> str:
        (monomial, factor), *others = self.exponent.terms.items()
        alone = not others and len(monomial) == 1 and factor == 1
        return f"2^{self.exponent}" if alone else f"2^({self.exponent})"


def logarithm(size: Size) -> Size:
    """The floor of log2 of a size, a number where that is known."""
    number = size.constant
    if isinstance(number, int):
        return Size.of(_logarithm_of(number))
    only = next(iter(size.terms)) if len(size.terms) == 1 else ()
    if len(only) == 1 and isinstance(only[0], Power) and size.terms[only] == 1:
        return only[0].exponent
    return Size.atom(Logarithm(size))


def power(exponent: Size) -> Size:
    """2 to the power of a size, a number where that is known."""
    number = exponent.constant
    return Size.of(_power_of(number)) if isinstance(number, int) else Size.atom(Power(exponent))


def _sum_of_ceilings(last: Size) -> Size:
    """The sum of ceil(log2(i)) for i from 1 to some last one, which may be 0."""
    digits = logarithm(_at_least_one(last) * 2 - 1)
    return last * digits - power(digits) + 1


def _sum_of_floors(last: Size) -> Size:
    """The sum of floor(log2(i)) for i from 1 to some last one, which may be 0."""
    digits = logarithm(_at_least_one(last))
    return (_at_least_one(last) + 1) * digits - power(digits) * 2 + 2


def _never_negative(size: Size, name: str, upper: Size) -> bool:
    """Whether a size that is affine in a name is not below 0 where it is least, at one end of the name's range."""
    split = size.split(name)
    slope = None if split is None else split[0].constant
    if slope is None:
        return False
    least = size.substitute({name: ONE if slope > 0 else upper})
    return Ranges().proves_nonnegative(_by_names(least, {}))


def _by_names(size: Size, known: dict[Interned, str]) -> Size:
    """A size with names in the place of logarithms, of which bounds know nothing else."""
    total = Size.of(0)
    for monomial, factor in size.terms.items():
        product = Size.of(factor)
        for atom in monomial:
            if isinstance(atom, Logarithm):
                product = product * Size.of(known.setdefault(atom, f"#{len(known)}"))
            elif isinstance(atom, str):
                product = product * Size.of(atom)
            else:
                product = product * Size.atom(atom.changed(lambda inner: _by_names(inner, known)))
        total = total + product
    return total


def _at_least_one(size: Size) -> Size:
    number = size.constant
    if isinstance(number, int):
        return Size.of(max(number, 1))
    plain = size.is_plain and all(factor > 0 for factor in size.terms.values())
    return size if plain and () in size.terms else extremum("max", [size, ONE])


def _logarithm_of(number: int) -> int:
    if number < 1:
        return -FARTHEST if number == 0 else NO_NUMBER
    return int(number).bit_length() - 1


def _power_of(exponent: int) -> int:
    if exponent > LARGEST_EXPONENT:
        return FARTHEST
    return 1 << int(exponent) if exponent >= 0 else 0


def _elementwise(function: Any, numbers: Any) -> Any:
    """A function of a whole number, or of each of an array."""
    import numpy as np

    if not isinstance(numbers, np.ndarray):
        return function(int(numbers))
    return np.array([function(int(one)) for one in numbers.ravel().tolist()], dtype=object).reshape(numbers.shape)
