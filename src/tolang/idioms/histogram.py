"""Histograms: folds that add to elements of a ToL at places that depend on data, as histograms and sums by label do.

    repeat [i <= n]
      j = place(x[i])
      s[j] = add(s[j], value(x[i]))

Each step combines an element of the state with something that the state does not decide, at a place that it does not
decide.  So steps may be shared out: every thread begins with a state of neutral elements, and states are combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition, compare
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.functions import REORDERABLE
from tolang.ground.values.spaces import storage_family
from tolang.plan.equality import alike
from tolang.plan.nest import (
    Bind,
    Branch,
    Buffer,
    ConstantScalar,
    Load,
    Named,
    Nest,
    Operation,
    Repeat,
    RequireStep,
    Scalar,
    Step,
)
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import has_fold, may_fail, names_in, occurrences, scalars_of

LARGEST = 1 << 10
"""What is added up to this makes 64 bits overflow after more than 2^52 steps only, more than any program makes."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """The buffer that steps add to, the function they do it with, the old element, and what is added.

    `derived` are the names that the old element decides, `same` those that stand for what another one before them does.
    A `free` histogram finds all its places and elements without reading memory that a choice guards, so that they can
    be computed before, and for several steps at a time.  Where all of its places are whole reals with a `shift`, which
    are asked for nothing but lying from 1 to a `limit`, these reals are `level`.  The `row` of the state that a step
    changes is there where it is told before anything else, and nothing can be wrong with that.
    """

    buffer: Buffer
    combine: str
    old: Load
    element: Scalar
    derived: frozenset[str]
    same: Mapping[str, str]
    free: bool
    level: Scalar | None = None
    shift: int = 0
    limit: Size | None = None
    row: Scalar | None = None

    @property
    def counts(self) -> bool:
        """Whether steps add so little that a state of neutral elements cannot overflow in any number of them."""
        more = self.element.value if isinstance(self.element, ConstantScalar) else None
        small = isinstance(more, int) and abs(more) <= LARGEST
        return small and self.combine == "add" and self.buffer.column.storage == "i64"

    def is_asked(self, condition: Condition) -> bool:
        """Whether the checks of the old element ask as much as a condition does."""
        sizes = {name: Size.of(other) for name, other in self.same.items()}
        parts = condition.parts if condition.kind == "and" else (condition,)
        checks = {check.substitute(sizes) for check in self.old.checks}
        return all(part.substitute(sizes) in checks for part in parts)


def histogram_of(repeat: Repeat) -> Histogram | None:
    """A repetition as a histogram; None where it is none."""
    steps = tuple(_flat(repeat.steps))
    nests = [s for s in steps if isinstance(s, Nest)]
    if len(nests) != 1 or nests[0].iterators or len(nests[0].targets) != 1:
        return None
    if any(not isinstance(s, Nest | Bind | Branch | RequireStep) for s in steps):
        return None
    if any(isinstance(s, Bind) and s.mutable for s in steps):
        return None
    binds = {s.name: s.value for s in steps if isinstance(s, Bind)}
    equal = _representatives(binds)
    same = Rewriter(sizes={name: Size.of(other) for name, other in equal.items()})
    buffer, at = nests[0].targets[0]
    update = _resolved(nests[0].values[0], binds)
    old = _old(update, buffer, same.indices(at), same, binds)
    if old is None or _reads(steps, buffer) != 1:
        return None
    assert isinstance(update, Operation)
    derived = _derived(binds, buffer)
    tests = [t for s in steps if isinstance(s, Branch) for t in s.test]
    if any(names_in(one) & derived for one in (*tests, update.arguments[1])):
        return None
    free = _is_free(repeat, update, derived)
    row = _row(repeat, at, binds)
    found = Histogram(buffer, update.function, old, update.arguments[1], derived, equal, free, row=row)
    return _levelled(found, repeat, at, binds) if free else found


def _row(repeat: Repeat, at: tuple[Size, ...], binds: dict[str, Scalar]) -> Scalar | None:
    """The row that a step changes, where it is a whole number that every step begins with."""
    name = next((n for n in binds if at and at[0] == Size.of(n)), None)
    if name is None or not any(isinstance(step, Bind) and step.name == name for step in repeat.steps):
        return None
    row = binds[name]
    plain = not (may_fail(row) or has_fold(row) or names_in(row) & binds.keys())
    return row if plain and storage_family(row.column.storage) == "Z" else None


def _levelled(histogram: Histogram, repeat: Repeat, at: tuple[Size, ...], binds: dict[str, Scalar]) -> Histogram:
    """A histogram with the reals that its places are, `s[convert(floor(…)) + shift]`, where it asks nothing else."""
    name = next((n for n in binds if at == (Size.of(n),)), None)
    shift, place = _shifted(binds[name]) if name is not None else (0, None)
    if name is None or place is None or may_fail(place) or names_in(place) & binds.keys():
        return histogram
    limit = _limit(histogram, histogram.same.get(name, name), {*binds, *repeat.iterators})
    asked = all(_asks_no_more(step, histogram) for step in repeat.steps)
    sure = isinstance(histogram.element, ConstantScalar) or not (
        may_fail(histogram.element) or names_in(histogram.element) & binds.keys()
    )
    return (
        replace(histogram, level=place, shift=shift, limit=limit) if limit is not None and asked and sure else histogram
    )


def _limit(histogram: Histogram, row: str, moving: set[str]) -> Size | None:
    """The greatest place that the old element's checks allow, where they ask that it lies from 1 to that."""
    sizes = {other: Size.of(first) for other, first in histogram.same.items()}
    checks = [check.substitute(sizes) for check in histogram.old.checks]
    above = [check.size + Size.of(row) for check in checks if check.kind == "nonnegative" and check.size is not None]
    limits = [limit for limit in above if not limit.names() & moving]
    lower = compare(">=", Size.of(row), ONE)
    return limits[0] if len(limits) == 1 and len(checks) == 2 and lower in checks else None


