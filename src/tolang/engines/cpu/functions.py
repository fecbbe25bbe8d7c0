"""The basic elementary functions by storage: the one place that knows how each is computed.

Whole numbers of Z report overflow; declared machine integers wrap; floats follow IEEE 754, and max and min propagate
NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from tolang.engines.cpu.arithmetic import cast, constant, external, intrinsic, is_float, is_unsigned, width_of
from tolang.engines.cpu.mathematics import VECTOR_FUNCTIONS
from tolang.ground.spaces import Column, promote, storage_family
from tolang.nests.nest import Unsupported

PREDICATES = {"lt": "<", "gt": ">", "le": "<=", "ge": ">=", "eq": "==", "ineq": "!="}
LIBM = {
    "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "asinh": "asinh", "acosh": "acosh", "atanh": "atanh", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos",
    "pow": "pow",
}  # fmt: skip
Report = Callable[[ir.IRBuilder, Any], None]
"""Called with an i1 that is true where something went wrong."""


def compute(
    builder: ir.IRBuilder,
    function: str,
    values: list[Any],
    sources: list[Column],
    result: Column,
    report: Report,
    flags: tuple[str, ...] = (),
) -> Any:
    """One basic elementary function, in the storage of its result."""
    if function in PREDICATES:
        return _compare(builder, function, values, sources)
    goal = result.storage
    if function in ("cast", "convert"):
        return _converted(builder, function, values[0], sources[0], result, report)
    if function in ("and", "or", "xor", "not") and goal != "bool" and result.space.bounded and function == "not":
        raise Unsupported("not within bounds is left to the interpreter")
    operands = [cast(builder, v, s.storage, goal) for v, s in zip(values, sources, strict=True)]
    if is_float(goal):
        return _float(builder, function, operands, goal, flags)
    if function in ("and", "or", "xor", "not") or goal == "bool":
        return _logic(builder, function, operands, goal)
    return _whole(builder, function, operands, result, report)


def _compare(builder: ir.IRBuilder, function: str, values: list[Any], sources: list[Column]) -> Any:
    storage = _meeting(sources)
    one, two = (cast(builder, v, s.storage, storage) for v, s in zip(values, sources, strict=True))
    sign = PREDICATES[function]
    if is_float(storage):
        return builder.fcmp_unordered("!=", one, two) if function == "ineq" else builder.fcmp_ordered(sign, one, two)
    if is_unsigned(storage):
        return builder.icmp_unsigned(sign, one, two)
    return builder.icmp_signed(sign, one, two)


def _meeting(sources: list[Column]) -> str:
    """The storage two compared values meet in; literals take the other's where it is a float."""
    first, second = sources
    if first.weak != second.weak:
        strong, weak = (second, first) if first.weak else (first, second)
        if is_float(strong.storage) or (storage_family(weak.storage) in ("B", "Z") and strong.storage == "i64"):
            return strong.storage
    return promote(first.storage, second.storage)


def _converted(builder: ir.IRBuilder, function: str, value: Any, source: Column, result: Column, report: Report) -> Any:
    goal = result.storage
    if function == "convert" and is_float(source.storage) and not is_float(goal):
        floored = intrinsic(builder, "floor", value.type, [value])
        limit = constant(2.0**62, source.storage)
        whole = builder.fcmp_ordered("==", floored, value)
        inside = builder.fcmp_ordered("<", intrinsic(builder, "fabs", value.type, [value]), limit)
        held = builder.and_(whole, inside)
        report(builder, builder.not_(held))
        value = builder.select(held, value, constant(0, source.storage))
    if function == "convert" and not is_float(goal) and goal != "i64" and source.storage != goal:
        raise Unsupported("conversion into a narrow integer is left to the interpreter")
    return cast(builder, value, source.storage, goal)


def _float(builder: ir.IRBuilder, function: str, operands: list[Any], goal: str, flags: tuple[str, ...]) -> Any:
    kind = operands[0].type
    match function:
        case "add":
            return builder.fadd(*operands, flags=flags)
        case "sub":
            return builder.fsub(*operands, flags=flags)
        case "mul":
            return builder.fmul(*operands, flags=flags)
        case "div":
            return builder.fdiv(*operands)
        case "neg":
            return builder.fneg(operands[0])
        case "max" | "min":
            return intrinsic(builder, "maximum" if function == "max" else "minimum", kind, operands)
        case "sqrt" | "floor":
            return intrinsic(builder, function, kind, operands)
        case "abs":
            return intrinsic(builder, "fabs", kind, operands)
        case "sgn":
            return _sign(builder, operands[0], goal)
        case "mod":
            return _float_remainder(builder, operands, goal)
        case "log" if len(operands) == 2:
            raise Unsupported("a logarithm to a base is left to the interpreter")
    if function in VECTOR_FUNCTIONS:
        return VECTOR_FUNCTIONS[function](builder, operands[0], goal)
    if function in LIBM:
        return external(builder, LIBM[function], kind, operands)
    raise Unsupported(f"{function} is left to the interpreter")


