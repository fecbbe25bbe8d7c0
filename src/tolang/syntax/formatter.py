"""The one way to write a ToLang text: `format_text`.

The formatter works on words and signs, not on the tree, so it cannot change what a text says, and keeps every comment.
It decides on white space only: line ends, indentation, spaces.  What is too long for a line goes below its `=`, a chain
of `if` has a line for each `else`.  A bracket is written on one line where it fits; where it does not, or where it was
written with a line end after the opening bracket, each item has its own line, or, if they stood so, several have one.
Comments at the ends of lines that follow each other stay below each other where they were.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Source, Span
from tolang.syntax.layout import StatementWords, lay_out
from tolang.syntax.lexemes import GOES_ON, Lexeme
from tolang.syntax.parser import parse
from tolang.syntax.spacing import SpacedWord, SpacingContext, is_short, space_out

WIDTH = 110
"""Lines longer than this are broken inside brackets and after operators."""

MOST_GROUPS = 200
"""An item with more brackets side by side than this is left as long as it is."""

SMALL = 32
"""Items of a bracket that are all no longer than this share lines."""

_CLOSING = {"RPAR": ")", "RSQB": "]", "RBRACE": "}"}
_OPENING = {"LPAR": "(", "LSQB": "[", "LBRACE": "{"}


def format_text(text: str, name: str = "<text>") -> str:
    """The text in its standard form.  A text that is not ToLang raises `ToLangSyntaxError`."""
    source = Source(name, text)
    parse(source)
    layout = lay_out(source)
    comments = _Comments(layout.comments)
    writer = _ItemWriter()
    previous_end = 0
    starts = [statement.lexemes[0].span.start for statement in layout.statements] + [len(text) + 1]
    for statement, start, next_start in zip(layout.statements, starts, starts[1:], strict=False):
        previous_end = _write_comments(comments.before(start), previous_end, writer)
        _blank_line(source, previous_end, start, writer)
        item = _ItemAssembler(statement, comments, next_start).assemble()
        writer.write_item(item, 0)
        writer.end_line(item.trailing)
        previous_end = max(statement.lexemes[-1].span.end, comments.end)
    _write_comments(comments.before(len(text) + 1), previous_end, writer)
    writer.align()
    return "".join(f"{line}\n" for line in writer.lines)


def _write_comments(comments: Sequence[Span], previous_end: int, writer: _ItemWriter) -> int:
    """Write comments that have lines of their own, and return where the last of them ends."""
    for comment in comments:
        _blank_line(comment.source, previous_end, comment.start, writer)
        writer.put(comment.text.rstrip())
        writer.end_line()
        previous_end = comment.end
    return previous_end


def _blank_line(source: Source, start: int, end: int, writer: _ItemWriter) -> None:
    if writer.lines and source.text.count("\n", start, end) > 1:
        writer.end_line()


class _Comments:
    """The comments of a text, taken one after the other; `end` is where the last one taken ends."""

    def __init__(self, comments: list[Span]) -> None:
        self.comments = comments
        self.next = 0
        self.end = 0

    def before(self, limit: int) -> list[Span]:
        """Take the comments that start before a limit."""
        start = self.next
        while self.next < len(self.comments) and self.comments[self.next].start < limit:
            self.end = self.comments[self.next].end
            self.next += 1
        return self.comments[start : self.next]

    def on_line(self, position: int, limit: int) -> _Remark | None:
        """Take the comment that follows a position on the same line and before a limit, if there is one."""
        if self.next == len(self.comments):
            return None
        comment = self.comments[self.next]
        if comment.start >= limit or "\n" in comment.source.text[position : comment.start]:
            return None
        self.before(comment.start + 1)
        return _Remark(comment)


@dataclass(slots=True)
class _Remark:
    """A comment inside or behind a statement; `blank` keeps a blank line before it."""

    span: Span
    blank: bool = False

    @property
    def text(self) -> str:
        return self.span.text.rstrip()

    @property
    def place(self) -> tuple[int, int]:
        """Its line, and its column as it is seen, in the text that is formatted."""
        line, column = self.span.source.position(self.span.start)
        before = self.span.source.text[self.span.start - column + 1 : self.span.start]
        return line, len(before.expandtabs())


@dataclass(slots=True)
class _Piece:
    """A word or a bracket of an item, with the comments that follow it before the next word."""

    word: SpacedWord
    text: str
    group: _Group | None = None
    remarks: list[_Remark] = field(default_factory=list)
    flat: str | None = None


@dataclass(slots=True)
class _Item:
    """A statement, a step of a block, or what stands between commas; `flat` is None where it needs several lines."""

    pieces: list[_Piece] = field(default_factory=list)
    leading: list[_Remark] = field(default_factory=list)
    trailing: _Remark | None = None
    blank: bool = False
    flat: str | None = ""


@dataclass(slots=True)
class _Group:
    """A bracket with its items.  `remark` follows the opening bracket, `dangling` stands before the closing one."""

    opener: str
    closer: str = ""
    items: list[_Item] = field(default_factory=list)
    remark: _Remark | None = None
    dangling: list[_Remark] = field(default_factory=list)
    broken: bool = False
    packed: bool = False
    flat: str | None = None
    around: SpacingContext = field(default_factory=SpacingContext)


class _ItemAssembler:
    """Puts the lexemes and comments of one statement together into items and groups."""

    def __init__(self, statement: StatementWords, comments: _Comments, limit: int) -> None:
        self.lexemes = statement.lexemes
        self.comments = comments
        self.limit = limit
        """Where the next statement starts."""
        self.text = statement.lexemes[0].span.source.text
        first = statement.lexemes[0].kind
        declares = len(self.lexemes) > 2 and self.lexemes[2].kind == "COLON" and first in ("TOL", "SPACE", "LIST")
        self.declaration = first if declares else ""
        self.stack: list[tuple[_Group, _Item]] = []
        self.item = _Item()
        self.pending: list[_Remark] = []
        """Comments on lines of their own between an item and the comma or bracket after it."""

    def assemble(self) -> _Item:
        for position, lexeme in enumerate(self.lexemes):
            following = self.lexemes[position + 1] if position + 1 < len(self.lexemes) else None
            if lexeme.kind in _OPENING:
                self._open(lexeme, self.lexemes[position + 1])
            elif self.stack and lexeme.kind in ("COMMA", "END"):
                self._separate(lexeme, self.lexemes[position + 1])
            else:
                if lexeme.kind in _CLOSING:
                    self._close(lexeme)
                else:
                    self.item.pieces.append(_Piece(SpacedWord(lexeme.kind), lexeme.text, flat=lexeme.text))
                self._remarks_after(lexeme, following)
        self._finish(self.item, SpacingContext("", 0, self.declaration))
        return self.item

    def _open(self, lexeme: Lexeme, following: Lexeme) -> None:
        before = self.item.pieces[-1].word.kind if self.item.pieces else ""
        fields = not self.stack and (self.declaration == "LIST" or (self.declaration == "TOL" and before == "COLON"))
        depth = self.stack[-1][0].around.depth + 1 if self.stack else 1
        around = SpacingContext(lexeme.text, depth if lexeme.kind != "LBRACE" else 0, "LIST" if fields else "")
        group = _Group(lexeme.text, around=around)
        group.broken = self._line_ends(lexeme.span.end, following)
        group.remark = self.comments.on_line(lexeme.span.end, following.span.start)
        self.stack.append((group, self.item))
        self.item = _Item()
        self._leading(lexeme.span.end, following)

    def _close(self, lexeme: Lexeme) -> None:
        group, outer = self.stack.pop()
        group.closer = lexeme.text
        if self.item.pieces:
            self._finish(self.item, group.around)
            group.items.append(self.item)
        group.dangling = self.pending if self.item.pieces else self.item.leading
        self.pending = []
        _settle(group)
        outer.pieces.append(_Piece(SpacedWord("GROUP", group.opener), "", group, flat=group.flat))
        self.item = outer

    def _separate(self, lexeme: Lexeme, following: Lexeme) -> None:
        """A comma, or the end of a step in a block."""
        group, finished = self.stack[-1][0], self.item
        line_ends = self._line_ends(lexeme.span.start, following)
        is_row = len(finished.pieces) == 1 and finished.pieces[0].word.opener == "[" and following.kind == "LSQB"
        group.broken |= line_ends and (lexeme.kind == "END" or is_row)
        group.packed |= not line_ends and lexeme.kind == "COMMA"
        if remark := self.comments.on_line(lexeme.span.start, following.span.start):
            if finished.trailing:
                self.pending.append(remark)
            finished.trailing = finished.trailing or remark
        self._finish(finished, group.around)
        group.items.append(finished)
        self.item = _Item(leading=self.pending)
        self.pending = []
        self._leading(max(lexeme.span.start, self.comments.end), following)

    def _line_ends(self, position: int, following: Lexeme) -> bool:
        return "\n" in self.text[position : following.span.start]

    def _leading(self, end: int, following: Lexeme) -> None:
        """Comments on lines of their own before the next item."""
        for comment in self.comments.before(following.span.start):
            blank = self.text.count("\n", end, comment.start) > 1
            self.item.leading.append(_Remark(comment, blank))
            end = comment.end
        self.item.blank = self.text.count("\n", end, following.span.start) > 1

    def _remarks_after(self, lexeme: Lexeme, following: Lexeme | None) -> None:
        """Comments between a word and the next; one on the line of an item's last word trails the item."""
        if following is None:
            self.item.trailing = self.comments.on_line(lexeme.span.end, self.limit)
        elif self.stack and (following.kind in _CLOSING or following.kind in ("COMMA", "END")):
            self.item.trailing = self.comments.on_line(lexeme.span.end, following.span.start)
            self.pending += [_Remark(comment) for comment in self.comments.before(following.span.start)]
        else:
            remarks = self.comments.before(following.span.start)
            self.item.pieces[-1].remarks = [_Remark(comment) for comment in remarks]

    def _finish(self, item: _Item, around: SpacingContext) -> None:
        space_out([piece.word for piece in item.pieces], around)
        item.flat = _flat_item(item)


