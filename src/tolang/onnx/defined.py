"""Operators that ToLang defines and ONNX does not declare: of other domains, by the library or by a file of the user.

    com_example_Swish(x, beta=1) = map(x, * / (1 + exp(-beta * *)))      the operator Swish of the domain com.example

A definition is found by domain and name.  Its parameters are the inputs in order, and the attributes by name; those
with a default may be left out.  One with a parameter `outputs` gives its first output alone where that is 1; any other
gives a list of all outputs where a node has several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.system.own_modules import FILE_ENDING, module_texts, own_modules
from tolang.onnx.domains import LIBRARY_DOMAINS, MAIN, plain
from tolang.onnx.faults import model_error
from tolang.onnx.names import Head, library_heads

if TYPE_CHECKING:
    from tolang.syntax import tree

_OPERATOR = re.compile(r"[A-Z]\w*(?<!_\d)(?<!_\d\d)")
"""Operators of the main domain; a definition with a lower letter, or for opsets up to a number, is none."""


def definition_of(domain: str, operator: str) -> str:
    """The name under which an operator is defined."""
    return operator if plain(domain) == MAIN else re.sub(r"\W", "_", f"{domain}.{operator}")


@dataclass(frozen=True, slots=True)
class Operators:
    """What a file of the user defines, beside the library: its modules, its definitions as text, and their heads."""

    uses: tuple[str, ...] = ()
    text: str = ""
    heads: Mapping[str, Head] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    """What those of its modules hold that are files, too."""

    def head(self, domain: str, operator: str) -> Head | None:
        """The head of the definition of an operator, if any: the user's, or the library's in its domains."""
        name = definition_of(domain, operator)
        if plain(domain) == MAIN and not _OPERATOR.fullmatch(operator):
            return None
        if plain(domain) not in LIBRARY_DOMAINS:
            return self.heads.get(name)
        return self.by_name(name)

    def by_name(self, definition: str) -> Head | None:
        return self.heads.get(definition) or library_heads("onnx").get(definition)

    @property
    def digest(self) -> str:
        """Tells files of operators apart; nothing where there is none."""
        return sha256(repr((self.uses, self.text, self.texts)).encode()).hexdigest() if self.text else ""


NO_MORE = Operators()
"""The library's operators alone."""


def operators_in(path: str | Path | None) -> Operators:
    """The operators that a file defines; an error where it cannot be read, or has more than definitions."""
    if path is None:
        return NO_MORE
    from tolang.program.sources import read_source
    from tolang.syntax import tree
    from tolang.syntax.parser import parse

    heads: dict[str, Head] = {}
    lines: list[str] = []
    uses: list[str] = []
    source = read_source(Path(path))
    for one in parse(source).statements:
        match one:
            case tree.Use():
                uses.append(_in_full(one))
            case tree.Definition(id=name, parameters=tuple(parameters), exported=False):
                given = tuple(p.id for p in parameters), tuple(p.default is not None for p in parameters)
                heads[name] = Head(*given)
                lines.append(one.span.text)
            case _:
                found = one.span.text.partition("\n")[0]
                expected = "definitions alone, such as com_example_Swish(x, beta=1) = …"
                raise model_error("E703", f"{path} is not a file of operators", found=found, expected=expected)
    return Operators(tuple(uses), "\n".join(lines), heads, module_texts([source]))


def _in_full(use: tree.Use) -> str:
    """A `use` that finds the same module from wherever it stands."""
    found = own_modules(use.span.source).get(use.module)
    path = str(Path(found.name).absolute()) if isinstance(found, Source) else use.module
    name = f'"{path}"' if path.endswith(FILE_ENDING) else path
    return f"use {name}{f' as {use.alias}' if use.alias else ''}"
