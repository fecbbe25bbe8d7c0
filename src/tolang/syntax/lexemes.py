"""The words and signs of ToLang: their kinds, as the grammar names them, and how they are read aloud."""

from __future__ import annotations

import re

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span


@dataclass(slots=True, eq=False)
class Lexeme:
    """One word or sign with its place.  Its `kind` is the name of a terminal of the grammar."""

    kind: str
    text: str
    span: Span


KEYWORDS = {
    "space": "SPACE", "list": "LIST", "tol": "TOL", "use": "USE", "if": "IF", "then": "THEN", "else": "ELSE",
    "and": "AND", "or": "OR", "xor": "XOR", "not": "NOT", "associative": "ASSOCIATIVE", "derivative": "DERIVATIVE",
    "true": "CONSTANT", "false": "CONSTANT", "Inf": "CONSTANT", "NaN": "CONSTANT",
}  # fmt: skip
"""The reserved words and their kinds."""

SIGNS = {
    "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB", "{": "LBRACE", "}": "RBRACE",
    ",": "COMMA", ":": "COLON", ".": "DOT", "=": "EQUAL", ":=": "DEFINES", "->": "ARROW", ";": "END",
    "+": "PLUS", "-": "MINUS", "*": "STAR", "/": "SLASH", "%": "PERCENT", "^": "CIRCUMFLEX",
    "<": "COMPARISON", ">": "COMPARISON", "<=": "COMPARISON", ">=": "COMPARISON", "==": "COMPARISON",
    "!=": "COMPARISON", "|": "BAR", "||": "DOUBLE_BAR", "**": "DOUBLE_STAR", "'": "PRIME",
}  # fmt: skip
"""The signs and their kinds; `layout.py` tells opening bars from closing ones."""

CLOSER_OF = {"(": ")", "[": "]", "{": "}", "|": "|", "||": "||"}
OPENER_OF = {")": "(", "]": "[", "}": "{"}

ENDS_OPERAND = frozenset(
    {
        "NAME",
        "NUMBER",
        "TEXT",
        "CONSTANT",
        "SIGNED_SPACE",
        "RPAR",
        "RSQB",
        "RBRACE",
        "BAR_END",
        "DOUBLE_BAR_END",
        "PRIME",
    }
)
"""After these an operator or a separator follows; a `*` after any other kind is the star, an operand itself."""

GOES_ON = frozenset(
    {
        "PLUS",
        "MINUS",
        "STAR",
        "SLASH",
        "PERCENT",
        "CIRCUMFLEX",
        "COMPARISON",
        "AND",
        "OR",
        "XOR",
        "NOT",
        "EQUAL",
        "DEFINES",
        "ARROW",
        "IF",
        "THEN",
        "ELSE",
        "COMMA",
        "COLON",
        "DOT",
    }
)
"""A line that ends with one of these goes on with the next line."""