def _asks_no_more(step: Step, histogram: Histogram) -> bool:
    match step:
        case RequireStep(condition=condition):
            return histogram.is_asked(condition)
        case Branch(guard=guard, then=then, otherwise=()):
            return guard is not None and histogram.is_asked(guard) and all(_asks_no_more(s, histogram) for s in then)
    return isinstance(step, Bind | Nest)


def _shifted(place: Scalar) -> tuple[int, Scalar | None]:
    """A place as a small number and a whole real; None where it is something else."""
    shift = 0
    if isinstance(place, Operation) and place.function == "add":
        for one, rest in (place.arguments, place.arguments[::-1]):
            if isinstance(one, ConstantScalar) and isinstance(one.value, int) and abs(one.value) <= LARGEST:
                shift, place = one.value, rest
                break
    match place:
        case Operation(function="convert", arguments=(Operation(function="floor") as level,)):
            return shift, level if level.column.storage in ("f32", "f64") else None
    return 0, None


def _flat(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Steps in order, those inside choices too."""
    for step in steps:
        yield step
        if isinstance(step, Branch):
            yield from _flat(step.then)
            yield from _flat(step.otherwise)


def _representatives(binds: dict[str, Scalar]) -> dict[str, str]:
    """For names bound to equal expressions, the first of them."""
    found: dict[str, str] = {}
    kept: list[str] = []
    for name, value in binds.items():
        equal = next((k for k in kept if alike(binds[k], value)), None)
        if equal is None:
            kept.append(name)
        else:
            found[name] = equal
    return found


def _resolved(scalar: Scalar, binds: dict[str, Scalar]) -> Scalar:
    while isinstance(scalar, Named) and scalar.name in binds:
        scalar = binds[scalar.name]
    return scalar


def _old(update: Scalar, buffer: Buffer, at: tuple[Size, ...], same: Rewriter, binds: dict[str, Scalar]) -> Load | None:
    """The old element, where the update is a function of it and something else."""
    if not isinstance(update, Operation) or update.function not in REORDERABLE or len(update.arguments) != 2:
        return None
    if any(one.column.storage != buffer.column.storage for one in (update, update.arguments[1])):
        return None
    old = _resolved(update.arguments[0], binds)
    is_old = isinstance(old, Load) and old.buffer.name == buffer.name and same.indices(old.indices) == at
    return old if is_old and isinstance(old, Load) else None


def _derived(binds: dict[str, Scalar], buffer: Buffer) -> frozenset[str]:
    """The names whose values a buffer decides."""
    found: set[str] = set()
    for name, value in binds.items():
        if names_in(value) & found or any(load.buffer.name == buffer.name for load in _loads(value)):
            found.add(name)
    return frozenset(found)


def _is_free(repeat: Repeat, update: Operation, derived: frozenset[str]) -> bool:
    """Whether nothing is read inside a choice but the old element."""
    guarded = [s for step in repeat.steps if isinstance(step, Branch) for s in _flat((*step.then, *step.otherwise))]
    inside = [s.value for s in guarded if isinstance(s, Bind) and s.name not in derived]
    inside += [t for s in guarded if isinstance(s, Branch) for t in s.test]
    if any(isinstance(s, Nest) for s in guarded):
        inside.append(update.arguments[1])
    return not any(_loads(one) for one in inside)


def _loads(scalar: Scalar) -> list[Load]:
    return [place.scalar for place in occurrences(scalar) if isinstance(place.scalar, Load)]


def _reads(steps: tuple[Step, ...], buffer: Buffer) -> int:
    """How often a buffer is read in steps."""
    found = (load for step in steps for scalar in scalars_of(step) for load in _loads(scalar))
    return sum(1 for load in found if load.buffer.name == buffer.name)
