"""Walks over syntax trees that need no recursion, so that they work on trees of any depth."""

from __future__ import annotations

from typing import Any

from tolang.ground.fields import names_of_fields
from tolang.syntax import tree


def _field_names(kind: type[tree.Node]) -> tuple[str, ...]:
    """The fields of a kind of node that make its meaning: all but the spans."""
    return names_of_fields(kind, ("span", "id_span"))


def children(node: tree.Node) -> list[tree.Node]:
    """The nodes right below a node, in the order of the text."""
    found: list[tree.Node] = []
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, tree.Node):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(value)
    return found


def depth(node: tree.Node) -> int:
    """The number of nodes on the longest way down, a chain of operators counted as one: walks go along it in a loop."""
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for one in level for child in _below(one)]
    return deepest


def _below(node: tree.Node) -> list[tree.Node]:
    """The operands of the chain of operators that a node is, or the nodes right below it."""
    if not isinstance(node, tree.Binary):
        return children(node)
    operands: list[tree.Node] = [node.right]
    left = node.left
    while isinstance(left, tree.Binary):
        operands.append(left.right)
        left = left.left
    return [*operands, left]


def definitely_used(node: tree.Expression) -> list[str]:
    """Names of values that evaluating an expression is sure to need: not those in branches, functions and blocks."""
    names: list[str] = []
    pending: list[tree.Node] = [node]
    while pending:
        match pending.pop():
            case tree.NameExpression(id=name):
                names.append(name)
            case tree.IfExpression(condition=condition):
                pending.append(condition)
            case tree.CallExpression(arguments=arguments):
                pending.extend(a.value for a in arguments[:1])
            case tree.LambdaExpression() | tree.BlockExpression() | tree.Compose() | tree.TypeList():
                pass
            case other:
                pending.extend(children(other))
    return names


def same_tree(left: tree.Node, right: tree.Node) -> bool:
    """Whether two trees say the same, wherever they stand in their texts."""
    pairs: list[tuple[Any, Any]] = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, tree.Node):
            pairs.extend((getattr(one, name), getattr(other, name)) for name in _field_names(type(one)))
        elif isinstance(one, tuple):
            if len(one) != len(other):
                return False
            pairs.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True
