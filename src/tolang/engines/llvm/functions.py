"""The basic elementary functions by storage: the one place that knows how each is computed.

Whole numbers of Z report overflow; declared machine integers wrap; floats follow IEEE 754, and max and min propagate
NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tolang.engines.llvm import ir
from tolang.engines.llvm.complex_functions import FEW, complex_function
from tolang.engines.llvm.conversions import convert
from tolang.engines.llvm.digits import BIT_FUNCTIONS
from tolang.engines.llvm.dot4 import DOT_FUNCTIONS
from tolang.engines.llvm.interleaving import note_chain
from tolang.engines.llvm.mathematics import VECTOR_FUNCTIONS
from tolang.engines.llvm.powers import power, power_of_two
from tolang.engines.llvm.remainders import has_small_dividend, small_remainder
from tolang.engines.llvm.special import logarithm_to_base, remainder, remainder_of_power
from tolang.engines.llvm.types import cast, constant, fuses, intrinsic, to_computing, width_of
from tolang.engines.llvm.wholes import complement, whole_power
from tolang.ground.values.functions import COMPARISONS, FUNCTIONS
from tolang.ground.values.spaces import (
    Column,
    is_complex,
    is_float,
    is_narrow,
    is_real,
    is_unsigned,
    promote,
    storage_family,
)
from tolang.plan.fused_sums import whole_exponent
from tolang.plan.nest import ConstantScalar, Operation, Unsupported

PREDICATES = {name: FUNCTIONS[name].sign or "" for name in COMPARISONS}
LARGEST_POWER = 2**32
"""Powers of two up to this one, and the quotients by them, are floats of 32 bits that are not too small."""
Report = Callable[[ir.IRBuilder, Any], None]
"""Called with an i1 that is true where something went wrong."""


def evaluated(builder: ir.IRBuilder, scalar: Operation, values: list[Any], report: Report) -> Any:
    """A basic function of values that are there already, one or many at a time: all code for an operation is from here.

    So an element is the same whether it is computed alone or among others.  Small whole powers are products, and whole
    powers of two are exponents of floats.
    """
    columns = [a.column for a in scalar.arguments]
    if _is_power_of_two(scalar):
        return power_of_two(builder, cast(builder, values[1], columns[1].storage, "i64"))
    if scalar.function == "pow" and is_complex(scalar.column.storage):
        storages = [c.storage for c in columns]
        return complex_function(
            builder, "pow", values, storages, scalar.column.storage, _float, exponent=_few_products(scalar)
        )
    if has_small_dividend(scalar):
        return small_remainder(builder, values, report)
    exponent, storage = whole_exponent(scalar), scalar.column.storage
    if exponent is None:
        divisor = _divisor_of_two(scalar)
        if divisor is None:
            return compute(builder, scalar.function, values, columns, scalar.column, report)
        return remainder_of_power(builder, cast(builder, values[0], columns[0].storage, storage), divisor, storage)
    base, computing = to_computing(builder, cast(builder, values[0], columns[0].storage, storage), storage)
    return cast(builder, _product(builder, base, exponent), computing, storage)


def _divisor_of_two(scalar: Operation) -> float | None:
    """The divisor of a remainder of floats, where it is a constant power of two that is no fraction; else None."""
    match scalar:
        case Operation(function="mod", arguments=(_, ConstantScalar(value=value))) if scalar.column.storage in (
            "f32",
            "f64",
        ):
            whole = 1 <= value <= LARGEST_POWER and value == int(value)
            return float(value) if whole and int(value) & (int(value) - 1) == 0 else None
    return None


def _few_products(scalar: Operation) -> int | None:
    """The exponent of a complex number, where it is known and its power is some products; else None."""
    exponent = scalar.arguments[1]
    value = exponent.value if isinstance(exponent, ConstantScalar) else 0
    whole = not isinstance(value, str | complex) and abs(value) < FEW and value == int(value)
    return int(value) or None if whole else None


def _is_power_of_two(scalar: Operation) -> bool:
    """Whether a scalar is 2 to a whole power that may be negative, so that it is a float."""
    match scalar:
        case Operation(function="pow", arguments=(ConstantScalar(value=2), exponent)):
            return scalar.column.storage == "f64" and exponent.column.storage in ("i8", "i16", "i32", "i64")
    return False


def _product(builder: ir.IRBuilder, base: Any, exponent: int) -> Any:
    """A float to a whole power from 1 to 4."""
    square = base if exponent == 1 else builder.fmul(base, base)
    return square if exponent < 3 else builder.fmul(square, base if exponent == 3 else square)


def compute(
    builder: ir.IRBuilder,
    function: str,
    values: list[Any],
    sources: list[Column],
    result: Column,
    report: Report,
) -> Any:
    """One basic elementary function, in the storage of its result."""
    goal = result.storage
    storages = [s.storage for s in sources]
    if is_complex(goal) or any(map(is_complex, storages)):
        found = complex_function(builder, function, values, storages, goal, _float)
        if found is None:
            raise Unsupported(f"{function} of complex numbers is left to the interpreter")
        return found
    if function in PREDICATES:
        return _compare(builder, function, values, sources)
    if function in BIT_FUNCTIONS:
        return BIT_FUNCTIONS[function](builder, values, storages, goal)
    if function in DOT_FUNCTIONS:
        return DOT_FUNCTIONS[function](builder, values)
    if function == "convert":
        return convert(builder, values[0], sources[0], result, report)
    if function == "quotient":
        return builder.udiv(*values)
    if function == "cast":
        return _brought(builder, values, storages, goal, result, report)[0]
    if function == "log" and len(values) == 2:
        return cast(builder, logarithm_to_base(builder, values, storages), "f64", goal)
    if is_narrow(goal):
        return _narrow(builder, function, values, storages, goal)
    if function == "pow" and not is_float(goal):
        return _power(builder, values, storages, result, report)
    if function in ("and", "or", "xor") and not result.space.is_machine and {*storages} - {goal, "bool"}:
        return _checked_logic(builder, function, values, storages, goal, report)
    operands = _brought(builder, values, storages, goal, result, report)
    if is_float(goal):
        return _float(builder, function, operands, goal)
    if function == "not":
        return complement(builder, operands[0], result, report)
    if function in ("and", "or", "xor") or goal == "bool":
        return _logic(builder, function, operands, goal)
    return _whole(builder, function, operands, result, report)


def _brought(
    builder: ir.IRBuilder, values: list[Any], storages: list[str], goal: str, result: Column, report: Report
) -> list[Any]:
    """The arguments in the storage of the result; whole numbers of Z beyond 64 bits with a sign are reported."""
    if goal == "i64" and not result.space.is_machine:
        for value, storage in zip(values, storages, strict=True):
            if storage == "u64":
                report(builder, builder.icmp_signed("<", value, constant(0, "i64", width_of(value))))
    return [cast(builder, v, s, goal) for v, s in zip(values, storages, strict=True)]


def _narrow(builder: ir.IRBuilder, function: str, values: list[Any], storages: list[str], goal: str) -> Any:
    """A function of narrow floats: computed in f32 and rounded once; f16 takes its arguments as f16."""
    operands = []
    for value, storage in zip(values, storages, strict=True):
        held = cast(builder, value, storage, "f16") if goal == "f16" else value
        operands.append(cast(builder, held, "f16" if goal == "f16" else storage, "f32"))
    return cast(builder, _float(builder, function, operands, "f32"), "f32", goal)


def _power(builder: ir.IRBuilder, values: list[Any], storages: list[str], result: Column, report: Report) -> Any:
    """A whole power of a whole number, in 64 bits; its exponent, which has no sign, is never narrowed."""
    wide = "u64" if result.storage == "u64" else "i64"
    base = _brought(builder, values[:1], storages[:1], wide, result, report)[0]
    exponent = cast(builder, values[1], storages[1], "u64")
    power = whole_power(builder, base, exponent, wide, None if result.space.is_machine else report)
    return cast(builder, power, wide, result.storage)


def _compare(builder: ir.IRBuilder, function: str, values: list[Any], sources: list[Column]) -> Any:
    storage = _meeting(sources)
    sign = PREDICATES[function]
    if storage == "f64" and not any(is_real(s.storage) for s in sources):
        return _compare_signs(builder, sign, values, sources)
    pair = [cast(builder, v, s.storage, storage) for v, s in zip(values, sources, strict=True)]
    one, two = (to_computing(builder, v, storage)[0] for v in pair)
    if is_real(storage):
        return builder.fcmp_unordered("!=", one, two) if function == "ineq" else builder.fcmp_ordered(sign, one, two)
    if is_unsigned(storage):
        return builder.icmp_unsigned(sign, one, two)
    return builder.icmp_signed(sign, one, two)


def _compare_signs(builder: ir.IRBuilder, sign: str, values: list[Any], sources: list[Column]) -> Any:
    """Integers with and without a sign compared as numbers: one below 0 is below all without a sign."""
    wide = [cast(builder, v, s.storage, "i64") for v, s in zip(values, sources, strict=True)]
    number = 0 if is_unsigned(sources[1].storage) else 1
    width = width_of(wide[0])
    below = builder.icmp_signed("<", wide[number], constant(0, "i64", width))
    always = {"<": number == 0, "<=": number == 0, ">": number == 1, ">=": number == 1, "==": False, "!=": True}[sign]
    return builder.select(below, constant(always, "bool", width), builder.icmp_unsigned(sign, *wide))


def _meeting(sources: list[Column]) -> str:
    """The storage two compared values meet in; literals take the other's where it is a float."""
    first, second = sources
    if first.weak != second.weak:
        strong, weak = (second, first) if first.weak else (first, second)
        if is_real(strong.storage) or (storage_family(weak.storage) in ("B", "Z") and strong.storage == "i64"):
            return strong.storage
    return promote(first.storage, second.storage)


