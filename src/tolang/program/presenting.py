"""What Python's own help tells of a program: what it takes and gives, its sizes, its cost, and how it is called."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tolang.core.types import Type
from tolang.data.binding import python_name
from tolang.ground.reporting.diagnostics import ToLangError

if TYPE_CHECKING:
    from tolang.program.cost import Cost


class Shown(Protocol):
    """What is told of a program."""

    @property
    def inputs(self) -> Mapping[str, Type]: ...
    @property
    def outputs(self) -> Mapping[str, Type]: ...
    @property
    def sizes(self) -> tuple[str, ...]: ...
    @property
    def functions(self) -> tuple[str, ...]: ...
    def cost(self) -> Cost: ...


class OwnHelp:
    """The text of a class, and of each of its objects one of its own, which `help` shows."""

    def __init__(self, text: str) -> None:
        self.text = inspect.cleandoc(text)

    def __get__(self, one: Any, kind: type | None = None) -> str:
        return self.text if one is None else help_of(one)


class ForUsers(type):
    # A class of which `dir` and `help` show what `for_users` lists alone; its text is found as that of any class.
    __doc__ = type.__dict__["__doc__"]
    for_users: tuple[str, ...]

    def __dir__(cls) -> list[str]:
        known = super().__dir__()
        return [name for name in known if name.startswith("_") or name in cls.for_users]


class OwnSignature:
    """How an object of a class is called; the class itself is called as it is defined."""

    def __get__(self, one: Any, kind: type | None = None) -> inspect.Signature | None:
        return None if one is None else signature_of(one)


def help_of(program: Shown) -> str:
    """What a program takes and gives, which sizes it has, what it costs, and what else can be asked of it."""
    lines = ["A ToLang program, called with its inputs, by position or by name.", ""]
    lines += [f"takes   {name}: {kind}" for name, kind in program.inputs.items()]
    lines += [f"gives   {name}: {kind}" for name, kind in program.outputs.items()]
    lines += [f"offers  {name}(…)" for name in program.functions]
    if program.sizes:
        lines.append(f"sizes   {', '.join(program.sizes)}")
    if program.outputs:
        lines.append(f"costs   {_eops(program)} EOPs")
    asked = ("cost()", "explain()", "fallbacks", "gradient(of, by)", "batched(over)", "fix(name=…)", "save(path)")
    return "\n".join([*lines, "", f"Further: {', '.join(asked)}."])


def _eops(program: Shown) -> str:
    try:
        return str(program.cost().eops)
    except ToLangError as error:
        return f"({error.diagnostics[0].message})"


def signature_of(program: Shown) -> inspect.Signature:
    """The inputs as parameters, each of which may be left out of a call by position and given by name, and the seed."""
    plain, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    taken = [inspect.Parameter(python_name(name), plain, annotation=str(kind)) for name, kind in program.inputs.items()]
    sizes = [
        inspect.Parameter(python_name(name), named, default=None, annotation=int)
        for name in program.sizes
        if name not in program.inputs
    ]
    seed = [] if "seed" in program.inputs else [inspect.Parameter("seed", named, default=0, annotation=int)]
    gives = ", ".join(f"{name}: {kind}" for name, kind in program.outputs.items())
    return inspect.Signature([*taken, *sizes, *seed], return_annotation=gives)
