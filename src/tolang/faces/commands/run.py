"""`tol run`: a program with its data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tolang.driver.binding import Job
    from tolang.driver.program import Program

File = Annotated[
    str, typer.Argument(metavar="FILE", help="A ToLang program, or an ONNX model; - is the standard input.")
]
Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME=VALUE",
        help="Inputs and sizes by name: a number or other constant of the language (n=3, v=[1,2,3]), text (s=@hello), "
        "or a file (a=data.npy, also .npz, .json, .csv; a=data.npz:key takes one of several). "
        "A .npz or .json file by itself gives all inputs it names.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="What rand starts from.")]
Function = Annotated[str | None, typer.Option("--function", "-f", metavar="NAME", help="Call an exported function.")]


def run(
    file: File,
    arguments: Arguments = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Write results to a .npz, .npy, .json or .csv file."),
    ] = None,
    function: Function = None,
    engine: Annotated[
        str,
        typer.Option("--engine", metavar="NAME", help="cpu (machine code), interpret, or auto: cpu if worth it."),
    ] = "auto",
    no_fallback: Annotated[
        bool, typer.Option("--no-fallback", help="Refuse what the engine cannot run, instead of interpreting it.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Keep the order of every fold, bit for bit.")] = False,
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help="Run compiled code on so many threads.")
    ] = None,
    seed: Seed = 0,
    max_eops: Annotated[
        str | None, typer.Option("--max-eops", metavar="N", help="Refuse to run if it costs more, such as 1e9.")
    ] = None,
    max_memory: Annotated[
        str | None, typer.Option("--max-memory", metavar="BYTES", help="Refuse to run if it needs more, such as 2G.")
    ] = None,
) -> None:
    """Run a program on data and print its outputs.

    tol run matmul.tol a=a.npy b=b.npy -o product.npy
    """
    from tolang.driver.data import refuse_output, write_results
    from tolang.faces.given import amount, program_from
    from tolang.faces.terminal import note, progress, show_results

    limits = amount(max_eops, "--max-eops"), amount(max_memory, "--max-memory", 1024)
    program = program_from(file, engine, strict, not no_fallback, threads)
    if output is not None:
        refuse_output(output, None if function else program.outputs)
    job = _job(program, function, arguments or [])
    if any(limit is not None for limit in limits):
        from tolang.driver.cost import check_limits

        check_limits(job.core, job.sizes, *limits, inputs=job.inputs)
    with progress(f"running {program.source.name}"):
        results = program.run(job, seed)
    for reason in program.runner.fallbacks:
        note(f"interpreted instead of compiled: {reason}")
    if output is None:
        show_results(results)
    else:
        write_results(output, results)
        note(f"{output}: {', '.join(results)}")


def _job(program: Program, function: str | None, arguments: list[str]) -> Job:
    """The program, or one of its functions, with its data."""
    from tolang.core.types import Type
    from tolang.faces.given import arguments_from, binding

    wanted: dict[str, Type | None] = {**dict.fromkeys(program.sizes), **program.inputs}
    if function is None:
        with binding():
            return program.job((), arguments_from(arguments, wanted))
    exported = program.function(function)
    wanted.update(dict.fromkeys(exported.parameters))
    with binding():
        return exported.job((), arguments_from(arguments, wanted))
