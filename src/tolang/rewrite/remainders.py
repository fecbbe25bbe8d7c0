"""Loops that count a coordinate anew after each period are two: over periods, and within one.

    nest [k <= n]                                nest [turn <= n/h, k' <= h]
      y[k] = … s[2*k - (k-1)%h] …                  y[(turn-1)*h + k'] = … s[2*(turn-1)*h + k' + 1] …

So no element asks for a remainder, and neighbours are read side by side.  What the period is only running tells: it
must be above zero and go into the length, or else the nest runs as it was.  Checks of places are asked for at the
corners of the loops, where each is hardest to meet.  Long periods are cut into blocks, which threads share out; the
places of the shortest are written out in a loop over periods, where neighbours are in different ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, choice, compare, junction, nonnegative, zero
from tolang.ground.symbolic.sizes import ONE, Size, extremum, floor_division
from tolang.ground.values.spaces import column
from tolang.idioms.search import size_of
from tolang.plan.nest import (
    Bind,
    Branch,
    ConstantScalar,
    Each,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Scalar,
    Step,
    Where,
)
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import has_fold, names_bound_inside, nodes_inside, scalars_in
from tolang.rewrite.reshapes import Settling, quotients_in

INDEX = column("Z")
BLOCK = 4096
"""How many coordinates of a long period are a block."""
SHORT = (2, 1)
"""Periods that are shorter than vectors, and have loops of their own: over periods, not within them."""
LEAST_TURNS = 64
"""How many periods there are at the least where one is longer than a block, for threads to share them out."""


def count_in_periods(plan: Plan) -> Plan:
    """A nest that counts its last coordinate anew after each period has a loop over periods, and one within them."""
    numbers = count(1)
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _in_periods(step, numbers)))


def _in_periods(step: Step, numbers: Iterator[int]) -> tuple[Step, ...]:
    if not isinstance(step, Nest) or not step.iterators or any(map(has_fold, step.values)):
        return (step,)
    periods = {**_of_quotients(step), **_of_remainders(step)}
    for name in names_bound_inside(nodes_inside(step)):
        periods.pop(name, None)
    if len(periods) != 1:
        return (step,)
    ((name, value),) = periods.items()
    return _Periods(step, name, value, next(numbers)).steps()


def _of_remainders(nest: Nest) -> dict[str, Scalar]:
    """What the last coordinate, counted from 0, is taken modulo of, by name."""
    inside = [_period(one, nest.iterators[-1]) for value in nest.values for one in scalars_in(value)]
    return {one.name: one for one in inside if one is not None}


def _of_quotients(nest: Nest) -> dict[str, Scalar]:
    """The names that the last coordinate, counted from 0, is divided by in indices and conditions."""
    counted = Size.of(nest.iterators[-1]) - 1
    by = [one.denominator for one in quotients_in(nest) if one.numerator == counted]
    return {name: Index(size, column=INDEX) for size in by for name in size.names() if size == Size.of(name)}


def _period(scalar: Scalar, iterator: str) -> Named | None:
    """The number that a scalar is a coordinate's remainder by."""
    match scalar:
        case Operation(function="mod", arguments=(counted, Named() as period)):
            whole = counted.column.storage == period.column.storage == scalar.column.storage == "i64"
            return period if whole and size_of(counted) == Size.of(iterator) - 1 else None
    return None


