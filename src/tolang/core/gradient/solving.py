"""For each coordinate of a ToL, the steps of the iterators around that read it: coordinates solved for iterators.

`x[i + k - 1]` is read at `p` by `i = p - k + 1`, for every k for which that is a step of i: a sum over k with a guard.
With a stride, `x[2*i + k - 2]`, every second k only: `k = (p mod 2) + 2*t`, a sum over t.  Where k has a weight, p is
split in two phases, so that the sums of all p in one phase have the same weights; of three k, one phase has two and the
other one.  Quotients and remainders split the
iterator in two first.  What is left depends on data, or on products of iterators: such a coordinate has no
solution, and the place is written to.
"""

from __future__ import annotations

from tolang.core.gradient.frames import LoopFrame
from tolang.core.gradient.names import NameSource
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.conditions import Choice, Condition, compare
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import Extremum, Interned, Quotient, Size, floor_division, with_atom

MOST_PHASES = 4
"""How many phases there are at the most whose sums have lengths of their own."""


@dataclass(frozen=True, slots=True)
class Phases:
    """A target told by two iterators: its phase, of so many, and its place among the targets in that phase."""

    phase: LoopFrame
    place: LoopFrame
    phase_of: Size
    place_of: Size
    target: Size
    """What a phase and a place tell, which need not be there."""
    alike: bool
    """Whether the sums of all phases have as many terms."""


@dataclass(slots=True)
class Solution:
    """Solved iterators as sizes of targets and of the loops left, each under guards.

    `fixed` coordinates depend on no loop that is left; `places` have no solution.  Sizes and guards use `phases`
    instead of the target of a dimension that has them.
    """

    sizes: dict[str, Size] = field(default_factory=dict)
    loops: list[LoopFrame] = field(default_factory=list)
    guards: list[tuple[str, Condition]] = field(default_factory=list)
    places: dict[int, Size] = field(default_factory=dict)
    fixed: dict[int, Size] = field(default_factory=dict)
    phases: dict[int, Phases] = field(default_factory=dict)

    @property
    def targets(self) -> dict[str, Size]:
        """Phases and places as sizes of the targets that they tell."""
        phases = self.phases.values()
        return {one.phase.iterator: one.phase_of for one in phases} | {
            one.place.iterator: one.place_of for one in phases
        }


def first_choice(sizes: tuple[Size, ...]) -> tuple[Condition, tuple[Size, ...], tuple[Size, ...]] | None:
    """A case distinction among sizes, and the sizes in both cases; None where they have none."""
    for size in sizes:
        for atom in (a for monomial in size.terms for a in monomial):
            match atom:
                case Choice(condition=condition, then=then, otherwise=otherwise):
                    pass
                case Extremum(kind=kind, sizes=(then, *rest)):
                    otherwise = rest[0] if len(rest) == 1 else Size.atom(Extremum(kind, tuple(rest)))
                    condition = compare("<=" if kind == "min" else ">=", then, otherwise)
                case _:
                    continue
            cases = (tuple(with_atom(s, atom, branch) for s in sizes) for branch in (then, otherwise))
            return condition, next(cases), next(cases)
    return None


