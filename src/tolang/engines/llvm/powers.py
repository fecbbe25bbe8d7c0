"""Powers of floats without branches: 2 to the power of y log2(x), the logarithm in two words.

The exponent of the result is as large as y log2(x), so that this product needs some ten bits more than a float has; the
logarithm is therefore held as a sum of two floats, and so are the first terms of its series.
"""

from __future__ import annotations

import math
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.floats import Coefficients, Floats, parts_of
from tolang.engines.llvm.logarithms import mantissa_and_exponent, normal
from tolang.engines.llvm.types import constant, width_of

TWICE_LOG2_E = (2.8853900817779268, 4.0710547481862066e-17, 0.0)
THIRD = (0.3333333333333333, 1.850371707708594e-17, 0.0)
Pair = tuple[Any, Any]
"""A number as a sum of two floats, the second hardly larger than the rounding of the first."""
SERIES: Coefficients = {
    "f32": (
        0.11709841176010682, 0.14273550034099175, 0.20000076171340317,
    ),
    "f64": (
        0.059895488137293514, 0.05838084733793512, 0.0666812058457765, 0.07692279584791814, 0.09090909415310201,
        0.11111111108962805, 0.14285714285721565, 0.1999999999999999,
    ),
}  # fmt: skip
"""(atanh(s)/s - 1 - s^2/3) / s^4 by s^2."""
TWO_TO_THE: Coefficients = {
    "f32": (
        0.0001535312838530531, 0.001339937532381459, 0.009618441602104625, 0.05550331286420267, 0.2402264785352533,
        0.6931472033403847,
    ),
    "f64": (
        4.4347538492328124e-10, 7.0739317177153425e-09, 1.0178200872143479e-07, 1.3215434471516281e-06,
        1.5252733487093643e-05, 0.00015403530458615763, 0.001333355814678392, 0.009618129107593043,
        0.055504108664820036, 0.24022650695910133, 0.6931471805599453,
    ),
}  # fmt: skip
"""(2^r - 1) / r for |r| up to 1/2."""


def power(builder: ir.IRBuilder, x: Any, y: Any, storage: str) -> Any:
    """x^y as IEEE 754 has it: 1 for y = 0 and for x = 1; NaN for x < 0 unless y is whole."""
    f = Floats(builder, x, storage)
    one, infinity = f.number(1.0), f.number(math.inf)
    size = f.magnitude(x)
    high, low = _logarithm(f, size)
    high = f.select(f.compare("==", size, f.number(0.0)), f.number(-math.inf), high)
    high = f.select(f.compare("<", size, infinity), high, size)
    value = _two_to_the(f, y, (high, low))
    whole = f.compare("==", f.floor(y), y)
    half = f.mul(y, f.number(0.5))
    odd = builder.and_(whole, f.compare("!=", f.floor(half), half))
    negative = builder.icmp_signed("<", f.bits(x), f.integer(0))
    value = f.select(builder.and_(odd, negative), f.neg(value), value)
    undefined = builder.and_(f.compare("<", x, f.number(0.0)), builder.not_(whole))
    undefined = builder.and_(undefined, f.compare("<", size, infinity))
    value = f.select(undefined, f.number(math.nan), value)
    certain = builder.or_(f.compare("==", y, f.number(0.0)), f.compare("==", x, one))
    opposite = builder.and_(f.compare("==", x, f.number(-1.0)), f.compare("==", f.magnitude(y), infinity))
    return f.select(builder.or_(certain, opposite), one, value)


def power_of_two(builder: ir.IRBuilder, exponent: Any) -> Any:
    """2 to a whole power, exactly: two floats that are exponents only, times each other.

    The second is 1 unless the power is subnormal, zero or infinite.
    """
    width = width_of(exponent)
    kind = constant(0.0, "f64", width).type
    least, greatest = constant(-1022, "i64", width), constant(1023, "i64", width)

    def within(power: Any) -> Any:
        power = builder.select(builder.icmp_signed("<", power, least), least, power)
        return builder.select(builder.icmp_signed(">", power, greatest), greatest, power)

    def as_float(power: Any) -> Any:
        bits = builder.shl(builder.add(power, greatest), constant(52, "i64", width))
        return builder.bitcast(bits, kind)

    first = within(exponent)
    return builder.fmul(as_float(first), as_float(within(builder.sub(exponent, first))))


def _logarithm(f: Floats, size: Any) -> Pair:
    """log2 of a finite number above 0."""
    lifted, shift = normal(f, size)
    m, exponent = mantissa_and_exponent(f, lifted)
    k = f.sub(f.builder.sitofp(exponent, f.kind), shift)
    s = _quotient(f, m)
    square, rest = f.product_with_rest(s[0], s[0])
    rest = f.fused(f.add(s[0], s[0]), s[1], rest)
    series = f.mul(f.mul(square, square), f.polynomial(square, SERIES))
    third, third_rest = parts_of(THIRD, f.storage, 2)
    w, w_rest = f.product_with_rest(square, f.number(third))
    w_rest = f.add(w_rest, f.fused(square, f.number(third_rest), f.mul(rest, f.number(third))))
    w, more = f.quick_sum(w, series)
    w_rest = f.add(w_rest, more)
    product = _times(f, s, (w, w_rest))
    total, more = f.quick_sum(s[0], product[0])
    scale, scale_rest = parts_of(TWICE_LOG2_E, f.storage, 2)
    high, low = _times(f, (total, f.add(more, f.add(s[1], product[1]))), (f.number(scale), f.number(scale_rest)))
    high, more = f.quick_sum(k, high)
    return high, f.add(more, low)


def _quotient(f: Floats, m: Any) -> Pair:
    """(m - 1) / (m + 1)."""
    above = f.sub(m, f.number(1.0))
    below, rest = f.quick_sum(f.number(1.0), m)
    inverse = f.div(f.number(1.0), below)
    first = f.mul(above, inverse)
    remainder = f.fused(f.neg(first), below, above)
    remainder = f.fused(f.neg(first), rest, remainder)
    return first, f.mul(remainder, inverse)


def _times(f: Floats, a: Pair, b: Pair) -> Pair:
    high, low = f.product_with_rest(a[0], b[0])
    return high, f.fused(a[0], b[1], f.fused(a[1], b[0], low))


def _two_to_the(f: Floats, y: Any, logarithm: Pair) -> Any:
    """2 to the power of y times the logarithm; infinities of the product overflow, its NaN stays."""
    high = f.mul(y, logarithm[0])
    low = f.fused(y, logarithm[1], f.fused(y, logarithm[0], f.neg(high)))
    limit = f.either(160.0, 1100.0)
    low = f.select(f.compare("<", f.magnitude(high), f.number(limit)), low, f.number(0.0))
    high = f.greatest(f.least(high, limit), -limit)
    n, exponent = f.nearest(high, 1.0)
    r = f.add(f.sub(high, n), low)
    value = f.fused(r, f.polynomial(r, TWO_TO_THE), f.number(1.0))
    half = f.builder.ashr(exponent, f.integer(1))
    value = f.mul(value, f.power_of_two(half))
    return f.mul(value, f.power_of_two(f.builder.sub(exponent, half)))
