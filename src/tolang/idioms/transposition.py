"""Transpositions: nests that write side by side along one dimension what they read side by side along another.

    y[j,i] = f(x[i,j], w[j])

Taken in either direction such a nest goes through memory in large steps.  In square blocks it is read along one
dimension, as vectors, and written along the other.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import ONE, ZERO
from tolang.ground.values.spaces import is_float
from tolang.plan.access import access_of, access_to
from tolang.plan.nest import ConstantScalar, Load, Nest, Operation, Scalar
from tolang.plan.traversal import dependencies, has_fold, may_fail, walk

WIDTH = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "f32": 4, "f64": 8, "i32": 4, "i64": 8, "u32": 4, "u64": 8}
"""Bytes of the storages whose elements are taken in blocks."""


LEAST = 8
"""How long both dimensions are at the least, where that is known."""


@dataclass(frozen=True, slots=True)
class Transposition:
    """The iterator that a nest is read along, and the one that it is written along."""

    read: str
    written: str
    width: int


def transposition_of(nest: Nest) -> Transposition | None:
    """How a nest is read and written; None where it is not the one along one dimension, the other along another.

    Several values are all read and written so, and none of them reads what another writes.
    """
    read = {one.buffer.name for value in nest.values for one in walk(value) if isinstance(one, Load)}
    if not nest.values or any(buffer.name in read for buffer, _ in nest.targets):
        return None
    found = {_transposition(nest, place) for place in range(len(nest.values))}
    return found.pop() if len(found) == 1 else None


def _transposition(nest: Nest, place: int) -> Transposition | None:
    """How one of a nest's values is read and written."""
    value, (buffer, at) = nest.values[place], nest.targets[place]
    if has_fold(value) or may_fail(value):
        return None
    parts = walk(value)
    loads = [one for one in parts if isinstance(one, Load)]
    storages = {buffer.column.storage, value.column.storage, *(one.buffer.column.storage for one in loads)}
    if (
        not all(map(_is_plain, parts))
        or len(storages) != 1
        or buffer.panels is not None
        or any(one.buffer.panels for one in loads)
    ):
        return None
    storage = storages.pop()
    written = [name for name in nest.iterators if access_to(buffer, at).unit_stride(name)]
    if storage not in WIDTH or len(written) != 1:
        return None
    extents = dict(zip(nest.iterators, nest.extents, strict=True))
    long = {name for name, extent in extents.items() if extent.constant is None or extent.constant >= LEAST}
    for name in reversed(nest.iterators):
        if name != written[0] and {name, written[0]} <= long and _is_read_along(loads, name, written[0]):
            return Transposition(name, written[0], WIDTH[storage])
    return None


def _is_plain(scalar: Scalar) -> bool:
    """Whether a part of an expression is the same on vectors: a read, a constant, a function of floats."""
    if not isinstance(scalar, Operation):
        return isinstance(scalar, Load | ConstantScalar)
    floats = (is_float(one.column.storage) or isinstance(one, ConstantScalar) for one in scalar.arguments)
    return is_float(scalar.column.storage) and all(floats)


def _is_read_along(loads: list[Load], name: str, written: str) -> bool:
    """Whether whatever changes with an iterator is read side by side along it, and some of it not along the other."""
    own = [one for one in loads if name in dependencies(one)]
    across = [one for one in own if written in dependencies(one)]
    others = [one for one in loads if written in dependencies(one) and one not in across]
    apart = all(access_of(one).stride(written) not in (None, ZERO, ONE) for one in across)
    return bool(across) and apart and not others and all(access_of(one).unit_stride(name) for one in own)
