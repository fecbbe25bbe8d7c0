"""log, the inverse hyperbolic functions made of it, and the logarithm to a base, without branches.

The argument is 2^k m with m between the roots of 1/2 and 2; log(m) is a polynomial of m - 1 (in 64 bits of
(m-1)/(m+1), which needs fewer terms), and k times the logarithm of 2 is added in two parts.
"""

from __future__ import annotations

import math
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.floats import Coefficients, Floats, bits_of

LN2_HIGH = {"f32": 0.693359375, "f64": 6.93147180369123816490e-01}
"""So short that its multiples by an exponent are exact."""
LN2_LOW = {"f32": -2.12194440054690583e-4, "f64": 1.90821492927058770002e-10}
PLAIN: Coefficients = {
    "f32": (
        -0.07636655706020737, 0.12765623892582723, -0.1316112502550193, 0.14201261889172476, -0.16623236345015655,
        0.20001246060761865, -0.25000823916264586, 0.33333331447710407,
    ),
}  # fmt: skip
"""(log(1+f) - f + f^2/2) / f^3 for m = 1 + f."""
SYMMETRIC: Coefficients = {
    "f64": (
        0.14797887299747223, 0.15313882249906122, 0.18183569792649837, 0.22222198492723969, 0.28571428742880567,
        0.3999999999941416, 0.6666666666666734,
    ),
}  # fmt: skip
"""(log((1+s)/(1-s))/s - 2) / s^2 by s^2."""
SMALL_AREA: Coefficients = {
    "f32": (
        0.17742400666667363, 0.05084184344599402, 0.11837188259923297, 0.14221184744462645, 0.20002597579570855,
        0.3333329882795054,
    ),
    "f64": (
        0.2260524237264054, -0.15488905402577283, 0.14630159510551055, 0.014016432895621154, 0.059964370311026166,
        0.05771991806794634, 0.0667822399058265, 0.07691472855327439, 0.09090949605672767, 0.11111109853404452,
        0.14285714308639152, 0.19999999999790785, 0.3333333333333399,
    ),
}  # fmt: skip
"""(atanh(x)/x - 1) / x^2 by x^2, for |x| up to 1/2."""


def mantissa_and_exponent(f: Floats, x: Any) -> tuple[Any, Any]:
    """m between the roots of 1/2 and 2, and the integer k, with x = 2^k m; x is normal and above 0."""
    bits = f.bits(x)
    lifted = f.builder.sub(bits, f.integer(bits_of(math.sqrt(0.5), f.storage)))
    exponent = f.builder.ashr(lifted, f.integer(f.mantissa))
    return f.of_bits(f.builder.sub(bits, f.builder.shl(exponent, f.integer(f.mantissa)))), exponent


def normal(f: Floats, x: Any) -> tuple[Any, Any]:
    """A number above 0 made normal, and the exponent (a float) that was added for that."""
    shift = f.either(25.0, 54.0)
    tiny = f.compare("<", x, f.number(f.either(2.0**-126, 2.0**-1022)))
    lifted = f.select(tiny, f.mul(x, f.number(2.0**shift)), x)
    return lifted, f.select(tiny, f.number(shift), f.number(0.0))


def _of_one_and(f: Floats, rest: Any, k: Any) -> Any:
    """log(1 + rest) + k ln2."""
    square = f.mul(rest, rest)
    half = f.mul(square, f.number(0.5))
    low = f.mul(k, f.number(LN2_LOW[f.storage]))
    if f.single:
        tail = f.fused(f.mul(rest, square), f.polynomial(rest, PLAIN), low)
        inner = f.add(rest, f.sub(tail, half))
    else:
        s = f.div(rest, f.add(rest, f.number(2.0)))
        z = f.mul(s, s)
        series = f.mul(z, f.polynomial(z, SYMMETRIC))
        inner = f.sub(rest, f.sub(half, f.fused(s, f.add(half, series), low)))
    return f.fused(k, f.number(LN2_HIGH[f.storage]), inner)


