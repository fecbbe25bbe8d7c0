"""Sizes that a kernel is given, and polynomials in its loops, held against their bounds at the beginning of it.

So are the lengths of a nest that come from data, before it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tolang.engines.cpu.emission.function import CpuFunction
from tolang.engines.llvm import ir
from tolang.engines.llvm.bindings import BoundValue
from tolang.engines.llvm.magnitudes import LARGEST_SIZE, Magnitudes, magnitudes_of
from tolang.engines.llvm.types import DOUBLE, I1, I64, intrinsic
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.magnitudes import LIMIT, parts_of
from tolang.ground.symbolic.sizes import Atom, Size
from tolang.plan.nest import BEYOND, Named, Nest
from tolang.plan.traversal import nodes_inside

AT_ONCE = 4, 8
"""How many words are held against their bounds at once."""


def ask_for_bounds(emitter: CpuFunction, magnitudes: Magnitudes, sizes: int) -> None:
    """Ends a kernel at its beginning where one of its sizes, so many words, or a corner of its loops, is too large."""
    if sizes or magnitudes.wide:
        wrong = _any_large(emitter, sizes)
        emitter.stop_if(emitter.builder.or_(wrong, _too_large(emitter, magnitudes)), BEYOND, None)


def _any_large(emitter: CpuFunction, count: int) -> Any:
    """Whether one of so many words after the first is too large; the last of them are looked at with some before."""
    builder = emitter.builder
    at_once = max((one for one in AT_ONCE if one <= count), default=1)
    kind = I64 if at_once == 1 else ir.VectorType(I64, at_once)
    wrong: Any = None
    for place in range(0, count, at_once):
        first = builder.gep(emitter.words, [ir.Constant(I64, 1 + min(place, count - at_once))])
        words = builder.load(builder.bitcast(first, kind.as_pointer()), align=8)
        shifted = builder.add(words, _everywhere(kind, LARGEST_SIZE))
        large = builder.icmp_unsigned(">", shifted, _everywhere(kind, 2 * LARGEST_SIZE))
        wrong = large if wrong is None else builder.or_(wrong, large)
    if wrong is None or at_once == 1:
        return wrong or ir.Constant(I1, 0)
    truths = ir.IntType(at_once)
    return builder.icmp_unsigned("!=", builder.bitcast(wrong, truths), ir.Constant(truths, 0))


def _everywhere(kind: Any, number: int) -> ir.Constant:
    if kind is I64:
        return ir.Constant(I64, number)
    return ir.Constant(kind, (ir.Constant(I64, number),) * kind.count)


def _too_large(emitter: CpuFunction, magnitudes: Magnitudes) -> Any:
    """Whether a polynomial may leave 64 bits at the far corner of its loops."""
    builder, corners = emitter.builder, _Corners(emitter, magnitudes.extents)
    wrong: Any = ir.Constant(I1, 0)
    for size in magnitudes.wide:
        small = builder.fcmp_ordered("<", corners.size(size), ir.Constant(DOUBLE, float(LIMIT)))
        wrong = builder.or_(wrong, builder.not_(small))
    return wrong


@contextmanager
def known_lengths(emitter: CpuFunction, nest: Nest) -> Iterator[None]:
    """Numbers from data that say how long a nest is are lengths inside it, as sizes are that a kernel is given.

    What is computed of them is held against its bound once, and not at each place.
    """
    before = emitter.magnitudes
    used = {name for extent in nest.extents for name in extent.names()}
    lengths = frozenset(name for name in used if _may_be_length(name, nest, emitter))
    inside = magnitudes_of(nest, before.data - lengths - set(nest.iterators)) if lengths else None
    wide = () if inside is None else tuple(size for size in inside.wide if not lengths.isdisjoint(size.names()))
    if inside is None or not wide:
        yield
        return
    with emitter.scope():
        for name in sorted(lengths):
            emitter.names[name] = BoundValue.index(emitter.lookup(name))
        emitter.magnitudes = replace(inside, extents=before.extents | inside.extents, wide=wide)
        emitter.stop_if(_too_large(emitter, emitter.magnitudes), BEYOND, None)
        yield
    emitter.magnitudes = before


def _may_be_length(name: str, nest: Nest, emitter: CpuFunction) -> bool:
    """Whether a name is from data, does not change, and is the same number as a length wherever it is computed with."""
    bound = emitter.names.get(name)
    if name not in emitter.magnitudes.data or bound is None or bound.slot or not bound.data:
        return False
    return bound.storage == "i64" or not any(isinstance(one, Named) and one.name == name for one in nodes_inside(nest))


class _Corners:
    """Bounds of magnitudes in floating point, from the sizes that a kernel is given."""

    def __init__(self, emitter: CpuFunction, extents: dict[str, Size]) -> None:
        self.emitter, self.builder, self.extents = emitter, emitter.builder, extents
        self.known: dict[Size, Any] = {}

    def size(self, size: Size) -> Any:
        """A bound of a size and of all that it is computed from; at least 1."""
        if size not in self.known:
            total: Any = ir.Constant(DOUBLE, 1.0)
            for monomial, factor in size.terms.items():
                product: Any = ir.Constant(DOUBLE, abs(float(factor)))
                for atom in monomial:
                    product = self.builder.fmul(product, self._atom(atom))
                total = self.builder.fadd(total, product)
            self.known[size] = total
        return self.known[size]

    def _atom(self, atom: Atom) -> Any:
        if isinstance(atom, str):
            return self.size(self.extents[atom]) if atom in self.extents else self._given(atom)
        found = [self.size(part) for part in parts_of(atom)]
        most = found[0]
        for one in found[1:]:
            most = self.builder.select(self.builder.fcmp_ordered(">", one, most), one, most)
        return most

    def _given(self, name: str) -> Any:
        value = self.builder.sitofp(self.emitter.lookup(name), DOUBLE)
        magnitude = intrinsic(self.builder, "fabs", DOUBLE, [value])
        return self.builder.fadd(magnitude, ir.Constant(DOUBLE, 1.0))
