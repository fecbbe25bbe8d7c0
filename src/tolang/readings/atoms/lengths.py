"""Sizes, coordinates and conditions that depend on data, as exact compositions of lambda.

A size whose names are all known is a number and needs no term.  One that reads data (`t[v[2]+1]`) becomes a polynomial
written out in lambdas over the whole and rational numbers of any size, as the language asks: integer arithmetic on
the way to a coordinate is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from tolang.ground.reporting.faults import fault
from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.sizes import Atom, Extremum, Quotient, Size
from tolang.ground.values.spaces import Column, Space, column
from tolang.readings.atoms.building import Workshop
from tolang.readings.atoms.terms import FunctionTerm, JoinTerm, MemberTerm, Term

WHOLE = Column(Space("Z"), "integer")
RATIONAL = column("Q")
TRUTH = column("B")

Number = int | Fraction
Leaf = Callable[[str], "int | Term"]
"""What a name stands for: a known number, or a term."""


class Lengths:
    """Writes sizes and conditions as terms, given what their names stand for."""

    def __init__(self, workshop: Workshop, leaf: Leaf) -> None:
        self.workshop, self.leaf = workshop, leaf

    def size(self, size: Size) -> int | Term:
        """A size: a number if it reads no data, else a term."""
        value = self._polynomial(size)
        return value if isinstance(value, Term) else int(value // 1)

    def _polynomial(self, size: Size) -> Number | Term:
        total: Number | Term = 0
        for monomial, factor in size.terms.items():
            product: Number | Term = factor
            for atom in monomial:
                product = self.apply("mul", product, self._atom(atom))
            total = self.apply("add", total, product)
        return total

    def _atom(self, atom: Atom) -> Number | Term:
        match atom:
            case str():
                return self.leaf(atom)
            case Quotient(numerator=numerator, denominator=denominator):
                return self.apply("floor", self.apply("div", *map(self._polynomial, (numerator, denominator))))
            case Extremum(kind=kind, sizes=sizes):
                return reduce(lambda a, b: self.apply(kind, a, b), map(self._polynomial, sizes))
            case Choice(condition=condition, then=then, otherwise=otherwise):
                truth = self.condition(condition)
                if isinstance(truth, bool):
                    return self._polynomial(then if truth else otherwise)
                sides = [self.term(self._polynomial(one)) for one in (otherwise, then)]
                return self.choose(self.position(truth), sides[0], sides[1], WHOLE)
        raise TypeError(f"{atom} is no part of a length")

    def condition(self, condition: Condition) -> bool | Term:
        """A condition: known, or a term in B."""
        if condition.size is not None:
            number = self._polynomial(condition.size)
            if not isinstance(number, Term):
                return number >= 0 if condition.kind == "nonnegative" else number == 0
            function = "ge" if condition.kind == "nonnegative" else "eq"
            return self.made(FunctionTerm(function, (number, self.term(0)), TRUTH))
        if not condition.parts:
            return condition.kind == "true"
        truths = [self.condition(one) for one in condition.parts]
        if condition.kind == "not":
            one = truths[0]
            return not one if isinstance(one, bool) else self.made(FunctionTerm("not", (one,), TRUTH))
        absorbing = condition.kind == "or"
        if absorbing in truths:
            return absorbing
        open_ones = [one for one in truths if isinstance(one, Term)]
        if not open_ones:
            return not absorbing
        return reduce(lambda a, b: self.made(FunctionTerm(condition.kind, (a, b), TRUTH)), open_ones)

    def choose(self, position: Term, otherwise: Term, then: Term, kind: Column) -> Term:
        """One of two numerics, at position 1 or 2: `[b,a][1+c]`, a member of a join."""
        sides = tuple(self.workshop.in_column(one, kind) for one in (otherwise, then))
        return self.made(MemberTerm(self.made(JoinTerm(sides)), (position,)))

    def position(self, truth: Term) -> Term:
        """The coordinate 1+c of a truth value c."""
        return self.made(FunctionTerm("add", (self.workshop.constant(1, column("N", weak=True)), truth)))

    def apply(self, function: str, *arguments: Number | Term) -> Number | Term:
        """Exact arithmetic: of numbers at once, else as a lambda."""
        known = [one for one in arguments if not isinstance(one, Term)]
        if len(known) == len(arguments):
            return _computed(function, known)
        if (function == "mul" and 1 in known) or (function == "add" and 0 in known):
            return next(one for one in arguments if isinstance(one, Term))
        terms = tuple(self.term(one) for one in arguments)
        rational = function == "div" or any(one.columns[0].space.family == "Q" for one in terms)
        kind = RATIONAL if rational and function != "floor" else WHOLE
        return self.made(FunctionTerm(function, terms, kind))

    def term(self, number: Number | Term) -> Term:
        if isinstance(number, Term):
            return number
        return self.workshop.constant(number, WHOLE if number == int(number) else RATIONAL)

    def made(self, term: Term) -> Term:
        kept: Term = self.workshop.keep(term)
        return kept


def _computed(function: str, numbers: list[Number]) -> Number:
    match function:
        case "add":
            return numbers[0] + numbers[1]
        case "mul":
            return numbers[0] * numbers[1]
        case "div":
            if not numbers[1]:
                raise fault("E506", "a length or coordinate is divided by zero")
            return Fraction(numbers[0]) / numbers[1]
        case "floor":
            return numbers[0] // 1
    return min(numbers) if function == "min" else max(numbers)
