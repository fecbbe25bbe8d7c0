"""How large a size can get: bounds of its magnitude, from bounds of what it mentions.

Words of 64 bits hold what stays below the limit with everything that is computed on the way, sums of two included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.sizes import Atom, Extremum, Quotient, Size
from tolang.ground.symbolic.sums import Sum

LIMIT = 1 << 62
"""What no size may reach that is computed in words of 64 bits."""


def magnitude(size: Size, bound: Callable[[str], int]) -> int:
    """A bound of the magnitude of a size, and of all that it is computed from; each name has a bound."""
    total = 1
    for monomial, factor in size.terms.items():
        product = abs(factor.numerator) * factor.denominator + 1
        for atom in monomial:
            product *= bound(atom) + 1 if isinstance(atom, str) else _of_atom(atom, bound)
        total += product
    return total


def _of_atom(atom: Atom, bound: Callable[[str], int]) -> int:
    if isinstance(atom, Sum):
        steps = magnitude(atom.upper, bound)
        return steps * magnitude(atom.body, lambda name: steps if name == atom.name else bound(name))
    return max(magnitude(part, bound) for part in parts_of(atom))


def parts_of(atom: Atom) -> tuple[Size, ...]:
    """The sizes that an atom is computed from, those of its condition among them."""
    match atom:
        case Quotient(numerator=numerator, denominator=denominator):
            return numerator, denominator
        case Extremum(sizes=sizes):
            return sizes
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return then, otherwise, *sizes_in(condition)
    raise TypeError(f"{type(atom).__name__} is not computed from sizes alone")


def sizes_in(condition: Condition) -> Iterator[Size]:
    """The sizes that a condition compares."""
    if condition.size is not None:
        yield condition.size
    for part in condition.parts:
        yield from sizes_in(part)