def _float(builder: ir.IRBuilder, function: str, operands: list[Any], goal: str) -> Any:
    kind = operands[0].type
    match function:
        case "add":
            return builder.fadd(*operands)
        case "sub":
            return builder.fsub(*operands)
        case "mul":
            return builder.fmul(*operands)
        case "fused":
            return _fused(builder, operands)
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
            return remainder(builder, operands[0], operands[1], goal)
        case "pow":
            note_chain(builder.module)
            return power(builder, operands[0], operands[1], goal)
    if function in VECTOR_FUNCTIONS:
        note_chain(builder.module)
        return VECTOR_FUNCTIONS[function](builder, operands[0], goal)
    raise Unsupported(f"{function} is left to the interpreter")


def _fused(builder: ir.IRBuilder, operands: list[Any]) -> Any:
    """A product added to a state, rounded once where the processor has an instruction for that.

    LLVM never takes an `fma` apart, nor makes one by itself of what is written as two functions.
    """
    state, *factors = operands
    if not fuses(builder.module):
        return builder.fadd(state, builder.fmul(*factors))
    return intrinsic(builder, "fma", state.type, [*factors, state])


def _sign(builder: ir.IRBuilder, value: Any, goal: str) -> Any:
    width = width_of(value)
    zero, one = constant(0, goal, width), constant(1, goal, width)
    above = builder.fcmp_ordered(">", value, zero)
    below = builder.fcmp_ordered("<", value, zero)
    unordered = builder.fcmp_unordered("uno", value, value)
    rest = builder.select(unordered, value, zero)
    return builder.select(above, one, builder.select(below, constant(-1, goal, width), rest))


