"""Where the grammar stopped, seen from the words around it."""

from __future__ import annotations

from collections.abc import Sequence

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span
from tolang.syntax.lexemes import WORDS_OF_KIND, Lexeme, describe

STARTS_OPERAND = frozenset(
    {"NAME", "NUMBER", "TEXT", "CONSTANT", "LBRACE", "TOL", "BAR", "DOUBLE_BAR", "IF", "NOT", "SPACE"}
)
OPENERS = frozenset({"LPAR", "LSQB", "LBRACE", "BAR", "DOUBLE_BAR"})
CLOSERS = frozenset({"RPAR", "RSQB", "RBRACE", "BAR_END", "DOUBLE_BAR_END"})


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the grammar stopped: what was found (None is the end of the statement) and what could stand there."""

    lexemes: Sequence[Lexeme]
    position: int
    accepted: set[str]

    @property
    def found(self) -> Lexeme | None:
        return self.lexemes[self.position] if self.position < len(self.lexemes) else None

    @property
    def before(self) -> Lexeme | None:
        return self.lexemes[self.position - 1] if self.position else None

    @property
    def kind(self) -> str:
        return self.found.kind if self.found is not None else "$END"

    @property
    def kind_before(self) -> str:
        return self.before.kind if self.before is not None else ""

    @property
    def wants_operand(self) -> bool:
        return "NUMBER" in self.accepted

    @property
    def wants_operator(self) -> bool:
        return "CIRCUMFLEX" in self.accepted or "SLASH" in self.accepted

    @property
    def at_end(self) -> bool:
        """Whether nothing follows in the innermost bracket or statement."""
        return self.kind in ("$END", "END", "COMMA") or self.kind in CLOSERS

    @property
    def touching(self) -> bool:
        """Whether what was found stands right after what is before it, without white space."""
        return self.found is not None and self.before is not None and self.found.span.start == self.before.span.end

    @property
    def span(self) -> Span:
        """The place of what was found; the end of a statement is the place right after its last word."""
        if self.found is not None:
            return self.found.span
        end = self.lexemes[-1].span.end
        return Span(self.lexemes[-1].span.source, end, end)

    def described(self) -> str:
        return describe(self.found) if self.found is not None else "the end of the statement"

    def enclosing(self) -> Lexeme | None:
        """The innermost bracket or bar that is open here."""
        depth = 0
        for lexeme in reversed(self.lexemes[: self.position]):
            if lexeme.kind in CLOSERS:
                depth += 1
            elif lexeme.kind in OPENERS:
                if not depth:
                    return lexeme
                depth -= 1
        return None

    def level(self) -> list[Lexeme]:
        """What stands before here at the same depth, back to the innermost open bracket or step, last first."""
        depth, seen = 0, []
        for lexeme in reversed(self.lexemes[: self.position]):
            if lexeme.kind in CLOSERS:
                depth += 1
            elif lexeme.kind in OPENERS:
                if not depth:
                    break
                depth -= 1
            elif not depth:
                if lexeme.kind == "END":
                    break
                seen.append(lexeme)
        return seen


def expectation(kinds: set[str]) -> str:
    """What could stand at a place, in words."""
    words = []
    if "NUMBER" in kinds:
        words.append("an expression")
    elif "SIGNED_SPACE" in kinds:
        words.append("a type space")
    elif "NAME" in kinds:
        words.append("a name")
    hidden = {"NAME", "SIGNED_SPACE", "PRIME", "ARROW"}
    if "SLASH" in kinds or "CIRCUMFLEX" in kinds:
        words.append("an operator")
        hidden |= {"LPAR", "LSQB", "DOT"}
    if "NUMBER" in kinds:
        hidden |= {"LPAR", "LSQB", "LBRACE", "TEXT", "CONSTANT", "BAR", "DOUBLE_BAR", "NUMBER"}
    order = "COLON EQUAL DEFINES THEN ELSE LPAR LSQB DOT COMMA RPAR RSQB BAR BAR_END DOUBLE_BAR_END END RBRACE $END"
    words += [WORDS_OF_KIND[kind] for kind in order.split() if kind in kinds and kind not in hidden]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}" if words else "nothing more"
