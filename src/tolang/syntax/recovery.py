"""Several errors in one statement: what is wrong is replaced by a name, and the grammar reads on.

An error is of the item it stands in: of what stands between two commas, or between the operators outside brackets.  The
next error is told only if it stands after that item, so that none follows from another.
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.ground.reporting.diagnostics import Diagnostic, Span, ToLangSyntaxError
from tolang.syntax.derivation import Unexpected, derive
from tolang.syntax.explanation import explain
from tolang.syntax.lexemes import Lexeme
from tolang.syntax.situation import CLOSERS, OPENERS

MOST_RECOVERIES = 20
LONGEST_RECOVERED = 2_000
"""In a longer statement only the first error is told: each further one takes the time of reading it again."""

SEPARATORS = frozenset({"COMMA", "END"})
OUTSIDE = SEPARATORS | {
    "EQUAL", "DEFINES", "ARROW", "IF", "THEN", "ELSE", "PLUS", "MINUS", "COMPARISON", "AND", "OR", "XOR", "COLON",
}  # fmt: skip
"""Where an item ends outside brackets, and in a block."""
ITEMIZED = frozenset({"LPAR", "LSQB", "BAR", "DOUBLE_BAR"})


def all_errors(lexemes: Sequence[Lexeme], start: str, first: Unexpected) -> list[Diagnostic]:
    """The errors of a statement that the grammar refuses, the first of which is known."""
    found = [explain(lexemes, first)]
    rest, unexpected, replaced = list(lexemes), first, list[Span]()
    while len(found) < MOST_RECOVERIES and len(lexemes) <= LONGEST_RECOVERED:
        item = _item(rest, unexpected.position)
        if item is None:
            break
        begin, end = item
        stand_in = _stand_in(rest, begin, end)
        rest[begin:end] = [stand_in]
        replaced.append(stand_in.span)
        try:
            derive(rest, start)
            break
        except Unexpected as again:
            if again.position <= begin + 1:
                break
            unexpected = again
            found.append(explain(rest, again))
        except ToLangSyntaxError as error:
            found.extend(one for one in error.diagnostics if not _is_in(one.span, replaced))
            break
    return found


def _is_in(span: Span | None, replaced: list[Span]) -> bool:
    """Whether what is told is of something that was replaced."""
    return span is None or any(span.start <= one.start and one.end <= span.end for one in replaced)


def _stand_in(lexemes: Sequence[Lexeme], begin: int, end: int) -> Lexeme:
    """A name in the place of an item, or of the nothing before what follows it."""
    source = lexemes[begin].span.source
    last = lexemes[end - 1].span.end if end > begin else lexemes[begin].span.start
    return Lexeme("NAME", "item", Span(source, lexemes[begin].span.start, last))


def _item(lexemes: Sequence[Lexeme], position: int) -> tuple[int, int] | None:
    """Where the item around an error begins and ends; None where it is the whole statement, or has no end."""
    ends = SEPARATORS if _innermost(lexemes, position) in ITEMIZED else OUTSIDE
    begin, depth = position, 0
    while begin:
        kind = lexemes[begin - 1].kind
        if not depth and (kind in OPENERS or kind in ends):
            break
        depth += (kind in CLOSERS) - (kind in OPENERS)
        begin -= 1
    end, depth = position, 0
    while end < len(lexemes):
        kind = lexemes[end].kind
        if not depth and (kind in CLOSERS or (kind in ends and end > position)):
            break
        depth += (kind in OPENERS) - (kind in CLOSERS)
        end += 1
    return (begin, end) if begin and end < len(lexemes) else None


def _innermost(lexemes: Sequence[Lexeme], position: int) -> str:
    """The kind of the innermost bracket around a place."""
    outer: list[str] = []
    for lexeme in lexemes[:position]:
        if lexeme.kind in OPENERS:
            outer.append(lexeme.kind)
        elif lexeme.kind in CLOSERS and outer:
            outer.pop()
    return outer[-1] if outer else ""
