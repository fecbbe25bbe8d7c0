"""The library's ToLang sources: found by the names of modules, parsed when something of them is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tolang import library
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Source
from tolang.syntax import tree
from tolang.syntax.parser import parse

LIBRARY = Path(library.__file__).parent
PRELUDE = "core"
"""The module every program sees without saying so."""


@cache
def library_module(name: str) -> tuple[tree.SyntaxModule, ...]:
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


@cache
def module_of(name: str) -> str | None:
    """The module of the library that defines a name; none for what every program sees, and for operators of models."""
    modules = (one for one in library_names() if one not in (PRELUDE, "onnx"))
    return next((one for one in modules if any(name in sheet.places for sheet in library_sheets(one))), None)
