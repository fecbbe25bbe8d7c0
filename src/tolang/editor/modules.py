"""Modules that a text uses, as an editor sees them: the library's and the user's, by themselves or under a name."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from tolang.check.library import PRELUDE, Sheet, library_files, library_sheets
from tolang.editor.pieces import TextPiece, TextPieces
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.system.own_modules import own_modules
from tolang.program.descriptions import Description, describe, described_in
from tolang.syntax import tree


@dataclass(frozen=True, slots=True)
class Used:
    """A module in use: what stands after `use`, the name that it goes by if it has one, and its files."""

    module: str
    alias: str | None
    sheets: tuple[Sheet, ...]

    def describe(self, name: str) -> Description | None:
        """What the module defines under a name."""
        found = (described_in(sheet, name, self.module) for sheet in self.sheets if name in sheet.places)
        return next(found, None)

    def names(self) -> Iterator[str]:
        """The names that it defines; not those of derivatives, which nobody calls."""
        return (name for sheet in self.sheets for name in sheet.places if not name.endswith("'"))


def used_modules(pieces: TextPieces) -> list[Used]:
    """The modules that a text uses, in the order of its lines; without files where there is no such module."""
    return [one for one in map(used_at, pieces.pieces) if one is not None]


def used_at(piece: TextPiece) -> Used | None:
    """The module that a statement uses, if it is a `use`."""
    use = piece.written.statement
    if not isinstance(use, tree.Use):
        return None
    if not use.is_file and library_files(use.module):
        return Used(use.module, use.alias, library_sheets(use.module))
    found = own_modules(piece.written.source).get(use.module)
    return Used(use.module, use.alias, (_sheet(found),) if isinstance(found, Source) else ())


_sheets: WeakKeyDictionary[Source, Sheet] = WeakKeyDictionary()


def _sheet(source: Source) -> Sheet:
    """A file of the user, with the places of what it defines; what is wrong in it is no hindrance."""
    if source not in _sheets:
        pieces = TextPieces.of(source.name, source.text)
        places = {
            name: (one.start, one.end)
            for one in pieces.pieces
            if isinstance(one.written.statement, tree.Definition)
            for name in one.written.defines
        }
        _sheets[source] = Sheet(source, (), places)
    return _sheets[source]


def describe_for(modules: list[Used], name: str, alias: str | None) -> Description | None:
    """What a name stands for after the name of a module and a dot, or by itself: the last module is nearest."""
    for one in reversed(modules):
        if one.alias == alias and (found := one.describe(name)) is not None:
            return found
    return describe(name, (PRELUDE,)) if alias is None else None
