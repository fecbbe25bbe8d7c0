"""Errors of importing: a model that is damaged, hostile, or beyond what is supported, with the node they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tolang.ground.diagnostics import (
    Diagnostic,
    Note,
    Span,
    ToLangCheckError,
    ToLangError,
    ToLangRunError,
    ToLangUsageError,
)
from tolang.onnx.nodes import ProgramNode

if TYPE_CHECKING:
    from onnx import NodeProto

_DEFINED = re.compile(r"\s*(\w+)(?:\(.*?\))? :?= ")
"""The name that a line of a program defines."""


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
    return ToLangUsageError(Diagnostic(code, message, found=found, expected=expected, fix=fix))


def node_error(
    code: str, node: NodeProto, message: str, found: str | None = None, expected: str | None = None
) -> NodeError:
    """The error of a node that cannot be imported."""
    return NodeError(Diagnostic(code, f"{told(node)} {message}", found=found, expected=expected))


def told(node: NodeProto) -> str:
    """A node as messages name it: by its name, or by what it gives, and by its operator."""
    operator = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
    if node.name:
        return f"the node {node.name!r} ({operator})"
    given = next((name for name in node.output if name), None)
    return f"a node {operator}" if given is None else f"the node that gives {given!r} ({operator})"


def of_node(error: ToLangError, node: NodeProto | None, makers: Mapping[str, NodeProto]) -> NodeError:
    """An error that arose at a node, told of it: of the one that a line of the program was made for, where it has one.

    What the checker refuses, or what fails where elements are reckoned while importing, is a node that does not fit.
    """
    if isinstance(error, NodeError):
        return error
    first, *_ = error.diagnostics
    blamed = next((makers[name] for name in _definitions(first) if name in makers), node)
    where = "the model" if blamed is None else told(blamed)
    if isinstance(error, ToLangUsageError):
        return NodeError(replace(first, message=f"{where}: {first.message}"))
    unfit = replace(first, code="E703", message=f"{where}: {first.message}", fix=None)
    return UncheckedNode(unfit, first.code) if isinstance(error, ToLangCheckError) else NodeError(unfit)


def at_node(error: ToLangRunError, nodes: Sequence[ProgramNode]) -> ToLangRunError:
    """What went wrong while running, with the node in which it did."""
    first, *others = error.diagnostics
    makers = {name: node for node in nodes for name in node.definitions}
    node = next((makers[name] for name in _definitions(first) if name in makers), None)
    if node is None:
        return error
    note = Note(f"it is in the node {node.name!r} ({node.operator})")
    return ToLangRunError([replace(first, notes=(*first.notes, note)), *others])


def _definitions(found: Diagnostic) -> Iterator[str]:
    """The names of the definitions in which an error lies in a program, the innermost first."""
    span = next((one for one in _spans(found) if not one.source.library), None)
    if span is None:
        return
    line, _ = span.source.position(span.start)
    for number in range(line, 0, -1):
        text = span.source.line(number)
        defined = _DEFINED.match(text)
        if defined is not None:
            yield defined[1]
        if text and not text[0].isspace():
            return


def _spans(found: Diagnostic) -> Iterator[Span]:
    places: tuple[Any, ...] = (found, *found.notes)
    yield from (one.span for one in places if one.span is not None)
