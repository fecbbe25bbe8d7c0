"""Trees that were made, as text: what is written of each node, and where it stands then.

The text of a tree says the tree again.  Only what `making` makes is written; a text of a person is formatted instead,
which keeps its comments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from tolang.ground.dataclasses import replace
from tolang.ground.fields import names_of_fields
from tolang.ground.reporting.diagnostics import Source, Span
from tolang.syntax import tree

Piece = str | tree.Node
Some = TypeVar("Some", bound=tree.Node)

INDENT = "  "
_BARS = {"shape": ("|", "|"), "dim": ("||", "||"), "capacity": ("|", "|'")}


def written(node: tree.Node) -> str:
    """The text of a tree."""
    found: list[str] = []
    _write(node, "", found)
    return "".join(found)


def placed(lines: Sequence[str | tree.Statement], name: str) -> tree.SyntaxModule:
    """A program of lines: statements that were made, and the text of others, such as empty lines."""
    texts = [one if isinstance(one, str) else written(one) for one in lines]
    source = Source(name, "\n".join(texts), beside=False)
    made: list[tree.Statement] = []
    start = 0
    for one, text in zip(lines, texts, strict=True):
        if not isinstance(one, str):
            made.append(_placed(one, "", source, start)[0])
        start += len(text) + 1
    return tree.SyntaxModule(Span(source, 0, len(source.text)), tuple(made))


def _write(node: tree.Node, indent: str, found: list[str]) -> None:
    for piece in _PIECES[type(node)](node, indent):
        if isinstance(piece, str):
            found.append(piece)
        else:
            _write(piece, _inside(node, indent), found)


def _placed(node: Some, indent: str, source: Source, start: int) -> tuple[Some, int]:
    """A node at a place, and where it ends."""
    pieces = _PIECES[type(node)](node, indent)
    if len(pieces) == 1 and isinstance(pieces[0], str):
        end = start + len(pieces[0])
        return replace(node, span=Span(source, start, end)), end
    at = start
    inner: list[tree.Node] = []
    for piece in pieces:
        if isinstance(piece, str):
            at += len(piece)
        else:
            child, at = _placed(piece, _inside(node, indent), source, at)
            inner.append(child)
    return _with_children(node, Span(source, start, at), iter(inner)), at


def _inside(node: tree.Node, indent: str) -> str:
    """How far lines inside a node are indented."""
    return indent + INDENT if type(node) is tree.BlockExpression else indent


def _with_children(node: Some, span: Span, inner: Iterator[tree.Node]) -> Some:
    """A node with a place, and with children that have one, in the order in which they are written."""
    values: list[Any] = [span]
    for field in names_of_fields(type(node), ("span",)):
        value = getattr(node, field)
        if isinstance(value, tree.Node):
            value = next(inner)
        elif isinstance(value, tuple) and value:
            value = tuple(next(inner) for _ in value)
        elif field == "id_span":
            value = Span(span.source, span.start, span.start + len(node.id))  # type: ignore[attr-defined]  # a definition
        values.append(value)
    return type(node)(*values)


def _joined(items: Sequence[tree.Node], opening: str = "", closing: str = "") -> list[Piece]:
    """Items with commas between them."""
    found: list[Piece] = [opening] if opening else []
    for place, one in enumerate(items):
        if place:
            found.append(", ")
        found.append(one)
    if closing:
        found.append(closing)
    return found


def _block(node: tree.BlockExpression, indent: str) -> list[Piece]:
    found: list[Piece] = ["{"]
    for one in (*node.definitions, node.result):
        found += [f"\n{indent}{INDENT}", one]
    return [*found, f"\n{indent}}}"]


def _definition(node: tree.Definition, indent: str) -> list[Piece]:
    head = _joined(node.parameters, "(", ")") if node.parameters else []
    return [node.id, *head, " := " if node.exported else " = ", node.body]


def _function(node: tree.LambdaExpression, indent: str) -> list[Piece]:
    alone = len(node.parameters) == 1
    head = list(node.parameters) if alone else _joined(node.parameters, "(", ")")
    return [*head, " -> ", node.body]


def _declaration(node: tree.TolDeclaration, indent: str) -> list[Piece]:
    assert node.base is not None
    return ["tol ", node.id, ": ", node.base, *(_joined(node.shape, " [", "]") if node.shape else [])]


_PIECES: dict[type[tree.Node], Callable[[Any, str], Sequence[Piece]]] = {
    tree.NameExpression: lambda node, indent: (node.id,),
    tree.Number: lambda node, indent: (node.text,),
    tree.ConstantExpression: lambda node, indent: (node.name,),
    tree.Text: lambda node, indent: ("'" + node.value.replace("'", "''") + "'",),
    tree.SpaceName: lambda node, indent: (node.id,),
    tree.Parameter: lambda node, indent: (node.id,),
    tree.Unary: lambda node, indent: (node.operator, node.operand),
    tree.Binary: lambda node, indent: (node.left, f" {node.operator} ", node.right),
    tree.Parenthesis: lambda node, indent: ("(", node.inner, ")"),
    tree.IndexExpression: lambda node, indent: (node.subject, *_joined(node.items, "[", "]")),
    tree.ComponentExpression: lambda node, indent: (node.subject, "[", node.selector, "]'"),
    tree.CallArgument: lambda node, indent: (f"{node.keyword}=", node.value) if node.keyword else (node.value,),
    tree.CallExpression: lambda node, indent: (node.function, *_joined(node.arguments, "(", ")")),
    tree.NormExpression: lambda node, indent: (_BARS[node.kind][0], node.operand, _BARS[node.kind][1]),
    tree.Blocks: lambda node, indent: _joined(node.items, "[", "]"),
    tree.Listing: lambda node, indent: _joined(node.items, "(", ")"),
    tree.Zeros: lambda node, indent: _joined(node.items, "tol[", "]"),
    tree.TypeList: lambda node, indent: _joined(node.spaces, "[", "]"),
    tree.LambdaExpression: _function,
    tree.IfExpression: lambda node, indent: ("if ", node.condition, " then ", node.then, " else ", node.otherwise),
    tree.BlockExpression: _block,
    tree.Definition: _definition,
    tree.TolDeclaration: _declaration,
    tree.Use: lambda node, indent: (f"use {node.module}",),
}
"""What is written of each kind of node: words and signs, and the nodes below it in the order of their fields."""
