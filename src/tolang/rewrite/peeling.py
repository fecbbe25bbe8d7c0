"""Guards, checks and wrap-around leave the interior of a nest: its loops are split into border and interior.

A guard such as `1 < i and i < n`, a check that a window lies inside its ToL, the remainder in `s[1 + i % n]`: each
holds, or needs no division, for one stretch of a coordinate.  Where all of them hold is the interior, which has none of
them and runs on vectors.  What is left of a dimension, below and above, is one border nest with everything as it was.
A choice by one comparison, as of the parts of a join, is split into its two sides, neither of which has it any more.

Every coordinate belongs to one piece, so that each element is computed as before, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count

from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.conditions import (
    FALSE,
    TRUE,
    Condition,
    choice,
    compare,
    junction,
    negation,
    nonnegative,
    zero,
)
from tolang.ground.symbolic.sizes import ONE, Quotient, Size, extremum, floor_division
from tolang.ground.values.spaces import column
from tolang.idioms.contraction import contraction_of, without_single
from tolang.plan.nest import (
    Bind,
    Each,
    Group,
    Index,
    Load,
    Nest,
    Plan,
    Reduction,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.plan.printer import signature
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import (
    ScalarOccurrence,
    conditions_in,
    dependencies,
    has_fold,
    occurrences,
    scalars_in,
    sizes_in,
    volume,
)

INDEX = column("Z")
SMALL = 16
"""How many places a nest has at the least, for its loops to be split."""
DEEPEST, LONGEST = 3, 32
"""How many choices inside one another are split that have further choices on both sides, and how many of any."""


Comparison = tuple[Condition, str, tuple[bool, Size]]
"""A comparison that makes a choice, the coordinate that it is of, and its bound."""


def split_borders(plan: Plan) -> Plan:
    """The interior of a nest has neither guards nor checks nor remainders that only its border needs."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(piece for step in steps for piece in _pieces(step, numbers)))


def _pieces(step: Step, numbers: Iterator[int]) -> list[Step]:
    if not isinstance(step, Nest) or not step.iterators or contraction_of(step) is not None or _is_small(step):
        return [step]
    whole = without_single(step)
    if any(has_fold(value) for value in step.values):
        whole = _with_ordered_folds(whole)
    pieces = _by_comparison(whole, DEEPEST, LONGEST, numbers)
    return pieces if len(pieces) > 1 else [step]


def filled_first(nest: Nest, numbers: Iterator[int]) -> list[Step]:
    """A nest whose value is a constant outside an interior: the border, filled with that, and the interior."""
    value = nest.values[0]
    if not isinstance(value, Select) or value.guard is None or not _is_same_everywhere(value.otherwise, nest):
        return [nest]
    if not _is_one_choice(value):
        return [nest]
    *borders, interior = _by_interior(_in_order_of_memory(nest), NestScope(nest), numbers)
    if not isinstance(interior, Nest) or any(map(guarded, interior.values)):
        return [nest]
    lengths = dict(zip(interior.iterators, interior.extents, strict=True))
    filled = [_filled(one, value.otherwise) if isinstance(one, Each) else one for one in borders]
    return [*filled, replace(interior, iterators=nest.iterators, extents=tuple(lengths[i] for i in nest.iterators))]


def _filled(border: Each, value: Scalar) -> Each:
    """A border with the same value everywhere."""
    *binds, nest = border.steps
    assert isinstance(nest, Nest)
    return replace(border, steps=(*binds, replace(nest, values=(value,))))


def _is_one_choice(select: Select) -> bool:
    """Whether guards inside a guarded expression, if there are any, choose between the same as the one outside."""
    inner = select.then
    if not isinstance(inner, Select) or inner.guard is None:
        return not guarded(inner)
    return signature(inner.otherwise) == signature(select.otherwise) and _is_one_choice(inner)


def _is_same_everywhere(scalar: Scalar, nest: Nest) -> bool:
    """Whether an expression is the same at all places of a nest, and reads nothing."""
    reads = any(isinstance(one, Load) for one in scalars_in(scalar))
    return not reads and dependencies(scalar).isdisjoint(nest.iterators)


def _in_order_of_memory(nest: Nest) -> Nest:
    """A nest that writes a buffer, its loops in the order in which that lies."""
    ((_, at),) = nest.targets
    order = sorted(zip(nest.iterators, nest.extents, strict=True), key=lambda one: at.index(Size.of(one[0])))
    return replace(nest, iterators=tuple(name for name, _ in order), extents=tuple(extent for _, extent in order))


