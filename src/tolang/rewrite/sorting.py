"""Insertion sorts become merge sorts (idioms/sort.py): n log n comparisons in place of n squared.

    fill          runs[i] = e(i)
    parts         a power of two, so that a part has at most BLOCK elements; part k ends at floor(k*n / parts)
    each part     is put in order by counting for each of its elements those that come before it
    repeat        each two neighbouring parts are merged, until there is one

Parts that are merged have lengths that differ by one at most, so the first half of a merge, taken from the front, and
the second, taken from the back, never come to the end of a part: neither looks for it, and both run side by side.
Keys tell whether it is sooner done by digits (rewrite/digits.py), or by counting (rewrite/counted_sorts.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import column
from tolang.idioms.sort import Sort, sort_of
from tolang.plan.nest import (
    Allocate,
    Branch,
    Buffer,
    ConstantScalar,
    Each,
    Group,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Step,
)
from tolang.plan.rewriting import map_lists
from tolang.plan.templates import Elements, Filling, PlanTemplate, Records, Targets, records
from tolang.rewrite.counted_sorts import KEYS, by_counting, is_of_numbers_alone, is_worthwhile, numbers_of
from tolang.rewrite.digits import BITS, STABLE, by_digits, has_digits, measured, unknown

BLOCK = 8
"""How many elements a part has at the most before parts are merged."""
DOUBLINGS = 48
"""How often the number of parts doubles at the most: more often than memory has room for."""
MANY_ROUNDS = 7
"""From how many rounds of merging on it is worth while to look whether keys have few digits."""
SPARED = 2
"""How many rounds fewer a sort by digits must take, since it counts before it moves."""
TRUTH = column("B")

DIVISION = PlanTemplate(f"""
sizes n
state parts = <1>:i64
state rounds = <0>:i64
if n >= {BLOCK + 1}
  repeat [doubling <= {DOUBLINGS}]
    if n >= {BLOCK}*parts + 1
      parts := <2*parts>
      rounds := <rounds + 1>
""")
MERGING = PlanTemplate("""
sizes n, parts, rounds
input runs: key(R) [n]
input merged: key(R) [n]
input result: key(R) [n]

# Every part in order: the place of an element follows from how many come before it.
each [part <= parts]
  low = <floor((part*n - n)/parts)>:i64
  high = <floor((part*n)/parts)>:i64
  each [item <= high - low]
    key = runs[low + item]
    rank = reduce [other <= high - low](before = 0:i64 -> {other_key = runs[low + other];
        add(before, (if item >= other + 1 then stays_before(other_key, key):B else
            (if other >= item + 1 then not(stays_before(key, other_key):B) else false))):i64})
    nest []
      merged[low + rank + 1] = runs[low + item]

# Two parts as one: from the front, from the back, and the one that may be left.
repeat [round <= rounds] exchanging merged and runs
  each [pair <= floor(parts/2)] compact
    low = <floor((2*pair*n - 2*n)/parts)>:i64
    middle = <floor((2*pair*n - n)/parts)>:i64
    high = <floor((2*pair*n)/parts)>:i64
    state left = <low + 1>:i64
    state last = <high>:i64
    repeat [step <= min(middle - low, high - middle)]
      left_is_next = stays_before(merged[left], merged[low + middle + step + 1 - left]):B
      nest []
        runs[low + step] = (when left_is_next then merged[left] else merged[low + middle + step + 1 - left])
      left := add(left, cast(left_is_next):i64)
      last_is_next = stays_before(merged[middle + high + 1 - step - last], merged[last]):B
      nest []
        runs[high + 1 - step] = (when last_is_next then merged[last] else merged[middle + high + 1 - step - last])
      last := sub(last, cast(last_is_next):i64)
    if high >= low + 2*min(middle - low, high - middle) + 1
      if middle + high >= left + last + min(middle - low, high - middle)
        nest []
          runs[low + min(middle - low, high - middle) + 1] = merged[left]
      else
        nest []
          runs[low + min(middle - low, high - middle) + 1] =
              merged[low + middle + min(middle - low, high - middle) + 2 - left]
  parts := <floor(parts/2)>:i64
nest [place <= n]
  result[place] = merged[place]
