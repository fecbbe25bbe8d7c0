"""Folds by label: each place takes of all elements those that are labelled with it, as sums of clusters do.

    y[j,a] = reduce[i](if label[i] == j then x[i,a] else 0)

As it is written, every place looks at every element.  But an element goes to one place, the one that its label names,
and leaves all others as they are: so each is taken once, and added there.  Every place keeps the order of its own
elements.
"""

from __future__ import annotations

import math

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import REORDERABLE, identity_in
from tolang.ground.values.spaces import is_float
from tolang.idioms.column_folds import folds_of, names_around
from tolang.plan.grain import FEW_LABELS
from tolang.plan.nest import ConstantScalar, Group, Index, Named, Nest, Operation, Reduction, Scalar, Select
from tolang.plan.traversal import dependencies, guards_a_fold, walk

PLACES = frozenset({"i8", "i16", "i32", "i64", "u8", "u16", "u32"})
"""Storages of labels, all of whose numbers are coordinates or none."""

FOLDED = frozenset({"i32", "i64", "u32", "u64", "f32", "f64"})


@dataclass(frozen=True, slots=True)
class Labels:
    """The fold, the dimension of the nest that labels are coordinates of, an element's label, and what it adds."""

    group: Group
    place: str
    label: Scalar
    element: Scalar

    @property
    def combine(self) -> str:
        assert self.group.combine is not None
        return self.group.combine


def labels_of(nest: Nest) -> Labels | None:
    """A nest as a fold by label; None where it is none."""
    groups = folds_of(nest)
    if len(groups) != 1 or any(guards_a_fold(value) for value in nest.values):
        return None
    (group,) = groups
    if len(group.states) != 1 or group.columns[0].storage not in FOLDED:
        return None
    lengths = {name for extent in (*nest.extents, *group.extents) for name in extent.names()}
    if lengths & {*nest.iterators, *group.iterators} or group.ordered or group.combine not in REORDERABLE:
        return None
    match group.steps:
        case (Operation(arguments=(Named(name=state), Select(guard=None) as choice)) as step,):
            if state != group.states[0] or step.function != group.combine or not _leaves(group, choice.otherwise):
                return None
            return _labelled(nest, group, choice)
    return None


def _labelled(nest: Nest, group: Group, choice: Select) -> Labels | None:
    match choice.test:
        case (Operation(function="eq", arguments=(one, two)),):
            for label, place in ((one, two), (two, one)):
                name = _coordinate(nest, place)
                if name is None or not _is_label(nest, group, label):
                    continue
                length = dict(zip(nest.iterators, nest.extents, strict=True))[name].constant
                few = isinstance(length, int) and length <= FEW_LABELS
                parts = (*walk(label), *walk(choice.then))
                plain = not dependencies(choice.then) & {*names_around(nest), *group.states}
                if plain and not few and not any(isinstance(part, Reduction) for part in parts):
                    return Labels(group, name, label, choice.then)
    return None


def _coordinate(nest: Nest, scalar: Scalar) -> str | None:
    """The dimension of a nest that a scalar is the coordinate of."""
    if not isinstance(scalar, Index):
        return None
    return next((name for name in nest.iterators if scalar.size == Size.of(name)), None)


def _is_label(nest: Nest, group: Group, label: Scalar) -> bool:
    """Whether a scalar is a whole number that an element has wherever it goes."""
    around = {*nest.iterators, *names_around(nest), *group.states}
    return label.column.storage in PLACES and not dependencies(label) & around


def _leaves(group: Group, other: Scalar) -> bool:
    """Whether a fold stays as it is where it takes a number: sums that begin with 0 never become -0."""
    (initial,), storage, combine = group.initials, group.columns[0].storage, group.combine
    assert combine is not None
    if (
        not isinstance(other, ConstantScalar)
        or not isinstance(initial, ConstantScalar)
        or other.column.storage != storage
    ):
        return False
    if is_float(storage) and combine == "add" and _is_minus_zero(initial.value) and not _is_minus_zero(other.value):
        return False
    return bool(other.value == identity_in(combine, storage))


def _is_minus_zero(number: float) -> bool:
    return number == 0 and math.copysign(1.0, number) < 0