def _flat_item(item: _Item) -> str | None:
    """An item on one line, or None if a comment or a bracket needs more."""
    parts = []
    for piece in item.pieces:
        if piece.flat is None or piece.remarks:
            return None
        parts.append(f" {piece.flat}" if piece.word.space else piece.flat)
    return "".join(parts)


def _settle(group: _Group) -> None:
    """Find whether a bracket can stand on one line, and how."""
    comments = group.remark or group.dangling or any(item.leading or item.trailing for item in group.items)
    flats = [item.flat for item in group.items if item.flat is not None]
    if group.broken or comments or len(flats) < len(group.items):
        group.broken = bool(group.items or comments)
        group.flat = None if group.broken else f"{group.opener}{group.closer}"
    elif group.opener == "{":
        group.flat = "{ " + "; ".join(flats) + " }"
    else:
        group.flat = f"{group.opener}{_comma(group).join(flats)}{group.closer}"


def _comma(group: _Group) -> str:
    """Small items inside other brackets, and small coordinates anywhere, have no space after their commas."""
    around = group.around
    short = all(is_short([piece.word for piece in item.pieces]) for item in group.items)
    close = short and not around.declaration and (around.opener == "[" or around.depth > 1)
    return "," if close else ", "


class _ItemWriter:
    """Writes items line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""
        self.ends: list[tuple[int, _Remark]] = []
        """Comments at the ends of lines, with the numbers of the lines that they end."""

    def put(self, text: str) -> None:
        self.line += text

    def end_line(self, comment: _Remark | None = None) -> None:
        if comment is not None and self.line.strip():
            self.ends.append((len(self.lines), comment))
        elif comment is not None:
            self.line += comment.text
        self.lines.append(self.line.rstrip())
        self.line = ""

    def align(self) -> None:
        """Writes the comments at the ends of lines, below each other where they stood so in lines of a row."""
        run: list[tuple[int, _Remark]] = []
        for number, comment in self.ends:
            if run:
                (line, column), (next_line, next_column) = run[-1][1].place, comment.place
                if (number, next_line, next_column) != (run[-1][0] + 1, line + 1, column):
                    self._write_below(run)
                    run = []
            run.append((number, comment))
        self._write_below(run)

    def _write_below(self, run: Sequence[tuple[int, _Remark]]) -> None:
        width = max((len(self.lines[number]) for number, _ in run), default=0)
        for number, comment in run:
            self.lines[number] = f"{self.lines[number]:{width}}  {comment.text}"

    def start_line(self, indent: int) -> None:
        self.line = " " * indent

    def write_item(self, item: _Item, indent: int, after: int = 0) -> None:
        """Write an item from where the line stands; `after` characters follow it on its last line."""
        if item.flat is not None and len(self.line) + len(item.flat) + after <= WIDTH:
            self.put(item.flat)
            return
        if item.flat is not None and self._write_parts(item, indent, after):
            return
        opened = _to_open(item.pieces, len(self.line), indent, after)
        widths = _widths_to_break(item.pieces, opened, after)
        indent_of_rest = indent
        for position, piece in enumerate(item.pieces):
            too_long = len(self.line) + widths[position] > WIDTH
            if position and too_long and _may_break_after(item.pieces[position - 1]):
                self.end_line()
                indent_of_rest = indent + 2
                self.start_line(indent_of_rest)
            elif piece.word.space and self.line.strip():
                self.put(" ")
            if piece.group is not None and position in opened:
                self._write_group(piece.group, indent_of_rest)
            else:
                self.put(piece.flat or piece.text)
            for remark in piece.remarks:
                self.end_line(remark)
                self.start_line(indent + 2)

    def _write_parts(self, item: _Item, indent: int, after: int) -> bool:
        """Write a definition's body below its head, or a chain of choices on lines of their own, where that helps."""
        choices = _choices(item, len(self.line), indent, after)
        if choices:
            for position, (column, text) in enumerate(choices):
                if position:
                    self.end_line()
                    self.start_line(column)
                self.put(text)
            return True
        body = next((n + 1 for n, p in enumerate(item.pieces) if p.word.kind in ("EQUAL", "DEFINES")), 0)
        if not body or not item.pieces[body - 1].word.space:
            return False
        head, rest = _part(item, 0, body), _part(item, body, len(item.pieces))
        fits = indent + 2 + len(rest.flat or "") + after <= WIDTH or _choices(rest, indent + 2, indent + 2, after)
        if not fits or len(self.line) + len(head.flat or "") > WIDTH:
            return False
        self.put(head.flat or "")
        self.end_line()
        self.start_line(indent + 2)
        self.write_item(rest, indent + 2, after)
        return True

    def _write_packed(self, group: _Group, indent: int) -> None:
        """Write a bracket with as many items on a line as fit."""
        self.put(group.opener)
        self.end_line()
        self.start_line(indent + 2)
        for position, item in enumerate(group.items):
            text = (item.flat or "") + ("," if position + 1 < len(group.items) else "")
            if self.line.strip() and len(self.line) + 1 + len(text) > WIDTH:
                self.end_line()
                self.start_line(indent + 2)
            self.put(f" {text}" if self.line.strip() else text)
        self.end_line()
        self.start_line(indent)
        self.put(group.closer)

    def _write_group(self, group: _Group, indent: int) -> None:
        """Write a bracket with each item on its own line."""
        if _is_packed(group):
            self._write_packed(group, indent)
            return
        self.put(group.opener)
        self.end_line(group.remark)
        for position, item in enumerate(group.items):
            self._write_remarks(item.leading, indent + 2, bool(position) and group.opener == "{")
            if item.blank and position and group.opener == "{":
                self.end_line()
            self.start_line(indent + 2)
            separator = "," if group.opener != "{" and position + 1 < len(group.items) else ""
            self.write_item(item, indent + 2, len(separator))
            self.put(separator)
            self.end_line(item.trailing)
        self._write_remarks(group.dangling, indent + 2, False)
        self.start_line(indent)
        self.put(group.closer)

    def _write_remarks(self, remarks: Sequence[_Remark], indent: int, blanks: bool) -> None:
        for remark in remarks:
            if remark.blank and blanks:
                self.end_line()
            self.start_line(indent)
            self.put(remark.text)
            self.end_line()


