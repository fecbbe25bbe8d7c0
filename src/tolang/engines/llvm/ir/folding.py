"""Whole numbers that are known while code is written: what follows from them is no instruction.

LLVM would find it too, but code that is to be ready soon is hardly improved, and every line is written and read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm.ir.types import IntType
from tolang.engines.llvm.ir.values import Constant

I1 = IntType(1)
_COMPUTED: dict[str, Callable[[int, int], int]] = {
    "add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "and": int.__and__, "or": int.__or__,
}  # fmt: skip
_KEPT_BY_ZERO = frozenset({"add", "sub", "or", "xor", "shl", "lshr", "ashr"})
"""What leaves a number as it is where the second one is 0."""
_KEPT_BY_ZERO_BEFORE = frozenset({"add", "or", "xor"})
_KEPT_BY_ONE = frozenset({"mul", "sdiv", "udiv"})
_ZERO_BY_ZERO = frozenset({"mul", "and"})
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
}  # fmt: skip


def known(value: Any) -> int | None:
    """The number that a value is, with its sign; None where that is not known, or it is none of whole numbers."""
    if type(value) is not Constant or type(value.type) is not IntType or not isinstance(value.constant, int):
        return None
    return _wrapped(int(value.constant), value.type.width)


def _wrapped(number: int, width: int) -> int:
    half = 1 << (width - 1)
    return (number + half) % (2 * half) - half


def arithmetic(name: str, one: Any, two: Any) -> Any:
    """What an instruction gives where a number is known; None where it has to be written."""
    first, second = known(one), known(two)
    if first is not None and second is not None and name in _COMPUTED:
        return Constant(one.type, _wrapped(_COMPUTED[name](first, second), one.type.width))
    if second == 0:
        return one if name in _KEPT_BY_ZERO else two if name in _ZERO_BY_ZERO else None
    if second == 1 and name in _KEPT_BY_ONE:
        return one
    if first == 0:
        return two if name in _KEPT_BY_ZERO_BEFORE else one if name in _ZERO_BY_ZERO else None
    return two if first == 1 and name == "mul" else None


def comparison(sign: str, one: Any, two: Any) -> Any:
    """Whether numbers with signs compare so, where both are known; else None."""
    first, second = known(one), known(two)
    return None if first is None or second is None else Constant(I1, int(_COMPARED[sign](first, second)))
