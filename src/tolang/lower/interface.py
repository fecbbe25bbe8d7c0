"""What the parts of lowering ask of one another: where values go, and who lowers what is inside them."""

from __future__ import annotations

from typing import Protocol

from tolang.core.core import Bundle, Expr, If, Join, Let, Reduce
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.sizes import ZERO, Size
from tolang.ground.values.spaces import column
from tolang.lower.environment import Environment, LoweringState
from tolang.plan.nest import Buffer, Nest, Scalar, Step

INDEX = column("Z")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a ToL goes: buffers, leading coordinates, and offsets along the ToL's own axes."""

    buffers: tuple[Buffer, ...]
    prefix: tuple[Size, ...] = ()
    offsets: tuple[Size, ...] = ()

    def place(self, at: tuple[Size, ...]) -> tuple[Size, ...]:
        own = tuple(a + o for a, o in zip(at, self.offsets, strict=True)) if self.offsets else at
        return (*self.prefix, *own)

    def below(self, at: tuple[Size, ...]) -> Destination:
        """The target of the elements under some leading coordinates of their own."""
        count = len(at)
        offsets = self.offsets or (ZERO,) * count
        moved = tuple(a + o for a, o in zip(at, offsets[:count], strict=True))
        return Destination(self.buffers, (*self.prefix, *moved), self.offsets[count:])

    def shifted(self, axis: int, by: Size, rank: int) -> Destination:
        offsets = list(self.offsets or (ZERO,) * rank)
        offsets[axis] = offsets[axis] + by
        return Destination(self.buffers, self.prefix, tuple(offsets))


class Lowers(Protocol):
    """A program on its way to a plan."""

    knowledge: LoweringState

    def open(self, expr: Expr, env: Environment) -> tuple[list[Step], Expr, Environment]:
        """The bindings around an expression as steps, what is inside, and what is known there."""

    def bind(self, expr: Let, env: Environment) -> tuple[list[Step], Environment]:
        """One binding."""

    def bundled(self, expr: Reduce, env: Environment) -> tuple[list[Step], Bundle, Environment]:
        """The initial states of a fold of several ToLs."""

    def buffers(self, base: str, kind: Type, span: Span | None, role: str = "scratch") -> tuple[Buffer, ...]:
        """New buffers for a ToL."""

    def demand_lengths(self, lengths: tuple[Size, ...], span: Span | None, env: Environment) -> list[Step]:
        """Steps that ask for what is not known: that no length is below zero."""

    def scalars(self, expr: Expr, env: Environment) -> tuple[list[Step], tuple[Scalar, ...]]:
        """A list of numerics, and the steps before it."""

    def store(self, expr: Expr, target: Destination, env: Environment) -> list[Step]:
        """Steps that compute a ToL where it goes."""

    def store_parts(self, expr: Join, target: Destination, env: Environment) -> list[Step]:
        """Steps that compute the parts of a join, each where it goes."""

    def store_scalars(self, values: tuple[Scalar, ...], kind: Type, target: Destination) -> Nest:
        """A step that puts numerics where they go."""

    def test(self, expr: If, env: Environment) -> tuple[list[Step], tuple[Scalar, ...]]:
        """The test of a choice, and the steps before it."""
