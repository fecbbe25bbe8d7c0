"""What a name of the library or the language stands for: how it is called, what it computes, its EOPs, its source."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from tolang.check.library import LIBRARY, PRELUDE, Sheet, library_names, library_sheets
from tolang.ground.dataclasses import dataclass
from tolang.ground.values.functions import FUNCTIONS

PRIMITIVES = {
    "map": "map(t, f, names)", "reduce": "reduce(t, f, init, names)", "part": "part(t, [a…], [b…])",
    "swap": "swap(t, dim, order)", "reshape": "reshape(t, shape)", "tile": "tile(t)", "convert": "convert(t, [V…])",
    "shape": "shape(t)", "dim": "dim(t)", "capacity": "capacity(t)", "vol": "vol(t)", "iter": "iter",
    "gradient": "gradient(f, x)",
}  # fmt: skip
"""The words of the language that have a meaning of their own, and how they are written."""

_MEANINGS = {
    "map": "f at every element of t; the names stand for its coordinates",
    "reduce": "the fold of f over all elements: f takes the state and an element, and gives the next state",
    "part": "a member or a stretch of t, also written t[…]",
    "swap": "t with one dimension rearranged by a permutation of its coordinates; dim 1 is the last",
    "reshape": "the same elements in another shape",
    "tile": "the last dimension as part of the list",
    "convert": "t in other spaces",
    "shape": "the vector of lengths, also written |t|",
    "dim": "the number of lengths, also written ||t||",
    "capacity": "the number of components, also written |t|'",
    "vol": "the number of numerics",
    "iter": "the coordinates of the nearest map around",
    "gradient": "the derivatives of a function with a numeric result, by each element of x",
}
_EOPS = re.compile(r"^EOPs: ?(.*)\Z", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of a name; `place` is the file and the offset of a definition in it."""

    name: str
    head: str
    meaning: str
    eops: str | None = None
    source: str = ""
    module: str | None = None
    place: tuple[Sheet, int] | None = None

    @property
    def path(self) -> str | None:
        """The file of the definition."""
        return None if self.place is None else path_of(self.place[0])

    def text(self) -> str:
        """Everything as lines for a terminal."""
        where = (
            f"  ({'every program sees it' if self.module == PRELUDE else f'use {self.module}'})" if self.module else ""
        )
        lines = [f"{self.head}{where}", self.meaning]
        if self.eops is not None:
            lines.append(f"EOPs: {self.eops}")
        if self.source:
            lines += ["", self.source]
        return "\n".join(line for n, line in enumerate(lines) if line or n > 1)


def path_of(sheet: Sheet) -> str:
    """Where a file of the library, or of the user, lies."""
    return str(LIBRARY / sheet.source.name) if sheet.source.library else os.path.abspath(sheet.source.name)


def comment_above(text: str, start: int) -> str:
    """The comment that stands in the lines right above an offset, without its signs."""
    lines = text[: text.rfind("\n", 0, start) + 1].split("\n")[:-1]
    found: list[str] = []
    while lines and (line := lines.pop().strip()).startswith(("#", "//")):
        found.insert(0, line.lstrip("#/").strip())
    return "\n".join(found)


def split_comment(comment: str) -> tuple[str, str | None]:
    """What a comment says, and the EOPs that it states."""
    stated = _EOPS.search(comment)
    return _EOPS.sub("", comment).strip(), " ".join(stated[1].split()) if stated else None


def head_of(source: str) -> str:
    """The head of a definition, as written: its name and parameters."""
    depth = 0
    for place, sign in enumerate(source):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0 and sign in " )=":
            return source[: place + (sign == ")")]
    return source


def describe(name: str, modules: Iterable[str] | None = None) -> Description | None:
    """What a name stands for: a definition of these modules or of the core library, a function, or a primitive.

    The last of the modules is nearest; without any given, all of the library are looked through.
    """
    everywhere = [PRELUDE, *(one for one in library_names() if one != PRELUDE)] if modules is None else None
    for module in everywhere or [*reversed(list(modules or ())), PRELUDE]:
        for sheet in library_sheets(module):
            if name in sheet.places:
                return described_in(sheet, name, module)
    if name in FUNCTIONS:
        one = FUNCTIONS[name]
        counts = " or ".join(str(n) for n in one.arity)
        sign = f"; also written {one.sign}" if one.sign else ""
        return Description(name, name, f"a basic elementary function of {counts} argument(s){sign}", "1")
    if name in PRIMITIVES:
        return Description(name, PRIMITIVES[name], _MEANINGS[name])
    return None


def described_in(sheet: Sheet, name: str, module: str) -> Description:
    """What a file of a module defines under a name."""
    start, end = sheet.places[name]
    text = sheet.source.text
    source = _without_comments_below(text[start:end])
    meaning, eops = split_comment(comment_above(text, start))
    return Description(name, head_of(source), meaning, eops, source, module, (sheet, start))


def _without_comments_below(text: str) -> str:
    """A definition without what stands between it and the next."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    return "\n".join(lines)


def all_names() -> list[str]:
    """Every name of the library and the language that can be described."""
    library = {name for module in library_names() for sheet in library_sheets(module) for name in sheet.places}
    return sorted({*(one for one in library if not one.endswith("'")), *FUNCTIONS, *PRIMITIVES})
