"""`tol explain`: how a program runs."""

from __future__ import annotations

from tolang.faces.commands.run import File


def explain(file: File, strict: bool = False) -> None:
    """Print a program's core, the loop nests it becomes, and the strategy of each.

    tol explain matmul.tol

    tol explain model.onnx

    What compiled code cannot take, and is left to the interpreter, is listed too; of a model also what is made of its
    weights before the first run.
    """
    from tolang.faces.given import program_from

    print(program_from(file, "cpu", strict).explain(), end="")
