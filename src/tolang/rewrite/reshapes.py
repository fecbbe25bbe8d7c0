"""Reshapes without division: loops are split where a coordinate is taken apart, and flat positions stay flat.

Reading [n,m] as n*m elements asks for row floor((i-1)/m) of i.  Where the divisor divides the loop's length the loop is
split, i = (r-1)*m + c, and the quotient is r-1.  Where it does not, the quotients of a read often cancel in the flat
position of the element, which is then the only coordinate: as [1, p], running on past the end of the row.
"""

from __future__ import annotations

from functools import lru_cache

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Choice, Condition, choice, nonnegative, zero
from tolang.ground.symbolic.sizes import ONE, Atom, Quotient, Size, floor_division
from tolang.idioms.column_folds import folds_of
from tolang.idioms.contraction import contraction_of
from tolang.plan.access import access_of
from tolang.plan.nest import Group, Load, Nest, Plan, Reduction, Scalar, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import REMEMBERED, conditions_in, occurrences, scalars_of, sizes_in


def divide_loops(plan: Plan) -> Plan:
    """Loops are split, or positions flat, so that no read divides where it need not."""
    return map_lists(plan, lambda steps: tuple(_flat(_split(step)) for step in steps))


@lru_cache(maxsize=REMEMBERED)
def quotients_in(step: Step) -> tuple[Quotient, ...]:
    """The quotients in the indices and conditions of a step."""
    found: dict[Quotient, None] = {}
    for scalar in scalars_of(step):
        for one in occurrences(scalar):
            sizes = [*sizes_in(one.scalar), *(c.size for d in conditions_in(one.scalar) for c in d.walk() if c.size)]
            found |= {a: None for size in sizes for monomial in size.terms for a in monomial if isinstance(a, Quotient)}
    return tuple(found)


def _split(step: Step) -> Step:
    """A nest with a loop split for every divisor that its coordinate is divided by."""
    if not isinstance(step, Nest):
        return step
    for position, (iterator, extent) in enumerate(zip(step.iterators, step.extents, strict=True)):
        here = Size.of(iterator)
        for quotient in quotients_in(step):
            divisor = quotient.denominator
            if divisor.names() & set(step.iterators) or _whole(quotient, here, divisor) is None:
                continue
            rows = floor_division(extent, divisor)
            if rows * divisor == extent and extent != divisor:
                return _split(_halves(step, position, rows, divisor))
    return step


def divide_folds(plan: Plan) -> Plan:
    """Contractions, in any order, go over rows and within rows where an operand divides by the length of a row."""
    return map_lists(plan, lambda steps: tuple(_split_folds(step) for step in steps))


def _split_folds(step: Step) -> Step:
    """A contraction with a fold's dimension split for every divisor that its coordinate is divided by."""
    if not isinstance(step, Nest) or not quotients_in(step) or contraction_of(step) is None:
        return step
    for group in folds_of(step):
        for position, (iterator, extent) in enumerate(zip(group.iterators, group.extents, strict=True)):
            for quotient in quotients_in(step):
                divisor = quotient.denominator
                if divisor.constant is None or _whole(quotient, Size.of(iterator), divisor) is None:
                    continue
                rows = floor_division(extent, divisor)
                if rows * divisor == extent and extent != divisor:
                    return _split_folds(_fold_halves(step, group, position, rows, divisor))
    return step


def _fold_halves(nest: Nest, group: Group, position: int, rows: Size, divisor: Size) -> Nest:
    """A nest with one dimension of a fold as two: rows, and places within a row."""
    outer, inner, rewriter = _in_rows(group.iterators[position], divisor)
    made = rewriter.group(group)
    parted = replace(
        made,
        iterators=(*made.iterators[:position], outer, inner, *made.iterators[position + 1 :]),
        extents=(*made.extents[:position], rows, divisor, *made.extents[position + 1 :]),
    )

    def rule(scalar: Scalar) -> Scalar | None:
        return replace(scalar, group=parted) if isinstance(scalar, Reduction) and scalar.group is group else None

    return Rewriter(rule=rule).nest(nest)


