"""`tol cache`: machine code kept on disk."""

from __future__ import annotations

from typing import Annotated

import typer


def cache(action: Annotated[str, typer.Argument(help="clear, or where")] = "where") -> None:
    """Show where compiled code is kept, or clear it."""
    from tolang.driver.binding import usage
    from tolang.engines.cpu.cache import clear, folder

    if action == "clear":
        print(f"removed {clear()} entries")
    elif action == "where":
        print(folder() or "nothing is kept: TOL_CACHE_DIR is off")
    else:
        raise usage("E601", f"tol cache cannot {action!r}", expected="clear, where")
