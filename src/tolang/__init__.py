"""ToLang: tensors of lists, thirteen primitives, and the exact cost of a program before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tolang.driver.data import read, write
    from tolang.driver.engines import set_threads
    from tolang.driver.program import Program, compile, evaluate
    from tolang.ground.diagnostics import (
        ToLangCheckError,
        ToLangError,
        ToLangRunError,
        ToLangSyntaxError,
        ToLangUsageError,
        ToLangWarning,
    )
    from tolang.ground.values import ToL

__version__ = "0.1.0"

_HOMES = {
    "Program": "tolang.driver.program", "compile": "tolang.driver.program", "evaluate": "tolang.driver.program",
    "set_threads": "tolang.driver.engines", "ToL": "tolang.ground.values", "ToLangError": "tolang.ground.diagnostics",
    "ToLangSyntaxError": "tolang.ground.diagnostics", "ToLangCheckError": "tolang.ground.diagnostics",
    "ToLangRunError": "tolang.ground.diagnostics", "ToLangUsageError": "tolang.ground.diagnostics",
    "ToLangWarning": "tolang.ground.diagnostics",
    "read": "tolang.driver.data", "write": "tolang.driver.data",
}  # fmt: skip
__all__ = [
    "Program", "ToL", "ToLangCheckError", "ToLangError", "ToLangRunError", "ToLangSyntaxError", "ToLangUsageError",
    "ToLangWarning", "__version__", "compile", "evaluate", "read", "set_threads", "write",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first asked for, so that importing the package stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tolang' has no attribute {name!r}")
    import importlib

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