def _logic(builder: ir.IRBuilder, function: str, operands: list[Any], goal: str) -> Any:
    match function:
        case "and" | "min" if function == "and" or goal == "bool":
            return builder.and_(*operands)
        case "or" | "max" if function == "or" or goal == "bool":
            return builder.or_(*operands)
        case "xor":
            return builder.xor(*operands)
    raise Unsupported(f"{function} on truth values is left to the interpreter")


def _checked_logic(
    builder: ir.IRBuilder, function: str, values: list[Any], storages: list[str], goal: str, report: Report
) -> Any:
    """The digits of whole numbers of which not all are held as the result is: what does not fit it is reported.

    Beside numbers of a bounded space a literal may have more digits than they have.  Spaces never wrap.
    """
    wide = "u64" if goal == "u64" else "i64"
    operands = []
    for value, storage in zip(values, storages, strict=True):
        operands.append(cast(builder, value, storage, wide))
        if storage != wide and storage != "bool" and is_unsigned(storage) != is_unsigned(wide):
            report(builder, builder.icmp_signed("<", operands[-1], constant(0, wide, width_of(operands[-1]))))
    outcome = _logic(builder, function, operands, wide)
    if goal == wide:
        return outcome
    narrowed = cast(builder, outcome, wide, goal)
    report(builder, builder.icmp_signed("!=", cast(builder, narrowed, goal, wide), outcome))
    return narrowed


