"""The greatest and least value of a size while a name runs through a range, and which of two sizes is greater.

Names of sizes stand for whole numbers of at least 1 here: what is said of a program's memory and span is said of
sizes that are not zero.  Where a size neither rises nor falls in the name, its terms are bounded one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tolang.ground.symbolic.sizes import (
    Atom,
    Extremum,
    Interned,
    Monomial,
    Quotient,
    Rational,
    Replacing,
    Size,
    extremum,
)
from tolang.ground.symbolic.sums import utmost

MOST_ALTERNATIVES = 8
"""The greatest of more sizes than this is taken as it is, for each of them would be held against all others."""


MOST_TAKEN_APART = 4
"""More greatest and least ones in one size are not taken apart, for their cases multiply."""


def never_negative(size: Size) -> bool:
    """Whether a size is surely at least 0 when every name in it is at least 1; a proof, not a decision."""
    number = size.constant
    if number is not None:
        return number >= 0
    if all(factor >= 0 for factor in size.terms.values()):
        return True
    shifted = size.substitute({name: Size.of(name) + 1 for name in size.names()})
    return all(factor >= 0 for factor in shifted.terms.values())


def never_negative_in_any_case(size: Size) -> bool:
    """The same proof, case by case where the greatest or the least of several sizes stands in it."""
    if never_negative(size):
        return True
    found = [atom for (atom, *others) in filter(None, size.terms) if not others and isinstance(atom, Extremum)]
    if not 1 <= len(found) <= MOST_TAKEN_APART or len(found[0].sizes) > MOST_ALTERNATIVES:
        return False
    atom = found[0]
    factor = size.terms[atom,]
    rest = size - Size({(atom,): factor})
    cases = (never_negative_in_any_case(rest + one * factor) for one in atom.sizes)
    return any(cases) if (factor > 0) == (atom.kind == "max") else all(cases)


def greatest_of(sizes: Iterable[Size]) -> Size:
    """The greatest of sizes, without those that another one of them is never below; what all share stands outside."""
    found = dict.fromkeys(alternative for given in sizes for alternative in _alternatives(given))
    shift = Replacing({name: Size.of(name) + 1 for size in found for name in size.names()})
    kept: list[tuple[Size, Size]] = []
    for size in found:
        one = size, size.substitute(shift)
        if any(_never_below(other, one) for other in kept):
            continue
        kept = [other for other in kept if not _never_below(one, other)]
        kept.append(one)
    if len(kept) < 2:
        return kept[0][0] if kept else Size.of(0)
    shared = kept[0][0]
    for size, _ in kept[1:]:
        shared = _shared(shared, size)
    return shared + extremum("max", [size - shared for size, _ in kept])


def _never_below(one: tuple[Size, Size], two: tuple[Size, Size]) -> bool:
    """Whether one size is surely never below another: in their terms, or in those with every name raised by 1."""
    return any(_covers(above.terms, below.terms) for above, below in zip(one, two, strict=True))


def _covers(above: Mapping[Monomial, Rational], below: Mapping[Monomial, Rational]) -> bool:
    return all(above.get(monomial, 0) >= factor for monomial, factor in below.items()) and all(
        factor >= 0 for monomial, factor in above.items() if monomial not in below
    )


def _alternatives(size: Size) -> list[Size]:
    """The sizes of which a size is the greatest, where it is something added to a greatest of several."""
    for monomial, factor in size.terms.items():
        only = monomial[0] if factor == 1 and len(monomial) == 1 else None
        if isinstance(only, Extremum) and only.kind == "max" and len(only.sizes) <= MOST_ALTERNATIVES:
            rest = size - Size({monomial: 1})
            return [rest + one for one in only.sizes]
    return [size]


def _shared(one: Size, two: Size) -> Size:
    """The terms that two sizes have in common."""
    common = {m: min(c, two.terms[m]) for m, c in one.terms.items() if m in two.terms and min(c, two.terms[m]) > 0}
    return Size(common)


def greatest(size: Size, name: str, low: Size, high: Size) -> Size:
    """The greatest value of a size while a name runs from `low` to `high`."""
    return _extreme(size, name, low, high, True)


def greatest_between(size: Size, name: str, low: Size, high: Size) -> Size:
    """The same for a name that may be 0: it is counted from `low` on, so that what stands for it is at least 1."""
    return greatest(size.substitute({name: Size.of(name) + low - 1}), name, Size.of(1), high - low + 1)


def least(size: Size, name: str, low: Size, high: Size) -> Size:
    return _extreme(size, name, low, high, False)


def _extreme(size: Size, name: str, low: Size, high: Size, is_greatest: bool) -> Size:
    if name not in size.names():
        return size
    first, last = size.substitute({name: low}), size.substitute({name: high})
    step = size.substitute({name: Size.of(name) + 1}) - size
    if never_negative(step) or _rises(size, name):
        return last if is_greatest else first
    if never_negative(-step):
        return first if is_greatest else last
    kind = "max" if is_greatest else "min"
    spread = _of_several(size, name, kind)
    if spread is not None:
        return extremum(kind, [_extreme(one, name, low, high, is_greatest) for one in spread])
    return utmost(kind, size.substitute({name: Size.of(name) + low - 1}), name, high - low + 1)


def _of_several(size: Size, name: str, kind: str) -> list[Size] | None:
    """The sizes of which a size is the greatest, or the least, while all that moves in it is in one of them."""
    for monomial, factor in size.terms.items():
        only = monomial[0] if len(monomial) == 1 else None
        if isinstance(only, Extremum) and factor > 0 and only.kind == kind:
            rest = size - Size({monomial: factor})
            if name not in rest.names():
                return [rest + one * factor for one in only.sizes]
    return None


def _rises(size: Size, name: str) -> bool:
    """Whether a size never falls in a name, seen from its terms: positive factors of atoms that never fall."""
    for monomial, factor in size.terms.items():
        moving = [atom for atom in monomial if atom == name or (not isinstance(atom, str) and name in atom.names())]
        other = [atom for atom in monomial if atom not in moving and not isinstance(atom, str)]
        if moving and (factor < 0 or other):
            return False
        if any(not isinstance(atom, str) for atom in moving) and (len(moving) > 1 or not _atom_rises(moving[0], name)):
            return False
    return True


def _atom_rises(atom: Atom, name: str) -> bool:
    match atom:
        case Quotient(numerator=numerator, denominator=denominator):
            divisor = denominator.constant
            return divisor is not None and divisor > 0 and _rises(numerator, name)
        case Extremum(sizes=sizes):
            return all(_rises(size, name) for size in sizes)
        case Interned():
            return atom.rises(name)
    return False
