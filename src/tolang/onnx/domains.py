"""Domains of operators: ONNX's main one has two names, and none is shown as the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import NodeProto

MAIN, WRITTEN_MAIN = "", "ai.onnx"
"""The domain of most operators, and how it may be written as well."""


def plain(domain: str) -> str:
    """A domain as opsets are found by it."""
    return MAIN if domain == WRITTEN_MAIN else domain


def shown(domain: str) -> str:
    """A domain as messages tell it."""
    return domain or WRITTEN_MAIN


def operator_of(node: NodeProto) -> str:
    """The name of an operator of ONNX's main domain, where a node is of it; else the empty text."""
    name: str = node.op_type
    return name if plain(node.domain) == MAIN else ""
