"""`tol compile`: an ONNX model compiled ahead of time."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from tolang.faces.commands.run import Operators


def compiling(
    file: Annotated[str, typer.Argument(metavar="MODEL", help="An ONNX model.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=VALUE",
            help="Sizes to compile for (batch=8), and inputs that the program is made for: shapes, axes, counts.",
        ),
    ] = None,
    operators: Operators = None,
) -> None:
    """Compile an ONNX model ahead of time: later runs of it start at once.

    tol compile model.onnx batch=8

    tol run model.onnx x=picture.npy

    All of its code is compiled to be fast, and kept where `tol cache` shows it.
    """
    from tolang.faces.given import arguments_from, binding, is_model, model_from
    from tolang.faces.terminal import note
    from tolang.ground.reporting.diagnostics import usage

    if not is_model(file):
        raise usage("E607", f"cannot tell what kind of model {file} is", expected="a file ending in .onnx")
    os.environ["TOL_COMPILE"] = "full"
    model = model_from(file, "cpu", operators=operators)
    known = arguments_from(arguments or [], {})
    with binding():
        program = model.program_for(known)
        variant = model.variant_for(known)
    named = {variant.own_name(name, value): value for name, value in known.items() if isinstance(value, int)}
    kernels = program.compile_ahead({name: value for name, value in named.items() if name in program.sizes} or None)
    left = "".join(f"\n  left to the interpreter: {one}" for one in program.fallbacks)
    note(f"{file}: {kernels} kernels{left}")
