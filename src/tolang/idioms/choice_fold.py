"""Folds that choose one of their elements by comparing a component: argmin, argmax, the nearest, the latest.

    (s,e) -> if e[1]' > s[1]' then e else s

The state is always the initial list or one of the elements, so the fold is known by the place of the element chosen.
Such a fold may be cut and taken in any order, exactly: of the places that hold the extreme component the first wins
where the comparison is strict, the last where it is not, and an element that compares with nothing (NaN) never does.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.values.functions import FUNCTIONS
from tolang.plan.equality import alike
from tolang.plan.nest import Group, Named, Operation, Scalar, Select, Where
from tolang.plan.rewriting import Bindings, within
from tolang.plan.traversal import dependencies

MIRRORED = {name: row.mirrored for name, row in FUNCTIONS.items() if row.mirrored is not None}
NEGATED = {name: row.negated for name, row in FUNCTIONS.items() if row.negated is not None}


@dataclass(frozen=True, slots=True)
class ChoiceFold:
    """An element takes the state's place where `relation` holds between their components `key`."""

    relation: str
    key: int
    elements: tuple[Scalar, ...]

    @property
    def strict(self) -> bool:
        return self.relation in ("lt", "gt")


def choice_fold_of(group: Group) -> ChoiceFold | None:
    """The fold as a choice; None where it is none."""
    if len(group.iterators) != 1:
        return None
    found = [_chosen(step, state, group.states) for step, state in zip(group.steps, group.states, strict=True)]
    sides = [one for one in found if one is not None]
    if len(sides) != len(found):
        return None
    test, taken = sides[0][0], sides[0][1]
    if any(one[1] != taken or not alike(one[0], test) for one in sides[1:]):
        return None
    elements = tuple(one[2] for one in sides)
    return _compared(group, test, taken, elements)


@dataclass(frozen=True, slots=True)
class Keeping:
    """A step that leaves its state where a test is `true`, or where it is not, and else has another value."""

    bindings: Bindings
    test: Scalar
    true: bool
    other: Scalar


def keeping(step: Scalar, state: str) -> Keeping | None:
    """A step as a choice between its state and something else; None where it is none."""
    bindings: list[tuple[str, Scalar]] = []
    while isinstance(step, Where):
        bindings.extend(step.bindings)
        step = step.value
    if not isinstance(step, Select) or step.guard is not None:
        return None
    for kept, true, other in ((step.then, True, step.otherwise), (step.otherwise, False, step.then)):
        if isinstance(kept, Named) and kept.name == state:
            return Keeping(tuple(bindings), step.test[0], true, other)
    return None


def _chosen(step: Scalar, state: str, states: tuple[str, ...]) -> tuple[Scalar, bool, Scalar] | None:
    """The test of a step that is a choice, whether the element is taken where it holds, and the element."""
    found = keeping(step, state)
    if found is None:
        return None
    element = within(found.bindings, _written(found.other, found.bindings))
    return (
        None if dependencies(element) & set(states) else (_written(found.test, found.bindings), not found.true, element)
    )


def _written(scalar: Scalar, bindings: Bindings) -> Scalar:
    """What a name that was bound around a choice stands for."""
    known = dict(bindings)
    while isinstance(scalar, Named) and scalar.name in known:
        scalar = known[scalar.name]
    return scalar


def _compared(group: Group, test: Scalar, taken: bool, elements: tuple[Scalar, ...]) -> ChoiceFold | None:
    if not isinstance(test, Operation) or test.function not in MIRRORED:
        return None
    first, second = test.arguments
    relation = test.function
    if isinstance(first, Named) and first.name in group.states:
        first, second, relation = second, first, MIRRORED[relation]
    if not isinstance(second, Named) or second.name not in group.states:
        return None
    key = group.states.index(second.name)
    storages = {first.column.storage, second.column.storage, group.columns[key].storage}
    if not alike(first, elements[key]) or len(storages) != 1 or "bool" in storages:
        return None
    if not taken:
        if first.column.storage.startswith("f"):
            return None
        relation = NEGATED[relation]
    return ChoiceFold(relation, key, elements)
