"""Elementary functions as plain arithmetic, without branches, so that LLVM can put them into vectors.

Each works on a value or a vector of one storage (f32 or f64), is within two units in the last place of the exact
result, and right for infinities, NaN and numbers too small to be normal.  Argument reduction, a polynomial, and
a rebuilt exponent; the polynomials are Taylor's, long enough for the reduced range.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import I32, I64, constant, intrinsic, kind_of, width_of

LN2_HIGH = {"f32": 0.693359375, "f64": 6.93147180369123816490e-01}
LN2_LOW = {"f32": -2.12194440054690583e-4, "f64": 1.90821492927058770002e-10}


class Floats:
    """Arithmetic of one storage on one builder, written short."""

    def __init__(self, builder: ir.IRBuilder, value: Any, storage: str) -> None:
        self.builder, self.storage = builder, storage
        self.width = width_of(value)
        self.kind = value.type
        self.whole = kind_of("i32" if storage == "f32" else "i64", self.width)
        self.mantissa = 23 if storage == "f32" else 52
        self.bias = 127 if storage == "f32" else 1023

    def number(self, value: float) -> Any:
        return constant(value, self.storage, self.width)

    def integer(self, value: int) -> Any:
        single = ir.Constant(I32 if self.storage == "f32" else I64, value)
        return single if self.width == 1 else ir.Constant(self.whole, [single] * self.width)

    def fused(self, a: Any, b: Any, c: Any) -> Any:
        return intrinsic(self.builder, "fma", self.kind, [a, b, c])

    def polynomial(self, x: Any, coefficients: list[float]) -> Any:
        """A polynomial by Horner's rule, highest coefficient first."""
        result = self.number(coefficients[0])
        for one in coefficients[1:]:
            result = self.fused(result, x, self.number(one))
        return result

    def to_integer(self, x: Any) -> Any:
        """A whole float as an integer; NaN gives 0 and what is too large the nearest."""
        name = f"llvm.fptosi.sat.{_suffix(self.whole)}.{_suffix(self.kind)}"
        function = self.builder.module.globals.get(name)
        if function is None:
            function = ir.Function(self.builder.module, ir.FunctionType(self.whole, [self.kind]), name)
        return self.builder.call(function, [x])

    def power_of_two(self, exponent: Any) -> Any:
        """2 to an integer within the normal range, by its bits."""
        bits = self.builder.shl(self.builder.add(exponent, self.integer(self.bias)), self.integer(self.mantissa))
        return self.builder.bitcast(bits, self.kind)

    def select(self, condition: Any, then: Any, otherwise: Any) -> Any:
        return self.builder.select(condition, then, otherwise)


def _suffix(kind: Any) -> str:
    single = kind.element if isinstance(kind, ir.VectorType) else kind
    text = {"float": "f32", "double": "f64"}.get(str(single), str(single))
    return f"v{kind.count}{text}" if isinstance(kind, ir.VectorType) else text


