"""Symbolic whole numbers: sizes, coordinates and costs in one normal form.

A `Size` is a polynomial with rational coefficients over *atoms*.  An atom is a name (a size variable, an iterator, a
numeric bound while running), a floored quotient, a least or greatest of several sizes, a choice by a condition, or an
explicit sum.  Two sizes that are equal as polynomials over their atoms are equal as Python objects, which is how
the checker sees that (j-1)+1+(n-j) is n.  Coordinates are never floats: a quotient stays exact until it is floored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from tolang.ground.faults import fault

if TYPE_CHECKING:
    from tolang.ground.conditions import Condition

Rational: TypeAlias = int | Fraction
Atom: TypeAlias = "str | Quotient | Extremum | Choice | Sum | Opaque"
Monomial: TypeAlias = "tuple[Atom, ...]"
Values = Mapping[str, Any]
"""Names and what they stand for while evaluating: whole numbers, or NumPy arrays of them."""

NOWHERE = -(1 << 50)
"""A quotient by zero among many, most of which may be right: outside every shape, and its small multiples too."""


def _whole(value: Rational) -> Rational:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def atom_key(atom: Atom) -> tuple[int, str]:
    return (0, atom) if isinstance(atom, str) else (1, str(atom))


class Size:
    """A polynomial in normal form; immutable, hashable, with the arithmetic of whole numbers."""

    __slots__ = ("_hash", "_weight", "terms")

    def __init__(self, terms: Mapping[Monomial, Rational]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._weight: int | None = None

    @staticmethod
    def of(value: SizeLike) -> Size:
        if isinstance(value, Size):
            return value
        if isinstance(value, str):
            return Size({(value,): 1})
        if isinstance(value, Fraction):
            value = _whole(value)
        return Size({(): value}) if value else ZERO

    @staticmethod
    def atom(atom: Atom) -> Size:
        return Size({(atom,): 1})

    @property
    def constant(self) -> Rational | None:
        """The number this is, if it has no atoms."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and () in self.terms:
            return self.terms[()]
        return None

    @property
    def weight(self) -> int:
        """How much there is to write: the names and numbers in it, those inside quotients and choices too."""
        if self._weight is None:
            atoms = (atom for monomial in self.terms for atom in monomial)
            inner = sum(1 if isinstance(atom, str) else sum(part.weight for part in atom.parts()) for atom in atoms)
            self._weight = len(self.terms) + inner
        return self._weight

    def is_constant(self, value: int) -> bool:
        return self.constant == value

    def names(self) -> frozenset[str]:
        """Every name that occurs, inside quotients and choices too."""
        found: set[str] = set()
        for monomial in self.terms:
            for atom in monomial:
                if isinstance(atom, str):
                    found.add(atom)
                else:
                    found |= atom.names()
        return frozenset(found)

    def __add__(self, other: SizeLike) -> Size:
        other = Size.of(other)
        if not other.terms:
            return self
        if not self.terms:
            return other
        result = dict(self.terms)
        for monomial, factor in other.terms.items():
            total = _whole(result.get(monomial, 0) + factor)
            if total:
                result[monomial] = total
            else:
                del result[monomial]
        return Size(result)

    __radd__ = __add__

    def __neg__(self) -> Size:
        return Size({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: SizeLike) -> Size:
        return self + (-Size.of(other))

    def __rsub__(self, other: SizeLike) -> Size:
        return Size.of(other) + (-self)

    def __mul__(self, other: SizeLike) -> Size:
        other = Size.of(other)
        result: dict[Monomial, Rational] = {}
        for one, c in self.terms.items():
            for two, d in other.terms.items():
                monomial = tuple(sorted(one + two, key=atom_key)) if one and two else one or two
                total = _whole(result.get(monomial, 0) + c * d)
                if total:
                    result[monomial] = total
                else:
                    result.pop(monomial, None)
        return Size(result)

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Size:
        result = ONE
        for _ in range(exponent):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return self.constant == other
        return isinstance(other, Size) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def substitute(self, values: Mapping[str, Size]) -> Size:
        """The size with names replaced."""
        if not self.terms or not (self.names() & values.keys()):
            return self
        total = ZERO
        for monomial, factor in self.terms.items():
            product = Size.of(factor)
            for atom in monomial:
                if isinstance(atom, str):
                    product = product * values.get(atom, Size.atom(atom))
                else:
                    product = product * atom.substitute(values)
            total = total + product
        return total

    def evaluate(self, values: Values) -> Any:
        """The number at given names: exact for whole numbers, element by element for NumPy arrays."""
        total: Any = 0
        for monomial, factor in self.terms.items():
            product: Any = factor
            for atom in monomial:
                product = product * (values[atom] if isinstance(atom, str) else atom.evaluate(values))
            total = total + product
        return _whole(total) if isinstance(total, Fraction) else total

    def split(self, name: str) -> tuple[Size, Size] | None:
        """Slope and rest where the size is `slope*name + rest`, both free of the name; None where it is not affine."""
        slope: dict[Monomial, Rational] = {}
        rest: dict[Monomial, Rational] = {}
        for monomial, factor in self.terms.items():
            count = sum(1 for atom in monomial if atom == name)
            if any(not isinstance(a, str) and name in a.names() for a in monomial) or count > 1:
                return None
            if count:
                slope[tuple(a for a in monomial if a != name)] = factor
            else:
                rest[monomial] = factor
        return Size(slope), Size(rest)

    @property
    def denominator(self) -> int:
        return math.lcm(*(c.denominator for c in self.terms.values())) if self.terms else 1

    def __str__(self) -> str:
        from tolang.ground.notation import render

        return render(self)

    def __repr__(self) -> str:
        return f"Size({self})"


SizeLike: TypeAlias = Size | int | Fraction | str
ZERO = Size({})
ONE = Size({(): 1})


@dataclass(frozen=True, slots=True)
class Quotient:
    """The floor of one size over another."""

    numerator: Size
    denominator: Size

    def parts(self) -> tuple[Size, ...]:
        return self.numerator, self.denominator

    def names(self) -> frozenset[str]:
        return self.numerator.names() | self.denominator.names()

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return floor_division(self.numerator.substitute(values), self.denominator.substitute(values))

    def evaluate(self, values: Values) -> Any:
        numerator, denominator = self.numerator.evaluate(values), self.denominator.evaluate(values)
        if isinstance(denominator, (int, Fraction)):
            if not denominator:
                raise fault("E506", "a length or coordinate is divided by zero")
            return numerator // denominator
        import numpy as np

        missing = denominator == 0
        return np.where(missing, NOWHERE, numerator // np.where(missing, 1, denominator))

    def __str__(self) -> str:
        from tolang.ground.notation import grouped

        return f"floor({grouped(self.numerator)}/{grouped(self.denominator)})"


@dataclass(frozen=True, slots=True)
class Extremum:
    """The least (`min`) or greatest (`max`) of several sizes."""

    kind: str
    sizes: tuple[Size, ...]

    def parts(self) -> tuple[Size, ...]:
        return self.sizes

    def names(self) -> frozenset[str]:
        return frozenset().union(*(s.names() for s in self.sizes))

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return extremum(self.kind, [s.substitute(values) for s in self.sizes])

    def evaluate(self, values: Values) -> Any:
        numbers = [s.evaluate(values) for s in self.sizes]
        if all(isinstance(n, (int, Fraction)) for n in numbers):
            return min(numbers) if self.kind == "min" else max(numbers)
        import numpy as np

        combine = np.minimum if self.kind == "min" else np.maximum
        result = numbers[0]
        for number in numbers[1:]:
            result = combine(result, number)
        return result

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(str(s) for s in self.sizes)})"


