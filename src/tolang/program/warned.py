"""Warnings of a program that is right and could be better: repeated work, and rationals that are rounded."""

from __future__ import annotations

from tolang.core.core import Core
from tolang.ground.reporting.diagnostics import Diagnostic
from tolang.program.repeated import repeated
from tolang.program.rounded import rounded


def warnings_of(core: Core) -> tuple[Diagnostic, ...]:
    """Every warning of a program, each kind in the order of the text."""
    return (*repeated(core), *rounded(core))
