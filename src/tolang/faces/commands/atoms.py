"""`tol atoms`: a program in the five atomic computations."""

from __future__ import annotations

from typing import Annotated

import typer

from tolang.faces.commands.run import Arguments, File, Seed


def atoms(
    file: File,
    arguments: Arguments = None,
    seed: Seed = 0,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Write the paper's signs in ASCII.")] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="The most atoms to write out.")] = 100_000,
) -> None:
    """Write a program as the five atomic computations.

    The composition is evaluated too, by the atoms alone. It is written out element by element, so sizes must be small;
    inputs that are not given are random, drawn with the seed.

    tol atoms matmul.tol n=2 k=2 m=2
    """
    from tolang.faces.given import arguments_from, binding, source_from
    from tolang.faces.terminal import progress, show_results
    from tolang.program.atoms import run_atoms
    from tolang.program.program import Program

    program = Program(source_from(file))
    with binding():
        given = arguments_from(arguments or [], {**dict.fromkeys(program.sizes), **program.inputs})
    with progress(f"writing {program.source.name} as atoms"):
        composed = run_atoms(program, inputs=given, ascii_only=ascii_only, seed=seed, limit=limit)
    drawn = {name: value for name, value in composed.inputs.items() if name not in given}
    if drawn:
        show_results(drawn)
        print()
    print(composed)
    print(f"\n{', '.join(f'{number} {name}' for name, number in composed.counts.items() if number)}")
    if composed.for_data:
        print("A length depends on the data, so this is the composition for these inputs.")
    print()
    show_results(composed.values)
