"""Arithmetic on what is known without data: sizes, coordinates and constants, exactly.

Each rule gives the exact value of a basic function of scalars where it has one.  Where it has none (the sine of
a size) the scalar keeps only the expression that was written, and is computed while running.
"""

from __future__ import annotations

import re
from fractions import Fraction

from tolang.check.checking import Checking
from tolang.check.misfits import refuse_misfit
from tolang.check.values import Problem, Ratio, ScalarValue, TypeNames, Value, Vector, space_names
from tolang.core.core import Apply, Constant, Expr, Literal, Measure
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import FALSE, TRUE, Condition, compare, junction, negation
from tolang.ground.symbolic.sizes import ONE, Size, extremum, floor_division
from tolang.ground.values.functions import FUNCTIONS, SpaceMismatch, result_column
from tolang.ground.values.spaces import Column, column

COMPARISONS = {"lt": "<", "gt": ">", "le": "<=", "ge": ">=", "eq": "==", "ineq": "!="}
WHOLE = {"max": "maximum", "min": "minimum", "add": "sum", "mul": "product", "and": "all", "or": "any"}
"""What is meant by a function of two numerics that is given one ToL."""
_SUM = re.compile(r"([^+\s]+)\s*\+\s*([^+\s]+)")
"""A sum of two short terms, as it is written."""
LARGEST_BITS = 4096
LARGEST_TERMS = 100
LARGEST_WEIGHT = 200
INFINITY = float("inf")
LARGEST_FLOAT = 1e300
EXACT_IN_FLOATS = 1 << 53
LARGEST_DEGREE = 64
"""Of roots that are looked for."""


def written(function: str, arguments: tuple[Expr, ...], span: Span | None) -> Apply:
    """A basic function of numeric expressions, typed."""
    columns = tuple([a.type.columns[0] for a in arguments])
    try:
        result = result_column(function, columns)
    except SpaceMismatch as mismatch:
        shown = ", ".join(str(c.space) for c in columns)
        fix = _joined(columns, span) if function == "add" else None
        message = f"{function} has no meaning on these spaces: {mismatch}"
        raise Problem("E402", message, span, found=shown, fix=fix) from None
    return Apply(function, arguments, type=Type((), (result,)), span=span)


def _joined(columns: tuple[Column, ...], span: Span | None) -> str | None:
    """How texts are put together, as `+` does elsewhere."""
    texts = [one.space.family == "S" for one in columns]
    if not any(texts):
        return None
    found = _SUM.fullmatch(span.text) if span is not None and not span.source.library else None
    names = (found[1], found[2]) if found is not None else ("s", "t")
    parts = [name if is_text else f"to_text({name})" for name, is_text in zip(names, texts, strict=True)]
    return f"put texts together with `append_text({', '.join(parts)})`"


def apply_scalars(checking: Checking, function: str, arguments: list[ScalarValue], span: Span | None) -> ScalarValue:
    """A basic function of scalars: the expression as written, and its exact value where there is one."""
    if function == "neg" and arguments[0].constant is not None and _is_literal(arguments[0]):
        return _negated(arguments[0], span)
    expr = written(function, tuple([checking.lowered(a.expr) for a in arguments]), span)
    for one in arguments:
        refuse_misfit(one, expr.type.columns, span)
    if function in COMPARISONS:
        return ScalarValue(expr, condition=_compared(checking, COMPARISONS[function], arguments))
    if function in ("and", "or", "xor", "not") and expr.type.column.space.family == "B":
        return ScalarValue(expr, condition=_combined(function, [a.condition for a in arguments]))
    if function in ("length", "code"):
        return ScalarValue(expr, _of_text(arguments))
    indices = [_as_index(a) for a in arguments]
    known = [i for i in indices if i is not None]
    if len(known) == len(indices):
        index = _ordered(checking, function, arguments, known) or arithmetic(function, known)
        if index is not None:
            return ScalarValue(expr, index)
    return ScalarValue(expr, other=_folded(function, [a.constant for a in arguments]))


