"""Repetitions that have ended when a step leaves their state as it was: each step is a function of the state alone.

    reduce(tol[log(n,2) + 1], (d,k) -> min_plus(d,d), start)

Once a new state has the bits of the old one, so has every further one.  To look costs one pass over the state, and
ends where the two differ first; it is done where a step computes far more than that.
"""

from __future__ import annotations

from tolang.plan.nest import Reduction, Repeat, Step
from tolang.plan.traversal import (
    allocated,
    bound_names,
    inner_steps,
    scalars_in,
    scalars_of,
    used_names,
    volume,
    written_buffers,
)

LONG_FOLD = 64
"""How many elements a fold goes through at the least, where that is known, for a look at the state to be cheap."""


def fixed_point_of(repeat: Repeat) -> bool:
    """Whether the states that a repetition exchanges are found from those before alone, by folds that are long."""
    if not repeat.exchanges or bound_names(repeat):
        return False
    if any(used_names(step) & set(repeat.iterators) for step in repeat.steps):
        return False
    own = {following.name for _, following in repeat.exchanges}
    own |= {buffer.name for step in repeat.steps for buffer in allocated(step)}
    return all(written_buffers(step) <= own for step in repeat.steps) and any(map(_folds_long, repeat.steps))


def _folds_long(step: Step) -> bool:
    """Whether there is a fold in a step that is long, or may be."""
    folds = [one.group for scalar in scalars_of(step) for one in scalars_in(scalar) if isinstance(one, Reduction)]
    lengths = [volume(group.extents) for group in folds]
    return any(length is None or length >= LONG_FOLD for length in lengths) or any(map(_folds_long, inner_steps(step)))
