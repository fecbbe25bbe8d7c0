"""Costs as users read them: formulas of sizes, written as products where they are products.

A `Formula` is a `Size` with names that can be written again, `(m - 1)*(n - 1)` where the normal form is
`m*n - m - n + 1`, and a way out to sympy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from tolang.ground.reporting.diagnostics import usage
from tolang.ground.symbolic.conditions import Choice, Condition, choice
from tolang.ground.symbolic.enclosure import Unbounded, number_or_bounds
from tolang.ground.symbolic.sizes import ONE, Atom, Extremum, Monomial, Quotient, Rational, Size, render, with_atom
from tolang.ground.symbolic.sums import Sum, Utmost
from tolang.readings.cost.binary import Logarithm, Power
from tolang.readings.cost.naming import shown_size
from tolang.readings.cost.static import Static, sympy_of_static

MOST_TERMS = 64
"""Sums of more terms than this are written as they are: looking for factors takes time, and nobody would find them."""


class AtMost(int):
    """A number that is not exceeded, where the exact one is known only by running, or is not found in time."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"at most {int(self)}"

    __repr__ = __str__


class Formula(Size):
    """A cost in terms of sizes; equal to any `Size`, or whole number, that it is equal to."""

    __slots__ = ()

    def __init__(self, size: Size) -> None:
        super().__init__(size.terms)

    def __call__(self, **sizes: int) -> Any:
        """The number at given sizes, whole ones of at least 0; a `AtMost` where the exact one is not found in time."""
        for name, value in sizes.items():
            if not hasattr(value, "__index__") or value < 0:
                expected = "a whole number of at least 0"
                raise usage("E605", f"the size {name} is not a length", found=repr(value), expected=expected)
        return amount_of(self.substitute({name: Size.of(value) for name, value in sizes.items()}))

    def sympy(self) -> Any:
        """The formula as a sympy expression, its names being plain symbols."""
        return sympy_of(shown_size(self))

    def __str__(self) -> str:
        return product_text(shown_size(self))

    def __repr__(self) -> str:
        return f"Formula({self})"

    __hash__ = Size.__hash__


def amount_of(size: Size) -> Formula | int:
    """A number where the size is one, at least a bound of it where there is one, else a formula."""
    if size.names():
        return Formula(with_choices_merged(size))
    try:
        low, high = number_or_bounds(size)
    except Unbounded:
        return Formula(size)
    return int(low) if low == high else AtMost(math.floor(high))


def product_text(size: Size) -> str:
    """The size as a product of its factors."""
    content, monomial, factors = factored(size)
    if not factors:
        return render(size)
    outside = Size({monomial: content.numerator})
    parts = [] if outside == ONE else [render(outside)]
    texts = [render(factor) for factor in factors]
    if len(texts) == 1 and not parts and content == 1:
        return texts[0]
    text = "*".join([*parts, *(f"({text})" for text in sorted(texts))])
    return text if content.denominator == 1 else f"{text}/{content.denominator}"


def factored(size: Size) -> tuple[Rational, Monomial, list[Size]]:
    """A number, a product of atoms, and further factors whose product the size is."""
    if not size.terms or len(size.terms) > MOST_TERMS:
        return 1, (), [size]
    shared: list[Atom] = []
    monomials = [list(monomial) for monomial in size.terms]
    for atom in list(monomials[0]):
        if all(atom in monomial for monomial in monomials):
            shared.append(atom)
            for monomial in monomials:
                monomial.remove(atom)
    divisor = _common_factor(size.terms.values())
    rest = Size({tuple(m): _whole(c / divisor) for m, c in zip(monomials, size.terms.values(), strict=True)})
    factors: list[Size] = []
    for factor in [] if rest == ONE else _split(rest):
        content = _common_factor(factor.terms.values())
        divisor = divisor * content
        factors.append(factor * (1 / content))
    return _whole(divisor), tuple(shared), factors


def with_choices_merged(size: Size) -> Size:
    """The size with what depends on one condition brought together into one case distinction."""
    size = _settled(size)
    merged: dict[Condition, tuple[Size, Size]] = {}
    rest: dict[Monomial, Rational] = {}
    for monomial, factor in size.terms.items():
        only = monomial[0] if len(monomial) == 1 else None
        if isinstance(only, Choice):
            then, otherwise = merged.get(only.condition, (Size({}), Size({})))
            merged[only.condition] = (then + only.then * factor, otherwise + only.otherwise * factor)
        else:
            rest[monomial] = factor
    total = Size(rest)
    for condition, (then, otherwise) in merged.items():
        total = total + choice(condition, with_choices_merged(then), with_choices_merged(otherwise))
    return total


