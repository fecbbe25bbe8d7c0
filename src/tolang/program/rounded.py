"""Warnings of numbers that are rounded before they become exact rationals: floating-point literals and quotients.

    tol z: Q
    z := 1/3          a quotient of whole numbers is in R: z is 6004799503160661/18014398509481984

Whole numbers divide into R, and what is declared to be in Q is converted from there, exactly.  There is a warning where
rounding came first, which the source shows: at a literal that no float is, or a quotient of whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from tolang.core.core import Apply, Bundle, Call, Convert, Core, Embed, Expr, If, Join, Let, Literal, Map, Variable
from tolang.ground.reporting.diagnostics import Diagnostic, Span

CODE = "W102"
ARITHMETIC = frozenset({"add", "sub", "mul", "div", "neg"})
"""Functions through which what is rounded gets into a rational."""
_QUOTIENT = re.compile(r"(\*|-?[\w.]+) */ *([\w.]+)")
"""A quotient of names or numbers."""
RATIONAL, WHOLE = "Q", frozenset({"N", "Z", "B"})


def rounded(core: Core) -> tuple[Diagnostic, ...]:
    """What a program rounds before it becomes rational, each place once."""
    named: dict[str, Expr] = {}
    conversions: list[Convert] = []
    for expr in _inside(core.body):
        match expr:
            case Let(names=(name,), value=value):
                named[name] = value
            case Call(arguments=arguments):
                named.update(arguments)
            case Convert(subject=subject) if _is_in(expr, {RATIONAL}) and _is_in(subject, {"R"}):
                conversions.append(expr)
    found: dict[tuple[int, int, str], Diagnostic] = {}
    for conversion in conversions:
        for one in (origin for part in _made_rational(conversion) for origin in _origins(part, named)):
            spans = (each.span for each in (one, conversion.subject, conversion))
            span = next((each for each in spans if each is not None and each.text and not each.source.library), None)
            if span is not None:
                found.setdefault((span.start, span.end, span.source.name), _warning(one, span))
    return tuple(found.values())


def _inside(expr: Expr) -> Iterator[Expr]:
    """An expression and all expressions in it."""
    waiting = [expr]
    while waiting:
        expr = waiting.pop()
        yield expr
        waiting += reversed(list(expr.children()))


def _made_rational(conversion: Convert) -> list[Expr]:
    """What a conversion makes rational: of a list, the components that are rational then."""
    subject, columns = conversion.subject, conversion.type.columns
    if isinstance(subject, Embed) and len(subject.parts) == len(columns):
        pairs = zip(subject.parts, columns, strict=True)
        return [part for part, column in pairs if column.space.family == RATIONAL]
    return [subject]


def _is_in(expr: Expr, families: set[str] | frozenset[str]) -> bool:
    """Whether any component of an expression is in one of some spaces."""
    kinds = expr.type.parts or (expr.type,)
    return any(column.space.family in families for kind in kinds for column in kind.columns)


def _origins(expr: Expr, named: Mapping[str, Expr]) -> Iterator[Expr]:
    """The literals and quotients in an expression that are rounded, as far as arithmetic hands them on."""
    waiting, seen = [expr], set[str]()
    while waiting:
        match waiting.pop():
            case Literal() as literal if _rounded_fraction(literal) is not None:
                yield literal
            case Apply(function="div", arguments=(left, right)) as quotient if _is_rounded(left, right):
                yield quotient
            case Apply(function=function, arguments=arguments) if function in ARITHMETIC:
                waiting += reversed(arguments)
            case Map(body=body) | Let(body=body) | Call(body=body):
                waiting.append(body)
            case If(then=then, otherwise=otherwise):
                waiting += [otherwise, then]
            case Join(parts=parts) | Embed(parts=parts) | Bundle(parts=parts):
                waiting += reversed(parts)
            case Variable(name=name) if name in named and name not in seen:
                seen.add(name)
                waiting.append(named[name])


def _rounded_fraction(literal: Literal) -> Fraction | None:
    """The fraction that a literal is as it is written, where no float is that; None where one is."""
    if not isinstance(literal.value, float) or literal.value - literal.value != 0:
        return None
    written = Fraction(repr(literal.value))
    return None if written == Fraction(literal.value) else written


def _is_rounded(left: Expr, right: Expr) -> bool:
    """Whether a quotient is one of whole numbers, which a float may not be: it is, over a power of two."""
    if not all(_is_in(one, WHOLE) and not _is_in(one, {"R", RATIONAL}) for one in (left, right)):
        return False
    if not isinstance(right, Literal) or not isinstance(right.value, int) or right.value == 0:
        return True
    if isinstance(left, Literal) and isinstance(left.value, int):
        return Fraction(left.value, right.value) != Fraction(left.value / right.value)
    return abs(right.value) & (abs(right.value) - 1) != 0


def _warning(one: Expr, span: Span) -> Diagnostic:
    text = " ".join(span.text.split())
    if isinstance(one, Literal):
        fraction = _rounded_fraction(one)
        assert fraction is not None
        message = f"`{text}` is rounded to a binary fraction before it becomes rational"
        return Diagnostic(CODE, message, span, fix=f"write convert({fraction.numerator}, [Q]) / {fraction.denominator}")
    message = f"`{text}` is in R, and rounded to a binary fraction before it becomes rational"
    simple = _QUOTIENT.fullmatch(text)
    fix = f"write convert({simple[1]}, [Q]) / {simple[2]}" if simple else "convert what is divided, so that it is exact"
    return Diagnostic(CODE, message, span, fix=fix)
