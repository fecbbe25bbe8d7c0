"""From characters to statements: words and signs, and where a statement ends.

The innermost open bracket decides about line ends: in `(` and `[` they mean nothing, in `{` and at top level they end a
statement unless the line ends with an operator or the next one starts with `then` or `else`.  This module also finds
everything that is wrong with brackets, quotes and characters, so that the grammar sees only balanced statements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Diagnostic, Note, Source, Span
from tolang.syntax.lexemes import (
    CLOSER_OF,
    ENDS_OPERAND,
    GOES_ON,
    KEYWORDS,
    LEXEME,
    LOOKALIKES,
    NUMBER_LIKE,
    OPENER_OF,
    OPERATORS,
    POINT_NUMBER,
    QUOTED_FILE,
    SIGNED_SPACE,
    SIGNS,
    TEXT,
    Lexeme,
)

DEPTH_OF_BRACKETS = 200
"""Brackets may nest this deep."""

MOST_ERRORS = 20
"""No more errors than this are reported at once."""

_SPACE = " \t\r\f\v\n"
_STATEMENT_START = re.compile(
    r"(?:tol|space|list)[ \t]+[A-Za-z_]\w*[ \t]*[:=]|(?:use|associative|derivative)[ \t]+[A-Za-z_]|use[ \t]+[\"']"
    r"|[A-Za-z_]\w*[ \t]*(?:\([^()\n]{0,200}\))?[ \t]*:?=(?!=)"
)
_LINE_GOES_ON = re.compile(r"(?:[ \t\r\f\v\n]++|(?:#|//)[^\n]*+)*+(?:then|else)(?![A-Za-z0-9_])")
_DIVISION = re.compile(r"//[ \t]*[0-9]+(?:\.[0-9]+)?[ \t]*(?:[)\]},;+*/%^<>=-].*)?$", re.MULTILINE)
"""`// 2` and its kin, after a value: a number alone is no comment that anybody writes."""
_AFTER_SPACE_IN_LIST = re.compile(r"\s*[,\])]")
_AFTER_SPACE_IN_DECLARATION = re.compile(r"[ \t\r\f\v]*(?:[,\])\n;}#]|//|\Z)")


@dataclass(slots=True)
class StatementWords:
    """The words and signs of one statement; a broken one was already reported, and is parsed for other errors alone."""

    lexemes: list[Lexeme] = field(default_factory=list)
    broken: bool = False
    readable: bool = True
    """Whether what is wrong with it has a sure stand-in, such as `^` for `**`, so that nothing else follows from it."""


@dataclass(slots=True)
class Layout:
    """A text taken apart: its statements, its comments in order, and what is wrong with it so far."""

    statements: list[StatementWords]
    comments: list[Span]
    diagnostics: list[Diagnostic]


def lay_out(source: Source, one_expression: bool = False) -> Layout:
    """Take a text apart into statements.  For one expression, line ends mean nothing outside braces either."""
    scanner = _Scanner(source, one_expression)
    scanner.run()
    return Layout(scanner.statements, scanner.comments, scanner.diagnostics)


def longest_chain(lexemes: Sequence[Lexeme]) -> int:
    """The largest number of operators that stand in one bracket without a comma between them."""
    longest, chain, outer = 0, 0, []
    for lexeme in lexemes:
        if lexeme.kind in OPERATORS:
            chain += 1
            longest = max(longest, chain)
        elif lexeme.kind in ("LPAR", "LSQB", "LBRACE"):
            outer.append(chain)
            chain = 0
        elif lexeme.kind in ("RPAR", "RSQB", "RBRACE"):
            chain = outer.pop() if outer else 0
        elif lexeme.kind in ("COMMA", "END"):
            chain = 0
    return longest


@dataclass(slots=True)
class _Open:
    """An open bracket or bar; `spaces` tells that type spaces may stand in it, as in `convert(t, [N*])`."""

    sign: str
    lexeme: Lexeme
    spaces: bool


class _Scanner:
    """The state of one pass over a text."""

    def __init__(self, source: Source, one_expression: bool) -> None:
        self.source = source
        self.text = source.text
        self.one_expression = one_expression
        self.statements: list[StatementWords] = []
        self.comments: list[Span] = []
        self.diagnostics: list[Diagnostic] = []
        self.current = StatementWords()
        self.open: list[_Open] = []
        self.operand_ended = False
        self.restart: tuple[int, _Open] | None = None
        """Where a new statement seems to start inside an open bracket, and the bracket open there."""
        self.line_of_mistake = 0
        self.goes_on_until = 0
        """The end of the `then` or `else` with which a later line goes on."""
        self.position = 1 if source.text.startswith("\ufeff") else len(source.text) - len(source.text.lstrip(_SPACE))

    def run(self) -> None:
        text, match_at = self.text, LEXEME.match
        while True:
            while self.position < len(text):
                if len(self.diagnostics) >= MOST_ERRORS:
                    return
                found = match_at(text, self.position)
                if found is None:
                    self._unknown()
                    continue
                kind, start = found.lastgroup, self.position
                self.position = found.end()
                if kind == "name":
                    self._name(start)
                elif kind == "sign":
                    self._sign(found.group(), start)
                elif kind == "number":
                    self._add("NUMBER", start)
                elif kind == "newline":
                    self._newline(start)
                elif kind == "comment":
                    self._comment(start)
            if not self.open:
                break
            self._never_closed()
        self._end_statement()

    def _comment(self, start: int) -> None:
        """A comment; what looks like a division in whole numbers, as other languages write it, is told."""
        if self.operand_ended and _DIVISION.match(self.text, start):
            self._wrong(
                "E107",
                "`//` begins a comment in ToLang",
                Span(self.source, start, start + 2),
                found="`//` between two numbers",
                expected="`/` for a quotient",
                fix="write `floor(x / y)` for a whole quotient; a comment of a number alone begins with `#`",
            )
        self.comments.append(Span(self.source, start, self.position))

    # Words

    def _add(self, kind: str, start: int) -> Lexeme:
        made = Lexeme(kind, self.text[start : self.position], Span(self.source, start, self.position))
        self.current.lexemes.append(made)
        self.operand_ended = kind in ENDS_OPERAND
        return made

    def _name(self, start: int) -> None:
        word = self.text[start : self.position]
        following = self.text[self.position : self.position + 1]
        kind = KEYWORDS.get(word, "NAME")
        if word == "part" and following == "'":
            self.position += 1
        elif following in ("*", "+", "-") and self._signed_space(start):
            self.position = start + 2
            kind = "SIGNED_SPACE"
        elif word == "as" and len(self.current.lexemes) == 2 and self.current.lexemes[0].kind == "USE":
            kind = "AS"
        self._add(kind, start)

    def _signed_space(self, start: int) -> bool:
        """Whether `N*` and its kin at this place is a type space: in a declaration, or in the list of a `convert`."""
        if SIGNED_SPACE.fullmatch(self.text, start, start + 2) is None:
            return False
        if self.open and self.open[-1].spaces:
            return _AFTER_SPACE_IN_LIST.match(self.text, start + 2) is not None
        lexemes = self.current.lexemes
        if len(self.open) > 1 or len(lexemes) < 3 or lexemes[2].kind != "COLON":
            return False
        if lexemes[0].kind not in ("SPACE", "LIST", "TOL"):
            return False
        return lexemes[-1].kind == "COLON" or _AFTER_SPACE_IN_DECLARATION.match(self.text, start + 2) is not None

    # Signs

    def _sign(self, sign: str, start: int) -> None:
        if sign == "'":
            self._quote(start)
        elif sign in ("|", "||"):
            self._bar(sign, start)
        elif sign in ("(", "[", "{"):
            self._opens(sign, start)
        elif sign in OPENER_OF:
            self._closes(sign, start)
        elif sign == ";":
            self._separator(start)
        elif sign == "*":
            star_is_operand = not self.operand_ended
            self._add("STAR", start)
            self.operand_ended = star_is_operand
        elif sign == "**":
            self._double_star(start)
        elif sign == "." and not self.operand_ended and (number := POINT_NUMBER.match(self.text, start)):
            self.position = number.end()
            self._add("NUMBER", start)
        else:
            self._add(SIGNS[sign], start)

    def _quote(self, start: int) -> None:
        """A prime after `]` and after a closing bar; the start of a text anywhere else."""
        before = self.current.lexemes[-1].kind if self.current.lexemes else ""
        if before in ("RSQB", "BAR_END", "DOUBLE_BAR_END"):
            self._add("PRIME", start)
            return
        text = TEXT.match(self.text, start)
        if text is not None:
            self.position = text.end()
            self._add("TEXT", start)
            return
        line_end = self.text.find("\n", start)
        self.position = line_end if line_end >= 0 else len(self.text)
        after_value = self.operand_ended and self.text[start - 1 : start] not in (" ", "\t")
        self._wrong(
            "E104",
            "this quote opens a text that does not end on its line",
            Span(self.source, start, self.position),
            found="`'` without a second one",
            expected="a closing `'` on the same line",
            fix="a prime stands only after `]`, a closing bar or `part`"
            if after_value
            else "close the text with `'`; a quote inside a text is written twice: 'it''s'",
        )
        self._add("TEXT", start)

    def _double_star(self, start: int) -> None:
        self._wrong(
            "E107",
            "`**` is not an operator of ToLang",
            Span(self.source, start, self.position),
            found="`**`",
            expected="`^` for a power, or two stars with a space between them",
            fix="write `x ^ y` for a power; `* * y` is the current element times y",
            readable=True,
        )
        self._add("CIRCUMFLEX", start)

    def _bar(self, sign: str, start: int) -> None:
        """A bar closes the innermost bar when a value stands before it, and opens one where a value is expected."""
        kind = SIGNS[sign]
        innermost = self.open[-1] if self.open else None
        within = innermost is not None and innermost.sign in ("|", "||")
        if self.operand_ended and innermost is not None and within:
            if innermost.sign != sign:
                self._mismatch(innermost, sign, start)
            self.open.pop()
            self._add(f"{kind}_END", start)
        elif self.operand_ended:
            self._wrong(
                "E101",
                f"`{sign}` cannot follow a value",
                Span(self.source, start, self.position),
                found=f"`{sign}`",
                expected="an operator or the end of the statement",
                fix="the logical or is `or`; bars around a value give its shape, `|t|`, or its dimension, `||t||`",
                readable=True,
            )
            self._add("OR", start)
        elif innermost is not None and within:
            self._wrong(
                "E102",
                "bars nest only inside brackets",
                Span(self.source, start, self.position),
                found=f"`{sign}` right inside `{innermost.sign}`",
                expected="a value between the bars",
                fix="put brackets around the inner bars: `||(|t|)||`",
                notes=(Note("the outer bar opens here", innermost.lexeme.span),),
            )
        else:
            self._push(sign, self._add(kind, start))

    def _opens(self, sign: str, start: int) -> None:
        lexemes = self.current.lexemes
        after_convert = sign == "(" and bool(lexemes) and lexemes[-1].text == "convert"
        in_convert = sign == "[" and bool(self.open) and self.open[-1].sign == "(" and self.open[-1].spaces
        self._push(sign, self._add(SIGNS[sign], start), after_convert or in_convert)

    def _push(self, sign: str, lexeme: Lexeme, spaces: bool = False) -> None:
        if len(self.open) >= DEPTH_OF_BRACKETS and self.restart is not None:
            self._never_closed()
        elif len(self.open) >= DEPTH_OF_BRACKETS:
            self._wrong(
                "E105",
                f"brackets nest more than {DEPTH_OF_BRACKETS} deep",
                lexeme.span,
                expected=f"at most {DEPTH_OF_BRACKETS} open brackets",
                fix="give a name to an inner part: `inner = …`",
            )
            self._skip_to(self._next_start(self.position))
        else:
            self.open.append(_Open(sign, lexeme, spaces))

    def _closes(self, sign: str, start: int) -> None:
        wanted = OPENER_OF[sign]
        lexemes = self.current.lexemes
        if sign == "}" and lexemes and lexemes[-1].kind == "END":
            lexemes.pop()
        if self.open and self.open[-1].sign == wanted:
            self.open.pop()
            if not self.open:
                self.restart = None
        elif not self.open:
            self._wrong(
                "E102",
                f"`{sign}` closes nothing",
                Span(self.source, start, self.position),
                found=f"`{sign}`",
                expected=f"an open `{wanted}` before it",
                fix=f"remove `{sign}`, or open a `{wanted}` before it",
            )
        elif self.restart is not None:
            self._never_closed()
            return
        else:
            self._mismatch(self.open[-1], sign, start)
            while self.open and self.open.pop().sign != wanted:
                pass
        self._add(SIGNS[sign], start)

    def _mismatch(self, opened: _Open, sign: str, start: int) -> None:
        closer = CLOSER_OF[opened.sign]
        nested = opened.sign == "||" and sign == "|"
        self._wrong(
            "E102",
            f"`{opened.sign}` is not closed before `{sign}`",
            Span(self.source, start, self.position),
            found=f"`{sign}`",
            expected=f"`{closer}` to close the `{opened.sign}` opened before",
            fix="bars nest only inside brackets: `||(|t|)||`" if nested else f"write `{closer}` before `{sign}`",
            notes=(Note(f"`{opened.sign}` opens here", opened.lexeme.span),),
        )

    # Line ends

    def _newline(self, start: int) -> None:
        container = next((o.sign for o in reversed(self.open) if o.sign not in ("|", "||")), "")
        if container in ("(", "[") or (self.one_expression and not container):
            self._maybe_restart()
            return
        if container == "{":
            self._maybe_restart()
        lexemes = self.current.lexemes
        if not lexemes or lexemes[-1].kind in ("END", "LBRACE"):
            return
        if lexemes[-1].kind in GOES_ON and not self.operand_ended:
            return
        if self._next_word_goes_on():
            return
        self._close_bars()
        if container == "{":
            self._add("END", start)
        else:
            self._end_statement()

    def _next_word_goes_on(self) -> bool:
        """Whether the next word is `then` or `else`; found once for all empty and comment lines before it."""
        if self.position >= self.goes_on_until:
            found = _LINE_GOES_ON.match(self.text, self.position)
            self.goes_on_until = found.end() if found else 0
        return self.position < self.goes_on_until

    def _separator(self, start: int) -> None:
        """A `;` ends a statement at top level and a step in braces; elsewhere the grammar refuses it."""
        self._close_bars()
        if not self.open and not self.one_expression:
            self._end_statement()
        elif self.open and self.open[-1].sign == "{":
            if self.current.lexemes[-1].kind not in ("END", "LBRACE"):
                self._add("END", start)
        else:
            self._add("END", start)

    def _close_bars(self) -> None:
        """Report bars that are still open where a statement ends."""
        while self.open and self.open[-1].sign in ("|", "||"):
            opened = self.open.pop()
            self._unclosed(opened)

    def _end_statement(self) -> None:
        if self.current.lexemes or self.current.broken:
            self.statements.append(self.current)
        self.current = StatementWords()
        self.operand_ended = False
        self.restart = None
        self.goes_on_until = 0

    # What is wrong, and where to go on

    def _wrong(
        self,
        code: str,
        message: str,
        span: Span,
        found: str | None = None,
        expected: str | None = None,
        fix: str | None = None,
        notes: tuple[Note, ...] = (),
        readable: bool = False,
    ) -> None:
        """Report a mistake, unless one was reported on the same line: often the second follows from the first."""
        self.current.broken = True
        self.current.readable = self.current.readable and readable
        line = self.source.position(span.start)[0]
        if line != self.line_of_mistake:
            self.line_of_mistake = 0 if readable else line
            self.diagnostics.append(Diagnostic(code, message, span, found, expected, fix, notes))

    def _maybe_restart(self) -> None:
        """Remember where a new statement seems to start although a bracket is open, in case it is never closed."""
        if self.restart is None and self.open and _STATEMENT_START.match(self.text, self.position):
            self.restart = (self.position, self.open[-1])

    def _next_start(self, after: int) -> int:
        """The next line that starts like a statement, or the end of the text."""
        while (line_end := self.text.find("\n", after)) >= 0:
            after = line_end + 1
            if _STATEMENT_START.match(self.text, after):
                return after
        return len(self.text)

    def _never_closed(self) -> None:
        """Report a bracket that is never closed, and go on where the next statement seems to start."""
        position, opened = self.restart or (len(self.text), self.open[-1])
        self._unclosed(opened)
        self._skip_to(position)

    def _unclosed(self, opened: _Open) -> None:
        closer = CLOSER_OF[opened.sign]
        self._wrong(
            "E102",
            f"`{opened.sign}` is never closed",
            opened.lexeme.span,
            found=f"`{opened.sign}` without its `{closer}`",
            expected=f"`{closer}`",
            fix=f"write `{closer}` where the {'block' if opened.sign == '{' else 'bracket'} ends"
            if opened.sign not in ("|", "||")
            else f"write `{closer}` after the value, on the same line",
        )

    def _skip_to(self, position: int) -> None:
        self.position = position
        self.open.clear()
        self.comments = [c for c in self.comments if c.start < position]
        self._end_statement()

    def _unknown(self) -> None:
        """What stands in double quotes after `use`; else no part of ToLang, or a number that runs into letters."""
        start = self.position
        file = QUOTED_FILE.match(self.text, start) if [one.kind for one in self.current.lexemes] == ["USE"] else None
        if file is not None:
            self.position = file.end()
            self._add("TEXT", start)
            return
        number = NUMBER_LIKE.match(self.text, start)
        if number is not None:
            self._strange_number(number.group(), start)
            return
        character = self.text[start]
        self.position = start + 1
        while self.text[self.position : self.position + 1] == character:
            self.position += 1
        called, fix = LOOKALIKES.get(character, ("", None))
        if not called and character.isalpha():
            called, fix = "a letter outside a to z", "write names with the letters a to z, digits and `_`"
        code_point = f"U+{ord(character):04X}"
        run = self.text[start : min(self.position, start + 10)]
        shown = f"`{run}`" if character.isprintable() and character != "`" else code_point
        self._wrong(
            "E103",
            f"{shown} is not part of ToLang",
            Span(self.source, start, self.position),
            found=f"{called} ({code_point})" if called else f"the character {code_point}",
            expected="names, numbers, texts, operators and brackets",
            fix=fix,
        )
        self._add("NAME", start)

    def _strange_number(self, text: str, start: int) -> None:
        self.position = start + len(text)
        digits = len(text) - len(text.lstrip("0123456789."))
        number, rest = text[:digits], text[digits:]
        if text[:2].lower() in ("0x", "0b", "0o") or "_" in text:
            fix = "write numbers with decimal digits only"
        elif rest and "." not in rest:
            fix = f"write `{number} * {rest}` for a product; a name starts with a letter"
        else:
            fix = "a number is written 3, 3.5, 1e-3 or 2i"
        self._wrong(
            "E101",
            "a number runs into a name",
            Span(self.source, start, self.position),
            found=f"`{text if len(text) <= 40 else text[:37] + '...'}`",
            expected="a number such as 3, 3.5, 1e-3 or 2i",
            fix=fix,
            readable=bool(self.current.lexemes),
        )
        self._add("NUMBER", start).text = "1"
