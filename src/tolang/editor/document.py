"""A text in an editor and everything an editor asks of it, in offsets of the text and in words, with no protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tolang.check.library import PRELUDE, library_names, library_sheets
from tolang.editor.facts import CollectedFacts, Fact, StatementFacts
from tolang.editor.knowledge import DocumentKnowledge, SearchStep
from tolang.editor.modules import Used, describe_for, used_at, used_modules
from tolang.editor.pieces import TextPiece, TextPieces, is_name, own_place
from tolang.editor.symbols import (
    NameOccurrence,
    Symbol,
    definition_of,
    in_sight,
    mentions,
    occurrences,
    parameter_of,
    references,
    symbol_at,
)
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Diagnostic, Source, readable
from tolang.ground.system.own_modules import modules_beside
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import FAMILIES
from tolang.program.descriptions import (
    PRIMITIVES,
    Description,
    comment_above,
    head_of,
    path_of,
    split_comment,
)
from tolang.program.repeated import ABOVE
from tolang.syntax import tree
from tolang.syntax.lexemes import KEYWORDS, Lexeme
from tolang.syntax.traversal import children

_WORD_BEFORE = re.compile(r"[A-Za-z_]\w*$")
_MODULE_BEFORE = re.compile(r"([A-Za-z_]\w*)\.\w*$")
_INSTEAD = re.compile(r"write `([^`…\w\s][^`…]{0,2})`|did you mean (\w+)\?|use the straight quote (')")
_COMMENT_ABOVE = re.compile(r"^[ \t]*#[^\n]*\n\Z", re.MULTILINE)
_AWAY = re.compile(r"remove (?:the )?`([^`]+)`")
TOKENS = (
    "comment", "string", "number", "keyword", "operator", "function", "variable", "parameter", "type", "macro",
)  # fmt: skip
"""Kinds of words that an editor may colour."""
_OF_KIND = {"NUMBER": "number", "TEXT": "string", "SIGNED_SPACE": "type", "CONSTANT": "keyword"}


@dataclass(frozen=True, slots=True)
class DocumentTrouble:
    """Something wrong, from one offset to another, and what would mend it."""

    start: int
    end: int
    code: str
    message: str
    notes: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mending:
    """A change of the text that follows from what a problem says of itself."""

    title: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    """What is shown after a definition's head, though nobody wrote it."""

    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class CompletionChoice:
    """A name that may be typed at a place."""

    name: str
    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class DefinitionTarget:
    """Where a name is defined: an offset of this text, or of the file of a path."""

    path: str | None
    text: str
    start: int
    end: int


