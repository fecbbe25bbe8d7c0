"""The frames that core bindings are written into."""

from __future__ import annotations

from tolang.core.core import Expr, Let, Require
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition

Length = tuple[str, int, int]
"""A name for a length: of which value, counted from 0, and along which of its dimensions."""


@dataclass(slots=True)
class Binding:
    """A name, or a requirement, that a frame puts in front of its result."""

    names: tuple[str, ...]
    value: Expr | None
    lengths: tuple[Length, ...] = ()
    condition: Condition | None = None
    message: str = ""
    span: Span | None = None


@dataclass(slots=True, eq=False)
class Frame:
    """A place that is evaluated once for each coordinate of its iterators: a program, a map's body, a branch."""

    iterators: tuple[str, ...] = ()
    conditional: bool = False
    bindings: list[Binding] = field(default_factory=list)

    def bound(self) -> set[str]:
        """Every name whose meaning ends with this frame."""
        return {n for b in self.bindings for n in (*b.names, *(length[0] for length in b.lengths))}

    def wrap(self, result: Expr) -> Expr:
        """The result with the frame's bindings around it."""
        for one in reversed(self.bindings):
            if one.condition is not None:
                result = Require(one.condition, one.message, result, type=result.type, span=one.span)
            elif one.value is not None:
                result = Let(one.names, one.value, result, one.lengths, type=result.type, span=one.value.span)
        return result
