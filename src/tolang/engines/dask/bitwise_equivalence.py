"""Whether the pieces of a program compute every bit as the whole would.

What decides how a result is rounded is how its folds run: in which strategy, by which step.  An element that is no fold
is the same wherever it is computed, and so is a fold of whole numbers, or one that chooses among its elements.  So the
plans of all pieces have to have the other folds that the plan of the whole has, run in the same ways; where they have
not, since a pass saw more steps together than a piece has, it is not cut so.
Tiles, and how many rows or points go together, do not count: they decide where elements are computed, not how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tolang.ground.values.functions import EXACT_IN_ANY_ORDER
from tolang.ground.values.spaces import is_narrow
from tolang.plan.kinds import FOLDS, FOLDS_TOGETHER, kind_of
from tolang.plan.nest import (
    ConstantScalar,
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
    Where,
)
from tolang.plan.schedule import Compaction, DoubleBuffered, LoopSchedule, Ownership, ScanSchedule, ScatterSchedule
from tolang.plan.traversal import inner_steps, scalars_in, scalars_of


def same_bits(whole: Plan, pieces: Iterable[Plan], some: bool = False) -> bool:
    """Whether planned pieces have the folds of the planned whole and no others; `some` have no others at least."""
    expected, found = set(_ways(whole.steps)), {way for one in pieces for way in _ways(one.steps)}
    return found <= expected if some else found == expected


def _ways(steps: Iterable[Step]) -> Iterator[str]:
    """Every fold of some steps and how it runs, in words in which no name or length is left."""
    for step in steps:
        around = ""
        if isinstance(step, Nest | Repeat):
            around = "" if kind_of(step) in (FOLDS, FOLDS_TOGETHER) else kind_of(step)
        if isinstance(step, Repeat) and not _goes_step_by_step(step):
            yield f"repeat by {around}"
        for scalar in scalars_of(step):
            for one in scalars_in(scalar):
                if isinstance(one, Reduction) and _may_round(one.group):
                    yield f"{around} {_way(one.group, bool(around))}"
        yield from _ways(inner_steps(step))


def _goes_step_by_step(repeat: Repeat) -> bool:
    """Whether a repetition computes each step as it is written, as turns that are driven from outside do."""
    match repeat.schedule:
        case (
            None
            | LoopSchedule()
            | Compaction()
            | DoubleBuffered()
            | ScanSchedule(block=0)
            | ScatterSchedule(ownership=Ownership.PARTITIONED)
        ):
            return True
    return False


def _may_round(group: Group) -> bool:
    """Whether the order in which a fold takes its elements may decide what it gives."""
    exact = all(one.storage[0] in "iub" and not is_narrow(one.storage) for one in group.columns)
    return group.combine not in EXACT_IN_ANY_ORDER and not exact


def _way(group: Group, carried: bool) -> str:
    """A fold; where what is around it runs it, its own strategy does not count."""
    steps = ", ".join(_skeleton(step) for step in group.steps)
    own = "" if carried else kind_of(group)
    if own and isinstance(group.schedule, LoopSchedule):
        own = f"{own} {[axis.factor for axis in group.schedule.axes]}"
    return f"{len(group.iterators)} {group.combine} ({steps}) {own}"


def _skeleton(scalar: Scalar) -> str:
    """A scalar by its functions alone."""
    match scalar:
        case Operation(function=function, arguments=arguments):
            return f"{function}({', '.join(map(_skeleton, arguments))})"
        case ConstantScalar(value=value):
            return repr(value)
        case Load() | Named():
            return f".{scalar.column.storage}"
        case Reduction(group=group):
            return f"fold {group.combine}"
        case Where(value=value):
            return _skeleton(value)
    return f"{type(scalar).__name__}({', '.join(map(_skeleton, scalar.children()))})"
