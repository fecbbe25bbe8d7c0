"""sin, cos, tan and their inverses, without branches but for arguments beyond what reduction can do.

The argument is a multiple of pi/2 and a rest, the multiple taken off in three parts whose products are exact; arguments
so large that these do not suffice are rare, and the lanes that have one are computed by the C library.
"""

from __future__ import annotations

import math
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.floats import Coefficients, Floats, parts_of
from tolang.engines.llvm.rare import Answer, with_rare_lanes

HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
BEYOND = {"f32": 2.0**17, "f64": 2.0**30}
"""Up to where the argument may be reduced by three parts of pi/2."""
SINE: Coefficients = {
    "f32": (
        -0.00019504506632567453, 0.008332085277001178, -0.16666653511886104,
    ),
    "f64": (
        1.5890432700662968e-10, -2.5050650280222373e-08, 2.7557313018485687e-06, -0.00019841269827921768,
        0.008333333333320146, -0.16666666666666624,
    ),
}  # fmt: skip
"""(sin(r)/r - 1) / r^2 by r^2, for |r| up to a little more than pi/4."""
COSINE: Coefficients = {
    "f32": (
        2.4418643741840665e-05, -0.0013887190141138553, 0.04166664312240306,
    ),
    "f64": (
        -1.1354496346807998e-11, 2.0875624554016637e-09, -2.755731363472958e-07, 2.4801587287043265e-05,
        -0.001388888888887033, 0.04166666666666658,
    ),
}  # fmt: skip
"""(cos(r) - 1 + r^2/2) / r^4 by r^2."""
TANGENT: Coefficients = {
    "f32": (
        0.004639765953719921, -0.00044799985900369953, 0.011262606797967553, 0.02111642288601896, 0.05409223858093504,
        0.13332376313761604, 0.33333358117169404,
    ),
    "f64": (
        1.0817639248342072e-05, -2.8925206369031515e-05, 5.817973031303961e-05, -3.7254653041567883e-05,
        7.656284496416997e-05, 7.834246687247119e-05, 0.00024582530050274657, 0.0005882725473052902,
        0.0014561662678012621, 0.0035920835994991246, 0.008863239603662799, 0.021869488293997166, 0.05396825397678455,
        0.1333333333331821, 0.33333333333333426,
    ),
}  # fmt: skip
"""(tan(r)/r - 1) / r^2 by r^2."""
ARC_SINE: Coefficients = {
    "f32": (
        0.04226024707249688, 0.02412642586154673, 0.04548058325219509, 0.07495222077511206, 0.1666675413223941,
    ),
    "f64": (
        0.032756125704415884, -0.021195474926248806, 0.021840517577515886, 0.0036542955801680253,
        0.010793290139701378, 0.011396739420897554, 0.013981064475823738, 0.017351593802683384, 0.022372215856077467,
        0.030381942683525582, 0.044642857174933444, 0.07499999999970745, 0.1666666666666676,
    ),
}  # fmt: skip
"""(asin(x)/x - 1) / x^2 by x^2, for |x| up to 1/2."""
ARC_TANGENT: Coefficients = {
    "f32": (
        -0.06072797466388858, 0.105921180585114, -0.14243374875719192, 0.1999846774423411, -0.3333331522769706,
    ),
    "f64": (
        -0.017855380076146163, 0.03801941448949103, -0.05037622513791685, 0.05847539390967505, -0.06663059590103111,
        0.07692056670217139, -0.09090897582696006, 0.11111110778400454, -0.14285714280121706, 0.19999999999953208,
        -0.333333333333332,
    ),
}  # fmt: skip
"""(atan(x)/x - 1) / x^2 by x^2, for |x| up to tan(pi/8)."""


def _reduced(f: Floats, a: Any) -> tuple[Any, Any, Any, Any]:
    """For a = q pi/2 + r + rest: r, the rest, q, and where a is beyond reduction."""
    n, quarter = f.nearest(a, 2 / math.pi)
    first, second, third = parts_of(HALF_PI, f.storage, 3)
    start = f.without(a, n, (first,))
    taken, taken_rest = f.product_with_rest(n, f.number(second))
    r, rest = f.sum_with_rest(start, f.neg(taken))
    r, rest = f.quick_sum(r, f.without(f.sub(rest, taken_rest), n, (third,)))
    return r, rest, quarter, f.compare(">", a, f.number(BEYOND[f.storage]))


def _roughly_reduced(f: Floats, a: Any) -> tuple[Any, Any, Any]:
    """The same without the rest, for functions that are no steeper than their argument."""
    n, quarter = f.nearest(a, 2 / math.pi)
    r = f.without(a, n, parts_of(HALF_PI, f.storage, 3))
    return r, quarter, f.compare(">", a, f.number(BEYOND[f.storage]))


def _turned(f: Floats, value: Any, quarter: Any, sign: Any = None) -> Any:
    """A value negated in the lower half of the circle, and where `sign` is negative."""
    flips = f.builder.shl(f.builder.and_(quarter, f.integer(2)), f.integer(f.either(30, 62)))
    if sign is not None:
        lowest = f.integer(f.either(-(2**31), -(2**63)))
        flips = f.builder.xor(flips, f.builder.and_(f.bits(sign), lowest))
    return f.of_bits(f.builder.xor(f.bits(value), flips))


