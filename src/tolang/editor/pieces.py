"""A text as its statements, each of which is read once for as long as its own text stays the same.

While somebody types, all statements but one stay as they are, and only move.  So each is a text of its own, with places
counted from its first character, and where it stands is known apart from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Diagnostic, Source, Span, ToLangSyntaxError
from tolang.syntax import tree
from tolang.syntax.layout import Layout, lay_out
from tolang.syntax.lexemes import GOES_ON, KEYWORDS, Lexeme
from tolang.syntax.parser import parse

_HEADS = frozenset({"SPACE", "LIST", "TOL", "ASSOCIATIVE", "DERIVATIVE"})
"""Words after which the name stands that a statement is about."""


@dataclass(eq=False)
class StatementText:
    """One statement, whatever stands around it: its words, its tree if it has one, and what its syntax has wrong."""

    source: Source
    broken: bool = False
    """Whether its brackets, quotes or signs are wrong, which is told where the whole text is taken apart."""

    @cached_property
    def lexemes(self) -> list[Lexeme]:
        return [one for each in lay_out(self.source).statements for one in each.lexemes]

    @cached_property
    def _parsed(self) -> tuple[tuple[tree.Statement, ...], tuple[Diagnostic, ...]]:
        try:
            return parse(self.source).statements, ()
        except ToLangSyntaxError as error:
            told = {(one.code, one.span) for one in lay_out(self.source).diagnostics} if self.broken else set()
            return (), tuple(one for one in error.diagnostics if (one.code, one.span) not in told)

    @property
    def statement(self) -> tree.Statement | None:
        """Its tree; of `(x, r) = s` that of what is taken apart."""
        return self.statements[0] if self.statements else None

    @property
    def statements(self) -> tuple[tree.Statement, ...]:
        """Its tree, and after `(x, r) = s` those of the names of its parts."""
        return self._parsed[0]

    @property
    def parts(self) -> tuple[tree.Definition, ...]:
        """The definitions of the parts that `(x, r) = s` names."""
        return tuple(one for one in self.statements[1:] if isinstance(one, tree.Definition))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self._parsed[1]

    @cached_property
    def defines(self) -> frozenset[str]:
        """The names that it defines or declares; where it cannot be parsed, the one it seems to be about."""
        match self.statement:
            case tree.Definition() as one:
                return frozenset({part.id for part in self.parts} or {one.derived or one.id})
            case tree.Use():
                return frozenset()
            case None:
                words = [one for one in self.lexemes if one.kind not in _HEADS]
                return frozenset({words[0].text} if words and words[0].kind == "NAME" else ())
            case one:
                return frozenset({str(getattr(one, "id", ""))})

    @property
    def begins_use(self) -> bool:
        """Whether it is, or is to become, a `use`."""
        return bool(self.lexemes) and self.lexemes[0].kind == "USE"

    @property
    def uses(self) -> str | None:
        """The module that it uses, if it is a `use`."""
        return self.statement.module if isinstance(self.statement, tree.Use) else None


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A statement of a text, and where it begins there."""

    start: int
    written: StatementText

    @property
    def end(self) -> int:
        return self.start + len(self.written.source.text)


@dataclass(frozen=True, slots=True)
class PlacedFault:
    """Something wrong, and where the text begins that its places are counted in."""

    diagnostic: Diagnostic
    base: int

    @property
    def start(self) -> int:
        return self.base + (self.diagnostic.span.start if self.diagnostic.span else 0)


