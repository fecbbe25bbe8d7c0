"""Indices never leave 64 bits: what has to be asked for that, and where.

Coordinates and lengths are exact in the language, and words of 64 bits here.  Three rules keep every polynomial in
them from wrapping around, or tell that it might:

- a size that a kernel is given is at most LARGEST_SIZE, and a number from data that is used as a coordinate
  LARGEST_DATA, or the run ends there; no bound is asked for where a read checks the number itself;
- a polynomial that those bounds do not keep small (a product of sizes and iterators) is bounded once a kernel, at the
  far corner of the loops around it, in floating point; a number from data that says how long these loops are is a size;
- one that is not small and mentions data is computed with a check at every operation.

A run that ends so is left to the interpreter, whose coordinates have no bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.sizes import Arithmetic
from tolang.engines.llvm.types import I64, cast, constant, intrinsic, to_computing
from tolang.ground.dataclasses import dataclass
from tolang.ground.fields import names_of_fields
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.magnitudes import LIMIT, magnitude, sizes_in
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import is_float
from tolang.plan.access import slope
from tolang.plan.nest import APART, Buffer, Step
from tolang.plan.traversal import names_bound_inside, nodes_inside

Report = Callable[[ir.IRBuilder, Any], None]
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
    data = scalars | (frozenset(names_bound_inside(nodes)) - extents.keys())
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


def index_from_data(builder: ir.IRBuilder, value: Any, storage: str, report: Report) -> Any:
    """A number from data as an index: reals floored; one that is too large, or no number at all, is a fault."""
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
        report(builder, builder.not_(held))
        value = builder.select(held, value, constant(0 if storage == "u64" else -LARGEST_DATA, storage))
    return cast(builder, value, storage, "i64")


def read_plainly(at: tuple[Size, ...], checks: tuple[Condition, ...], words: frozenset[str]) -> frozenset[str]:
    """Which of some `words`, names of 64 bits from data, a read needs no bound of: its checks hold them on both sides.

    Such a check compares the name with the rest of it, so that nothing wraps around; and where all checks hold, the
    place that is computed is right whatever wraps around on the way.
    """
    found: set[str] = set()
    for name in words:
        axes = [index for index in at if name in index.names()]
        slopes = [_slope(check, name) for check in checks if name in check.names()]
        if axes and None not in slopes and min(slopes.count(1), slopes.count(-1)) >= len(axes):
            found.update([name] if all(index.is_plain for index in axes) else [])
    together = [names for check in checks if len(names := found & check.names()) > 1]
    return frozenset(found).difference(*together)


def _slope(check: Condition, name: str) -> int | None:
    """1 or -1 where a check is on a name, taken once or taken away once, and a rest."""
    step = None if check.kind != "nonnegative" or check.size is None else slope(check.size, name)
    return step if step in (1, -1) else None


def checked_arithmetic(builder: ir.IRBuilder, report: Report) -> Arithmetic:
    """Arithmetic of sizes from data that may leave 64 bits: with a check at every operation."""

    def checked(function: str) -> Callable[[Any, Any], Any]:
        def compute(a: Any, b: Any) -> Any:
            both = intrinsic(builder, f"s{function}.with.overflow", I64, [a, b])
            report(builder, builder.extract_value(both, 1))
            return builder.extract_value(both, 0)

        return compute

    return Arithmetic(checked("add"), checked("mul"))