@dataclass(frozen=True, slots=True)
class Choice:
    """One size where a condition holds, another where it does not."""

    condition: Condition
    then: Size
    otherwise: Size

    def parts(self) -> tuple[Size, ...]:
        return self.then, self.otherwise, *(one.size for one in self.condition.walk() if one.size is not None)

    def names(self) -> frozenset[str]:
        return self.condition.names() | self.then.names() | self.otherwise.names()

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return choice(
            self.condition.substitute(values), self.then.substitute(values), self.otherwise.substitute(values)
        )

    def evaluate(self, values: Values) -> Any:
        truth = self.condition.evaluate(values)
        if isinstance(truth, bool):
            return (self.then if truth else self.otherwise).evaluate(values)
        import numpy as np

        return np.where(truth, self.then.evaluate(values), self.otherwise.evaluate(values))

    def __str__(self) -> str:
        return f"(if {self.condition} then {self.then} else {self.otherwise})"


class Opaque:
    """An atom of which only this is known here: readings of the core may put their own into sizes."""

    __slots__ = ()

    def names(self) -> frozenset[str]:
        raise NotImplementedError

    def parts(self) -> tuple[Size, ...]:
        raise NotImplementedError

    def substitute(self, values: Mapping[str, Size]) -> Size:
        raise NotImplementedError

    def evaluate(self, values: Values) -> Any:
        raise NotImplementedError


