"""Modules: the library's ToLang sources and the user's own, found by name, parsed once, and put into scopes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tolang.check.aliases import refuse_hidden
from tolang.check.checking import Checking
from tolang.check.expressions import declare
from tolang.check.library import PRELUDE, Sheet, library_files, library_names, library_sheets
from tolang.check.spaces import declare_spaces
from tolang.check.values import Declarations, Namespace, PendingValue, Poisoned, Problem, Scope, Value
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.close_names import close_names
from tolang.ground.reporting.diagnostics import Note, Source, Span, ToLangSyntaxError
from tolang.ground.system.own_modules import FILE_ENDING, Found, Missing, modules_beside, own_modules
from tolang.syntax import tree
from tolang.syntax.parser import parse


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


@dataclass(frozen=True, slots=True, eq=False)
class Own:
    """A module of the user: its scope, and its definitions."""

    scope: Scope
    definitions: tuple[tree.Definition, ...]


class Modules:
    """The scopes of modules in one run of the checker."""

    def __init__(self, checking: Checking) -> None:
        self.checking = checking
        self.scopes: dict[str, Scope] = {}
        self.own: dict[Source, Own | None] = {}
        """The user's modules; None for one that has an error, or that is being read."""
        self.making: list[Source] = [checking.source] if checking.source is not None else []

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

    def used(self, statements: Sequence[tree.Statement], source: Source | None = None) -> Scope:
        """A scope with the names of the prelude and of every module that a text uses, the last one nearest.

        A module with a name of its own brings that name alone.  `source` is whose modules they are, where the tree
        may be that of another with the same text.
        """
        merged, aliases = self.prelude(), dict[str, Value | PendingValue]()
        brought: dict[str, tree.Use] = {}
        for use in statements:
            if not isinstance(use, tree.Use):
                continue
            try:
                module = self._module(use, own_modules(source or use.span.source).get(use.module, Missing("")))
                if use.alias is not None:
                    if use.alias in aliases:
                        raise Problem("E214", f"two modules are called {use.alias}", use.span,
                                      fix=f"give one of them another name: use {_written(use)} as …")  # fmt: skip
                    aliases[use.alias] = Namespace(use.alias, module)
                    continue
                self._refuse_clash(use, module, brought)
                spaces = Declarations(spaces=module.declarations.spaces)
                merged = Scope(merged, self.checking.frame, module.names, later=module.later, declarations=spaces)
            except Problem as problem:
                self.checking.report(problem.diagnostic)
            except Poisoned:
                pass
        refuse_hidden(self.checking, statements, aliases)
        return Scope(merged, self.checking.frame, aliases) if aliases else merged

    def _module(self, use: tree.Use, found: Found) -> Scope:
        """The scope of a module of the library, or of a file of the user."""
        if not use.is_file and library_files(use.module):
            if isinstance(found, Source):
                raise Problem("E214", f"{use.module} is a module of the library, and a file", use.span,
                              found=found.name,
                              fix=f'write use "{found.name}" for the file, or give it another name')  # fmt: skip
            return self.scope(use.module, use.span)
        if isinstance(found, Missing):
            raise _unknown_module(use, found)
        if found in self.making:
            chain = [*self.making[self.making.index(found) :], found]
            raise Problem("E215", "modules use each other in a circle", use.span,
                          found=" -> ".join(one.name for one in chain),
                          fix="move what both need into a module that uses neither")  # fmt: skip
        if found not in self.own:
            self._read(found, use)
        made = self.own[found]
        if made is None:
            raise Poisoned
        return made.scope

    def _read(self, source: Source, use: tree.Use) -> None:
        """Reads a file as a module; what is wrong with it is told with the places that led to it."""
        self.own[source] = None
        self.making.append(source)
        reported = len(self.checking.problems)
        try:
            statements = _parsed(source.name, source.text).statements
            around, declared = self.used(statements, source), Declarations()
            scope = Scope(around, self.checking.frame, module=source.name, is_module=True, declarations=declared)
            _refuse_declarations(self.checking, statements)
            declare_spaces(self.checking, scope, statements)
            definitions = tuple(one for one in statements if isinstance(one, tree.Definition))
            declare(self.checking, scope, definitions)
            if len(self.checking.problems) == reported:
                self.own[source] = Own(scope, definitions)
        except ToLangSyntaxError as error:
            for one in error.diagnostics:
                self.checking.report(one)
        finally:
            self.making.pop()
        note = Note(f"{source.name} is used here", use.span)
        for place, one in enumerate(self.checking.problems[reported:], reported):
            self.checking.problems[place] = replace(one, notes=(*one.notes, note))

    def _refuse_clash(self, use: tree.Use, module: Scope, brought: dict[str, tree.Use]) -> None:
        """Refuses a name that two modules bring, one of them the user's own: which is meant would be a guess."""
        known = {*module.names, *(module.later.known() if module.later is not None else ())}
        for name in sorted(known & brought.keys()):
            other = brought[name]
            if other.module != use.module and not (_is_library(use) and _is_library(other)):
                raise Problem("E214", f"{name} is defined by {other.module} and by {use.module}", use.span,
                              fix=f"give one of them a name of its own: use {_written(use)} as m, then m.{name}",
                              notes=(Note(f"{other.module} is used here", other.span),))  # fmt: skip
        brought.update(dict.fromkeys(known, use))

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


@lru_cache(maxsize=64)
def _parsed(name: str, text: str) -> tree.SyntaxModule:
    """The syntax tree of a user's module; the same text gives the same tree, so that what was made of it is found."""
    return parse(Source(name, text))


def own_definitions(use: tree.Use) -> list[tree.Definition]:
    """The definitions of the user's module that a statement uses; none where it is of the library, or has errors."""
    found = own_modules(use.span.source).get(use.module)
    if not isinstance(found, Source):
        return []
    try:
        statements = _parsed(found.name, found.text).statements
    except ToLangSyntaxError:
        return []
    return [one for one in statements if isinstance(one, tree.Definition)]


def _is_library(use: tree.Use) -> bool:
    return not use.is_file and bool(library_files(use.module))


def _written(use: tree.Use) -> str:
    """A module as it stands after `use`."""
    return f'"{use.module}"' if use.is_file else use.module


def _unknown_module(use: tree.Use, missing: Missing) -> Problem:
    looked = f"no file {missing.why}" if missing.why else None
    if use.is_file:
        return Problem("E202", f"there is no module {use.module}", use.span, found=looked,
                       fix="a path goes from the folder of the text that uses it")  # fmt: skip
    source = use.span.source
    known = [*library_names(), *(modules_beside(source) if source.beside else ())]
    close = close_names(use.module, known, 1, 0.6)
    fix = f"did you mean {close[0]}?" if close else f"write {use.module}{FILE_ENDING} beside this text, or set TOL_PATH"
    expected = f"a file, or a module of the library: {', '.join(library_names())}"
    return Problem("E202", f"there is no module {use.module}", use.span, looked, expected, fix)


def _refuse_declarations(checking: Checking, statements: Sequence[tree.Statement]) -> None:
    """A module has definitions, spaces and lists; data comes to it by the parameters of its functions."""
    for one in statements:
        if isinstance(one, tree.TolDeclaration | tree.TolShape):
            fix = f"make it a parameter: f({one.id}) = …"
            checking.report(
                Problem("E216", "a module declares no ToLs: it has no inputs", one.span, fix=fix).diagnostic
            )