def _halves(nest: Nest, position: int, rows: Size, divisor: Size) -> Nest:
    """A nest with one loop as two: over rows, and within a row."""
    outer, inner, rewriter = _in_rows(nest.iterators[position], divisor)
    made = rewriter.nest(nest)
    iterators = (*nest.iterators[:position], outer, inner, *nest.iterators[position + 1 :])
    extents = (*nest.extents[:position], rows, divisor, *nest.extents[position + 1 :])
    return replace(made, iterators=iterators, extents=extents)


def _in_rows(iterator: str, divisor: Size) -> tuple[str, str, Rewriter]:
    """Names for the row and the place within it that an iterator is at, and what puts them in its place."""
    outer, inner = f"{iterator} row", f"{iterator} column"
    within = Size.of(inner)
    settling = Settling(within, divisor)
    place = (Size.of(outer) - 1) * divisor + within
    return outer, inner, Rewriter({iterator: place}, condition=settling.condition, size=settling.size)


@dataclass(frozen=True, slots=True)
class Settling:
    """Takes quotients by the length of a row out of sizes: of a place within a row, from 1, the quotient is known."""

    within: Size
    divisor: Size

    def size(self, size: Size) -> Size:
        total = Size({})
        for monomial, factor in size.terms.items():
            product = Size.of(factor)
            for atom in monomial:
                product = product * self._known(atom)
            total = total + product
        return total

    def _known(self, atom: Atom) -> Size:
        whole = _whole(atom, self.within, self.divisor) if isinstance(atom, Quotient) else None
        if isinstance(atom, Choice):
            return choice(self.condition(atom.condition), self.size(atom.then), self.size(atom.otherwise))
        return Size.atom(atom) if whole is None else whole

    def condition(self, one: Condition) -> Condition:
        if one.size is not None:
            size = self.size(one.size)
            return nonnegative(size) if one.kind == "nonnegative" else zero(size)
        return replace(one, parts=tuple(self.condition(part) for part in one.parts))


def _whole(quotient: Quotient, within: Size, divisor: Size) -> Size | None:
    """What floor((c - 1 + k*d)/d) is for c from 1 to d: k, where the quotient has that form."""
    if quotient.denominator != divisor:
        return None
    rest = quotient.numerator - within + 1
    times = floor_division(rest, divisor)
    return times if times * divisor == rest else None


def _flat(step: Step) -> Step:
    """A step whose reads are at flat positions where that saves quotients."""
    if not quotients_in(step) or (isinstance(step, Nest) and contraction_of(step) is not None):
        return step
    inside = _iterators(step)

    def rule(scalar: Scalar) -> Scalar | None:
        if not isinstance(scalar, Load) or scalar.checks or len(scalar.indices) < 2:
            return None
        position = access_of(scalar).offset + 1
        if _divisions(position, inside) >= sum(_divisions(index, inside) for index in scalar.indices):
            return None
        return replace(scalar, indices=(*((ONE,) * (len(scalar.indices) - 1)), position))

    return Rewriter(rule=rule).step(step)


def _iterators(step: Step) -> frozenset[str] | None:
    """The iterators of a nest and of its folds; None for other steps, whose own steps may give names, too."""
    if not isinstance(step, Nest):
        return None
    return frozenset((*step.iterators, *(name for group in folds_of(step) for name in group.iterators)))


def _divisions(size: Size, inside: frozenset[str] | None) -> int:
    """How many quotients of a size are divided anew at each place: those of iterators, where these are known."""
    atoms = [atom for monomial in size.terms for atom in monomial if isinstance(atom, Quotient)]
    return sum(inside is None or not inside.isdisjoint(Size.atom(atom).names()) for atom in atoms)
