"""`tol explain`: how a program runs."""

from __future__ import annotations

from typing import Annotated

import typer

from tolang.faces.commands.pieces import IN_PIECES, explain_pieces
from tolang.faces.commands.run import File


def explain(
    file: File,
    sizes: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME=NUMBER", help="Sizes and numbers (n=200000), to tell how it is cut into pieces."),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print the core, the whole plan, and the strategy of every nest.")
    ] = False,
    strict: bool = False,
    memory: Annotated[str | None, typer.Option("--memory", metavar="BYTES", help=IN_PIECES)] = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=0, help="Cut it for this number of workers of one thread each.")
    ] = 0,
) -> None:
    """Print how a program runs: a line for each definition, with what is slow or interpreted first.

    tol explain matmul.tol

    tol explain matmul.tol --full

    tol explain model.onnx

    tol explain matmul.tol n=200000 k=200000 m=200000 --workers 16 --memory 8GB

    The whole plan has the program's core, the loop nests it becomes, and the strategy of each; of a model also what is
    made of its weights before the first run.  With sizes it is told instead how the program is cut into pieces, and
    what these move and hold.
    """
    from tolang.faces.given import program_from
    from tolang.faces.terminal import terminal_width

    program = program_from(file, "cpu", strict)
    if sizes or memory is not None or workers:
        print(explain_pieces(program, sizes or [], memory, workers), end="")
        return
    told = program.explain()
    print(told.full if full else told.text(terminal_width()), end="")
