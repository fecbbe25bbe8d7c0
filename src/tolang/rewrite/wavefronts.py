"""Folds of scans whose elements depend on their neighbours go along diagonals, whose elements run side by side.

    repeat [i <= n]                                    repeat [t <= n + m + 1]
      row[1] = border                                    the first and the last element of the diagonal, from outside
      repeat [j <= m]                                    nest [q]
        row[j + 1] = f(state[j], state[j + 1], row[j])     all[t, i] = f(all[t-2, i-1], all[t-1, i-1], all[t-1, i])
      state[c] = row[c]

Diagonals lie one below the other, each by the row of its elements, so that all reads are of neighbours in memory.
Where no states are kept three diagonals are held at a time.  Else all of them are, and are put into rows at the end,
if anything reads rows.  What is computed of the same neighbours, to be read by another such fold, as the slopes of a
gradient are, is computed beside each element and lies along diagonals, too.

The numbers are computed as before, in another order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import FALSE, TRUE, Condition, choice, compare, junction, negation
from tolang.ground.symbolic.sizes import ONE, ZERO, Size, extremum, floor_division
from tolang.ground.values.spaces import column
from tolang.idioms.wavefront import Companion, Wavefront, companion_of, wavefront_of
from tolang.plan.nest import Allocate, Bind, Branch, Buffer, Each, Index, Load, Nest, Plan, Repeat, Scalar, Step
from tolang.plan.rewriting import Rewriter, map_lists
from tolang.plan.traversal import bound_names, read_buffers, used_buffers, used_names, written_buffers
from tolang.plan.uses import allocations, buffers_read

HELD = 3
"""How many diagonals are held where no states are kept: the one that is computed, and the two it reads."""
INDEX = column("Z")
Place = tuple[Buffer, tuple[Size, ...]]


def go_along_diagonals(plan: Plan) -> Plan:
    """A fold whose elements depend on neighbours goes along diagonals."""
    numbers, outputs = count(1), plan.output_names
    return map_lists(plan, lambda steps: _changed(steps, outputs, numbers))


def _changed(steps: tuple[Step, ...], given: frozenset[str], numbers: Iterator[int]) -> tuple[Step, ...]:
    """A list of steps with its folds along diagonals; buffers that are `given` are read elsewhere, too."""
    made, skewed, rest = list[Step](), set[str](), steps
    own = frozenset(allocations(steps)) - given
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
        made.extend(diagonals.rows({name for name in diagonals.own if _is_read(name, rest, own)}))
    return tuple(made) if made != list(steps) else steps


def _is_read(name: str, rest: tuple[Step, ...], own: frozenset[str]) -> bool:
    return name not in own or name in buffers_read(rest)


def _targets(companion: Companion) -> frozenset[str]:
    return frozenset(buffer.name for buffer, _ in companion.nest.targets)


def _companions(found: Wavefront, rest: tuple[Step, ...]) -> Iterator[Companion]:
    """Nests that can be computed beside the elements of a wavefront, and are read by other wavefronts alone."""
    for place, step in enumerate(rest):
        companion = companion_of(found, step) if isinstance(step, Nest) else None
        if companion is not None and not _depends(companion.nest, rest[:place]):
            targets = _targets(companion)
            others = [one for one in rest if one is not step and targets & used_buffers(one)]
            if all(isinstance(one, Repeat) and _is_reading(one, targets) for one in others):
                yield companion


def _depends(nest: Nest, before: tuple[Step, ...]) -> bool:
    reads, names = read_buffers(nest), used_names(nest)
    return any(reads & written_buffers(step) or names & bound_names(step) for step in before)


def _is_reading(repeat: Repeat, buffers: frozenset[str]) -> bool:
    return wavefront_of(repeat) is not None and not buffers & written_buffers(repeat)


class _Diagonals:
    """A wavefront on its way: the element in row i and column j is on diagonal i + j.

    Columns count from 1, where the border is.  Where rows are states as they are, row 0 is the state before the first;
    else what is read of a state is computed where it is read, of the row before, and in the first row read outside.
    """

    def __init__(self, found: Wavefront, companions: list[Companion], number: int) -> None:
        self.found, self.columns, self.companions = found, found.columns, companions
        self.names = [f"{one} {number}" for one in ("diagonal", "from", "to", "along")]
        self.diagonal, low, _, along = map(Size.of, self.names)
        self.down = along + low - 1
        ends = found.rows, self.columns
        self.lines = extremum("max", ends) + 1
        lengths = self.lines, extremum("min", ends) + 1
        shape = lengths if found.is_kept else (Size.of(HELD), found.rows + 1)
        self.table = Buffer(f"diagonals {number}_1.1", found.row.column, shape)
        self.own = {found.row.name, found.state.name}
        self.beside = {b.name: replace(b, shape=lengths) for one in companions for b, _ in one.nest.targets}
        self.beside_of = {b.name: one for one in companions for b, _ in one.nest.targets}

    # Where things lie

    def _at(self, row: Size, column: Size) -> tuple[Size, Size]:
        """Where the element of a row and a column lies: in the line of its diagonal, and where in that.

        The last diagonals are in the lines of the first ones, behind them: together they are as long as the others.
        """
        diagonal = row + column
        if not self.found.is_kept:
            number = diagonal - 1 + HELD  # counted from diagonals that there are not, to be at least 0
            return number - floor_division(number, Size.of(HELD)) * HELD + 1, row + 1
        more = self.found.rows - self.columns
        line = choice(compare("<=", diagonal, self.lines), diagonal, diagonal - self.lines)
        return line, row + 1 - extremum("max", (ZERO, extremum("min", (diagonal - self.columns - 1, more))))

    def _moved(self, scalar: Scalar) -> Scalar | None:
        """What is read of rows, of states that are rows, and of companions, read along diagonals."""
        if not isinstance(scalar, Load):
            return None
        name, found = scalar.buffer.name, self.found
        if name in self.beside:
            down, across = self.beside_of[name].element(found, scalar.indices)
            return replace(scalar, buffer=self.beside[name], indices=self._at(down, across + 1))
        if name not in self.own or (name == found.state.name and not found.is_copied):
            return None
        row, place = scalar.indices if len(scalar.indices) == 2 else (Size.of(found.down), *scalar.indices)
        at = self._at(row, place) if name == found.row.name else self._at(row - 1, place)
        return replace(scalar, buffer=self.table, indices=at)

    def _computed(self, scalar: Scalar) -> Scalar | None:
        """What is read of a state that is no row, computed of the row before."""
        if not isinstance(scalar, Load) or scalar.buffer.name != self.found.state.name:
            return None
        row, place = scalar.indices
        return Rewriter({self.found.down: row - 1, self.found.place: place}).scalar(self.found.following)

    def _value(self, scalar: Scalar, names: dict[str, Size], is_first: bool = False, inside: bool = False) -> Scalar:
        """A scalar along diagonals, with names replaced; in the first row, or `inside` the first and last column."""
        if not self.found.is_copied and not is_first:
            scalar = Rewriter(rule=self._computed).scalar(scalar)
        moved = Rewriter(rule=self._moved, condition=self._inside if inside else None).scalar(scalar)
        return Rewriter(names).scalar(moved)

    def _inside(self, condition: Condition) -> Condition:
        """A condition on the column of a step that is neither the first nor the last, decided where that tells."""
        if condition.kind == "not":
            return negation(self._inside(condition.parts[0]))
        if condition.parts:
            return junction(condition.kind, [self._inside(part) for part in condition.parts])
        split = condition.size.split(self.found.across) if condition.size is not None else None
        slope = None if split is None or condition.kind != "nonnegative" else split[0].constant
        if not slope:
            return condition
        ends = [condition.substitute({self.found.across: end}) for end in (ONE, self.columns - 1)]
        least, most = ends if slope > 0 else reversed(ends)
        return TRUE if least.constant is True else FALSE if most.constant is False else condition

    # What reads them afterwards

    def read_by(self, rest: tuple[Step, ...], own: frozenset[str]) -> tuple[Step, ...]:
        """Later steps, which read companions, and states of which they need one element, along diagonals."""
        nests = {one.nest for one in self.companions}
        left = [one for one in rest if one not in nests and not self.beside.keys() & {b.name for b in _made(one)}]
        state = self.found.state.name
        readers = [one for one in left if state in read_buffers(one)]
        alone = state in own and all(isinstance(one, Nest) and not one.iterators for one in readers)
        moved = self.beside.keys() | ({state} if self.found.is_kept and alone else set())

        def rule(scalar: Scalar) -> Scalar | None:
            return self._moved(scalar) if isinstance(scalar, Load) and scalar.buffer.name in moved else None

        return Rewriter(rule=rule).steps(tuple(left))

    def rows(self, read: set[str]) -> Iterator[Step]:
        """The rows and states of the diagonals, where they are `read`."""
        found, down, place = self.found, Size.of(self.found.down), Size.of(self.found.place)
        if found.keeps_rows and found.row.name in read:
            yield Each((found.down,), (found.rows,), tuple(self._row()))
        if found.is_kept and found.state.name in read:
            extents, goal = (found.rows, self.columns + 1), (found.state, (down + 1, place))
            yield Nest((found.down, found.place), extents, (goal,), (self._value(found.following, {}),), "row")

    def _row(self) -> Iterator[Step]:
        """A row of a table that is kept, piece by piece, so that each goes through memory by one distance.

        First come diagonals that begin in the first row, then those that begin in later ones, then those in lines of
        others.
        """
        found, down, place, wide = self.found, Size.of(self.found.down), Size.of(self.found.place), self.columns + 1
        diagonal, behind = down + place, extremum("max", (ZERO, found.rows - self.columns))
        begun = ZERO
        for number, (last, *at) in enumerate((
            (wide, diagonal, down + 1),
            (self.lines, diagonal, wide - place + 1),
            (found.rows + wide, diagonal - self.lines, down + 1 - behind),
        )):  # fmt: skip
            end = Size.of(f"{found.place} to {self.names[0]}, {number + 1}")
            yield Bind(str(end), Index(extremum("max", (begun, extremum("min", (wide, last - down)))), column=INDEX))
            here = {found.place: place + begun}
            value = Load(self.table, tuple(index.substitute(here) for index in at), column=found.row.column)
            goal = found.row, (down, place + begun)
            yield Nest((found.place,), (end - begun,), (goal,), (value,), "row")
            begun = end

    # The loop

    def steps(self) -> tuple[Step, ...]:
        """Buffers, and the repetition."""
        steps = self._among_states() if self.found.is_copied else self._among_rows()
        loop = Repeat((self.names[0],), (self.found.rows + self.columns + 1,), tuple(steps))
        return (*map(Allocate, (self.table, *self.beside.values())), loop)

    def _among_states(self) -> Iterator[Step]:
        """A diagonal where rows are states: what is in row 0 and in the first column, and all the rest."""
        found, state, row = self.found, self.found.state, self.diagonal - 1
        above = (ONE, self.diagonal) if found.is_kept else (self.diagonal,)
        yield from self._element(ZERO, [_at_most(row, self.columns)], Load(state, above, column=state.column))
        side = [_at_most(ONE, row), _at_most(row, found.rows)]
        yield from self._element(row, side, self._value(found.border, {found.down: row}))
        yield from self._elements(ONE, self.diagonal - self.columns - 1, inside=False)
        if not found.is_kept:
            last = Load(self.table, self._at(found.rows, self.diagonal - found.rows), column=self.table.column)
            goal = state, (self.diagonal - found.rows,)
            there = junction("and", [_at_most(ONE, found.rows), _at_most(found.rows, row)])
            yield Branch(there, (), (Nest((), (), (goal,), (last,), "diagonal"),), ())

    def _among_rows(self) -> Iterator[Step]:
        """A diagonal where states are computed of rows: its ends, in the first row and columns, and all the rest."""
        found, first, two = self.found, ONE, Size.of(2)
        column, row, last = self.diagonal - 1, self.diagonal - 1, self.diagonal - self.columns - 1
        some, top = _at_most(ONE, found.rows), {found.down: first, found.across: column - 1}
        corner = self._value(found.border, {found.down: first}, is_first=True)
        yield from self._element(first, [some, compare("==", column, ONE)], corner)
        there = [some, _at_most(two, column), _at_most(column, self.columns + 1)]
        yield from self._element(first, there, self._value(found.step, top, is_first=True))
        side = [_at_most(two, row), _at_most(row, found.rows)]
        yield from self._element(row, side, self._value(found.border, {found.down: row}))
        bottom = {found.down: last, found.across: self.columns}
        there = [_at_most(ONE, self.columns), _at_most(two, last), _at_most(last, found.rows)]
        yield from self._element(last, there, self._value(found.step, bottom))
        yield from self._elements(two, last + 1, inside=True)

    def _element(self, row: Size, where: list[Condition], value: Scalar) -> Iterator[Step]:
        """The element of a diagonal in a row, where there is one."""
        goal = self.table, self._at(row, self.diagonal - row)
        yield Branch(junction("and", where), (), (Nest((), (), (goal,), (value,), "diagonal"),), ())

    def _elements(self, first: Size, other: Size, inside: bool) -> Iterator[Step]:
        """The elements of a diagonal from a row on, either of two, up to the second column, and what is beside them."""
        found, (_, low, high, along) = self.found, self.names
        ends = {low: extremum("max", (first, other)), high: extremum("min", (found.rows, self.diagonal - 2))}
        for name, end in ends.items():
            yield Bind(name, Index(end, column=INDEX))
        own = self._at(self.down, self.diagonal - self.down)
        names = {found.down: self.down, found.across: self.diagonal - self.down - 1}
        targets, values = [(self.table, own)], [self._value(found.step, names, inside=inside)]
        for one in self.companions:
            at = [index.substitute(names) for index in one.coordinates]
            values += [self._value(v, dict(zip(one.nest.iterators, at, strict=True))) for v in one.nest.values]
            targets += [(self.beside[buffer.name], own) for buffer, _ in one.nest.targets]
        yield Nest((along,), (Size.of(high) - Size.of(low) + 1,), tuple(targets), tuple(values), "diagonal")


def _made(step: Step) -> tuple[Buffer, ...]:
    return (step.buffer,) if isinstance(step, Allocate) else ()


def _at_most(one: Size, other: Size) -> Condition:
    return compare("<=", one, other)
