"""`tol fmt`: programs in their standard form."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tolang.faces.codes import PROGRAM_WRONG

Files = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Programs, or directories of .tol files; - is the standard input.")
]


def formatting(
    files: Files,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if anything would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
) -> None:
    """Format programs in place.

    Only white space changes, comments stay, and a file with an error in it is left as it is.
    Given -, the formatted text is printed.
    """
    from tolang.faces.codes import exit_code
    from tolang.faces.given import files_from
    from tolang.faces.terminal import show_error
    from tolang.ground.reporting.diagnostics import ToLangError

    codes: set[int] = set()
    for file in files_from(files):
        try:
            if _format_one(file, check, diff) and check:
                codes.add(PROGRAM_WRONG)
        except ToLangError as error:
            show_error(error)
            codes.add(exit_code(error))
    if codes:
        raise typer.Exit(min(codes))


def _format_one(file: str, check: bool, diff: bool) -> bool:
    """Formats one file, or tells how it would change; returns whether it was not in standard form."""
    from tolang.faces.terminal import note
    from tolang.syntax.formatter import format_text

    name, text, line_end = _read(file)
    formatted = format_text(text, name)
    changed = formatted != text
    if diff and changed:
        _show_diff(name, text, formatted)
    if check and changed:
        note(f"{name} is not in standard form")
    if check or diff:
        return changed
    if file == "-":
        sys.stdout.write(formatted)
    elif changed:
        _write(Path(file), formatted.replace("\n", line_end))
        note(f"{name} formatted")
    return changed


def _read(file: str) -> tuple[str, str, str]:
    """A file's name, its text with plain line ends, and the line end it uses."""
    from tolang.faces.given import source_from
    from tolang.ground.reporting.diagnostics import usage

    source = source_from(file)
    if file == "-":
        return source.name, source.text, "\n"
    try:
        raw = Path(file).read_bytes()
    except OSError as error:
        raise usage("E604", f"cannot read {file}: {error.strerror}") from None
    return source.name, source.text, "\r\n" if b"\r\n" in raw else "\n"


def _write(path: Path, text: str) -> None:
    from tolang.data.files import replace_file

    content = text.encode("utf-8")
    replace_file(path, lambda file: file.write(content))


def _show_diff(name: str, before: str, after: str) -> None:
    from difflib import unified_diff

    from tolang.faces.terminal import styled
    from tolang.ground.reporting.escaping import visible

    styles = {"+": "good", "-": "error", "@": "name"}
    old, new = (text.removesuffix("\n").split("\n") for text in (before, after))
    for line in unified_diff(old, new, visible(name), f"{visible(name)} (formatted)", lineterm=""):
        print(styled(line, styles[line[0]]) if line[:1] in styles else visible(line))
