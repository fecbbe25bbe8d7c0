"""`tol core`: a program as the checker understood it."""

from __future__ import annotations

from tolang.faces.commands.run import File


def core(file: File) -> None:
    """Print the checked core of a program.

    The core is what every engine and every analysis reads: thirteen primitives, names and types.
    """
    from tolang.core.printer import print_program
    from tolang.faces.given import source_from
    from tolang.program.program import Program

    print(print_program(Program(source_from(file)).core))