def _of_text(arguments: list[ScalarValue]) -> Ratio | None:
    """The length of a text that is known, or the number of a character of it; a place that is none is told later."""
    text, *place = [one.constant for one in arguments]
    if not isinstance(text, str):
        return None
    if not place:
        return Ratio(Size.of(len(text)))
    at = place[0]
    return Ratio(Size.of(ord(text[at - 1]))) if isinstance(at, int) and 1 <= at <= len(text) else None


def _ordered(checking: Checking, function: str, arguments: list[ScalarValue], known: list[Ratio]) -> Ratio | None:
    """The greater or lesser of two numbers, or a magnitude, where it is certain which it is: min(0, n) is 0."""
    if function not in ("max", "min", "abs") or any(one.denominator != ONE for one in known):
        return None
    first, second = (known[0], Ratio(-known[0].numerator)) if function == "abs" else known
    one, two = first.numerator, second.numerator
    if function != "abs":
        one, two = _as_lengths(arguments, (one, two))
    if checking.ranges.proves_nonnegative(one - two):
        return second if function == "min" else first
    if checking.ranges.proves_nonnegative(two - one):
        return first if function == "min" else second
    return None


def _as_lengths(arguments: list[ScalarValue], sizes: tuple[Size, Size]) -> tuple[Size, Size]:
    """Two sizes, where they were measured as names: no length is negative, whatever it follows from."""
    names: dict[Size, Size] = {}
    found = []
    for argument, size in zip(arguments, sizes, strict=True):
        if isinstance(argument.expr, Measure) and argument.expr.size == size:
            size = names.setdefault(size, Size.of(f"length {len(names)}"))
        found.append(size)
    return found[0], found[1]


def _is_literal(scalar: ScalarValue) -> bool:
    return isinstance(scalar.expr, Literal)


def _negated(scalar: ScalarValue, span: Span | None) -> ScalarValue:
    """Signed literals are literals: -3 costs nothing and is in Z."""
    literal = scalar.expr
    assert isinstance(literal, Literal)
    if isinstance(literal.value, bool | str):
        raise Problem("E402", "only numbers have a negative", span, found=str(literal.value))
    kind = literal.type.column
    if kind.space.family == "Z":
        kind = column("Z", weak=True)
    expr = Literal(-literal.value, type=Type((), (kind,)), span=span)
    if scalar.index is not None:
        return ScalarValue(expr, Ratio(-scalar.index.numerator, scalar.index.denominator))
    other = scalar.other
    return replace(scalar, expr=expr, other=None if other is None or isinstance(other, str) else -other)


def _as_index(scalar: ScalarValue) -> Ratio | None:
    if scalar.index is not None:
        return scalar.index
    if scalar.condition is not None and scalar.condition.constant is not None:
        return Ratio(Size.of(int(scalar.condition.constant)))
    if isinstance(scalar.other, Fraction):
        return Ratio(Size.of(scalar.other))
    return None


def _is_small(index: Ratio) -> bool:
    """Whether an exact value stays within bounds that keep checking fast."""
    for size in (index.numerator, index.denominator):
        if size is ONE:
            continue
        if len(size.terms) > LARGEST_TERMS or size.weight > LARGEST_WEIGHT:
            return False
        if any(max(abs(c.numerator), c.denominator).bit_length() > LARGEST_BITS for c in size.terms.values()):
            return False
        if any(len(m) > 64 for m in size.terms):
            return False
    return True


def arithmetic(function: str, arguments: list[Ratio]) -> Ratio | None:
    """The exact result of a function of exact quotients, None where it has none, or one too long to reckon with."""
    exact = _exact(function, arguments)
    return exact if exact is None or _is_small(exact) else None


