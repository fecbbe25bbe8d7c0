"""What a program assumes of its sizes: sizes that have to be equal, and the least that they have to be.

A run asks for each of these and ends where it does not hold.  They are told for programs that compute something: where
a dimension is empty, less may be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tolang.core.core import Coordinate, Core, Expr, Part
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Diagnostic
from tolang.ground.symbolic.conditions import Condition, junction, negation, nonnegative
from tolang.ground.symbolic.iterated import Unsummed
from tolang.ground.symbolic.sizes import Quotient, Size
from tolang.ground.system.recursion import room_to_nest
from tolang.readings.cost.names import BodyNames
from tolang.readings.cost.refusals import Check, Refusals, least_over

HEAVIEST = 12
"""Names and numbers of a condition that is told."""
MOST = 12
"""So many assumptions are told."""


class _Assumed(Refusals):
    """Gathers what is asked of coordinates, too."""

    def _own(self, expr: Expr) -> None:
        super()._own(expr)
        if isinstance(expr, Part):
            for item, length in zip(expr.items, expr.subject.type.shape, strict=False):
                if isinstance(item, Coordinate):
                    self._add(item.index - 1, _unseen)
                    self._add(length - item.index, _unseen)


def _unseen(*_: object) -> Diagnostic:
    return Diagnostic("E513", "a coordinate is outside its ToL")


@room_to_nest()
def assumptions(program: Core, names: BodyNames) -> list[Condition]:
    """Conditions on sizes that a run asks for, each once, as far as they are seen; those that others imply left out."""
    reading = _Assumed(names, {})
    for one in program.inputs:
        reading.walk_input(one)
    reading.walk(program.body)
    sizes = frozenset(names.certain)
    found = dict.fromkeys(condition for one in reading.found if (condition := _condition(one, sizes)) is not None)
    equal = _equal_names(found)
    return [one for one in found if not _is_implied(one, [other for other in found if other != one], equal)][:MOST]


def _condition(check: Check, sizes: frozenset[str]) -> Condition | None:
    """What a check asks of sizes alone, all its loops having a step; None where that is not seen."""
    loops = [replace(loop, runs=True) for loop in check.loops]
    try:
        least = least_over(check.size, loops)
    except Unsummed:
        return None
    if least is None or not least.names() <= sizes:
        return None
    asked = nonnegative(_without_floor(least))
    if check.guard.constant is not True:
        if not check.guard.names() <= sizes:
            return None
        asked = junction("or", [negation(check.guard), asked])
    return asked if asked.names() and _is_short(asked) else None


def _is_short(condition: Condition) -> bool:
    """Whether a condition is one of polynomials, and of few of them."""
    sizes = [one.size for one in condition.walk() if one.size is not None]
    return all(size.is_plain for size in sizes) and sum(size.weight for size in sizes) <= HEAVIEST


def _without_floor(size: Size) -> Size:
    """Another size that is at least 0 where this one is: floor(a/b) + c is where a + b*c is, b being above 0."""
    for monomial, factor in size.terms.items():
        atom = monomial[0] if factor == 1 and len(monomial) == 1 else None
        rest = size - Size({monomial: 1})
        if isinstance(atom, Quotient) and rest.is_plain and rest.denominator == 1:
            return atom.numerator + atom.denominator * rest
    return size


def _equal_names(conditions: Iterable[Condition]) -> dict[str, Size]:
    """Names that conditions say to be equal to others, or to numbers."""
    found: dict[str, Size] = {}
    for one in conditions:
        names = sorted(one.names())
        if one.kind == "zero" and one.size is not None and len(names) == 1:
            rest = one.size - Size.of(names[0])
            if rest.constant is not None:
                found[names[0]] = -rest
        elif one.kind == "zero" and one.size is not None and len(names) == 2:
            first, second = map(Size.of, names)
            if one.size in (first - second, second - first):
                found[names[1]] = first.substitute(found)
    return found


def _is_implied(one: Condition, others: list[Condition], equal: Mapping[str, Size]) -> bool:
    """Whether a bound follows from sizes that are equal, or is no stricter than another one of the same size."""
    if one.kind != "nonnegative" or one.size is None:
        return False
    if nonnegative(one.size.substitute(equal)).constant is True:
        return True
    for other in others:
        if other.kind == "nonnegative" and other.size is not None:
            apart = (one.size - other.size).constant
            if apart is not None and apart > 0:
                return True
    return False


def assumption_text(condition: Condition) -> str:
    """A condition as it is written of sizes: `k = n`, `n >= 2`."""
    match condition.kind, condition.size:
        case "zero", Size() as size:
            above, below = _sides(size)
            first, second = sorted((str(above), str(below)), key=lambda text: (text.isdecimal(), text))
            return f"{first} = {second}"
        case "nonnegative", Size() as size:
            above, below = _sides(size)
            if above.constant is not None:
                return f"{below} <= {above}"
            return f"{above} >= {below}"
        case "not", None if condition.parts[0].kind == "zero":
            return assumption_text(condition.parts[0]).replace(" = ", " is not ")
        case _ if condition.parts:
            joined = f" {condition.kind} ".join(assumption_text(one) for one in condition.parts)
            return f"not ({joined})" if condition.kind == "not" else joined
    return str(condition)


def _sides(size: Size) -> tuple[Size, Size]:
    """A size as the difference of two whose terms are all added."""
    above = Size({monomial: factor for monomial, factor in size.terms.items() if factor > 0})
    return above, above - size