_STRETCH = 1 << 16


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of `body` for a name from 1 to `upper`, kept where no closed form is known."""

    name: str
    upper: Size
    body: Size

    def parts(self) -> tuple[Size, ...]:
        return self.upper, self.body

    def names(self) -> frozenset[str]:
        return self.upper.names() | (self.body.names() - {self.name})

    def substitute(self, values: Mapping[str, Size]) -> Size:
        inner = {k: v for k, v in values.items() if k != self.name}
        return sum_over(self.body.substitute(inner), self.name, self.upper.substitute(values))

    def evaluate(self, values: Values) -> Any:
        """The number, exact: whole numbers of any size in NumPy's object arrays, a stretch of the name at a time."""
        import numpy as np

        used = {name: values[name] for name in self.names()}
        if any(isinstance(value, np.ndarray) and value.ndim for value in used.values()):
            names = list(used)
            rows = np.broadcast_arrays(*(np.asarray(used[name]) for name in names))
            points = zip(*(row.ravel().tolist() for row in rows), strict=True)
            results = [self.evaluate(dict(zip(names, point, strict=True))) for point in points]
            return np.array(results, dtype=object).reshape(rows[0].shape)
        total: Any = 0
        upper = int(self.upper.evaluate(used))
        for start in range(1, upper + 1, _STRETCH):
            positions = np.arange(start, min(start + _STRETCH, upper + 1)).astype(object)
            found = self.body.evaluate({**used, self.name: positions})
            total += sum(np.broadcast_to(np.asarray(found, dtype=object), positions.shape).tolist())
        return total

    def __str__(self) -> str:
        return f"sum({self.name}=1..{self.upper}, {self.body})"


