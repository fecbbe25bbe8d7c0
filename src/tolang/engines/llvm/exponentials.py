"""exp, sinh, cosh and tanh without branches, so that LLVM can put them into vectors.

The argument is a multiple of the logarithm of 2 and a rest near 0, the rest goes through a polynomial (the one of least
error for its degree), and the multiple becomes an exponent.  Each is within two units in the last place, and right for
infinities, NaN and numbers too small to be normal.
"""

from __future__ import annotations

import math
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.floats import Coefficients, Floats, parts_of
from tolang.engines.llvm.types import intrinsic

LN2 = (0.6931471805599453, 2.3190468138462996e-17, 5.707708438416212e-34)
HALF_LN2 = (LN2[0] / 2, LN2[1] / 2, LN2[2] / 2)
TWICE_LN2 = (2 * LN2[0], 2 * LN2[1], 2 * LN2[2])
EXPONENTIAL: Coefficients = {
    "f32": (
        0.00019612105097036687, 0.0014104357232306468, 0.008336100129641456, 0.041661277045916836,
        0.16666614180820602, 0.5000003448083862,
    ),
    "f64": (
        1.5936124940565723e-10, 2.1062288893290774e-09, 2.5055023899156862e-08, 2.7556158910329186e-07,
        2.755730071932441e-06, 2.4801590823868855e-05, 0.00019841269892534782, 0.001388888888359557,
        0.008333333333270335, 0.041666666666701845, 0.16666666666666935, 0.4999999999999993,
    ),
}  # fmt: skip
"""(exp(r) - 1 - r) / r^2 for |r| up to ln(2)."""
NEAR_ONE: Coefficients = {
    "f32": (
        0.0013882632082552872, 0.008366542235115803, 0.04166719864446513, 0.1666654347480954, 0.49999998158065534,
    ),
    "f64": (
        2.5053875271247353e-08, 2.7626076197061227e-07, 2.7557407355466384e-06, 2.4801505190470415e-05,
        0.00019841269719100173, 0.0013888888931620198, 0.008333333333389543, 0.041666666666576646,
        0.16666666666666588, 0.5000000000000006,
    ),
}  # fmt: skip
"""The same for |r| up to ln(2)/2, to the accuracy that exp(r) - 1 needs."""
ODD: Coefficients = {
    "f32": (
        0.00019904975913016284, 0.008333288947983708, 0.16666666754490797,
    ),
    "f64": (
        2.510905136449376e-08, 2.755724418385509e-06, 0.0001984126988613207, 0.00833333333332164, 0.16666666666666677,
    ),
}  # fmt: skip
"""(sinh(r)/r - 1) / r^2 by r^2, for |r| up to ln(2)/2."""
EVEN: Coefficients = {
    "f32": (
        0.001393541572588613, 0.04166645943827067,
    ),
    "f64": (
        2.0921565044153694e-09, 2.7557252480922947e-07, 2.4801587348433523e-05, 0.001388888888887366,
        0.041666666666666685,
    ),
}  # fmt: skip
"""(cosh(r) - 1 - r^2/2) / r^4 by r^2, for |r| up to ln(2)/2."""
TANGENT: Coefficients = {
    "f32": (
        -0.006269009998192746, 0.021069012519994115, -0.05385194577803938, 0.13332585826689763, -0.3333331766649418,
    ),
    "f64": (
        -1.9438025686475637e-05, 8.323032006933692e-05, -0.00023332568470233432, 0.0005884243057299456,
        -0.0014555384129893638, 0.003592091423344551, -0.008863232550482169, 0.021869488383401088,
        -0.05396825396370315, 0.13333333333326589, -0.333333333333333,
    ),
}  # fmt: skip
"""(tanh(x)/x - 1) / x^2 by x^2, for |x| up to 0.55."""


def exponential(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """exp(x): x = 2n ln2 + r, and the polynomial of r times 2^n times 2^n, of which neither leaves its range."""
    f = Floats(builder, x, storage)
    beyond = f.either(150.0, 1400.0)
    clamped = f.greatest(f.least(x, beyond), -beyond)
    n, scale = f.nearest_with_power(clamped, 0.5 / math.log(2))
    r, one = f.without(clamped, n, parts_of(TWICE_LN2, storage, 2)), f.number(1.0)
    value = f.fused(f.fused(f.polynomial(r, EXPONENTIAL), r, one), r, one)
    return f.mul(f.mul(value, scale), scale)


def hyperbolic_tangent(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """tanh(x): a polynomial where it is small, then 1 - 2/(exp(2|x|) + 1)."""
    f = Floats(builder, x, storage)
    a, one = f.magnitude(x), f.number(1.0)
    clamped = f.least(a, f.either(10.0, 20.0))
    n, power = f.nearest_with_power(clamped, 2 / math.log(2))
    r = f.without(clamped, n, parts_of(HALF_LN2, storage, 2))
    r = f.add(r, r)
    grown = f.fused(f.fused(f.polynomial(r, NEAR_ONE), r, one), r, one)
    large = f.sub(one, f.div(f.number(2.0), f.fused(grown, power, one)))
    z = f.mul(a, a)
    small = f.fused(f.mul(a, z), f.polynomial(z, TANGENT), a)
    return f.signed_as(f.select(f.compare("<", a, f.number(0.55)), small, large), x)


def _halves(f: Floats, x: Any) -> tuple[Any, Any, Any, Any]:
    """For x = n ln2 + r: 2^n/4, 2^-n/4, sinh(r), cosh(r) - 1.  x is of at least 0, or NaN."""
    clamped = f.least(x, f.either(89.5, 710.6))
    n, exponent = f.nearest(clamped, 1 / math.log(2))
    r = f.without(clamped, n, parts_of(LN2, f.storage, 2))
    z = f.mul(r, r)
    odd = f.fused(f.mul(r, z), f.polynomial(z, ODD), r)
    even = f.fused(f.mul(z, z), f.polynomial(z, EVEN), f.mul(z, f.number(0.5)))
    two = f.integer(2)
    growing = f.power_of_two(f.builder.sub(exponent, two))
    negative = f.builder.sub(f.integer(-2), exponent)
    least = f.integer(1 - f.bias)
    falling = f.power_of_two(intrinsic(f.builder, "smax", f.whole, [negative, least]))
    return growing, falling, odd, even


def hyperbolic_sine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """sinh(n ln2 + r), by the sum rule with cosh(n ln2) and sinh(n ln2) from powers of two."""
    f = Floats(builder, x, storage)
    magnitude = f.magnitude(x)
    growing, falling, odd, even = _halves(f, magnitude)
    plus, minus = f.add(growing, falling), f.sub(growing, falling)
    half = f.add(minus, f.fused(plus, odd, f.mul(minus, even)))
    tiny = f.compare("<", magnitude, f.number(2.0**-40))
    value = f.select(tiny, magnitude, f.mul(half, f.number(2.0)))
    return f.signed_as(value, x)


def hyperbolic_cosine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """cosh(n ln2 + r) by the sum rule."""
    f = Floats(builder, x, storage)
    growing, falling, odd, even = _halves(f, f.magnitude(x))
    plus, rest = f.quick_sum(growing, falling)
    half = f.add(plus, f.fused(f.sub(growing, falling), odd, f.fused(plus, even, rest)))
    return f.mul(half, f.number(2.0))
