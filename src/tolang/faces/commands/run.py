"""`tol run`: a program with its data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tolang.faces.commands.pieces import IN_PIECES, PiecesPlace, run_in_pieces

if TYPE_CHECKING:
    from tolang.data.binding import Job
    from tolang.data.results import Result
    from tolang.onnx.model import Model
    from tolang.program.program import Program

NO_MEMBER = frozenset("/\\:\0")
"""Signs that names in files cannot have; a model with such names has those of its program there."""


def _begun(ctx: typer.Context, incomplete: str) -> list[str]:
    """What a shell completes an argument to."""
    from tolang.faces.given import begun_inputs

    return begun_inputs(ctx, incomplete)


File = Annotated[
    str, typer.Argument(metavar="FILE", help="A ToLang program, or an ONNX model; - is the standard input.")
]
Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME=VALUE",
        help="Inputs and sizes by name: a number or other constant of the language (n=3, v=[1,2,3]), text (s=@hello), "
        "or a file (a=data.npy, also .npz, .json, .csv, .parquet, .arrow, .txt, .png; a=data.npz:key takes one of "
        "several, t=table.csv:age a column). A file with values or columns by name, by itself, gives all inputs it "
        "names.",
        autocompletion=_begun,
    ),
]
Operators = Annotated[
    Path | None,
    typer.Option(
        "--operators", metavar="FILE", help="Define further operators of a model: com_example_Swish(x, beta=1) = …"
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="What rand starts from.")]
Function = Annotated[str | None, typer.Option("--function", "-f", metavar="NAME", help="Call an exported function.")]


def run(
    file: File,
    arguments: Arguments = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Write results to a file: .npz, .npy, .json, .csv, .parquet, .arrow, .txt, .png.",
        ),
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
        int | None, typer.Option("--threads", metavar="N", help="Number of threads for compiled code.")
    ] = None,
    operators: Operators = None,
    seed: Seed = 0,
    max_eops: Annotated[
        str | None, typer.Option("--max-eops", metavar="N", help="Refuse to run if it costs more, such as 1e9.")
    ] = None,
    max_memory: Annotated[
        str | None, typer.Option("--max-memory", metavar="BYTES", help="Refuse to run if it needs more, such as 2G.")
    ] = None,
    memory: Annotated[str | None, typer.Option("--memory", metavar="BYTES", help=IN_PIECES)] = None,
    workers: Annotated[int, typer.Option("--workers", metavar="N", min=0, help="Number of worker processes.")] = 0,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="ADDRESS", help="Run on a Dask cluster (tcp://host:8786).")
    ] = None,
) -> None:
    """Run a program, or an ONNX model, on data and print its outputs.

    tol run matmul.tol a=a.npy b=b.npy -o product.npy

    tol run model.onnx x=picture.npy -o result.npz

    Inputs of model.tol that are not given are taken from model.npz beside it, where `tol import` writes weights.
    """
    from tolang.data import refuse_output, write_results
    from tolang.faces.given import model_names
    from tolang.faces.terminal import data_progress, note, progress, show_results
    from tolang.ground.reporting.quantities import amount

    limits = amount(max_eops, "--max-eops"), amount(max_memory, "--max-memory")
    program, given = _program(file, arguments or [], engine, strict, not no_fallback, threads, operators)
    where = PiecesPlace(memory, workers, cluster)
    if output is not None and (where.is_here or output.suffix.lower() != ".zarr"):
        refuse_output(output, None if function else program.outputs)
    if not where.is_here:
        _refuse_beside_pieces(function, engine, max_eops or max_memory, file)
        run_in_pieces(program, given, output, where, seed)
        return
    with data_progress():
        job = _job(program, function, given, file)
    if any(limit is not None for limit in limits):
        from tolang.program.costing import check_limits

        program.runner.memory = check_limits(job.core, job.sizes, *limits, inputs=job.inputs)
    with progress(f"running {program.source.name}"):
        results = program.run(job, seed)
    results = {name: _named(program, name, value) for name, value in results.items()}
    own = model_names(program)
    if output is None or not any(set(name) & NO_MEMBER for name in own.values()):
        results = {own.get(name, name): value for name, value in results.items()}
    for reason in program.runner.fallbacks:
        note(f"interpreted instead of compiled: {reason}")
    if output is None:
        show_results(results)
    else:
        with data_progress():
            write_results(output, results)
        note(f"{output}: {', '.join(results)}")


def _refuse_beside_pieces(function: str | None, engine: str, limits: str | None, file: str) -> None:
    """Programs run in pieces as a whole, and compiled."""
    from tolang.faces.given import is_model
    from tolang.ground.reporting.diagnostics import usage

    told = {
        "--function": function is not None,
        "--engine interpret": engine == "interpret",
        "--max-eops and --max-memory": limits is not None,
        "an ONNX model": is_model(file),
    }
    for what, is_given in told.items():
        if is_given:
            raise usage("E618", f"programs in pieces and {what} do not go together")


def _program(
    file: str,
    arguments: list[str],
    engine: str,
    strict: bool,
    fallback: bool,
    threads: int | None,
    operators: Path | None,
) -> tuple[Program, list[str]]:
    """The program of a file, and the arguments left for it: a model may be made for some of what it is given."""
    from tolang.faces.given import is_model, model_from, program_from, refuse_operators
    from tolang.ground.reporting.diagnostics import ToLangCheckError

    if not is_model(file):
        refuse_operators(operators)
        return program_from(file, engine, strict, fallback, threads), arguments
    model = model_from(file, engine, strict, fallback, threads, operators)
    try:
        return (_made_for(model, arguments) if model.open_inputs else model.program), _left(model, arguments)
    except ToLangCheckError:
        return _made_for(model, arguments), _left(model, arguments)


def _left(model: Model, arguments: list[str]) -> list[str]:
    """The arguments that the program of a model still takes."""
    return [one for one in arguments if one.partition("=")[0].strip() not in model.static]


def _made_for(model: Model, arguments: list[str]) -> Program:
    """A model's program for data of which some must be known before it is made, such as a shape."""
    from tolang.faces.given import arguments_from, binding

    with binding():
        return model.program_for(arguments_from(arguments, {}, names={one.name: one.name for one in model.inputs}))