def _wave(f: Floats, r: Any, quarter: Any) -> Any:
    """sin(r), or cos(r) where the quarter is odd."""
    z = f.mul(r, r)
    sine = f.fused(f.mul(r, z), f.polynomial(z, SINE), r)
    half = f.fused(z, f.number(-0.5), f.number(1.0))
    cosine = f.fused(f.mul(z, z), f.polynomial(z, COSINE), half)
    odd = f.builder.icmp_signed("!=", f.builder.and_(quarter, f.integer(1)), f.integer(0))
    return f.select(odd, cosine, sine)


def _quick_sine(f: Floats, arguments: list[Any]) -> Answer:
    r, quarter, rare = _roughly_reduced(f, f.magnitude(arguments[0]))
    return _turned(f, _wave(f, r, quarter), quarter, arguments[0]), rare


def _quick_cosine(f: Floats, arguments: list[Any]) -> Answer:
    r, quarter, rare = _roughly_reduced(f, f.magnitude(arguments[0]))
    quarter = f.builder.add(quarter, f.integer(1))
    return _turned(f, _wave(f, r, quarter), quarter), rare


def _quick_tangent(f: Floats, arguments: list[Any]) -> Answer:
    r, rest, quarter, rare = _reduced(f, f.magnitude(arguments[0]))
    z = f.mul(r, r)
    more = f.fused(f.mul(r, z), f.polynomial(z, TANGENT), f.fused(rest, z, rest))
    value, low = f.quick_sum(r, more)
    over = f.div(f.number(-1.0), value)
    error = f.fused(over, value, f.number(1.0))
    over = f.fused(over, f.fused(over, low, error), over)
    odd = f.builder.icmp_signed("!=", f.builder.and_(quarter, f.integer(1)), f.integer(0))
    result = f.select(odd, over, value)
    return _turned(f, result, f.integer(0), arguments[0]), rare


def sine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    return with_rare_lanes(builder, "sin", [x], storage, _quick_sine)


def cosine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    return with_rare_lanes(builder, "cos", [x], storage, _quick_cosine)


def tangent(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    return with_rare_lanes(builder, "tan", [x], storage, _quick_tangent)


def _arc(f: Floats, a: Any) -> tuple[Any, Any, Any]:
    """asin of a, or beyond 1/2 of sqrt((1-a)/2), as a large and a small part, and where it is the second."""
    beyond = f.compare(">", a, f.number(0.5))
    z = f.select(beyond, f.fused(a, f.number(-0.5), f.number(0.5)), f.mul(a, a))
    s = f.select(beyond, f.root(z), a)
    return s, f.mul(f.mul(s, z), f.polynomial(z, ARC_SINE)), beyond


def arc_sine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """asin(x): its polynomial up to 1/2, then pi/2 - 2 asin(sqrt((1-x)/2)); NaN beyond 1, as the root is."""
    f = Floats(builder, x, storage)
    arc, more, beyond = _arc(f, f.magnitude(x))
    high, low = parts_of(HALF_PI, storage, 2)
    two = f.number(-2.0)
    turned, rest = f.quick_sum(f.number(high), f.mul(arc, two))
    turned = f.add(turned, f.fused(more, two, f.add(rest, f.number(low))))
    return f.signed_as(f.select(beyond, turned, f.add(arc, more)), x)


def arc_cosine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """acos(x): pi/2 - asin(x) up to 1/2, then 2 asin(sqrt((1-x)/2)), or pi less that below -1/2."""
    f = Floats(builder, x, storage)
    first, more, beyond = _arc(f, f.magnitude(x))
    arc = f.add(first, more)
    high, low = parts_of(HALF_PI, storage, 2)
    negative = f.compare("<", x, f.number(0.0))
    middle = f.sub(f.number(high), f.sub(f.signed_as(arc, x), f.number(low)))
    twice = f.add(arc, arc)
    left = f.sub(f.number(2 * high), f.sub(twice, f.number(2 * low)))
    return f.select(beyond, f.select(negative, left, twice), middle)


def arc_tangent(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """atan(x): of x up to tan(pi/8), then pi/4 + atan((x-1)/(x+1)), from tan(3 pi/8) on pi/2 - atan(1/x)."""
    f = Floats(builder, x, storage)
    a = f.magnitude(x)
    one, zero = f.number(1.0), f.number(0.0)
    middle, far = f.compare(">", a, f.number(math.tan(math.pi / 8))), f.compare(">", a, f.number(1 + math.sqrt(2)))
    above = f.select(far, f.number(-1.0), f.select(middle, f.sub(a, one), a))
    below = f.select(far, a, f.select(middle, f.add(a, one), one))
    t = f.div(above, below)
    z = f.mul(t, t)
    high, low = parts_of(HALF_PI, storage, 2)
    start = f.select(far, f.number(high), f.select(middle, f.number(high / 2), zero))
    rest = f.select(far, f.number(low), f.select(middle, f.number(low / 2), zero))
    value = f.add(start, f.add(t, f.fused(f.mul(t, z), f.polynomial(z, ARC_TANGENT), rest)))
    return f.signed_as(value, x)
