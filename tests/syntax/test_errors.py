"""What users read when a text is not ToLang: place, words and fix of every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tolang.ground.reporting.codes import CODES
from tolang.ground.reporting.diagnostics import Diagnostic, Source, ToLangSyntaxError
from tolang.syntax.parser import parse, parse_expression

MISTAKES = {
    "x = 1 + ": "1:7 E101 nothing stands right of `+`",
    "x = (1 + 2": "1:5 E102 `(` is never closed",
    "x = [1, 2)": "1:10 E102 `[` is not closed before `)`",
    "x = (1, b: 2)": "1:10 E101 `:` cannot stand here",
    "x = 1 2": "1:7 E101 two values stand side by side",
    "x = 2 y": "1:7 E101 two values stand side by side",
    "x = f y": "1:7 E101 two values stand side by side",
    "x = 2y": "1:5 E101 a number runs into a name",
    "let x = 3": "1:1 E101 `let` is an ordinary name in ToLang, and another value follows it",
    "def f(x) = 3": "1:1 E101 `def` is an ordinary name in ToLang, and another value follows it",
    "f(x) := return 3": "1:9 E101 `return` is an ordinary name in ToLang, and another value follows it",
    "x = if a then b": "1:5 E101 this `if` has no `else`",
    "x = if a else b": "1:5 E101 this `if` has no `then`",
    "x = if a = 1 then b else c": "1:10 E101 `=` does not compare",
    "x = [a = 1]": "1:8 E101 `=` does not compare",
    "x = (a = 1)": "1:8 E101 `=` cannot stand in these parentheses",
    "x = f(a+1 = 3)": "1:7 E106 left of `=` in a call stands the name of a parameter",
    "x = 2 * * 3": "1:7 E107 `* *` stands between two values",
    "x = 2 * * i": "1:7 E107 `* *` stands between two values",
    "x = 2 ** i": "1:7 E107 `**` is not an operator of ToLang",
    "x = a < b < c": "1:11 E101 comparisons do not chain",
    "x = a == not b": "1:10 E101 `not` binds looser than `==` before it",
    "x = 1 + if a then b else c": "1:9 E101 `if` binds looser than `+` before it",
    "list = 3": "1:1 E101 `list` is a reserved word and cannot be a name",
    "x = list": "1:5 E101 `list` is a reserved word and cannot be a name",
    "x: R [n]": "1:2 E101 `x:` starts no statement",
    "tol x": "1:6 E101 this declaration is not complete",
    "tol x R": "1:7 E101 the name `R` cannot stand in this declaration",
    "tol x: 3": "1:8 E101 a type space is missing",
    "tol x: R, 3": "1:9 E101 `,` cannot stand in this declaration",
    "tol x: R [n": "1:10 E102 `[` is never closed",
    "space b: N [0]": "1:14 E101 a space has two bounds, the lowest value and the highest",
    "space b: N [0,1,2]": "1:16 E101 a space has two bounds, the lowest value and the highest",
    "list p: [S, N": "1:9 E102 `[` is never closed",
    "list p: []": "1:10 E101 a type space is missing",
    "use": "1:4 E101 this declaration is not complete",
    "use a.b": "1:6 E101 `.` cannot stand in this declaration",
    "tol x: ": "1:7 E101 a type space is missing",
    "x = t[1,2]'": "1:11 E101 one number or name chooses a component, and these brackets hold something else",
    "x = y'": "1:6 E104 this quote opens a text that does not end on its line",
    "x = y' + z'": "1:6 E101 this quote opens a text right after a value",
    "x = 'abc": "1:5 E104 this quote opens a text that does not end on its line",
    'x = "abc"': '1:5 E103 `"` is not part of ToLang',
    "x = a || b": "1:7 E101 `||` cannot follow a value",
    "x = a && b": "1:7 E103 `&&` is not part of ToLang",
    "x = !a": "1:5 E103 `!` is not part of ToLang",
    "x = |a + b|": "1:8 E101 an operator cannot stand between bars without parentheses",
    "x = ||t|[1]||": "1:8 E102 `||` is not closed before `|`",
    "x = |t": "1:5 E102 `|` is never closed",
    "x = f(x).g": "1:9 E101 `.` joins functions by name",
    "x = a, b": "1:6 E101 `,` cannot stand outside brackets",
    "x = f(a; b)": "1:8 E101 `;` cannot stand inside `(`",
    "x = { a = 1 }": "1:7 E101 this block has no value: its last step is a definition",
    "x = { }": "1:5 E101 this block is empty",
    "x = { 1; 2 }": "1:7 E101 an expression that is not the last step of a block has no effect",
    "x = { tol y = [3]; y }": "1:7 E101 declarations stand at the top level, not inside a block",
    "x = { a := 1; a }": "1:7 E101 only the top level exports names",
    "(x, 1) = 3": "1:5 E106 a parameter is a name",
    "associative (x, y) = 3": "1:13 E106 left of `=` stands a name, or a function's name with its parameters",
    "t[1] = 3": "1:1 E106 left of `=` stands a name, or a function's name with its parameters",
    "1 = 2": "1:1 E106 left of `=` stands a name, or a function's name with its parameters",
    "a + b = 3": "1:1 E106 left of `=` stands a name, or a function's name with its parameters",
    "f(1) = 2": "1:3 E106 a parameter is a name",
    "a + x -> 3": "1:1 E106 left of `->` stand the names of the parameters",
    "f(x) -> 3": "1:1 E106 left of `->` stand the names of the parameters",
    "(x, 1) -> x": "1:5 E106 a parameter is a name",
    "x = (x, 1) -> x": "1:9 E106 a parameter is a name",
    "x = f(a, )": "1:8 E101 an item is missing after `,`",
    "x = f(,a)": "1:7 E101 an item is missing before `,`",
    "x = f(a,,b)": "1:8 E101 an item is missing after `,`",
    "x = ()": "1:6 E101 these parentheses are empty",
    "x = a => b": "1:7 E101 `=>` is not a sign of ToLang",
    "x += 1": "1:3 E101 `+=` is not a sign of ToLang",
    "1 + 2": "1:1 E101 an expression alone is not a statement",
    "+ b": "1:1 E101 an expression alone is not a statement",
    "/ b": "1:1 E101 nothing stands left of `/`",
    "x == 3": "1:1 E101 an expression alone is not a statement",
    "x = )": "1:5 E102 `)` closes nothing",
    "x = 1e99999": "1:5 E109 this number is too long",
    "x = 0x1F": "1:5 E101 a number runs into a name",
    "x = t[a..b]": "1:8 E101 `..` is not a sign of ToLang",
    "x = t[1::2]": "1:8 E101 `::` is not a sign of ToLang",
    "x = tol(3)": "1:8 E101 after `tol` stands a shape",
    "x = tol||t||": "1:8 E101 after `tol` stands a shape",
    "f(x=1, y) = x": "1:8 E110 `y` has no name but follows `x=1`",
    "x = f(axis=1, y)": "1:15 E110 `y` has no name but follows `axis=1`",
    "associative m = 3": "1:13 E106 only a function can be associative",
    "derivative m = 3": "1:12 E106 only a function has a derivative",
    "derivative f(x, d) := d": "1:20 E106 the derivative of f goes where f goes",
    "derivative f(x, d=1) = d": "1:17 E106 the parameters of a derivative have no defaults",
    "x = α": "1:5 E103 `α` is not part of ToLang",
    "x = 3 × 4": "1:7 E103 `×` is not part of ToLang",
    "x = a : b": "1:7 E101 `:` cannot stand here",
    "x = y = 3": "1:7 E101 a second `=` in one statement",
    "x =\ny = 3": "2:3 E101 the line before ends with `=`, so this line belongs to it",
    "x = a +\ny = 3": "2:3 E101 the line before ends with `+`, so this line belongs to it",
    "x = a and": "1:7 E101 nothing stands right of `and`",
    "x = then": "1:5 E101 nothing stands left of `then`",
    "x = if a then b else": "1:17 E101 nothing stands right of `else`",
    "f(a,b = 3": "1:2 E102 `(` is never closed",
    "x = f(a b\n  c)": "1:9 E101 two values stand side by side",
    "x = ||t||'": "1:10 E101 this prime has nothing to choose from",
    "x = [1 2 3]": "1:8 E101 two values stand side by side",
    "x = if a then b\ny = 2": "1:5 E101 this `if` has no `else`",
    "f x = 2": "1:3 E101 two values stand side by side",
    "x = 3 if a else b": "1:7 E101 two values stand side by side",
    "x = t[0": "1:6 E102 `[` is never closed",
    "use a, b": "1:6 E101 `,` cannot stand in this declaration",
    "tol x: R [n] [m]": "1:14 E101 `[` cannot stand in this declaration",
    "list p: S, N": "1:10 E101 `,` cannot stand in this declaration",
    "x = a ? b : c": "1:7 E103 `?` is not part of ToLang",
    "f(x) = x[": "1:9 E102 `[` is never closed",
    "x = map(t, \\x -> x)": "1:12 E103 `\\` is not part of ToLang",
    "x = a\n  + b": "2:3 E101 an expression alone is not a statement",
    "x = f(a)(b": "1:9 E102 `(` is never closed",
    "x = 1;;; 2": "1:10 E101 an expression alone is not a statement",
    "x = [1, 2; 3, 4]": "1:10 E101 `;` cannot stand inside `[`",
    "derivative = 3": "1:1 E101 `derivative` is a reserved word and cannot be a name",
    "associative = 3": "1:1 E101 `associative` is a reserved word and cannot be a name",
    "x = associative": "1:5 E101 `associative` is a reserved word and cannot be a name",
    "space = 3": "1:1 E101 `space` is a reserved word and cannot be a name",
    "tol = 3": "1:1 E101 `tol` is a reserved word and cannot be a name",
    "x = (1, 2": "1:5 E102 `(` is never closed",
    "x = f((1, 2)": "1:6 E102 `(` is never closed",
    "x = 1)": "1:6 E102 `)` closes nothing",
    "tol a: R [n,k": "1:10 E102 `[` is never closed",
    "if a then b else c": "1:1 E101 an expression alone is not a statement",
    "x = f(in=2, if=3)": "1:13 E101 `if` is a reserved word and cannot be a name",
    "x = 'a' 'b'": "1:9 E101 two values stand side by side",
    "x = N*": "1:6 E101 nothing stands right of `*`",
    "x = convert(t, [1, N*])": "1:17 E101 a type list holds type spaces only",
    'x = "a b': '1:5 E103 `"` is not part of ToLang',
    "x = }": "1:5 E102 `}` closes nothing",
    "a = 1 }": "1:7 E102 `}` closes nothing",
    "y = map(x, lambda v: v+1)": "1:12 E101 `lambda` is an ordinary name in ToLang, and another value follows it",
    "for i in x": "1:1 E101 `for` is an ordinary name in ToLang, and another value follows it",
    "x[1] := 2": "1:1 E106 left of `:=` stands a name, or a function's name with its parameters",
    "x = a.b.3": "1:9 E101 `.` joins functions by name",
    "x = .": "1:5 E101 nothing stands left of `.`",
    "x = -": "1:5 E101 nothing stands right of `-`",
    "x = not": "1:5 E101 nothing stands right of `not`",
    "x = x -> ": "1:7 E101 nothing stands right of `->`",
    "f(x) = { return x }": "1:10 E101 `return` is an ordinary name in ToLang, and another value follows it",
    "x = a <= b >= c": "1:12 E101 comparisons do not chain",
    "x = t[1:2:3]": "1:10 E101 a second `:` in one slice",
    "x : = 3": "1:3 E101 `x:` starts no statement",
    "x = y := 3": "1:7 E101 a second `=` in one statement",
    "tol a, b: R": "1:6 E101 `,` cannot stand in this declaration",
    "tol a: R[n] = 3": "1:13 E101 `=` cannot stand in this declaration",
    "x = f(*)g": "1:9 E101 two values stand side by side",
    "x = * 2": "1:7 E101 two values stand side by side",
    "1x = 3": "1:1 E101 a number runs into a name",
    "x = 3..5": "1:8 E101 `.` joins functions by name",
    "a = {1, 2}": "1:7 E101 `,` cannot stand between the steps of a block",
    "x = a in b": "1:7 E101 `in` is an ordinary name in ToLang, and a value stands before it",
    "x = a is b": "1:7 E101 `is` is an ordinary name in ToLang, and a value stands before it",
}
"""Programs with one mistake each and what is said about it; `tests/golden/syntax/messages.txt` has it in full."""


def diagnostics(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(ToLangSyntaxError) as raised:
        parse(Source("test", text))
    return raised.value.diagnostics


def place(diagnostic: Diagnostic) -> str:
    assert diagnostic.span is not None
    line, column = diagnostic.span.source.position(diagnostic.span.start)
    return f"{line}:{column}"


@pytest.mark.parametrize(("text", "said"), MISTAKES.items())
def test_messages(text: str, said: str) -> None:
    (diagnostic,) = diagnostics(text)
    assert f"{place(diagnostic)} {diagnostic.code} {diagnostic.message}" == said
    assert diagnostic.found or diagnostic.code == "E101"
    assert diagnostic.expected
    assert diagnostic.code in CODES


def test_messages_as_a_whole(golden: Callable[[str, str], None]) -> None:
    golden("syntax/messages.txt", "\n\n\n".join(diagnostics(text)[0].render() for text in MISTAKES) + "\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1 2", "an operator or the end of the statement"),
        ("x = f(a b)", "an operator, `=`, `,` or `)`"),
        ("x = [1 2]", "an operator, `,` or `]`"),
        ("x = { a = 1 2; a }", "an operator, the end of the step or `}`"),
        ("x = if a b then c else d", "an operator or `then`"),
        ("x = if a then b c else d", "an operator or `else`"),
        ("x = |t u|", "`(`, `[`, `.` or a closing `|`"),
        ("tol x R", "`:` or `=`"),
        ("tol x: 3", "a type space, `(` or `[`"),
        ("use 3", "a name"),
        ("x = a.3", "a name or `(`"),
    ],
)
def test_expectations(text: str, expected: str) -> None:
    assert diagnostics(text)[0].expected == expected


def test_a_message_as_it_is_shown() -> None:
    (diagnostic,) = diagnostics("f(x) = map(x, * + 1)\ny = 2 x  # product")
    assert diagnostic.render() == (
        "test:2:7: error E101: two values stand side by side\n"
        "    2 | y = 2 x  # product\n"
        "      |       ^\n"
        "      found: the name `x`\n"
        "      expected: an operator or the end of the statement\n"
        "      fix: write an operator between them, `2 * x` for a product"
    )


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("x = {\n  a = 1 2\n  b = 3 4\n  a }", "2:9 3:9"),
        ("x = (a + ) * f(3 4, , y) + [1 2] 5", "1:8 1:18 1:19 1:31 1:34"),
        ("x = 3 ** 2 + (4 5) + 6y ** (7 8)", "1:7 1:17 1:22 1:25 1:31"),
        ("y = if c then (1 2) + map(a, x => x) + a[3 4]", "1:5 1:18 1:32 1:44"),
        ("a = 1 2\nb = 3\nc = 4 5\nd = )", "1:7 3:7 4:5"),
        ("f(x) = map(x, g(*)\ny = 1 2\nz = 3", "1:11 2:7"),
        ("f(x) = {\n  a = 1\n  a\n\ng(x) = 2 2\ntol x: 3\n", "1:8 5:10 6:8"),
        ("f(x) = {\n  a = (1 + 2\n  a\n}\ny = 4 5", "4:1 5:7"),
        ("a = [1, 2\n\nb = [3, 4)\nc = 1 1", "1:5 3:10 4:7"),
        ("x = $ + @\ny = 1 +* 2\nz = 'a\nw = |t\nv = }\n", "1:5 2:10 3:5 4:5 5:5"),
        ("a = f(\n  x = 2,\n  y = 3\nb = 2 2", "1:6 4:7"),
    ],
)
def test_all_statements_are_read_after_an_error(text: str, places: str) -> None:
    assert " ".join(place(diagnostic) for diagnostic in diagnostics(text)) == places


def test_at_most_twenty_errors_are_reported() -> None:
    assert len(diagnostics("x = 1 2\n" * 50)) == 20
    assert len(diagnostics("x = $\n" * 50)) == 20
    assert len(diagnostics("x = (\n" * 500)) == 20


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1 there is no expression"),
        ("1; 2", "1:2 `;` cannot stand here"),
        ("1\n2", "2:1 two values stand side by side"),
        ("x = 1", "1:3 `=` cannot stand here"),
        ("tol x: R", "1:5 a declaration is not an expression"),
    ],
)
def test_messages_about_one_expression(text: str, said: str) -> None:
    with pytest.raises(ToLangSyntaxError) as raised:
        parse_expression(Source("test", text))
    (diagnostic,) = raised.value.diagnostics
    assert f"{place(diagnostic)} {diagnostic.message}" == said
