"""Modules: the library's ToLang sources, found by name, parsed once, and put into scopes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tolang import library
from tolang.check.expressions import declare
from tolang.check.scope import Checking, Scope
from tolang.check.values import Problem
from tolang.ground.diagnostics import Source, Span
from tolang.syntax import tree
from tolang.syntax.parser import parse

LIBRARY = Path(library.__file__).parent
PRELUDE = "core"
"""The module every program sees without saying so."""


@cache
def library_module(name: str) -> tree.Module | None:
    """The syntax tree of a library module; None where there is none of that name."""
    path = LIBRARY / f"{name}.tol"
    if not name.replace("_", "").isalnum() or not path.is_file():
        return None
    return parse(Source(f"{name}.tol", path.read_text(encoding="utf-8"), library=True))


def library_names() -> list[str]:
    return sorted(p.stem for p in LIBRARY.glob("*.tol"))


class Modules:
    """The library scopes of one run of the checker."""

    def __init__(self, checking: Checking) -> None:
        self.checking = checking
        self.scopes: dict[str, Scope] = {}

    def prelude(self) -> Scope:
        return self.scope(PRELUDE, None)

    def scope(self, name: str, span: Span | None) -> Scope:
        """The scope of a library module, made when first used."""
        if name not in self.scopes:
            module = library_module(name)
            if module is None:
                raise Problem("E202", f"there is no library module {name}", span, expected=", ".join(library_names()))
            parent = None if name == PRELUDE else self.used(module)
            scope = Scope(parent, self.checking.frame, module=name, is_module=True)
            self.scopes[name] = scope
            declare(self.checking, scope, tuple(s for s in module.statements if isinstance(s, tree.Definition)))
        return self.scopes[name]

    def used(self, module: tree.Module) -> Scope:
        """A scope with the names of the prelude and of every module that a program uses."""
        merged = Scope(self.prelude(), self.checking.frame)
        for statement in module.statements:
            if isinstance(statement, tree.Use):
                try:
                    merged.names.update(self.scope(statement.module, statement.span).names)
                except Problem as problem:
                    self.checking.report(problem.diagnostic)
        return merged