def guarded(scalar: Scalar) -> bool:
    return any(isinstance(one, Select) and one.guard is not None for one in scalars_in(scalar))


def _with_ordered_folds(nest: Nest) -> Nest:
    """The nest with folds that keep their order, so that each piece of it sums up as the others do."""

    def rule(scalar: Scalar) -> Scalar | None:
        return replace(scalar, group=ordered(scalar.group)) if isinstance(scalar, Reduction) else None

    def ordered(group: Group) -> Group:
        if id(group) not in made:
            made[id(group)] = group, replace(rewriter.group(group), ordered=True)
        return made[id(group)][1]

    made: dict[int, tuple[Group, Group]] = {}
    rewriter = Rewriter(rule=rule)
    return rewriter.nest(nest)


def _is_small(nest: Nest) -> bool:
    """Whether a nest has so few places that LLVM unrolls it, and pieces would cost more than they save."""
    places = volume(nest.extents)
    return places is not None and places <= SMALL


@dataclass(slots=True)
class CoordinateBounds:
    """Bounds of a coordinate within which conditions hold, and the conditions."""

    least: list[Size] = field(default_factory=list)
    greatest: list[Size] = field(default_factory=list)
    held: set[Condition] = field(default_factory=set)

    def add(self, condition: Condition, bound: tuple[bool, Size]) -> None:
        self.held.add(condition)
        side = self.least if bound[0] else self.greatest
        if bound[1] not in side:
            side.append(bound[1])


class NestScope:
    """The names inside a nest: its own iterators, those of folds with their extents, and what else is bound there."""

    def __init__(self, nest: Nest) -> None:
        self.extents = dict(zip(nest.iterators, nest.extents, strict=True))
        self.found: list[ScalarOccurrence] = [o for value in nest.values for o in occurrences(value)]
        self.folds: dict[str, Size] = {}
        self.inner: set[str] = set()
        for one in self.found:
            match one.scalar:
                case Reduction(group=group):
                    self.folds.update(zip(group.iterators, group.extents, strict=True))
                    self.inner.update(group.states)
                case Where(bindings=bindings):
                    self.inner.update(name for name, _ in bindings)

    def bound(self, condition: Condition) -> tuple[str, tuple[bool, Size]] | None:
        """The iterator a condition is about, and the bound it puts on it from below or above."""
        if condition.kind == "not":
            return self._beside(condition.parts[0])
        size = self._at_worst(condition.size) if condition.kind == "nonnegative" and condition.size else None
        if size is None or size.names() & (self.inner | self.folds.keys()):
            return None
        about = [i for i in self.extents if i in size.names()]
        split = size.split(about[0]) if len(about) == 1 else None
        slope = split[0].constant if split is not None else None
        if split is None or not slope or slope != int(slope):
            return None
        rest = split[1]
        if slope > 0:
            return about[0], (True, -floor_division(rest, Size.of(int(slope))))
        return about[0], (False, floor_division(rest, Size.of(int(-slope))))

    def _beside(self, condition: Condition) -> tuple[str, tuple[bool, Size]] | None:
        """The bound that keeps a coordinate away from its first or last place, where that is all a condition asks."""
        size = condition.size if condition.kind == "zero" else None
        about = [i for i in self.extents if size is not None and i in size.names()]
        split = size.split(about[0]) if size is not None and len(about) == 1 else None
        if split is None or split[0].constant not in (1, -1):
            return None
        place = -split[1] if split[0].is_constant(1) else split[1]
        if place == ONE:
            return about[0], (True, ONE + 1)
        extent = self.extents[about[0]]
        return (about[0], (False, extent - 1)) if place == extent else None

    def _at_worst(self, size: Size) -> Size | None:
        """The least that a size becomes while folds run."""
        for iterator in [i for i in self.folds if i in size.names()]:
            split = size.split(iterator)
            slope = split[0].constant if split is not None else None
            if split is None or slope is None:
                return None
            size = split[1] + (Size.of(slope) if slope > 0 else self.folds[iterator] * slope)
        return size

    def wrapping(self) -> list[Quotient]:
        """Quotients by a divisor as long as a loop, up to a constant, that are zero except near its ends."""
        found: dict[Quotient, None] = {}
        for one in self.found:
            sizes = [*sizes_in(one.scalar), *(c.size for d in conditions_in(one.scalar) for c in d.walk() if c.size)]
            for atom in {a for size in sizes for m in size.terms for a in m if isinstance(a, Quotient)}:
                about = [e for i, e in self.extents.items() if i in atom.numerator.names()]
                if len(about) == 1 and (atom.denominator - about[0]).constant is not None:
                    found[atom] = None
        return list(found)

    def asked(self) -> Iterator[Condition]:
        """Conditions that would all be settled within an interior: parts of guards, and checks."""
        for one in self.found:
            for condition in conditions_in(one.scalar):
                if condition.kind == "or" or condition.kind == "zero":
                    yield from (negation(part) for part in condition.parts or (condition,))
                else:
                    yield from condition.parts if condition.kind == "and" else (condition,)


