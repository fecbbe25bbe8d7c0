"""`tol import`: an ONNX model as ToLang that a person can read, with its weights beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def importing(
    file: Annotated[str, typer.Argument(metavar="MODEL", help="An ONNX model.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="OUT", help="The .tol file to write; weights go to a .npz beside it."),
    ],
) -> None:
    """Write an ONNX model as a ToLang program, with its weights beside it.

    tol import model.onnx -o model.tol
    """
    from tolang.driver.data import write_results
    from tolang.driver.files import replace_file
    from tolang.faces.given import program_from
    from tolang.faces.terminal import note
    from tolang.onnx.model import ModelProgram

    program = program_from(file, "interpret")
    assert isinstance(program, ModelProgram)
    weights = output.with_suffix(".npz")
    told = f"tol run {output.name} {weights.name} …" if program.weights else f"tol run {output.name} …"
    text = f"# {Path(file).name} as ToLang: {told}\n\n{program.source.text}"
    if program.weights:
        write_results(weights, program.weights)
    replace_file(output, lambda written: written.write(text.encode("utf-8")))
    note(f"{output}" + (f" and {weights}" if program.weights else ""))
