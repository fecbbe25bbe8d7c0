"""Blocks of a fold: each is folded by itself, 64 are joined to a piece, and pieces to what the fold begins with.

    s, p = initial, neutral
    for each block b:       p = join(p, fold of b);  after every 64th: s, p = join(s, p), neutral
    join(s, p)

So a fold may be cut into blocks for threads, and behind any piece for machines that go on from one another's state.
Where blocks and pieces begin follows from extents alone (plan/grain.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.sizes import ceiling, quotient_of
from tolang.engines.llvm.types import I64
from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.plan.grain import BLOCKS, FOLD_BLOCK

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

ZERO, ONE = ir.Constant(I64, 0), ir.Constant(I64, 1)


@dataclass(frozen=True, slots=True)
class FoldBlocks:
    """How many blocks a fold has from one coordinate of its first dimension to another, and how long they are."""

    count: Any
    length: Any
    low: Any
    high: Any

    @staticmethod
    def of(emitter: Emitter, extents: Sequence[Size], low: Any, high: Any) -> FoldBlocks:
        """The blocks of a fold over some extents."""
        builder = emitter.builder
        length: Any = ir.Constant(I64, FOLD_BLOCK)
        if len(extents) > 1:
            others: Any = ONE
            for extent in extents[1:]:
                others = builder.mul(others, emitter.size(extent))
            length = at_least_one(builder, quotient_of(builder, length, at_least_one(builder, others)))
        steps = builder.sub(high, low)
        steps = builder.select(builder.icmp_signed("<", steps, ZERO), ZERO, steps)
        return FoldBlocks(ceiling(builder, steps, length), length, low, high)

    def bounds(self, builder: ir.IRBuilder, number: Any) -> tuple[Any, Any]:
        """From where to where a block goes, which is counted from 0."""
        first = builder.add(self.low, builder.mul(number, self.length))
        end = builder.add(first, self.length)
        return first, builder.select(builder.icmp_signed("<", end, self.high), end, self.high)


class JoinedBlocks:
    """The results of blocks, joined one after the other."""

    def __init__(self, emitter: Emitter, initial: Any, neutral: Any, join: Callable[[Any, Any], Any]) -> None:
        self.emitter, self.neutral, self.join = emitter, neutral, join
        self.state, self.piece = emitter.slot(initial.type), emitter.slot(initial.type)
        emitter.builder.store(initial, self.state)
        emitter.builder.store(neutral, self.piece)

    def add(self, number: Any, result: Any) -> None:
        """Joins the result of a block, counted from 0."""
        builder = self.emitter.builder
        builder.store(self.join(builder.load(self.piece), result), self.piece)
        last = builder.icmp_signed(
            "==", builder.and_(number, ir.Constant(I64, BLOCKS - 1)), ir.Constant(I64, BLOCKS - 1)
        )
        with self.emitter.builder.if_then(last, likely=False):
            builder = self.emitter.builder
            builder.store(self.result(), self.state)
            builder.store(self.neutral, self.piece)

    def result(self) -> Any:
        """What all blocks so far give, after what the fold begins with."""
        builder = self.emitter.builder
        return self.join(builder.load(self.state), builder.load(self.piece))


def at_least_one(builder: ir.IRBuilder, value: Any) -> Any:
    return builder.select(builder.icmp_signed("<", value, ONE), ONE, value)
