"""Source text as derivations show it: without white space that means nothing, and taken apart at its commas."""

from __future__ import annotations

import re

from tolang.ground.reporting.diagnostics import Span

LONGEST = 72
_COMMENT = re.compile(r"(#|//)[^\n]*")
_SPACE = re.compile(r"\s+")
_WORD_BEFORE = re.compile(r"\w+$")
_WORD_AFTER = re.compile(r"\w+")
_KEYWORDS = frozenset({"if", "then", "else", "and", "or", "xor", "not"})
_OPENING, _CLOSING = "([{", ")]}"


def compact(text: str) -> str:
    """The text on one line, with spaces between words, and around those of the language."""
    result = ""
    for piece in _SPACE.sub(" ", _COMMENT.sub("", text)).strip().split(" "):
        before, after = _WORD_BEFORE.search(result), _WORD_AFTER.match(piece)
        words = {found.group() for found in (before, after) if found is not None}
        result += f" {piece}" if result and (len(words) == 2 or (before and after) or words & _KEYWORDS) else piece
    return result


def text_of(span: Span | None, otherwise: str = "…") -> str:
    """What stands at a place of the source, shortened in the middle where it is long."""
    if span is None:
        return otherwise
    text = compact(span.text)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 + 1 :]}"


def arguments_of(span: Span | None, name: str) -> list[str] | None:
    """The arguments of a call as they are written, where a span is the call of that name."""
    text = compact(span.text) if span is not None else ""
    if not text.startswith(f"{name}(") or not text.endswith(")"):
        return None
    parts, depth, start = [], 0, len(name) + 1
    for position in range(start, len(text)):
        character = text[position]
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
            if depth < 0 and position < len(text) - 1:
                return None
        if (character == "," and depth == 0) or depth < 0:
            parts.append(text[start:position])
            start = position + 1
    return parts
