"""Exit codes of the command line: 0 is done, and what the others say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tolang.ground.reporting.diagnostics import ToLangError

PROGRAM_WRONG = 1
CALL_WRONG = 2
INTERNAL_ERROR = 70
INTERRUPTED = 130
BROKEN_PIPE = 141


def exit_code(error: ToLangError) -> int:
    """2 where the call is wrong, 1 where the program is."""
    from tolang.ground.reporting.diagnostics import ToLangUsageError

    return CALL_WRONG if isinstance(error, ToLangUsageError) else PROGRAM_WRONG
