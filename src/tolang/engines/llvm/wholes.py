"""Powers and complements of whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I1, I64, constant, intrinsic, width_of
from tolang.ground.values.spaces import Column, is_unsigned

Report = Callable[[ir.IRBuilder, Any], None]
WRITTEN_OUT = 64
"""Up to which constant exponent a power is a chain of products."""


def complement(builder: ir.IRBuilder, value: Any, result: Column, report: Report) -> Any:
    """`not`: every digit turned over; within bounds from 0 on only those that the upper bound has."""
    low, high = result.space.limits
    width = width_of(value)
    if result.storage == "bool" or result.space.is_machine:
        return builder.not_(value)
    if result.space.bounded and low == 0 and high is not None:
        digits = 2 ** int(high).bit_length() - 1
        return builder.and_(builder.not_(value), constant(digits, result.storage, width))
    if is_unsigned(result.storage):
        report(builder, ir.Constant(I1, 1))
    return builder.not_(value)


def whole_power(builder: ir.IRBuilder, base: Any, exponent: Any, storage: str, report: Report | None) -> Any:
    """base^exponent in i64 or u64, for exponents without a sign; what leaves 64 bits is reported, or wraps."""
    written = exponent.constant if isinstance(exponent, ir.Constant) else None
    if isinstance(written, int) and 0 < written <= WRITTEN_OUT:
        return _written_out(builder, base, written, storage, report)
    both = builder.call(_power_function(builder.module, storage), [base, exponent])
    if report is not None:
        report(builder, builder.extract_value(both, 1))
    return builder.extract_value(both, 0)


def _times(storage: str) -> str:
    return "umul.with.overflow" if is_unsigned(storage) else "smul.with.overflow"


def _written_out(builder: ir.IRBuilder, base: Any, exponent: int, storage: str, report: Report | None) -> Any:
    """A constant power: squares, and the products of those that its binary digits ask for."""

    def times(a: Any, b: Any) -> Any:
        if report is None:
            return builder.mul(a, b)
        both = intrinsic(builder, _times(storage), I64, [a, b])
        report(builder, builder.extract_value(both, 1))
        return builder.extract_value(both, 0)

    result, square = None, base
    while exponent:
        if exponent & 1:
            result = square if result is None else times(result, square)
        exponent >>= 1
        square = times(square, square) if exponent else square
    return result


def _power_function(module: Any, storage: str) -> Any:
    """The power of two integers by repeated squaring, and whether it left 64 bits."""
    name = f"tolang_whole_power_{storage}"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.LiteralStructType([I64, I1]), [I64, I64]), name)
    function.linkage = "internal"
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    entry, head, body, done = builder.block, *(function.append_basic_block(n) for n in ("head", "body", "done"))
    zero, one = ir.Constant(I64, 0), ir.Constant(I64, 1)
    base, exponent = function.args
    builder.branch(head)
    builder.position_at_end(head)
    power, square, left, wrong = (builder.phi(t) for t in (I64, I64, I64, I1))
    for phi, start in ((power, one), (square, base), (left, exponent), (wrong, ir.Constant(I1, 0))):
        phi.add_incoming(start, entry)
    builder.cbranch(builder.icmp_signed("!=", left, zero), body, done)
    builder.position_at_end(body)
    odd = builder.icmp_signed("==", builder.and_(left, one), one)
    product = intrinsic(builder, _times(storage), I64, [power, square])
    squared = intrinsic(builder, _times(storage), I64, [square, square])
    following = builder.lshr(left, one)
    more = builder.icmp_signed("!=", following, zero)
    over = builder.or_(
        builder.and_(odd, builder.extract_value(product, 1)), builder.and_(more, builder.extract_value(squared, 1))
    )
    power.add_incoming(builder.select(odd, builder.extract_value(product, 0), power), body)
    square.add_incoming(builder.extract_value(squared, 0), body)
    left.add_incoming(following, body)
    wrong.add_incoming(builder.or_(wrong, over), body)
    builder.branch(head)
    builder.position_at_end(done)
    both = builder.insert_value(ir.Constant(function.return_value.type, ir.Undefined), power, 0)
    builder.ret(builder.insert_value(both, wrong, 1))
    return function