@dataclass(frozen=True, slots=True)
class NestPart:
    """A part of a nest: where each coordinate runs, and what is settled there."""

    moves: dict[str, tuple[Size, Size]]
    held: frozenset[Condition] = frozenset()
    failed: frozenset[Condition] = frozenset()
    zeros: tuple[Quotient, ...] = ()

    def of(self, nest: Nest) -> Nest:
        """The nest for these coordinates only."""
        places = {name: place for name, (_, place) in self.moves.items() if place != Size.of(name)}
        if self.zeros:
            moved = Rewriter(places).nest(self.settled(nest))
        else:
            moved = Rewriter(places, condition=self._settling(places)).nest(nest)
        extents = (
            self.moves[i][0] if i in self.moves else e for i, e in zip(nest.iterators, nest.extents, strict=True)
        )
        return replace(moved, extents=tuple(extents))

    def settled(self, nest: Nest) -> Nest:
        """The nest without the guards, checks and quotients that are settled, at its old coordinates."""
        size = partial(without, zeros=self.zeros) if self.zeros else None
        return Rewriter(condition=self._settling({}), size=size).nest(nest)

    def _settling(self, places: Mapping[str, Size]) -> Callable[[Condition], Condition]:
        """What becomes of a condition at some places of the coordinates: those that are settled hold or fail."""
        held, failed = ([one.substitute(places) for one in some] for some in (self.held, self.failed))
        told = {negation(one): FALSE for one in held} | dict.fromkeys(failed, FALSE)
        told |= {negation(one): TRUE for one in failed} | dict.fromkeys(held, TRUE)

        def condition(asked: Condition) -> Condition:
            simple = simplified(asked, self.zeros)
            found = told.get(simple)
            if found is not None:
                return found
            if simple.kind in ("and", "or"):
                return junction(simple.kind, [condition(part) for part in simple.parts])
            return negation(condition(simple.parts[0])) if simple.kind == "not" else simple

        return condition


def without(size: Size, zeros: tuple[Quotient, ...]) -> Size:
    """A size in which some quotients are zero."""
    if not zeros:
        return size
    return Size({m: c for m, c in size.terms.items() if not any(atom in zeros for atom in m)})


def simplified(condition: Condition, zeros: tuple[Quotient, ...]) -> Condition:
    if not zeros:
        return condition
    if condition.size is not None:
        size = without(condition.size, zeros)
        return nonnegative(size) if condition.kind == "nonnegative" else zero(size)
    return replace(condition, parts=tuple(simplified(p, zeros) for p in condition.parts))


def _by_comparison(nest: Nest, deepest: int, longest: int, numbers: Iterator[int]) -> list[Step]:
    """The two sides of the first choice that one comparison of a coordinate makes; each is looked at again.

    Where one side has no further choice, as a part of a join, the other goes on to be split up to its `longest`;
    choices on both sides are followed as far as the `deepest`.
    """
    inside = NestScope(nest)
    return _by_first_comparison(nest, inside, _comparison(inside), deepest, longest, numbers)


def _by_first_comparison(
    nest: Nest, inside: NestScope, found: Comparison | None, deepest: int, longest: int, numbers: Iterator[int]
) -> list[Step]:
    """As `_by_comparison`, where it is known what is inside a nest, and which comparison of it is the first."""
    if found is None or not deepest or not longest:
        return _by_interior(nest, inside, numbers)
    guard, iterator, bound = found
    stretch = CoordinateBounds()
    stretch.add(guard, bound)
    binds, within, outside = _ends(nest, iterator, stretch, next(numbers))
    held = NestPart({iterator: within}, held=frozenset({guard})).of(nest)
    failed = NestPart({iterator: outside}, failed=frozenset({guard})).of(nest)
    sides = [(side, inner, _comparison(inner)) for side in (held, failed) for inner in [NestScope(side)]]
    deepest -= all(found is not None for _, _, found in sides)
    return [*binds, *(one for side in sides for one in _by_first_comparison(*side, deepest, longest - 1, numbers))]