def floor_division(numerator: Size, denominator: Size) -> Size:
    """The floor of a quotient, what divides evenly taken out of the floor."""
    scale = math.lcm(numerator.denominator, denominator.denominator)
    numerator, denominator = numerator * scale, denominator * scale
    if denominator.constant == 0:
        raise ZeroDivisionError("a length or coordinate is divided by zero")
    if denominator.constant is not None and denominator.constant < 0:
        numerator, denominator = -numerator, -denominator
    if numerator == denominator:
        return ONE
    outside, inside = _divide_terms(numerator, denominator)
    if not inside.terms:
        return outside
    if denominator.is_constant(1):
        return outside + inside
    common = math.gcd(*(int(c) for c in (*inside.terms.values(), *denominator.terms.values())))
    if common > 1:
        inside, denominator = inside * Fraction(1, common), denominator * Fraction(1, common)
    if inside.constant is not None and denominator.constant is not None:
        return outside + int(inside.constant // denominator.constant)
    return outside + Size.atom(Quotient(inside, denominator))


def _divide_terms(numerator: Size, denominator: Size) -> tuple[Size, Size]:
    """Whole multiples of the denominator among the numerator's terms, and the rest.

    A constant divisor takes the whole part of every coefficient; a single term takes the terms it divides; any
    other divisor is taken out where the numerator is a whole multiple of it.
    """
    if len(denominator.terms) > 1:
        lead, factor = next(iter(denominator.terms.items()))
        multiple = numerator.terms.get(lead, 0) // factor
        if multiple and (numerator - denominator * multiple).terms == {}:
            return Size.of(multiple), ZERO
        return ZERO, numerator
    divisor, factor = next(iter(denominator.terms.items()))
    outside: dict[Monomial, Rational] = {}
    inside: dict[Monomial, Rational] = {}
    for monomial, coefficient in numerator.terms.items():
        left = _without(monomial, divisor)
        if left is None:
            inside[monomial] = coefficient
            continue
        whole, rest = divmod(coefficient, factor)
        if whole:
            outside[left] = whole
        if rest:
            inside[monomial] = rest
    return Size(outside), Size(inside)


def _without(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    left = list(monomial)
    for atom in divisor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def extremum(kind: str, sizes: Iterable[Size]) -> Size:
    """The least or greatest of sizes; constants are folded and equal ones merged."""
    constant: Rational | None = None
    kept: dict[Size, None] = {}
    for size in sizes:
        value = size.constant
        if value is not None:
            constant = value if constant is None else min(constant, value) if kind == "min" else max(constant, value)
        else:
            kept[size] = None
    if constant is not None:
        kept[Size.of(constant)] = None
    if len(kept) == 1:
        return next(iter(kept))
    return Size.atom(Extremum(kind, tuple(sorted(kept, key=str))))


def choice(condition: Condition, then: Size, otherwise: Size) -> Size:
    if condition.constant is not None:
        return then if condition.constant else otherwise
    if condition.kind == "not":
        return choice(condition.parts[0], otherwise, then)
    if then == otherwise or _equal_where_zero(condition, then - otherwise):
        return otherwise
    return Size.atom(Choice(condition, then, otherwise))


def _equal_where_zero(condition: Condition, difference: Size) -> bool:
    """Whether a difference is 0 where the condition holds: `if n == 1 then 1 else n` is n."""
    zero = condition.size
    if condition.kind != "zero" or zero is None or difference.terms.keys() != zero.terms.keys():
        return False
    monomial = next(iter(zero.terms))
    return difference * zero.terms[monomial] == zero * difference.terms[monomial]


def sum_over(body: Size, name: str, upper: Size) -> Size:
    """The sum of a size for a name running from 1 to `upper`: closed where polynomial in the name, else a `Sum`."""
    if name not in body.names():
        return body * upper
    total = ZERO
    for monomial, factor in body.terms.items():
        moving = tuple(a for a in monomial if a == name or (not isinstance(a, str) and name in a.names()))
        still = Size({tuple(a for a in monomial if a not in moving): factor})
        if all(a == name for a in moving):
            total = total + still * _power_sum(len(moving), upper)
        else:
            total = total + still * _open_sum(moving, name, upper)
    return total


def _open_sum(moving: Monomial, name: str, upper: Size) -> Size:
    """The sum of a product that is no power of the name; a case distinction that does not depend on it goes outside."""
    for position, atom in enumerate(moving):
        if isinstance(atom, Choice) and name not in atom.condition.names():
            rest = Size({moving[:position] + moving[position + 1 :]: 1})
            branches = (sum_over(branch * rest, name, upper) for branch in (atom.then, atom.otherwise))
            return choice(atom.condition, *branches)
    return Size.atom(Sum(name, upper, Size({moving: 1})))


_BERNOULLI: list[Fraction] = [Fraction(1)]


def _bernoulli(index: int) -> Fraction:
    """Bernoulli numbers with B1 = +1/2, for the sums of powers."""
    while len(_BERNOULLI) <= index:
        m = len(_BERNOULLI)
        _BERNOULLI.append(-sum((math.comb(m + 1, k) * _BERNOULLI[k] for k in range(m)), Fraction(0)) / (m + 1))
    return Fraction(1, 2) if index == 1 else _BERNOULLI[index]


def _power_sum(power: int, upper: Size) -> Size:
    """1^p + 2^p + … + upper^p, by Faulhaber's formula."""
    total = ZERO
    for k in range(power + 1):
        factor = Fraction(math.comb(power + 1, k), power + 1) * _bernoulli(k)
        if factor:
            total = total + upper ** (power + 1 - k) * factor
    return total
