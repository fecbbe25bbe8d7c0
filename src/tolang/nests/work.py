"""How much a step computes, loop by loop, as formulas of sizes.

    nest [i <= n, j <= m]  r[i,j] = reduce[p <= k](add of a[i,p] * b[p,j])        about 3 n m + 4 n m k

By it an engine chooses how well code is to be compiled at once, how much a thread takes at a time, and whether code has
to look meanwhile if it is to end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from tolang.ground.conditions import Condition
from tolang.ground.functions import COSTLY
from tolang.ground.sizes import ONE, ZERO, Size
from tolang.nests.canonical import Outlined
from tolang.nests.nest import (
    Bind,
    Branch,
    Checked,
    Draw,
    Each,
    Group,
    Index,
    Load,
    Nest,
    Operation,
    Plan,
    Reduction,
    Repeat,
    Scalar,
    Select,
    Step,
)
from tolang.nests.strategy import LANES
from tolang.nests.traversal import Loops, dependencies, inner_steps, occurrences, scalars_in, scalars_of

Sizes = Mapping[str, Size]
NOTHING: Sizes = MappingProxyType({})
SIDE_BY_SIDE = 2
"""How many elements a vector has at the least."""
LONG_FUNCTION = 32
"""How many instructions a function is that processors have none for."""


UNTOLD = "?"
"""What stands for lengths in the place of names that only data tell."""


class Part(NamedTuple):
    """What is computed at every coordinate of loops inside each other: so many instructions, roughly."""

    loops: Loops
    instructions: int


class Work:
    """How much the calls of a plan compute, by the sizes of the program."""

    def __init__(self, plan: Plan) -> None:
        self._known = frozenset(plan.sizes)
        self._named = dict(_sizes_named(plan.steps, {}))
        self._shared: dict[str, tuple[Size, Size]] = {}

    def of(self, call: Outlined) -> Size | None:
        """About how many instructions a call is, by sizes and lengths that only data tell; None where these are turns.

        Lengths are those of something that is in memory, while a repetition may have any number of turns.
        """
        shared = call.shared
        if shared.key not in self._shared:
            self._shared[shared.key] = work_of(shared.step), _repeated(shared.step)
        given = dict(zip(shared.sizes, call.sizes, strict=True))
        found, turns = [length_of(length_of(one, given), self._named) for one in self._shared[shared.key]]
        if not turns.names() <= self._known:
            return None
        untold = found.names() - self._known
        return length_of(found, dict.fromkeys(untold, Size.of(UNTOLD))) if untold else found


def _repeated(step: Step) -> Size:
    """All turns of the repetitions inside a step, for the names in them, and of folds that go along nothing."""
    own = step.extents if isinstance(step, Repeat) else ()
    inside = (one.group for scalar in scalars_of(step) for one in scalars_in(scalar) if isinstance(one, Reduction))
    folds = (extent for group in inside if not _goes_along(group) for extent in group.extents)
    return sum((*own, *folds, *map(_repeated, inner_steps(step))), ZERO)


def _goes_along(group: Group) -> bool:
    """Whether a fold reads something from turn to turn."""
    reads = (one for step in group.steps for one in scalars_in(step) if isinstance(one, Load))
    return any(not dependencies(one).isdisjoint(group.iterators) for one in reads)


def _sizes_named(steps: Sequence[Step], known: dict[str, Size]) -> dict[str, Size]:
    """What the names of a plan stand for that are given to sizes."""
    for step in steps:
        if isinstance(step, Bind) and isinstance(step.value, Index) and not step.mutable:
            known[step.name] = length_of(step.value.size, known)
        elif isinstance(step, Branch):
            _sizes_named((*step.then, *step.otherwise), known)
    return known


def length_of(size: Size, known: Sizes) -> Size:
    """A size where names stand for what is known; 0 where it is then divided by zero, of which running tells."""
    try:
        return size.substitute(known)
    except ZeroDivisionError:
        return ZERO


def work_of(step: Step) -> Size:
    """About how many instructions a step is at the most; of a choice both branches count."""
    return sum((_turns(part.loops) * part.instructions for part in parts_of([step])), ZERO)


def parts_of(steps: Iterable[Step], around: Loops = (), known: Sizes = NOTHING) -> list[Part]:
    """What steps compute in loops around them, with all that is inside them, where names stand for what is `known`."""
    found: list[Part] = []
    for step in steps:
        inside = around
        match step:
            case Nest() | Each() | Repeat():
                loops = zip(step.iterators, step.extents, strict=True)
                inside = (*around, *[(name, length_of(extent, known)) for name, extent in loops])
            case Bind(name=name, value=Index(size=size), mutable=False):
                known = {**known, name: length_of(size, known)}
        found += parts_of_scalars(scalars_of(step), inside, known)
        found += parts_of(inner_steps(step), inside, known)
    return found


def parts_of_scalars(scalars: Iterable[Scalar], around: Loops = (), known: Sizes = NOTHING) -> list[Part]:
    """What scalars are that are computed at every coordinate of loops around them: an element, and those of folds.

    A scalar that stands in several places, as the step of a fold with several states, is computed once.
    """
    places = {id(place.scalar): place for scalar in scalars for place in occurrences(scalar)}
    counts: Counter[Loops] = Counter({(): 1})
    beside: set[Loops] = set()
    for place in places.values():
        counts[place.loops] += _instructions(place.scalar)
        if isinstance(place.scalar, Reduction) and _is_in_vectors(place.scalar.group):
            group = place.scalar.group
            beside.add((*place.loops, *zip(group.iterators, group.extents, strict=True)))
    for loops in beside:
        counts[loops] = -(-counts[loops] // SIDE_BY_SIDE)
    return [
        Part((*around, *[(name, length_of(extent, known)) for name, extent in loops]), count)
        for loops, count in counts.items()
    ]


def _instructions(scalar: Scalar) -> int:
    """How many instructions a scalar is by itself, roughly."""
    match scalar:
        case Operation(function=function):
            return LONG_FUNCTION if function in COSTLY else 1
        case Draw():
            return LONG_FUNCTION
        case Load(indices=indices, checks=checks):
            return 1 + sum([len(index.terms) for index in indices]) + sum(map(_comparisons, checks))
        case Checked(checks=checks):
            return sum(map(_comparisons, checks))
        case Select(guard=guard):
            return 1 if guard is None else 1 + _comparisons(guard)
        case Reduction():
            return 2
    return 0


def _is_in_vectors(group: Group) -> bool:
    """Whether elements of a fold are folded side by side."""
    return group.strategy is not None and group.strategy.name == LANES and group.strategy["width"] > 1


def _comparisons(condition: Condition) -> int:
    """How many instructions a condition on coordinates is: a difference and a comparison for each of its parts."""
    return sum(map(_comparisons, condition.parts)) if condition.parts else 2


def _turns(loops: Loops) -> Size:
    """How many turns loops inside each other have at the most."""
    bounds, count = dict[str, Size](), ONE
    for name, extent in loops:
        bounds[name] = length_of(extent, bounds)
        count = count * bounds[name]
    return count