@dataclass(frozen=True, slots=True)
class _Periods:
    """A nest whose last coordinate is counted anew after each period."""

    nest: Nest
    period: str
    value: Scalar
    number: int
    """Which of the plan it is: a nest and its border have the same iterators."""

    def _name(self, role: str) -> str:
        return f"{self.nest.iterators[-1]} {role} {self.number}"

    def _loops(self) -> dict[str, Size]:
        """The loops that the last one becomes: over periods, blocks of one, and places within a block."""
        roles = {"turn": "turns", "block": "blocks", "place": "width"}
        return {self._name(role): Size.of(self._name(length)) for role, length in roles.items()}

    def steps(self) -> tuple[Step, ...]:
        """The nest by periods where these are whole, else as it was."""
        extent = self.nest.extents[-1]
        given, period, width, turns = (Size.of(self._name(role)) for role in ("given", "period", "width", "turns"))
        in_blocks = zero(period - BLOCK * floor_division(period, Size.of(BLOCK)))
        lengths = {
            "period": extremum("max", [given, ONE]),
            "width": choice(in_blocks, Size.of(BLOCK), period),
            "blocks": floor_division(period, width),
            "turns": floor_division(extent, period),
        }
        bindings = [Bind(self._name(role), Index(size, column=INDEX)) for role, size in lengths.items()]
        made, asked = self._split()
        shared = junction("or", [compare("<=", width, Size.of(BLOCK)), compare(">=", turns, Size.of(LEAST_TURNS))])
        fits = [compare(">=", given, ONE), zero(turns * period - extent), shared]
        rows: Step = self._in_rows(made)
        for short in SHORT:
            rows = Branch(zero(period - short), (), (self._written_out(made, short),), (rows,))
        branch = Branch(junction("and", [*fits, *asked]), (), (rows,), (self.nest,))
        return (Bind(self._name("given"), self._given()), *bindings, branch)

    def _given(self) -> Scalar:
        """The period if it goes from 1 to the length of the loop, else the number that is next to these."""
        none, beyond = ConstantScalar(0, column=INDEX), Index(self.nest.extents[-1] + 1, column=INDEX)
        return Operation("max", (none, Operation("min", (self.value, beyond), column=INDEX)), column=INDEX)

    def _split(self) -> tuple[Nest, list[Condition]]:
        """The nest with the loops that its last one becomes; and what must hold for it."""
        turn, block, place = (Size.of(name) for name in self._loops())
        within = (block - 1) * Size.of(self._name("width")) + place
        period = Size.of(self._name("period"))
        at = (turn - 1) * period + within
        known: dict[str, Size] = {self.nest.iterators[-1]: at, self.period: period}
        settling = Settling(within, period)
        asked: dict[Condition, None] = {}

        def rule(scalar: Scalar) -> Scalar | None:
            match scalar:
                case Operation() if (own := _period(scalar, self.nest.iterators[-1])) and own.name == self.period:
                    return Index(within - 1, column=scalar.column)
                case Named(name=name) if name in known:
                    return Index(known[name], column=scalar.column)
                case Where():
                    return with_names(scalar)
                case Load(checks=checks) if checks:
                    left = [check for check in checks if not self._is_asked(rewriter.condition(check), asked)]
                    return rewriter.parts(replace(scalar, checks=tuple(left)))
            return None

        def with_names(where: Where) -> Scalar:
            """A scalar with names around it; those that are coordinates now are put in their place, inside it alone."""
            outside, left = dict(known), []
            for name, bound in where.bindings:
                value = rewriter.scalar(bound)
                size = size_of(value) if bound.column.storage == "i64" else None
                if size is None:
                    known.pop(name, None)
                    left.append((name, value))
                else:
                    known[name] = size
            inner = rewriter.scalar(where.value)
            known.clear()
            known.update(outside)
            return replace(where, bindings=tuple(left), value=inner) if left else inner

        rewriter = Rewriter(known, rule, condition=settling.condition, size=settling.size)
        made = rewriter.nest(self.nest)
        return made, [*asked]

    def _is_asked(self, check: Condition, asked: dict[Condition, None]) -> bool:
        """Whether a check is one of the corners of the loops, which are then asked for."""
        loops = {name: extent for name, extent in self._loops().items() if name in check.names()}
        if check.kind != "nonnegative" or check.size is None or any(check.size.split(name) is None for name in loops):
            return False
        sizes = [check.size]
        for name, extent in loops.items():
            sizes = [corner for size in sizes for corner in self._ends(size, name, extent)]
        asked |= {nonnegative(size): None for size in sizes if not self._is_nonnegative(size)}
        return True

    def _ends(self, size: Size, name: str, extent: Size) -> list[Size]:
        """A size at the end of a loop where it is least; at both where that is not known."""
        slope, rest = size.split(name) or (ONE, size)
        if self._is_nonnegative(slope):
            return [slope + rest]
        return [slope * extent + rest] if self._is_nonnegative(-slope) else [slope + rest, slope * extent + rest]

    def _is_nonnegative(self, size: Size) -> bool:
        """Whether a size is, whatever the lengths and coordinates of the loops are, which are 1 at the least."""
        names = {name for loop, length in self._loops().items() for name in (loop, *length.names())}
        names.add(self._name("period"))
        above = size.substitute({name: Size.of(name) + 1 for name in names})
        return above.names() <= names and all(factor >= 0 for factor in above.terms.values())

    def _written_out(self, nest: Nest, length: int) -> Nest:
        """A nest whose periods are so short: one loop over them, with all places of one written out."""
        (turn, turns), (block, blocks), (place, width) = self._loops().items()
        known = dict.fromkeys((block, *blocks.names()), ONE)
        known |= dict.fromkeys((self._name("period"), *width.names()), Size.of(length))
        one = replace(nest, iterators=(*nest.iterators[:-1], turn), extents=(*nest.extents[:-1], turns))
        made = [Rewriter(known | {place: Size.of(k)}).step(one) for k in range(1, length + 1)]
        parts = [part for part in made if isinstance(part, Nest)]
        targets = tuple(target for part in parts for target in part.targets)
        return replace(parts[0], targets=targets, values=tuple(value for part in parts for value in part.values))

    def _in_rows(self, nest: Nest) -> Each:
        """A nest over the places of a block, at each block; where a row of them begins has a name."""
        *outer, (place, width) = self._loops().items()
        around = [*zip(nest.iterators[:-1], nest.extents[:-1], strict=True), *outer]
        iterators = tuple(name for name, _ in around)
        starts: dict[Size, str] = {}

        def from_start(size: Size) -> Size:
            split = size.split(place)
            if split is None or split[1].names().isdisjoint(iterators):
                return size
            slope, start = split
            name = starts.setdefault(start, self._name(f"start {len(starts) + 1}"))
            return slope * Size.of(place) + Size.of(name)

        row = Rewriter(size=from_start).step(replace(nest, iterators=(place,), extents=(width,)))
        bindings = tuple(Bind(name, Index(start, column=INDEX)) for start, name in starts.items())
        return Each(iterators, tuple(extent for _, extent in around), (*bindings, row))
