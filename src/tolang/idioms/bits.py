"""Folds whose step is linear in the bits of its state: what a step makes of s and x is L(s) xor g(x).

    s -> table[(s xor x) and 255] xor quotient(s, 256)

A remainder by a polynomial, as of a cyclic redundancy check, is such a fold.  Sums without carry are linear, and so are
parts of the bits, shifts of them, and a table that is: the entry of a sum without carry is that of the entries.
Whether a table is, data tells.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import Buffer, ConstantScalar, Group, Load, Named, Operation, Scalar, Where
from tolang.plan.traversal import may_fail, scalars_in, sizes_in

BITS = {"u8": 8, "u16": 16, "u32": 32}
"""The storages of states, with how many bits these have."""
LARGEST_TABLE = 1 << 12


@dataclass(frozen=True, slots=True)
class BitFold:
    """A fold whose step is linear in the bits of its state, if its tables are."""

    group: Group
    bits: int
    tables: tuple[Buffer, ...]


def bit_fold_of(group: Group) -> BitFold | None:
    """A fold as one whose step is linear in bits; None where it is not known to be."""
    if len(group.states) != 1 or len(group.iterators) != 1 or group.combine is not None:
        return None
    bits = BITS.get(group.columns[0].storage)
    reading = _LinearityReader(group.states[0])
    if bits is None or not reading.is_linear(group.steps[0]) or not reading.shifts:
        return None
    return BitFold(group, bits, tuple({table.name: table for table in reading.tables}.values()))


class _LinearityReader:
    """Reads a step: which of its parts mention the state, and whether they are linear in it."""

    def __init__(self, state: str) -> None:
        self.moving = {state}
        """Names that depend on the state, all linearly."""
        self.width: dict[str, int] = {}
        """Of names, how many of the lowest bits may be set, where that is known."""
        self.tables: list[Buffer] = []
        self.shifts = False

    def _is_free(self, scalar: Scalar) -> bool:
        """Whether a part has nothing to do with the state, and cannot fail."""
        names = {one.name for one in scalars_in(scalar) if isinstance(one, Named)}
        names |= {name for one in scalars_in(scalar) for size in sizes_in(one) for name in size.names()}
        return names.isdisjoint(self.moving) and not may_fail(scalar)

    def is_linear(self, scalar: Scalar) -> bool:
        """Whether a part is L(state) xor something that has nothing to do with the state."""
        if self._is_free(scalar):
            return True
        match scalar:
            case Named(name=name):
                return name in self.moving
            case Where(bindings=bindings, value=value):
                return all(self._binds(name, bound) for name, bound in bindings) and self.is_linear(value)
            case Operation(function="xor", arguments=(one, other)):
                return _is_unsigned(scalar) and self.is_linear(one) and self.is_linear(other)
            case Operation(function="and", arguments=(one, ConstantScalar(value=int()))):
                return _is_unsigned(scalar) and self.is_linear(one)
            case Operation(function="cast", arguments=(one,)):
                return _is_unsigned(scalar) and _is_unsigned(one) and self.is_linear(one)
            case Operation(function="quotient", arguments=(one, ConstantScalar(value=int(by)))) if by > 0:
                self.shifts = True
                return by & (by - 1) == 0 and _is_unsigned(one) and self.is_linear(one)
            case Load(buffer=table, indices=(at,)):
                return self._is_table(table, at)
        return False

    def _binds(self, name: str, value: Scalar) -> bool:
        if self._is_free(value):
            return True
        self.moving.add(name)
        match value:
            case Operation(function="and", arguments=(_, ConstantScalar(value=int(mask)))):
                self.width[name] = mask.bit_length()
        return self.is_linear(value)

    def _is_table(self, table: Buffer, at: Size) -> bool:
        """Whether a read takes bits of the state for a place in a table that has one for each."""
        length = table.shape[0].constant
        names = at.names() & self.moving
        if len(names) != 1 or at != Size.of(*names) + 1 or not isinstance(length, int) or length > LARGEST_TABLE:
            return False
        self.tables.append(table)
        return self.width.get(*names) == length.bit_length() - 1 and length & (length - 1) == 0 and _is_unsigned(table)


def _is_unsigned(value: Scalar | Buffer) -> bool:
    return value.column.storage in BITS
