"""`tol explain`: how a program runs."""

from __future__ import annotations

from tolang.faces.commands.run import File


def explain(file: File, strict: bool = False) -> None:
    """Print a program's core, the loop nests it becomes, and the kernels chosen for them.

    What compiled code cannot take, and is left to the interpreter, is listed too.
    """
    from tolang.faces.given import source_from
    from tolang.program.explain import explain as explanation
    from tolang.program.program import Program

    print(explanation(Program(source_from(file)).core, strict), end="")
