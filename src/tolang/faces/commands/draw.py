"""`tol draw`: a program as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tolang.faces.commands.run import File


def draw(
    file: File,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=VALUE", help="Inputs that a model's program is made for: shapes, axes and counts (steps=8)."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PICTURE", help="The .svg file to write.")
    ] = None,
) -> None:
    """Draw a program: ToLs as boxes, primitives and functions between them, one drawing for each definition.

    tol draw matmul.tol -o matmul.svg

    tol draw model.onnx -o model.svg

    Calls of the library are one node each; a model is drawn node by node.  Without -o the drawing is text.
    """
    from tolang.data.files import refuse_unwritable, replace_file
    from tolang.faces.drawing.outline import outline_of
    from tolang.faces.drawing.programs import levels_of
    from tolang.faces.drawing.svg import svg_of
    from tolang.faces.given import arguments_from, binding, is_model, model_from, program_from
    from tolang.faces.terminal import note
    from tolang.ground.reporting.diagnostics import usage
    from tolang.ground.reporting.escaping import line

    if output is not None:
        if output.suffix.lower() != ".svg":
            raise usage("E607", f"cannot tell how to draw {output}", expected="a file ending in .svg")
        refuse_unwritable(output)
    name = "<stdin>" if file == "-" else line(Path(file).name)
    if is_model(file):
        from tolang.faces.drawing.models import level_of_model

        with binding():
            model = model_from(file, "interpret").program_for(arguments_from(arguments or [], {}))
        levels = [level_of_model(model, name)]
    elif arguments:
        raise usage("E603", f"{file} is drawn for all data at once", found=arguments[0], expected="no arguments")
    else:
        core = program_from(file, "interpret").core
        if not core.outputs:
            raise usage("E602", "the program exports no value", fix="export what to draw: result := …")
        levels = levels_of(core, name)
    if output is None:
        print(outline_of(levels))
        return
    picture = svg_of(levels)
    replace_file(output, lambda written: written.write(picture.encode("utf-8")))
    note(str(output))
