"""`tol gradient`: the gradient of a program, as a program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tolang.faces.commands.run import File


def gradient(
    file: File,
    of: Annotated[str, typer.Option("--of", metavar="NAME", help="The output that is differentiated: a numeric.")],
    by: Annotated[str, typer.Option("--by", metavar="NAMES", help="Inputs, with commas between them.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="The .tol file to write, instead of printing.")
    ] = None,
    value: Annotated[bool, typer.Option("--value", help="Give the output itself too, under its own name.")] = False,
    pullback: Annotated[
        bool, typer.Option("--pullback", help="Of any outputs, with commas between them; d_NAME is their cotangent.")
    ] = False,
    checkpoints: Annotated[
        str | None,
        typer.Option("--checkpoints", metavar="STEPS", help="Keep states of folds this many steps apart."),
    ] = None,
) -> None:
    """Write the gradient of a program as a ToLang program.

    tol gradient model.tol --of loss --by w,b

    tol gradient model.tol --of loss --by w,b --value -o gradient.tol

    The derivative by w is called d_w.
    """
    from tolang.core.source import print_source
    from tolang.data.files import refuse_unwritable, replace_file
    from tolang.faces.given import program_from
    from tolang.faces.terminal import note
    from tolang.ground.reporting.diagnostics import usage
    from tolang.syntax.formatter import format_text

    if output is not None and output.suffix.lower() != ".tol":
        raise usage("E607", f"cannot tell how to write {output}", expected="a file ending in .tol")
    if output is not None:
        refuse_unwritable(output)
    program = program_from(file, "interpret")
    outputs, inputs = ([one.strip() for one in names.split(",") if one.strip()] for names in (of, by))
    derive = program.pullback if pullback else program.gradient
    apart = int(checkpoints) if checkpoints is not None and checkpoints.isdecimal() else checkpoints
    text = format_text(print_source(derive(outputs, inputs, value=value, checkpoints=apart).core))
    if output is None:
        print(text, end="")
    else:
        replace_file(output, lambda written: written.write(text.encode("utf-8")))
        note(str(output))
