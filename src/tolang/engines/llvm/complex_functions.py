"""Tangents, inverse functions and powers of complex numbers, without a branch, as NumPy and C99 have them.

Inverse sines and cosines are after W. Kahan, Branch Cuts for Complex Elementary Functions (1987): by roots of 1+z and
1-z, in which nothing cancels, and whose zeros have the signs that tell the side of a cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.complexes import WIDE, Complexes
from tolang.engines.llvm.types import cast, intrinsic, paired, part_of, parted
from tolang.ground.values.spaces import is_complex

INFINITY = math.inf
FLAT = {"f64": 22.0, "f32": 11.0}
"""From where on a hyperbolic tangent is 1 but for a square of an exponential."""
FAR = {"f64": 1e9, "f32": 1e5}
"""From where on the inverse hyperbolic tangent is 1/z, beside its angle."""
FEW = 100
"""Whole powers below this one are products."""
BITS = 7


class AllComplexes(Complexes):
    """All functions of complex numbers; those of z that are others of iz, turned back, follow from these."""

    # Tangents

    def _tanh(self, x: Any) -> Any:
        """By tan b = t and sinh a = s: ((1+t^2) sqrt(1+s^2) s + it) / (1 + (1+t^2) s^2)."""
        b, (a, angle), one = self.builder, x, self.number(1)
        sine, cosine = self.real("sin", [angle]), self.real("cos", [angle])
        tangent, s = b.fdiv(sine, cosine), self.real("sinh", [a])
        beta = b.fadd(one, b.fmul(tangent, tangent))
        below = b.fadd(one, b.fmul(b.fmul(beta, s), s))
        root = self.real("sqrt", [b.fadd(one, b.fmul(s, s))])
        real, imaginary = b.fdiv(b.fmul(b.fmul(beta, root), s), below), b.fdiv(tangent, below)
        flat = b.fcmp_ordered(">", self._size(a), self.number(FLAT[self.storage]))
        small = self.real("exp", [b.fneg(self._size(a))])
        sides = b.fmul(b.fmul(sine, cosine), self.number(4))
        real = b.select(flat, self._with_sign(one, a), real)
        imaginary = b.select(flat, b.fmul(b.fmul(sides, small), small), imaginary)
        endless, unbound = self._is_infinite(a), self._is_unbound(angle)
        real = b.select(b.and_(unbound, b.not_(endless)), sides, real)
        real = b.select(self._is(a, 0), a, real)
        side = self._with_sign(self.number(0), b.select(unbound, angle, sides))
        return real, b.select(self._is(angle, 0), angle, b.select(endless, side, imaginary))

    def _tan(self, x: Any) -> Any:
        return self._turned(self._tanh, x)

    # Inverse functions

    def _roots(self, x: Any) -> tuple[Any, Any]:
        """The roots of 1-z and 1+z."""
        b, (a, c), one = self.builder, x, self.number(1)
        return self._sqrt((b.fsub(one, a), b.fneg(c))), self._sqrt((b.fadd(one, a), c))

    def _acos(self, x: Any) -> Any:
        b, (a, c) = self.builder, x
        p, q = self._roots(x)
        real = b.fmul(self.real("atan", [b.fdiv(p[0], q[0])]), self.number(2))
        imaginary = self.real("asinh", [b.fsub(b.fmul(q[0], p[1]), b.fmul(q[1], p[0]))])
        real = b.select(self._is(a, 0), self.number(math.pi / 2), real)
        far = b.or_(self._is_infinite(a), self._is_infinite(c))
        real = b.select(far, self._angle((a, self._size(c))), real)
        return real, b.select(far, b.fneg(self._with_sign(self.number(INFINITY), c)), imaginary)

    def _asin(self, x: Any) -> Any:
        b, (a, c) = self.builder, x
        p, q = self._roots(x)
        product = b.fsub(b.fmul(p[0], q[0]), b.fmul(p[1], q[1]))
        real = self.real("atan", [b.fdiv(a, product)])
        imaginary = self.real("asinh", [b.fsub(b.fmul(p[0], q[1]), b.fmul(p[1], q[0]))])
        real = b.select(self._is(a, 0), a, real)
        far = b.or_(self._is_infinite(a), self._is_infinite(c))
        real = b.select(far, self._angle((self._size(c), a)), real)
        return real, b.select(far, self._with_sign(self.number(INFINITY), c), imaginary)

    def _asinh(self, x: Any) -> Any:
        return self._turned(self._asin, x)

    def _acosh(self, x: Any) -> Any:
        real, imaginary = self._acos(x)
        return self._size(imaginary), self._with_sign(real, x[1])

    def _atanh(self, x: Any) -> Any:
        """log(1 + 4a / ((1-a)^2 + b^2)) / 4 and half the angle of 1 - |z|^2 + 2ib, for a above 0."""
        b, (a, c), one = self.builder, x, self.number(1)
        first, second, most = self._size(a), self._size(c), self._most(x)
        less, quarter = b.fsub(one, first), self.number(0.25)
        squares = b.fadd(b.fmul(less, less), b.fmul(second, second))
        real = b.fmul(self._log_after_one(b.fdiv(b.fmul(first, self.number(4)), squares)), quarter)
        edge = b.and_(self._is(first, 1), b.fcmp_ordered("<", second, self.number(1 / FAR[self.storage])))
        at_edge = b.fsub(self.number(math.log(2)), self.real("log", [second]))
        real = b.select(edge, b.fmul(at_edge, self.number(0.5)), real)
        size = self._abs(x)
        far = b.fcmp_ordered(">", most, self.number(FAR[self.storage]))
        real = b.select(far, b.fdiv(b.fdiv(first, size), size), real)
        across = b.fsub(b.fmul(less, b.fadd(one, first)), b.fmul(second, second))
        imaginary = b.fmul(self._angle((across, b.fmul(c, self.number(2)))), self.number(0.5))
        beyond = b.fcmp_ordered(">", most, self.number(WIDE[self.storage][0]))
        endless = b.or_(self._is_infinite(a), self._is_infinite(c))
        right = self._with_sign(self.number(math.pi / 2), c)
        unknown = b.fcmp_unordered("uno", c, c)
        imaginary = b.select(b.or_(beyond, endless), b.select(unknown, c, right), imaginary)
        real = b.select(b.or_(endless, self._is(first, 0)), self.number(0), real)
        return self._with_sign(real, a), imaginary

    def _atan(self, x: Any) -> Any:
        return self._turned(self._atanh, x)

    def _turned(self, function: Callable[[Any], Any], x: Any) -> Any:
        """-i f(iz)."""
        real, imaginary = function((self.builder.fneg(x[1]), x[0]))
        return imaginary, self.builder.fneg(real)

    # Powers

    def _pow(self, x: Any, y: Any) -> Any:
        """Products for few whole powers, else the exponential of y log x; 0 to a power whose real part is above 0."""
        b = self.builder
        nothing = self.number(0), self.number(0)
        general = self._exp(self._product(y, self._log(x)))
        few = b.and_(self._is(y[1], 0), b.fcmp_ordered("<", self._size(y[0]), self.number(FEW)))
        few = b.and_(few, b.fcmp_ordered("==", self.real("floor", [y[0]]), y[0]))
        made = self._either(few, self._products(x, y[0], few), general)
        zero = b.and_(self._is(x[0], 0), self._is(x[1], 0))
        unknown = self.number(math.nan), self.number(math.nan)
        of_zero = self._either(b.fcmp_ordered(">", y[0], self.number(0)), nothing, unknown)
        none = b.and_(self._is(y[0], 0), self._is(y[1], 0))
        return self._either(none, (self.number(1), self.number(0)), self._either(zero, of_zero, made))

    def _product(self, x: Any, y: Any) -> Any:
        """A product that is infinite where a factor is and the other is not 0, as C99 has it in Annex G."""
        b = self.builder
        plain = self._times(x, y)
        unknown = b.and_(*(b.fcmp_unordered("uno", part, part) for part in plain))
        endless = [b.or_(*map(self._is_infinite, one)) for one in (x, y)]
        boxes = [
            [self._boxed(part, own, b.or_(own, other)) for part in one]
            for one, own, other in ((x, endless[0], endless[1]), (y, endless[1], endless[0]))
        ]
        far = tuple(b.fmul(part, self.number(INFINITY)) for part in self._times(*boxes))
        return self._either(b.and_(unknown, b.or_(*endless)), far, plain)

    def _boxed(self, part: Any, own: Any, any_endless: Any) -> Any:
        """A part of an infinite number as 1 or 0, and what is no number beside infinity as 0, each with its sign."""
        b, nothing = self.builder, self._with_sign(self.number(0), part)
        unit = b.select(self._is_infinite(part), self._with_sign(self.number(1), part), nothing)
        unknown = b.and_(any_endless, b.fcmp_unordered("uno", part, part))
        return b.select(own, unit, b.select(unknown, nothing, part))

    def _products(self, x: Any, exponent: Any, few: Any) -> Any:
        """A power below a hundred by squares, of exponents that are whole where `few` holds."""
        b = self.builder
        size = b.select(few, self._size(exponent), self.number(0))
        made, square = (self.number(1), self.number(0)), x
        left = size
        for _ in range(BITS):
            half = self.real("floor", [b.fmul(left, self.number(0.5))])
            odd = b.fcmp_ordered("!=", b.fadd(half, half), left)
            made = self._either(odd, self._times(made, square), made)
            square, left = self._times(square, square), half
        twice = self._times(x, x)
        for number, direct in ((1, x), (2, twice), (3, self._times(twice, x))):
            made = self._either(self._is(exponent, number), direct, made)
        negative = b.fcmp_ordered("<", exponent, self.number(0))
        return self._either(negative, self._div((self.number(1), self.number(0)), made), made)

    def whole_power(self, x: Any, exponent: int) -> Any:
        """A power that is known, from -99 to 99 and not 0: as `_products` has it."""
        size, made, square = abs(exponent), (self.number(1), self.number(0)), x
        if 0 < exponent < 4:
            made = x
            for _ in range(exponent - 1):
                made = self._times(made, x)
            return made
        while size:
            made = self._times(made, square) if size & 1 else made
            size >>= 1
            square = self._times(square, square) if size else square
        if exponent > 0:
            return made
        zero = self.builder.and_(self._is(x[0], 0), self._is(x[1], 0))
        unknown = self.number(math.nan), self.number(math.nan)
        return self._either(zero, unknown, self._div((self.number(1), self.number(0)), made))

    # Of floats

    def _either(self, condition: Any, one: Any, other: Any) -> Any:
        return tuple(self.builder.select(condition, a, b) for a, b in zip(one, other, strict=True))

    def _with_sign(self, size: Any, sign: Any) -> Any:
        return intrinsic(self.builder, "copysign", sign.type, [size, sign])

    def _most(self, x: Any) -> Any:
        return self.real("max", [self._size(part) for part in x])

    def _is_infinite(self, value: Any) -> Any:
        return self._is(self._size(value), INFINITY)

    def _is_unbound(self, value: Any) -> Any:
        """Whether a number is infinite, or none."""
        b = self.builder
        return b.not_(b.fcmp_ordered("<", self._size(value), self.number(INFINITY)))


def complex_function(
    builder: ir.IRBuilder,
    function: str,
    values: list[Any],
    storages: list[str],
    goal: str,
    real: Callable[..., Any],
    exponent: int | None = None,
) -> Any:
    """A basic function that has a complex number among its arguments, or as its result; None where there is none."""
    if function == "complex":
        storage = part_of(goal)
        return paired(builder, *(cast(builder, v, s, storage) for v, s in zip(values, storages, strict=True)))
    if function in ("real part", "imaginary part"):
        return parted(builder, values[0])[function == "imaginary part"]
    if function in ("cast", "convert"):
        return cast(builder, values[0], storages[0], goal) if is_complex(goal) else None
    widest = goal if is_complex(goal) else "c128" if "c128" in storages or "f64" in storages else "c64"
    if function in ("eq", "ineq") and not {*storages} <= {"c64", "c128", "f32", "f64", "bool"}:
        widest = "c128"
    storage = part_of(widest)
    operands = [cast(builder, v, s, widest) for v, s in zip(values, storages, strict=True)]
    functions = AllComplexes(builder, storage, lambda name, given: real(builder, name, given, storage))
    if function == "pow" and widest == "c64":  # in 32 bits a large power has few digits that are right
        wide = complex_function(builder, "pow", operands, [widest, widest], "c128", real, exponent)
        return cast(builder, wide, "c128", goal)
    if exponent is not None:
        return paired(builder, *functions.whole_power(parted(builder, operands[0]), exponent))
    return functions.compute(function, operands)
