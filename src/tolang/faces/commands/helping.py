"""`tol help`: what a name of the library or the language stands for."""

from __future__ import annotations

from typing import Annotated

import typer


def _known(begun: str) -> list[str]:
    """Names that a shell may complete."""
    from tolang.program.descriptions import all_names

    return [name for name in all_names() if name.startswith(begun)]


def helping(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A definition, function or word.", autocompletion=_known)],
) -> None:
    """Tell what a name stands for: how it is called, what it computes, its EOPs, and its source.

    tol help softmax
    """
    import difflib

    from tolang.ground.diagnostics import usage
    from tolang.ground.foreign import visible_lines
    from tolang.program.descriptions import all_names, describe

    found = describe(name)
    if found is None:
        close = difflib.get_close_matches(name, all_names(), 1)
        raise usage("E603", f"there is no {name} in the library", fix=f"did you mean {close[0]}?" if close else None)
    print(visible_lines(found.text()))
