"""Complex numbers: pairs of floats, on which every function is one of floats, without a branch.

A loop over such functions runs on vectors as one of floats does.  They are those that NumPy computes: products by their
formula, quotients after R. L. Smith (1962), magnitudes without overflow on the way, and what C99 says of zeros,
infinities and NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import constant, fuses, intrinsic, paired, parted

Real = Callable[[str, list[Any]], Any]
"""A basic function of floats, by its name."""
LARGE = {"f64": 700.0, "f32": 80.0}
"""From where on an exponential may overflow though its product with a sine does not."""
WIDE = {"f64": (1e150, 2.0**-600, 2.0**600), "f32": (1e18, 2.0**-70, 2.0**70)}
"""Beyond which size, or below one over it, numbers are scaled before they are squared; and by what."""


TINY = {"f64": (2.0**-900, 2.0**60), "f32": (2.0**-100, 2.0**25)}
"""Below which size numbers are scaled before their root is taken, so that no digit is lost; and the root of by what."""


class Complexes:
    """The functions of complex numbers whose parts are in one storage."""

    def __init__(self, builder: ir.IRBuilder, storage: str, real: Real) -> None:
        self.builder, self.storage, self.real = builder, storage, real

    def number(self, value: float) -> Any:
        return constant(value, self.storage)

    def compute(self, function: str, values: list[Any]) -> Any:
        """A function of complex numbers; None where there is none."""
        parts = [parted(self.builder, value) for value in values]
        made = getattr(self, f"_{function}", None)
        if made is None:
            return None
        found = made(*parts)
        return paired(self.builder, *found) if isinstance(found, tuple) else found

    # Arithmetic

    def _add(self, x: Any, y: Any) -> Any:
        return tuple(self.builder.fadd(a, b) for a, b in zip(x, y, strict=True))

    def _sub(self, x: Any, y: Any) -> Any:
        return tuple(self.builder.fsub(a, b) for a, b in zip(x, y, strict=True))

    def _neg(self, x: Any) -> Any:
        return tuple(self.builder.fneg(a) for a in x)

    def _mul(self, x: Any, y: Any) -> Any:
        """By the formula, whose first products are added to the others in one instruction, as NumPy does."""
        b = self.builder
        others = b.fmul(x[1], y[1]), b.fmul(x[1], y[0])
        if not fuses(b.module):
            return b.fsub(b.fmul(x[0], y[0]), others[0]), b.fadd(b.fmul(x[0], y[1]), others[1])
        kind = x[0].type
        first = intrinsic(b, "fma", kind, [x[0], y[0], b.fneg(others[0])])
        return first, intrinsic(b, "fma", kind, [x[0], y[1], others[1]])

    def _times(self, x: Any, y: Any) -> Any:
        """A product for powers: by the formula, each function rounded by itself."""
        b = self.builder
        return (
            b.fsub(b.fmul(x[0], y[0]), b.fmul(x[1], y[1])),
            b.fadd(b.fmul(x[0], y[1]), b.fmul(x[1], y[0])),
        )

    def _div(self, x: Any, y: Any) -> Any:
        """By the larger part of the divisor; by its magnitude where both parts are zero."""
        b = self.builder
        wide = b.fcmp_ordered(">=", self._size(y[0]), self._size(y[1]))
        large, small = b.select(wide, y[0], y[1]), b.select(wide, y[1], y[0])
        ratio = b.fdiv(small, large)
        scale = b.fdiv(self.number(1), b.fadd(large, b.fmul(small, ratio)))
        first = b.fadd(b.select(wide, x[0], b.fmul(x[0], ratio)), b.select(wide, b.fmul(x[1], ratio), x[1]))
        second = b.fsub(b.select(wide, x[1], b.fmul(x[1], ratio)), b.select(wide, b.fmul(x[0], ratio), x[0]))
        zero = b.and_(self._is(y[0], 0), self._is(y[1], 0))
        by = self._size(y[0])
        return tuple(
            b.select(zero, b.fdiv(part, by), b.fmul(sum_, scale)) for part, sum_ in zip(x, (first, second), strict=True)
        )

    def _eq(self, x: Any, y: Any) -> Any:
        b = self.builder
        return b.and_(b.fcmp_ordered("==", x[0], y[0]), b.fcmp_ordered("==", x[1], y[1]))

    def _ineq(self, x: Any, y: Any) -> Any:
        return self.builder.not_(self._eq(x, y))

    # Parts

    def _abs(self, x: Any) -> Any:
        """The root of the sum of squares, of numbers that are scaled where these would leave the floats."""
        b = self.builder
        beyond, down, up = WIDE[self.storage]
        first, second = (self._size(a) for a in x)
        most = self.real("max", [first, second])
        far = b.fcmp_ordered(">", most, self.number(beyond))
        near = b.fcmp_ordered("<", most, self.number(1 / beyond))
        scale = b.select(far, self.number(down), b.select(near, self.number(up), self.number(1)))
        back = b.select(far, self.number(up), b.select(near, self.number(down), self.number(1)))
        squares = [b.fmul(p, p) for p in (b.fmul(first, scale), b.fmul(second, scale))]
        root = b.fmul(self.real("sqrt", [b.fadd(*squares)]), back)
        infinite = b.or_(self._is(first, float("inf")), self._is(second, float("inf")))
        return b.select(infinite, self.number(float("inf")), root)

    # Elementary functions

    def _exp(self, x: Any) -> Any:
        """e^a * (cos b + i sin b); e^a in two factors where it is large."""
        b, (a, angle) = self.builder, x
        large = b.fcmp_ordered(">", a, self.number(LARGE[self.storage]))
        half = b.fmul(a, self.number(0.5))
        factor = self.real("exp", [b.select(large, half, a)])
        other = b.select(large, factor, self.number(1))
        cosine, sine = self.real("cos", [angle]), self.real("sin", [angle])
        real, imaginary = (b.fmul(b.fmul(one, factor), other) for one in (cosine, sine))
        still = self._is(angle, 0)
        nothing, endless = self._is(a, float("-inf")), self._is(a, float("inf"))
        unbound = b.not_(b.fcmp_ordered("<", self._size(angle), self.number(float("inf"))))
        real = b.select(b.and_(endless, unbound), a, b.select(b.and_(nothing, unbound), self.number(0), real))
        imaginary = b.select(b.and_(nothing, unbound), self.number(0), imaginary)
        plain = self.real("exp", [a])
        return b.select(still, plain, real), b.select(still, angle, imaginary)

    def _sin(self, x: Any) -> Any:
        """sin a cosh b + i cos a sinh b."""
        b, (angle, c) = self.builder, x
        sine, cosine = self.real("sin", [angle]), self.real("cos", [angle])
        still, level = self._is(angle, 0), self._is(c, 0)
        real = b.select(still, angle, self._wave(sine, "cosh", c))
        imaginary = b.select(level, b.fmul(cosine, c), self._wave(cosine, "sinh", c))
        unbound = b.not_(b.fcmp_ordered("<", self._size(angle), self.number(float("inf"))))
        endless = self._is(self._size(c), float("inf"))
        return real, b.select(b.and_(unbound, endless), self._size(c), b.select(b.and_(unbound, level), c, imaginary))

    def _cos(self, x: Any) -> Any:
        """cos a cosh b - i sin a sinh b."""
        b, (angle, c) = self.builder, x
        sine, cosine = self.real("sin", [angle]), self.real("cos", [angle])
        flat = b.or_(self._is(angle, 0), self._is(c, 0))
        real = self._wave(cosine, "cosh", c)
        imaginary = b.fneg(b.select(flat, b.fmul(sine, self._sign(c)), self._wave(sine, "sinh", c)))
        unbound = b.not_(b.fcmp_ordered("<", self._size(angle), self.number(float("inf"))))
        endless = self._is(self._size(c), float("inf"))
        real = b.select(b.and_(unbound, endless), self._size(c), real)
        return real, b.select(b.and_(unbound, self._is(c, 0)), c, imaginary)

    def _sinh(self, x: Any) -> Any:
        """-i sin iz."""
        real, imaginary = self._sin((self.builder.fneg(x[1]), x[0]))
        return imaginary, self.builder.fneg(real)

    def _cosh(self, x: Any) -> Any:
        """cos iz."""
        return self._cos((self.builder.fneg(x[1]), x[0]))

    def _wave(self, wave: Any, function: str, c: Any) -> Any:
        """A sine times a hyperbolic function, by two factors where that is large."""
        b = self.builder
        size = self._size(c)
        large = b.fcmp_ordered(">", size, self.number(LARGE[self.storage]))
        half = self.real("exp", [b.fmul(size, self.number(0.5))])
        far = b.fmul(b.fmul(b.fmul(wave, self.number(0.5)), half), half)
        if function == "sinh":
            far = b.fmul(far, self._sign(c))
        return b.select(large, far, b.fmul(wave, self.real(function, [c])))

    def _sign(self, c: Any) -> Any:
        """1 with the sign of a number, 0 with that of a zero."""
        b = self.builder
        one = intrinsic(b, "copysign", c.type, [self.number(1), c])
        return b.select(self._is(c, 0), c, one)

    def _log(self, x: Any, base: Any = None) -> Any:
        """The natural logarithm, or the quotient of two of them."""
        if base is not None:
            return self._div(self._log(x), self._log(base))
        return self._log_of_size(x), self._angle(x)

    def _log_of_size(self, x: Any) -> Any:
        """The logarithm of the magnitude, by how far its square is from 1 where that is little."""
        b = self.builder
        size, one = self._abs(x), self.number(1)
        parts = [self._size(part) for part in x]
        most, least = self.real("max", parts), self.real("min", parts)
        beyond = b.fadd(b.fmul(b.fsub(most, one), b.fadd(most, one)), b.fmul(least, least))
        near = b.fmul(self._log_after_one(beyond), self.number(0.5))
        close = b.and_(b.fcmp_ordered(">", size, self.number(0.5)), b.fcmp_ordered("<", size, self.number(2)))
        return b.select(close, near, self.real("log", [size]))

    def _log_after_one(self, beyond: Any) -> Any:
        """The logarithm of 1 and a number more, by what is left of it when they are added (W. Kahan)."""
        b, one = self.builder, self.number(1)
        rounded = b.fadd(one, beyond)
        ratio = b.fdiv(beyond, b.fsub(rounded, one))
        return b.select(self._is(rounded, 1), beyond, b.fmul(self.real("log", [rounded]), ratio))

    def _angle(self, x: Any) -> Any:
        """The angle from the real axis, from -pi to pi."""
        b, (a, c) = self.builder, x
        first, second = self._size(a), self._size(c)
        both = b.and_(self._is(first, float("inf")), self._is(second, float("inf")))
        steep = b.fcmp_ordered(">", second, first)
        ratio = b.fdiv(b.select(steep, first, second), b.select(steep, second, first))
        none = b.and_(self._is(first, 0), self._is(second, 0))
        ratio = b.select(both, self.number(1), b.select(none, self.number(0), ratio))
        angle = self.real("atan", [ratio])
        angle = b.select(steep, b.fsub(self.number(1.5707963267948966), angle), angle)
        sign = intrinsic(b, "copysign", a.type, [self.number(1), a])
        left = b.fcmp_ordered("<", sign, self.number(0))
        angle = b.select(left, b.fsub(self.number(3.141592653589793), angle), angle)
        return intrinsic(b, "copysign", a.type, [angle, c])

    def _sqrt(self, x: Any) -> Any:
        """The root in the right half: of halves of the magnitude and the real part, which have one sign there."""
        b, (a, c) = self.builder, x
        half, (least, up) = self.number(0.5), TINY[self.storage]
        tiny = b.fcmp_ordered("<", self.real("max", [self._size(a), self._size(c)]), self.number(least))
        scale = b.select(tiny, self.number(up * up), self.number(0.25))
        scaled = b.fmul(a, scale), b.fmul(c, scale)
        total = b.fadd(self._size(scaled[0]), self._abs(scaled))
        back = b.select(tiny, self.number(1 / up), self.number(2))
        root = b.fmul(self.real("sqrt", [b.fmul(total, half)]), back)
        other = b.fmul(b.fdiv(self._size(c), root), half)
        right = b.fcmp_ordered(">=", a, self.number(0))
        signed = intrinsic(b, "copysign", c.type, [b.select(right, other, root), c])
        zero = b.and_(self._is(a, 0), self._is(c, 0))
        real, imaginary = b.select(right, root, other), signed
        endless = self._is(self._size(c), float("inf"))
        far = self._is(self._size(a), float("inf"))
        real, imaginary = self._far_root(x, (real, imaginary), far)
        infinity = self.number(float("inf"))
        real = b.select(endless, infinity, b.select(zero, self.number(0), real))
        return real, b.select(b.or_(endless, zero), c, imaginary)

    def _far_root(self, x: Any, root: tuple[Any, Any], far: Any) -> tuple[Any, Any]:
        """The root where the real part is infinite: along the axis that it is on."""
        b, (a, c) = self.builder, x
        infinity, nothing = self.number(float("inf")), self.number(0)
        right = b.fcmp_ordered(">", a, nothing)
        unknown = b.fcmp_unordered("uno", c, c)
        real = b.select(right, infinity, b.select(unknown, c, nothing))
        side = intrinsic(b, "copysign", c.type, [b.select(right, nothing, infinity), c])
        imaginary = b.select(b.and_(right, unknown), c, side)
        return b.select(far, real, root[0]), b.select(far, imaginary, root[1])

    # Of floats

    def _size(self, value: Any) -> Any:
        return self.real("abs", [value])

    def _is(self, value: Any, number: float) -> Any:
        return self.builder.fcmp_ordered("==", value, self.number(number))
