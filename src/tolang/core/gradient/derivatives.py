"""The derivatives of the basic elementary functions, from the column of the table that gives them in ToLang."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tolang.core.core import Expr, Literal
from tolang.core.gradient.building import apply, chosen, number
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.values.functions import BY_SIGN, COMPARISONS, FUNCTIONS, derivatives_of
from tolang.syntax import tree
from tolang.syntax.parser import parse_expression


def has_derivative(function: str) -> bool:
    return bool(FUNCTIONS[function].derivatives)


def pulled_back(function: str, position: int, arguments: tuple[Expr, ...], result: Expr, cotangent: Expr) -> Expr:
    """The cotangent of an argument of a basic function, of its result's: a product, or a choice by comparing."""
    names = {"x": arguments[0], "y": arguments[-1], "z": result}
    return _times(cotangent, _tree(function, len(arguments), position), names)


@cache
def reads_arguments(function: str, arity: int) -> bool:
    """Whether a derivative of a function is told by its arguments: a number, or what its result tells, is not."""
    if not has_derivative(function):
        return False
    return any({"x", "y"} & _names(_tree(function, arity, place)) for place in range(arity))


def _names(node: tree.Expression) -> set[str]:
    """The names in a derivative."""
    match node:
        case tree.NameExpression(id=name):
            return {name}
        case tree.Parenthesis(inner=inner) | tree.Unary(operand=inner):
            return _names(inner)
        case tree.Binary(left=left, right=right):
            return _names(left) | _names(right)
        case tree.IfExpression(condition=condition, then=then, otherwise=otherwise):
            return _names(condition) | _names(then) | _names(otherwise)
        case tree.CallExpression(arguments=arguments):
            return set[str]().union(*(_names(one.value) for one in arguments))
    return set()


@cache
def _tree(function: str, arity: int, position: int) -> tree.Expression:
    text = derivatives_of(function, arity)[position]
    return parse_expression(Source(f"the derivative of {function}", text))


def _times(cotangent: Expr, node: tree.Expression, names: Mapping[str, Expr]) -> Expr:
    """A cotangent times a derivative; one that is a truth value chooses between it and 0."""
    match node:
        case tree.Parenthesis(inner=inner):
            return _times(cotangent, inner, names)
        case tree.IfExpression(condition=condition, then=then, otherwise=otherwise):
            return _choice(
                _value(condition, names), _times(cotangent, then, names), _times(cotangent, otherwise, names)
            )
        case tree.Unary(operator="not", operand=operand):
            return _choice(_value(operand, names), number(0), cotangent)
        case tree.Binary(operator=sign) if BY_SIGN[sign] in COMPARISONS:
            return _choice(_value(node, names), cotangent, number(0))
    return apply("mul", cotangent, _value(node, names))


def _choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    if isinstance(condition, Literal):
        return then if condition.value else otherwise
    return chosen(None, (condition,), then, otherwise)


def _value(node: tree.Expression, names: Mapping[str, Expr]) -> Expr:
    match node:
        case tree.Parenthesis(inner=inner):
            return _value(inner, names)
        case tree.Number(value=value):
            return number(value if isinstance(value, int) else float(value))
        case tree.NameExpression(id=name):
            return names[name]
        case tree.Unary(operator="-", operand=operand):
            return apply("neg", _value(operand, names))
        case tree.Binary(operator=sign, left=left, right=right):
            return apply(BY_SIGN[sign], _value(left, names), _value(right, names))
        case tree.CallExpression(function=tree.NameExpression(id=function), arguments=arguments):
            return apply(function, *(_value(a.value, names) for a in arguments))
    raise TypeError(f"a derivative holds {type(node).__name__}")
