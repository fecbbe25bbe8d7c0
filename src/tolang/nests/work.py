"""How much a step computes, as a formula of sizes: by it an engine chooses how well code is to be compiled at once.

nest [i <= n, j <= m]  r[i,j] = reduce[p <= k](add of a[i,p] * b[p,j])        about 2 n m k
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tolang.ground.sizes import ONE, ZERO, Size
from tolang.nests.canonical import Outlined
from tolang.nests.nest import Assign, Bind, Branch, Each, Index, Nest, Operation, Plan, Repeat, Scalar, Step
from tolang.nests.traversal import Loops, occurrences

Bounds = Mapping[str, Size]
"""The greatest value of each iterator around a place."""


class Work:
    """How much the calls of a plan compute, by the sizes of the program."""

    def __init__(self, plan: Plan) -> None:
        self._known = frozenset(plan.sizes)
        self._named = dict(_sizes_named(plan.steps, {}))

    def of(self, call: Outlined) -> Size | None:
        """About how many numbers a call computes; None where only data tell."""
        shared = call.shared
        found = work_of(shared.step).substitute(dict(zip(shared.sizes, call.sizes, strict=True)))
        found = found.substitute(self._named)
        return found if found.names() <= self._known else None


def _sizes_named(steps: Sequence[Step], known: dict[str, Size]) -> dict[str, Size]:
    """What the names of a plan stand for that are given to sizes."""
    for step in steps:
        if isinstance(step, Bind) and isinstance(step.value, Index) and not step.mutable:
            known[step.name] = step.value.size.substitute(known)
        elif isinstance(step, Branch):
            _sizes_named((*step.then, *step.otherwise), known)
    return known


def work_of(step: Step, bounds: Bounds | None = None) -> Size:
    """About how many numbers a step computes at the most; of a choice both branches count."""
    bounds = bounds or {}
    match step:
        case Nest(iterators=iterators, extents=extents, values=values):
            inner, count = _entered(iterators, extents, bounds)
            return count * sum((_of_scalar(value, inner) for value in values), ZERO)
        case Each(iterators, extents, steps) | Repeat(iterators, extents, steps):
            inner, count = _entered(iterators, extents, bounds)
            return count * sum((work_of(one, inner) for one in steps), ZERO)
        case Branch(test=test, then=then, otherwise=otherwise):
            asked = sum((_of_scalar(one, bounds) for one in test), ZERO)
            return asked + sum((work_of(one, bounds) for one in (*then, *otherwise)), ZERO)
        case Bind(value=value) | Assign(value=value):
            return _of_scalar(value, bounds)
    return ZERO


def _of_scalar(value: Scalar, bounds: Bounds) -> Size:
    counts: Counter[Loops] = Counter(one.loops for one in occurrences(value) if isinstance(one.scalar, Operation))
    total = ONE
    for loops, count in counts.items():
        names, extents = [name for name, _ in loops], [extent for _, extent in loops]
        total = total + _entered(names, extents, bounds)[1] * count
    return total


def _entered(iterators: Sequence[str], extents: Sequence[Size], bounds: Bounds) -> tuple[Bounds, Size]:
    """The bounds inside some loops, and how many turns these have at the most."""
    inner, count = dict(bounds), ONE
    for name, extent in zip(iterators, extents, strict=True):
        inner[name] = extent.substitute(inner)
        count = count * inner[name]
    return inner, count
