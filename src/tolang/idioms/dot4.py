"""Numbers of eight bits in the sums of products that quantised models are made of.

    reduce[k](s = 0 -> s + (a[i,k] - z) * (b[k,j] - y))          a and b have eight bits, z and y are without k

Each operand is a `raw` number of eight bits less an offset, times a scale, and 0 outside of what it reads.  Processors
multiply and add four such numbers at a time, held in one word of 32 bits, a quad: `dot(s, one, two)` adds the four
products of two quads of signed numbers to a state; in `dot_unsigned` those of the first have no sign.
"""

from __future__ import annotations

from collections.abc import Mapping

from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.values.spaces import integer_range
from tolang.idioms.contraction import Dimensions, groups_of, inlined, without_single
from tolang.plan.access import access_of
from tolang.plan.nest import (
    DOT,
    DOT_UNSIGNED,
    ConstantScalar,
    Group,
    Load,
    Named,
    Nest,
    Operation,
    Scalar,
    Select,
    Where,
)
from tolang.plan.rewriting import Rewriter
from tolang.plan.traversal import dependencies, has_fold

DOTS = frozenset({DOT, DOT_UNSIGNED})
EIGHT_BITS = ("u8", "i8")
LONGEST_SUM = (2**31 - 1) // 255**2
"""How many products of differences of eight bits have a sum that 32 bits hold."""
Producers = Mapping[str, Nest]
"""The nests that alone write a buffer, by its name."""


@dataclass(frozen=True, slots=True)
class Eight:
    """An operand that is `(raw - offset) * scale`, and 0 where a guard does not hold.

    `raw` has eight bits.  The offset has too, or is a constant that would fit; a scale that is None is 1.
    """

    raw: Scalar
    offset: Scalar | None = None
    scale: Scalar | None = None
    guards: tuple[Condition, ...] = ()

    @property
    def storage(self) -> str:
        return self.raw.column.storage

    @property
    def around(self) -> tuple[Scalar, ...]:
        """What is around the raw number."""
        return tuple(one for one in (self.offset, self.scale) if one is not None)


@dataclass(frozen=True, slots=True)
class Dot4Product:
    """A nest, without dimensions of one coordinate, whose elements are sums of products of two operands."""

    nest: Nest
    group: Group
    one: Scalar
    two: Scalar

    @property
    def depth(self) -> Dimensions:
        return tuple(zip(self.group.iterators, self.group.extents, strict=True))

    def own(self, operand: Scalar) -> Dimensions:
        """The dimensions of the nest that an operand depends on."""
        names = dependencies(operand)
        return tuple(d for d in zip(self.nest.iterators, self.nest.extents, strict=True) if d[0] in names)


def product_of(nest: Nest) -> Dot4Product | None:
    """A nest as sums of products, in words of 32 bits or in floats, of operands that differ in their dimensions."""
    if not any(map(has_fold, nest.values)):
        return None
    nest = without_single(nest)
    known: dict[str, Scalar] = {}
    groups = groups_of(nest, known) if len(nest.values) == 1 and nest.iterators else None
    if groups is None or len(groups) != 1 or len(groups[0].steps) != 1 or groups[0].combine != "add":
        return None
    (group,) = groups
    step = inlined(group.steps[0], known, group, group)
    match step:
        case Operation(function="add", arguments=(Named(name=own), Operation(function="mul", arguments=factors))):
            lawful = step.column.storage == "i32" and step.column.space.is_machine
        case Operation(function="fused", arguments=(Named(name=own), *factors)):
            lawful = step.column.storage == "f32"
        case _:
            return None
    if not lawful or own != group.states[0] or any(own in dependencies(factor) for factor in factors):
        return None
    found = Dot4Product(nest, group, factors[0], factors[1])
    alike = set(found.own(found.one)) == set(found.own(found.two))
    return None if alike else found


def eight_bits_of(value: Scalar, producers: Producers) -> Eight | None:
    """An operand as a number of eight bits and what is around it, seen through the buffers in between."""
    match value:
        case Select(guard=guard, then=then, otherwise=ConstantScalar(value=0)) if guard is not None:
            inner = eight_bits_of(then, producers)
            return None if inner is None else replace(inner, guards=(guard, *inner.guards))
        case _ if value.column.storage in EIGHT_BITS:
            return Eight(value)
        case Load():
            made = produced(value, producers)
            return None if made is None else eight_bits_of(made, producers)
        case Operation(function="cast" | "convert", arguments=(inner_value,)):
            return Eight(inner_value) if inner_value.column.storage in EIGHT_BITS else None
        case Operation(function="sub", arguments=(number, offset)):
            inner = eight_bits_of(number, producers)
            own = None if inner is None else _offset(offset, inner.storage)
            plain = inner is not None and not inner.around and not inner.guards
            return replace(inner, offset=own) if inner is not None and plain and own is not None else None
        case Operation(function="mul", arguments=(number, scale)) if value.column.storage == "f32":
            inner = eight_bits_of(number, producers)
            plain = inner is not None and inner.scale is None and not inner.guards
            return replace(inner, scale=scale) if inner is not None and plain else None
    return None


def produced(load: Load, producers: Producers) -> Scalar | None:
    """What a buffer's producer computes where it is read; None where that is not known."""
    nest = producers.get(load.buffer.name)
    if nest is None or load.checks:
        return None
    places = dict(zip(nest.iterators, load.indices, strict=True))
    return Rewriter(places).scalar(written_out(nest.values[0]))


def written_out(scalar: Scalar) -> Scalar:
    """A scalar with the names that it binds written out."""
    known: dict[str, Scalar] = {}

    def rule(one: Scalar) -> Scalar | None:
        match one:
            case Where(bindings=bindings, value=value):
                known.update(bindings)
                return rewriter.scalar(value)
            case Named(name=name) if name in known:
                return rewriter.scalar(known[name])
        return None

    rewriter = Rewriter(rule=rule)
    return rewriter.scalar(scalar)


def _offset(offset: Scalar, storage: str) -> Scalar | None:
    """An offset as a number of eight bits, or as a constant that fits the storage."""
    low, high = integer_range(storage)
    match offset:
        case ConstantScalar(value=value) if value == int(value) and low <= value <= high:
            return offset
        case Operation(function="cast" | "convert", arguments=(inner,)) if inner.column.storage == storage:
            return inner
    return None


def lone_axis(load: Load, name: str, extent: Size) -> int | None:
    """The axis that an iterator goes along as it is, through all of it; None where it is anywhere else."""
    axes = access_of(load).axes_of([name])
    return axes[0] if axes is not None and load.buffer.shape[axes[0]] == extent else None


def is_free(eight: Eight, names: frozenset[str]) -> bool:
    """Whether what is around a raw number does not depend on some names."""
    return all(dependencies(one).isdisjoint(names) for one in eight.around)
