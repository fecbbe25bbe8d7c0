"""The command `tol`, which is `python -m tolang` as well."""

from __future__ import annotations

import _thread
import sys
from typing import Any


def _told_later(lost: Any, show: Any = sys.unraisablehook) -> None:
    """An interrupt where nothing can be raised, as in a destructor, is sent once more."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        _thread.interrupt_main()
    else:
        show(lost)


def main() -> None:
    """Loads the command line and runs it; interrupted at any moment, it ends as one that was interrupted."""
    sys.unraisablehook = _told_later
    try:
        from tolang.faces.command import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
