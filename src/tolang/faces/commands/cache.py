"""`tol cache`: what was compiled and checked, kept on disk."""

from __future__ import annotations

from typing import Annotated

import typer


def cache(action: Annotated[str, typer.Argument(help="show, where or clear")] = "show") -> None:
    """Show what is kept of programs compiled before, where it is, or clear it."""
    from tolang.ground.reporting.diagnostics import usage
    from tolang.ground.reporting.escaping import visible
    from tolang.ground.system.memory import bytes_text
    from tolang.store.cache import CHECKED, LARGEST_FOLDER, clear, entries, folder

    place = visible(str(folder() or "nothing is cached: TOL_CACHE_DIR is off, or there is no place for it"))
    if action == "clear":
        print(f"removed {clear()} entries")
    elif action == "where":
        print(place)
    elif action == "show":
        print(place)
        kept = entries()
        checked = sum(path.suffix == CHECKED for _, _, path in kept)
        size, most = bytes_text(sum(size for _, size, _ in kept)), bytes_text(LARGEST_FOLDER)
        print(f"{checked} checked programs, {len(kept) - checked} pieces of machine code: {size} of at most {most}")
    else:
        raise usage("E601", f"tol cache cannot {action!r}", expected="show, where, clear")
