"""Whether two scalar expressions compute the same, names bound inside them aside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tolang.ground.dataclasses import fields
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Buffer, Group, Named, Scalar, Where


def alike(first: Any, second: Any, names: Mapping[str, str] | None = None) -> bool:
    """Whether two parts of expressions are equal once names bound in the first are read as those of the second."""
    names = names or {}
    match first, second:
        case (Size(), Size()) | (Condition(), Condition()):
            return bool(first.substitute({old: Size.of(new) for old, new in names.items()}) == second)
        case Buffer(), Buffer():
            return bool(first.name == second.name)
        case Named(), Named():
            return names.get(first.name, first.name) == second.name and first.column == second.column
        case Where(), Where():
            return _alike_where(first, second, names)
        case Group(), Group():
            return _alike_folds(first, second, names)
        case tuple(), tuple():
            pairs = list(zip(first, second, strict=False))
            return len(first) == len(second) and all(alike(a, b, names) for a, b in pairs)
    if type(first) is not type(second):
        return False
    if isinstance(first, Scalar):
        compared = (one.name for one in fields(first) if one.name != "span")
        return all(alike(getattr(first, name), getattr(second, name), names) for name in compared)
    return bool(first == second)


def _alike_where(first: Where, second: Where, names: Mapping[str, str]) -> bool:
    if len(first.bindings) != len(second.bindings):
        return False
    inner = dict(names)
    for (one, value), (other, its) in zip(first.bindings, second.bindings, strict=True):
        if not alike(value, its, inner):
            return False
        inner[one] = other
    return alike(first.value, second.value, inner)


def _alike_folds(first: Group, second: Group, names: Mapping[str, str]) -> bool:
    if first is second:
        return all(names.get(n, n) == n for n in names)
    if len(first.iterators) != len(second.iterators) or len(first.states) != len(second.states):
        return False
    inner = {
        **names,
        **dict(zip(first.iterators, second.iterators, strict=True)),
        **dict(zip(first.states, second.states, strict=True)),
    }
    outside = alike((first.extents, first.initials), (second.extents, second.initials), names)
    same_kind = (first.columns, first.combine) == (second.columns, second.combine)
    return same_kind and outside and alike(first.steps, second.steps, inner)
