"""Sizes and conditions in LLVM IR: whole numbers of 64 bits, floored division, no floats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tolang.engines.llvm import ir
from tolang.engines.llvm.types import I1, I64
from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.marked import NOWHERE
from tolang.ground.symbolic.sizes import Atom, Extremum, Quotient, Size, divides_by_a_variable, may_lose
from tolang.plan.nest import Unsupported

Lookup = Callable[[str], Any]
"""Gives the 64-bit value of a name at the current point."""


class Arithmetic(NamedTuple):
    """How whole numbers are added and multiplied."""

    add: Callable[[Any, Any], Any]
    multiply: Callable[[Any, Any], Any]


Choose = Callable[[Size], Arithmetic]
"""The arithmetic that a size is computed by."""


def quotient_of(builder: ir.IRBuilder, top: Any, bottom: Any) -> Any:
    """A quotient, rounded towards 0, and some number where it is by 0: x86-64 would end the process there."""
    return builder.sdiv(top, _not_zero(builder, bottom))


def remainder_of(builder: ir.IRBuilder, top: Any, bottom: Any) -> Any:
    """What a quotient leaves over."""
    return builder.srem(top, _not_zero(builder, bottom))


def _not_zero(builder: ir.IRBuilder, number: Any) -> Any:
    if isinstance(number, ir.Positive) or (isinstance(number, ir.Constant) and number.constant != 0):
        return number
    zero = builder.icmp_signed("==", number, ir.Constant(I64, 0))
    return builder.select(zero, ir.Constant(I64, 1), number)


def ceiling(builder: ir.IRBuilder, value: Any, step: Any) -> Any:
    """The quotient of two numbers that are not negative, rounded up."""
    return quotient_of(builder, builder.add(value, builder.sub(step, ir.Constant(I64, 1))), step)


def plain_arithmetic(builder: ir.IRBuilder) -> Arithmetic:
    return Arithmetic(builder.add, builder.mul)


def emit_size(builder: ir.IRBuilder, size: Size, lookup: Lookup, choose: Choose) -> Any:
    """The value of a size."""
    arithmetic = choose(size)
    scale = size.denominator
    if scale != 1:
        raise Unsupported("a size with fractions is left to the interpreter")
    total: Any = None
    places: list[Any] = []
    terms = list(size.terms.items())
    if len(terms) > 1:
        terms.sort(key=lambda item: str(item[0]))
    for monomial, factor in terms:
        product: Any = None
        for atom in monomial:
            value = _atom(builder, atom, lookup, choose)
            if may_lose(monomial, factor, atom):
                places.append(value)
            product = value if product is None else arithmetic.multiply(product, value)
        whole = int(factor)
        if product is None:
            product = ir.Constant(I64, whole)
        elif whole != 1:
            product = arithmetic.multiply(product, ir.Constant(I64, whole))
        total = product if total is None else arithmetic.add(total, product)
    return ir.Constant(I64, 0) if total is None else _where_it_is(builder, total, places)


def _where_it_is(builder: ir.IRBuilder, number: Any, places: list[Any]) -> Any:
    """A number, or `NOWHERE` if one of some places is."""
    for place in places:
        lost = builder.icmp_signed("==", place, ir.Constant(I64, NOWHERE))
        number = builder.select(lost, ir.Constant(I64, NOWHERE), number)
    return number


def _atom(builder: ir.IRBuilder, atom: Atom, lookup: Lookup, choose: Choose) -> Any:
    match atom:
        case str():
            return lookup(atom)
        case Quotient(numerator=numerator, denominator=denominator):
            return floored(builder, *(emit_size(builder, s, lookup, choose) for s in (numerator, denominator)))
        case Extremum(kind=kind, sizes=sizes):
            values = [emit_size(builder, s, lookup, choose) for s in sizes]
            result = values[0]
            for value in values[1:]:
                first = builder.icmp_signed("<" if kind == "min" else ">", result, value)
                result = builder.select(first, result, value)
            return _where_it_is(builder, result, values) if kind == "max" and divides_by_a_variable(atom) else result
        case Choice(condition=condition, then=then, otherwise=otherwise):
            truth = emit_condition(builder, condition, lookup, choose)
            return builder.select(truth, *(emit_size(builder, s, lookup, choose) for s in (then, otherwise)))
    raise Unsupported("an open sum is left to the interpreter")


def floored(builder: ir.IRBuilder, top: Any, bottom: Any) -> Any:
    """The floor of a quotient; by zero it is a place outside every ToL, and a length below zero."""
    one = ir.Constant(I64, 1)
    missing = None
    divisor = bottom
    if not isinstance(bottom, ir.Constant) or bottom.constant in (0, -1):
        missing = builder.icmp_signed("==", bottom, ir.Constant(I64, 0))
        opposite = builder.icmp_signed("==", bottom, ir.Constant(I64, -1))
        top = builder.select(opposite, builder.sub(ir.Constant(I64, 0), top), top)  # the least number by -1 would trap
        divisor = builder.select(builder.or_(missing, opposite), one, bottom)
    quotient = builder.sdiv(top, divisor)
    rest = builder.sub(top, builder.mul(quotient, divisor))
    wrong = builder.icmp_signed("<", builder.xor(rest, divisor), ir.Constant(I64, 0))
    wrong = builder.and_(wrong, builder.icmp_signed("!=", rest, ir.Constant(I64, 0)))
    floor = builder.select(wrong, builder.sub(quotient, one), quotient)
    return floor if missing is None else builder.select(missing, ir.Constant(I64, NOWHERE), floor)


def emit_condition(builder: ir.IRBuilder, condition: Condition, lookup: Lookup, choose: Choose) -> Any:
    """The truth of a condition on sizes."""
    if condition.size is not None:
        value = emit_size(builder, condition.size, lookup, choose)
        sign = ">=" if condition.kind == "nonnegative" else "=="
        return builder.icmp_signed(sign, value, ir.Constant(I64, 0))
    if not condition.parts:
        return ir.Constant(I1, int(condition.kind == "true"))
    truths = [emit_condition(builder, p, lookup, choose) for p in condition.parts]
    if condition.kind == "not":
        return builder.not_(truths[0])
    result = truths[0]
    for truth in truths[1:]:
        result = builder.and_(result, truth) if condition.kind == "and" else builder.or_(result, truth)
    return result
