"""How much a step computes, as a formula of sizes: by it an engine chooses how well code is to be compiled at once.

nest [i <= n, j <= m]  r[i,j] = reduce[p <= k](add of a[i,p] * b[p,j])        about 2 n m k
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tolang.ground.sizes import ONE, ZERO, Size
from tolang.nests.canonical import Outlined
from tolang.nests.nest import Assign, Bind, Branch, Each, Nest, Operation, Repeat, Scalar, Step
from tolang.nests.traversal import Loops, occurrences

Bounds = Mapping[str, Size]
"""The greatest value of each iterator around a place."""


def work_of_call(call: Outlined, known: frozenset[str]) -> Size | None:
    """About how many numbers a call computes; None where it takes more than some known names to say it."""
    shared = call.shared
    found = work_of(shared.step).substitute(dict(zip(shared.sizes, call.sizes, strict=True)))
    return found if found.names() <= known else None


def work_of(step: Step, bounds: Bounds | None = None) -> Size:
    """About how many numbers a step computes at the most; of a choice both branches count."""
    bounds = bounds or {}
    match step:
        case Nest(iterators=iterators, extents=extents, values=values):
            inner, count = _entered(iterators, extents, bounds)
            return count * sum((_of_scalar(value, inner) for value in values), ZERO)
        case Each(iterators=iterators, extents=extents, steps=steps):
            inner, count = _entered(iterators, extents, bounds)
            return count * sum((work_of(one, inner) for one in steps), ZERO)
        case Repeat(iterators=iterators, extents=extents, steps=steps):
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
