"""The command line, `tol`: what its commands have in common, and how everything that goes wrong ends.

Exit codes: 0 done, 1 the program is wrong, 2 the call is wrong, 70 an error of ours, 130 interrupted.  Each command is
a module of `tolang.faces.commands`, and imports what it needs when it runs, so that help and short work start at once.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tolang.faces.codes import BROKEN_PIPE, INTERNAL_ERROR, INTERRUPTED, PROGRAM_WRONG, exit_code
from tolang.ground.version import VERSION

COMMANDS = (
    ("new", "new"),
    ("run", "run"),
    ("check", "check"),
    ("fmt", "formatting"),
    ("eval", "evaluation"),
    ("repl", "repl"),
    ("help", "helping"),
    ("atoms", "atoms"),
    ("core", "core"),
    ("explain", "explain"),
    ("gradient", "gradient"),
    ("cache", "cache"),
    ("cost", "cost"),
    ("draw", "draw"),
    ("import", "importing"),
    ("compile", "compiling"),
    ("lsp", "language_server"),
    ("demo", "demo"),
)
"""Commands in the order help shows them, and their modules; the function named as its module is the command."""


class Commands(TyperGroup):
    """The group of all commands: turns errors into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        from tolang.ground.diagnostics import ToLangError

        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except ToLangError as error:
            from tolang.faces.terminal import show_error

            show_error(error)
            raise typer.Exit(exit_code(error)) from None
        except BrokenPipeError:
            _close_pipe()
            raise typer.Exit(BROKEN_PIPE) from None
        except MemoryError:
            print("error E508: there is not enough memory for this", file=sys.stderr)
            raise typer.Exit(PROGRAM_WRONG) from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().main(args, prog_name or "tol", complete_var, standalone_mode, windows_expand_args, **extra)
        except Exception as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # as Python wraps one in the midst of making a class
                raise SystemExit(INTERRUPTED) from None
            given = list(sys.argv[1:] if args is None else args)
            if "--debug" in given:
                raise
            place = _place(error)
            print(f"tol: internal error: {type(error).__name__}: {_one_line(error)} ({place})", file=sys.stderr)
            print("tol: please report it, with what `tol --debug …` shows", file=sys.stderr)
            raise SystemExit(INTERNAL_ERROR) from None


def _one_line(error: Exception) -> str:
    from tolang.ground.foreign import line

    lines = str(error).splitlines()
    return line(lines[0], 200) if lines else "no message"


def _place(error: Exception) -> str:
    """Where in the package an error arose."""
    trace = error.__traceback__
    place = "tolang"
    while trace is not None:
        code = trace.tb_frame.f_code
        if f"{os.sep}tolang{os.sep}" in code.co_filename:
            place = f"{code.co_filename.rpartition(f'{os.sep}tolang{os.sep}')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def _close_pipe() -> None:
    """Sends what is still to be written nowhere: whoever read it has gone."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(wanted: bool) -> None:
    if wanted:
        print(f"tol {VERSION}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    name="tol",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the program is wrong, 2 the call is wrong.",
)


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an internal error.")] = False,
) -> None:
    """ToLang: run, check and explore programs on tensors of lists."""


def _register() -> None:
    for name, module in COMMANDS:
        path = f"tolang.faces.commands.{module}"
        if find_spec(path) is not None:
            app.command(name)(getattr(import_module(path), module))


_register()


def _warning_text(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning of ours in one line, any other as Python writes it."""
    from tolang.ground.diagnostics import ToLangWarning

    if issubclass(category, ToLangWarning):
        return f"tol: {message}\n"
    return _python_text(message, category, filename, lineno, line)


_python_text = warnings.formatwarning


def main() -> None:
    """The entry point `tol`."""
    warnings.formatwarning = _warning_text
    try:
        app()
    finally:  # what is left is to leave: Ctrl-C does that at once, and tells nothing
        signal.signal(signal.SIGINT, signal.SIG_DFL)
