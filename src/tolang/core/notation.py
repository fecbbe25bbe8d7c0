"""How the text of the core writes names, sizes, conditions, types and constants.

Sizes read as they do in messages, with brackets wherever the display would leave a choice; every form here is read
back by `phrases.py` to an equal object.  A name that is no plain word, or opens an expression, stands in backquotes.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from itertools import groupby

from tolang.core.core import Constant
from tolang.core.types import Type
from tolang.ground.symbolic.conditions import Choice, Condition
from tolang.ground.symbolic.sizes import Atom, Extremum, Monomial, Quotient, Rational, Size
from tolang.ground.symbolic.sums import Sum
from tolang.ground.values.spaces import Bound, Column, Space

WORD = re.compile(r"[^\W\d]\w*(?:\.\d+)*'*")
RESERVED = frozenset(
    ("let", "require", "map", "reduce", "call", "inline", "if", "when", "join", "not", "true", "false", "Inf", "NaN")
)
"""Words that open an expression or a condition, so that names which are spelt so are quoted."""


def show_name(name: str) -> str:
    if WORD.fullmatch(name) and name not in RESERVED:
        return name
    return "`" + json.dumps(name)[1:-1].replace("`", "\\u0060") + "`"


def show_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def show_size(size: Size) -> str:
    """The size, highest degree first, then by name."""
    if not size.terms:
        return "0"
    shared = size.denominator
    if shared > 1:
        inner = show_size(Size({m: int(c * shared) for m, c in size.terms.items()}))
        return f"({inner})/{shared}" if len(size.terms) > 1 else f"{inner}/{shared}"
    text = ""
    for monomial, factor in sorted(size.terms.items(), key=lambda term: (-len(term[0]), _show_monomial(term[0]))):
        sign = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
        text += sign + _show_term(_show_monomial(monomial), -factor if factor < 0 else factor)
    return text


def _show_term(monomial: str, factor: Rational) -> str:
    if not monomial:
        return str(factor)
    return monomial if factor == 1 else f"{factor}*{monomial}"


def _show_monomial(monomial: Monomial) -> str:
    factors = []
    for atom, run in groupby(monomial):
        power = len(list(run))
        factors.append(_show_atom(atom) + (f"^{power}" if power > 1 else ""))
    return "*".join(factors)


def _show_atom(atom: Atom) -> str:
    match atom:
        case str():
            return show_name(atom)
        case Quotient(numerator=numerator, denominator=denominator):
            return f"floor({_operand(numerator)}/{_operand(denominator)})"
        case Extremum(kind=kind, sizes=sizes):
            return f"{kind}({show_sizes(sizes)})"
        case Choice(condition=condition, then=then, otherwise=otherwise):
            return f"(if {show_condition(condition)} then {show_size(then)} else {show_size(otherwise)})"
        case Sum(name=name, upper=upper, body=body):
            return f"sum({show_name(name)} = 1..{show_size(upper)}, {show_size(body)})"
    raise TypeError(f"{type(atom).__name__} is no atom of a core's sizes")


def _operand(size: Size) -> str:
    """A size above or below the bar of a quotient: a plain number or name, else in brackets."""
    text = show_size(size)
    return text if text.isdigit() or WORD.fullmatch(text) else f"({text})"


def show_sizes(sizes: tuple[Size, ...]) -> str:
    return ", ".join(show_size(s) for s in sizes)


def show_condition(condition: Condition) -> str:
    """The condition; junctions and negations inside others stand in braces."""
    if condition.kind == "not" and len(condition.parts) == 1:
        inner = condition.parts[0]
        return _show_comparison(inner, "!=") if inner.kind == "zero" else f"not {{{show_condition(inner)}}}"
    if condition.size is not None:
        return _show_comparison(condition, ">=" if condition.kind == "nonnegative" else "==")
    if not condition.parts:
        return condition.kind
    return f" {condition.kind} ".join(
        f"{{{show_condition(p)}}}" if p.parts else show_condition(p) for p in condition.parts
    )


def _show_comparison(condition: Condition, sign: str) -> str:
    assert condition.size is not None
    left = Size({m: c for m, c in condition.size.terms.items() if c > 0})
    return f"{show_size(left)} {sign} {show_size(left - condition.size)}"


def show_type(one: Type) -> str:
    """`R [n, k]`, `[name: S, age: N] [n]`, `N~ [0] blank`; a bundle is `(R; R [n])`."""
    if one.parts or not one.columns:
        return f"({'; '.join(show_type(p) for p in one.parts)})"
    shape = f" [{show_sizes(one.shape)}]" if one.shape else ""
    return f"{show_columns(one.columns)}{shape}{' blank' if one.blank else ''}"


def show_columns(columns: tuple[Column, ...]) -> str:
    listed = ", ".join(_show_column(c) for c in columns)
    return listed if len(columns) == 1 and columns[0].name is None else f"[{listed}]"


def _show_column(one: Column) -> str:
    name = f"{show_name(one.name)}: " if one.name is not None else ""
    storage = "" if one.storage == one.space.storage else f"/{one.storage}"
    return f"{name}{_show_space(one.space)}{'~' if one.weak else ''}{storage}"


def _show_space(space: Space) -> str:
    """`R`, `N[0..255]`, and `byte(N[0..255])` for a space that was given a name."""
    bounds = f"[{_show_bound(space.lower)}..{_show_bound(space.upper)}]" if space.bounded else ""
    text = space.root + bounds
    return text if space.name is None else f"{show_name(space.name)}({text})"


def _show_bound(bound: Bound | None) -> str:
    return "" if bound is None else show_constant(bound)


def show_constant(value: Constant) -> str:
    """A constant, from whose spelling its Python type can be read."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return show_text(value)
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case float():
            return _show_float(value)
        case complex():
            return f"complex({_show_float(value.real)}, {_show_float(value.imag)})"
    return str(value)


def _show_float(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return repr(value)
