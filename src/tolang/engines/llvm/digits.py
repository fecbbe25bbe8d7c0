"""Functions of the bits of numbers, for sorts by digits and searches: order, digits, and halves of halves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I64, TYPES, constant, intrinsic, width_of
from tolang.ground.values.spaces import is_float, is_unsigned


def _ordinal(builder: ir.IRBuilder, value: Any, storage: str, backwards: bool) -> Any:
    """A whole number of 64 bits without a sign, in the order of values or the opposite one; NaN has the greatest."""
    width = width_of(value)
    words = I64 if width == 1 else ir.VectorType(I64, width)
    if is_float(storage):
        return _ordinal_of_float(builder, builder.fneg(value) if backwards else value, storage, words)
    if is_unsigned(storage):
        wide = builder.zext(value, words) if TYPES[storage].width < 64 else value
    else:
        signed = builder.sext(value, words) if TYPES[storage].width < 64 else value
        wide = builder.xor(signed, constant(1 << 63, "u64", width))
    return builder.not_(wide) if backwards else wide


def _key(builder: ir.IRBuilder, ordinal: Any, storage: str, backwards: bool) -> Any:
    """The whole number that has an ordinal."""
    wide = builder.not_(ordinal) if backwards else ordinal
    if not is_unsigned(storage):
        wide = builder.xor(wide, constant(1 << 63, "u64", width_of(ordinal)))
    return builder.trunc(wide, TYPES[storage]) if TYPES[storage].width < 64 else wide


def _ordinal_of_float(builder: ir.IRBuilder, value: Any, storage: str, words: Any) -> Any:
    """The bits of a float, turned over below zero; both zeros are one."""
    width, bits, whole = width_of(value), int(storage[1:]), "i" + storage[1:]
    plain = builder.fadd(value, constant(0, storage, width))
    kind = TYPES[whole] if width == 1 else ir.VectorType(TYPES[whole], width)
    raw = builder.bitcast(plain, kind)
    below = builder.ashr(raw, constant(bits - 1, whole, width))
    turned = builder.xor(raw, builder.or_(below, constant(1 << (bits - 1), whole, width)))
    wide = builder.zext(turned, words) if bits == 32 else turned
    unordered = builder.fcmp_unordered("uno", value, value)
    return builder.select(unordered, constant((1 << bits) - 1, "u64", width), wide)


def _span(builder: ir.IRBuilder, greatest: Any, base: Any) -> Any:
    """How many binary digits the greatest number has, counted from a base; at least one."""
    return _binary_digits(builder, builder.or_(builder.sub(greatest, base), ir.Constant(I64, 1)))


def _digit(builder: ir.IRBuilder, ordinal: Any, base: Any, shift: Any, width: Any) -> Any:
    """The digit of a number, counted from a base, that lies above so many bits, and has so many itself."""
    moved = builder.lshr(builder.sub(ordinal, base), shift)
    return builder.and_(moved, builder.not_(builder.shl(ir.Constant(I64, -1), width)))


def _binary_digits(builder: ir.IRBuilder, value: Any) -> Any:
    """How many binary digits a whole number has that is not below zero; none where it is zero."""
    zeros = intrinsic(builder, "ctlz", I64, [value, ir.Constant(ir.IntType(1), 0)])
    return builder.sub(ir.Constant(I64, 64), zeros)


BIT_FUNCTIONS: dict[str, Callable[[ir.IRBuilder, list[Any], list[str], str], Any]] = {
    "ordinal": lambda builder, values, storages, goal: _ordinal(builder, values[0], storages[0], backwards=False),
    "ordinal backwards": lambda builder, values, storages, goal: _ordinal(
        builder, values[0], storages[0], backwards=True
    ),
    "key": lambda builder, values, storages, goal: _key(builder, values[0], goal, backwards=False),
    "key backwards": lambda builder, values, storages, goal: _key(builder, values[0], goal, backwards=True),
    "span": lambda builder, values, storages, goal: _span(builder, *values),
    "digit": lambda builder, values, storages, goal: _digit(builder, *values),
    "binary digits": lambda builder, values, storages, goal: _binary_digits(builder, *values),
    "doubled": lambda builder, values, storages, goal: builder.shl(*values),
    "halved": lambda builder, values, storages, goal: builder.lshr(*values),
}
"""By name; they take values, their storages, and that of the result."""
