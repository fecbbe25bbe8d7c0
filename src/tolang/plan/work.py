"""How much a step computes, loop by loop, as formulas of sizes.

    nest [i <= n, j <= m]  r[i,j] = reduce[p <= k](add of a[i,p] * b[p,j])        about 3 n m + 4 n m k

By it an engine chooses how well code is to be compiled at once, how much a thread takes at a time, and whether code has
to look meanwhile if it is to end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import NamedTuple

from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.functions import COSTLY
from tolang.plan.canonical import Outlined
from tolang.plan.kinds import LANES, kind_of
from tolang.plan.nest import (
    Bind,
    Branch,
    Checked,
    ConstantScalar,
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
from tolang.plan.schedule import LoopSchedule, Role
from tolang.plan.traversal import Loops, dependencies, has_fold, inner_steps, occurrences, scalars_in, scalars_of

Sizes = Mapping[str, Size]
NOTHING: Sizes = MappingProxyType({})
NOBODY: frozenset[str] = frozenset()
SIDE_BY_SIDE = 2
"""How many elements a vector has at the least."""
LONG_FUNCTION = 32
"""How many instructions a function is that processors have none for."""


DOUBLINGS = 63
"""The logarithm of a length to base 2 is at most so much."""
UNTOLD = "?"
"""What stands for lengths in the place of names that only data tell."""


class WorkPart(NamedTuple):
    """What is computed at every coordinate of loops inside each other: so many instructions, roughly."""

    loops: Loops
    instructions: int


class PlanWork:
    """How much the calls of a plan compute, by the sizes of the program."""

    def __init__(self, plan: Plan) -> None:
        self._known = frozenset(plan.sizes)
        self._named = _sizes_named(plan.steps, {})
        self._shared: dict[str, tuple[Size, Size]] = {}

    def of(self, call: Outlined) -> Size | None:
        """About how many instructions a call is, by sizes and lengths that only data tell; None where these are turns.

        Lengths are those of something that is in memory, while a repetition may have any number of turns.
        """
        shared = call.shared
        if shared.key not in self._shared:
            self._shared[shared.key] = work_of(shared.step), _repeated([shared.step], {})
        given = dict(zip(shared.sizes, call.sizes, strict=True))
        found, turns = [length_of(length_of(one, given), self._named) for one in self._shared[shared.key]]
        if not turns.names() <= self._known:
            return None
        untold = found.names() - self._known
        return length_of(found, dict.fromkeys(untold, Size.of(UNTOLD))) if untold else found


def _repeated(steps: Iterable[Step], known: Sizes) -> Size:
    """All turns of the repetitions inside steps, for the names in them, and of folds that go along nothing."""
    total = ZERO
    for step in steps:
        known = _with_named(step, known)
        own = step.extents if isinstance(step, Repeat) else ()
        inside = (one.group for scalar in scalars_of(step) for one in scalars_in(scalar) if isinstance(one, Reduction))
        folds = (extent for group in inside if not _goes_along(group) for extent in group.extents)
        turns = sum([length_of(one, known) for one in (*own, *folds)], ZERO)
        total = total + turns + _repeated(inner_steps(step), known)
    return total


def _goes_along(group: Group) -> bool:
    """Whether a fold reads something from turn to turn."""
    reads = (one for step in group.steps for one in scalars_in(step) if isinstance(one, Load))
    return any(not dependencies(one).isdisjoint(group.iterators) for one in reads)


def _sizes_named(steps: Sequence[Step], known: Sizes) -> Sizes:
    """What the names of a plan stand for that are given to sizes, or at the most."""
    for step in steps:
        known = _with_named(step, known)
        if isinstance(step, Branch):
            known = _sizes_named((*step.then, *step.otherwise), known)
    return known


def _with_named(step: Step, known: Sizes, at_most: bool = True) -> Sizes:
    """What is known of names, and of one that a step binds: a size, or the logarithm of one, so much `at_most`."""
    match step:
        case Bind(name=name, value=Index(size=size), mutable=False):
            return {**known, name: length_of(size, known)}
        case Bind(name=name, value=Operation("log", (Index(), ConstantScalar(value=2))), mutable=False) if at_most:
            return {**known, name: Size.of(DOUBLINGS)}
    return known


def length_of(size: Size, known: Sizes) -> Size:
    """A size where names stand for what is known; 0 where it is then divided by zero, of which running tells."""
    try:
        return size.substitute(known)
    except ZeroDivisionError:
        return ZERO


def work_of(step: Step) -> Size:
    """About how many instructions a step is at the most; of a choice both branches count."""
    return sum((_turns(part.loops) * part.instructions for part in parts_of([step], untold=NOBODY)), ZERO)


def parts_of(
    steps: Iterable[Step], around: Loops = (), known: Sizes = NOTHING, untold: frozenset[str] | None = None
) -> list[WorkPart]:
    """What steps compute in loops around them, with all that is inside them, where names stand for what is `known`.

    Of `untold` names nothing is known, for they are computed: loops that go so far are as long as they can be at the
    most.  Where these are not given, so are all names that are no sizes.
    """
    found: list[WorkPart] = []
    for step in steps:
        inside = around
        known = _with_named(step, known, at_most=untold is not None)
        if untold is not None and isinstance(step, Bind) and step.name not in known:
            untold |= {step.name}
        if isinstance(step, Nest | Each | Repeat):
            loops = zip(step.iterators, [length_of(extent, known) for extent in step.extents], strict=True)
            inside = (*around, *(_written(step, list(loops), untold) if isinstance(step, Nest) and untold else loops))
        found += parts_of_scalars(scalars_of(step), inside, known)
        found += parts_of(inner_steps(step), inside, known, untold)
    return found


def _written(nest: Nest, loops: Sequence[tuple[str, Size]], untold: frozenset[str]) -> Sequence[tuple[str, Size]]:
    """The loops of a nest; where nobody knows their lengths all are as many turns as there are elements to write."""
    if all(extent.names().isdisjoint(untold) for _, extent in loops) or any(map(has_fold, nest.values)):
        return loops
    shape = nest.targets[0][0].shape
    if any(not length.names().isdisjoint(untold) for length in shape):
        return loops
    return [(name, prod(shape, start=ONE) if place == 0 else ONE) for place, (name, _) in enumerate(loops)]


def parts_of_scalars(scalars: Iterable[Scalar], around: Loops = (), known: Sizes = NOTHING) -> list[WorkPart]:
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
        WorkPart((*around, *[(name, length_of(extent, known)) for name, extent in loops]), count)
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
    lanes = group.schedule.factor(Role.VECTOR) if isinstance(group.schedule, LoopSchedule) else 1
    return kind_of(group) == LANES and lanes > 1


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
