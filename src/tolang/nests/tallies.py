"""Tallies: folds that add to elements of a ToL at places that depend on data, as histograms and sums by label do.

    repeat [i <= n]
      j = place(x[i])
      s[j] = add(s[j], value(x[i]))

Each step combines an element of the state with something that the state does not decide, at a place that it does not
decide.  So steps may be shared out: every thread begins with a state of neutral elements, and states are combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tolang.ground.conditions import Condition
from tolang.ground.functions import REORDERABLE
from tolang.ground.sizes import Size
from tolang.nests.likeness import alike
from tolang.nests.nest import Bind, Branch, Buffer, Demand, Load, Named, Nest, Operation, Repeat, Scalar, Step
from tolang.nests.rewriting import Rewriter, names_in, occurrences, scalars_of


@dataclass(frozen=True, slots=True)
class Tally:
    """The buffer that steps add to, the function they do it with, the old element, and what is added.

    `derived` are the names that the old element decides, `same` those that stand for what another one before them does.
    A `free` tally finds all its places and elements without
    reading memory that a choice guards, so that they can be computed before, and for several steps at a time.
    """

    buffer: Buffer
    combine: str
    old: Load
    element: Scalar
    derived: frozenset[str]
    same: Mapping[str, str]
    free: bool

    def is_asked(self, condition: Condition) -> bool:
        """Whether the checks of the old element ask as much as a condition does."""
        sizes = {name: Size.of(other) for name, other in self.same.items()}
        parts = condition.parts if condition.kind == "and" else (condition,)
        checks = {check.substitute(sizes) for check in self.old.checks}
        return all(part.substitute(sizes) in checks for part in parts)


def tally_of(repeat: Repeat) -> Tally | None:
    """A repetition as a tally; None where it is none."""
    steps = tuple(_flat(repeat.steps))
    nests = [s for s in steps if isinstance(s, Nest)]
    if len(nests) != 1 or nests[0].iterators or len(nests[0].targets) != 1:
        return None
    if any(not isinstance(s, Nest | Bind | Branch | Demand) for s in steps):
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
    return Tally(buffer, update.function, old, update.arguments[1], derived, equal, free)


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