def _whole(builder: ir.IRBuilder, function: str, operands: list[Any], result: Column, report: Report) -> Any:
    goal = result.storage
    signed, zero = not is_unsigned(goal), constant(0, goal, width_of(operands[0]))
    match function:
        case "add" | "sub" | "mul":
            return _checked(builder, function, operands, result, report)
        case "neg":
            return _checked(builder, "sub", [zero, operands[0]], result, report)
        case "max" | "min":
            sign = ">" if function == "max" else "<"
            first = (builder.icmp_signed if signed else builder.icmp_unsigned)(sign, *operands)
            return builder.select(first, *operands)
        case "abs" if not signed:
            return operands[0]
        case "abs":
            negative = builder.icmp_signed("<", operands[0], zero)
            part = builder.select(negative, operands[0], zero)
            return builder.select(negative, _checked(builder, "sub", [zero, part], result, report), operands[0])
        case "sgn":
            return _whole_sign(builder, operands[0], goal)
        case "floor":
            return operands[0]
        case "mod":
            return _whole_remainder(builder, operands, goal, report)
    raise Unsupported(f"{function} of whole numbers is left to the interpreter")


def _whole_sign(builder: ir.IRBuilder, value: Any, goal: str) -> Any:
    zero, one, minus = (constant(number, goal, width_of(value)) for number in (0, 1, -1))
    if is_unsigned(goal):
        return builder.select(builder.icmp_unsigned(">", value, zero), one, zero)
    below = builder.select(builder.icmp_signed("<", value, zero), minus, zero)
    return builder.select(builder.icmp_signed(">", value, zero), one, below)


def _checked(builder: ir.IRBuilder, function: str, operands: list[Any], result: Column, report: Report) -> Any:
    if result.space.is_machine:
        return {"add": builder.add, "sub": builder.sub, "mul": builder.mul}[function](*operands)
    if function != "mul":
        return _checked_sum(builder, function, operands, result.storage, report)
    sign = "u" if is_unsigned(result.storage) else "s"
    both = intrinsic(builder, f"{sign}{function}.with.overflow", operands[0].type, operands)
    report(builder, builder.extract_value(both, 1))
    return builder.extract_value(both, 0)


def _checked_sum(builder: ir.IRBuilder, function: str, operands: list[Any], goal: str, report: Report) -> Any:
    """A sum or difference that reports overflow, in steps that can run on vectors."""
    first, second = operands
    adds = function == "add"
    total = builder.add(first, second) if adds else builder.sub(first, second)
    if is_unsigned(goal):
        report(builder, builder.icmp_unsigned("<", *((total, first) if adds else (first, second))))
        return total
    apart = builder.and_(builder.xor(first, total), builder.xor(second, total if adds else first))
    report(builder, builder.icmp_signed("<", apart, constant(0, goal, width_of(total))))
    return total


def _whole_remainder(builder: ir.IRBuilder, operands: list[Any], goal: str, report: Report) -> Any:
    zero, one, minus = (constant(number, goal, width_of(operands[0])) for number in (0, 1, -1))
    empty = builder.icmp_signed("==", operands[1], zero)
    report(builder, empty)
    divisor = builder.select(empty, one, operands[1])
    if is_unsigned(goal):
        return builder.urem(operands[0], divisor)
    rest = builder.srem(operands[0], builder.select(builder.icmp_signed("==", divisor, minus), one, divisor))
    wrong = builder.xor(builder.icmp_signed("<", rest, zero), builder.icmp_signed("<", divisor, zero))
    wrong = builder.and_(wrong, builder.icmp_signed("!=", rest, zero))
    return builder.select(wrong, builder.add(rest, divisor), rest)