def _exact(function: str, arguments: list[Ratio]) -> Ratio | None:
    a = arguments[0]
    b = arguments[1] if len(arguments) > 1 else a
    match function:
        case "add" | "sub":
            sign = 1 if function == "add" else -1
            if a.denominator == b.denominator:
                return ratio(a.numerator + b.numerator * sign, a.denominator)
            top = a.numerator * b.denominator + b.numerator * a.denominator * sign
            return ratio(top, a.denominator * b.denominator)
        case "mul":
            return ratio(a.numerator * b.numerator, a.denominator * b.denominator)
        case "div":
            if b.numerator.constant == 0:
                return None
            return ratio(a.numerator * b.denominator, a.denominator * b.numerator)
        case "neg":
            return Ratio(-a.numerator, a.denominator)
        case "floor":
            return Ratio(a.floor())
        case "mod":
            return _modulo(a, b)
        case "pow":
            return _raised(a, b)
        case "max" | "min":
            if a.denominator == b.denominator == ONE:
                return Ratio(extremum(function, [a.numerator, b.numerator]))
        case "abs":
            if a.denominator == ONE:
                return Ratio(extremum("max", [a.numerator, -a.numerator]))
        case "sgn":
            number = a.numerator.constant if a.denominator == ONE else None
            return None if number is None else Ratio(Size.of((number > 0) - (number < 0)))
    return None


def ratio(numerator: Size, denominator: Size) -> Ratio:
    """A quotient in lowest terms as far as constants and common single terms go."""
    number = denominator.constant
    if number is not None:
        return Ratio(numerator if number == 1 else numerator * (Fraction(1) / number))
    if numerator == denominator:
        return Ratio(ONE)
    if not numerator.terms:
        return Ratio(numerator)
    if len(denominator.terms) == 1:
        whole = floor_division(numerator, denominator)
        if whole * denominator == numerator:
            return Ratio(whole)
    return Ratio(numerator, denominator)


def _modulo(a: Ratio, b: Ratio) -> Ratio | None:
    if a.denominator != ONE or b.denominator != ONE or b.numerator.constant == 0:
        return None
    return Ratio(a.numerator - b.numerator * floor_division(a.numerator, b.numerator))


def _raised(a: Ratio, b: Ratio) -> Ratio | None:
    exponent = b.numerator.constant if b.denominator == ONE else None
    if isinstance(exponent, Fraction):
        root = _root(a, exponent.denominator)
        return None if root is None else _raised(root, Ratio(Size.of(exponent.numerator)))
    if not isinstance(exponent, int) or exponent < 0 or exponent > LARGEST_BITS:
        return None
    base = a.numerator.constant
    if base is None and (exponent > 16 or a.denominator != ONE):
        return None
    if (
        base is not None
        and max(1, abs(base.numerator).bit_length(), base.denominator.bit_length()) * exponent > LARGEST_BITS
    ):
        return None
    return ratio(a.numerator**exponent, a.denominator**exponent)


def _root(a: Ratio, degree: int) -> Ratio | None:
    """The root of a number that is exact, as that of 64 is."""
    base = a.numerator.constant if a.denominator == ONE else None
    if base is None or base < 0 or max(base.numerator, base.denominator) > EXACT_IN_FLOATS:
        return None
    found = Fraction(*(round(one ** (1 / degree)) for one in (base.numerator, base.denominator)))
    return Ratio(Size.of(found)) if degree <= LARGEST_DEGREE and found**degree == base else None


def _compared(checking: Checking, sign: str, arguments: list[ScalarValue]) -> Condition | None:
    indices = [_as_index(a) for a in arguments]
    left, right = indices
    if left is not None and right is not None:
        if left.denominator is ONE and right.denominator is ONE:
            numbers = left.numerator.constant, right.numerator.constant
            if None not in numbers:
                return TRUE if _compare_constants(sign, *numbers) else FALSE
        scales = [left.denominator, right.denominator]
        if all(s == ONE or checking.ranges.proves_nonnegative(s - 1) for s in scales):
            one, two = left.numerator * right.denominator, right.numerator * left.denominator
            if one.denominator != 1 or two.denominator != 1:
                scale = (one - two).denominator
                one, two = one * scale, two * scale
            condition = compare(sign, one, two)
            known = checking.ranges.decide(condition) if condition.constant is None else None
            if known is None and condition.constant is None:
                known = checking.ranges.decide(compare(sign, *_as_lengths(arguments, (one, two))))
            return condition if known is None else TRUE if known else FALSE
        return None
    values = [_finite(a, index) for a, index in zip(arguments, indices, strict=True)]
    if None in values or any(isinstance(v, complex) for v in values):
        return None
    truth = _compare_constants(sign, values[0], values[1])
    return None if truth is None else TRUE if truth else FALSE


