"""Errors of importing: a model that is damaged, hostile, or beyond what is supported."""

from __future__ import annotations

from tolang.ground.diagnostics import Diagnostic, ToLangUsageError


def model_error(
    code: str, message: str, found: str | None = None, expected: str | None = None, fix: str | None = None
) -> ToLangUsageError:
    """The error of a model that cannot be imported, or of data that does not fit it."""
    return ToLangUsageError(Diagnostic(code, message, found=found, expected=expected, fix=fix))