def logarithm(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """log(x): minus infinity at 0, NaN below."""
    f = Floats(builder, x, storage)
    lifted, shift = normal(f, x)
    m, exponent = mantissa_and_exponent(f, lifted)
    k = f.sub(builder.sitofp(exponent, f.kind), shift)
    value = _of_one_and(f, f.sub(m, f.number(1.0)), k)
    value = f.select(f.compare("<", x, f.number(math.inf)), value, x)
    value = f.select(f.compare("==", x, f.number(0.0)), f.number(-math.inf), value)
    return f.select(f.compare("<", x, f.number(0.0)), f.number(math.nan), value)


def _of_sum(f: Floats, high: Any, low: Any, doublings: Any) -> Any:
    """log(2^doublings (high + low)) for a high of at least 1 and a low that is small beside it."""
    m, exponent = mantissa_and_exponent(f, high)
    scale = f.power_of_two(f.builder.sub(f.integer(0), exponent))
    rest = f.fused(low, scale, f.sub(m, f.number(1.0)))
    return _of_one_and(f, rest, f.add(f.builder.sitofp(exponent, f.kind), doublings))


def _of_one_plus(f: Floats, u: Any, rest: Any, large: Any, instead: Any) -> Any:
    """log(1 + u + rest); where `large`, log(2 instead), which may be beyond what u could hold."""
    high, low = f.sum_with_rest(f.number(1.0), u)
    halved = f.mul(instead, f.number(0.5))
    high, low = f.select(large, halved, high), f.select(large, f.number(0.0), f.add(low, rest))
    return _of_sum(f, high, low, f.select(large, f.number(2.0), f.number(0.0)))


def _beyond(f: Floats) -> Any:
    """From here on 1 is nothing beside the square."""
    return f.number(f.either(2.0**14, 2.0**30))


def area_sine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """asinh(x) = log(1 + a + a^2/(1 + sqrt(1 + a^2))), a = |x|."""
    f = Floats(builder, x, storage)
    a = f.magnitude(x)
    root = f.root(f.fused(a, a, f.number(1.0)))
    more = f.div(f.mul(a, a), f.add(root, f.number(1.0)))
    u, rest = f.quick_sum(a, more)
    large = f.compare(">", a, _beyond(f))
    value = _of_one_plus(f, u, rest, large, a)
    value = f.select(f.compare("<", a, f.number(2.0**-40)), a, value)
    value = f.select(f.compare("<", a, f.number(math.inf)), value, a)
    return f.signed_as(value, x)


def area_cosine(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """acosh(x) = log(1 + t + sqrt(t^2 + 2t)), t = x - 1; NaN below 1."""
    f = Floats(builder, x, storage)
    t = f.sub(x, f.number(1.0))
    root = f.root(f.fused(t, t, f.mul(t, f.number(2.0))))
    u, rest = f.sum_with_rest(root, t)
    large = f.compare(">", x, _beyond(f))
    value = f.select(f.compare("<", x, f.number(math.inf)), _of_one_plus(f, u, rest, large, x), x)
    return f.select(f.compare("<", x, f.number(1.0)), f.number(math.nan), value)


def area_tangent(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """atanh(x): a polynomial up to 1/2, then log(1 + 2a/(1-a))/2, where 1 - a is exact; NaN beyond 1."""
    f = Floats(builder, x, storage)
    a = f.magnitude(x)
    z = f.mul(a, a)
    small = f.fused(f.mul(a, z), f.polynomial(z, SMALL_AREA), a)
    u = f.div(f.add(a, a), f.sub(f.number(1.0), a))
    never = f.compare(">", a, f.number(math.inf))
    large = f.mul(_of_one_plus(f, u, f.number(0.0), never, a), f.number(0.5))
    value = f.select(f.compare("<=", a, f.number(0.5)), small, large)
    value = f.select(f.compare("==", a, f.number(1.0)), f.number(math.inf), value)
    value = f.select(f.compare(">", a, f.number(1.0)), f.number(math.nan), value)
    return f.signed_as(value, x)
