"""How much work a thread has with something, computed by the code itself: as far as sizes tell before it begins."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import DOUBLE
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Scalar
from tolang.plan.work import NOTHING, Sizes, WorkPart, length_of, parts_of_scalars

if TYPE_CHECKING:
    from tolang.engines.cpu.emission.emitter import Emitter


class Effort(NamedTuple):
    """Some work in the code: its elements and about how many instructions it is, as floats, and whether that is all."""

    elements: Any
    instructions: Any
    complete: bool


def folding(scalars: Iterable[Scalar], around: Iterable[Size] = ()) -> list[WorkPart]:
    """The work of scalars, each once at every coordinate of loops of some lengths around them."""
    return parts_of_scalars(scalars, tuple([("", length) for length in around]))


def measured(emitter: Emitter, work: list[WorkPart], known: Sizes = NOTHING) -> Effort:
    """How much some work is.

    What is not known here is taken as it would be if names stood for what is `known`, or left out.
    """
    amounts: dict[tuple[Size, ...], list[float]] = {(): [0.0, 0.0]}
    complete = True
    for loops, cost in work:
        complete = complete and all(_is_known(emitter, extent) for _, extent in loops)
        lengths = [length_of(extent, known) for _, extent in loops]
        if all(_is_known(emitter, one) for one in lengths):
            numbers = [float(max(one.constant, 0)) for one in lengths if one.constant is not None]
            amount = amounts.setdefault(tuple(one for one in lengths if one.constant is None), [0.0, 0.0])
            amount[0] += prod(numbers)
            amount[1] += prod(numbers) * cost
    counts = _Counts(emitter)
    elements, instructions = (
        counts.sum([(lengths, amount[which]) for lengths, amount in amounts.items()]) for which in (0, 1)
    )
    return Effort(elements, instructions, complete)


def whole(emitter: Emitter, work: list[WorkPart]) -> Any:
    """About how many instructions some work is, as a float; None where that is not known here."""
    found = measured(emitter, work)
    return found.instructions if found.complete else None


class _Counts:
    """Products of lengths as floats, each computed once."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter, self.builder = emitter, emitter.builder
        self._known: dict[tuple[Size, ...], Any] = {}

    def sum(self, terms: list[tuple[tuple[Size, ...], float]]) -> Any:
        """A sum of products, each of them so many times; that of no lengths is 1."""
        total: Any = None
        for lengths, times in terms:
            one: Any = ir.Constant(DOUBLE, times)
            if lengths:
                of_all = self._product(lengths)
                one = of_all if times == 1 else self.builder.fmul(of_all, one)
            elif not times and len(terms) > 1:
                continue
            total = one if total is None else self.builder.fadd(total, one)
        return total

    def _product(self, lengths: tuple[Size, ...]) -> Any:
        if lengths not in self._known:
            *before, last = lengths
            self._known[lengths] = (
                self.builder.fmul(self._product(tuple(before)), self._product((last,))) if before else self._of(last)
            )
        return self._known[lengths]

    def _of(self, length: Size) -> Any:
        value = self.builder.sitofp(self.emitter.size(length), DOUBLE)
        some = self.builder.fcmp_ordered(">", value, ir.Constant(DOUBLE, 0.0))
        return self.builder.select(some, value, ir.Constant(DOUBLE, 0.0))


def _is_known(emitter: Emitter, size: Size) -> bool:
    return size.names() <= emitter.names.keys() and size.denominator == 1
