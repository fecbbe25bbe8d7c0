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
def library_module(name: str) -> tuple[tree.Module, ...]:
    """The syntax trees of the files of a library module, one file or a folder of them; empty where there is none."""
    if not name.replace("_", "").isalnum():
        return ()
    return tuple(
        parse(Source(str(path.relative_to(LIBRARY)), path.read_text(encoding="utf-8"), library=True))
        for path in library_files(name)
    )


def library_files(name: str) -> list[Path]:
    """The files of a library module."""
    path = LIBRARY / f"{name}.tol"
    return [path] if path.is_file() else sorted((LIBRARY / name).glob("*.tol"))


def library_names() -> list[str]:
    return sorted({p.stem for p in LIBRARY.glob("*.tol")} | {p.parent.name for p in LIBRARY.glob("*/*.tol")})


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
            files = library_module(name)
            if not files:
                raise Problem("E202", f"there is no library module {name}", span, expected=", ".join(library_names()))
            parent = None if name == PRELUDE else self.used(*files)
            self.scopes[name] = scope = Scope(parent, self.checking.frame, module=name, is_module=True)
            for file in files:
                self._declare_file(scope, file, own=len(files) > 1)
        return self.scopes[name]

    def _declare_file(self, scope: Scope, file: tree.Module, own: bool) -> None:
        """Puts a file's definitions into the module's scope; among several files each sees its own names first."""
        inner = Scope(scope, self.checking.frame, module=scope.module, is_module=True) if own else scope
        declare(self.checking, inner, tuple(s for s in file.statements if isinstance(s, tree.Definition)))
        if own:
            scope.names.update(inner.names)

    def used(self, *files: tree.Module) -> Scope:
        """A scope with the names of the prelude and of every module that a program, or a module's files, use."""
        merged = Scope(self.prelude(), self.checking.frame)
        for statement in (one for file in files for one in file.statements):
            if isinstance(statement, tree.Use):
                try:
                    merged.names.update(self.scope(statement.module, statement.span).names)
                except Problem as problem:
                    self.checking.report(problem.diagnostic)
        return merged
