"""Quotients by a divisor that many of them share: its reciprocal once, then products, with the bits of divisions.

    r = 1/d, s = what r lacks;   q = x*r + x*s;   q + (x - q*d) * r

q is one of the two numbers beside x/d, what it lacks is exact in one fused operation, and by Markstein's theorem adding
that rounds as the quotient itself is rounded.  So it is while nothing on the way is too small or too large for its
storage: elsewhere a quotient is in doubt, and to be divided for.

Where no number is likely to be negative, as in rows of powers, signs are not looked after; a negative one is in doubt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.floats import Floats
from tolang.engines.llvm.types import I32, I64, intrinsic

DIVIDED = {"f32": 100, "f64": 900}
"""Numbers between 2 to this power and its reciprocal, and 0, have quotients that are not in doubt."""
DIVISORS = {"f32": 20, "f64": 100}
"""Likewise of divisors."""
WHOLE = {"f32": I32, "f64": I64}


class Doubt:
    """What a loop finds out of the numbers that it divides: the least and the greatest magnitude that is not 0.

    Their bits without the sign, as whole numbers, are in the order of magnitudes, with NaN beyond all; one below those
    of 0 is beyond all, too.  With the sign, where numbers are not `signed`, negative ones are beyond all.
    """

    def __init__(self, builder: ir.IRBuilder, storage: str, slot: Callable[[Any], Any], signed: bool) -> None:
        self.storage, self.kind, self.signed = storage, WHOLE[storage], signed
        self.least, self.greatest = slot(self.kind), slot(self.kind)
        builder.store(ir.Constant(self.kind, -1), self.least)
        builder.store(ir.Constant(self.kind, 0), self.greatest)

    def note(self, builder: ir.IRBuilder, number: Any) -> None:
        floats = Floats(builder, number, self.storage)
        bits = _ordered(floats, number, self.signed)
        for place, sign, one in (
            (self.least, "<", builder.sub(bits, floats.integer(1))),
            (self.greatest, ">", bits),
        ):
            known = builder.load(place)
            builder.store(builder.select(builder.icmp_unsigned(sign, one, known), one, known), place)

    def found(self, builder: ir.IRBuilder) -> Any:
        """Whether some quotient is in doubt."""
        low, high = (ir.Constant(self.kind, one) for one in _ends(self.storage, DIVIDED, self.signed))
        small = builder.icmp_unsigned("<", builder.load(self.least), builder.sub(low, ir.Constant(self.kind, 1)))
        return builder.or_(small, builder.icmp_unsigned(">", builder.load(self.greatest), high))


class Divisor:
    """What many numbers are divided by; without a doubt where none of them is in doubt.

    Where they are not `signed`, it is above 0, too.
    """

    def __init__(self, builder: ir.IRBuilder, value: Any, storage: str, doubt: Doubt | None, signed: bool) -> None:
        self.value, self.storage, self.doubt, self.signed = value, storage, doubt, signed
        floats = Floats(builder, value, storage)
        one = floats.number(1.0)
        self.size = floats.magnitude(value)
        self.reciprocal = floats.div(one, self.size)
        self.lacking = floats.mul(floats.fused(floats.neg(self.size), self.reciprocal, one), self.reciprocal)
        self.sign = builder.xor(builder.bitcast(value, floats.whole), builder.bitcast(self.size, floats.whole))

    def is_fit(self, builder: ir.IRBuilder) -> Any:
        """Whether quotients by it are not in doubt for its own sake."""
        floats = Floats(builder, self.value, self.storage)
        low, high = _ends(self.storage, DIVISORS, self.signed)
        above = builder.sub(_ordered(floats, self.value, self.signed), floats.integer(low))
        return builder.icmp_unsigned("<=", above, floats.integer(high - low))

    def quotient(self, builder: ir.IRBuilder, number: Any) -> Any:
        """A number divided by it."""
        floats = Floats(builder, number, self.storage)
        if self.doubt is not None:
            self.doubt.note(builder, number)
        if not self.signed:
            return self._near(floats, number)
        signed = builder.bitcast(builder.xor(builder.bitcast(number, floats.whole), self.sign), floats.kind)
        return intrinsic(builder, "copysign", floats.kind, [self._near(floats, signed), signed])

    def _near(self, floats: Floats, number: Any) -> Any:
        """A number divided by the divisor's size, but for the sign of 0."""
        near = floats.fused(number, self.reciprocal, floats.mul(number, self.lacking))
        left = floats.fused(floats.neg(near), self.size, number)
        return floats.fused(left, self.reciprocal, near)


def _ordered(floats: Floats, value: Any, signed: bool) -> Any:
    """The bits of a float in the order of magnitudes: of one with a sign without that, one place to the left."""
    bits = floats.builder.bitcast(value, floats.whole)
    return floats.builder.shl(bits, floats.integer(1)) if signed else bits


def _ends(storage: str, powers: dict[str, int], signed: bool) -> tuple[int, int]:
    """The bits of the reciprocal of 2 to a power, and of that power, in the same order."""
    bias, place = (127, 23) if storage == "f32" else (1023, 52)
    return bias - powers[storage] << place + signed, bias + powers[storage] << place + signed
