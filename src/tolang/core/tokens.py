"""The words and signs of the core's text, and the errors of reading it."""

from __future__ import annotations

import json
import re

from tolang.core.notation import WORD
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Diagnostic, Source, Span, ToLangSyntaxError


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign.  `kind` is `word`, `name` (quoted), `text`, `integer`, `decimal`, `sign` or `end`.

    `glued` tells that nothing stands between this token and the one before: `x[1]` is a part, `R [n]` a type.
    """

    kind: str
    text: str
    start: int
    end: int
    glued: bool


def token_pattern(more_signs: str = "") -> re.Pattern[str]:
    """Matches one token, or the space and comments before one; the groups are the kinds of tokens.

    Each of `more_signs` ends in `|`.
    """
    return re.compile(
        rf"""
        (?P<space>(?:\s|\#[^\n]*)+)
      | (?P<decimal>\d+\.\d+(?:e[+-]?\d+)?|\d+e[+-]?\d+)
      | (?P<integer>\d+)
      | (?P<word>{WORD.pattern})
      | (?P<name>`(?:[^`\\\n]|\\.)*`)
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<sign>{more_signs}->|<=|>=|==|!=|\.\.|[()\[\]{{}},:;=+\-*/^~'|&])
        """,
        re.VERBOSE,
    )


TOKEN = token_pattern()


def syntax_error(
    code: str, message: str, source: Source, start: int, end: int, found: str | None = None, expected: str | None = None
) -> ToLangSyntaxError:
    return ToLangSyntaxError(Diagnostic(code, message, Span(source, start, max(end, start + 1)), found, expected))


def tokens_of(source: Source, pattern: re.Pattern[str] = TOKEN) -> list[Token]:
    """All the tokens of a text, and one of kind `end` after them; the pattern's groups are the kinds of tokens."""
    found: list[Token] = []
    offset, glued = 0, False
    while offset < len(source.text):
        match = pattern.match(source.text, offset)
        if match is None:
            quote = source.text[offset] in '`"'
            code, message = ("E104", "this quote does not end") if quote else ("E103", "no character of this text")
            raise syntax_error(code, message, source, offset, offset + 1, found=source.text[offset])
        kind = match.lastgroup or ""
        if kind != "space":
            found.append(Token(kind, _unquoted(source, kind, match), match.start(), match.end(), glued))
        offset, glued = match.end(), kind != "space"
    found.append(Token("end", "", len(source.text), len(source.text), False))
    return found


def _unquoted(source: Source, kind: str, match: re.Match[str]) -> str:
    """The token's text; of a quoted one what stands between the quotes, with its escapes resolved."""
    text = match.group()
    if kind not in ("name", "text"):
        return text
    try:
        return str(json.loads(f'"{text[1:-1]}"'))
    except ValueError:
        raise syntax_error("E103", "an escape that is none", source, match.start(), match.end(), found=text) from None
