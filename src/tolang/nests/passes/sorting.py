"""Insertion sorts become merge sorts (nests/patterns/sort.py): n log n comparisons in place of n squared.

    fill          runs[i] = e(i)
    parts         a power of two, so that a part has at most BLOCK elements; part k ends at floor(k*n / parts)
    each part     is put in order by counting for each of its elements those that come before it
    repeat        each two neighbouring parts are merged, until there is one

Parts that are merged have lengths that differ by one at most, so the first half of a merge, taken from the front, and
the second, taken from the back, never come to the end of a part: neither looks for it, and both run side by side.
Keys tell whether it is sooner done by digits (nests/passes/digits.py), or by counting (nests/passes/counted_sorts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tolang.ground.conditions import compare
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.sizes import ONE, ZERO, Size, extremum, floor_division
from tolang.ground.spaces import column
from tolang.nests.nest import (
    Allocate,
    Assign,
    Bind,
    Branch,
    Buffer,
    Constant,
    Each,
    Group,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
    Where,
)
from tolang.nests.passes.counted_sorts import CountedSort, is_of_numbers_alone
from tolang.nests.passes.digit_stretches import DigitStretches
from tolang.nests.passes.digits import DigitSort, has_digits
from tolang.nests.patterns.sort import Sort, sort_of
from tolang.nests.rewriting import map_lists

BLOCK = 8
"""How many elements a part has at the most before parts are merged."""
DOUBLINGS = 48
"""How often the number of parts doubles at the most: more often than memory has room for."""
MANY_ROUNDS = 7
"""From how many rounds of merging on it is worth while to look whether keys have few digits."""
SPARED = 2
"""How many rounds fewer a sort by digits must take, since it counts before it moves."""
WHOLE, TRUTH = column("i64"), column("B")


def merge_sorts(plan: Plan) -> Plan:
    """A fold that sorts by insertion sorts by merging."""
    alone = set(_running_once(plan.steps))
    return map_lists(plan, lambda steps: tuple(made for step in steps for made in _sorted(step, alone)))


def _running_once(steps: tuple[Step, ...]) -> Iterator[tuple[str, ...]]:
    """The iterators of repetitions that run once at the most."""
    for step in steps:
        if isinstance(step, Repeat):
            yield step.iterators
        elif isinstance(step, Branch):
            yield from _running_once((*step.then, *step.otherwise))


def _sorted(step: Step, alone: set[tuple[str, ...]]) -> tuple[Step, ...]:
    """A step, or what takes its place; digits are looked at where it runs once, not for each of many rows."""
    found = sort_of(step) if isinstance(step, Repeat) else None
    if found is None or not isinstance(step, Repeat):
        return (step,)
    return (_MergeSort(found, step, step.iterators in alone).step(),)


@dataclass(frozen=True, slots=True)
class _Part:
    """Names of where two parts that are merged, or one, begin and end: elements after `low` and up to `high`."""

    low: Size
    middle: Size
    high: Size


class _MergeSort:
    """The steps of one merge sort; `old` is the fold that it takes the place of."""

    def __init__(self, sort: Sort, old: Repeat, alone: bool) -> None:
        self.sort, self.old, self.base = sort, old, sort.iterator
        self.runs = tuple(replace(b, name=f"{b.name} runs", shape=(sort.extent,)) for b in sort.following)
        self.merged = tuple(replace(b, name=f"{b.name} merged", shape=(sort.extent,)) for b in sort.following)
        self.parts, self.rounds = self.named("parts"), self.named("rounds")
        self.by_digits = alone and has_digits(sort, self.runs[sort.key])

    def named(self, role: str) -> str:
        return f"{self.base} {role}"

    def step(self) -> Step:
        """All of it as one step; the old one where there is a NaN that the order has no place for."""
        fill = (*(Allocate(b) for b in (*self.runs, *self.merged)), self._fill())
        if self.by_digits and is_of_numbers_alone(self.sort):
            return Each((), (), (*self._division(), *self._counted(fill)))
        steps: tuple[Step, ...] = (*self._division(), *self._sorted())
        key = self.runs[self.sort.key]
        if key.column.storage.startswith("f") and not self.sort.nan_last:
            steps = (Branch(None, (self._any_nan(key),), (self.old,), steps),)
        return Each((), (), (*fill, *steps))

    def _counted(self, fill: tuple[Step, ...]) -> tuple[Step, ...]:
        """By counting where numbers are few, which only the keys tell; those at hand are not brought together for it.

        Whoever owns an input may change it meanwhile: each of its elements is counted once, and as some number.
        """
        at_hand = self._at_hand()
        key = at_hand or (lambda at: self._key(at, self.runs))
        digits = DigitSort(self.sort, self.runs, self.merged, self.named, key)
        counted = CountedSort(digits)
        early, late = ((), fill) if at_hand else (fill, ())
        otherwise = (*late, self._by_digits(digits))
        measured = (*self._measured(digits), *counted.declare())
        return (*early, *measured, Branch(counted.worthwhile, (), counted.steps(), otherwise))

    def _at_hand(self) -> Callable[[Size], Scalar] | None:
        """The key at a place, where it lies in memory before the sort begins."""
        (element,) = self.sort.elements
        if not isinstance(element, Load) or element.checks or self.sort.prepare:
            return None
        own = self.sort.iterator
        return lambda at: replace(element, indices=tuple(one.substitute({own: at}) for one in element.indices))

    def _sorted(self) -> tuple[Step, ...]:
        """By digits, if keys have any, or by merging."""
        if not self.by_digits:
            return self._merging()
        digits = DigitSort(self.sort, self.runs, self.merged, self.named, lambda at: self._key(at, self.runs))
        return (*self._measured(digits), self._by_digits(digits))

    def _measured(self, digits: DigitSort) -> tuple[Step, ...]:
        """How many digits keys have, where there are so many of them that it is worth while to look."""
        many = compare(">=", Size.of(self.rounds), Size.of(MANY_ROUNDS))
        return (*digits.declare(DOUBLINGS), Branch(many, (), digits.measure(), ()))

    def _by_digits(self, digits: DigitSort) -> Step:
        """By digits where that takes fewer rounds, else by merging."""
        fewer = compare("<=", digits.number + SPARED, Size.of(self.rounds))
        prepared, counts = digits.prepared()
        return Branch(fewer, (), (*prepared, *DigitStretches(digits, counts).steps()), self._merging())

    def _merging(self) -> tuple[Step, ...]:
        return (self._blocks(), self._rounds(), self._result(self.merged))

    def _fill(self) -> Step:
        iterators, extents = (self.sort.iterator,), (self.sort.extent,)
        targets = tuple((b, (Size.of(self.sort.iterator),)) for b in self.runs)
        if not self.sort.prepare:
            return Nest(iterators, extents, targets, self.sort.elements)
        return Each(iterators, extents, (*self.sort.prepare, Nest((), (), targets, self.sort.elements)))

    def _any_nan(self, key: Buffer) -> Scalar:
        state, place = self.named("any"), self.named("looked at")
        one = Load(key, (Size.of(place),), column=key.column)
        found = Operation("or", (Named(state, column=TRUTH), _truth("ineq", one, one)), column=TRUTH)
        group = Group(
            (place,), (self.sort.extent,), (state,), (TRUTH,), (Constant(False, column=TRUTH),), (found,), "or"
        )
        return Reduction(group, 0, column=TRUTH)

    def _division(self) -> tuple[Step, ...]:
        parts, turn = Size.of(self.parts), self.named("doubling")
        more = (_assign(self.parts, parts * 2), _assign(self.rounds, Size.of(self.rounds) + 1))
        double = Branch(compare(">", self.sort.extent, parts * BLOCK), (), more, ())
        many = compare(">", self.sort.extent, Size.of(BLOCK))
        return (
            _bind(self.parts, ONE, mutable=True),
            _bind(self.rounds, ZERO, mutable=True),
            Branch(many, (), (Repeat((turn,), (Size.of(DOUBLINGS),), (double,)),), ()),
        )

    def _end(self, number: Size, parts: Size) -> Size:
        """How many elements there are in so many parts."""
        return floor_division(number * self.sort.extent, parts)

    def _precedes(self, first: Scalar, second: Scalar) -> Scalar:
        """Whether an element of an earlier part stays before one of a later part, by their keys."""
        held = _truth(self.sort.relation, first, second)
        if not (self.sort.nan_last and first.column.storage.startswith("f")):
            return held
        return Operation("or", (held, _truth("ineq", second, second)), column=TRUTH)

    def _key(self, at: Size, buffers: tuple[Buffer, ...]) -> Scalar:
        return Load(buffers[self.sort.key], (at,), column=buffers[self.sort.key].column)

    def _blocks(self) -> Step:
        """Every part in order: the place of an element follows from how many come before it."""
        part, item = self.named("part"), self.named("item")
        low, high = self.named("low"), self.named("high")
        parts, number = Size.of(self.parts), Size.of(part)
        bounds = (_bind(low, self._end(number - 1, parts)), _bind(high, self._end(number, parts)))
        length, here = Size.of(high) - Size.of(low), Size.of(low) + Size.of(item)
        rank, mine = self.named("rank"), self.named("key")
        steps = (
            Bind(mine, self._key(here, self.runs)),
            Bind(rank, self._rank(mine, Size.of(low), Size.of(item), length)),
            self._moved(self.runs, here, self.merged, Size.of(low) + Size.of(rank) + 1),
        )
        return Each((part,), (parts,), (*bounds, Each((item,), (length,), steps)))

    def _rank(self, mine: str, low: Size, item: Size, length: Size) -> Scalar:
        """How many elements of a part come before one of them."""
        other, its, state = self.named("other"), self.named("other key"), self.named("before")
        kind = self.runs[self.sort.key].column
        own, theirs = Named(mine, column=kind), Named(its, column=kind)
        later = Operation("not", (self._precedes(own, theirs),), column=TRUTH)
        behind = Select(compare(">", Size.of(other), item), (), later, Constant(False, column=TRUTH), column=TRUTH)
        before = Select(compare("<", Size.of(other), item), (), self._precedes(theirs, own), behind, column=TRUTH)
        counted = Operation("add", (Named(state, column=WHOLE), before), column=WHOLE)
        step = Where(((its, self._key(low + Size.of(other), self.runs)),), counted, column=WHOLE)
        group = Group((other,), (length,), (state,), (WHOLE,), (Constant(0, column=WHOLE),), (step,))
        return Reduction(group, 0, column=WHOLE)

    def _moved(self, source: tuple[Buffer, ...], at: Size, goal: tuple[Buffer, ...], to: Size) -> Nest:
        values = tuple(Load(b, (at,), column=b.column) for b in source)
        return Nest((), (), tuple((b, (to,)) for b in goal), values)

    def _rounds(self) -> Step:
        pair, turn = self.named("pair"), self.named("round")
        parts, number = Size.of(self.parts), Size.of(pair)
        ends = tuple(self._end(2 * number + k, parts) for k in (-2, -1, 0))
        names = tuple(self.named(role) for role in ("low", "middle", "high"))
        bounds = tuple(_bind(name, end) for name, end in zip(names, ends, strict=True))
        merge = Each(
            (pair,),
            (floor_division(parts, Size.of(2)),),
            (*bounds, *self._merge(_Part(*map(Size.of, names)))),
            compact=True,
        )
        halve = _assign(self.parts, floor_division(parts, Size.of(2)))
        pairs = tuple(zip(self.merged, self.runs, strict=True))
        return Repeat((turn,), (Size.of(self.rounds),), (merge, halve), pairs)

    def _merge(self, part: _Part) -> tuple[Step, ...]:
        """Two parts of `merged` as one of `runs`: from the front, from the back, and the one that may be left."""
        left, last, step = (self.named(role) for role in ("left", "last", "step"))
        cursors = (_bind(left, part.low + 1, mutable=True), _bind(last, part.high, mutable=True))
        half = extremum("min", [part.middle - part.low, part.high - part.middle])
        turn = Size.of(step)
        right = part.low + part.middle + 1 + turn - Size.of(left)
        end = part.middle + part.high + 1 - turn - Size.of(last)
        front = self._taken(left, right, part.low + turn, 1)
        back = self._taken(last, end, part.high + 1 - turn, -1)
        rest = compare(">", part.high - part.low, half * 2)
        after = {step: half + 1}
        goal, remains = part.low + half + 1, compare("<=", Size.of(left), end.substitute(after))
        one = (Branch(remains, (), (self._moved(self.merged, Size.of(left), self.runs, goal),),
                      (self._moved(self.merged, right.substitute(after), self.runs, goal),)),)  # fmt: skip
        return (*cursors, Repeat((step,), (half,), (*front, *back)), Branch(rest, (), one, ()))

    def _taken(self, cursor: str, other: Size, goal: Size, by: int) -> tuple[Step, ...]:
        """The next of two elements in order: that at the cursor, which moves on, or the other."""
        name, here = f"{cursor} is next", Size.of(cursor)
        keys = self._key(here, self.merged), self._key(other, self.merged)
        test = Named(name, column=TRUTH)
        values = tuple(
            Select(
                None, (test,), Load(b, (here,), column=b.column), Load(b, (other,), column=b.column), column=b.column
            )
            for b in self.merged
        )
        moved = (Named(cursor, column=WHOLE), Operation("cast", (test,), column=WHOLE))
        return (
            Bind(name, self._precedes(*keys) if by > 0 else self._precedes(*keys[::-1])),
            Nest((), (), tuple((b, (goal,)) for b in self.runs), values),
            Assign(cursor, Operation("add" if by > 0 else "sub", moved, column=WHOLE)),
        )

    def _result(self, ordered: tuple[Buffer, ...]) -> Step:
        place = self.named("place")
        at = {self.sort.iterator: Size.of(place)}
        targets = tuple((b, tuple(index.substitute(at) for index in where)) for b, where in self.sort.targets)
        values = tuple(Load(b, (Size.of(place),), column=b.column) for b in ordered)
        return Nest((place,), (self.sort.extent,), targets, values)


def _bind(name: str, size: Size, mutable: bool = False) -> Bind:
    return Bind(name, Index(size, column=WHOLE), mutable=mutable)


def _assign(name: str, size: Size) -> Assign:
    return Assign(name, Index(size, column=WHOLE))


def _truth(relation: str, first: Scalar, second: Scalar) -> Scalar:
    return Operation(relation, (first, second), column=TRUTH)
