"""ToLang: tensors of lists, thirteen primitives, and the exact cost of a program before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.ground.version import VERSION as __version__

if TYPE_CHECKING:
    from tolang import jax as jax
    from tolang import onnx as onnx
    from tolang import torch as torch
    from tolang.data import read, write
    from tolang.ground.reporting.diagnostics import (
        ToLangCheckError,
        ToLangError,
        ToLangRunError,
        ToLangSyntaxError,
        ToLangUsageError,
        ToLangWarning,
    )
    from tolang.ground.values.values import ToL
    from tolang.program.expressions import evaluate
    from tolang.program.loading import load
    from tolang.program.program import Program, compile
    from tolang.program.runner import set_threads


_HOMES = {
    "Program": "tolang.program.program", "compile": "tolang.program.program", "evaluate": "tolang.program.expressions",
    "set_threads": "tolang.program.runner", "ToL": "tolang.ground.values.values",
    "ToLangError": "tolang.ground.reporting.diagnostics", "ToLangSyntaxError": "tolang.ground.reporting.diagnostics",
    "ToLangCheckError": "tolang.ground.reporting.diagnostics", "ToLangRunError": "tolang.ground.reporting.diagnostics",
    "ToLangUsageError": "tolang.ground.reporting.diagnostics", "ToLangWarning": "tolang.ground.reporting.diagnostics",
    "load": "tolang.program.loading", "read": "tolang.data", "write": "tolang.data",
}  # fmt: skip
__all__ = [
    "Program", "ToL", "ToLangCheckError", "ToLangError", "ToLangRunError", "ToLangSyntaxError", "ToLangUsageError",
    "ToLangWarning", "__version__", "compile", "evaluate", "load", "read", "set_threads", "write",
]  # fmt: skip


_MODULES = ("jax", "onnx", "torch")
"""Modules for users, each of which needs a library of its name."""


if not TYPE_CHECKING:  # for whom every name would be known

    def __getattr__(name: str) -> Any:
        """Loads a public name when it is first asked for, so that importing the package stays fast."""
        if name not in _HOMES and name not in _MODULES:
            raise AttributeError(f"module 'tolang' has no attribute {name!r}")
        import importlib

        if name in _MODULES:
            return importlib.import_module(f"tolang.{name}")
        return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext tolang` calls: `%%tol` cells in notebooks."""
    from tolang.faces.notebook.magics import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext tolang` calls."""
    from tolang.faces.notebook.magics import unload

    unload(shell)