def exponential(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """exp(x): x = n ln2 + r, a polynomial in r, then 2^n in two halves so that no exponent leaves its range."""
    f = Floats(builder, x, storage)
    low, high, terms = (-105.0, 90.0, 7) if storage == "f32" else (-746.0, 710.0, 13)
    clamped = intrinsic(builder, "minimum", f.kind, [x, f.number(high)])
    clamped = intrinsic(builder, "maximum", f.kind, [clamped, f.number(low)])
    n = intrinsic(builder, "rint", f.kind, [builder.fmul(clamped, f.number(1 / math.log(2)))])
    negative = builder.fneg(n)
    r = f.fused(negative, f.number(LN2_HIGH[storage]), clamped)
    r = f.fused(negative, f.number(LN2_LOW[storage]), r)
    tail = f.polynomial(r, [1 / math.factorial(k) for k in range(terms, 1, -1)])
    value = builder.fadd(f.fused(builder.fmul(r, r), tail, r), f.number(1.0))
    exponent = f.to_integer(n)
    half = builder.ashr(exponent, f.integer(1))
    scaled = builder.fmul(value, f.power_of_two(half))
    return builder.fmul(scaled, f.power_of_two(builder.sub(exponent, half)))


def logarithm(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """log(x): x = 2^k m with m near 1, f = m - 1, s = f/(2+f), and the series of log((1+s)/(1-s))."""
    f = Floats(builder, x, storage)
    shift = 25 if storage == "f32" else 54
    smallest = 2.0**-126 if storage == "f32" else 2.0**-1022
    tiny = builder.fcmp_ordered("<", x, f.number(smallest))
    normal = f.select(tiny, builder.fmul(x, f.number(2.0**shift)), x)
    bits = builder.bitcast(normal, f.whole)
    root = _bits(math.sqrt(0.5), storage)
    lifted = builder.sub(bits, f.integer(root))
    exponent = builder.ashr(lifted, f.integer(f.mantissa))
    mantissa = builder.bitcast(builder.sub(bits, builder.shl(exponent, f.integer(f.mantissa))), f.kind)
    k = builder.sitofp(exponent, f.kind)
    k = f.select(tiny, builder.fsub(k, f.number(float(shift))), k)
    rest = builder.fsub(mantissa, f.number(1.0))
    s = builder.fdiv(rest, builder.fadd(rest, f.number(2.0)))
    z = builder.fmul(s, s)
    terms = 5 if storage == "f32" else 11
    series = builder.fmul(z, f.polynomial(z, [2 / (2 * i + 1) for i in range(terms, 0, -1)]))
    half = builder.fmul(f.number(0.5), builder.fmul(rest, rest))
    inner = f.fused(s, builder.fadd(half, series), builder.fmul(k, f.number(LN2_LOW[storage])))
    value = f.fused(k, f.number(LN2_HIGH[storage]), builder.fsub(rest, builder.fsub(half, inner)))
    value = f.select(builder.fcmp_ordered("==", x, f.number(0.0)), f.number(-math.inf), value)
    value = f.select(builder.fcmp_unordered("<", x, f.number(0.0)), f.number(math.nan), value)
    return f.select(builder.fcmp_ordered("==", x, f.number(math.inf)), f.number(math.inf), value)


def _bits(value: float, storage: str) -> int:

    return int(
        struct.unpack("<i" if storage == "f32" else "<q", struct.pack("<f" if storage == "f32" else "<d", value))[0]
    )


def hyperbolic_tangent(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """tanh(x) = e/(e+2) with e = exp(2|x|) - 1, which is exact where the result is small."""
    f = Floats(builder, x, storage)
    magnitude = intrinsic(builder, "fabs", f.kind, [x])
    e = minus_one(builder, builder.fmul(magnitude, f.number(2.0)), storage)
    value = builder.fdiv(e, builder.fadd(e, f.number(2.0)))
    limit = 10.0 if storage == "f32" else 20.0
    value = f.select(builder.fcmp_ordered(">", magnitude, f.number(limit)), f.number(1.0), value)
    return intrinsic_sign(f, value, x)


def intrinsic_sign(f: Floats, magnitude: Any, sign: Any) -> Any:
    return intrinsic(f.builder, "copysign", f.kind, [magnitude, sign])


def minus_one(builder: ir.IRBuilder, x: Any, storage: str) -> Any:
    """exp(x) - 1 for x >= 0, without cancellation: 2^n (p + 1) - 1 = 2^n p + (2^n - 1)."""
    f = Floats(builder, x, storage)
    high, terms = (44.0, 7) if storage == "f32" else (88.0, 14)
    clamped = intrinsic(builder, "minimum", f.kind, [x, f.number(high)])
    n = intrinsic(builder, "rint", f.kind, [builder.fmul(clamped, f.number(1 / math.log(2)))])
    negative = builder.fneg(n)
    r = f.fused(negative, f.number(LN2_HIGH[storage]), clamped)
    r = f.fused(negative, f.number(LN2_LOW[storage]), r)
    tail = f.polynomial(r, [1 / math.factorial(k) for k in range(terms, 1, -1)])
    p = f.fused(builder.fmul(r, r), tail, r)
    scale = f.power_of_two(f.to_integer(n))
    return f.fused(scale, p, builder.fsub(scale, f.number(1.0)))


VECTOR_FUNCTIONS = {"exp": exponential, "log": logarithm, "tanh": hyperbolic_tangent}
