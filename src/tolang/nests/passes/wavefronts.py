"""Folds of scans whose elements depend on their neighbours go along diagonals, whose elements run side by side.

    repeat [i <= n]                                    repeat [d <= n + m + 1]
      row[1] = border                                    the first and the last element of the diagonal, from outside
      repeat [j <= m]                                    nest [q]
        row[j + 1] = f(state[j], state[j + 1], row[j])     ring[d, i+1] = f(ring[d-2, i], ring[d-1, i], ring[d-1, i+1])
      state[c] = row[c]

Three diagonals are held at a time, each by the row of its elements, so that all reads are of neighbours in memory.  The
numbers are computed as before, in another order.
"""

from __future__ import annotations

from itertools import count

from tolang.ground.conditions import Condition, compare, junction
from tolang.ground.sizes import Size, extremum, floor_division
from tolang.ground.spaces import column
from tolang.nests.nest import Allocate, Bind, Branch, Buffer, Index, Load, Nest, Plan, Repeat, Scalar, Step
from tolang.nests.patterns.wavefront import Wavefront, wavefront_of
from tolang.nests.rewriting import Rewriter, map_lists

HELD = 3
"""How many diagonals are held: the one that is computed, and the two it reads."""
INDEX = column("Z")


def go_along_diagonals(plan: Plan) -> Plan:
    """A fold whose elements depend on neighbours goes along diagonals."""
    numbers = count(1)

    def changed(step: Step) -> tuple[Step, ...]:
        found = wavefront_of(step) if isinstance(step, Repeat) else None
        return (step,) if found is None else _Diagonals(found, next(numbers)).steps()

    return map_lists(plan, lambda steps: tuple(made for step in steps for made in changed(step)))


class _Diagonals:
    """A wavefront on its way: element (i, j) is on diagonal i + j; row 0 and column 0 are the border."""

    def __init__(self, found: Wavefront, number: int) -> None:
        self.found, self.rows, self.columns = found, found.rows, found.columns
        self.names = [f"{one} {number}" for one in ("diagonal", "from", "to", "along")]
        counter, low, _, along = map(Size.of, self.names)
        self.diagonal, self.down = counter - 1, along + low - 1
        self.ring = Buffer(f"diagonals {number}_1.1", found.row.column, (Size.of(HELD), self.rows + 1))

    def steps(self) -> tuple[Step, ...]:
        counter, low, high, along = self.names
        ends = (
            extremum("max", (Size.of(1), self.diagonal - self.columns)),
            extremum("min", (self.rows, self.diagonal - 1)),
        )
        binds = [Bind(name, Index(end, column=INDEX)) for name, end in zip((low, high), ends, strict=True)]
        extent = Size.of(high) - Size.of(low) + 1
        inside = Nest((along,), (extent,), ((self.ring, self._place(0, 0)),), (self._element(),), "diagonal")
        steps = (*self._border(), *binds, inside, self._result(along, extent))
        loop = Repeat((counter,), (self.rows + self.columns + 1,), steps)
        return Allocate(self.ring), loop

    def _place(self, ago: int, above: int) -> tuple[Size, ...]:
        """Where the element is that is so many diagonals ago, and so many rows above."""
        return self._slot(ago), self.down + 1 - above

    def _slot(self, ago: int) -> Size:
        number = self.diagonal - ago + HELD  # counted from diagonals that there are not, to be at least 0
        return number - floor_division(number, Size.of(HELD)) * HELD + 1

    def _element(self) -> Scalar:
        found, across = self.found, Size.of(self.found.across)
        places = {
            (found.row.name, (across,)): self._place(1, 0),
            (found.state.name, found.before(across)): self._place(2, 1),
            (found.state.name, found.before(across + 1)): self._place(1, 1),
        }

        def rule(scalar: Scalar) -> Scalar | None:
            place = places.get((scalar.buffer.name, scalar.indices)) if isinstance(scalar, Load) else None
            return None if place is None else Load(self.ring, place, column=scalar.column, span=scalar.span)

        names = {found.down: self.down, found.across: self.diagonal - self.down}
        return Rewriter(names, rule).scalar(found.step)

    def _border(self) -> list[Step]:
        """The elements of a diagonal in row 0 and in column 0."""
        found, state = self.found, self.found.state
        above = (Size.of(1), self.diagonal + 1) if found.is_kept else (self.diagonal + 1,)
        top = _element((self.ring, (self._slot(0), Size.of(1))), Load(state, above, column=state.column))
        value = Rewriter({found.down: self.diagonal}).scalar(found.border)
        side = [_element((self.ring, (self._slot(0), self.diagonal + 1)), value)]
        if found.is_kept:
            side.append(_element((state, (self.diagonal + 1, Size.of(1))), value))
        inside = junction("and", [_at_most(Size.of(1), self.diagonal), _at_most(self.diagonal, self.rows)])
        return [
            Branch(_at_most(self.diagonal, self.columns), (), (top,), ()),
            Branch(inside, (), tuple(side), ()),
        ]

    def _result(self, along: str, extent: Size) -> Step:
        """What is left of a diagonal: all its elements where rows are kept, or the one of the last row."""
        state, shared = self.found.state, self.ring.column
        if self.found.is_kept:
            goal = state, (self.down + 1, self.diagonal - self.down + 1)
            value = Load(self.ring, self._place(0, 0), column=shared)
            return Nest((along,), (extent,), (goal,), (value,), "row")
        last = Load(self.ring, (self._slot(0), self.rows + 1), column=shared)
        there = junction("and", [_at_most(Size.of(1), self.rows), _at_most(self.rows, self.diagonal)])
        return Branch(there, (), (_element((state, (self.diagonal - self.rows + 1,)), last),), ())


def _element(target: tuple[Buffer, tuple[Size, ...]], value: Scalar) -> Nest:
    return Nest((), (), (target,), (value,), "diagonal")


def _at_most(one: Size, other: Size) -> Condition:
    return compare("<=", one, other)
