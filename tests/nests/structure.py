"""Structural comparison of plans: every field of every node, but not where in the source it came from."""

from __future__ import annotations

from typing import Any

from tolang.ground.conditions import Condition
from tolang.ground.dataclasses import fields, is_dataclass
from tolang.ground.sizes import Size
from tolang.ground.spaces import Column
from tolang.nests.nest import Allocate, Buffer, Group, Plan, Step, Table


class _Comparison:
    """Buffers are told apart by their names outside the steps that make them; folds that are one here are one there."""

    def __init__(self) -> None:
        self.folds: dict[Group, Group] = {}

    def difference(self, one: Any, two: Any, path: str, made: bool = False) -> str | None:
        if type(one) is not type(two):
            return f"{path}: {type(one).__name__} and {type(two).__name__}"
        if isinstance(one, Step):
            self.folds = {}
        if isinstance(one, Size | Condition | Column):
            return None if one == two else f"{path}: {one} and {two}"
        if isinstance(one, Buffer) and not made:
            return None if one.name == two.name else f"{path}: {one.name} and {two.name}"
        if isinstance(one, Group):
            known = self.folds.setdefault(one, two)
            if known is not two:
                return f"{path}: one fold, and two folds"
        if is_dataclass(one):
            made = isinstance(one, Allocate | Table)
            names = [field.name for field in fields(one) if field.name != "span"]
            parts = [(name, getattr(one, name), getattr(two, name)) for name in names]
        elif isinstance(one, tuple):
            if len(one) != len(two):
                return f"{path}: {len(one)} and {len(two)} items"
            parts = [(str(place), a, b) for place, (a, b) in enumerate(zip(one, two, strict=True))]
        else:
            return None if repr(one) == repr(two) else f"{path}: {one!r} and {two!r}"
        found = (self.difference(a, b, f"{path}.{name}", made) for name, a, b in parts)
        return next((text for text in found if text), None)


def plan_difference(one: Plan, two: Plan) -> str | None:
    """The first place where two plans differ, in words; None where they do not."""
    comparison = _Comparison()
    inputs = comparison.difference(one.inputs, two.inputs, "inputs", made=True)
    return inputs or comparison.difference(one, two, "plan")
