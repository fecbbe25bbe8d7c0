"""The topics of `tol help` other than definitions: words, signs, spaces, modules, errors, an overview.

Words and signs are written here; everything else is read from the library and from the tables of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap

from tolang.check.library import PRELUDE, Sheet, library_names, library_sheets
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.codes import CODES, WARNINGS
from tolang.ground.reporting.diagnostics import ToLangError, usage
from tolang.ground.values.functions import FUNCTIONS
from tolang.ground.values.spaces import FAMILY_OF_MACHINE, FAMILY_OF_PAPER, NARROW_INTEGERS
from tolang.program.descriptions import PRIMITIVES, all_names, comment_above, describe, head_of, split_comment

MODELS = "onnx"
"""The module of the operators of models, which programs that are imported use."""
WIDTH = 96
CLOSE = 0.65
"""How alike a name is to the one that was meant."""
_SECTION = re.compile(r"\n\n# ([^\n]+)\n(?=\n)")
_SENTENCE_END = re.compile(r"(?<=[a-z])\.\s+(?=[A-Z])")
_ERROR_CODE = re.compile(r"[EW]\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Topic:
    """A word or sign: how it is written, what it means, and an expression with its value."""

    written: str
    meaning: str
    example: tuple[str, str] | None = None

    def text(self) -> str:
        shown = "" if self.example is None else f"\n\n{self.example[0]}  is  {self.example[1]}"
        return f"{self.written}\n{self.meaning}{shown}"


_IF = Topic(
    "if c then a else b",
    "a if the condition holds, otherwise b; both have the same type. where(c, a, b) chooses element by element.",
    ("if 2 > 1 then 'yes' else 'no'", "'yes'"),
)
_USE = Topic(
    'use linalg    use helpers as h    use "lib/helpers.tol"',
    "imports the definitions of a module: one of the library, or a file beside the program or in TOL_PATH.\n"
    "With `as`, call them by its name: h.f(x).",
)
_BLOCKS = Topic(
    "[a, b]    t[i, j]    t[a:b]",
    "alone, a vector, or ToLs concatenated as by numpy.block; after a value, the element at these\n"
    "coordinates, which count from 1, or a slice, which includes both ends.",
    ("[[1,2],[3,4]][2,1:2]", "[3,4]"),
)
_LISTS = Topic(
    "(a, b)    f(a, b)    (a + b) * c",
    "a list: a record of fixed length, one element of a ToL; the arguments of a function; or grouping.",
    ("(1,'one')", "(1,'one')"),
)
_STEPS = Topic(
    "{ m = 1; m + 1 }",
    "a block: definitions, then the expression that is its value, separated by ; or line ends.",
    ("{ m = 1; m + 1 }", "2"),
)
_SHAPE = Topic("|t|", "the shape of t, a vector of lengths; |t|' is the capacity of its lists.", ("|[4,5,6]|", "[3]"))
_DIMENSION = Topic("||t||", "the number of dimensions of t.", ("||[[1,2]]||", "2"))
_COMMENT = Topic("# to the end of the line", "a comment, like //; help shows the comment above a definition.")
_TRUTH = Topic("true    false", "the truth values, in B; they count as 1 and 0.", ("true and false", "false"))

TOPICS = {
    "if": _IF, "then": _IF, "else": _IF, "use": _USE, "as": _USE, "true": _TRUTH, "false": _TRUTH,
    "tol": Topic(
        "tol a: R [n,k]    tol result = [n,m]    tol[n,m]    tol|t|",
        "declares an input with the space of its numbers and its shape, or the shape of a definition;\n"
        "as a value, zeros.",
        ("tol[2,3]", "[[0,0,0],[0,0,0]]"),
    ),
    "list": Topic(
        "list person: [name: S, age: N]",
        "declares a list, a record of components with spaces and names: tol people: person [n] is an input,\n"
        "p[name]' a component of an element.",
    ),
    "space": Topic(
        "space byte: N [0,255]    space(t)",
        "declares a space with bounds, which data is checked against; as a function, the spaces of t.",
        ("space((1, 2.5))", "['N','R']"),
    ),
    "associative": Topic(
        "associative merge(a, b) = …",
        "declares that parallel folds may regroup the function; `tol check --laws` tests it.",
    ),
    "derivative": Topic(
        "derivative f(x, d) = …",
        "the derivative of f(x): gradients use it instead of differentiating the body. d is the cotangent.",
    ),
    "Inf": Topic("Inf", "infinity, a real number; -Inf is below all others.", ("1 / 0", "Inf")),
    "NaN": Topic("NaN", "not a number, such as 0/0; it equals nothing; is_nan(x) finds it.", ("is_nan(0/0)", "true")),
    "it": Topic("it", "at the prompt, the value of the last expression; x = it keeps it."),
    "*": Topic(
        "x * y    map(t, * + 1)    map(t, * + b[*])    map(t, …, *c)    t[*]",
        "between two values, the product (mul). As a value, the star: in a map the current element, or its\n"
        "coordinates if it is a whole index. *c names the vector of coordinates c; outside a map, t[*] is a\n"
        "whole dimension.",
        ("map([1,2,3], * * *)", "[1,4,9]"),
    ),
    "=": Topic(
        "name = …    f(x, k=1) = …    (x, y) = …",
        "defines a value, a function or the parts of a list, for the program only; == compares.",
        ("{ f(x, k=1) = x + k; f(2) }", "3"),
    ),
    ":=": Topic("result := …    f(x) := …", "defines and exports an output or a function of the program."),
    "->": Topic("x -> …    (x, y) -> …", "a function without a name.", ("map([1,2], x -> x + 1)", "[2,3]")),
    ".": Topic("f.g    module.f", "f, then g; after a module, one of its definitions.", ("abs.sqrt(-4)", "2.0")),
    "'": Topic(
        "t[name]'    t[1]'    'text'",
        "after brackets, a component of lists by name or position; around characters, text (double it inside).",
        ("(1,'it''s')[2]'", "'it''s'"),
    ),
    ":": Topic(
        "t[a:b]    t[:b]    t[:, 1]    tol a: R",
        "in an index, a slice, which includes both ends, or a whole dimension; in a declaration, before the\n"
        "space.",
        ("[5,6,7][2:]", "[6,7]"),
    ),
    ";": Topic("m = 1; n = 2", "ends a statement, as a line end does."),
    ",": Topic("f(a, b)    [a, b]    (a, b)", "separates arguments, elements, components of lists, and coordinates."),
    "#": _COMMENT, "//": _COMMENT, "|": _SHAPE, "|t|": _SHAPE, "||": _DIMENSION, "||t||": _DIMENSION, "[": _BLOCKS,
    "]": _BLOCKS, "[]": _BLOCKS, "(": _LISTS, ")": _LISTS, "()": _LISTS, "{": _STEPS, "}": _STEPS, "{}": _STEPS,
}  # fmt: skip
"""Words and signs of the language, and their help texts."""

SIGNS = {one.sign: name for name, one in FUNCTIONS.items() if one.sign and one.sign not in TOPICS}
"""Operators that stand for a basic function each; and and its like are names of themselves."""

_SPACES = {
    "B": "truth values", "N": "natural numbers, 0 included", "Z": "whole numbers", "Q": "rational numbers, exact",
    "R": "real numbers", "I": "imaginary numbers", "C": "complex numbers", "S": "text",
}  # fmt: skip
_PARTS = {"*": "without 0", "+": "above 0", "-": "below 0"}
_MACHINE = {"Z": "whole numbers, which wrap", "R": "real numbers, rounded", "C": "complex numbers, rounded"}


def explained(name: str, modules: Iterable[str] | None = None, width: int | None = None) -> str | None:
    """The help text of a name, word, sign, space, module or error code; None for anything else.

    The lines about a module are wrapped at a width, if one is given.
    """
    found = describe(name, modules) or describe(name)
    if found is not None:
        other = foreign_hint(name)
        return found.text() if other is None else f"{found.text()}\n\nWhat other languages call {name}: {other}"
    if name in SIGNS:
        function = describe(SIGNS[name])
        assert function is not None
        return f"x {name} y    {function.text()}"
    if name in TOPICS:
        return TOPICS[name].text()
    if name in library_names():
        return module_text(name, width)
    code = (CODES | WARNINGS).get(name.upper())
    if code is not None:
        return f"{name.upper()}: {code.title}\n{code.meaning}\n\n{code.fix}"
    return _space_text(name)


def _space_text(name: str) -> str | None:
    """A predefined space, and how it is declared."""
    if name in _SPACES or (name[:1] in _SPACES and name in FAMILY_OF_PAPER):
        told = f"{_SPACES[name[0]].removesuffix(', 0 included') if name[1:] else _SPACES[name]}"
        told += f" {_PARTS[name[1:]]}" if name[1:] else ""
    elif name in FAMILY_OF_MACHINE:
        told = f"machine numbers of {re.findall('[0-9]+', name)[0]} bits: {_MACHINE[FAMILY_OF_MACHINE[name]]}"
    elif name in NARROW_INTEGERS:
        low, high = NARROW_INTEGERS[name]
        told = f"whole numbers from {low} to {high}, stored in 8 bits"
    else:
        return None
    return f"tol x: {name} [n]\nthe space of {told}"


def module_text(module: str, width: int | None = None) -> str:
    """The help text of a module: each definition as it is called, with the first sentence of its comment."""
    lines = [f"{module}  ({'every program sees it' if module == PRELUDE else f'use {module}'})"]
    sheets = library_sheets(module)
    if module == MODELS:
        count = sum(len(sheet.places) for sheet in sheets)
        return (
            f"{lines[0]}\n{count} definitions of the operators of ONNX models; the page on ONNX operators lists them."
        )
    for sheet in sheets:
        lines += ["", comment_about(sheet), ""] if len(sheets) == 1 else []
        lines += _definitions(sheet, width)
    text = "\n".join([*lines, "", "tol help NAME says more about each."])
    return re.sub(r"\n{3,}", "\n\n", text)


def comment_about(sheet: Sheet) -> str:
    """The comment at the beginning of a library file."""
    above = sheet.source.text.split("\n\n", 1)[0]
    return "\n".join(line.lstrip("#").strip() for line in above.split("\n")).strip()


def _definitions(sheet: Sheet, width: int | None) -> list[str]:
    """The definitions of a file under their section titles, in lines of at most a width."""
    text = sheet.source.text
    titles = [(found.start(), found[1]) for found in _SECTION.finditer(text)]
    heads: list[tuple[str, str]] = []
    for name, (start, end) in sorted(sheet.places.items(), key=lambda item: item[1]):
        while titles and titles[0][0] < start:
            heads.append(("", titles.pop(0)[1]))
        if not name.endswith("'"):
            meaning, _ = split_comment(comment_above(text, start))
            heads.append((head_of(text[start:end]), _SENTENCE_END.split(" ".join(meaning.split()))[0]))
    wide = min(34, max((len(head) for head, _ in heads), default=0))
    lines: list[str] = []
    for head, told in heads:
        written = f"  {head:{wide}}  {told}".rstrip() if head else f"\n{told}"
        if head and width is not None and len(written) > width:
            indent = wide + 4 if width - wide >= 50 else 6
            lines += wrap(written, max(width, 40), subsequent_indent=" " * indent, break_on_hyphens=False)
        else:
            lines.append(written)
    return lines


def overview() -> str:
    """The overview that `tol help` prints: all topics."""
    words = [word for word in TOPICS if word.isalpha()]
    signs = sorted(
        {*(sign for sign in SIGNS if not sign.isalpha()), *(sign for sign in TOPICS if not sign.isalpha())}
        - {"[]", "()", "{}", "|t|", "||t||"}
    )
    spaces = [*_SPACES, *FAMILY_OF_MACHINE, *NARROW_INTEGERS]
    parts = [
        ("modules", [one for one in library_names() if one != MODELS]),
        ("primitives", list(PRIMITIVES)),
        ("functions", sorted(FUNCTIONS)),
        ("words", words),
        ("signs", signs),
        ("spaces", spaces),
        ("errors", ["E101", "…", max(CODES)]),
    ]
    lines = [
        "tol help NAME     a definition, function or word: its syntax, meaning and cost",
        "tol help MODULE   the definitions of a library module; every program sees those of core",
        "tol help E303     the meaning of an error, and its fix",
        "tol help '*'      a sign, in quotes for the shell",
        "tol --help        the commands",
        "",
    ]
    for title, names in parts:
        lines += _wrapped(title, names)
    return "\n".join(lines)


def _wrapped(title: str, names: Iterable[str]) -> list[str]:
    """Names after a title, in lines of at most `WIDTH` characters."""
    lines = [f"{title:12}"]
    for name in names:
        if len(lines[-1]) + len(name) + 1 > WIDTH:
            lines.append(" " * 12)
        lines[-1] += f"{name} "
    return [line.rstrip() for line in lines]


def unknown_topic(name: str) -> ToLangError:
    """The error of an unknown topic, with a fix: what the name is called here, or a close name."""
    from tolang.ground.reporting.close_names import close_names

    if _ERROR_CODE.fullmatch(name):
        return usage("E603", f"no error has the code {name}", expected=f"{min(CODES)} to {max(CODES)}")
    close = close_names(name, {*all_names(), *all_topics()}, 1, CLOSE)
    fix = foreign_hint(name) or (f"did you mean {close[0]}?" if close else "tol help alone lists all topics")
    return usage("E603", f"there is no {name} in the library", fix=fix)


def foreign_hint(name: str) -> str | None:
    """What replaces a name of Python, NumPy and similar libraries, with its module or without: np.sign, sign."""
    from tolang.check.foreign_names import FOREIGN, MODULES

    module, _, member = name.rpartition(".")
    return FOREIGN.get(member) if not module or module in MODULES else None


def all_topics() -> list[str]:
    """All topics except definitions, functions and primitives."""
    return sorted(
        {
            *TOPICS,
            *SIGNS,
            *library_names(),
            *CODES,
            *WARNINGS,
            *FAMILY_OF_PAPER,
            *FAMILY_OF_MACHINE,
            *NARROW_INTEGERS,
            "S",
        }
    )
