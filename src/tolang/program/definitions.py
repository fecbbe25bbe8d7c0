"""The definitions that a program's text has, by their places in it."""

from __future__ import annotations

from collections.abc import Iterator

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span
from tolang.syntax import tree


@dataclass(frozen=True, slots=True)
class DefinitionPlace:
    """A definition: its name, with that of the definition around it before a dot, and where it stands."""

    name: str
    span: Span
    is_function: bool
    exported: bool

    @property
    def line(self) -> int:
        return self.span.source.position(self.span.start)[0]


def definitions_of(module: tree.SyntaxModule) -> list[DefinitionPlace]:
    """All definitions of a program in their order, those in blocks after what they are in; a pattern is one."""
    found = [one for one in module.statements if isinstance(one, tree.Definition)]
    return list(_defined([one for one in found if one.derived is None], ""))


def _defined(definitions: list[tree.Definition], around: str) -> Iterator[DefinitionPlace]:
    for one in definitions:
        if isinstance(one.body, tree.Unpacked):
            continue
        name = f"{around}{one.id}"
        yield DefinitionPlace(name, one.span, one.parameters is not None, one.exported)
        if isinstance(one.body, tree.BlockExpression):
            yield from _defined(list(one.body.definitions), f"{name}.")


class DefinitionFinder:
    """Tells which definition a place is in, the innermost; definitions are parts of each other or apart."""

    def __init__(self, definitions: list[DefinitionPlace]) -> None:
        self.inner_first = sorted(definitions, key=lambda one: one.span.end - one.span.start)
        self.known: dict[tuple[int, int], DefinitionPlace | None] = {}

    def definition(self, place: Span | None) -> DefinitionPlace | None:
        """The innermost definition around a place."""
        if place is None:
            return None
        key = place.start, place.end
        if key not in self.known:
            around = (one for one in self.inner_first if one.span.start <= key[0] and key[1] <= one.span.end)
            self.known[key] = next(around, None)
        return self.known[key]