def _finite(scalar: ScalarValue, index: Ratio | None) -> Constant | None:
    """A scalar's constant; sizes and coordinates, which are finite, compare with infinities as 0 does."""
    return 0 if scalar.constant is None and index is not None else scalar.constant


def _compare_constants(sign: str, one: Constant | None, two: Constant | None) -> bool | None:
    if isinstance(one, str) != isinstance(two, str) or one is None or two is None:
        return None
    match sign:
        case "==":
            return one == two
        case "!=":
            return one != two
        case "<":
            return bool(one < two)  # type: ignore[operator]  # both text or both real, checked by the caller
        case ">":
            return bool(one > two)  # type: ignore[operator]  # as above
        case "<=":
            return bool(one <= two)  # type: ignore[operator]  # as above
    return bool(one >= two)  # type: ignore[operator]  # as above


def _combined(function: str, conditions: list[Condition | None]) -> Condition | None:
    if any(c is None for c in conditions):
        known = [c for c in conditions if c is not None]
        if function == "and" and FALSE in known:
            return FALSE
        return TRUE if function == "or" and TRUE in known else None
    parts = [c for c in conditions if c is not None]
    if function == "not":
        return negation(parts[0])
    if function == "xor":
        one, two = parts
        return junction("or", [junction("and", [one, negation(two)]), junction("and", [negation(one), two])])
    return junction(function, parts)


def _folded(function: str, values: list[Constant | None]) -> Constant | None:
    """Constants that are no whole numbers or fractions: infinities and NaN, through + - * / and the extrema."""
    numbers: list[float] = []
    for value in values:
        if not isinstance(value, int | float | Fraction):
            return None
        if value not in (INFINITY, -INFINITY) and not -LARGEST_FLOAT < value < LARGEST_FLOAT:
            return None
        numbers.append(float(value))
    try:
        match function:
            case "add":
                return numbers[0] + numbers[1]
            case "sub":
                return numbers[0] - numbers[1]
            case "mul":
                return numbers[0] * numbers[1]
            case "max":
                return max(numbers)
            case "min":
                return min(numbers)
            case "neg":
                return -numbers[0]
            case "abs":
                return abs(numbers[0])
    except OverflowError:
        return None
    return None


def apply_static(checking: Checking, function: str, arguments: list[Value], span: Span | None) -> Value | None:
    """A basic function where every argument is a scalar or a vector of scalars; None where some are not."""
    arguments = [space_names(a) if isinstance(a, TypeNames) else a for a in arguments]
    scalars = [a for a in arguments if isinstance(a, ScalarValue)]
    if len(scalars) == len(arguments):
        return apply_scalars(checking, function, scalars, span)
    for one in arguments:
        if not isinstance(one, (ScalarValue, Vector)):
            return None
    lengths = dict.fromkeys(len(a.items) for a in arguments if isinstance(a, Vector)).keys()
    if len(lengths - {1}) > 1:
        shown = " and ".join(f"[{n}]" for n in lengths)
        raise Problem("E301", f"{function} needs equal shapes", span, found=shown, expected="one shape, or numerics")
    length = max(lengths) if 0 not in lengths else 0
    if 0 in lengths and lengths - {0, 1}:
        raise Problem("E301", f"{function} needs equal shapes", span, found="an empty vector and a longer one")
    rows = []
    for position in range(length):
        row = []
        for argument in arguments:
            if isinstance(argument, Vector):
                row.append(argument.items[position if len(argument.items) == length else 0])
            elif isinstance(argument, ScalarValue):
                row.append(argument)
        rows.append(apply_scalars(checking, function, row, span))
    return Vector(tuple(rows))


def arity_problem(function: str, count: int, span: Span | None) -> Problem:
    arities = FUNCTIONS[function].arity
    wanted = " or ".join(str(a) for a in arities)
    plural = "s" if arities[-1] > 1 else ""
    fix = f"`{WHOLE[function]}(t)` is that of all elements" if count == 1 and function in WHOLE else None
    return Problem("E203", f"{function} takes {wanted} argument{plural}", span, str(count), wanted, fix)
