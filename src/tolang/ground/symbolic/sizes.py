"""Symbolic whole numbers: sizes, coordinates and costs in one normal form.

A `Size` is a polynomial with rational coefficients over *atoms*.  An atom is a name (a size variable, an iterator, a
numeric bound while running), a floored quotient, a least or greatest of several sizes, a choice by a condition, or an
explicit sum.  Two sizes that are equal as polynomials over their atoms are equal as Python objects, which is how
the checker sees that (j-1)+1+(n-j) is n.  Coordinates are never floats: a quotient stays exact until it is floored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar, Self, TypeAlias

from tolang.ground.dataclasses import dataclass
from tolang.ground.interning import HEAVY, Evaluating, Unique, Values, atom_key, digest_of, growth_of, without_atoms
from tolang.ground.reporting.faults import fault
from tolang.ground.symbolic.marked import extremes, floors, marked
from tolang.ground.symbolic.notation import grouped, sum_text

Rational: TypeAlias = int | Fraction
Atom: TypeAlias = "str | Interned"
Monomial: TypeAlias = "tuple[Atom, ...]"


def _whole(value: Rational) -> Rational:
    return value if type(value) is int or value.denominator != 1 else value.numerator


class Size:
    """A polynomial in normal form; immutable, hashable, with the arithmetic of whole numbers."""

    __slots__ = ("_hash", "_names", "_plain", "_text", "_weight", "terms")

    def __init__(self, terms: Mapping[Monomial, Rational]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._names: frozenset[str] | None = None
        self._plain: bool | None = None
        self._text: str | None = None
        self._weight: int | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """What is kept on disk: the terms alone, for hashes of names differ from process to process."""
        return Size, (self.terms,)

    @staticmethod
    def of(value: SizeLike) -> Size:
        if isinstance(value, Size):
            return value
        if isinstance(value, str):
            return _NAMED.get(value) or _named(value)
        return _SMALL.get(value) or Size({(): _whole(value)})

    @staticmethod
    def atom(atom: Atom) -> Size:
        return Size({(atom,): 1})

    @property
    def constant(self) -> Rational | None:
        """The number this is, if it has no atoms."""
        terms = self.terms
        return None if len(terms) > 1 else terms.get(()) if terms else 0

    @property
    def is_plain(self) -> bool:
        """Whether it is a polynomial of names alone: no quotients, extrema or choices."""
        if self._plain is None:
            self._plain = all(isinstance(atom, str) for monomial in self.terms for atom in monomial)
        return self._plain

    @property
    def name(self) -> str | None:
        """The name this is, if it is one."""
        terms = self.terms
        if len(terms) != 1:
            return None
        monomial = next(iter(terms))
        atom = monomial[0] if len(monomial) == 1 and terms[monomial] == 1 else None
        return atom if isinstance(atom, str) else None

    @property
    def weight(self) -> int:
        """How much there is to write: the names and numbers in it, those inside quotients and choices too."""
        if self._weight is None:
            atoms = (atom for monomial in self.terms for atom in monomial)
            inner = sum(1 if isinstance(atom, str) else atom.weight for atom in atoms)
            self._weight = len(self.terms) + inner
        return self._weight

    def is_constant(self, value: int) -> bool:
        return self.constant == value

    def names(self) -> frozenset[str]:
        """Every name that occurs, inside quotients and choices too."""
        if self._names is None:
            found: set[str] = set()
            for monomial in self.terms:
                for atom in monomial:
                    if isinstance(atom, str):
                        found.add(atom)
                    else:
                        found |= atom.names()
            self._names = frozenset(found)
        return self._names

    @property
    def digest(self) -> str:
        """A short text that tells it from other sizes, the same in every process."""
        terms = sorted(
            f"{'*'.join(digest_of(a) for a in monomial)}:{factor}" for monomial, factor in self.terms.items()
        )
        return blake2b(" ".join(terms).encode(), digest_size=16).hexdigest()

    def __add__(self, other: SizeLike) -> Size:
        if type(other) is not Size:
            other = Size.of(other)
        if not other.terms:
            return self
        if not self.terms:
            return other
        result = dict(self.terms)
        _accumulate(result, other.terms)
        return Size(result)

    __radd__ = __add__

    def __neg__(self) -> Size:
        return Size({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: SizeLike) -> Size:
        if type(other) is not Size:
            other = Size.of(other)
        if not other.terms:
            return self
        if not self.terms:
            return -other
        result = dict(self.terms)
        _accumulate(result, other.terms, -1)
        return Size(result)

    def __rsub__(self, other: SizeLike) -> Size:
        return Size.of(other) + (-self)

    def __mul__(self, other: SizeLike) -> Size:
        if type(other) is not Size:
            other = Size.of(other)
        if other is ONE or self is ONE:
            return self if other is ONE else other
        if len(other.terms) == 1 and () in other.terms:
            return self._times(other.terms[()])
        if len(self.terms) == 1 and () in self.terms:
            return other._times(self.terms[()])
        result: dict[Monomial, Rational] = {}
        for one, c in self.terms.items():
            for two, d in other.terms.items():
                monomial = tuple(sorted(one + two, key=atom_key)) if one and two else one or two
                value = result.get(monomial, 0) + c * d
                if value:
                    result[monomial] = value if type(value) is int else _whole(value)
                else:
                    del result[monomial]
        return Size(result)

    def _times(self, number: Rational) -> Size:
        if number == 1:
            return self
        return Size({monomial: _whole(factor * number) for monomial, factor in self.terms.items()})

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Size:
        result = ONE
        for _ in range(exponent):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Size):
            return self is other or self.terms == other.terms
        return isinstance(other, int) and self.constant == other

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def substitute(self, values: Mapping[str, Size]) -> Size:
        """The size with names replaced."""
        names = self.names()
        if not names or names.isdisjoint(values):
            return self
        name = self.name
        if name is not None:
            return values[name]
        if not self.is_plain and not isinstance(values, Replacing):
            values = Replacing({name: values[name] for name in names if name in values})
        total: dict[Monomial, Rational] = {}
        for monomial, factor in self.terms.items():
            if len(monomial) == 1 and type(monomial[0]) is str:
                replaced = values.get(monomial[0])
                _accumulate(total, {monomial: 1} if replaced is None else replaced.terms, factor)
                continue
            kept = tuple([atom for atom in monomial if not _mentions(atom, values)])
            if len(kept) == len(monomial):
                _accumulate(total, {monomial: factor})
                continue
            product = Size({kept: factor})
            for atom in monomial:
                if isinstance(atom, str):
                    product = product * values[atom] if atom in values else product
                elif not values.keys().isdisjoint(atom.names()):
                    product = product * atom.replaced(values)  # type: ignore[arg-type]  # it has an atom, and is none plain
            _accumulate(total, product.terms)
        return Size(total)

    def evaluate(self, values: Values) -> Any:
        """The number at given names: exact for whole numbers, element by element for NumPy arrays."""
        if self.weight >= HEAVY and not isinstance(values, Evaluating):
            values = Evaluating({name: values[name] for name in self.names() if name in values})
        total: Any = 0
        places: list[Any] = []
        for monomial, factor in self.terms.items():
            product: Any = factor
            for atom in monomial:
                value = values[atom] if isinstance(atom, str) else atom.evaluated(values)
                if not isinstance(value, (int, Fraction)) and may_lose(monomial, factor, atom):
                    places.append(value)
                product = product * value
            total = total + product
        if places:
            return marked(total, places)
        return _whole(total) if isinstance(total, Fraction) else total

    def split(self, name: str) -> tuple[Size, Size] | None:
        """Slope and rest where the size is `slope*name + rest`, both free of the name; None where it is not affine."""
        if name not in self.names():
            return ZERO, self
        if self.name is not None:
            return ONE, ZERO
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
        for factor in self.terms.values():
            if type(factor) is not int:
                return math.lcm(*[one.denominator for one in self.terms.values()])
        return 1

    def __str__(self) -> str:
        if self._text is None:
            self._text = render(self)
        return self._text

    def __repr__(self) -> str:
        return f"Size({self})"


SizeLike: TypeAlias = Size | int | Fraction | str
ZERO = Size({})
ONE = Size({(): 1})
_SMALL: dict[Rational, Size] = {0: ZERO, 1: ONE, **{k: Size({(): k}) for k in (*range(-8, 0), *range(2, 65))}}
"""Numbers that occur often, made once."""
_NAMED: dict[str, Size] = {}
MOST_NAMED = 4096
"""Names that occur as sizes, each made once, up to so many of them."""


def _named(name: str) -> Size:
    if len(_NAMED) >= MOST_NAMED:
        _NAMED.clear()
    made = _NAMED[name] = Size({(name,): 1})
    return made


def _accumulate(total: dict[Monomial, Rational], terms: Mapping[Monomial, Rational], times: Rational = 1) -> None:
    """Adds the terms of one size, so many times, to those of another."""
    for monomial, factor in terms.items():
        value = total.get(monomial, 0) + factor * times
        if type(value) is not int:
            value = _whole(value)
        if value:
            total[monomial] = value
        else:
            del total[monomial]


def _mentions(atom: Atom, values: Mapping[str, Size]) -> bool:
    return atom in values if isinstance(atom, str) else not values.keys().isdisjoint(atom.names())


def render(size: Size) -> str:
    """The size as text: highest degree first, then by name; `2*k*m*n`, `n^2 + 3*n - 1`, `(n^2 + n)/2`."""
    if not size.terms:
        return "0"
    name = size.name
    if name is not None:
        return name
    size = _shortened(size)
    shared = size.denominator
    if shared > 1:
        inner = render(size * shared)
        return f"({inner})/{shared}" if len(size.terms) > 1 else f"{inner}/{shared}"
    return sum_text(size.terms.items())


def _shortened(size: Size) -> Size:
    """For display: -k + floor((h + k)/2) as floor((h - k)/2), the shorter of two equal forms."""
    for monomial, factor in size.terms.items():
        atom = monomial[0] if factor == 1 and len(monomial) == 1 else None
        if atom is not None and not isinstance(atom, str):
            found = atom.absorbing(size - Size.atom(atom))
            if found is not None:
                return found
    return size


class Replacing(dict[str, Size]):
    """What names are replaced by, and the atoms it was done for: an atom that occurs a hundred times is done once."""

    __slots__ = ("done",)

    def __init__(self, values: Mapping[str, Size]) -> None:
        super().__init__(values)
        self.done: dict[Interned, Size] = {}


class Interned(Unique):
    """An atom that is no name.  Its names and weight are kept with it; replacing and evaluating go over it once."""

    __slots__ = ("_names", "_weight")
    _names: frozenset[str] | None
    _weight: int | None
    kept: ClassVar[tuple[str, ...]] = (*Unique.kept, *__slots__)

    # Each kind of atom says these three itself.

    def parts(self) -> tuple[Size, ...]:
        """The sizes inside it."""
        raise NotImplementedError

    def substitute(self, values: Mapping[str, Size]) -> Size:
        raise NotImplementedError

    def evaluate(self, values: Values) -> Any:
        raise NotImplementedError

    def absorbing(self, rest: Size) -> Size | None:
        """This atom plus a rest, some of which goes inside it, so that there is less to write; None if none does."""
        return None

    def rises(self, name: str) -> bool:
        """Whether it surely never falls while a name rises, all names being at least 1."""
        return False

    def normal(self) -> Size | None:
        """The same number by atoms of which sums are known; None where it is not written by such."""
        return None

    def multiplied(self, other: Interned, name: str, upper: Size) -> Size | None:
        """Its product with another atom for a name from 1 to `upper`, where that is simpler than both; else None."""
        return None

    def summed(self, name: str, upper: Size) -> Size | None:
        """Its sum for a name from 1 to `upper`, for kinds of atoms that have a closed one; else None."""
        return None

    def enclosed(self, box: Mapping[str, tuple[Any, Any]]) -> tuple[Any, Any]:
        """Bounds of it while names run, for kinds of atoms that `enclosure` does not know."""
        raise NotImplementedError

    def names(self) -> frozenset[str]:
        """Every name that occurs in it."""
        if self._names is None:
            found = frozenset[str]().union(*(part.names() for part in self.parts()))
            object.__setattr__(self, "_names", found)
        return self._names  # type: ignore[return-value]  # set above

    @property
    def weight(self) -> int:
        """How much there is to write of it."""
        if self._weight is None:
            object.__setattr__(self, "_weight", sum(part.weight for part in self.parts()))
        return self._weight  # type: ignore[return-value]  # set above

    def changed(self, change: Callable[[Size], Size]) -> Self:
        """The same atom of other sizes, as they are: nothing is brought into normal form."""
        return type(self)(*(_changed(field, change) for field in self.fields()))

    def replaced(self, values: Replacing) -> Size:
        """The atom with names replaced, once for all places where it occurs."""
        found = values.done.get(self)
        if found is None:
            found = values.done[self] = self.substitute(values)
        return found

    def evaluated(self, values: Values) -> Any:
        """The number at given names, once for all places where it occurs."""
        if not isinstance(values, Evaluating):
            return self.evaluate(values)
        if self not in values.done:
            values.done[self] = self.evaluate(values)
        return values.done[self]


def _changed(part: Any, change: Callable[[Size], Size]) -> Any:
    """A part of an atom with its sizes changed: a size, a condition, an atom, several of them, or no such thing."""
    if isinstance(part, tuple):
        return tuple(_changed(one, change) for one in part)
    if hasattr(part, "terms"):
        return change(part)
    return part.changed(change) if hasattr(part, "changed") else part


@dataclass(frozen=True, slots=True, eq=False)
class Quotient(Interned):
    """The floor of one size over another."""

    numerator: Size
    denominator: Size

    def parts(self) -> tuple[Size, ...]:
        return self.numerator, self.denominator

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return floor_division(self.numerator.substitute(values), self.denominator.substitute(values))

    def evaluate(self, values: Values) -> Any:
        numerator, denominator = self.numerator.evaluate(values), self.denominator.evaluate(values)
        if isinstance(denominator, (int, Fraction)):
            if not denominator:
                raise fault("E506", "a length or coordinate is divided by zero")
            return numerator // denominator
        return floors(numerator, denominator)

    def _grows(self) -> int:
        return max(0, growth_of(self.numerator) - growth_of(self.denominator))

    def written(self) -> str:
        above, below = (grouped(str(one), len(one.terms)) for one in self.parts())
        return f"floor({above}/{below})"

    def absorbing(self, rest: Size) -> Size | None:
        divisor = self.denominator.constant
        moved = {m: c for m, c in rest.terms.items() if m and m in self.numerator.terms}
        if divisor is None or not moved:
            return None
        inner = self.numerator + Size(moved) * divisor
        return rest - Size(moved) + Size.atom(Quotient(inner, self.denominator))


@dataclass(frozen=True, slots=True, eq=False)
class Extremum(Interned):
    """The least (`min`) or greatest (`max`) of several sizes."""

    kind: str
    sizes: tuple[Size, ...]

    def parts(self) -> tuple[Size, ...]:
        return self.sizes

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return extremum(self.kind, [s.substitute(values) for s in self.sizes])

    def evaluate(self, values: Values) -> Any:
        numbers = [s.evaluate(values) for s in self.sizes]
        if all(isinstance(n, (int, Fraction)) for n in numbers):
            return min(numbers) if self.kind == "min" else max(numbers)
        return extremes(self.kind, numbers, divides_by_a_variable(self))

    def written(self) -> str:
        return f"{self.kind}({', '.join(str(s) for s in self.sizes)})"


@lru_cache(maxsize=4096)
def divides_by_a_variable(atom: Atom) -> bool:
    """Whether an atom may be `NOWHERE`: it is a quotient whose divisor is no constant, or has one inside."""
    if isinstance(atom, str):
        return False
    if isinstance(atom, Quotient) and atom.denominator.constant is None:
        return True
    inside = [one for part in atom.parts() for monomial in part.terms for one in monomial]
    return any(map(divides_by_a_variable, inside))


def may_lose(monomial: Monomial, factor: Rational, atom: Atom) -> bool:
    """Whether a product may not show that one of its atoms is `NOWHERE`: times 0 it is 0, times -1 it is far behind."""
    return (len(monomial) > 1 or factor < 0) and divides_by_a_variable(atom)


def floor_division(numerator: Size, denominator: Size) -> Size:
    """The floor of a quotient, what divides evenly taken out of the floor."""
    scale = math.lcm(numerator.denominator, denominator.denominator)
    if scale == 1 and denominator.constant == 1:
        return numerator
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
    return outside + (_floored_once(inside, denominator) or Size.atom(Quotient(inside, denominator)))


def _floored_once(numerator: Size, denominator: Size) -> Size | None:
    """floor((floor(a/b) + r)/d) is floor((a + b*r)/(b*d)) for whole r, b and d above 0: lengths of a deep model."""
    divisor = denominator.constant
    if divisor is None:
        return None
    for monomial, factor in numerator.terms.items():
        inner = monomial[0] if factor == 1 and len(monomial) == 1 else None
        if isinstance(inner, Quotient):
            least = inner.denominator.constant
            if least is not None and least > 0:
                rest = numerator - Size.atom(inner)
                return floor_division(inner.numerator + rest * least, Size.of(divisor * least))
    return None


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
        left = without_atoms(monomial, divisor)
        if left is None:
            inside[monomial] = coefficient
            continue
        whole, rest = divmod(coefficient, factor)
        if whole:
            outside[left] = whole
        if rest:
            inside[monomial] = rest
    return Size(outside), Size(inside)


def extremum(kind: str, sizes: Iterable[Size]) -> Size:
    """The least or greatest of sizes: constants folded, equal ones merged, quotients outside, so that it is whole."""
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
    scale = math.lcm(*(size.denominator for size in kept))
    scaled = sorted(
        (size * scale for size in kept), key=lambda one: (0, str(one)) if one.weight < HEAVY else (1, one.digest)
    )
    return Size.atom(Extremum(kind, tuple(scaled))) * Fraction(1, scale)


def with_atom(size: Size, atom: Atom, other: Size) -> Size:
    """A size with another size in place of one of its atoms; inside other atoms it stays."""
    total = ZERO
    for monomial, factor in size.terms.items():
        rest = tuple(one for one in monomial if one is not atom)
        total = total + Size({rest: factor}) * other ** (len(monomial) - len(rest))
    return total