OPERATORS = frozenset(
    {"PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "CIRCUMFLEX", "COMPARISON", "AND", "OR", "XOR", "NOT", "ARROW", "DOT"}
)

LEXEME = re.compile(
    r"""(?P<blank>[ \t\r\f\v]+)
      | (?P<newline>\n)
      | (?P<comment>(?:\#|//)[^\n]*)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?i?(?![A-Za-z0-9_]))
      | (?P<sign>:=|->|<=|>=|==|!=|\*\*|\|\||[-+*/%^<>=(),\[\]{}.:;|'])
    """,
    re.VERBOSE,
)
TEXT = re.compile(r"'(?:[^'\n]|'')*'")
QUOTED_FILE = re.compile(r'"[^"\n]*"')
"""A file that is used; text stands in single quotes anywhere else."""
SIGNED_SPACE = re.compile(r"[NZQR][*+-]")
NUMBER_LIKE = re.compile(r"[0-9][A-Za-z0-9_.]*")
POINT_NUMBER = re.compile(r"\.[0-9]+(?:[eE][+-]?[0-9]+)?i?(?![A-Za-z0-9_])")
"""A number written without the digit before its point, `.5`, read only where an operand may stand."""

WORDS_OF_KIND = {
    "NAME": "a name", "NUMBER": "a number", "TEXT": "a text", "CONSTANT": "a constant", "LPAR": "`(`", "RPAR": "`)`",
    "LSQB": "`[`", "RSQB": "`]`", "LBRACE": "`{`", "RBRACE": "`}`", "COMMA": "`,`", "COLON": "`:`", "DOT": "`.`",
    "EQUAL": "`=`", "DEFINES": "`:=`", "ARROW": "`->`", "AS": "`as`", "THEN": "`then`", "ELSE": "`else`", "BAR": "`|`",
    "BAR_END": "a closing `|`", "DOUBLE_BAR": "`||`", "DOUBLE_BAR_END": "a closing `||`",
    "PRIME": "`'`", "SIGNED_SPACE": "a type space", "$END": "the end of the statement", "END": "the end of the step",
}  # fmt: skip


def describe(lexeme: Lexeme) -> str:
    """The word or sign as a message names it: its kind in words and its text."""
    shown = lexeme.text if len(lexeme.text) <= 40 else f"{lexeme.text[:37]}..."
    if lexeme.kind == "END":
        return "the end of the line" if shown != ";" else "`;`"
    if shown in KEYWORDS and lexeme.kind != "CONSTANT":
        return f"the reserved word `{shown}`"
    if lexeme.kind in ("NAME", "NUMBER"):
        return f"the {lexeme.kind.lower()} `{shown}`"
    if lexeme.kind == "TEXT":
        return f"the text {shown}"
    return f"`{shown}`"


LOOKALIKES = {
    '"': ("a double quote", "write text between single quotes: 'text'"),
    "“": ("a curly quote", "write text between straight single quotes: 'text'"),
    "”": ("a curly quote", "write text between straight single quotes: 'text'"),
    "‘": ("a curly quote", "write text between straight single quotes: 'text'"),
    "’": ("a curly quote", "use the straight quote '"),
    "`": ("a back quote", "write text between straight single quotes: 'text'"),
    "×": ("a times sign", "write `*`"),
    "·": ("a middle dot", "write `*`"),
    "÷": ("a division sign", "write `/`"),
    "−": ("a minus sign that is not the one on the keyboard", "write `-`"),
    "–": ("a dash", "write `-`"),
    "—": ("a dash", "write `-`"),
    "≤": ("a less-or-equal sign", "write `<=`"),
    "≥": ("a greater-or-equal sign", "write `>=`"),
    "≠": ("a not-equal sign", "write `!=`"),
    "→": ("an arrow", "write `->`"),
    "↦": ("an arrow", "write `->`"),
    "∞": ("an infinity sign", "write `Inf`"),
    "‖": ("a double bar", "write `|t|` for the shape of t, `||t||` for its dimension"),
    "∧": ("a logical sign", "write `and`"),
    "∨": ("a logical sign", "write `or`"),
    "¬": ("a logical sign", "write `not`"),
    "&": ("an ampersand", "the logical and is `and`"),
    "!": ("an exclamation mark", "the logical not is `not`; `!=` is one sign without a space"),
    "~": ("a tilde", "the logical not is `not`"),
    "@": ("an at sign", "ToLang has no sign for the matrix product; `use linalg` has `matmul(a, b)`"),
    "\\": ("a backslash", "a line goes on by itself inside brackets or after an operator"),
    "?": ("a question mark", "a choice is written `if c then a else b`"),
    "…": ("an ellipsis", "write all items, or a slice `a:b`"),
    "\u00a0": ("a no-break space", "use an ordinary space"),
    "\ufeff": ("a byte order mark", "remove it"),
}
"""Characters that are no part of ToLang, what they are called, and what to write instead."""