""")


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


class _MergeSort:
    """The steps of one merge sort; `old` is the fold that it takes the place of."""

    def __init__(self, sort: Sort, old: Repeat, alone: bool) -> None:
        self.sort, self.old = sort, old
        self.runs = tuple(replace(b, name=f"{b.name} runs", shape=(sort.extent,)) for b in sort.following)
        self.merged = tuple(replace(b, name=f"{b.name} merged", shape=(sort.extent,)) for b in sort.following)
        self.rounds = Size.of(self.named("rounds"))
        self.by_digits = alone and has_digits(sort, self.runs[sort.key])

    def named(self, role: str) -> str:
        return f"{self.sort.iterator} {role.replace('_', ' ')}"

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

    def _filling(self, key: Elements | None = None) -> Filling:
        """What templates are filled in with; `key` is the key at a place, where it is not that in `runs`."""
        ordinal = STABLE.get(self.sort.relation, "")
        return Filling(
            named=self.named,
            key=self.runs[self.sort.key].column,
            sizes={"n": self.sort.extent},
            records={
                "runs": records(self.runs, self.sort.key),
                "merged": records(self.merged, self.sort.key),
                "result": Records(tuple(b for b, _ in self.sort.targets), self._wanted, self.sort.key),
            },
            elements={"keys": key or self._key},
            functions={
                "stays_before": self._precedes,
                "ordinal": lambda one: Operation(ordinal, (one,), column=BITS),
                "key_of": lambda one: Operation(KEYS[ordinal], (one,), column=self.sort.targets[0][0].column),
            },
        )

    def _key(self, at: Size) -> Scalar:
        key = self.runs[self.sort.key]
        return Load(key, (at,), column=key.column)

    def _wanted(self, at: Size) -> Targets:
        """Where the sort wants the element that comes to a place."""
        place = {self.sort.iterator: at}
        return tuple((b, tuple(index.substitute(place) for index in where)) for b, where in self.sort.targets)

    def _counted(self, fill: tuple[Step, ...]) -> tuple[Step, ...]:
        """By counting where numbers are few, which only the keys tell; those at hand are not brought together for it.

        Whoever owns an input may change it meanwhile: each of its elements is counted once, and as some number.
        """
        at_hand = self._at_hand()
        filling = self._filling(at_hand)
        early, late = ((), fill) if at_hand else (fill, ())
        otherwise = (*late, self._by_digits(filling))
        measured = (*self._measured(filling), *numbers_of(filling))
        counted = by_counting(filling, self.sort.extent)
        return (*early, *measured, Branch(is_worthwhile(filling, self.sort.extent), (), counted, otherwise))

    def _at_hand(self) -> Elements | None:
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
        filling = self._filling()
        return (*self._measured(filling), self._by_digits(filling))

    def _measured(self, filling: Filling) -> tuple[Step, ...]:
        """How many digits keys have, where there are so many of them that it is worth while to look."""
        many = compare(">=", self.rounds, Size.of(MANY_ROUNDS))
        return (*unknown(filling), Branch(many, (), measured(filling, self.sort.extent), ()))

    def _by_digits(self, filling: Filling) -> Step:
        """By digits where that takes fewer rounds, else by merging."""
        fewer = compare("<=", Size.of(self.named("digits")) + SPARED, self.rounds)
        return Branch(fewer, (), by_digits(filling, self.sort.extent), self._merging())

    def _division(self) -> tuple[Step, ...]:
        return DIVISION.filled(self._filling())

    def _merging(self) -> tuple[Step, ...]:
        return MERGING.filled(self._filling())

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
            (place,), (self.sort.extent,), (state,), (TRUTH,), (ConstantScalar(False, column=TRUTH),), (found,), "or"
        )
        return Reduction(group, 0, column=TRUTH)

    def _precedes(self, first: Scalar, second: Scalar) -> Scalar:
        """Whether an element of an earlier part stays before one of a later part, by their keys."""
        held = _truth(self.sort.relation, first, second)
        if not (self.sort.nan_last and first.column.storage.startswith("f")):
            return held
        return Operation("or", (held, _truth("ineq", second, second)), column=TRUTH)


def _truth(relation: str, first: Scalar, second: Scalar) -> Scalar:
    return Operation(relation, (first, second), column=TRUTH)
