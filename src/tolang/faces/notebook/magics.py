"""What can be said in a notebook: `%%tol`, `%tol`, `%tol_cost`, `%tol_list` and `%tol_reset`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from IPython.core.magic import no_var_expand
from IPython.display import display

from tolang.data.binding import whole_seed, whole_threads
from tolang.data.results import Result
from tolang.faces.notebook.completion import matcher
from tolang.faces.notebook.functions import NotebookFunction
from tolang.faces.notebook.workspace import CellOptions, Ran, Workspace, handed
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.reporting.escaping import visible_lines
from tolang.ground.reporting.whole_numbers import whole_number
from tolang.ground.values.printing import type_notation
from tolang.ground.values.values import ToL
from tolang.program.cost import Cost
from tolang.program.runner import engine_names
from tolang.program.session import head_text

_OPTION = re.compile(r"\s*--(?:(strict|cost)(?=\s|$)|([a-z]+)(?:[=\s]\s*(-?\w\S*))?)")
_WORD = re.compile(r"\s*(\S+)")
_KNOWN = "--engine auto|cpu|interpret, --threads N, --strict, --seed N, --cost"


class Magics:
    """The commands of one notebook, and what its cells have defined."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.workspace = Workspace(shell.user_ns)

    def commands(self) -> dict[str, tuple[str, Callable[..., Any]]]:
        """Each command's name, whether it is one of lines or of cells too, and what it calls."""
        return {
            "tol": ("line_cell", self.tol),
            "tol_cost": ("line_cell", self.tol_cost),
            "tol_list": ("line", self.tol_list),
            "tol_reset": ("line", self.tol_reset),
        }

    @no_var_expand
    def tol(self, line: str, cell: str | None = None) -> Any:
        """Run ToLang on the variables of the notebook.

        %tol [options] EXPRESSION          the value of an expression
        %%tol [options]                    a cell: definitions, exported values, expressions to show
        %%tol NAME [options]               a cell as a program of its own, called NAME

        Definitions stay for later cells.  A value exported with `:=` becomes a variable of the notebook, a function
        becomes one that Python can call.  A name that the cell does not define is a variable of the notebook.

        --engine auto|cpu|interpret, --threads N, --strict, --seed N    how values are computed
        --cost                                                          what the cell would cost; nothing runs
        """
        options, counted, rest = read_options(line, cell is not None)
        text = rest if cell is None else _below(cell)
        if counted:
            return self.workspace.cost(text)
        if cell is not None and rest:
            return self._program(rest, text, options)
        ran = self.workspace.run(text, options)
        self._announce(ran, options)
        if cell is None and ran.values:
            return handed(ran.values[-1])
        for value in ran.values:
            _show(value)
        return None

    @no_var_expand
    def tol_cost(self, line: str, cell: str | None = None) -> Cost:
        """What an expression, or the values of a cell, would cost: formulas, and numbers at the sizes of the variables.

        %tol_cost EXPRESSION
        %%tol_cost
        """
        return self.workspace.cost(line if cell is None else _below(cell))

    def tol_list(self, line: str) -> None:
        """Print the definitions made so far: %tol_list"""
        print(visible_lines(self.workspace.session.text()), end="")

    def tol_reset(self, line: str) -> None:
        """Forget all definitions; the notebook's variables stay: %tol_reset"""
        self.workspace.reset()

    def _program(self, name: str, cell: str, options: CellOptions) -> None:
        if not name.isidentifier():
            raise usage("E603", f"%%tol cannot tell what {name!r} is", expected=f"a name for the program; {_KNOWN}")
        program = self.workspace.program(name, cell, options)
        self.shell.user_ns[name] = program
        print(repr(program).removeprefix("<tolang.Program ").removesuffix(">"))

    def _announce(self, ran: Ran, options: CellOptions) -> None:
        """Tells what the notebook has got, a line each."""
        lines = [
            f"{name}: {'; '.join(type_notation(one) for one in _parts(value))}\n"
            for name, value in ran.exported.items()
        ]
        for one in ran.functions:
            self.shell.user_ns[one.id] = NotebookFunction(self.workspace, one, options)
            lines.append(f"{head_text(one)}\n")
        print(visible_lines("".join(lines)), end="")


def _below(cell: str) -> str:
    """The text of a cell, whose lines are counted from the command above it, as the notebook counts them."""
    return f"\n{cell}"


def _parts(value: Result) -> tuple[ToL, ...]:
    return value if isinstance(value, tuple) else (value,)


def _show(value: Result) -> None:
    for part in _parts(value):
        display(part)  # type: ignore[no-untyped-call]  # IPython has no types


def read_options(line: str, is_cell: bool) -> tuple[CellOptions, bool, str]:
    """The options of a line, whether the cost is asked for, and the rest: a name above a cell, else the program's text.

    Above a cell options may stand before and after the name; in a line they stand before the text, which is left alone.
    """
    options, counted, name = CellOptions(), False, ""
    while True:
        option = _OPTION.match(line)
        if option is not None:
            line = line[option.end() :]
            counted |= option[1] == "cost"
            options = _with_option(options, option[1] or option[2], option[3])
        elif is_cell and not name and (word := _WORD.match(line)):
            line, name = line[word.end() :], word[1]
        else:
            return options, counted, f"{name} {line}".strip()


def _with_option(options: CellOptions, name: str, text: str | None) -> CellOptions:
    if name in ("strict", "cost"):
        return replace(options, strict=options.strict or name == "strict")
    if name not in ("engine", "threads", "seed"):
        raise usage("E603", f"%tol has no option --{name}", expected=_KNOWN)
    if text is None:
        raise usage("E603", f"--{name} needs a value", expected=_KNOWN)
    if name == "engine":
        if text not in engine_names():
            raise usage("E601", f"there is no engine {text!r}", expected=", ".join(engine_names()))
        return replace(options, engine=text)
    whole = whole_number(text)
    number = text if whole is None else whole
    if name == "threads":
        return replace(options, threads=whole_threads(number))
    return replace(options, seed=whole_seed(number))


def load(shell: Any) -> None:
    """Adds the commands to a notebook; loading again keeps what its cells have defined."""
    if getattr(shell, "tolang_magics", None) is None:
        shell.tolang_magics = Magics(shell)
        shell.Completer.custom_matchers.append(matcher(shell.tolang_magics.workspace))
    for name, (kind, function) in shell.tolang_magics.commands().items():
        shell.register_magic_function(function, kind, name)


def unload(shell: Any) -> None:
    """Removes the commands and what cells have defined."""
    magics = getattr(shell, "tolang_magics", None)
    if magics is None:
        return
    for name in magics.commands():
        for kind in ("line", "cell"):
            shell.magics_manager.magics[kind].pop(name, None)
    own = [one for one in shell.Completer.custom_matchers if getattr(one, "workspace", None) is magics.workspace]
    for one in own:
        shell.Completer.custom_matchers.remove(one)
    shell.tolang_magics = None
