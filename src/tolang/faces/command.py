"""The command line, `tol`: what its commands have in common, and how everything that goes wrong ends.

Exit codes: 0 done, 1 the program is wrong, 2 the call is wrong, 70 an error of ours, 130 interrupted.  Each command is
a module of `tolang.faces.commands`, and imports what it needs when it runs, so that help and short work start at once.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

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
_NEGATIVE = re.compile(r"-(?:[\d.(\[|]|\w+\s*[(\[])")
"""How an expression begins that is negative."""


class Commands(TyperGroup):
    """The group of all commands: turns errors into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        from tolang.ground.reporting.diagnostics import ToLangError
        from tolang.ground.system.asking import on_command_line

        try:
            with on_command_line():
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
            from tolang.faces.terminal import OUT_OF_MEMORY

            print(OUT_OF_MEMORY, file=sys.stderr)
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
            from tolang.faces.terminal import show_internal

            show_internal(error)
            raise SystemExit(INTERNAL_ERROR) from None


class OfExpression(TyperCommand):
    """A command whose argument may begin with a minus, as in `tol eval -2^2`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for place, one in enumerate(args):
            follows_option = place > 0 and args[place - 1].startswith("-")
            if _NEGATIVE.match(one) and not follows_option and "--" not in args:
                return super().parse_args(ctx, [*args[:place], *args[place + 1 :], "--", one])
        return super().parse_args(ctx, args)


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
            settings = {"ignore_unknown_options": True} if name == "help" else None  # signs, such as ->
            kind = OfExpression if name == "eval" else TyperCommand
            app.command(name, cls=kind, context_settings=settings)(getattr(import_module(path), module))


_register()


def _warning_text(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning of ours in one line, any other as Python writes it."""
    from tolang.ground.reporting.diagnostics import ToLangWarning

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