def _part(item: _Item, start: int, end: int) -> _Item:
    """Some words of an item that fits on one line, as an item."""
    part = _Item(item.pieces[start:end])
    part.flat = (_flat_item(part) or "").lstrip()
    return part


def _choices(item: _Item, column: int, indent: int, after: int) -> list[tuple[int, str]]:
    """The lines of a chain of `if`, each with its indentation: one for `if` and each `else`, two where one is too long.

    Empty where the item is no such chain, or a line would still be too long.
    """
    kinds = [piece.word.kind for piece in item.pieces]
    if kinds[:1] != ["IF"] or kinds.count("ELSE") != kinds.count("THEN"):
        return []
    starts = [0, *(number for number, kind in enumerate(kinds) if kind == "ELSE")]
    lines: list[tuple[int, str]] = []
    for start, end in zip(starts, [*starts[1:], len(kinds)], strict=True):
        if kinds[start:end].count("THEN") != (end < len(kinds)):
            return []
        text, width = _part(item, start, end).flat or "", after if end == len(kinds) else 0
        left = indent if start else column
        if left + len(text) + width <= WIDTH or end == len(kinds):
            lines.append((left, text))
            continue
        then = start + kinds[start:end].index("THEN") + 1
        lines.append((left, _part(item, start, then).flat or ""))
        lines.append((indent + 2, _part(item, then, end).flat or ""))
    lengths = [left + len(text) for left, text in lines]
    lengths[-1] += after
    return lines if max(lengths) <= WIDTH else []