class Document:
    """A text, its statements, and what is known of them."""

    def __init__(self, name: str, text: str) -> None:
        self.pieces = TextPieces.of(name, text)
        self.knowledge = DocumentKnowledge()
        self.known: dict[int, StatementFacts] = {}
        self.changed = 0
        """The first statement that the last change changed."""

    @property
    def text(self) -> str:
        return self.pieces.text

    @property
    def changed_at(self) -> int:
        """Where the last change changed a statement first."""
        pieces = self.pieces.pieces
        return pieces[self.changed].start if self.changed < len(pieces) else len(self.text)

    def edit(self, text: str) -> None:
        """Takes the changed text; what is known stays where it holds still, and elsewhere until it is found again."""
        self.knowledge.stop()
        before = self._known_by_statement()
        old, self.pieces = self.pieces.pieces, self.pieces.edited(text)
        pairs = zip(old, self.pieces.pieces, strict=False)
        self.changed = next((n for n, (a, b) in enumerate(pairs) if a.written is not b.written), len(old))
        self.known = self._with_others(self.knowledge.of(self.pieces), before)

    def _known_by_statement(self) -> dict[int, StatementFacts]:
        return {id(piece.written): self.known[n] for n, piece in enumerate(self.pieces.pieces) if n in self.known}

    def _with_others(
        self, known: dict[int, StatementFacts], before: Mapping[int, StatementFacts]
    ) -> dict[int, StatementFacts]:
        """What is known, and of statements that are to be checked again what was known of them before."""
        needs, places = self.knowledge.needs_of(self.pieces), self.pieces.places()
        for n, piece in enumerate(self.pieces.pieces):
            one = before.get(id(piece.written)) if n not in known and needs.is_whole(n) else None
            if one is not None and all(_stands_still(problem, places) for problem in one.diagnostics):
                known[n] = one
        return known

    def learn(self, pieces: TextPieces) -> Iterator[SearchStep]:
        """Finds what is unknown of the statements at some moment, in steps; what `take` is to be given of each."""
        return self.knowledge.learn(pieces, self.changed)

    def take(self, pieces: TextPieces, step: SearchStep) -> bool:
        """Takes what was found of the statements at some moment, if they are those of the text still."""
        if pieces is not self.pieces:
            return False
        self.known = self._with_others(dict(step.known), self._known_by_statement())
        return True

    def learn_all(self) -> None:
        """Finds everything that is unknown of the text as it is."""
        for step in self.learn(self.pieces):
            self.take(self.pieces, step)

    def forget(self) -> None:
        """Reads everything again, as files that the text uses may have changed."""
        self.knowledge.stop()
        self.knowledge.forget()
        self.pieces = TextPieces.of(self.pieces.name, self.text)
        self.known = {}

    @property
    def uses(self) -> list[Used]:
        """The modules that the text uses."""
        return used_modules(self.pieces)

    # What is wrong

    def _problems(self) -> Iterator[tuple[Diagnostic, int | None]]:
        """Everything wrong, with the base of its own places where that is not a statement's."""
        for one in self.pieces.mistakes:
            yield one.diagnostic, one.base
        for piece in self.pieces.pieces:
            for diagnostic in piece.written.diagnostics:
                yield diagnostic, None
        for known in self.known.values():
            for diagnostic in (*known.diagnostics, *known.warnings):
                yield diagnostic, None

    def troubles(self) -> list[DocumentTrouble]:
        """What is wrong, in the order of the text."""
        found, places = [], self.pieces.places()
        for diagnostic, base in self._problems():
            start, end = self._place(diagnostic, base, places)
            parts = [("found", diagnostic.found), ("expected", diagnostic.expected), ("fix", diagnostic.fix)]
            lines = [diagnostic.message, *(f"{label}: {text}" for label, text in parts if text)]
            notes = tuple(_notes(diagnostic, places))
            found.append(DocumentTrouble(start, end, diagnostic.code, readable("\n".join(lines)), notes))
        once = {(one.start, one.end, one.code): one for one in reversed(found)}
        return sorted(once.values(), key=lambda one: (one.start, one.end, one.code))

    def _place(self, diagnostic: Diagnostic, base: int | None, places: Mapping[int, int]) -> tuple[int, int]:
        if base is not None and diagnostic.span is not None:
            return base + diagnostic.span.start, base + max(diagnostic.span.end, diagnostic.span.start + 1)
        span = own_place(diagnostic, places)
        if span is None:
            return 0, min(1, len(self.text))
        start = places[id(span.source)]
        return start + span.start, start + max(span.end, span.start + 1)

    def mendings(self, start: int, end: int) -> list[Mending]:
        """Changes that would mend what is wrong between two offsets, where a problem says them exactly."""
        found, places = list[Mending](), self.pieces.places()
        for diagnostic, base in self._problems():
            first, last = self._place(diagnostic, base, places)
            if first <= end and start <= last:
                found += list(self._mending(diagnostic, first, last))
        return list(dict.fromkeys(found))

    def _mending(self, diagnostic: Diagnostic, start: int, end: int) -> Iterator[Mending]:
        written, fix = self.text[start:end], diagnostic.fix or ""
        if fix.startswith(ABOVE):
            yield self._named_above(fix.removeprefix(ABOVE), start, end)
        instead, away = _INSTEAD.search(fix), _AWAY.search(fix)
        if instead is not None and (instead[2] or not written.isalnum()):
            text = instead[1] or instead[2] or instead[3]
            yield Mending(f"Write {text}", start, end, text)
        if away is not None and written == away[1]:
            yield Mending(f"Remove {written}", start, end, "")
        if diagnostic.code == "E201" and is_name(written):
            for module in library_names():
                used = any(one.module == module and one.alias is None for one in self.uses)
                if not used and any(written in one.places for one in library_sheets(module)):
                    yield Mending(f"Add use {module}", 0, 0, f"use {module}\n")

    def _named_above(self, definition: str, start: int, end: int) -> Mending:
        """An expression that gets a name, by a definition right before the statement that it stands in."""
        first = max(piece.start for piece in self.pieces.pieces if piece.start <= start)
        while (comment := _COMMENT_ABOVE.search(self.text, 0, first)) is not None:
            first = comment.start()
        name = definition.partition(" ")[0]
        text = f"{definition}\n{self.text[first:start]}{name}"
        return Mending(f"Name it above: {definition}", first, end, text)

    # What is known

    def told(self, n: int) -> CollectedFacts:
        """What the core of a statement tells of it, counted if that was not asked for before."""
        known = self.known.get(n)
        return CollectedFacts() if known is None else known.told

    def fact_of(self, name: str) -> Fact | None:
        """What is known of a definition of the text; of a function, and of `norm.s`, as the first call of it tells."""
        function, declared = name.partition(".")[0], None
        for n, piece in enumerate(self.pieces.pieces):
            written = piece.written
            if name in written.defines and not _is_function(written.statement):
                found = self.told(n).called.get(name) if written.parts else self.told(n).fact
                if isinstance(written.statement, tree.Definition):
                    return found
                declared = found
            elif function in mentions(written) and n in self.known and (found := self.told(n).called.get(name)):
                return found
        return declared

    def hints(self, start: int, end: int) -> list[Hint]:
        """Shape and EOPs at every definition between two offsets: of values, functions, and steps of their blocks."""
        found: list[Hint] = []
        for n, piece in enumerate(self.pieces.pieces):
            statement = piece.written.statement
            if piece.end < start or piece.start > end or not isinstance(statement, tree.Definition):
                continue
            told, function = self.told(n), statement.parameters is not None
            fact = self.fact_of(statement.id) if function else told.fact
            if fact is not None:
                found.append(Hint(piece.start + _head_end(piece, statement), fact.hint))
            if isinstance(statement.body, tree.BlockExpression):
                for step in statement.body.definitions:
                    own = self.fact_of(f"{statement.id}.{step.id}") if function else told.steps.get(step.id)
                    if own is not None and step.parameters is None:
                        found.append(Hint(piece.start + step.id_span.end, own.hint))
        return [one for one in found if start <= one.offset <= end]

    def hover(self, offset: int) -> tuple[int, int, str] | None:
        """What the name at an offset stands for, as Markdown, and from where to where it is."""
        symbol = symbol_at(self.pieces, offset)
        if symbol is None:
            return None
        start = symbol.piece.start + symbol.occurrence.start
        text = self._told(symbol)
        return None if text is None else (start, start + len(symbol.name), text)

    def _told(self, symbol: Symbol) -> str | None:
        if symbol.occurrence.keyword_of is not None:
            return _markdown(symbol.name, f"a parameter of {symbol.occurrence.keyword_of}")
        if symbol.local is not None:
            return self._local(symbol)
        own = definition_of(self.pieces, symbol)
        if own is not None:
            return self._own(symbol.name, own)
        found = describe_for(self.uses, symbol.name, symbol.module)
        if found is None and (named := self._named(symbol)) is not None:
            return _markdown(symbol.name, f"the module {named.module}")
        return None if found is None else _described(found)

    def _named(self, symbol: Symbol) -> Used | None:
        """The module that a name by itself stands for."""
        return next((one for one in self.uses if one.alias == symbol.name and symbol.module is None), None)

    def _local(self, symbol: Symbol) -> str:
        local = symbol.local
        assert local is not None
        fact = None
        statement = symbol.piece.written.statement
        if local.kind == "definition" and isinstance(statement, tree.Definition):
            n = self.pieces.pieces.index(symbol.piece)
            fact = self.told(n).steps.get(symbol.name) or self.fact_of(f"{statement.id}.{symbol.name}")
        head = symbol.name if fact is None else f"{symbol.name}: {fact.type}"
        what = {"parameter": "a parameter", "iterator": "a coordinate", "definition": "a step of a block"}[local.kind]
        return _markdown(head, what, None if fact is None else fact.eops)

    def _own(self, name: str, start: int) -> str:
        piece = self.pieces.piece_at(start)
        assert piece is not None
        statement, fact = piece.written.statement, self.fact_of(name)
        comment, stated = split_comment(comment_above(self.text, piece.start))
        if name not in piece.written.defines:
            return _markdown(name, "a size, which the data gives")
        if not isinstance(statement, tree.Definition):
            return _markdown(" ".join(piece.written.source.text.split()), comment)
        head = head_of(piece.written.source.text) if statement.parameters is not None else name
        if fact is not None:
            head = f"{name}{fact.type}" if statement.parameters is not None else f"{head}: {fact.type}"
        return _markdown(head, comment, fact.eops if fact is not None and fact.eops else stated)

    # Where names are

    def definition(self, offset: int) -> DefinitionTarget | None:
        """Where the name at an offset is defined: in this text, in another file of the user, or in the library."""
        symbol = symbol_at(self.pieces, offset)
        if symbol is None:
            piece = self.pieces.piece_at(offset)
            return None if piece is None else _file_of(used_at(piece))
        own = definition_of(self.pieces, symbol)
        if own is not None:
            return DefinitionTarget(None, self.text, own, own + len(symbol.name))
        found = describe_for(self.uses, symbol.occurrence.keyword_of or symbol.name, symbol.module)
        if found is None and (named := self._named(symbol)) is not None:
            return _file_of(named)
        if found is None or found.place is None or found.path is None:
            return None
        sheet, start = found.place
        name = re.compile(rf"\b{found.name}\b").search(sheet.source.text, start)
        start = start if name is None else name.start()
        return DefinitionTarget(found.path, sheet.source.text, start, start + len(found.name))

    def references(self, offset: int) -> list[tuple[int, int]]:
        """Where the name at an offset stands in the text, as the same thing."""
        symbol = symbol_at(self.pieces, offset)
        if symbol is None:
            return []
        return [(start, start + len(symbol.name)) for start in references(self.pieces, symbol)]

    def renamable(self, offset: int) -> tuple[int, int] | None:
        """The name at an offset, if the text itself defines it."""
        symbol = symbol_at(self.pieces, offset)
        if symbol is None or definition_of(self.pieces, symbol) is None:
            return None
        start = symbol.piece.start + symbol.occurrence.start
        return start, start + len(symbol.name)

    def refusal_of_name(self, offset: int, name: str) -> str | None:
        """Why the name at an offset cannot become another, or None if it can."""
        if not is_name(name):
            return f"{name} is not a name in ToLang"
        symbol = symbol_at(self.pieces, offset)
        if symbol is None or definition_of(self.pieces, symbol) is None:
            return "this text does not define what is here"
        owners = {symbol.piece} if symbol.local is not None else set(self.pieces.pieces)
        if symbol.occurrence.keyword_of is not None and (found := parameter_of(self.pieces, symbol)):
            owners = {found[0]}
        if any(one.name == name for piece in owners for one in occurrences(piece.written)):
            return f"{name} stands for something else here"
        return None

    # What an editor draws

    def choices(self, offset: int) -> list[CompletionChoice]:
        """Names that begin as the word before an offset: of the text, the library, and the language."""
        word = _WORD_BEFORE.search(self.text, max(0, offset - 200), offset)
        start = word[0] if word is not None else ""
        line = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
        if re.fullmatch(r"\s*use\s+\w*", line):
            modules = (*library_names(), *modules_beside(Source(self.pieces.name, "")))
            return [CompletionChoice(one, "module") for one in dict.fromkeys(modules) if one.startswith(start)]
        uses = self.uses
        after = _MODULE_BEFORE.search(line)
        if after is not None and after[1] in {one.alias for one in uses}:
            named = (one for one in uses if one.alias == after[1])
            return [
                CompletionChoice(n, "function", one.module) for one in named for n in one.names() if n.startswith(start)
            ]
        made = {name: CompletionChoice(name, kind) for name, kind in in_sight(self.pieces, offset).items()}
        for module in (Used(PRELUDE, None, library_sheets(PRELUDE)), *uses):
            if module.alias is not None:
                made.setdefault(module.alias, CompletionChoice(module.alias, "module", module.module))
                continue
            for name in module.names():
                made.setdefault(name, CompletionChoice(name, "function", module.module))
        for words, kind in ((PRIMITIVES, "primitive"), (FUNCTIONS, "function"), (KEYWORDS, "keyword")):
            for name in words:
                made.setdefault(name, CompletionChoice(name, kind))
        here = made.get(start)
        only_here = here is not None and self.text.count(start) == 1
        return [one for one in made.values() if one.name.startswith(start) and not (only_here and one is here)]

    def folds(self) -> Iterator[tuple[int, int]]:
        """Stretches that an editor may fold: statements and blocks of several lines, and comments."""
        for piece in self.pieces.pieces:
            text = piece.written.source.text
            if "\n" in text:
                yield piece.start, piece.end
                waiting: list[tree.Node] = [piece.written.statement] if piece.written.statement is not None else []
                while waiting:
                    node = waiting.pop()
                    if isinstance(node, tree.BlockExpression) and "\n" in node.span.text:
                        yield piece.start + node.span.start, piece.start + node.span.end
                    waiting.extend(children(node))
        yield from self._folded_comments()

    def _folded_comments(self) -> Iterator[tuple[int, int]]:
        """Comments in lines that follow each other."""
        runs: list[tuple[int, int]] = []
        for start, end in self.pieces.comments:
            between = self.text[runs[-1][1] : start] if runs else None
            if between is not None and not between.strip() and between.count("\n") == 1:
                runs[-1] = runs[-1][0], end
            else:
                runs.append((start, end))
        return (one for one in runs if "\n" in self.text[slice(*one)])

    def tokens(self) -> list[tuple[int, int, str]]:
        """The words of the text: where each begins, how long it is, and its kind."""
        found = [(start, end - start, "comment") for start, end in self.pieces.comments]
        sight = in_sight(self.pieces, -1)
        outside = {name for one in library_sheets(PRELUDE) for name in one.places}
        outside |= {name for module in self.uses for name in module.names()}
        functions = {name for name, kind in sight.items() if kind == "function"} | (outside - sight.keys())
        for piece in self.pieces.pieces:
            names = {one.start: one for one in occurrences(piece.written)}
            for lexeme in piece.written.lexemes:
                if "\n" not in lexeme.text and lexeme.text.strip():
                    kind = _kind(lexeme, names.get(lexeme.span.start), functions)
                    found.append((piece.start + lexeme.span.start, len(lexeme.text), kind))
        return sorted(found)

    def outline(self) -> Iterator[tuple[str, str, int, int, int]]:
        """The definitions and declarations: name, kind, where they begin and end, and where their name stands."""
        kinds = in_sight(self.pieces, -1)
        for piece in self.pieces.pieces:
            for one in occurrences(piece.written):
                if one.defines and one.local is None:
                    yield one.name, kinds.get(one.name, "value"), piece.start, piece.end, piece.start + one.start


