"""What the form of a scalar tells about its value: between which whole numbers it lies, so that converting it is safe.

    floor(x / 16) is a whole number from 0 to 268435455 where x is held in 32 bits without a sign

Only what 64-bit floats hold exactly is considered, so that no rounding can lead out of the bounds.
"""

from __future__ import annotations

import math

from tolang.ground.diagnostics import Span
from tolang.ground.spaces import Column, integer_range, storage_family
from tolang.nests.nest import Constant, Operation, Place, Scalar

SHORT = ("bool", "i8", "i16", "i32", "u8", "u16", "u32")
UNSIGNED = ("u8", "u16", "u32")
Extent = tuple[float, float]


def converted(scalar: Scalar, column: Column, span: Span | Place | None) -> Scalar:
    """A scalar in another space, checked unless it surely belongs there.

    Then floor(x/k) is a quotient of whole numbers, which is the same where neither has more than 32 bits: a quotient
    that is not whole differs from the next whole number by more than a float of 64 bits rounds.
    """
    if not belongs(scalar, column):
        return Operation("convert", (scalar,), column=column, span=span)
    match scalar:
        case Operation(function="floor", arguments=(Operation(function="div", arguments=(above, Constant(value=k))),)):
            if above.column.storage in UNSIGNED and k == int(k) <= integer_range(above.column.storage)[1]:
                divisor = Constant(int(k), column=above.column)
                scalar = Operation("quotient", (above, divisor), column=above.column, span=span)
    return Operation("cast", (scalar,), column=column, span=span)


def belongs(scalar: Scalar, column: Column) -> bool:
    """Whether a scalar is surely a member of a space of whole numbers, and its storage holds it."""
    found = extent(scalar)
    if found is None or not _is_whole(scalar) or storage_family(column.storage) != "Z":
        return False
    low, high = integer_range(column.storage)
    space = column.space
    if not space.is_machine and space.root != "Z":
        if space.root not in ("N", "N*", "Z+"):
            return False
        low = max(low, 0 if space.root == "N" else 1)
    low = low if space.lower is None else max(low, math.ceil(space.lower))
    high = high if space.upper is None else min(high, math.floor(space.upper))
    return low <= found[0] and found[1] <= high


def extent(scalar: Scalar) -> Extent | None:
    """The least and the greatest value that a scalar can have; None where its form does not tell."""
    match scalar:
        case Operation(function="floor", arguments=(inner,)):
            found = extent(inner)
            return None if found is None else (math.floor(found[0]), math.floor(found[1]))
        case Operation(function="div", arguments=(above, Constant(value=divisor))) if scalar.column.storage == "f64":
            found = extent(above)
            return None if found is None or not divisor >= 1 else (found[0] / divisor, found[1] / divisor)
    if scalar.column.storage == "bool":
        return 0, 1
    return integer_range(scalar.column.storage) if scalar.column.storage in SHORT else None


def _is_whole(scalar: Scalar) -> bool:
    return scalar.column.storage in SHORT or (isinstance(scalar, Operation) and scalar.function == "floor")


def may_refuse(result: Column) -> bool:
    """Whether a conversion into a column has something to ask of values; one that only rounds them has not."""
    space = result.space
    signed = not space.is_machine and space.root not in ("R", "Q", "C", "I")
    return storage_family(result.storage) != "R" or signed or space.bounded
