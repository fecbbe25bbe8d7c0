"""Structural comparison of plans: every field of every node, but not where in the source it came from."""

from __future__ import annotations

from typing import Any

from tolang.ground.dataclasses import fields, is_dataclass
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import Column
from tolang.plan.nest import Allocate, Buffer, ConstantTable, Group, Plan, Step


class _Comparison:
    """Buffers are told apart by their names outside the steps that make them.

    Folds that are one in the first are one in the second, wherever what computes the one is sure to come before.
    """

    def __init__(self) -> None:
        self.folds: dict[Group, Group] = {}

    def difference(self, one: Any, two: Any, path: str, made: bool = False) -> str | None:
        if type(one) is not type(two):
            return f"{path}: {type(one).__name__} and {type(two).__name__}"
        if isinstance(one, Size | Condition | Column):
            return None if one == two else f"{path}: {one} and {two}"
        if isinstance(one, Buffer) and not made:
            return None if one.name == two.name else f"{path}: {one.name} and {two.name}"
        if isinstance(one, Group) and self.folds.setdefault(one, two) is not two:
            return f"{path}: one fold, and two folds"
        if is_dataclass(one):
            made = isinstance(one, Allocate | ConstantTable)
            names = [field.name for field in fields(one) if field.name != "span"]
            parts = [(name, getattr(one, name), getattr(two, name)) for name in names]
        elif isinstance(one, tuple):
            if len(one) != len(two):
                return f"{path}: {len(one)} and {len(two)} items"
            parts = [(str(place), a, b) for place, (a, b) in enumerate(zip(one, two, strict=True))]
        else:
            return None if repr(one) == repr(two) else f"{path}: {one!r} and {two!r}"
        for name, a, b in parts:
            folds = dict(self.folds)
            found = self.difference(a, b, f"{path}.{name}", made)
            if found is not None:
                return found
            if isinstance(one, Step) and name in INNER:
                self.folds = folds
        return None


INNER = ("steps", "then", "otherwise")
"""Fields of steps in which there are others."""


def plan_difference(one: Plan, two: Plan) -> str | None:
    """The first place where two plans differ, in words; None where they do not."""
    comparison = _Comparison()
    inputs = comparison.difference(one.inputs, two.inputs, "inputs", made=True)
    return inputs or comparison.difference(one, two, "plan")