def _job(program: Program, function: str | None, arguments: list[str], file: str) -> Job:
    """The program, or one of its functions, with its data."""
    from tolang.core.types import Type
    from tolang.data.binding import sort_arguments
    from tolang.faces.given import arguments_from, binding, model_names, own_inputs

    wanted: dict[str, Type | None] = {**dict.fromkeys(program.sizes), **program.inputs}
    if function is None:
        shown = model_names(program)
        with binding():
            given = arguments_from(arguments, wanted, names={own: name for name, own in shown.items()})
            if shown:  # what is wrong with the names is told in the model's own
                inputs = {shown.get(name, name): kind for name, kind in own_inputs(program).items()}
                sort_arguments(inputs, program.sizes, (), {shown.get(name, name): one for name, one in given.items()})
            return program.job((), {**_beside(program, given, file), **given})
    exported = program.function(function)
    wanted.update(dict.fromkeys(exported.parameters))
    with binding():
        return exported.job((), arguments_from(arguments, wanted))


def _named(program: Program, name: str, value: Result) -> Result:
    """A result with the names that a model gives to scores, which are those of the components of its lists."""
    labels = program.__dict__.get("labels", {}).get(name)
    if not labels or isinstance(value, tuple):
        return value
    from tolang.onnx.naming import named_columns

    return named_columns(name, value, labels)


def _beside(program: Program, given: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Data for inputs that are not given, from the .npz file beside the program, if there is one."""
    from tolang.data import read_all

    weights = Path(file).with_suffix(".npz")
    missing = [name for name in program.inputs if name not in given]
    if not file.endswith(".tol") or not missing or not weights.is_file():
        return {}
    held = read_all(weights, program.inputs)
    return {name: held[name] for name in missing if name in held}
