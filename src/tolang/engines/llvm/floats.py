"""Arithmetic of one float storage on one builder, written short: what the vector functions are made of.

A value may be a vector: everything here works on one lane or on many.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I32, I64, constant, intrinsic, kind_of, width_of

Coefficients = dict[str, tuple[float, ...]]
"""A polynomial for each storage, highest coefficient first."""
Unary = Callable[[ir.IRBuilder, Any, str], Any]
"""A function of one value in a storage."""
SPLIT_FROM = 7
"""From how many coefficients on a polynomial is cut in two, so that its halves are computed side by side."""


class Floats:
    """The operations on values of one storage (f32 or f64) and width."""

    def __init__(self, builder: ir.IRBuilder, value: Any, storage: str) -> None:
        self.builder, self.storage = builder, storage
        self.width = width_of(value)
        self.kind = value.type
        self.whole = kind_of("i32" if storage == "f32" else "i64", self.width)
        self.single = storage == "f32"
        self.mantissa = 23 if self.single else 52
        self.bias = 127 if self.single else 1023
        self.magic = 1.5 * 2.0**self.mantissa
        self.add, self.sub, self.mul, self.div = builder.fadd, builder.fsub, builder.fmul, builder.fdiv
        self.neg, self.select = builder.fneg, builder.select

    def number(self, value: float) -> Any:
        return constant(value, self.storage, self.width)

    def integer(self, value: int) -> Any:
        single = ir.Constant(I32 if self.single else I64, value)
        return single if self.width == 1 else ir.Constant(self.whole, [single] * self.width)

    def either(self, single: Any, double: Any) -> Any:
        """One of two constants of Python, by the storage."""
        return single if self.single else double

    def compare(self, sign: str, a: Any, b: Any) -> Any:
        """A comparison that is false for NaN, but for `!=`."""
        return (self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered)(sign, a, b)

    def fused(self, a: Any, b: Any, c: Any) -> Any:
        return intrinsic(self.builder, "fma", self.kind, [a, b, c])

    def magnitude(self, x: Any) -> Any:
        return intrinsic(self.builder, "fabs", self.kind, [x])

    def root(self, x: Any) -> Any:
        return intrinsic(self.builder, "sqrt", self.kind, [x])

    def floor(self, x: Any) -> Any:
        return intrinsic(self.builder, "floor", self.kind, [x])

    def signed_as(self, magnitude: Any, sign: Any) -> Any:
        return intrinsic(self.builder, "copysign", self.kind, [magnitude, sign])

    def least(self, x: Any, limit: float) -> Any:
        """The lesser of a value and a number; NaN stays."""
        return intrinsic(self.builder, "minimum", self.kind, [x, self.number(limit)])

    def greatest(self, x: Any, limit: float) -> Any:
        return intrinsic(self.builder, "maximum", self.kind, [x, self.number(limit)])

    def polynomial(self, x: Any, coefficients: Coefficients) -> Any:
        """A polynomial by Horner's rule; a long one as two, of its even and of its odd powers."""
        given = coefficients[self.storage]
        if len(given) < SPLIT_FROM:
            return self._horner(x, given)
        square = self.mul(x, x)
        even, odd = self._horner(square, given[::-1][::2][::-1]), self._horner(square, given[::-1][1::2][::-1])
        return self.fused(odd, x, even)

    def _horner(self, x: Any, coefficients: tuple[float, ...]) -> Any:
        result = self.number(coefficients[0])
        for one in coefficients[1:]:
            result = self.fused(result, x, self.number(one))
        return result

    def nearest(self, x: Any, factor: float) -> tuple[Any, Any]:
        """The whole number nearest to x times a factor, as a float and as an integer; x must not be huge.

        The sum with a number whose last digit counts ones is rounded to ones, and holds them in its bits.
        """
        shifted = self.fused(x, self.number(factor), self.number(self.magic))
        bits = self.builder.sub(self.bits(shifted), self.integer(bits_of(self.magic, self.storage)))
        return self.sub(shifted, self.number(self.magic)), bits

    def nearest_with_power(self, x: Any, factor: float) -> tuple[Any, Any]:
        """The whole number nearest to x times a factor, as a float, and 2 to it, which is within the normal range.

        What the sum's last digits hold is the number as an exponent, as it lies in the bits of a float.
        """
        magic = self.magic + self.bias
        shifted = self.fused(x, self.number(factor), self.number(magic))
        power = self.builder.shl(self.bits(shifted), self.integer(self.mantissa))
        return self.sub(shifted, self.number(magic)), self.of_bits(power)

    def without(self, x: Any, n: Any, parts: tuple[float, ...]) -> Any:
        """x - n (a + b + ...), the parts from the largest on, with one rounding for each."""
        negative = self.neg(n)
        for part in parts:
            x = self.fused(negative, self.number(part), x)
        return x

    def bits(self, x: Any) -> Any:
        return self.builder.bitcast(x, self.whole)

    def of_bits(self, bits: Any) -> Any:
        return self.builder.bitcast(bits, self.kind)

    def power_of_two(self, exponent: Any) -> Any:
        """2 to an integer within the normal range, by its bits."""
        return self.of_bits(
            self.builder.shl(self.builder.add(exponent, self.integer(self.bias)), self.integer(self.mantissa))
        )

    def sum_with_rest(self, a: Any, b: Any) -> tuple[Any, Any]:
        """a + b rounded, and what the rounding left out, exactly."""
        total = self.add(a, b)
        second = self.sub(total, a)
        first = self.sub(total, second)
        return total, self.add(self.sub(a, first), self.sub(b, second))

    def quick_sum(self, a: Any, b: Any) -> tuple[Any, Any]:
        """The same where a is known to be the larger."""
        total = self.add(a, b)
        return total, self.sub(b, self.sub(total, a))

    def product_with_rest(self, a: Any, b: Any) -> tuple[Any, Any]:
        product = self.mul(a, b)
        return product, self.fused(a, b, self.neg(product))


def bits_of(value: float, storage: str) -> int:
    """The bits of a number as a signed integer."""
    whole, real = ("<i", "<f") if storage == "f32" else ("<q", "<d")
    return int(struct.unpack(whole, struct.pack(real, value))[0])


def parts_of(number: tuple[float, float, float], storage: str, count: int) -> tuple[float, ...]:
    """A constant, given as a sum of three doubles, as a sum of numbers of a storage, the largest first."""
    if storage == "f64":
        return number[:count]
    first, second, _ = number
    parts: list[float] = []
    for _ in range(count):
        rounded = struct.unpack("<f", struct.pack("<f", first))[0]
        parts.append(rounded)
        first = (first - rounded) + second
        second = 0.0
    return tuple(parts)
