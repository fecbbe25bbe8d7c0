"""Sums and products of whole numbers, which have to fit as a whole where folds may be regrouped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tests.fuzz.kinds import Kind
from tests.fuzz.numbers import brought
from tests.fuzz.tree import Apply, Fold, Name, Node, Type


def added_up(node: Fold) -> tuple[str, Node] | None:
    """Whether a fold is a sum or product of whole numbers of Z, and what it adds up, which does not name the state."""
    body = node.body
    if not isinstance(body, Apply) or body.function not in ("add", "mul") or not isinstance(node.type, Type):
        return None
    kind, (state, element) = node.type.kinds[0], body.arguments
    if node.type.rank or kind.family != "Z" or kind.wraps or not isinstance(state, Name) or state.id != node.state:
        return None
    alone = not any(isinstance(one, Name) and one.id == node.state for one in element.walk())
    return (body.function, element) if alone else None


def total(function: str, numbers: Sequence[Any], kind: Kind) -> Any:
    """A sum or product that has to fit its kind, whatever it is on the way."""
    return brought(sum(numbers) if function == "add" else math.prod(numbers), kind)
