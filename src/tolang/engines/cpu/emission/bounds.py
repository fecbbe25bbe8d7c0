"""Sizes that a kernel is given, and polynomials in its loops, held against their bounds at the beginning of it."""

from __future__ import annotations

from typing import Any

from tolang.engines.cpu.emission.emitter import Emitter
from tolang.engines.llvm import ir
from tolang.engines.llvm.magnitudes import LARGEST_SIZE, Magnitudes
from tolang.engines.llvm.types import DOUBLE, I1, I64, intrinsic
from tolang.ground.magnitudes import LIMIT, parts_of
from tolang.ground.sizes import Atom, Size
from tolang.nests.nest import BEYOND


def ask_for_bounds(emitter: Emitter, magnitudes: Magnitudes, sizes: tuple[str, ...]) -> None:
    """Ends a kernel at its beginning where a size that it is given, or a corner of its loops, is too large."""
    builder = emitter.builder
    wrong: Any = ir.Constant(I1, 0)
    for name in sizes:
        shifted = builder.add(emitter.names[name].value, ir.Constant(I64, LARGEST_SIZE))
        large = builder.icmp_unsigned(">", shifted, ir.Constant(I64, 2 * LARGEST_SIZE))
        wrong = builder.or_(wrong, large)
    corners = _Corners(emitter, magnitudes.extents)
    for size in magnitudes.wide:
        small = builder.fcmp_ordered("<", corners.size(size), ir.Constant(DOUBLE, float(LIMIT)))
        wrong = builder.or_(wrong, builder.not_(small))
    if sizes or magnitudes.wide:
        emitter.stop_if(wrong, BEYOND, None)


class _Corners:
    """Bounds of magnitudes in floating point, from the sizes that a kernel is given."""

    def __init__(self, emitter: Emitter, extents: dict[str, Size]) -> None:
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
        value = self.builder.sitofp(self.emitter.names[name].value, DOUBLE)
        magnitude = intrinsic(self.builder, "fabs", DOUBLE, [value])
        return self.builder.fadd(magnitude, ir.Constant(DOUBLE, 1.0))
