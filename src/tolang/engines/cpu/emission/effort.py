"""How much work a thread has with something, computed by the code itself: as far as sizes tell before it begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import DOUBLE
from tolang.ground.sizes import Size
from tolang.nests.nest import Scalar
from tolang.nests.work import NOTHING, Part, Sizes, length_of, parts_of_scalars

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


class Effort(NamedTuple):
    """Some work in the code: its elements and about how many instructions it is, as floats, and whether that is all."""

    elements: Any
    instructions: Any
    complete: bool


def folding(scalars: Iterable[Scalar], around: Iterable[Size] = ()) -> list[Part]:
    """The work of scalars, each once at every coordinate of loops of some lengths around them."""
    return parts_of_scalars(scalars, tuple([("", length) for length in around]))


def measured(emitter: Emitter, work: list[Part], known: Sizes = NOTHING) -> Effort:
    """How much some work is.

    What is not known here is taken as it would be if names stood for what is `known`, or left out.
    """
    builder, complete = emitter.builder, True
    elements: Any = ir.Constant(DOUBLE, 0.0)
    instructions: Any = ir.Constant(DOUBLE, 0.0)
    for loops, cost in work:
        complete = complete and all(_is_known(emitter, extent) for _, extent in loops)
        lengths = [length_of(extent, known) for _, extent in loops]
        if all(_is_known(emitter, one) for one in lengths):
            count = _product(emitter, lengths)
            elements = builder.fadd(elements, count)
            instructions = builder.fadd(instructions, builder.fmul(count, ir.Constant(DOUBLE, float(cost))))
    return Effort(elements, instructions, complete)


def whole(emitter: Emitter, work: list[Part]) -> Any:
    """About how many instructions some work is, as a float; None where that is not known here."""
    found = measured(emitter, work)
    return found.instructions if found.complete else None


def _product(emitter: Emitter, lengths: list[Size]) -> Any:
    builder = emitter.builder
    product: Any = ir.Constant(DOUBLE, 1.0)
    for length in lengths:
        value = builder.sitofp(emitter.size(length), DOUBLE)
        some = builder.fcmp_ordered(">", value, ir.Constant(DOUBLE, 0.0))
        product = builder.fmul(product, builder.select(some, value, ir.Constant(DOUBLE, 0.0)))
    return product


def _is_known(emitter: Emitter, size: Size) -> bool:
    return size.names() <= emitter.names.keys() and size.denominator == 1
