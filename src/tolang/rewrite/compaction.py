"""A fold that appends some of its elements writes each of them, and goes on behind those that it keeps.

    repeat [i <= n]                                repeat [i <= n]
      if x[i] > 0                                    q = x[i] > 0
        s[length + 1] = x[i]              ->         s[length + 1] = x[i]
        length := length + 1                         length := if q then length + 1 else length

Which elements are kept nothing foretells, so a branch for each of them would be guessed wrong half of the time.  There
is room for every element, for all of them could be kept, and what lies behind the last is never read.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import COSTLY
from tolang.plan.nest import (
    Assign,
    Bind,
    Branch,
    ConstantScalar,
    Draw,
    Each,
    Index,
    Load,
    Named,
    Nest,
    Operation,
    Plan,
    Repeat,
    Scalar,
    Select,
    Step,
)
from tolang.plan.rewriting import map_lists
from tolang.plan.traversal import may_fail, nodes_inside


def append_always(plan: Plan) -> Plan:
    """Folds that append elements on conditions on data write without a branch."""
    loops = {
        name
        for step in plan.steps
        for one in nodes_inside(step)
        if isinstance(one, Repeat | Each | Nest)
        for name in one.iterators
    }
    known = frozenset(plan.sizes) | loops

    def change(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(_without_branches(one, known) if isinstance(one, Repeat) else one for one in steps)

    return map_lists(plan, change)


def _without_branches(repeat: Repeat, known: frozenset[str]) -> Repeat:
    steps: list[Step] = []
    for one in repeat.steps:
        made = _written_always(one, known) if isinstance(one, Branch) else None
        steps += [one] if made is None else made
    same = len(steps) == len(repeat.steps)
    return repeat if same else replace(repeat, steps=tuple(steps))


def _written_always(branch: Branch, known: frozenset[str]) -> list[Step] | None:
    """The steps in place of a branch that appends; None where it does something else, or that would cost more."""
    if branch.guard is not None or branch.otherwise or len(branch.test) != 1 or len(branch.then) < 2:
        return None
    *stores, last = branch.then
    if not isinstance(last, Assign) or not isinstance(last.value, Index):
        return None
    length = Size.of(last.name)
    behind = length + 1
    if last.value.size != behind or not all(_appends(store, behind, known) for store in stores):
        return None
    test, count = branch.test[0], last.value
    kept = Bind(f"{last.name} grows", test)
    truth = Named(kept.name, column=test.column)
    grown = Select(None, (truth,), count, Index(length, column=count.column), column=count.column)
    return [kept, *stores, Assign(last.name, grown)]


def _appends(step: Step, behind: Size, known: frozenset[str]) -> bool:
    """Whether a step writes elements behind the last, that are had for nothing whether they are kept or not."""
    if not isinstance(step, Nest) or step.iterators or any(at != (behind,) for _, at in step.targets):
        return False
    return all(_is_at_hand(value, known) for value in step.values)


def _is_at_hand(value: Scalar, known: frozenset[str]) -> bool:
    """Whether a value can be computed where it is not needed: without failing, quickly, from elements that are there.

    Of an element at coordinates from data only the condition may tell that it is there.
    """
    match value:
        case ConstantScalar() | Index() | Named() | Draw():
            return True
        case Load(indices=indices, checks=()):
            return all(index.names() <= known for index in indices)
        case Operation(function=function, arguments=arguments):
            return function not in COSTLY and not may_fail(value) and all(_is_at_hand(one, known) for one in arguments)
    return False
