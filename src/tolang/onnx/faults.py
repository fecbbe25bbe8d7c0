"""Errors of importing: a model that is damaged, hostile, or beyond what is supported, with the node they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import (
    Diagnostic,
    Note,
    Span,
    ToLangCheckError,
    ToLangError,
    ToLangRunError,
    ToLangUsageError,
)
from tolang.onnx.nodes import ProgramNode
from tolang.syntax import tree
from tolang.syntax.traversal import children

if TYPE_CHECKING:
    from onnx import NodeProto

LONGEST_TOLD = 500
"""Characters of what messages repeat of a model."""


class NodeError(ToLangUsageError):
    """An error that tells the node it is about."""


class UncheckedNode(NodeError, ToLangCheckError):
    """A node that the checker refuses, maybe only as long as lengths are open; `checked` is the checker's own code."""

    def __init__(self, diagnostic: Diagnostic, checked: str) -> None:
        super().__init__(diagnostic)
        self.checked = checked


def model_error(
    code: str, message: str, found: str | None = None, expected: str | None = None, fix: str | None = None
) -> ToLangUsageError:
    """The error of a model that cannot be imported, or of data that does not fit it."""
    return ToLangUsageError(_diagnostic(code, message, found, expected, fix))


def node_error(
    code: str, node: NodeProto, message: str, found: str | None = None, expected: str | None = None
) -> NodeError:
    """The error of a node that cannot be imported."""
    return NodeError(_diagnostic(code, f"{told(node)} {message}", found, expected))


def _diagnostic(
    code: str, message: str, found: str | None = None, expected: str | None = None, fix: str | None = None
) -> Diagnostic:
    """A diagnostic that repeats of a model, where names and lists may be of any length, no more than a few lines."""
    found, expected = (None if one is None else shortened(one, LONGEST_TOLD) for one in (found, expected))
    return Diagnostic(code, shortened(message, LONGEST_TOLD), found=found, expected=expected, fix=fix)


def told(node: NodeProto) -> str:
    """A node as messages name it: by its name, or by what it gives, and by its operator."""
    operator = shortened(f"{node.domain}.{node.op_type}" if node.domain else node.op_type)
    if node.name:
        return f"the node {shortened(node.name)!r} ({operator})"
    given = next((name for name in node.output if name), None)
    return f"a node {operator}" if given is None else f"the node that gives {shortened(given)!r} ({operator})"


def shortened(text: str, longest: int = 80) -> str:
    """Text of a model, which may be of any length, as messages repeat it."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def of_node(
    error: ToLangError, node: NodeProto | None, makers: Mapping[str, NodeProto], module: tree.SyntaxModule | None
) -> NodeError:
    """An error that arose at a node, told of it: of the one that a part of the program was made for, where it has one.

    What the checker refuses, or what fails where elements are reckoned while importing, is a node that does not fit.
    """
    if isinstance(error, NodeError):
        return error
    first, *_ = error.diagnostics
    blamed = next((makers[name] for name in _definitions(first, module) if name in makers), node)
    where = "the model" if blamed is None else told(blamed)
    if isinstance(error, ToLangUsageError):
        return NodeError(replace(first, message=f"{where}: {first.message}"))
    unfit = replace(first, code="E703", message=f"{where}: {first.message}", fix=None)
    return UncheckedNode(unfit, first.code) if isinstance(error, ToLangCheckError) else NodeError(unfit)


def at_node(error: ToLangRunError, nodes: Sequence[ProgramNode], module: tree.SyntaxModule) -> ToLangRunError:
    """What went wrong while running a program, with the node in which it did."""
    first, *others = error.diagnostics
    makers = {name: node for node in nodes for name in node.definitions}
    node = next((makers[name] for name in _definitions(first, module) if name in makers), None)
    if node is None:
        return error
    note = Note(f"it is in the node {node.name!r} ({node.operator})")
    return ToLangRunError([replace(first, notes=(*first.notes, note)), *others])


def _definitions(found: Diagnostic, module: tree.SyntaxModule | None) -> list[str]:
    """The names of the definitions in which an error lies in a program, the innermost first."""
    span = next((one for one in _spans(found) if not one.source.library), None)
    around: tree.Node | None = module
    names: list[str] = []
    while span is not None and around is not None:
        if isinstance(around, tree.Definition):
            names.append(around.id)
        around = next((one for one in children(around) if one.span.start <= span.start < one.span.end), None)
    return names[::-1]


def _spans(found: Diagnostic) -> Iterator[Span]:
    places: tuple[Any, ...] = (found, *found.notes)
    yield from (one.span for one in places if one.span is not None)
