"""Where the formatter writes a space: between words, around operators, after commas.

Comparisons, `and`, `->`, `=` and their kin always stand between spaces.  Sums and products stand close where that shows
what belongs together: the products in a sum of products, and plain names and numbers inside brackets, `v[j-1]`.  An
operator beside a star keeps its spaces, so that nobody reads `* * x` as something else.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, field

ADDITIVE = frozenset({"PLUS", "MINUS"})
MULTIPLICATIVE = frozenset({"STAR", "SLASH", "PERCENT"})
SIGNS_OF_ARITHMETIC = ADDITIVE | MULTIPLICATIVE
WORDS = frozenset(
    {"IF", "THEN", "ELSE", "AND", "OR", "XOR", "NOT", "TOL", "SPACE", "LIST", "USE", "AS", "ASSOCIATIVE", "DERIVATIVE"}
)
ALWAYS_SPACED = frozenset({"COMPARISON", "ARROW", "DEFINES", "THEN", "ELSE", "IF", "AND", "OR", "XOR", "NOT"})
SINGLE_WORDS = frozenset({"NAME", "NUMBER", "CONSTANT", "TEXT"})
ENDS_OPERAND = SINGLE_WORDS | {"SIGNED_SPACE", "GROUP", "BAR_END", "DOUBLE_BAR_END", "PRIME"}


@dataclass(slots=True)
class SpacedWord:
    """One word, sign or whole bracket of an item, as spacing sees it.

    `kind` is the kind of the lexeme, `GROUP` for a bracket with all that is in it.  `binary` tells an operator from a
    sign or a star, `star` marks the star that is an operand, and `space` whether a space stands before it.
    """

    kind: str
    opener: str = ""
    binary: bool = False
    star: bool = False
    space: bool = False


@dataclass(frozen=True, slots=True)
class SpacingContext:
    """What an item stands in: the opening bracket, how deep in brackets, and the word a declaration starts with.

    All are empty at top level; the depth is counted from the innermost block.
    """

    opener: str = ""
    depth: int = 0
    declaration: str = ""


@dataclass(slots=True)
class _OperandSegment:
    """A stretch of an item between looser signs: operands joined by sums and products."""

    operators: list[SpacedWord] = field(default_factory=list)
    operands: list[list[SpacedWord]] = field(default_factory=lambda: [[]])

    def has_star(self) -> bool:
        return any(word.star for operand in self.operands for word in operand)

    def is_plain(self) -> bool:
        return all(len(operand) == 1 and operand[0].kind in SINGLE_WORDS for operand in self.operands)


def space_out(words: list[SpacedWord], around: SpacingContext) -> None:
    """Decide for each word of an item whether a space stands before it."""
    _find_roles(words)
    is_slice = around.opener == "[" and not around.declaration and any(word.kind == "COLON" for word in words)
    for segment in _segments(words):
        _space_arithmetic(segment, around, is_slice)
    tight_equal = around.opener == "("
    before: SpacedWord | None = None
    for word in words:
        if before is not None and not (word.binary and word.kind in SIGNS_OF_ARITHMETIC):
            if before.binary and before.kind in SIGNS_OF_ARITHMETIC:
                word.space = before.space
            else:
                word.space = _space_between(before, word, tight_equal, is_slice, around)
        before = word


def is_short(words: list[SpacedWord]) -> bool:
    """Whether an item is so small that commas beside it need no space: a word, `-x`, `*t`, `|t|`."""
    kinds = [word.kind for word in words]
    if kinds == ["BAR", "NAME", "BAR_END"]:
        return True
    if len(kinds) == 1:
        return kinds[0] in SINGLE_WORDS | {"STAR", "SIGNED_SPACE", "COLON"} | WORDS
    return len(kinds) == 2 and kinds[0] in ("MINUS", "PLUS", "STAR") and kinds[1] in SINGLE_WORDS


def _find_roles(words: list[SpacedWord]) -> None:
    """Tell operators from signs and stars: an operator follows an operand."""
    operand_ended, before = False, ""
    for word in words:
        if word.kind in WORDS and before == "DOT":
            word.kind = "NAME"
            operand_ended = True
        elif word.kind in SIGNS_OF_ARITHMETIC or word.kind in ("AND", "OR", "XOR", "CIRCUMFLEX", "COMPARISON"):
            word.binary = operand_ended
            word.star = word.kind == "STAR" and not operand_ended
            operand_ended = word.star
        else:
            operand_ended = word.kind in ENDS_OPERAND
        before = word.kind


def _segments(words: list[SpacedWord]) -> list[_OperandSegment]:
    segments = [_OperandSegment()]
    for word in words:
        if word.kind in SIGNS_OF_ARITHMETIC and word.binary:
            segments[-1].operators.append(word)
            segments[-1].operands.append([])
        elif word.kind in ALWAYS_SPACED or word.kind in ("COLON", "EQUAL"):
            segments.append(_OperandSegment())
        else:
            segments[-1].operands[-1].append(word)
    return segments


def _space_arithmetic(segment: _OperandSegment, around: SpacingContext, is_slice: bool) -> None:
    """Sums and products: which of the operators of one segment stand between spaces."""
    kinds = {operator.kind for operator in segment.operators}
    spaced: frozenset[str]
    if segment.has_star():
        spaced = SIGNS_OF_ARITHMETIC
    elif is_slice or (around.depth and segment.is_plain() and not (kinds & ADDITIVE and kinds & MULTIPLICATIVE)):
        spaced = frozenset()
    elif kinds & ADDITIVE:
        spaced = ADDITIVE
    else:
        spaced = MULTIPLICATIVE
    for operator in segment.operators:
        operator.space = operator.kind in spaced


def _space_between(
    before: SpacedWord, word: SpacedWord, tight_equal: bool, is_slice: bool, around: SpacingContext
) -> bool:
    """Whether a space stands between two words neither of which is a sum's or product's operator."""
    if word.kind == "EQUAL" or before.kind == "EQUAL":
        return not tight_equal
    if "DOT" in (word.kind, before.kind) or "CIRCUMFLEX" in (word.kind, before.kind):
        return False
    if word.kind in ("PRIME", "COLON", "COMMA") or word.kind.endswith("_END") or before.kind in ("BAR", "DOUBLE_BAR"):
        return False
    if before.kind == "COLON":
        return not is_slice
    if word.kind in ALWAYS_SPACED or before.kind in ALWAYS_SPACED - {"AND", "OR", "XOR"}:
        return True
    if before.kind in SIGNS_OF_ARITHMETIC:
        return False
    if word.kind == "GROUP":
        return _space_before_group(before, word, around)
    return not (before.kind == "TOL" and word.kind == "BAR")


def _space_before_group(before: SpacedWord, word: SpacedWord, around: SpacingContext) -> bool:
    """A call and an index stand close to what they follow; a declared shape and a block do not."""
    if word.opener == "{":
        return True
    if around.declaration in ("TOL", "SPACE") and not around.depth and word.opener == "[":
        return before.kind != "TOL"
    return before.kind in ("AND", "OR", "XOR") and before.binary
