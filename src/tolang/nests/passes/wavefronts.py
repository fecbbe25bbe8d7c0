"""Folds of scans whose elements depend on their neighbours go along diagonals, whose elements run side by side.

    repeat [i <= n]                                    repeat [t <= n + m + 1]
      row[1] = border                                    the first and the last element of the diagonal, from outside
      repeat [j <= m]                                    nest [q]
        row[j + 1] = f(state[j], state[j + 1], row[j])     table[t, i] = f(table[t-2, i-1], table[t-1, i-1], table[t-1, i])
      state[c] = row[c]

Diagonals lie one below the other, each by the row of its elements, so that all reads are of neighbours in memory.  Where
no states are kept three diagonals are held at a time.  Else all of them are, and are put into rows at the end, if
anything reads rows.  What is computed of the same neighbours, to be read by another such fold, as the slopes of a
gradient are, is computed beside each element and lies along diagonals, too.

The numbers are computed as before, in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.conditions import Condition, compare, junction
from tolang.ground.dataclasses import replace
from tolang.ground.sizes import ONE, ZERO, Size, extremum, floor_division
from tolang.ground.spaces import column
from tolang.nests.nest import Allocate, Bind, Branch, Buffer, Index, Load, Nest, Plan, Repeat, Scalar, Step
from tolang.nests.patterns.wavefront import Companion, Wavefront, companion_of, wavefront_of
from tolang.nests.rewriting import Rewriter, map_lists
from tolang.nests.traversal import bound_names, read_buffers, used_names, written_buffers

HELD = 3
"""How many diagonals are held where no states are kept: the one that is computed, and the two it reads."""
INDEX = column("Z")
Place = tuple[Buffer, tuple[Size, ...]]


def go_along_diagonals(plan: Plan) -> Plan:
    """A fold whose elements depend on neighbours goes along diagonals."""
    numbers, given = count(1), frozenset(one.name for buffers in plan.outputs for one in buffers)
    return map_lists(plan, lambda steps: _changed(steps, given, numbers))


def _changed(steps: tuple[Step, ...], given: frozenset[str], numbers: Iterator[int]) -> tuple[Step, ...]:
    """A list of steps with its folds along diagonals; buffers that are `given` are read elsewhere, too."""
    made, skewed, rest = list[Step](), set[str](), steps
    own = frozenset(step.buffer.name for step in steps if isinstance(step, Allocate)) - given
    while rest:
        step, rest = rest[0], rest[1:]
        found = wavefront_of(step) if isinstance(step, Repeat) else None
        if found is None or not (found.is_dear or skewed & read_buffers(step)):
            made.append(step)
            continue
        companions = [one for one in _companions(found, rest) if _targets(one) <= own]
        skewed.update(*map(_targets, companions))
        diagonals = _Diagonals(found, companions, next(numbers))
        rest = diagonals.read_by(rest, own)
        made.extend(diagonals.steps())
        made.extend(diagonals.rows({name for name in diagonals.tables if _is_read(name, rest, own)}))
    return tuple(made) if made != list(steps) else steps


def _is_read(name: str, rest: tuple[Step, ...], own: frozenset[str]) -> bool:
    return name not in own or any(name in read_buffers(step) for step in rest)


def _targets(companion: Companion) -> frozenset[str]:
    return frozenset(buffer.name for buffer, _ in companion.nest.targets)


def _companions(found: Wavefront, rest: tuple[Step, ...]) -> Iterator[Companion]:
    """Nests that can be computed beside the elements of a wavefront, and are read by other wavefronts alone."""
    for place, step in enumerate(rest):
        companion = companion_of(found, step) if isinstance(step, Nest) else None
        if companion is not None and not _depends(companion.nest, rest[:place]):
            targets = _targets(companion)
            others = [one for one in rest if one is not step and targets & (read_buffers(one) | written_buffers(one))]
            if all(isinstance(one, Repeat) and _is_reading(one, targets) for one in others):
                yield companion


def _depends(nest: Nest, before: tuple[Step, ...]) -> bool:
    reads, names = read_buffers(nest), used_names(nest)
    return any(reads & written_buffers(step) or names & bound_names(step) for step in before)


def _is_reading(repeat: Repeat, buffers: frozenset[str]) -> bool:
    return wavefront_of(repeat) is not None and not buffers & written_buffers(repeat)


class _Diagonals:
    """A wavefront on its way: the element in row i and column j is on diagonal i + j, states in row 0 before the first.

    Columns count from 1, where the border is.  The state after row i is on the diagonals of that row.
    """

    def __init__(self, found: Wavefront, companions: list[Companion], number: int) -> None:
        self.found, self.columns, self.companions = found, found.columns, companions
        self.names = [f"{one} {number}" for one in ("diagonal", "from", "to", "along")]
        self.diagonal, low, _, along = map(Size.of, self.names)
        self.down = along + low - 1
        lengths = (found.rows + self.columns + 1, extremum("min", (found.rows, self.columns)) + 1)
        shape = lengths if found.is_kept else (Size.of(HELD), found.rows + 1)
        table = Buffer(f"diagonals {number}_1.1", found.row.column, shape)
        other = table if found.is_copied else Buffer(f"diagonals {number}_1.2", found.state.column, shape)
        self.tables = {found.row.name: table, found.state.name: other}
        self.beside = {b.name: replace(b, shape=lengths) for one in companions for b, _ in one.nest.targets}
        self.beside_of = {b.name: one for one in companions for b, _ in one.nest.targets}

    # Where things lie

    def _at(self, diagonal: Size, down: Size) -> tuple[Size, Size]:
        """Where the element of a row on a diagonal lies, counted from the first row that the diagonal has."""
        if not self.found.is_kept:
            number = diagonal - 1 + HELD  # counted from diagonals that there are not, to be at least 0
            return number - floor_division(number, Size.of(HELD)) * HELD + 1, down + 1
        return diagonal, down + 1 - extremum("max", (ZERO, diagonal - self.columns - 1))

    def _of_row(self, row: Size, place: Size) -> tuple[Size, Size]:
        return self._at(row + place, row)

    def _of_state(self, row: Size, place: Size) -> tuple[Size, Size]:
        return self._at(row - 1 + self.found.in_state(place), row - 1)

    def _moved(self, scalar: Scalar) -> Scalar | None:
        """What is read of rows, states and companions, read along diagonals."""
        if not isinstance(scalar, Load):
            return None
        name = scalar.buffer.name
        if name in self.beside:
            down, across = self.beside_of[name].element(self.found, scalar.indices)
            return replace(scalar, buffer=self.beside[name], indices=self._of_row(down, across + 1))
        if name not in self.tables:
            return None
        row, place = scalar.indices if len(scalar.indices) == 2 else (Size.of(self.found.down), *scalar.indices)
        at = self._of_row(row, place) if name == self.found.row.name else self._of_state(row, place)
        return replace(scalar, buffer=self.tables[name], indices=at)

    def _rewritten(self, scalar: Scalar, names: dict[str, Size]) -> Scalar:
        return Rewriter(names).scalar(Rewriter(rule=self._moved).scalar(scalar))

    # What reads them afterwards

    def read_by(self, rest: tuple[Step, ...], own: frozenset[str]) -> tuple[Step, ...]:
        """Later steps, which read companions, and states of which they need one element, along diagonals."""
        nests = {one.nest for one in self.companions}
        left = [one for one in rest if one not in nests and not self.beside.keys() & {b.name for b in _made(one)}]
        state = self.found.state.name
        readers = [one for one in left if state in read_buffers(one)]
        alone = state in own and all(isinstance(one, Nest) and not one.iterators for one in readers)
        moved = self.beside.keys() | ({state} if self.found.is_kept and alone else set())
        rewriter = Rewriter(
            rule=lambda one: self._moved(one) if isinstance(one, Load) and one.buffer.name in moved else None
        )
        return tuple(rewriter.step(one) for one in left)

    def rows(self, read: set[str]) -> Iterator[Step]:
        """The rows and states of the diagonals, where they are `read`."""
        found, down, place = self.found, Size.of(self.found.down), Size.of(self.found.place)
        goals = [(found.row, down)] * found.keeps_rows + [(found.state, down + 1)] * found.is_kept
        for buffer, row in goals:
            if buffer.name in read:
                value = self._rewritten(Load(buffer, (row, place), column=buffer.column), {})
                extents = self.found.rows, self.columns + 1
                yield Nest((found.down, found.place), extents, ((buffer, (row, place)),), (value,), "row")

    # The loop

    def steps(self) -> tuple[Step, ...]:
        """Buffers, and the repetition."""
        buffers = [*dict.fromkeys(self.tables.values()), *self.beside.values()]
        loop = Repeat((self.names[0],), (self.found.rows + self.columns + 1,), self._diagonal())
        return (*map(Allocate, buffers), loop)

    def _diagonal(self) -> tuple[Step, ...]:
        _, low, high, along = self.names
        ends = {
            low: extremum("max", (ONE, self.diagonal - self.columns - 1)),
            high: extremum("min", (self.found.rows, self.diagonal - 2)),
        }
        binds = [Bind(name, Index(end, column=INDEX)) for name, end in ends.items()]
        steps = [*self._border(), *binds, self._elements(along, Size.of(high) - Size.of(low) + 1)]
        if not self.found.is_kept:
            steps.append(self._last())
        elif not self.found.is_copied:
            last = extremum("min", (self.found.rows, self.diagonal - 1))
            steps.append(self._following(along, last - Size.of(low) + 1))
        return tuple(steps)

    def _elements(self, along: str, extent: Size) -> Nest:
        """The elements of a diagonal, and what is computed beside them."""
        found, own = self.found, self._at(self.diagonal, self.down)
        names = {found.down: self.down, found.across: self.diagonal - self.down - 1}
        targets, values = [(self.tables[found.row.name], own)], [self._rewritten(found.step, names)]
        for one in self.companions:
            at = [index.substitute(names) for index in one.coordinates]
            values += [self._rewritten(v, dict(zip(one.nest.iterators, at, strict=True))) for v in one.nest.values]
            targets += [(self.beside[buffer.name], own) for buffer, _ in one.nest.targets]
        return Nest((along,), (extent,), tuple(targets), tuple(values), "diagonal")

    def _following(self, along: str, extent: Size) -> Nest:
        """The states on a diagonal."""
        found = self.found
        names = {found.down: self.down, found.place: found.in_state(self.diagonal - self.down)}
        goal = self.tables[found.state.name], self._at(self.diagonal, self.down)
        return Nest((along,), (extent,), (goal,), (self._rewritten(found.following, names),), "diagonal")

    def _border(self) -> list[Step]:
        """The elements of a diagonal in row 0 and in the first column."""
        found, state = self.found, self.found.state
        at = found.in_state(self.diagonal)
        above = (ONE, at) if found.is_kept else (at,)
        top = _element(
            (self.tables[state.name], self._at(self.diagonal, ZERO)), Load(state, above, column=state.column)
        )
        row = self.diagonal - 1
        value = Rewriter({found.down: row}).scalar(found.border)
        side = _element((self.tables[found.row.name], self._at(self.diagonal, row)), value)
        inside = junction("and", [_at_most(ONE, row), _at_most(row, found.rows)])
        return [Branch(_at_most(row, self.columns), (), (top,), ()), Branch(inside, (), (side,), ())]

    def _last(self) -> Step:
        """What is left of a diagonal where no states are kept: the element of the last row."""
        rows, state = self.found.rows, self.found.state
        table = self.tables[state.name]
        last = Load(table, self._at(self.diagonal, rows), column=table.column)
        there = junction("and", [_at_most(ONE, rows), _at_most(rows, self.diagonal - 1)])
        return Branch(there, (), (_element((state, (self.diagonal - rows,)), last),), ())


def _element(target: Place, value: Scalar) -> Nest:
    return Nest((), (), (target,), (value,), "diagonal")


def _made(step: Step) -> tuple[Buffer, ...]:
    return (step.buffer,) if isinstance(step, Allocate) else ()


def _at_most(one: Size, other: Size) -> Condition:
    return compare("<=", one, other)