def _comparison(inside: NestScope) -> Comparison | None:
    """The first choice that one comparison of a coordinate makes: the comparison, the coordinate and its bound."""
    for one in inside.found:
        guard = one.scalar.guard if isinstance(one.scalar, Select) else None
        if guard is not None and guard.kind == "nonnegative" and not guard.names() & inside.folds.keys():
            about = inside.bound(guard)
            if about is not None:
                return guard, *about
    return None


def _by_interior(nest: Nest, inside: NestScope, numbers: Iterator[int]) -> list[Step]:
    """One nest for the interior and one for the border of each dimension that has one."""
    zeros = tuple(inside.wrapping())
    ends = {q: (nonnegative(q.numerator), nonnegative(q.denominator - 1 - q.numerator)) for q in zeros}
    wanted = dict.fromkeys([c for pair in ends.values() for c in pair])
    wanted |= dict.fromkeys(simplified(c, zeros) for c in inside.asked())
    stretches: dict[str, CoordinateBounds] = {}
    held: frozenset[Condition] = frozenset({TRUE})
    for condition in wanted:
        about = inside.bound(condition)
        if about is not None and _is_empty_promise(about[1], inside.extents[about[0]]):
            held |= {condition}
        elif about is not None:
            stretches.setdefault(about[0], CoordinateBounds()).add(condition, about[1])
    steps: list[Step] = []
    moves: dict[str, tuple[Size, Size]] = {}

    def piece() -> NestPart:
        return NestPart(dict(moves), held, zeros=tuple(q for q, pair in ends.items() if held.issuperset(pair)))

    for iterator in (i for i in nest.iterators if i in stretches):
        binds, within, outside = _ends(nest, iterator, stretches[iterator], next(numbers))
        steps.extend(binds)
        steps.append(_border(piece().settled(nest), {**moves, iterator: outside}, iterator))
        moves[iterator] = within
        held |= stretches[iterator].held
    return [*steps, piece().of(nest)] if steps or len(held) > 1 else [nest]


def _is_empty_promise(bound: tuple[bool, Size], extent: Size) -> bool:
    """Whether a bound says no more than that a coordinate runs from 1 to its extent."""
    below, end = bound
    beyond = (ONE - end if below else end - extent).constant
    return beyond is not None and beyond >= 0


def _border(nest: Nest, moves: dict[str, tuple[Size, Size]], last: str) -> Each:
    """A nest at moved coordinates, which are bound to names so that what they are is written once."""
    depth = nest.iterators.index(last) + 1
    outer, inner = nest.iterators[:depth], nest.iterators[depth:]
    fresh = {i: f"{i} of border" for i in outer if i in moves}
    extents = (moves[i][0] if i in moves else e for i, e in zip(outer, nest.extents, strict=False))
    binds = [Bind(i, Index(moves[i][1].substitute({i: Size.of(new)}), column=INDEX)) for i, new in fresh.items()]
    rest = replace(nest, iterators=inner, extents=nest.extents[depth:])
    return Each(tuple(fresh.get(i, i) for i in outer), tuple(extents), (*binds, rest), compact=True)


def _ends(
    nest: Nest, iterator: str, stretch: CoordinateBounds, number: int
) -> tuple[list[Step], tuple[Size, Size], tuple[Size, Size]]:
    """Names for the ends of a stretch that are no numbers, and extent and coordinate of what is within and outside."""
    extent = dict(zip(nest.iterators, nest.extents, strict=True))[iterator]
    here, low, high = Size.of(iterator), ONE, extent
    binds: list[Step] = []

    def end(side: str, size: Size) -> Size:
        if size.constant is not None:
            return size
        binds.append(Bind(f"{iterator} {side} {number}", Index(size, column=INDEX)))
        return Size.of(f"{iterator} {side} {number}")

    if stretch.least:
        least = extremum("min", [extremum("max", stretch.least), extent + 1])
        low = end("from", extremum("max", [ONE, least]))
    if stretch.greatest:
        high = end("to", extremum("max", [low - 1, extremum("min", [*stretch.greatest, extent])]))
    within = (high - low + 1, here + low - 1)
    if not stretch.greatest:
        return binds, within, (low - 1, here)
    if not stretch.least:
        return binds, within, (extent - high, here + high)
    place = choice(compare("<", here, low), here, here + high - low + 1)
    return binds, within, (extent - high + low - 1, place)
