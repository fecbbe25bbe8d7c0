"""Trees that are made and not parsed: of programs that the package writes, as those of models.

A tree made here stands nowhere until `placing` gives it a text and each of its nodes its place in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from tolang.ground.reporting.diagnostics import Source, Span
from tolang.syntax import tree

NOWHERE = Span(Source("<made>", "", beside=False), 0, 0)


def name(identifier: str) -> tree.NameExpression:
    return tree.NameExpression(NOWHERE, identifier)


def number(written: str) -> tree.Expression:
    """A number as it is written: digits, with a sign before them or not."""
    if written.startswith("-"):
        return tree.Unary(NOWHERE, "-", number(written[1:]))
    imaginary, digits = written.endswith("i"), written.rstrip("i")
    return tree.Number(NOWHERE, int(digits) if digits.isdigit() else Fraction(digits), written, imaginary)


def whole(value: int) -> tree.Expression:
    return number(str(value))


def constant(word: str) -> tree.ConstantExpression:
    """`Inf`, `NaN`, `true`, `false`."""
    return tree.ConstantExpression(NOWHERE, word)


def text(value: str) -> tree.Text:
    return tree.Text(NOWHERE, value)


def call(function: str, *arguments: tree.Expression, **named: tree.Expression) -> tree.CallExpression:
    given = [tree.CallArgument(NOWHERE, None, one) for one in arguments]
    given += [tree.CallArgument(NOWHERE, keyword, one) for keyword, one in named.items()]
    return tree.CallExpression(NOWHERE, name(function), tuple(given))


def convert(value: tree.Expression, space: str) -> tree.CallExpression:
    return call("convert", value, tree.TypeList(NOWHERE, (tree.SpaceName(NOWHERE, space),)))


def blocks(items: Iterable[tree.Expression]) -> tree.Blocks:
    return tree.Blocks(NOWHERE, tuple(items))


def bundle(items: Sequence[tree.Expression]) -> tree.Expression:
    """Several values as one; one alone is itself."""
    return items[0] if len(items) == 1 else tree.Listing(NOWHERE, tuple(items))


def part(subject: tree.Expression, place: int) -> tree.ComponentExpression:
    """`t[j]'`."""
    return tree.ComponentExpression(NOWHERE, subject, whole(place))


def element(subject: tree.Expression, *places: tree.Expression) -> tree.IndexExpression:
    return tree.IndexExpression(NOWHERE, subject, places)


def zeros(*lengths: tree.Expression) -> tree.Zeros:
    return tree.Zeros(NOWHERE, lengths)


def shape(subject: tree.Expression) -> tree.NormExpression:
    return tree.NormExpression(NOWHERE, "shape", subject)


def dimensions(subject: tree.Expression) -> tree.NormExpression:
    return tree.NormExpression(NOWHERE, "dim", subject)


def binary(operator: str, left: tree.Expression, right: tree.Expression) -> tree.Binary:
    return tree.Binary(NOWHERE, operator, left, right)


def plus(left: tree.Expression, more: int) -> tree.Expression:
    """A value with a number added to it, or taken from it."""
    return binary("-" if more < 0 else "+", left, whole(abs(more))) if more else left


def parenthesis(inner: tree.Expression) -> tree.Parenthesis:
    return tree.Parenthesis(NOWHERE, inner)


def function(parameters: Iterable[str], body: tree.Expression) -> tree.LambdaExpression:
    return tree.LambdaExpression(NOWHERE, tuple(tree.Parameter(NOWHERE, one) for one in parameters), body)


def choice(condition: tree.Expression, then: tree.Expression, otherwise: tree.Expression) -> tree.IfExpression:
    return tree.IfExpression(NOWHERE, condition, then, otherwise)


def block(definitions: Iterable[tree.Definition], result: tree.Expression) -> tree.BlockExpression:
    return tree.BlockExpression(NOWHERE, tuple(definitions), result)


def definition(
    identifier: str, body: tree.Expression, parameters: Sequence[str] = (), exported: bool = False
) -> tree.Definition:
    """A value, or a function where there are parameters."""
    given = tuple(tree.Parameter(NOWHERE, one) for one in parameters) if parameters else None
    return tree.Definition(NOWHERE, identifier, NOWHERE, given, body, exported)


def declaration(identifier: str, space: str, lengths: Iterable[tree.Expression]) -> tree.TolDeclaration:
    return tree.TolDeclaration(NOWHERE, identifier, tree.SpaceName(NOWHERE, space), (), tuple(lengths))


def use(module: str) -> tree.Use:
    return tree.Use(NOWHERE, module)


def module(statements: Iterable[tree.Statement]) -> tree.SyntaxModule:
    """A program that has no text."""
    return tree.SyntaxModule(NOWHERE, tuple(statements))
