"""ToLang in colour: a lexer for Pygments, which documentation, notebooks and the prompt use.

It reads words and signs as the parser does, so that a prime, a bar and `N*` are what they are to the parser.  A text
with mistakes keeps its colours, and no character is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from tolang.ground.reporting.diagnostics import Source
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import FAMILIES
from tolang.program.descriptions import PRIMITIVES
from tolang.syntax.layout import lay_out
from tolang.syntax.lexemes import KEYWORDS, LEXEME, SIGNS

_OF_WORD = {
    "SPACE": Keyword.Declaration, "LIST": Keyword.Declaration, "TOL": Keyword.Declaration, "USE": Keyword.Namespace,
    "ASSOCIATIVE": Keyword.Declaration, "DERIVATIVE": Keyword.Declaration, "IF": Keyword, "THEN": Keyword,
    "ELSE": Keyword, "AND": Operator.Word, "OR": Operator.Word, "XOR": Operator.Word, "NOT": Operator.Word,
    "CONSTANT": Keyword.Constant,
}  # fmt: skip
_OF_KIND = {
    **_OF_WORD, "AS": Keyword.Namespace,
    "NUMBER": Number, "TEXT": String, "SIGNED_SPACE": Keyword.Type, "PRIME": Operator, "BAR_END": Operator,
    "DOUBLE_BAR_END": Operator,
    **dict.fromkeys(("LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE", "COMMA", "COLON", "END"), Punctuation),
}  # fmt: skip
_OF_GAP = {"blank": Whitespace, "newline": Whitespace, "comment": Comment.Single, "name": Name, "number": Number}

Token = tuple[int, Any, str]
"""A place in the text, one of Pygments' kinds, and a word."""


class ToLangLexer(Lexer):  # type: ignore[misc]  # Pygments has no types
    """The lexer of ToLang programs."""

    name = "ToLang"
    aliases: ClassVar[list[str]] = ["tol", "tolang"]
    filenames: ClassVar[list[str]] = ["*.tol"]
    mimetypes: ClassVar[list[str]] = ["text/x-tolang"]
    url = "https://arxiv.org/abs/2212.10740"

    def get_tokens_unprocessed(self, text: str) -> Iterator[Token]:
        """Places, kinds and texts, which put together are the whole text."""
        layout = lay_out(Source("<text>", text))
        lexemes = [(one.span.start, one.span.end, one.kind) for each in layout.statements for one in each.lexemes]
        position = 0
        for start, end, kind in sorted(lexemes):
            word = text[start:end]
            if start < position or not word.strip():
                continue
            yield from _gap(text, position, start)
            yield start, _kind(kind, word), word
            position = start + len(word)
        yield from _gap(text, position, len(text))


def _kind(kind: str, word: str) -> Any:
    """The kind, to Pygments, of a word or sign that the parser knows."""
    if kind != "NAME":
        return _OF_KIND.get(kind, Operator)
    plain = word.rstrip("'")
    if not (plain.isascii() and plain.isidentifier()):
        return Error
    if plain in PRIMITIVES:
        return Name.Builtin
    if word in FUNCTIONS:
        return Name.Function
    return Keyword.Type if word in FAMILIES else Name


def _gap(text: str, start: int, end: int) -> Iterator[Token]:
    """What stands between words: blanks and comments, and what the parser has given up on."""
    while start < end:
        found = LEXEME.match(text, start, end)
        word = text[start] if found is None else found.group()
        if found is None or found.lastgroup is None:
            yield start, Whitespace if text[start] == "\ufeff" else Error, word
        elif found.lastgroup == "sign":
            yield start, _OF_KIND.get(SIGNS[word], Operator), word
        elif found.lastgroup == "name" and word in KEYWORDS:
            yield start, _OF_WORD[KEYWORDS[word]], word
        else:
            yield start, _OF_GAP[found.lastgroup], word
        start += len(word)
