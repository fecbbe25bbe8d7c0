"""`convert`: values into another space, which never wraps; what the space refuses is reported.

The tests are those of `tolang.ground.values.membership`: whole and in range for whole numbers, the sign that the space
asks for, and its bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I1, any_lane, cast, constant, intrinsic, to_computing, width_of
from tolang.ground.values.spaces import Column, dtype_of, integer_range, is_float, is_real, is_unsigned, storage_family

Report = Callable[[ir.IRBuilder, Any], None]


def convert(builder: ir.IRBuilder, value: Any, source: Column, result: Column, report: Report) -> Any:
    """A value in the space and storage of `result`; where it does not belong there, that is reported."""
    wide, storage = to_computing(builder, value, source.storage)
    tests = _Tests(builder, wide, storage, source.storage)
    held: Any = None
    for test in tests.of(result):
        held = test if held is None else builder.and_(held, test)
    if held is None:
        return cast(builder, value, source.storage, result.storage)
    report(builder, any_lane(builder, builder.not_(held)))
    if is_float(storage) and not is_real(result.storage):
        wide = builder.select(held, wide, constant(0, storage, width_of(wide)))
    return cast(builder, wide, storage, result.storage)


class _Tests:
    """What a space asks of a value, as truth values; what the storage alone proves is left out."""

    def __init__(self, builder: ir.IRBuilder, value: Any, storage: str, origin: str) -> None:
        self.builder, self.value, self.storage, self.origin = builder, value, storage, origin

    def of(self, result: Column) -> list[Any]:
        space = result.space
        made: list[Any] = []
        if space.family == "B":
            made += self._truth()
        elif storage_family(result.storage) == "Z":
            made += self._whole(result.storage)
        if not space.is_machine:
            made += self._sign(space.root)
        if space.lower is not None:
            made += self._compared(">=", space.lower)
        if space.upper is not None:
            made += self._compared("<=", space.upper)
        return made

    def _truth(self) -> list[Any]:
        if self.storage == "bool":
            return []
        zero, one = self._against("==", 0), self._against("==", 1)
        return [self.builder.or_(zero, one)]

    def _whole(self, goal: str) -> list[Any]:
        """A whole number that the storage holds; infinities and NaN are in no range."""
        low, high = integer_range(goal)
        if not is_float(self.storage):
            return self._compared(">=", low) + self._compared("<=", high)
        floored = intrinsic(self.builder, "floor", self.value.type, [self.value])
        return [
            self.builder.fcmp_ordered("==", floored, self.value),
            self._against(">=", float(low)),
            self._against("<", float(high + 1)),
        ]

    def _sign(self, root: str) -> list[Any]:
        sign = [self._against(">=", 0)] if root[0] == "N" and not is_unsigned(self.storage) else []
        match root[1:]:
            case "*":
                sign.append(self._against("!=", 0))
            case "+":
                sign.append(self._against(">", 0))
            case "-":
                sign.append(self._against("<", 0))
        return sign

    def _compared(self, sign: str, bound: Any) -> list[Any]:
        """A comparison with a bound, which beside floats is rounded as they are, and beside integers is whole."""
        if is_float(self.storage):
            return [self._against(sign, float(dtype_of(self.origin).type(float(bound))))]
        whole = math.ceil(bound) if sign == ">=" else math.floor(bound)
        low, high = (0, 1) if self.storage == "bool" else integer_range(self.storage)
        if (sign == ">=" and whole <= low) or (sign == "<=" and whole >= high):
            return []
        if not low <= whole <= high:
            lanes = width_of(self.value)
            return [ir.Constant(I1, 0) if lanes == 1 else ir.Constant(ir.VectorType(I1, lanes), None)]
        return [self._against(sign, whole)]

    def _against(self, sign: str, number: float) -> Any:
        other = constant(number, self.storage, width_of(self.value))
        if is_float(self.storage):
            compare = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered
        else:
            compare = self.builder.icmp_unsigned if is_unsigned(self.storage) else self.builder.icmp_signed
        return compare(sign, self.value, other)