@dataclass(frozen=True, slots=True)
class TextPieces:
    """A text taken apart: its statements in order, its comments, and what is wrong with brackets and signs."""

    name: str
    text: str
    pieces: tuple[TextPiece, ...]
    comments: tuple[tuple[int, int], ...]
    mistakes: tuple[PlacedFault, ...]
    read: dict[str, StatementText] = field(repr=False)

    @staticmethod
    def of(name: str, text: str) -> TextPieces:
        return TextPieces(name, "", (), (), (), {}).edited(text)

    def edited(self, text: str) -> TextPieces:
        """The pieces of a changed text, of which only what changed and its neighbours is taken apart again."""
        first, last = self._kept(text)
        moved = len(text) - len(self.text)
        begin = self.pieces[first].start if first else 0
        end = self.pieces[last].start + moved if last < len(self.pieces) else len(text)
        layout = lay_out(Source(self.name, text[begin:end]))
        if last < len(self.pieces) and _goes_on(layout):
            last, end = len(self.pieces), len(text)
            layout = lay_out(Source(self.name, text[begin:end]))
        old_end = end - moved
        before, after = self.pieces[:first], self.pieces[last:]
        taken = {id(one.written) for one in (*before, *after)}
        fresh = self._statements(layout, text, begin, end, taken)
        pieces = (*before, *fresh, *(TextPiece(one.start + moved, one.written) for one in after))
        comments = (
            *(one for one in self.comments if one[0] < begin),
            *((begin + one.start, begin + one.end) for one in layout.comments),
            *((one[0] + moved, one[1] + moved) for one in self.comments if one[0] >= old_end),
        )
        mistakes = tuple(PlacedFault(one, begin) for one in layout.diagnostics)
        read = {one.written.source.text: one.written for one in pieces}
        return TextPieces(self.name, text, pieces, comments, mistakes, read)

    def _kept(self, text: str) -> tuple[int, int]:
        """How many statements before a change stay, and from which on they do after it, each but for a neighbour.

        From a mistake in brackets, quotes or signs on, anything may belong together otherwise than it seems.
        """
        same = _same_beginning(self.text, text)
        rest = min(len(self.text), len(text)) - same
        same_end = _same_beginning(self.text[: -rest - 1 : -1], text[: -rest - 1 : -1]) if rest else 0
        if self.mistakes:
            same, same_end = min(same, *(one.start for one in self.mistakes)), 0
        first = max(0, sum(one.end < same for one in self.pieces) - 1)
        last = sum(one.start < len(self.text) - same_end for one in self.pieces) + 1
        return first, max(first, min(last, len(self.pieces)))

    def _statements(self, layout: Layout, text: str, begin: int, end: int, taken: set[int]) -> Iterator[TextPiece]:
        """The statements of a layout as pieces; those read before keep what was read, each for one piece alone."""
        statements = [one for one in layout.statements if one.lexemes]
        starts = [begin + one.lexemes[0].span.start for one in statements] + [end]
        for statement, start, following in zip(statements, starts, starts[1:], strict=False):
            stop = following if statement.broken else begin + statement.lexemes[-1].span.end
            own = text[start:stop].rstrip()
            written = self.read.get(own)
            if written is None or written.broken != statement.broken or id(written) in taken:
                written = StatementText(Source(self.name, own), statement.broken)
            taken.add(id(written))
            yield TextPiece(start, written)

    def piece_at(self, offset: int) -> TextPiece | None:
        """The statement that an offset of the text is in or at the end of."""
        return next((one for one in self.pieces if one.start <= offset <= one.end), None)

    def places(self) -> dict[int, int]:
        """Where the text of each statement begins, by the identity of its source."""
        return {id(one.written.source): one.start for one in self.pieces}


def _same_beginning(left: str, right: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _goes_on(layout: Layout) -> bool:
    """Whether a text taken apart seems to go on after its end, so that what follows may belong to it."""
    last = layout.statements[-1].lexemes[-1:] if layout.statements else []
    return bool(layout.diagnostics) or any(one.kind in GOES_ON for one in last)


def own_place(diagnostic: Diagnostic, places: Mapping[int, int]) -> Span | None:
    """The place in the text itself that a problem is told at: that of the call where it is in the library."""
    spans: Iterable[Span | None] = (diagnostic.span, *(one.span for one in diagnostic.notes))
    return next((one for one in spans if one is not None and id(one.source) in places), None)


def is_name(text: str) -> bool:
    """Whether a definition may have this name."""
    return text.isascii() and text.isidentifier() and text not in KEYWORDS
