"""Trees as short texts, so that tests can state them: `1 + x` is `(+ 1 x)`."""

from __future__ import annotations

from collections.abc import Sequence

from tolang.ground.reporting.diagnostics import Source
from tolang.syntax import tree
from tolang.syntax.parser import parse, parse_expression


def outline(node: tree.Node | None) -> str:
    """The structure of a tree in one line."""
    match node:
        case None:
            return "_"
        case tree.Number():
            return node.text
        case tree.ConstantExpression():
            return node.name
        case tree.Text():
            return repr(node.value)
        case tree.NameExpression() | tree.SpaceName():
            return node.id
        case tree.StarExpression():
            return "star"
        case tree.StarName():
            return f"star:{node.id}"
        case tree.Unary():
            return _form(node.operator, [node.operand])
        case tree.Binary():
            return _form(node.operator, [node.left, node.right])
        case tree.Slice():
            return _form("slice", [node.lower, node.upper])
        case tree.IndexExpression():
            return _form("index", [node.subject, *node.items])
        case tree.ComponentExpression():
            return _form("component", [node.subject, node.selector])
        case tree.CallArgument():
            return f"{node.keyword}={outline(node.value)}" if node.keyword else outline(node.value)
        case tree.CallExpression():
            return _form("call", [node.function, *node.arguments])
        case tree.NormExpression():
            return _form(node.kind, [node.operand])
        case tree.Blocks():
            return _form("blocks", node.items)
        case tree.Listing():
            return _form("list", node.items)
        case tree.Parenthesis():
            return _form("parenthesis", [node.inner])
        case tree.Zeros():
            return _form("zeros|" if node.bars else "zeros", node.items)
        case tree.TypeList():
            return _form("types", node.spaces)
        case _:
            return _outline_of_binder(node)


def _outline_of_binder(node: tree.Node) -> str:
    match node:
        case tree.LambdaExpression():
            return _form("->", [*node.parameters, node.body])
        case tree.IfExpression():
            return _form("if", [node.condition, node.then, node.otherwise])
        case tree.Compose():
            return _form("compose", node.functions)
        case tree.BlockExpression():
            return _form("block", [*node.definitions, node.result])
        case tree.Parameter() if node.parts:
            return _form("parts", node.parts)
        case tree.Unpacked():
            return f"(part {node.leaf} {outline(node.subject)})"
        case tree.Parameter():
            return f"{node.id}={outline(node.default)}" if node.default else node.id
        case tree.Definition():
            head = node.id if node.parameters is None else _form(node.id, node.parameters)
            sign = ("associative " if node.associative else "") + (":=" if node.exported else "=")
            return f"({sign} {head} {outline(node.body)})"
        case tree.ListField():
            return f"{node.id}:{outline(node.space)}" if node.id else outline(node.space)
        case _:
            return _outline_of_declaration(node)


def _outline_of_declaration(node: tree.Node) -> str:
    match node:
        case tree.SpaceDeclaration():
            return _form(f"space {node.id}", [node.base, node.lower, node.upper])
        case tree.ListDeclaration():
            return _form(f"list {node.id}{'' if node.bracketed else ' alone'}", node.fields)
        case tree.TolDeclaration():
            shape = "".join(f" {outline(length)}" for length in node.shape)
            return f"{_form(f'tol {node.id}', [node.base] if node.base else node.fields)}[{shape.strip()}]"
        case tree.TolShape():
            return _form(f"shape {node.id}", [node.shape])
        case tree.Use():
            return f"(use {node.module}{f' as {node.alias}' if node.alias else ''})"
        case tree.SyntaxModule():
            return " ".join(outline(statement) for statement in node.statements)
        case _:
            raise AssertionError(node)


def _form(word: str, parts: Sequence[tree.Node | None]) -> str:
    return f"({' '.join([word, *(outline(part) for part in parts)])})"


def of_expression(text: str) -> str:
    return outline(parse_expression(Source("test", text)))


def of_program(text: str) -> str:
    return outline(parse(Source("test", text)))