def _settled(size: Size) -> Size:
    """The size without case distinctions on a factor beside them: `n*(if n == 0 then 1 else m)` is m*n."""
    for monomial, factor in size.terms.items():
        for atom in monomial:
            if isinstance(atom, Choice) and atom.condition.kind == "zero" and atom.condition.size is not None:
                only = atom.condition.size.terms
                if len(only) == 1 and all(one in monomial for one in next(iter(only))):
                    term = Size({monomial: factor})
                    return _settled(size - term + with_atom(term, atom, atom.otherwise))
    return size


def _whole(value: Rational) -> Rational:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _common_factor(factors: Iterable[Rational]) -> Fraction:
    values = [Fraction(factor) for factor in factors]
    top = math.gcd(*(abs(value.numerator) for value in values))
    return Fraction(top, math.lcm(*(value.denominator for value in values)))


def _split(size: Size) -> list[Size]:
    """A sum as a product of sums, where an atom that it is affine in shows how."""
    if len(size.terms) < 4:
        return [size]
    for atom in dict.fromkeys(atom for monomial in size.terms for atom in monomial):
        slope: dict[Monomial, Rational] = {}
        rest: dict[Monomial, Rational] = {}
        for monomial, factor in size.terms.items():
            left = tuple(other for other in monomial if other != atom)
            (rest if len(left) == len(monomial) else slope)[left] = factor
            if len(monomial) - len(left) > 1:
                break
        else:
            quotient = divided(Size(rest), Size(slope))
            if quotient is not None and len(slope) > 1:
                return [Size.atom(atom) + quotient, *_split(Size(slope))]
    return [size]


def divided(numerator: Size, denominator: Size) -> Size | None:
    """The exact quotient of two polynomials in their atoms; None where one does not divide the other."""
    lead = max(denominator.terms, key=_order)
    quotient, rest = Size({}), numerator
    for _ in range(MOST_TERMS):
        if not rest.terms:
            return quotient
        top = max(rest.terms, key=_order)
        left = list(top)
        for atom in lead:
            if atom not in left:
                return None
            left.remove(atom)
        term = Size({tuple(left): _whole(Fraction(rest.terms[top]) / Fraction(denominator.terms[lead]))})
        quotient, rest = quotient + term, rest - term * denominator
    return None


def _order(monomial: Monomial) -> tuple[list[str], int]:
    return sorted((str(atom) for atom in monomial), reverse=True), len(monomial)


def sympy_of(size: Size) -> Any:
    """A size as a sympy expression."""
    import sympy

    total: Any = sympy.Integer(0)
    for monomial, factor in size.terms.items():
        product: Any = sympy.Rational(factor.numerator, factor.denominator)
        for atom in monomial:
            product = product * _sympy_of_atom(atom)
        total = total + product
    return total


def _sympy_of_atom(atom: Atom) -> Any:
    import sympy

    match atom:
        case str():
            return sympy.Symbol(atom)
        case Quotient(numerator=numerator, denominator=denominator):
            return sympy.floor(sympy_of(numerator) / sympy_of(denominator))
        case Extremum(kind=kind, sizes=sizes):
            return (sympy.Min if kind == "min" else sympy.Max)(*(sympy_of(size) for size in sizes))
        case Choice(condition=condition, then=then, otherwise=otherwise):
            holds = _sympy_of_condition(condition)
            return sympy.Piecewise((sympy_of(then), holds), (sympy_of(otherwise), True))
        case Sum(name=name, upper=upper, body=body):
            return sympy.Sum(sympy_of(body), (sympy.Symbol(name), 1, sympy_of(upper)))
        case Utmost(kind=kind, name=name, upper=upper, body=body):
            return sympy.Function(kind)(sympy_of(body), sympy.Symbol(name), sympy_of(upper))
        case Static():
            return sympy.floor(_sympy_before_floor(atom))
        case Logarithm(size=size):
            return sympy.floor(sympy.log(sympy_of(size), 2))
        case Power(exponent=exponent):
            return 2 ** sympy_of(exponent)
    raise TypeError(f"{type(atom).__name__} is no atom of a size")


def _sympy_before_floor(one: Size | Static) -> Any:
    if isinstance(one, Size):
        return sympy_of(one)
    return sympy_of_static(one.expr, {name: _sympy_before_floor(inner) for name, inner in one.bindings})


def _sympy_of_condition(condition: Condition) -> Any:
    import sympy

    if condition.size is not None:
        size = sympy_of(condition.size)
        return sympy.Ge(size, 0) if condition.kind == "nonnegative" else sympy.Eq(size, 0)
    parts = [_sympy_of_condition(part) for part in condition.parts]
    match condition.kind:
        case "and":
            return sympy.And(*parts)
        case "or":
            return sympy.Or(*parts)
        case "not":
            return sympy.Not(parts[0])
    return sympy.true if condition.kind == "true" else sympy.false
