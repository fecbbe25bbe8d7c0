"""Numerics that follow from sizes alone but are no polynomials of them, such as the length log(n,2)+1 of a fold.

The checker gives such a numeric a name, and sizes mention the name.  Here the name is replaced by an atom that knows
the expression, so that a cost stays a formula of the program's sizes and is an exact number once these are given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tolang.core.core import Apply, Call, Expr, If, Let, Literal, Measure, Require, Variable
from tolang.ground.conditions import Condition
from tolang.ground.elementary import apply
from tolang.ground.functions import FUNCTIONS
from tolang.ground.interning import Interned, Values, digest_of
from tolang.ground.sizes import Size

Bindings = Mapping[str, Size]
SIGNS = {name: row.sign for name, row in FUNCTIONS.items() if row.sign}


@dataclass(frozen=True, slots=True, eq=False)
class Static(Interned):
    """The floor of a numeric expression whose names stand for sizes; an atom of a `Size`."""

    expr: Expr
    bindings: tuple[tuple[str, Size], ...]

    def fields(self) -> tuple[Any, ...]:
        return self.expr, self.bindings

    @property
    def digest(self) -> str:
        return f"{_text(self.expr, {})}{digest_of(self.bindings)}"

    def parts(self) -> tuple[Size, ...]:
        return tuple(size for _, size in self.bindings)

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return static_size(self.expr, {name: size.substitute(values) for name, size in self.bindings})

    def evaluate(self, values: Values) -> Any:
        return _evaluate(self.expr, {name: _machine(size.evaluate(values)) for name, size in self.bindings})

    def written(self) -> str:
        text = _text(self.expr, dict(self.bindings))
        return text if text.startswith("floor(") else f"floor({text})"


def static_size(expr: Expr, bindings: Bindings) -> Size:
    """The floor of a static expression: a number where all its names are known, else an atom."""
    known = {name: size.constant for name, size in bindings.items()}
    if all(isinstance(number, int) for number in known.values()):
        return Size.of(_evaluate(expr, known))
    return Size.atom(Static(expr, tuple(sorted(bindings.items()))))


def is_numeric_formula(expr: Expr) -> bool:
    """Whether an expression is built of what `Static` can evaluate."""
    match expr:
        case Literal() | Measure() | Variable():
            return expr.type.is_numeric
        case Apply() | Require() | Call(shared=False) | Let(lengths=()):
            return expr.type.is_numeric and all(is_numeric_formula(child) for child in expr.children())
        case If(guard=guard) if guard is not None:
            return expr.type.is_numeric and is_numeric_formula(expr.then) and is_numeric_formula(expr.otherwise)
    return False


def names_in(expr: Expr) -> frozenset[str]:
    """Names that a numeric formula takes from around it."""
    match expr:
        case Variable(name=name):
            return frozenset((name,))
        case Measure(size=size):
            return size.names()
        case Let(names=names, value=value, body=body):
            return names_in(value) | (names_in(body) - set(names))
        case If(guard=Condition() as guard):
            return guard.names() | names_in(expr.then) | names_in(expr.otherwise)
    return frozenset().union(*(names_in(child) for child in expr.children()))


def _evaluate(expr: Expr, numbers: Mapping[str, Any]) -> Any:
    """The floored value, a whole number, or an array of them where the names stand for arrays."""
    value = np.asarray(_value(expr, numbers))
    if value.dtype.kind in "iub":
        floored = value.astype(np.int64) if value.ndim else int(value)
    elif value.ndim:
        floored = np.floor(value.astype(np.float64)).astype(np.int64)
    else:
        floored = _floor(value.item())
    return floored


def _machine(number: Any) -> Any:
    """Whole numbers as the functions take them: arrays in 64 bits."""
    return number.astype(np.int64) if isinstance(number, np.ndarray) else number


def _floor(value: Any) -> int:
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    whole: int = math.floor(value)
    return whole


def _value(expr: Expr, numbers: Mapping[str, Any]) -> Any:
    match expr:
        case Literal(value=value):
            return np.asarray(value, dtype=object if isinstance(value, Fraction) else None)
        case Measure(size=size):
            return np.asarray(size.evaluate(numbers))
        case Variable(name=name):
            return np.asarray(numbers[name])
        case Apply(function=function, arguments=arguments):
            values = [_value(argument, numbers) for argument in arguments]
            return apply(function, values, expr.type.column, [argument.type.column for argument in arguments])
        case If(guard=Condition() as guard, then=then, otherwise=otherwise):
            truth = guard.evaluate(numbers)
            return np.where(truth, _value(then, numbers), _value(otherwise, numbers))
        case Let(names=names, value=bound, body=body):
            return _value(body, {**numbers, names[0]: _value(bound, numbers)})
        case Require(body=body) | Call(body=body):
            return _value(body, numbers)
    raise TypeError(f"{type(expr).__name__} is no numeric formula")


def _text(expr: Expr, bindings: Bindings) -> str:
    """The expression in ToLang, its names replaced by what they stand for."""
    match expr:
        case Literal(value=value):
            return str(value)
        case Measure(size=size):
            return str(size.substitute(bindings))
        case Variable(name=name):
            return str(bindings.get(name, Size.of(name)))
        case Apply(function=function, arguments=(one, two)) if function in SIGNS:
            return f"{_grouped(one, bindings)} {SIGNS[function]} {_grouped(two, bindings)}"
        case Apply(function=function, arguments=arguments):
            return f"{function}({', '.join(_text(argument, bindings) for argument in arguments)})"
        case Let(body=body) | Require(body=body) | Call(body=body):
            return _text(body, bindings)
        case If(guard=guard, then=then, otherwise=otherwise):
            return f"(if {guard} then {_text(then, bindings)} else {_text(otherwise, bindings)})"
    return "?"


def _grouped(expr: Expr, bindings: Bindings) -> str:
    text = _text(expr, bindings)
    return f"({text})" if " " in text and not text.endswith(")") else text


def sympy_of_static(expr: Expr, bindings: Mapping[str, Any]) -> Any:
    """The expression in sympy, its names replaced by what they stand for there."""
    import sympy

    match expr:
        case Literal(value=value):
            return sympy.nsimplify(value)
        case Variable(name=name):
            return bindings[name]
        case Measure(size=size):
            return sympy.sympify(str(size).replace("^", "**"), locals=dict(bindings))
        case Apply(function=function, arguments=arguments):
            values = [sympy_of_static(argument, bindings) for argument in arguments]
            return _sympy_function(function)(*values)
        case Let(names=names, value=value, body=body):
            return sympy_of_static(body, {**bindings, names[0]: sympy_of_static(value, bindings)})
        case Require(body=body) | Call(body=body):
            return sympy_of_static(body, bindings)
    return sympy.Symbol(_text(expr, {}))


def _sympy_function(name: str) -> Any:
    import sympy

    operators: dict[str, Any] = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "mod": sympy.Mod, "pow": lambda a, b: a**b, "neg": lambda a: -a, "max": sympy.Max, "min": sympy.Min,
        "abs": sympy.Abs, "sgn": sympy.sign,
    }  # fmt: skip
    return operators.get(name) or getattr(sympy, name, None) or sympy.Function(name)