class Solver:
    """Solves the coordinates of one read.

    `data` are names whose values depend on data read inside the loops, `known` those of data read outside them, and
    `weighing` iterators that a factor of what is summed depends on.
    """

    def __init__(
        self,
        loops: list[LoopFrame],
        data: set[str],
        known: set[str],
        weighing: set[str],
        ranges: Ranges,
        names: NameSource,
    ) -> None:
        self.loops, self.data, self.known, self.ranges, self.names = list(loops), data, known, ranges, names
        self.weighing = weighing
        self.found = Solution()

    def solve(self, coordinates: tuple[Size, ...], targets: tuple[LoopFrame, ...]) -> Solution:
        """The solution; a target for each coordinate, which only those that are solved use."""
        open_ = {d: c for d, c in enumerate(coordinates) if not c.names() & self.data}
        self.found.places = {d: c for d, c in enumerate(coordinates) if d not in open_}
        open_ = self._without_quotients(open_)
        while open_:
            dimension = min(open_, key=lambda d: (self._rank(open_[d]), d))
            coordinate = open_.pop(dimension)
            if not self._iterators(coordinate):
                kind = self.found.places if coordinate.names() & self.known else self.found.fixed
                kind[dimension] = coordinate
            elif not self._one(dimension, coordinate, targets[dimension]):
                self.found.places[dimension] = coordinate
            open_ = {d: c.substitute(self.found.sizes) for d, c in open_.items()}
        for place in range(len(self.loops)):
            if self._falls(self.loops[place]):
                self._turn(place)
        self.found.places = {d: self._resolved(c) for d, c in self.found.places.items()}
        self.found.loops = self.loops
        self.found.guards = [(name, guard.substitute(self.found.sizes)) for name, guard in self.found.guards]
        return self.found

    def _resolved(self, size: Size) -> Size:
        return size.substitute(self.found.sizes)

    def _iterators(self, size: Size) -> list[LoopFrame]:
        return [loop for loop in self.loops if loop.iterator in size.names()]

    def _rank(self, size: Size) -> int:
        """Coordinates that are one iterator come first, those of most iterators last."""
        return len(self._iterators(size))

    def _without_quotients(self, coordinates: dict[int, Size]) -> dict[int, Size]:
        """The coordinates with iterators split in two where a quotient of them occurs."""
        for _ in range(8):
            found = next((q for c in coordinates.values() for q in self._quotients(c)), None)
            if found is None:
                break
            atom, loop = found
            outer = self._split(atom, loop)
            swapped = {d: with_atom(c, atom, outer) for d, c in coordinates.items()}
            coordinates = {d: self.ranges.simplify(self._resolved(c)) for d, c in swapped.items()}
        return coordinates

    def _quotients(self, size: Size) -> list[tuple[Interned, LoopFrame]]:
        """Quotients of one iterator plus what is fixed, by what is fixed."""
        found: list[tuple[Interned, LoopFrame]] = []
        for atom in (a for monomial in size.terms for a in monomial):
            if not isinstance(atom, Quotient) or self._iterators(atom.denominator):
                continue
            inside = self._iterators(atom.numerator)
            split = atom.numerator.split(inside[0].iterator) if len(inside) == 1 else None
            if split is not None and split[0].is_constant(1) and self.ranges.proves_nonnegative(atom.denominator - 1):
                found.append((atom, inside[0]))
        return found

    def _split(self, atom: Interned, loop: LoopFrame) -> Size:
        """Replaces an iterator by two, of which the first is the quotient, and the second what remains of it."""
        assert isinstance(atom, Quotient)
        split = atom.numerator.split(loop.iterator)
        assert split is not None
        rest, divisor = split[1], atom.denominator
        first = self.ranges.simplify(floor_division(rest + 1, divisor))
        last = floor_division(loop.extent + rest, divisor)
        outer = LoopFrame(self.names.fresh(loop.iterator), last - first + 1)
        inner = LoopFrame(self.names.fresh(loop.iterator), divisor)
        position = self.loops.index(loop)
        self.loops[position : position + 1] = [outer, inner]
        for one in (outer, inner):
            self.ranges.declare(one.iterator, Size.of(1), one.extent)
        quotient = first + Size.of(outer.iterator) - 1
        self._settle(loop, divisor * quotient + Size.of(inner.iterator) - 1 - rest)
        return quotient

    def _settle(self, loop: LoopFrame, value: Size) -> None:
        """An iterator is solved: it is a size, where that is one of its steps."""
        self.found.sizes = {n: s.substitute({loop.iterator: value}) for n, s in self.found.sizes.items()}
        self.found.sizes[loop.iterator] = value
        self.loops = [
            LoopFrame(one.iterator, one.extent.substitute({loop.iterator: value}))
            for one in self.loops
            if one.iterator != loop.iterator
        ]
        for guard in (compare(">=", value, Size.of(1)), compare("<=", value, loop.extent)):
            if not self.ranges.proves(guard):
                self.found.guards.append((loop.iterator, guard))

    def _falls(self, loop: LoopFrame) -> bool:
        """Whether solved iterators fall as the steps of a loop rise, whose length depends on no other's steps."""
        sizes = [size for size in self.found.sizes.values() if loop.iterator in size.names()]
        splits = [size.split(loop.iterator) for size in sizes]
        if not splits or any(split is None or split[0].constant != -1 for split in splits):
            return False
        lengths = [one.extent for one in self.loops]
        return not self._iterators(loop.extent) and all(loop.iterator not in one.names() for one in lengths)

    def _turn(self, place: int) -> None:
        """Takes the steps of a loop in the opposite order: what is read by solved iterators is read as memory lies."""
        loop = self.loops[place]
        turned = LoopFrame(self.names.fresh(loop.iterator), loop.extent)
        self.loops[place] = turned
        self.ranges.declare(turned.iterator, Size.of(1), turned.extent)
        self.loops.append(loop)
        self._settle(loop, loop.extent + 1 - Size.of(turned.iterator))

    def _one(self, dimension: int, coordinate: Size, among: LoopFrame) -> bool:
        """Solves one coordinate for an iterator, if it can be."""
        target = Size.of(among.iterator)
        loops = self._iterators(coordinate)
        slopes: dict[str, Size] = {}
        for loop in loops:
            split = coordinate.split(loop.iterator)
            if split is None or self._iterators(split[0]):
                return False
            slopes[loop.iterator] = split[0]
        units = [loop for loop in loops if slopes[loop.iterator].constant in (1, -1)]
        others = [loop for loop in loops if loop not in units and self._is_stride(slopes[loop.iterator])]
        units, others = ([loop for loop in some if self._may_go(loop, loops)] for some in (units, others))
        if units and others and loops.index(others[0]) < loops.index(units[-1]):
            self._by_residues(dimension, coordinate, among, units[-1], others[0], slopes)
        elif units:
            slope = slopes[units[0].iterator]
            rest = coordinate - slope * Size.of(units[0].iterator)
            self._settle(units[0], slope * (target - rest))
        elif others:
            slope = slopes[others[0].iterator]
            rest = coordinate - slope * Size.of(others[0].iterator)
            value = floor_division(target - rest, slope)
            self.found.guards.append((others[0].iterator, compare("==", slope * value + rest, target)))
            self._settle(others[0], value)
        else:
            return False
        return True

    def _may_go(self, loop: LoopFrame, among: list[LoopFrame]) -> bool:
        """Whether no length of a loop would depend on that loop's own steps once another is solved by it."""
        others = {one.iterator for one in among if one.iterator != loop.iterator}
        lengths = [one for one in self.loops if loop.iterator in one.extent.names()]
        inside = {one.iterator for first in lengths for one in self.loops[self.loops.index(first) :]}
        return not others & inside

    def _is_stride(self, slope: Size) -> bool:
        """Whether a slope is surely not 0."""
        return self.ranges.proves_nonnegative(slope - 1) or self.ranges.proves_nonnegative(-slope - 1)

    def _by_residues(
        self,
        dimension: int,
        coordinate: Size,
        among: LoopFrame,
        unit: LoopFrame,
        other: LoopFrame,
        slopes: dict[str, Size],
    ) -> None:
        """`k + s*o + rest = p`: the k that are p - rest modulo s, each with its o, by an iterator t that counts them.

        Counted from 0, and with the sign of k's slope moved to the others: k = (u mod s) + s*t, o = u // s - t.
        """
        sign, stride = slopes[unit.iterator], slopes[other.iterator] * slopes[unit.iterator]
        rest = coordinate - slopes[unit.iterator] * Size.of(unit.iterator)
        rest = rest - slopes[other.iterator] * Size.of(other.iterator)
        rising = self.ranges.proves_nonnegative(stride - 1)
        step = stride if rising else -stride
        above = sign * (Size.of(among.iterator) - rest) - 1 - stride
        whole = floor_division(above, step)
        left = above - step * whole
        most = unit.extent
        if unit.iterator in self.weighing and not self._iterators(rest) and sign.constant == 1:
            alike = not _differ(unit.extent, step)
            left, whole = self._phases(dimension, among, above, step, alike)
            most = most if alike else most - left
        count = LoopFrame(self.names.fresh("t"), floor_division(most + step - 1, step))
        self.loops[self.loops.index(unit)] = count
        self.ranges.declare(count.iterator, Size.of(1), count.extent)
        turn = Size.of(count.iterator) - 1
        self.loops.append(unit)
        self._settle(unit, left + step * turn + 1)
        self._settle(other, (whole - turn if rising else turn - whole) + 1)

    def _phases(self, dimension: int, among: LoopFrame, above: Size, step: Size, alike: bool) -> tuple[Size, Size]:
        """The rest and the quotient, by a step, of what rises with a target, told by iterators of their own.

        These are the rest and the quotient themselves; where each of two phases is computed by itself they are those of
        the target, of which none then has more than half: the rest of the one is the other's.
        """
        target, phase = Size.of(among.iterator), LoopFrame(self.names.fresh("r"), step)
        found = (above - target + 1).constant
        ahead = found if isinstance(found, int) else 0
        turned = not alike and step.is_constant(2) and ahead % 2 == 1
        rising = target - 1 if turned else above
        first, last = (
            floor_division(rising.substitute({among.iterator: end}), step) for end in (Size.of(1), among.extent)
        )
        place = LoopFrame(self.names.fresh(among.iterator), last - first + 1)
        for one in (phase, place):
            self.ranges.declare(one.iterator, Size.of(1), one.extent)
        whole = floor_division(rising, step)
        left, quotient = Size.of(phase.iterator) - 1, first + Size.of(place.iterator) - 1
        told = step * quotient + left - (rising - target)
        self.found.phases[dimension] = Phases(phase, place, rising - step * whole + 1, whole - first + 1, told, alike)
        return (1 - left, quotient + left + (ahead - 1) // 2) if turned else (left, quotient)


def _differ(length: Size, step: Size) -> bool:
    """Whether the phases of a few steps surely have different parts of a length."""
    count, phases = length.constant, step.constant
    return isinstance(count, int) and isinstance(phases, int) and 1 < phases <= MOST_PHASES and count % phases != 0