def _is_packed(group: _Group) -> bool:
    """Whether a bracket that needs several lines has several items on each: it stood so, or its items are small."""
    if group.opener == "{" or group.remark or group.dangling or len(group.items) < 3:
        return False
    if any(item.flat is None or item.leading or item.trailing for item in group.items):
        return False
    return group.packed if group.broken else all(len(item.flat or "") <= SMALL for item in group.items)


def _may_break_after(piece: _Piece) -> bool:
    """Whether a line may end after a word: after the operators that make a line go on."""
    word = piece.word
    return (
        word.kind in GOES_ON
        and word.kind not in ("DOT", "COLON", "NOT", "CIRCUMFLEX", "EQUAL", "DEFINES")
        and not (word.kind in ("PLUS", "MINUS", "STAR") and not word.binary)
    )


def _widths_to_break(pieces: Sequence[_Piece], opened: set[int], after: int) -> list[int]:
    """For each word the width from it to the next place where the line may end."""
    widths, width = [0] * len(pieces), after
    for number in range(len(pieces) - 1, -1, -1):
        piece = pieces[number]
        if number in opened:
            width = 1
        elif _may_break_after(piece):
            width = len(piece.text)
        else:
            width += len(piece.flat or piece.text)
        width += piece.word.space
        widths[number] = width
    return widths


def _to_open(pieces: Sequence[_Piece], column: int, indent: int, after: int) -> set[int]:
    """Which brackets of an item to write on several lines: those that must, then the widest until every line fits."""
    groups = [number for number, piece in enumerate(pieces) if piece.group is not None]
    opened = {number for number in groups if pieces[number].flat is None}
    while len(groups) <= MOST_GROUPS:
        widest = _widest_in_long_line(pieces, opened, column, indent, after)
        if widest is None:
            break
        opened.add(widest)
    return opened


def _widest_in_long_line(
    pieces: Sequence[_Piece], opened: set[int], column: int, indent: int, after: int
) -> int | None:
    """The widest bracket on the first line that is too long, if one can still be opened."""
    width = column
    candidates: list[tuple[int, int]] = []
    for number, piece in enumerate(pieces):
        if number in opened:
            if width + 1 > WIDTH and candidates:
                break
            width, candidates = indent + 1, []
            continue
        width += len(piece.flat or piece.text) + piece.word.space
        if piece.group is not None and piece.group.items:
            candidates.append((len(piece.flat or ""), number))
    else:
        width += after
    if width <= WIDTH or not candidates:
        return None
    size, number = max(candidates)
    return number if size > 2 else None
