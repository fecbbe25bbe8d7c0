"""What to tell the user where the grammar stops: one function a mistake, tried in order.

Each function looks at the situation, the word or sign that was found, those around it and what the grammar has a place
for, and returns a diagnostic or None.  The last resort names what was found and what could stand there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from tolang.ground.reporting.diagnostics import Diagnostic, Note, Span
from tolang.ground.system.asking import called
from tolang.ground.values.functions import BY_SIGN
from tolang.syntax import tree
from tolang.syntax.builder import quoted
from tolang.syntax.derivation import Unexpected, accepted
from tolang.syntax.lexemes import GOES_ON, KEYWORDS, OPERATORS, Lexeme, describe
from tolang.syntax.situation import OPENERS, STARTS_OPERAND, Situation, expectation

_NAMED = "components get names where they are declared: `tol q: (x: R, y: R) [n]`"
"""What is meant by names inside a list, as in (x=1, y=2)."""
FOREIGN_WORDS = {
    "let": "leave `let` out: `name = …`",
    "var": "leave `var` out: `name = …`",
    "const": "leave `const` out: `name = …`",
    "def": "write a function as `f(x, y) = …`",
    "fn": "write a function as `f(x, y) = …` or `(x, y) -> …`",
    "fun": "write a function as `f(x, y) = …` or `(x, y) -> …`",
    "func": "write a function as `f(x, y) = …`",
    "function": "write a function as `f(x, y) = …`",
    "lambda": "write a function as `x -> …` or `(x, y) -> …`",
    "return": "leave `return` out: the last expression of a block is its value",
    "for": "repetition is `map(t, …)` for each element and `reduce(t, f, start)` to fold them",
    "while": "repetition is a fold with a bound: `reduce(tol[bound], step, state)`",
    "elif": "write `else if c then a else b`",
    "in": "`any(map(t, * == x))` tells whether x is in t; `map(t, f)` goes over all elements",
    "is": "write `==` to compare",
    "mod": "write `%`",
    "div": "write `floor(x / y)`",
    "class": "there are no classes; a list has components with names: `list person: [name: S, age: N]`",
    "assert": "leave it out: shapes and spaces are checked before a program runs",
    "try": "there are no exceptions; guard it: `if inside then t[c] else 0`",
    "print": "export a value to show it: `y := …`",
    "input": "an input is declared and not defined: `tol x: R [n]`",
    "import": "write `use name`",
    "from": "write `use name`",
}
"""Words that other languages reserve, and how the same is said in ToLang."""

FOREIGN_SIGNS = {
    "=>": "write `->` for a function, `>=` for greater or equal",
    "=<": "write `<=`",
    "<>": "write `!=`",
    "+=": "values do not change; define a new one: `next = value + …`",
    "-=": "values do not change; define a new one: `next = value - …`",
    "*=": "values do not change; define a new one: `next = value * …`",
    "/=": "values do not change; define a new one: `next = value / …`",
    "===": "write `==`",
    "!==": "write `!=`",
    "..": "write a slice as `a:b`; `:` is a whole dimension",
    "<-": "write `=` to define a name",
    "::": "write a slice as `a:b`; `slice(t, first, last, step)` has a step",
}
"""Pairs of signs that other languages write as one, and how the same is said in ToLang."""


def explain(lexemes: Sequence[Lexeme], unexpected: Unexpected) -> Diagnostic:
    """The diagnostic for a statement that the grammar refuses."""
    situation = Situation(lexemes, unexpected.position, accepted(unexpected.states))
    for diagnose in DIAGNOSES:
        diagnostic = diagnose(situation)
        if diagnostic is not None:
            return diagnostic
    early = situation.kind in ("$END", "END") and not situation.accepted & {"$END", "END"}
    return Diagnostic(
        "E101",
        "the statement ends too early" if early else f"{situation.described()} cannot stand here",
        situation.span,
        found=situation.described(),
        expected=expectation(situation.accepted),
    )


def expression_alone(node: tree.Node, lexemes: Sequence[Lexeme]) -> Diagnostic:
    """A statement that is only an expression: nobody would see its value."""
    first = lexemes[0]
    fix = "give it a name: `result := …` makes it an output, `name = …` keeps it local"
    if first.kind in ("PLUS", "MINUS", "STAR"):
        fix = f"if this goes on from the line before, move the `{first.text}` to the end of that line"
    elif isinstance(node, tree.Binary) and node.operator == "==":
        fix = "write `=` to define a name; `==` compares"
    return Diagnostic(
        "E101",
        "an expression alone is not a statement",
        node.span,
        found=quoted(node.span),
        expected="a definition or a declaration",
        fix=fix,
    )


def _diagnostic(
    here: Situation,
    message: str,
    expected: str | None = None,
    fix: str | None = None,
    code: str = "E101",
    span: Span | None = None,
    found: str | None = None,
    notes: tuple[Note, ...] = (),
) -> Diagnostic:
    return Diagnostic(
        code,
        message,
        span or here.span,
        found or here.described(),
        expected or expectation(here.accepted),
        fix,
        notes,
    )


def _foreign_signs(here: Situation) -> Diagnostic | None:
    """Two signs that touch and are one sign in another language."""
    around = here.lexemes[max(0, here.position - 1) : here.position + 2]
    for first, second in pairwise(around):
        both = first.text + second.text
        if both in FOREIGN_SIGNS and first.span.end == second.span.start:
            span = Span(first.span.source, first.span.start, second.span.end)
            return _diagnostic(
                here, f"`{both}` is not a sign of ToLang", fix=FOREIGN_SIGNS[both], span=span, found=f"`{both}`"
            )
    return None


def _foreign_words(here: Situation) -> Diagnostic | None:
    """A word that another language reserves, before what was found or found itself after a value."""
    for word in (here.before, here.found):
        if word is not None and word.kind == "NAME" and word.text in FOREIGN_WORDS and here.wants_operator:
            return _diagnostic(
                here,
                f"`{word.text}` is an ordinary name in ToLang, and another value follows it"
                if word is here.before
                else f"`{word.text}` is an ordinary name in ToLang, and a value stands before it",
                fix=FOREIGN_WORDS[word.text],
                span=word.span,
                found=f"the name `{word.text}`",
            )
    return None


def _doubled_star(here: Situation) -> Diagnostic | None:
    """`2 * * 3`: the second star is an operand already."""
    if here.kind not in STARTS_OPERAND or here.kind_before != "STAR" or here.position < 2:
        return None
    first, second = here.lexemes[here.position - 2], here.lexemes[here.position - 1]
    if first.kind != "STAR" or here.wants_operand or here.found is None:
        return None
    shown = here.found.text
    return _diagnostic(
        here,
        "`* *` stands between two values",
        expected="one operator",
        fix=f"write `* {shown}` for a product, `^ {shown}` for a power",
        code="E107",
        span=Span(first.span.source, first.span.start, second.span.end),
        found=f"`* *` before {describe(here.found)}",
    )


def _missing_then_or_else(here: Situation) -> Diagnostic | None:
    """An `if` that ends before its `then` or its `else`."""
    if not (here.at_end or here.kind in ("THEN", "ELSE", "EQUAL", "DEFINES")) or not here.wants_operator:
        return None
    missing = "then" if "THEN" in here.accepted else "else" if "ELSE" in here.accepted else ""
    if not missing or (missing == "then" and here.kind in ("EQUAL", "DEFINES")):
        return None
    opening = _pending_if(here)
    return _diagnostic(
        here,
        f"this `if` has no `{missing}`",
        fix="write `if c then a else b`; every `if` gives a value, so it needs both branches",
        span=opening.span if opening is not None else None,
        expected=f"`{missing}` before {here.described()}",
    )


def _pending_if(here: Situation) -> Lexeme | None:
    """The `if` whose `then` or `else` is still to come."""
    finished = 0
    for lexeme in here.level():
        if lexeme.kind == "ELSE":
            finished += 1
        elif lexeme.kind == "IF":
            if not finished:
                return lexeme
            finished -= 1
    return None


def _equal_sign(here: Situation) -> Diagnostic | None:
    """`=` where it cannot define anything."""
    if here.kind not in ("EQUAL", "DEFINES") or here.found is None:
        return None
    enclosing, level = here.enclosing(), here.level()
    earlier = next((one for one in reversed(level) if one.kind in ("EQUAL", "DEFINES")), None)
    in_values = enclosing is not None and enclosing.kind in ("LSQB", "BAR", "DOUBLE_BAR")
    if in_values or _pending_if(here) is not None:
        return _diagnostic(here, f"`{here.found.text}` does not compare", fix="to compare, write `==`")
    if enclosing is not None and enclosing.kind == "LPAR":
        return _diagnostic(
            here,
            f"`{here.found.text}` cannot stand in these parentheses",
            fix=f"to compare, write `==`; `name=value` stands only in calls; {_NAMED}",
        )
    if here.wants_operand:
        return None
    if earlier is None:
        return _diagnostic(
            here,
            f"`{here.found.text}` cannot stand here",
            fix="to compare, write `==`; an expression has definitions of its own in a block, `{ x = 3; x + 1 }`",
        )
    source, start = here.span.source, earlier.span.start
    broken_line = next(
        (one for one in level if one.span.start >= start and one.kind in GOES_ON and _line_ends_after(one, here)), None
    )
    if broken_line is not None:
        return _diagnostic(
            here,
            f"the line before ends with `{broken_line.text}`, so this line belongs to it",
            fix=f"write a value after `{broken_line.text}`, or remove it",
            notes=(Note(f"the `{broken_line.text}` at the end of a line", broken_line.span),),
        )
    return _diagnostic(
        here,
        "a second `=` in one statement",
        fix="to compare, write `==`; separate two statements by a line end or `;`",
        notes=(Note("the first one", Span(source, start, earlier.span.end)),),
    )


def _line_ends_after(lexeme: Lexeme, here: Situation) -> bool:
    following = here.lexemes[here.lexemes.index(lexeme) + 1]
    return "\n" in lexeme.span.source.text[lexeme.span.end : following.span.start]


def _missing_item(here: Situation) -> Diagnostic | None:
    """Nothing between two commas, or between a comma and a bracket."""
    if here.before is None or not here.at_end or not here.wants_operand:
        return None
    if here.kind_before == "COMMA":
        return _diagnostic(
            here,
            "an item is missing after `,`",
            fix="write the item, or remove the `,`",
            span=here.before.span,
            expected="an expression after `,`",
        )
    if here.kind == "COMMA" and here.kind_before in OPENERS:
        return _diagnostic(here, "an item is missing before `,`", fix="write the item, or remove the `,`")
    if here.kind == "RPAR" and here.kind_before == "LPAR":
        return _diagnostic(here, "these parentheses are empty", fix="write a value between them")
    return None


def _function_of_sign(here: Situation) -> str | None:
    """An operator that stands alone as an argument: `reduce(t, +, 0)`."""
    sign, before = here.before, here.lexemes[here.position - 2] if here.position > 1 else None
    if sign is None or before is None or before.kind not in ("COMMA", "LPAR") or sign.text not in BY_SIGN:
        return None
    return f"as an argument this function is called `{BY_SIGN[sign.text]}`"


def _missing_operand(here: Situation) -> Diagnostic | None:
    """An operator, or a word such as `then`, with nothing right of it, or nothing left of it."""
    if not here.wants_operand or (here.found is None and here.before is None):
        return None
    if here.at_end and here.before is not None and here.kind_before in GOES_ON - {"COMMA", "COLON"}:
        return _diagnostic(
            here,
            f"nothing stands right of `{here.before.text}`",
            expected=f"an expression after `{here.before.text}`",
            fix=_function_of_sign(here) or f"write a value after `{here.before.text}`, or remove it",
            span=here.before.span,
        )
    if here.kind in OPERATORS | {"THEN", "ELSE", "EQUAL", "DEFINES"} and here.kind != "NOT" and here.found is not None:
        return _diagnostic(
            here,
            f"nothing stands left of `{here.found.text}`",
            expected=f"an expression before `{here.found.text}`",
            fix=f"write a value before `{here.found.text}`"
            if here.position
            else f"if this goes on from the line before, move `{here.found.text}` to the end of that line",
        )
    return None


def _prime_as_text(here: Situation) -> Diagnostic | None:
    """`x'`: a prime where none can stand opens a text."""
    if here.kind != "TEXT" or not here.touching or not here.wants_operator or here.found is None:
        return None
    span = Span(here.span.source, here.span.start, here.span.start + 1)
    return _diagnostic(
        here,
        "this quote opens a text right after a value",
        fix="a prime stands only after `]`, a closing bar or `part`: `t[j]'`, `|t|'`, `part'(t, j)`",
        span=span,
    )


def _prime(here: Situation) -> Diagnostic | None:
    """A prime after an index of several items, or after `||t||`."""
    if here.kind != "PRIME":
        return None
    if here.kind_before == "RSQB":
        return _diagnostic(
            here,
            "one number or name chooses a component, and these brackets hold something else",
            fix="choose the element first, then its component: `t[1,2][j]'`",
        )
    return _diagnostic(
        here,
        "this prime has nothing to choose from",
        fix="`t[j]'` chooses a component, `|t|'` is the number of components",
    )


def _loose_operand(here: Situation) -> Diagnostic | None:
    """`1 + if …` and `a == not b`: looser forms need parentheses inside tighter ones."""
    if here.kind not in ("IF", "NOT") or not here.wants_operand or here.found is None or here.before is None:
        return None
    word = here.found.text
    return _diagnostic(
        here,
        f"`{word}` binds looser than `{here.before.text}` before it",
        fix=f"put parentheses around it: `{here.before.text} ({word} …)`",
    )


def _declaration_inside(here: Situation) -> Diagnostic | None:
    """`tol`, `space`, `list` or `use` inside a block."""
    in_block = any(one.kind == "LBRACE" for one in here.lexemes[: here.position])
    word = here.before if here.kind == "NAME" and here.kind_before in ("TOL", "SPACE") else here.found
    if word is None or not in_block or word.kind not in ("TOL", "SPACE", "LIST", "USE") or here.kind == "LPAR":
        return None
    if word is here.found and here.kind in here.accepted:
        return None
    return _diagnostic(
        here,
        "declarations stand at the top level, not inside a block",
        fix="move it out of the block; inside, `name = tol[n,m]` makes zeros of a shape",
        span=word.span,
        found=describe(word),
        expected="a definition or the value of the block",
    )


def _after_tol(here: Situation) -> Diagnostic | None:
    """`tol(n)`, `tol||t||`: zeros are written with brackets or single bars."""
    if here.kind_before != "TOL" or here.kind not in ("LPAR", "DOUBLE_BAR"):
        return None
    return _diagnostic(
        here, "after `tol` stands a shape", expected="`[`, or `|` and a ToL", fix="write `tol[n,m]` or `tol|t|`"
    )


def _declaration(here: Situation) -> Diagnostic | None:
    """A declaration that stops in the middle."""
    first = here.lexemes[0]
    if first.kind not in ("TOL", "SPACE", "LIST", "USE") or here.wants_operand or here.wants_operator:
        return None
    if first.kind == "TOL" and here.kind == "NAME" and here.position == 1:
        return _diagnostic(
            here, "a declaration is not an expression", fix="declare it in a program: `tol name: R [n,m]`"
        )
    if here.position == 1 and here.kind in ("LPAR", "COLON") and first.kind != "TOL":
        return _reserved(here, first)
    if here.position > 1 and here.lexemes[1].kind != "NAME":
        return None
    forms = {
        "TOL": "`tol name: R [n,m]`, or `tol name = [n,m]` for a shape",
        "SPACE": "`space name: R`, or `space name: N [0,255]` with bounds",
        "LIST": "`list name: [S, N]`, or `list name: [title: S, count: N]` with names",
        "USE": '`use name`, `use "file.tol"` or `use name as n`, one module a line',
    }
    message = "a type space is missing" if "SIGNED_SPACE" in here.accepted else "this declaration is not complete"
    if here.found is not None and "SIGNED_SPACE" not in here.accepted:
        message = f"{here.described()} cannot stand in this declaration"
    return _diagnostic(here, message, fix=f"write {forms[first.kind]}")


def _bounds(here: Situation) -> Diagnostic | None:
    """`space b: N [0]` and `space b: N [0,1,2]`."""
    if here.lexemes[0].kind != "SPACE" or here.kind not in ("RSQB", "COMMA") or here.wants_operand:
        return None
    return _diagnostic(
        here,
        "a space has two bounds, the lowest value and the highest",
        fix="write `space name: N [0,255]`; `-Inf` and `Inf` leave a side open",
    )


def _reserved(here: Situation, word: Lexeme) -> Diagnostic:
    return _diagnostic(
        here,
        f"`{word.text}` is a reserved word and cannot be a name",
        expected="a name",
        fix=f"choose another name, such as `{word.text}_1`",
        span=word.span,
        found=describe(word),
    )


def _reserved_head(here: Situation) -> Diagnostic | None:
    """A reserved word before `=`, where the name stands that is defined."""
    if here.kind not in ("EQUAL", "DEFINES") or here.before is None or here.before.text not in KEYWORDS:
        return None
    return _reserved(here, here.before)


def _reserved_word(here: Situation) -> Diagnostic | None:
    """A reserved word where a name is expected."""
    if here.found is None or here.found.text not in KEYWORDS or "NAME" not in here.accepted:
        return None
    if here.kind == "USE" and not here.position:
        option = called("use='linalg'", "--use linalg")
        fix = f"name the module beside the expression: `{option}`"
        return _diagnostic(here, "`use` stands in programs, and this is one expression", fix=fix)
    return _reserved(here, here.found)


def _undeclared(here: Situation) -> Diagnostic | None:
    """`x: R [n]` without `tol`, and slices outside an index."""
    if here.kind != "COLON":
        return None
    if here.position == 1 and here.before is not None and here.kind_before == "NAME":
        return _diagnostic(
            here,
            f"`{here.before.text}:` starts no statement",
            expected="`=` or `:=`",
            fix=f"to declare a ToL, write `tol {here.before.text}: …`",
        )
    if any(one.kind == "COLON" for one in here.level()):
        return _diagnostic(here, "a second `:` in one slice", fix="write a slice as `a:b`; slices have no step")
    fix = "slices `a:b` stand only in an index: `t[a:b]`"
    enclosing = here.enclosing()
    is_list = enclosing is not None and enclosing.kind == "LPAR"
    return _diagnostic(here, "`:` cannot stand here", fix=f"{fix}; {_NAMED}" if is_list else fix)


def _in_bars(here: Situation) -> Diagnostic | None:
    """`|a + b|`: between bars stands a name, a call or an element."""
    opened = here.enclosing()
    if opened is None or opened.kind not in ("BAR", "DOUBLE_BAR") or here.kind not in OPERATORS or here.found is None:
        return None
    bar = opened.text
    return _diagnostic(
        here,
        "an operator cannot stand between bars without parentheses",
        fix=f"put parentheses inside the bars: `{bar}(a {here.found.text} b){bar}`",
        expected=f"the closing `{bar}`",
    )


def _dot(here: Situation) -> Diagnostic | None:
    """`f(x).g` and `f.3`: a dot joins functions, not values."""
    if here.kind != "DOT" and here.kind_before != "DOT":
        return None
    return _diagnostic(
        here,
        "`.` joins functions by name",
        fix="write `f.g(x)` or `g(f(x))`; a ToL's component is `t[name]'`",
    )


def _side_by_side(here: Situation) -> Diagnostic | None:
    """Two values with nothing between them."""
    if here.kind not in STARTS_OPERAND or not here.wants_operator or here.found is None or here.before is None:
        return None
    return _diagnostic(here, "two values stand side by side", fix=_between(here, here.before, here.found))


def _between(here: Situation, before: Lexeme, found: Lexeme) -> str:
    """What could be meant by two values side by side."""
    if found.kind == "IF":
        return "write a choice as `if c then a else b`"
    if before.kind == "STAR":
        return f"write `* * {found.text}` for a product with the current element"
    words = found.kind in ("NAME", "NUMBER") and before.kind in ("NAME", "NUMBER")
    product = f"`{before.text} * {found.text}`" if words else "`a * b`"
    enclosing = here.enclosing()
    if enclosing is not None and enclosing.kind in ("LPAR", "LSQB"):
        return f"write an operator between them, {product} for a product, or a `,`"
    if found.kind == "NAME" and before.kind == "NAME":
        return f"write an operator between them, {product} for a product, or `{before.text}({found.text})` for a call"
    return f"write an operator between them, {product} for a product"


def _separator(here: Situation) -> Diagnostic | None:
    """A comma outside brackets, a semicolon inside them."""
    enclosing = here.enclosing()
    if here.kind == "COMMA" and enclosing is None:
        return _diagnostic(here, "`,` cannot stand outside brackets", fix="put a list into parentheses: `(a, b)`")
    if here.kind == "COMMA" and enclosing is not None and enclosing.kind == "LBRACE":
        return _diagnostic(
            here,
            "`,` cannot stand between the steps of a block",
            fix="separate steps by `;`; write a list as `(a, b)`, blocks of a ToL as `[a, b]`",
        )
    if here.kind == "END" and here.found is not None and here.found.text == ";" and enclosing is not None:
        return _diagnostic(
            here,
            f"`;` cannot stand inside `{enclosing.text}`",
            fix="separate items by `,`; `;` separates the steps of a block `{ … }`",
        )
    return None


DIAGNOSES: tuple[Callable[[Situation], Diagnostic | None], ...] = (
    _foreign_signs,
    _doubled_star,
    _foreign_words,
    _reserved_head,
    _prime_as_text,
    _declaration_inside,
    _after_tol,
    _declaration,
    _bounds,
    _undeclared,
    _missing_then_or_else,
    _equal_sign,
    _missing_item,
    _missing_operand,
    _loose_operand,
    _reserved_word,
    _prime,
    _in_bars,
    _dot,
    _separator,
    _side_by_side,
)
"""The mistakes we know, most particular first."""
