"""Nests that compute some neighbouring points of a dimension together: whole blocks so, the rest point by point."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from tolang.engines.cpu.emission.effort import folding
from tolang.engines.cpu.emission.sharing import shared_rows
from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I64
from tolang.ground.symbolic.sizes import Size, floor_division
from tolang.plan.nest import Nest

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

BLOCK = "the block of points"


class VectorBlock(NamedTuple):
    """So many neighbours along a dimension."""

    point: str
    width: int


def in_blocks(emitter: Emitter, nest: Nest, block: VectorBlock, together: Callable[[Any], None]) -> None:
    """A nest block by block, the dimension cut into them innermost; `together` is given how many points come before."""
    place = nest.iterators.index(block.point)
    length, width = nest.extents[place], block.width
    blocks = floor_division(length + (width - 1), Size.of(width))
    iterators = (*nest.iterators[:place], *nest.iterators[place + 1 :], BLOCK)
    extents = (*nest.extents[:place], *nest.extents[place + 1 :], blocks)

    def one_block() -> None:
        builder, points = emitter.builder, ir.Constant(I64, width)
        first = builder.mul(builder.sub(emitter.names[BLOCK].value, ir.Constant(I64, 1)), points)
        total = emitter.size(length)
        whole = builder.icmp_signed("<=", builder.add(first, points), total)

        def rest() -> None:
            emitter.loop(first, total, block.point, lambda: emitter.store_all(nest), width)

        emitter.choose(whole, lambda: together(first), rest)

    if emitter.inside_region:
        emitter.loops(iterators, extents, one_block)
    else:
        shared_rows(emitter, iterators, extents, folding(nest.values, (Size.of(width),)), one_block)
