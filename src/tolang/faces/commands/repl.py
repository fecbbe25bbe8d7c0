"""`tol repl`: a prompt to try the language at."""

from __future__ import annotations

from typing import Annotated

import typer

from tolang.faces.codes import PROGRAM_WRONG
from tolang.faces.commands.run import Seed


def repl(
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="A program to load first.")] = None,
    seed: Seed = 0,
) -> None:
    """Evaluate definitions and expressions as you type them.

    In a terminal there are history, completion with Tab and several lines; :help tells more. From a pipe, entries are
    read until its end, and the exit code is 1 if one of them was wrong.
    """
    from pathlib import Path

    from tolang.faces.repl import repeat
    from tolang.program.session import Session

    session = Session(seed)
    if file is not None:
        session.load(Path(file))
    if not repeat(session):
        raise typer.Exit(PROGRAM_WRONG)
