"""Domains of operators: ONNX's main one has two names, and none is shown as the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import NodeProto

MAIN, WRITTEN_MAIN = "", "ai.onnx"
"""The domain of most operators, and how it may be written as well."""

OWN_DOMAINS = frozenset({MAIN, "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training"})
"""The domains of ONNX itself; no name is in two of them."""
LIBRARY_DOMAINS = OWN_DOMAINS | {"com.microsoft"}
"""The domains whose operators have definitions in the library."""

MACHINE_DOMAINS = frozenset({"com.microsoft.nchwc", "com.ms.internal.nhwc"})
"""Domains that onnxruntime's optimiser writes for the machine it runs on: weights are in blocks of a length that only
that machine tells, and the model does not."""


def plain(domain: str) -> str:
    """A domain as opsets are found by it."""
    return MAIN if domain == WRITTEN_MAIN else domain


def shown(domain: str) -> str:
    """A domain as messages tell it."""
    return domain or WRITTEN_MAIN


def operator_of(node: NodeProto) -> str:
    """The name of an operator, with its domain where that is not ONNX's main one."""
    domain: str = plain(node.domain)
    return f"{domain}.{node.op_type}" if domain else str(node.op_type)