def _stands_still(diagnostic: Diagnostic, places: Mapping[int, int]) -> bool:
    """Whether all that a problem is about is in the text as it was."""
    spans = [diagnostic.span, *(one.span for one in diagnostic.notes)]
    return all(one is None or one.source.library or id(one.source) in places for one in spans)


def _notes(diagnostic: Diagnostic, places: Mapping[int, int]) -> Iterator[tuple[int, int, str]]:
    for note in diagnostic.notes:
        if note.span is not None and id(note.span.source) in places:
            start = places[id(note.span.source)]
            yield start + note.span.start, start + note.span.end, note.message


def _kind(lexeme: Lexeme, name: NameOccurrence | None, functions: set[str]) -> str:
    """The kind of a word as editors know kinds."""
    text = lexeme.text
    if lexeme.kind != "NAME":
        return _OF_KIND.get(lexeme.kind, "keyword" if text in KEYWORDS else "operator")
    if name is not None and name.local is not None:
        return "variable" if name.local.kind == "definition" else "parameter"
    if name is not None and name.keyword_of is not None:
        return "parameter"
    if text in PRIMITIVES or text == "part'":
        return "macro"
    if text in FAMILIES:
        return "type"
    return "function" if text in functions or text in FUNCTIONS else "variable"


def _is_function(statement: tree.Statement | None) -> bool:
    return isinstance(statement, tree.Definition) and statement.parameters is not None


def _head_end(piece: TextPiece, statement: tree.Definition) -> int:
    """Where the head of a definition ends in its statement's text: after its name, or its parameters."""
    lexemes, depth = piece.written.lexemes, 0
    if statement.parameters is None:
        return statement.id_span.end
    for one in lexemes:
        if one.span.start >= statement.id_span.end:
            depth += {"LPAR": 1, "RPAR": -1}.get(one.kind, 0)
            if depth == 0:
                return one.span.end
    return statement.id_span.end


def _markdown(head: str, comment: str = "", eops: str | None = None) -> str:
    parts = [f"```tol\n{head}\n```", comment, f"EOPs: `{eops}`" if eops else ""]
    return "\n\n".join(part for part in parts if part)


def _file_of(module: Used | None) -> DefinitionTarget | None:
    """The first file of a module."""
    if module is None or not module.sheets:
        return None
    return DefinitionTarget(path_of(module.sheets[0]), module.sheets[0].source.text, 0, 0)


def _described(found: Description) -> str:
    where = "" if found.module in (None, PRELUDE) else f"of `{found.module}`"
    return "\n\n".join(part for part in (_markdown(found.head, found.meaning, found.eops), where) if part)
