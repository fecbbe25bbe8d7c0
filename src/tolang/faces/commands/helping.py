"""`tol help`: what a name of the library or the language stands for, and what there is."""

from __future__ import annotations

from typing import Annotated

import typer


def _known(begun: str) -> list[str]:
    """Names that a shell may complete."""
    from tolang.program.descriptions import all_names
    from tolang.program.topics import all_topics

    return [name for name in (*all_names(), *all_topics()) if name.startswith(begun)]


def helping(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="A definition, function, word, sign, module or error code.", autocompletion=_known
        ),
    ] = None,
) -> None:
    """Tell what a name stands for: how it is called, what it computes, its EOPs, and its source.

    tol help softmax

    tol help tables

    tol help E303

    Without a name it tells what there is.
    """
    from tolang.faces.command import COMMANDS
    from tolang.faces.terminal import terminal_width
    from tolang.ground.reporting.diagnostics import usage
    from tolang.ground.reporting.escaping import visible_lines
    from tolang.program.topics import explained, overview, unknown_topic

    asked = names or []
    found = [explained(name, width=terminal_width()) for name in asked]
    if len(asked) > 1 and None in found:
        fix = "quote a star: tol help '*'"
        raise usage("E603", f"there is no {asked[found.index(None)]} in the library", fix=fix)
    if asked and found[0] is None:
        if asked[0] in dict(COMMANDS):
            raise usage("E603", f"{asked[0]} is a command", fix=f"tol {asked[0]} --help")
        raise unknown_topic(asked[0])
    print(visible_lines("\n\n\n".join(text for text in found if text) or overview()))
