"""Modules: the library's ToLang sources, found by name, parsed once, and put into scopes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tolang import library
from tolang.check.checking import Checking
from tolang.check.expressions import declare
from tolang.check.values import Problem, Scope
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


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A file of the library: its text, the modules it uses, and where in the text each definition stands."""

    source: Source
    uses: tuple[str, ...]
    places: Mapping[str, tuple[int, int]]
    parsed: dict[str, tree.Definition] = field(default_factory=dict)

    def definition(self, name: str) -> tree.Definition:
        """A definition, parsed when first asked for; it keeps its place in the file."""
        if name not in self.parsed:
            start, end = self.places[name]
            before = "\n".join(" " * len(line) for line in self.source.text[:start].split("\n"))
            alone = before + self.source.text[start:end]
            (made,) = parse(Source(self.source.name, alone, library=True)).statements
            assert isinstance(made, tree.Definition)
            self.parsed[name] = made
        return self.parsed[name]


_STATEMENT = re.compile(r"^(?:use (\w+)|(?:associative |(derivative ))?([A-Za-z_]\w*)(?: = |\())", re.MULTILINE)
"""How a statement of the library begins: at the start of a line, where nothing but statements and comments do."""


@cache
def library_sheets(name: str) -> tuple[Sheet, ...]:
    """The files of a library module, with no definition parsed yet."""
    if not name.replace("_", "").isalnum():
        return ()
    return tuple(_sheet(path) for path in library_files(name))


def _sheet(path: Path) -> Sheet:
    text = path.read_text(encoding="utf-8")
    found = list(_STATEMENT.finditer(text))
    ends = [one.start() for one in found[1:]] + [len(text)]
    named = [(one[3] + ("'" if one[2] else "") if one[3] else "", one.start()) for one in found]
    places = {name: (start, end) for (name, start), end in zip(named, ends, strict=True) if name}
    uses = tuple(one[1] for one in found if one[1])
    return Sheet(Source(str(path.relative_to(LIBRARY)), text, library=True), uses, places)


@dataclass(slots=True, eq=False)
class SheetNames:
    """The definitions of one file, which go into its scope as they are asked for."""

    checking: Checking
    sheet: Sheet
    scope: Scope

    def brings(self, name: str) -> bool:
        if name not in self.sheet.places:
            return False
        declare(self.checking, self.scope, (self.sheet.definition(name),))
        return True

    def known(self) -> Iterable[str]:
        return self.sheet.places


@dataclass(slots=True, eq=False)
class ModuleNames:
    """The definitions of a module of several files, each of which has a scope of its own."""

    scope: Scope
    owners: Mapping[str, Scope]

    def brings(self, name: str) -> bool:
        file = self.owners.get(name)
        if file is None or file.later is None or not (name in file.names or file.later.brings(name)):
            return False
        self.scope.names[name] = file.names[name]
        return True

    def known(self) -> Iterable[str]:
        return self.owners


class Modules:
    """The library scopes of one run of the checker."""

    def __init__(self, checking: Checking) -> None:
        self.checking = checking
        self.scopes: dict[str, Scope] = {}

    def prelude(self) -> Scope:
        return self.scope(PRELUDE, None)

    def scope(self, name: str, span: Span | None) -> Scope:
        """The scope of a library module, made when first used; among several files each sees its own names first."""
        if name not in self.scopes:
            sheets = library_sheets(name)
            if not sheets:
                raise Problem("E202", f"there is no library module {name}", span, expected=", ".join(library_names()))
            parent = None if name == PRELUDE else self._with({one: None for sheet in sheets for one in sheet.uses})
            self.scopes[name] = scope = Scope(parent, self.checking.frame, module=name, is_module=True)
            if len(sheets) == 1:
                scope.later = SheetNames(self.checking, sheets[0], scope)
            else:
                files = [(self._file(scope, sheet), sheet.places) for sheet in sheets]
                scope.later = ModuleNames(scope, {name: file for file, places in files for name in places})
        return self.scopes[name]

    def _file(self, module: Scope, sheet: Sheet) -> Scope:
        scope = Scope(module, self.checking.frame, module=module.module, is_module=True)
        scope.later = SheetNames(self.checking, sheet, scope)
        return scope

    def used(self, module: tree.Module) -> Scope:
        """A scope with the names of the prelude and of every module that a program uses."""
        uses = [one for one in module.statements if isinstance(one, tree.Use)]
        return self._with({one.module: one.span for one in uses})

    def _with(self, names: Mapping[str, Span | None]) -> Scope:
        """The prelude, and over it the modules of these names, the last one nearest."""
        merged = self.prelude()
        for name, span in names.items():
            try:
                module = self.scope(name, span)
                merged = Scope(merged, self.checking.frame, module.names, later=module.later)
            except Problem as problem:
                self.checking.report(problem.diagnostic)
        return merged
