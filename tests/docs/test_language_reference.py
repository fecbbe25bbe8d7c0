"""The language reference against the tables it describes."""

from __future__ import annotations

import re
from pathlib import Path

from tolang.check.forms import FORMS
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import FAMILIES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "language.md").read_text("utf-8")
PRIMITIVES = (
    "function", "shape", "dimension", "capacity", "volume", "space", "convert", "part", "swap", "reshape", "tile",
    "map", "reduce",
)  # fmt: skip


def rows(after: str) -> list[list[str]]:
    """The cells of the first table after some text, without its heading."""
    table = PAGE[PAGE.index(after) :].split("\n\n|", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in f"|{table}".splitlines()[2:]]


def test_functions_are_those_of_the_table() -> None:
    listed = [(name, sign.strip("`") or None, arguments) for name, sign, arguments, _ in rows("<!-- functions:")]
    known = [(row.name, row.sign, " or ".join(map(str, row.arity))) for row in FUNCTIONS.values()]
    assert listed == known


def test_thirteen_primitives() -> None:
    listed = rows("`tol atoms` writes a program in")
    assert tuple(row[0] for row in listed) == PRIMITIVES
    written = " ".join(row[1] for row in listed)
    assert not [name for name in FORMS if name not in written]


def test_every_space_is_listed() -> None:
    section = PAGE[PAGE.index("## Type spaces") : PAGE.index("**A space is a set")]
    words = set(re.findall(r"[A-Za-z]\w*[*+-]?", " ".join(re.findall(r"`([^`]+)`", section))))
    assert not [space for space in FAMILIES if space not in words]
