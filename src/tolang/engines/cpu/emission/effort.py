"""How much work a thread has with something, in elements: as far as sizes tell before it begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.llvm.types import DOUBLE
from tolang.ground.sizes import Size
from tolang.nests.nest import Each, Group, Nest, Reduction, Repeat, Scalar, Step
from tolang.nests.traversal import inner_steps, occurrences, scalars_of

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter

Factors = tuple[Size, ...]
"""Lengths of loops inside each other: so many elements their product is."""
NOTHING: Mapping[str, Size] = MappingProxyType({})


def folding(scalars: Iterable[Scalar], around: Factors = ()) -> list[Factors]:
    """The work of scalars, each once at every coordinate of loops around them: one element, and those of folds."""
    groups: dict[int, tuple[Group, Factors]] = {}
    for scalar in scalars:
        for place in occurrences(scalar):
            if isinstance(place.scalar, Reduction):
                group = place.scalar.group
                groups[id(group)] = group, tuple(extent for _, extent in place.loops)
    return [around, *((*around, *outer, *group.extents) for group, outer in groups.values())]


def effort(step: Step) -> list[Factors]:
    """The work of a step, with all that is inside it."""
    own = [*folding(scalars_of(step)), *(factors for inner in inner_steps(step) for factors in effort(inner))]
    times = step.extents if isinstance(step, Nest | Each | Repeat) else ()
    return [(*times, *factors) for factors in own]


def measured(emitter: Emitter, work: list[Factors], known: Mapping[str, Size] = NOTHING) -> tuple[Any, bool]:
    """How many elements some work has, as a float, and whether that is all of it.

    What is not known here is taken as it would be if names stood for what is `known`, or left out.
    """
    builder, complete = emitter.builder, True
    total: Any = ir.Constant(DOUBLE, 0.0)
    for factors in work:
        complete = complete and all(_is_known(emitter, one) for one in factors)
        lengths = [one.substitute(known) for one in factors]
        if all(_is_known(emitter, one) for one in lengths):
            total = builder.fadd(total, _product(emitter, lengths))
    return total, complete


def whole(emitter: Emitter, work: list[Factors]) -> Any:
    """How many elements some work has, as a float; None where that is not known here."""
    elements, complete = measured(emitter, work)
    return elements if complete else None


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
