"""`tol eval`: the value of one expression."""

from __future__ import annotations

from typing import Annotated

import typer

from tolang.faces.commands.run import Seed


def evaluation(
    expression: Annotated[
        str, typer.Argument(metavar="EXPR", help="An expression; - reads it from the standard input.")
    ],
    seed: Seed = 0,
    use: Annotated[
        list[str] | None, typer.Option("--use", "-u", metavar="MODULE", help="A module to use: linalg, helpers.tol.")
    ] = None,
    show_type: Annotated[bool, typer.Option("--type", "-t", help="Show the type list and shape too.")] = False,
) -> None:
    """Evaluate one expression and print its value.

    tol eval "reduce([1,2,3,4,5], add, 0)"
    """
    from tolang.faces.given import source_from
    from tolang.faces.terminal import progress
    from tolang.ground.values.printing import type_notation
    from tolang.program.expressions import evaluate_expression

    text = source_from("-").text if expression == "-" else expression
    with progress("evaluating"):
        value = evaluate_expression(text, seed, use=use or ())
    for part in value if isinstance(value, tuple) else (value,):
        print(f"{type_notation(part)} = {part}" if show_type else part)
