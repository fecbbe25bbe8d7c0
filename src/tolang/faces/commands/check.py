"""`tol check`: whether programs are right, before they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tolang.faces.codes import PROGRAM_WRONG, exit_code
from tolang.faces.commands.formatting import Files
from tolang.ground.reporting.escaping import line

if TYPE_CHECKING:
    from tolang.program.laws import LawReport
    from tolang.program.program import Program


def check(
    files: Files,
    laws: Annotated[
        bool, typer.Option("--laws", help="Test functions declared associative on generated values.")
    ] = False,
    derivatives: Annotated[
        bool, typer.Option("--derivatives", help="Test derivatives that definitions carry against differences.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Check programs, or ONNX models: names, shapes, spaces and types.

    For a program that is right its inputs, outputs and exported functions are printed, what it assumes of sizes, as
    `k = n` or `n >= 2`, and warnings of what it computes again and again; for any other all its errors.
    """
    from tolang.faces.given import files_from, program_from
    from tolang.faces.terminal import show_error, styled
    from tolang.ground.reporting.diagnostics import ToLangError

    codes: set[int] = set()
    for file in files_from(files):
        try:
            program = program_from(file)
        except ToLangError as error:
            show_error(error)
            codes.add(exit_code(error))
            continue
        if not quiet:
            _show_warnings(program)
            print(f"{line(program.source.name)}: {styled('ok', 'good')}")
            _show_interface(program)
        if laws and not _check_laws(program, quiet):
            codes.add(PROGRAM_WRONG)
        if derivatives and not _check_derivatives(program, quiet):
            codes.add(PROGRAM_WRONG)
    if codes:
        raise typer.Exit(min(codes))


def _show_interface(program: Program) -> None:
    from tolang.faces.given import model_names, own_inputs

    shown, inputs = model_names(program), own_inputs(program)
    for name, kind in inputs.items():
        print(f"  input    {line(shown.get(name, name))}: {kind}")
    given = {str(length) for kind in inputs.values() for length in kind.shape}
    for name in program.sizes:
        if name not in given:
            print(f"  size     {name}")
    for name, kind in program.outputs.items():
        print(f"  output   {line(shown.get(name, name))}: {kind}")
    for assumed in program.cost().assumptions if program.outputs else ():
        print(f"  assumes  {assumed}")
    for name in program.functions:
        print(f"  function {name}({', '.join(program.function(name).parameters)})")


def _show_warnings(program: Program) -> None:
    """Shows what a program that a user wrote computes again and again, or rounds before it is exact."""
    from tolang.faces.terminal import show_warnings
    from tolang.program.warned import warnings_of

    show_warnings(warnings_of(program.core))


def _check_laws(program: Program, quiet: bool) -> bool:
    """Tests the laws a program declares; returns whether none was broken."""
    from tolang.faces.terminal import progress
    from tolang.program.laws import check_laws

    with progress("testing laws"):
        reports = check_laws(program.module)
    return _show_reports("law", reports, "associative", quiet)


def _check_derivatives(program: Program, quiet: bool) -> bool:
    """Tests the derivatives that definitions carry; returns whether none was wrong."""
    from tolang.faces.terminal import progress
    from tolang.program.own_derivatives import check_derivatives

    with progress("testing derivatives"):
        reports = check_derivatives(program.module)
    return _show_reports("derivative", reports, "right", quiet)


def _show_reports(what: str, reports: list[LawReport], good: str, quiet: bool) -> bool:
    """Shows what tests found; returns whether nothing was refuted."""
    from tolang.faces.terminal import show_error
    from tolang.ground.reporting.diagnostics import ToLangCheckError

    broken = [report.broken for report in reports if report.broken is not None]
    if broken:
        show_error(ToLangCheckError(broken))
    for report in reports:
        if report.broken is None and not quiet:
            tested = f"{good} in {report.cases} cases of {', '.join(report.types)}" if report.cases else ""
            print(f"  {what:<8} {report.name}: {'; '.join(text for text in (tested, report.remark) if text)}")
    if not reports and not quiet:
        print(f"  {what:<8} none is declared")
    return not broken
