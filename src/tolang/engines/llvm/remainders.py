"""Remainders of coordinates by whole numbers: through a reciprocal, which a loop has once, so that they run on vectors.

    q = floor(x * (1/m));   r = x - q*m;   r + m where r < 0, r - m where r >= m

Of numbers that floats of 64 bits hold with room to spare, q is off by one at the most, and q*m and r are exact.  What a
processor has for this instead is one division of whole words at a time, which takes as long as many vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.magnitudes import LARGEST_SIZE
from tolang.engines.llvm.types import constant, intrinsic, kind_of, width_of
from tolang.ground.symbolic.sizes import Size
from tolang.plan.nest import ConstantScalar, Index, Operation, Scalar

MOST = LARGEST_SIZE + (1 << 20)
"""The greatest magnitude of a number that is divided so."""
CLAMPED = LARGEST_SIZE + (1 << 21)
"""What stands for divisors beyond it, which leave such a number as it is but for its sign."""


def is_whole_remainder(scalar: Operation) -> bool:
    """Whether an operation is a remainder of words of 64 bits, by no constant."""
    if scalar.function != "mod" or scalar.column.storage != "i64":
        return False
    dividend, divisor = scalar.arguments
    return dividend.column.storage == divisor.column.storage == "i64" and not isinstance(divisor, ConstantScalar)


def has_small_dividend(scalar: Operation) -> bool:
    """Whether an operation is a remainder that can be had so: of a coordinate."""
    bound = _bound(scalar.arguments[0]) if is_whole_remainder(scalar) else None
    return bound is not None and bound <= MOST


def _bound(scalar: Scalar) -> int | None:
    """The greatest magnitude of a coordinate, counted from somewhere; None where it is something else."""
    match scalar:
        case ConstantScalar(value=int() as value):
            return abs(value)
        case Index(size=size):
            names = size.names()
            shift = None if len(names) != 1 else (size - Size.of(next(iter(names)))).constant
            return None if shift is None else LARGEST_SIZE + abs(int(shift))
        case Operation(function="add" | "sub", arguments=(first, second)):
            both = _bound(first), _bound(second)
            return None if both[0] is None or both[1] is None else both[0] + both[1]
    return None


def small_remainder(builder: ir.IRBuilder, values: list[Any], report: Callable[[ir.IRBuilder, Any], None]) -> Any:
    """The remainder of a number of small magnitude, with the divisor's sign."""
    number, given = values
    width = width_of(number)
    floats, zero = kind_of("f64", width), constant(0, "i64", width)
    empty = builder.icmp_signed("==", given, zero)
    report(builder, empty)
    divisor = builder.select(empty, constant(1, "i64", width), given)
    below = builder.icmp_signed("<", divisor, zero)
    size = builder.select(below, builder.sub(zero, divisor), divisor)
    large = builder.icmp_unsigned(">", size, constant(CLAMPED, "i64", width))
    by = builder.sitofp(builder.select(large, constant(CLAMPED, "i64", width), size), floats)
    whole = builder.sitofp(number, floats)
    quotient = intrinsic(builder, "floor", floats, [builder.fmul(whole, builder.fdiv(constant(1.0, "f64", width), by))])
    rest = builder.fsub(whole, builder.fmul(quotient, by))
    low = builder.fcmp_ordered("<", rest, constant(0.0, "f64", width))
    rest = builder.select(low, builder.fadd(rest, by), rest)
    high = builder.fcmp_ordered(">=", rest, by)
    rest = builder.fptosi(builder.select(high, builder.fsub(rest, by), rest), kind_of("i64", width))
    lifted = builder.and_(large, builder.icmp_signed("<", number, zero))
    rest = builder.select(lifted, builder.add(number, size), rest)
    turned = builder.and_(below, builder.icmp_signed("!=", rest, zero))
    return builder.select(turned, builder.sub(rest, size), rest)
