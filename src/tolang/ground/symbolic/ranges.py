"""What is known of the names in sizes, and what follows: bounds of sizes, truth of conditions.

`Ranges` maps a name to its least and greatest value (sizes themselves, or None).  Proofs are one-sided: an answer
is right, no answer means not proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import ceil, gcd

from tolang.ground.symbolic.conditions import Choice, Condition, choice, negation, nonnegative
from tolang.ground.symbolic.sizes import (
    ZERO,
    Atom,
    Extremum,
    Monomial,
    Quotient,
    Rational,
    Size,
    extremum,
    floor_division,
)

Range = tuple[Size | None, Size | None]
Facts = frozenset[Condition]
DEPTH = 12
"""How many steps a proof may have."""


class Ranges:
    """The known ranges of names; names of lengths are at least 0 unless more is known."""

    def __init__(self) -> None:
        self.ranges: dict[str, Range] = {}
        self.order: dict[str, int] = {}
        self._bounds: dict[Size, Rational | None] = {}
        self._simple: dict[tuple[Atom, Facts], Size] = {}
        self._relied_on: set[str] = set()

    def declare(self, name: str, least: Size | None, greatest: Size | None) -> None:
        self.ranges[name] = (least, greatest)
        self.order[name] = len(self.order)
        if name in self._relied_on:
            self._bounds.clear()
            self._simple.clear()
            self._relied_on.clear()

    def lower_bound(self, size: Size) -> Rational | None:
        """A number that the size is never below, or None; worked out once."""
        number = size.constant
        if number is not None:
            return number
        if size not in self._bounds:
            self._rely_on(size.names())
            self._bounds[size] = self._bound(size, DEPTH)
        return self._bounds[size]

    def _rely_on(self, names: Iterable[str]) -> None:
        """Notes names whose ranges bounds follow from, and those that these ranges follow from in turn."""
        for name in names:
            if name not in self._relied_on:
                self._relied_on.add(name)
                for end in self.ranges.get(name, ()):
                    self._rely_on(() if end is None else end.names())

    def _bound(self, size: Size, depth: int) -> Rational | None:
        """A lower bound by so many steps."""
        number = size.constant
        if number is not None or depth == 0:
            return number
        if not size.is_plain:
            size = _at_least(size)
            cases = _cases(size)
            if cases is not None:
                return self._least_of_all(cases, depth - 1)
            common = _common_factor(size)
            if common > 1:
                constant = size.terms.get((), 0)
                part = self._bound((size - constant) * Fraction(1, common), depth - 1)
                return None if part is None else constant + common * ceil(part)
        found = self._at_an_end(size, depth)
        if found is not None:
            return found
        relaxed = size if size.is_plain else self._relax(size)
        if relaxed is None:
            return None
        if any(self._depends(name) for name in relaxed.names()):
            return None if relaxed == size else self._at_an_end(relaxed, depth)
        return self._constant_bound(relaxed)

    def _least_of_all(self, sizes: tuple[Size, ...], depth: int) -> Rational | None:
        """The least bound of several sizes, None where one has none, after which the others are not looked at."""
        least: Rational | None = None
        for size in sizes:
            bound = self._bound(size, depth)
            if bound is None:
                return None
            least = bound if least is None else min(least, bound)
        return least

    def _at_an_end(self, size: Size, depth: int) -> Rational | None:
        """The bound by way of the name bound last, which a size grows or falls with, at one end of its range."""
        dependent = [name for name in size.names() if self._depends(name)]
        if not dependent:
            return None
        name = max(dependent, key=self.order.__getitem__)
        split = size.split(name)
        if split is None:
            return None
        slope, rest = split
        least, greatest = self.ranges[name]
        end = self._end(slope, least, greatest, depth)
        return None if end is None else self._bound(slope * end + rest, depth - 1)

    def _end(self, slope: Size, least: Size | None, greatest: Size | None, depth: int) -> Size | None:
        rising = self._bound(slope, depth - 1)
        if rising is not None and rising >= 0:
            return least
        falling = self._bound(-slope, depth - 1)
        return greatest if falling is not None and falling >= 0 else None

    def _depends(self, name: str) -> bool:
        """Whether a name has an upper end, or a lower end that is no plain number."""
        known = self.ranges.get(name)
        if known is None:
            return False
        least, greatest = known
        return greatest is not None or least is None or least.constant is None

    def _relax(self, size: Size) -> Size | None:
        """The size with quotients, least and greatest replaced by something no greater; None where that fails."""
        for _ in range(8):
            target = next(((m, c) for m, c in size.terms.items() if any(not isinstance(a, str) for a in m)), None)
            if target is None:
                return size
            lower = self._relax_term(*target)
            if lower is None:
                return None
            size = size - Size({target[0]: target[1]}) + lower
        return None

    def _relax_term(self, monomial: Monomial, factor: Rational) -> Size | None:
        atoms = [a for a in monomial if not isinstance(a, str)]
        rest = Size({tuple(a for a in monomial if isinstance(a, str)): factor})
        if len(atoms) != 1:
            return None
        atom = atoms[0]
        sign = self._bound(rest, 4)
        positive = sign is not None and sign >= 0
        if not positive:
            opposite = self._bound(-rest, 4)
            if opposite is None or opposite < 0:
                return None
        if isinstance(atom, Quotient):
            divisor = atom.denominator.constant
            if divisor is None:
                return self._symbolic_quotient(atom, rest, positive)
            end = atom.numerator - (int(divisor) - 1) if positive else atom.numerator
            return rest * end * Fraction(1, int(divisor))
        if isinstance(atom, Extremum) and (atom.kind == "max") == positive:
            return self._best([rest * s for s in atom.sizes])
        if isinstance(atom, Extremum):
            least = self._least_of_all(tuple(rest * s for s in atom.sizes), 4)
            return None if least is None else Size.of(least)
        return None

    def _symbolic_quotient(self, atom: Quotient, rest: Size, positive: bool) -> Size | None:
        """Of floor(a/b) with b unknown it is known that 0 <= a, 1 <= b give 0, and at most a."""
        above, divisor = self._bound(atom.numerator, 4), self._bound(atom.denominator, 4)
        if above is None or above < 0 or divisor is None or divisor < 1:
            return None
        return ZERO if positive else rest * atom.numerator

    def _best(self, candidates: list[Size]) -> Size | None:
        """Of several lower bounds the one with the greatest known bound, else the first."""
        scored = [(self._bound(c, 4), c) for c in candidates]
        known = [(b, c) for b, c in scored if b is not None]
        return max(known, key=lambda pair: pair[0])[1] if known else candidates[0]

    def _constant_bound(self, size: Size) -> Rational | None:
        """The bound where every name has a number as its least value and none a greatest."""
        if all(len(monomial) < 2 for monomial in size.terms):
            return self._linear_bound(size)
        shifts = {}
        for name in size.names():
            least, _ = self.ranges.get(name, (ZERO, None))
            if least is None:
                return None
            if least.constant:
                shifts[name] = Size.of(name) + least
        shifted = size.substitute(shifts)
        if any(factor < 0 for monomial, factor in shifted.terms.items() if monomial):
            return None
        return shifted.terms.get((), 0)

    def _linear_bound(self, size: Size) -> Rational | None:
        """The same for a sum of multiples of names."""
        total: Rational = size.terms.get((), 0)
        for monomial, factor in size.terms.items():
            if monomial:
                least, _ = self.ranges.get(str(monomial[0]), (ZERO, None))
                if least is None or factor < 0:
                    return None
                total += factor * (least.constant or 0)
        return total

    def simplify(self, size: Size, facts: Facts = frozenset()) -> Size:
        """The size without quotients, choices, least and greatest whose outcome is known from ranges and facts.

        floor((i-1)/n) is 0 for i from 1 to n, and `if n == 1 then 1 else i` is i.
        """
        if size.is_plain:
            return size
        total = ZERO
        for monomial, factor in size.terms.items():
            product = Size.of(factor)
            for atom in monomial:
                product = product * (Size.of(atom) if isinstance(atom, str) else self._simpler(atom, facts))
            total = total + product
        return total

    def _simpler(self, atom: Atom, facts: Facts) -> Size:
        """One atom simplified, worked out once: a remainder holds its dividend twice, one of a remainder four times."""
        key = atom, facts
        if key not in self._simple:
            self._rely_on(() if isinstance(atom, str) else atom.names())
            self._simple[key] = self._simplified(atom, facts)
        return self._simple[key]

    def _simplified(self, atom: Atom, facts: Facts) -> Size:
        match atom:
            case Quotient(numerator=numerator, denominator=denominator):
                return self._quotient(self.simplify(numerator, facts), self.simplify(denominator, facts))
            case Choice(condition=condition, then=then, otherwise=otherwise):
                known = self.decide(condition, facts)
                then, otherwise = self.simplify(then, facts), self.simplify(otherwise, facts)
                if known is not None:
                    return then if known else otherwise
                return (
                    otherwise if self._agree_where(condition, then, otherwise) else choice(condition, then, otherwise)
                )
            case Extremum(kind=kind, sizes=sizes):
                return self._extremum(kind, [self.simplify(s, facts) for s in sizes])
        return Size.atom(atom)

    def _quotient(self, numerator: Size, denominator: Size) -> Size:
        divisor = denominator.constant
        if divisor == 0:
            return Size.atom(Quotient(numerator, denominator))
        if divisor is not None and divisor > 0:
            least, most = self.lower_bound(numerator), self.lower_bound(-numerator)
            if least is not None and most is not None and least // divisor == -most // divisor:
                return Size.of(int(least // divisor))
        for outcome in (0, 1):
            rest = numerator - denominator * outcome
            if self.proves_nonnegative(rest) and self.proves_nonnegative(denominator - 1 - rest):
                return Size.of(outcome)
        return floor_division(numerator, denominator)

    def _extremum(self, kind: str, sizes: list[Size]) -> Size:
        """The least or greatest of sizes, without those that another is known to be ahead of."""
        sign = 1 if kind == "min" else -1
        kept: list[Size] = []
        for one in sizes:
            if any(self.proves_nonnegative((one - other) * sign) for other in kept):
                continue
            kept = [other for other in kept if not self.proves_nonnegative((other - one) * sign)]
            kept.append(one)
        return extremum(kind, kept)

    def _agree_where(self, condition: Condition, then: Size, otherwise: Size) -> bool:
        """Whether two sizes are equal where a name has the one value that a condition gives it."""
        asked = condition.size
        if condition.kind != "zero" or asked is None or len(asked.names()) != 1:
            return False
        (name,) = asked.names()
        split = asked.split(name)
        if split is None or split[0].constant not in (1, -1) or split[1].constant is None:
            return False
        given = {name: Size.of(-split[1].constant * split[0].constant)}
        for other in (otherwise - then).names():
            least, greatest = self.ranges.get(other, (None, None))
            if least is None or greatest is None or name not in greatest.names():
                continue
            if least.substitute(given) == greatest.substitute(given):
                given[other] = least.substitute(given)
        return (otherwise - then).substitute(given) == ZERO

    def proves_nonnegative(self, size: Size) -> bool:
        """Whether a size is never below zero; a whole number above -1 is not."""
        bound = self.lower_bound(size)
        return bound is not None and (bound > -1 if size.denominator == 1 else bound >= 0)

    def proves(self, condition: Condition) -> bool:
        """Whether the condition always holds."""
        if condition.kind == "nonnegative" and condition.size is not None:
            return self.proves_nonnegative(condition.size)
        return self.decide(condition) is True

    def decide(self, condition: Condition, facts: Facts = frozenset()) -> bool | None:
        """True or False where the condition always or never holds, or where facts make it so; else None."""
        known = _among(condition, facts) if facts else None
        if known is not None:
            return known
        match condition.kind:
            case "true":
                return True
            case "false":
                return False
            case "nonnegative":
                assert condition.size is not None
                size = self.simplify(condition.size, facts) if facts else condition.size
                if self.proves_nonnegative(size):
                    return True
                return False if self.proves_nonnegative(-size - 1) else None
            case "zero":
                assert condition.size is not None
                apart = self.proves_nonnegative(condition.size - 1) or self.proves_nonnegative(-condition.size - 1)
                return False if apart else None
            case "not":
                inner = self.decide(condition.parts[0], facts)
                return None if inner is None else not inner
        truths = [self.decide(p, facts) for p in condition.parts]
        if condition.kind == "and":
            return False if False in truths else True if all(truths) else None
        return True if True in truths else False if all(t is False for t in truths) else None


def _among(condition: Condition, facts: Facts) -> bool | None:
    """Whether facts say a condition or its contrary."""
    if condition in facts:
        return True
    if negation(condition) in facts:
        return False
    if condition.kind == "zero" and condition.size is not None:
        apart = {nonnegative(condition.size - 1), nonnegative(-condition.size - 1)}
        if not apart.isdisjoint(facts):
            return False
    return None


def _common_factor(size: Size) -> int:
    """The number that all terms but a constant are multiples of, of a size that has whole numbers alone.

    Of 128 - 32*floor(a/32) it is 32: what is relaxed is floor(a/32), which is whole, and not 32 times that.
    """
    factors = [factor for monomial, factor in size.terms.items() if monomial]
    return gcd(*map(int, factors)) if size.denominator == 1 else 1


def _at_least(size: Size) -> Size:
    """A size with each choice between two numbers that is a term by itself at its least: as good as taking it both
    ways, and many such terms are not taken in every combination."""
    found = Counter(atom for monomial in size.terms for atom in set(monomial) if isinstance(atom, Choice))
    if not found:
        return size
    total = size
    for monomial, factor in size.terms.items():
        match monomial:
            case (Choice(then=Size(constant=then), otherwise=Size(constant=otherwise)) as atom,) if found[atom] == 1:
                if then is not None and otherwise is not None:
                    total = total - Size({monomial: factor}) + min(factor * then, factor * otherwise)
    return total


def _cases(size: Size) -> tuple[Size, Size] | None:
    """A size with its first choice taken either way; None where it has none."""
    for monomial in size.terms:
        for atom in monomial:
            if isinstance(atom, Choice):
                return _with(size, atom, atom.then), _with(size, atom, atom.otherwise)
    return None


def _with(size: Size, atom: Atom, value: Size) -> Size:
    """A size with another in place of an atom."""
    total = ZERO
    for monomial, factor in size.terms.items():
        product = Size({tuple(one for one in monomial if one != atom): factor})
        for _ in range(sum(one == atom for one in monomial)):
            product = product * value
        total = total + product
    return total
