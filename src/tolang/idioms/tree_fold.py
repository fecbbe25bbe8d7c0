"""Folds of lists by a function that is associative: the mean with its variance, a maximum with a sum of exponentials.

    reduce(x, merge, init) = merge(merge(init, x[1]), x[2]) …

Elements and states are of one kind, so the step is a function of two of them, and stretches can be folded by
themselves, each from its first element on, and merged in order.  Such a step is lowered with its element's components
bound to names around it, `{e1 = …; e2 = …; step(s1, s2, e1, e2)}`, which is how the function is found again.
"""

from __future__ import annotations

from tolang.core.core import Coordinate, Expr, Part, Reduce, Variable
from tolang.core.rebuild import rebuild
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.functions import functions_with
from tolang.plan.equality import alike
from tolang.plan.nest import Group, Operation, Reduction, Scalar, Select, Where
from tolang.plan.traversal import dependencies, occurrences

CONVERTING = functions_with(gives_whole=True) | {"cast", "convert"}
"""Functions that may give whole numbers of reals."""


@dataclass(frozen=True, slots=True)
class TreeFold:
    """The steps as functions of the fold's states and of `others`, which stand for the components of an element."""

    others: tuple[str, ...]
    elements: tuple[Scalar, ...]
    steps: tuple[Scalar, ...]


def tree_fold_of(group: Group) -> TreeFold | None:
    """The function of two states that a fold is, where it may be regrouped; None where it is not known."""
    if not group.associative or len(group.iterators) != 1 or len(group.states) < 2:
        return None
    steps = [step for step in group.steps if isinstance(step, Where)]
    if len(steps) != len(group.states):
        return None
    bindings = steps[0].bindings
    if any(not alike(step.bindings, bindings) for step in steps) or len(bindings) != len(group.states):
        return None
    storages = [value.column.storage for _, value in bindings]
    if storages != [column.storage for column in group.columns] or "bool" in storages:
        return None
    elements, merged = tuple(value for _, value in bindings), tuple(step.value for step in steps)
    apart = not any(dependencies(e) & set(group.states) for e in elements)
    still = not any(group.iterators[0] in dependencies(m) or _has_folds(m) for m in merged)
    return TreeFold(tuple(name for name, _ in bindings), elements, merged) if apart and still else None


def _has_folds(scalar: Scalar) -> bool:
    return any(isinstance(place.scalar, Reduction) for place in occurrences(scalar))


def with_element_named(expr: Reduce, name: str) -> tuple[Expr, Expr] | None:
    """The element that a fold reads and its step with a name for it; None where it reads something else as well."""
    at = tuple(Size.of(iterator) for iterator in expr.iterators)
    found: list[Part] = []

    def visit(one: Expr) -> Expr:
        if isinstance(one, Part) and tuple(i.index if isinstance(i, Coordinate) else None for i in one.items) == at:
            found.append(one)
            return Variable(name, type=one.type, span=one.span)
        return rebuild(one, visit)

    step = visit(expr.step)
    subjects = {one.subject.name if isinstance(one.subject, Variable) else None for one in found}
    return (found[0], step) if len(subjects) == 1 and None not in subjects else None


def keeps_kinds(scalars: tuple[Scalar, ...]) -> bool:
    """Whether no function gives whole numbers of reals, as one would whose argument was a whole number before."""
    inside = [place.scalar for scalar in scalars for place in occurrences(scalar)]
    for one in inside:
        computes = isinstance(one, Operation) and one.function not in CONVERTING and one.column.storage != "bool"
        if computes and any(_rank(argument) > _rank(one) for argument in one.children()):
            return False
        if isinstance(one, Select) and {_rank(one.then), _rank(one.otherwise)} != {_rank(one)}:
            return False
    return True


def _rank(scalar: Scalar) -> int:
    storage = scalar.column.storage
    return int(storage[1:]) if storage.startswith("f") else 0
