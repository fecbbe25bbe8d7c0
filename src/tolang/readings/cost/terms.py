"""The terms of a derivation, and how one line of it follows from the line before.

A line is a term.  In the next one every `EOPs(…)` is replaced by what its rule says, every `|t|` by the sizes it
stands for; products with 1 go a line later, as in Example 14 of the paper, and what costs nothing goes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType

from tolang.core.length_names import fresh, written_name
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Condition, choice
from tolang.ground.symbolic.sizes import ONE, ZERO, Monomial, Rational, Size
from tolang.ground.symbolic.sums import sum_over
from tolang.readings.cost.naming import named
from tolang.readings.cost.source import compact

Naming = Mapping[str, str]
"""What names are called where a term stands."""


@dataclass(frozen=True, slots=True)
class KnownNumber:
    """A number, written as the product of its factors."""

    factors: tuple[Size, ...]

    @property
    def size(self) -> Size:
        product = ONE
        for factor in self.factors:
            product = product * factor
        return product


class PendingCount:
    """The EOPs of something in the source, and the rule that holds for it, applied once when it is needed.

    What the EOPs come to may be known before, as it is of calls whose bodies were counted.
    """

    __match_args__ = ("text",)

    def __init__(self, text: str, rule: Callable[[], Term], counted: Size | None = None) -> None:
        self.text = text
        self._rule, self._counted = rule, counted

    @cached_property
    def expanded(self) -> Term:
        return self._rule()

    @cached_property
    def size(self) -> Size:
        return value(self.expanded) if self._counted is None else self._counted


@dataclass(frozen=True, slots=True)
class Volume:
    """The number of elements of something in the source."""

    text: str
    lengths: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class ProductTerm:
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Plus:
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class IteratorSum:
    """The sum over iterators, for what does not cost the same at every element."""

    loops: tuple[tuple[str, Size], ...]
    term: Term


@dataclass(frozen=True, slots=True)
class Cases:
    """One term where a condition on sizes holds, another where it does not."""

    condition: Condition
    then: Term
    otherwise: Term


Term = KnownNumber | PendingCount | Volume | ProductTerm | Plus | IteratorSum | Cases
NOTHING = KnownNumber((ZERO,))
SINGLE = KnownNumber((ONE,))


def plus(terms: list[Term]) -> Term:
    """A sum without what is zero."""
    flat = [one for term in terms for one in (term.terms if isinstance(term, Plus) else (term,))]
    kept = [term for term in flat if term != NOTHING]
    return Plus(tuple(kept)) if len(kept) > 1 else kept[0] if kept else NOTHING


def product(left: Term, right: Term) -> Term:
    return NOTHING if NOTHING in (left, right) else ProductTerm(left, right)


def basic(label: str) -> Term:
    """One evaluation of a basic elementary function."""
    return PendingCount(label, lambda: SINGLE)


def is_open(term: Term) -> bool:
    """Whether a further line can follow."""
    match term:
        case PendingCount() | Volume():
            return True
        case ProductTerm(left=one, right=two) | Cases(then=one, otherwise=two):
            return is_open(one) or is_open(two)
        case Plus(terms=terms):
            return any(is_open(one) for one in terms)
        case IteratorSum(term=inner):
            return is_open(inner)
    return False


def extent(term: Term) -> int:
    """How many numbers and open terms a term has."""
    match term:
        case ProductTerm(left=one, right=two) | Cases(then=one, otherwise=two):
            return extent(one) + extent(two)
        case Plus(terms=terms):
            return sum(extent(one) for one in terms)
        case IteratorSum(term=inner):
            return extent(inner)
    return 1


def advanced(term: Term) -> Term:
    """The next line: products with 1 are gone, then every open term is replaced by its rule."""
    return _expanded(without_ones(term))


def _expanded(term: Term) -> Term:
    match term:
        case PendingCount():
            return term.expanded
        case Volume(lengths=lengths):
            return KnownNumber(lengths or (ONE,))
        case ProductTerm(left=left, right=right):
            return product(_expanded(left), _expanded(right))
        case Plus(terms=terms):
            return plus([_expanded(one) for one in terms])
        case IteratorSum(loops=loops, term=inner):
            expanded = _expanded(inner)
            return NOTHING if expanded == NOTHING else IteratorSum(loops, expanded)
        case Cases(condition=condition, then=then, otherwise=otherwise):
            return Cases(condition, _expanded(then), _expanded(otherwise))
    return term


def without_ones(term: Term) -> Term:
    """The term without products with 1, numbers added up."""
    match term:
        case ProductTerm(left=left, right=right):
            one, two = without_ones(left), without_ones(right)
            if SINGLE in (one, two):
                return two if one == SINGLE else one
            return product(one, two)
        case Plus(terms=terms):
            return _added(plus([without_ones(one) for one in terms]))
        case IteratorSum(loops=loops, term=inner):
            return IteratorSum(loops, without_ones(inner))
        case Cases(condition=condition, then=then, otherwise=otherwise):
            return Cases(condition, without_ones(then), without_ones(otherwise))
    return term


def _added(term: Term) -> Term:
    if not isinstance(term, Plus):
        return term
    numbers = [one for one in term.terms if isinstance(one, KnownNumber) and one.size.constant is not None]
    if len(numbers) < 2:
        return term
    total = ZERO
    for number in numbers:
        total = total + number.size
    return plus([*(one for one in term.terms if one not in numbers), KnownNumber((total,))])


def shown(term: Term, naming: Naming) -> str:
    """A term as text."""
    match term:
        case KnownNumber(factors=(only,)):
            return spelled(only, naming)
        case KnownNumber(factors=factors):
            return "*".join(spelled(factor, naming, grouped=True) for factor in factors)
        case PendingCount(text=text):
            return f"EOPs({text})"
        case Volume(text=text):
            return f"|{text}|"
        case ProductTerm(left=left, right=right):
            return f"{_factor(left, naming)}*{_factor(right, naming)}"
        case Plus(terms=terms):
            return "+".join(shown(one, naming) for one in terms)
        case IteratorSum(loops=loops, term=inner):
            return _sum_text(loops, inner, naming)
        case Cases(condition=condition, then=then, otherwise=otherwise):
            asked = condition.changed(lambda size: named(size, naming))
            return f"(if {asked} then {shown(then, naming)} else {shown(otherwise, naming)})"
    raise TypeError(f"{type(term).__name__} is no term")


def _sum_text(loops: tuple[tuple[str, Size], ...], inner: Term, naming: Naming) -> str:
    """A sum, its iterators called by names that nothing around it has."""
    ranges = []
    for name, extent in loops:
        called = fresh(written_name(name), naming.values())
        ranges.append(f"{called}=1..{spelled(extent, naming)}")
        naming = {**naming, name: called}
    return f"sum({','.join(ranges)},{shown(inner, naming)})"


def _factor(term: Term, naming: Naming) -> str:
    text = shown(term, naming)
    several = isinstance(term, Plus) or (
        isinstance(term, KnownNumber) and len(term.factors) == 1 and len(term.size.terms) > 1
    )
    return f"({text})" if several else text


def value(term: Term) -> Size:
    """What a term comes to."""
    match term:
        case KnownNumber(size=size):
            return size
        case PendingCount():
            return term.size
        case Volume():
            return value(_expanded(term))
        case ProductTerm(left=left, right=right):
            return value(left) * value(right)
        case Plus(terms=terms):
            total = ZERO
            for one in terms:
                total = total + value(one)
            return total
        case IteratorSum(loops=loops, term=inner):
            size = value(inner)
            for name, extent in reversed(loops):
                size = sum_over(size, name, extent)
            return size
        case Cases(condition=condition, then=then, otherwise=otherwise):
            return choice(condition, value(then), value(otherwise))
    raise TypeError(f"{type(term).__name__} is no term")


def spelled(size: Size, naming: Naming = MappingProxyType({}), grouped: bool = False) -> str:
    """A size without spaces and powers, as the paper writes it: `2*n*n*n`, `(n-1)` where it is a factor."""
    return _spelled(named(size, naming), grouped)


def _spelled(size: Size, grouped: bool) -> str:
    if not size.terms:
        return "0"
    shared = size.denominator
    if shared > 1:
        inner = _spelled(size * shared, False)
        return f"({inner})/{shared}" if len(size.terms) > 1 else f"{inner}/{shared}"
    text = ""
    for monomial, factor in sorted(size.terms.items(), key=_order):
        atoms = [str(atom) if str(atom).startswith("(if") else compact(str(atom)) for atom in monomial]
        if abs(factor) != 1 or not atoms:
            atoms.insert(0, str(abs(factor)))
        text += ("-" if factor < 0 else "+" if text else "") + "*".join(atoms)
    return f"({text})" if grouped and len(size.terms) > 1 else text


def _order(item: tuple[Monomial, Rational]) -> tuple[int, list[str]]:
    return -len(item[0]), [str(atom) for atom in item[0]]
