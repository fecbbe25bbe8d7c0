"""What moves with a name: the atoms that a name stands in, and the comparisons that a polynomial of it decides.

A sum is closed by looking for an atom whose outcome is known on parts of the range, and putting that in its place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.conditions import Choice, Condition, choice
from tolang.ground.symbolic.iterated import Iterated
from tolang.ground.symbolic.sizes import ZERO, Extremum, Interned, Quotient, Replacing, Size, extremum


def moving_atoms(size: Size, name: str) -> dict[Interned, None]:
    """The atoms other than the name itself that it stands in, those inside others first."""
    found: dict[Interned, None] = {}
    _gather(size, name, found)
    return found


def _gather(size: Size, name: str, found: dict[Interned, None]) -> None:
    for monomial in size.terms:
        for atom in monomial:
            if not isinstance(atom, str) and atom not in found and name in atom.names():
                for part in atom.parts():
                    if name in part.names():
                        _gather(part, name, found)
                found[atom] = None


def is_polynomial(size: Size, name: str) -> bool:
    """Whether a name stands in a size as itself alone, not inside other atoms."""
    return size.is_plain or all(
        isinstance(atom, str) or name not in atom.names() for monomial in size.terms for atom in monomial
    )


def exchanged(size: Size, name: str, atoms: Mapping[Interned, Size]) -> Size:
    """A size with other sizes in place of atoms that a name moves, wherever these stand."""
    values = Replacing({name: Size.of(name)})
    values.done.update(atoms)
    return size.substitute(values)


def sign_of(size: Size) -> int:
    """1 or -1 where a size is surely above or below zero, its names being at least 1; 0 where that is not seen."""
    if not size.is_plain or not size.terms:
        return 0
    factors = size.terms.values()
    return 1 if all(factor > 0 for factor in factors) else -1 if all(factor < 0 for factor in factors) else 0


def compared(size: Size, name: str) -> Size | None:
    """A size that is at least 0 where the given one is, and polynomial in the name; None where none is seen.

    A floor does not hinder: floor(u/c) + r >= 0 is u + c*r >= 0, and r - floor(u/c) >= 0 is c*(r + 1) - u >= 1.
    """
    inside = list(moving_atoms(size, name))
    if not inside:
        return size
    floor = inside[0]
    if len(inside) > 1 or not isinstance(floor, Quotient) or size.denominator != 1:
        return None
    divisor, numerator = floor.denominator, floor.numerator
    if sign_of(divisor) != 1 or name in divisor.names():
        return None
    factor = size.terms.get((floor,))
    rest = size - Size({(floor,): factor}) if factor in (1, -1) else None
    if rest is None or not is_polynomial(rest, name):
        return None
    return numerator + divisor * rest if factor == 1 else divisor * (rest + 1) - numerator - 1


@dataclass(frozen=True, slots=True)
class Fork:
    """An atom that is one of two sizes by a comparison: `size >= 0` gives `holds`, else it is `fails`."""

    atom: Interned
    size: Size
    holds: Size
    fails: Size


def forks(size: Size, name: str) -> Iterator[Fork]:
    """The atoms whose outcome a comparison with the name decides, those inside others first."""
    for atom in moving_atoms(size, name):
        found = None
        if isinstance(atom, Extremum):
            found = _extremum_fork(atom, name)
        elif isinstance(atom, Choice):
            found = _choice_fork(atom, atom.condition, atom.then, atom.otherwise, name)
        if found is not None:
            yield found


def _extremum_fork(atom: Extremum, name: str) -> Fork | None:
    """The least or greatest of sizes without one of two whose difference moves; as it is where none does."""
    first, *others = atom.sizes
    for position, other in enumerate(others):
        difference = first - other
        if name not in difference.names():
            continue
        asked = compared(difference, name)
        if asked is None:
            return None
        without_first = extremum(atom.kind, others)
        without_other = extremum(atom.kind, [first, *others[:position], *others[position + 1 :]])
        pair = (without_first, without_other) if atom.kind == "min" else (without_other, without_first)
        return Fork(atom, asked, *pair)
    still = first + extremum(atom.kind, [ZERO, *(other - first for other in others)])
    return Fork(atom, ZERO, still, still)


def _choice_fork(atom: Choice, condition: Condition, then: Size, otherwise: Size, name: str) -> Fork | None:
    size = condition.size
    if size is None:
        if not condition.parts:
            return Fork(atom, ZERO, then if condition.kind == "true" else otherwise, then)
        if condition.kind == "not":
            return _choice_fork(atom, condition.parts[0], otherwise, then, name)
        first, *others = condition.parts
        rest = others[0] if len(others) == 1 else Condition(condition.kind, None, tuple(others))
        further = choice(rest, then, otherwise)
        pair = (further, otherwise) if condition.kind == "and" else (then, further)
        return _choice_fork(atom, first, *pair, name)
    asked = compared(size, name)
    if asked is None:
        return None
    if condition.kind == "nonnegative":
        return Fork(atom, asked, then, otherwise)
    below = Condition("nonnegative", -size)
    return Fork(atom, asked, choice(below, then, otherwise), otherwise)


def period(quotient: Quotient, name: str) -> int | None:
    """How far a name goes until the remainder under a floor comes back; None where the divisor is no number."""
    divisor = quotient.denominator.constant
    if not isinstance(divisor, int) or not is_polynomial(quotient.numerator, name):
        return None
    factors = [int(c) for monomial, c in quotient.numerator.terms.items() if name in monomial]
    return divisor // math.gcd(divisor, *factors)


def iterated_inside(size: Size, name: str) -> list[Iterated]:
    """The sums, and greatest and least values over ranges, that a name stands in, those inside others first."""
    return [atom for atom in moving_atoms(size, name) if isinstance(atom, Iterated)]
