"""A program whose every expression says where in the program's own text it comes from.

What a library computes has places in the library's text; here it has the place of its call instead.  A plan made of
such a program tells of everything that runs which definition of the program asked for it.
"""

from __future__ import annotations

from tolang.core.core import Call, Core, Expr, Let, Require
from tolang.core.rebuild import rebuild
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Source, Span


def in_own_text(core: Core, source: Source) -> tuple[Core, set[Span]]:
    """The program with all places in one text, and those where something is called that is written elsewhere."""
    placing = _TextPlacing(source)
    return replace(core, body=placing.placed(core.body, None)), placing.calls


class _TextPlacing:
    """Gives expressions places; `done` has those that were given one, by what they were and what is around them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.own: dict[int, bool] = {}
        self.done: dict[tuple[int, Span | None], Expr] = {}
        self.calls: set[Span] = set()

    def placed(self, expr: Expr, around: Span | None) -> Expr:
        """An expression at its own place, or at that of what is around it."""
        place = expr.span if self._is_own(expr.span) else around
        if isinstance(expr, Call) and place is not None and not self._is_own(expr.body.span):
            self.calls.add(place)
        key = id(expr), place
        if key not in self.done:
            inside = around if isinstance(expr, Let | Require) else place
            made = rebuild(expr, lambda child: self.placed(child, inside))
            self.done[key] = made if made.span is place else replace(made, span=place)
        return self.done[key]

    def _is_own(self, span: Span | None) -> bool:
        if span is None:
            return False
        source = span.source
        if id(source) not in self.own:
            self.own[id(source)] = (source.name, source.text) == (self.source.name, self.source.text)
        return self.own[id(source)]
