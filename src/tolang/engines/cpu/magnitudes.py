"""Indices never leave 64 bits: what has to be asked for that, and where.

Coordinates and lengths are exact in the language, and words of 64 bits here.  Three rules keep every polynomial in
them from wrapping around, or tell that it might:

- a size that a kernel is given is at most LARGEST_SIZE, and a number from data that is used as a coordinate
  LARGEST_DATA, or the run ends there; no bound is asked for where a read checks the number itself;
- a polynomial that those bounds do not keep small (a product of sizes and iterators) is bounded once a kernel, at the
  far corner of the loops around it, in floating point;
- one that is not small and mentions data is computed with a check at every operation.

A run that ends so is left to the interpreter, whose coordinates have no bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import DOUBLE, I1, I64, cast, constant, intrinsic, is_float, to_computing
from tolang.engines.cpu.images import BEYOND
from tolang.engines.cpu.indices import Arithmetic, plain_arithmetic
from tolang.ground.conditions import Condition, nonnegative
from tolang.ground.fields import names_of_fields
from tolang.ground.magnitudes import LIMIT, magnitude, parts_of, sizes_in
from tolang.ground.sizes import Atom, Size
from tolang.nests.canonical import bound_names, nodes_inside
from tolang.nests.nest import APART, Buffer, Step

if TYPE_CHECKING:
    from tolang.engines.cpu.emitter import Emitter

LARGEST_SIZE = 1 << 51
LARGEST_DATA = 1 << 40


@lru_cache(maxsize=4096)
def may_wrap(size: Size) -> bool:
    """Whether a size, or anything it is computed from, could leave 64 bits with every name at its bound."""
    return magnitude(size, lambda name: LARGEST_SIZE) >= LIMIT


@dataclass(frozen=True, slots=True)
class Magnitudes:
    """The loops of a step by their iterators, which names in it are from data, and its sizes that may wrap around."""

    extents: dict[str, Size]
    data: frozenset[str]
    wide: tuple[Size, ...]

    def mention_data(self, size: Size) -> bool:
        return not self.data.isdisjoint(size.names())


def magnitudes_of(step: Step, scalars: frozenset[str]) -> Magnitudes:
    """What is to be known of the sizes in a step, whose `scalars` are numbers from data."""
    nodes = list(nodes_inside(step))
    extents: dict[str, Size] = {}
    for node in nodes:
        lengths = getattr(node, "extents", ())
        extents.update(zip(getattr(node, "iterators", ()), lengths, strict=False))
    data = scalars | (frozenset(bound_names(nodes)) - extents.keys())
    while True:
        more = {name for name, extent in extents.items() if name not in data and not data.isdisjoint(extent.names())}
        if not more:
            break
        data |= more
    wide = {size: None for node in nodes for size in _sizes_of(node) if may_wrap(size)}
    return Magnitudes(extents, data, tuple(size for size in wide if data.isdisjoint(size.names())))


def _sizes_of(node: Any) -> Iterator[Size]:
    """The sizes that stand in a node itself."""
    for name in names_of_fields(type(node), APART):
        yield from _sizes_in(getattr(node, name))


def _sizes_in(value: Any) -> Iterator[Size]:
    match value:
        case Size():
            yield value
        case Condition():
            yield from sizes_in(value)
        case Buffer():
            yield from value.shape
        case tuple():
            for one in value:
                yield from _sizes_in(one)


def index_from_data(emitter: Emitter, value: Any, storage: str) -> Any:
    """A number from data as an index: reals floored; one that is too large, or no number at all, is a fault."""
    builder = emitter.builder
    value, storage = to_computing(builder, value, storage)
    held: Any = None
    if is_float(storage):
        value = intrinsic(builder, "floor", value.type, [value])
        magnitude = intrinsic(builder, "fabs", value.type, [value])
        held = builder.fcmp_ordered("<=", magnitude, constant(LARGEST_DATA, storage))
    elif storage in ("i64", "u64"):
        least = 0 if storage == "u64" else LARGEST_DATA
        shifted = builder.add(value, ir.Constant(I64, least))
        held = builder.icmp_unsigned("<=", shifted, ir.Constant(I64, LARGEST_DATA + least))
    if held is not None:
        emitter.reporter(BEYOND, None)(builder, builder.not_(held))
        value = builder.select(held, value, constant(0 if storage == "u64" else -LARGEST_DATA, storage))
    return cast(builder, value, storage, "i64")


def read_plainly(at: tuple[Size, ...], lengths: tuple[Size, ...], checks: tuple[Condition, ...]) -> frozenset[str]:
    """The names that a read needs no bound of: each is a coordinate by itself, and held between 1 and the length.

    Of `name - 1` and `length - name` one at most wraps around, and the other is then below zero.
    """
    found: set[str] = set()
    asked: set[Condition] = set()
    for index, length in zip(at, lengths, strict=True):
        first, last = nonnegative(index - 1), nonnegative(length - index)
        if index.name is not None and (last in checks or first not in checks):
            found.add(index.name)
            asked |= {first, last}
    others: list[Condition | Size] = [check for check in checks if check not in asked]
    others += [*(one for one in at if one.name is None), *lengths]
    return frozenset(found).difference(*(one.names() for one in others))


def arithmetic_of(emitter: Emitter, size: Size) -> Arithmetic:
    """How a size is computed: with a check at every operation where it is from data and may leave 64 bits."""
    if not (may_wrap(size) and emitter.magnitudes.mention_data(size)):
        return plain_arithmetic(emitter.builder)
    report = emitter.reporter(BEYOND, None)

    def checked(function: str) -> Callable[[Any, Any], Any]:
        def compute(a: Any, b: Any) -> Any:
            both = intrinsic(emitter.builder, f"s{function}.with.overflow", I64, [a, b])
            report(emitter.builder, emitter.builder.extract_value(both, 1))
            return emitter.builder.extract_value(both, 0)

        return compute

    return Arithmetic(checked("add"), checked("mul"))


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
