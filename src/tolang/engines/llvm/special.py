"""The remainder of floats and the logarithm to a base."""

from __future__ import annotations

import math
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.floats import Floats
from tolang.engines.llvm.logarithms import logarithm
from tolang.engines.llvm.rare import Answer, with_rare_lanes
from tolang.engines.llvm.types import I64, cast, kind_of
from tolang.ground.values.logarithm import LARGEST_EXPONENT, NEAR
from tolang.ground.values.spaces import is_float


def _quick_remainder(f: Floats, arguments: list[Any]) -> Answer:
    """|x| - n |y|, which is exact: n is the whole quotient, or one too many where the quotient was rounded up."""
    x, y = arguments
    a, b = f.magnitude(x), f.magnitude(y)
    quotient = f.div(a, b)
    rest = f.fused(f.neg(f.floor(quotient)), b, a)
    rest = f.select(f.compare("<", rest, f.number(0.0)), f.add(rest, b), rest)
    plain = f.builder.and_(f.compare("<", quotient, f.number(2.0**f.mantissa)), f.compare("<", b, f.number(math.inf)))
    return f.signed_as(rest, x), f.builder.not_(plain)


def remainder(builder: ir.IRBuilder, x: Any, y: Any, storage: str) -> Any:
    """The remainder with the divisor's sign, also where it is 0; huge quotients are rare."""
    f = Floats(builder, x, storage)
    rest = with_rare_lanes(builder, "fmod", [x, y], storage, _quick_remainder)
    zero = f.number(0.0)
    wrong = builder.xor(f.compare("<", rest, zero), f.compare("<", y, zero))
    turned = f.select(wrong, f.add(rest, y), rest)
    return f.select(f.compare("==", rest, zero), f.signed_as(zero, y), turned)


def remainder_of_power(builder: ir.IRBuilder, x: Any, divisor: float, storage: str) -> Any:
    """The remainder by a power of two from 1 on: neither quotient nor product nor difference is rounded.

    But for a quotient that is too small, and becomes 0: what is left over then has the wrong sign.
    """
    f = Floats(builder, x, storage)
    by = f.number(divisor)
    rest = f.sub(x, f.mul(f.floor(f.mul(x, f.number(1 / divisor))), by))
    return f.select(f.compare("<", rest, f.number(0.0)), f.add(rest, by), rest)


def logarithm_to_base(builder: ir.IRBuilder, values: list[Any], storages: list[str]) -> Any:
    """log(x, base) in f64, exact on exact powers: near a whole number r, base^r is held against x."""
    x, base = (cast(builder, v, s, "f64") for v, s in zip(values, storages, strict=True))
    f = Floats(builder, x, "f64")
    quotient = f.div(logarithm(builder, x, "f64"), logarithm(builder, base, "f64"))
    rounded = f.floor(f.add(quotient, f.number(0.5)))
    size = f.magnitude(rounded)
    gap = f.magnitude(f.sub(quotient, rounded))
    margin = f.greatest(f.mul(size, f.number(NEAR)), NEAR)
    candidate = builder.and_(f.compare("<=", gap, margin), f.compare("<=", size, f.number(LARGEST_EXPONENT)))
    exponent = f.select(candidate, rounded, f.number(0.0))
    times = builder.fptosi(f.magnitude(exponent), f.whole)
    power = _whole_power(builder, base, times, f.number(1.0), builder.fmul, LARGEST_EXPONENT.bit_length())
    power = f.select(f.compare("<", exponent, f.number(0.0)), f.div(f.number(1.0), power), power)
    found = f.compare("==", power, x)
    if not is_float(storages[0]):
        found = builder.or_(found, _exact_power(f, values, storages, base, times))
    return f.select(builder.and_(candidate, found), exponent, quotient)


def _whole_power(builder: ir.IRBuilder, base: Any, exponent: Any, one: Any, times: Any, digits: int) -> Any:
    """base^exponent by repeated squaring, for exponents of so many binary digits."""
    power, square = one, base
    width = exponent.type.count if isinstance(exponent.type, ir.VectorType) else 1
    kind = kind_of("i64", width)
    for digit in range(digits):
        mask = ir.Constant(I64, 1 << digit)
        mask = mask if width == 1 else ir.Constant(kind, [mask] * width)
        held = builder.icmp_signed("!=", builder.and_(exponent, mask), ir.Constant(kind, None if width > 1 else 0))
        power = builder.select(held, times(power, square), power)
        square = times(square, square)
    return power


def _exact_power(f: Floats, values: list[Any], storages: list[str], base: Any, exponent: Any) -> Any:
    """Whether a whole number beyond the floats' digits is exactly that power of a whole base."""
    builder = f.builder
    x = cast(builder, values[0], storages[0], "i64")
    whole = builder.and_(f.compare("==", f.floor(base), base), f.compare("<", f.magnitude(base), f.number(2.0**62)))
    held = f.select(whole, base, f.number(0.0))
    number = builder.fptosi(held, f.whole)
    power = _whole_power(builder, number, exponent, f.integer(1), builder.mul, 6)
    large = f.compare(">=", f.magnitude(cast(builder, values[0], storages[0], "f64")), f.number(2.0**53))
    return builder.and_(builder.and_(whole, large), builder.icmp_signed("==", power, x))