def _sign(builder: ir.IRBuilder, value: Any, goal: str) -> Any:
    width = width_of(value)
    zero, one = constant(0, goal, width), constant(1, goal, width)
    above = builder.fcmp_ordered(">", value, zero)
    below = builder.fcmp_ordered("<", value, zero)
    plain = builder.select(above, one, builder.select(below, constant(-1, goal, width), value))
    return plain


def _float_remainder(builder: ir.IRBuilder, operands: list[Any], goal: str) -> Any:
    """The remainder with the divisor's sign, as NumPy gives it."""
    zero = constant(0, goal, width_of(operands[0]))
    rest = builder.frem(*operands)
    wrong = builder.xor(builder.fcmp_ordered("<", rest, zero), builder.fcmp_ordered("<", operands[1], zero))
    wrong = builder.and_(wrong, builder.fcmp_ordered("!=", rest, zero))
    return builder.select(wrong, builder.fadd(rest, operands[1]), rest)


def _logic(builder: ir.IRBuilder, function: str, operands: list[Any], goal: str) -> Any:
    match function:
        case "and" | "min" if function == "and" or goal == "bool":
            return builder.and_(*operands)
        case "or" | "max" if function == "or" or goal == "bool":
            return builder.or_(*operands)
        case "xor":
            return builder.xor(*operands)
        case "not":
            return builder.not_(operands[0])
    raise Unsupported(f"{function} on truth values is left to the interpreter")


def _whole(builder: ir.IRBuilder, function: str, operands: list[Any], result: Column, report: Report) -> Any:
    goal = result.storage
    signed = not is_unsigned(goal)
    match function:
        case "add" | "sub" | "mul":
            return _checked(builder, function, operands, result, report)
        case "neg":
            return _checked(builder, "sub", [constant(0, goal), operands[0]], result, report)
        case "max" | "min":
            sign = ">" if function == "max" else "<"
            first = (builder.icmp_signed if signed else builder.icmp_unsigned)(sign, *operands)
            return builder.select(first, *operands)
        case "abs":
            negative = builder.icmp_signed("<", operands[0], constant(0, goal))
            turned = _checked(
                builder,
                "sub",
                [constant(0, goal), builder.select(negative, operands[0], constant(0, goal))],
                result,
                report,
            )
            return builder.select(negative, turned, operands[0])
        case "sgn":
            above = builder.icmp_signed(">", operands[0], constant(0, goal))
            below = builder.icmp_signed("<", operands[0], constant(0, goal))
            return builder.select(
                above, constant(1, goal), builder.select(below, constant(-1, goal), constant(0, goal))
            )
        case "floor":
            return operands[0]
        case "mod":
            return _whole_remainder(builder, operands, goal, report)
    raise Unsupported(f"{function} of whole numbers is left to the interpreter")


def _checked(builder: ir.IRBuilder, function: str, operands: list[Any], result: Column, report: Report) -> Any:
    if result.space.is_machine:
        return {"add": builder.add, "sub": builder.sub, "mul": builder.mul}[function](*operands)
    sign = "u" if is_unsigned(result.storage) else "s"
    both = intrinsic(builder, f"{sign}{function}.with.overflow", operands[0].type, operands)
    report(builder, builder.extract_value(both, 1))
    return builder.extract_value(both, 0)


def _whole_remainder(builder: ir.IRBuilder, operands: list[Any], goal: str, report: Report) -> Any:
    zero = constant(0, goal)
    empty = builder.icmp_signed("==", operands[1], zero)
    report(builder, empty)
    divisor = builder.select(empty, constant(1, goal), operands[1])
    if is_unsigned(goal):
        return builder.urem(operands[0], divisor)
    minus = builder.icmp_signed("==", divisor, constant(-1, goal))
    rest = builder.srem(operands[0], builder.select(minus, constant(1, goal), divisor))
    wrong = builder.xor(builder.icmp_signed("<", rest, zero), builder.icmp_signed("<", divisor, zero))
    wrong = builder.and_(wrong, builder.icmp_signed("!=", rest, zero))
    return builder.select(wrong, builder.add(rest, divisor), rest)
