"""`tol import`: an ONNX model as ToLang that a person can read, with its weights beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tolang.faces.commands.run import Operators


def importing(
    file: Annotated[str, typer.Argument(metavar="MODEL", help="An ONNX model.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="OUT", help="The .tol file to write; weights go to a .npz beside it."),
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=VALUE",
            help="Inputs that the program is made for: shapes, axes and counts (steps=8), and data of an open rank.",
        ),
    ] = None,
    operators: Operators = None,
) -> None:
    """Write an ONNX model as a ToLang program, with its weights beside it.

    tol import model.onnx -o model.tol

    tol run model.tol x=picture.npy
    """
    from tolang.data import refuse_output, write_results
    from tolang.data.files import refuse_unwritable, replace_file
    from tolang.faces.given import arguments_from, binding, is_model, model_from
    from tolang.faces.terminal import note
    from tolang.ground.reporting.diagnostics import usage
    from tolang.ground.reporting.escaping import visible

    if not is_model(file):
        raise usage("E607", f"cannot tell what kind of model {file} is", expected="a file ending in .onnx")
    if output.suffix.lower() != ".tol":
        raise usage("E607", f"cannot tell how to write {output}", expected="a file ending in .tol")
    weights = output.with_suffix(".npz")
    refuse_unwritable(output)
    refuse_output(weights)
    model = model_from(file, "interpret", operators=operators)
    with binding():
        program = model.program_for(arguments_from(arguments or [], {}))
    given = " ".join(f"{name}=…" for name in program.inputs if name not in program.weights)
    head = visible(f"{Path(file).name} as ToLang: tol run {output.name} {given}")
    comments = [head, *map(visible, program.legend())]
    text = "".join(f"# {one}\n" for one in comments) + f"\n{program.source.text}"
    if program.weights:
        write_results(weights, program.weights)
    replace_file(output, lambda written: written.write(text.encode("utf-8")))
    note(f"{output}" + (f" and {weights}" if program.weights else ""))
