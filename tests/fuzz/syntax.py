"""Random texts for the parser and the formatter: whatever the text, a tree or a `ToLangSyntaxError`, nothing else.

`run` makes three kinds of text: programs written by the rules of the grammar with odd spacing and comments, which must
parse; the same with characters changed, dropped, doubled or moved; and plain noise.  Every text that parses must be
formatted to the same tree, and formatting twice must change nothing.

    python -m tests.fuzz.syntax 20000 1
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from tolang.ground.reporting.diagnostics import Diagnostic, Source, ToLangSyntaxError
from tolang.syntax.formatter import format_text
from tolang.syntax.parser import parse, parse_expression
from tolang.syntax.traversal import same_tree

NAMES = ("a", "b", "t", "x", "in", "iter", "axis", "N", "R", "part", "convert", "map", "long_name_for_wide_lines")
NUMBERS = ("0", "1", "2.5", "1.", ".5", "1e-3", "2i", "10")
SPACES = ("R", "N*", "Z-", "R+", "byte")
COMPARISONS = ("<", ">=", "==", "!=")
OPERATORS = ("+", "-", "*", "/", "%", "^", "and", "or", "xor")
BLANKS = ("", "", "", " ", "  ", "\t")
INSIDE = (*BLANKS, "\n", " # note\n", "\n  // note\n", "\n\n")
NOISE = "abtxN01.+-*/%^<>=!()[]{}|'\"`,:;#\n\t \r\\@&~?$é×\u2028\x00\ufeff"


class Writer:
    """Writes random programs by the rules of the grammar."""

    def __init__(self, generator: random.Random) -> None:
        self.generator = generator
        self.bracket = 0

    def pick(self, *choices: str) -> str:
        return self.generator.choice(choices)

    def blank(self) -> str:
        """White space; inside `(` and `[` also line ends and comments."""
        return self.pick(*(INSIDE if self.bracket else BLANKS))

    def joined(self, *parts: str) -> str:
        return "".join(part + self.blank() for part in parts)

    def inside(self, opener: str, closer: str, write: Callable[[], str]) -> str:
        outer, self.bracket = self.bracket, 1
        text = self.joined(opener, write())
        self.bracket = outer
        return text + closer

    def separated(self, write: Callable[[], str], least: int = 0) -> str:
        return f"{self.blank()},{self.blank()}".join(write() for _ in range(self.generator.randint(least, 4)))

    def atom(self, depth: int) -> str:
        if depth <= 0:
            return self.pick(*NAMES, *NUMBERS, "*", "*c", "Inf", "true", "'it''s'", "f.g")
        below = depth - 1
        forms: list[Callable[[], str]] = [
            lambda: self.inside("(", ")", lambda: self.expression(below)),
            lambda: self.inside("(", ")", lambda: self.separated(lambda: self.expression(below), 2)),
            lambda: self.inside("[", "]", lambda: self.separated(lambda: self.expression(below))),
            lambda: "tol" + self.inside("[", "]", lambda: self.separated(lambda: self.expression(below))),
            lambda: f"|{self.postfix(0)}|{self.pick('', chr(39))}",
            lambda: f"||{self.postfix(0)}||",
            lambda: "tol|t|",
            lambda: self.postfix(depth),
            lambda: self.block(below),
            lambda: "convert(t, [N*, R])",
        ]
        return self.generator.choice(forms)()

    def postfix(self, depth: int) -> str:
        if depth <= 0:
            return self.pick("t", "f(x)", "t[1]", "part'(t, 1)")
        below = depth - 1
        head = self.pick("t", "f.g", "t[j]'", "map", "and")
        if head != "and" and self.generator.random() < 0.5:
            return head + self.inside("[", "]", lambda: self.separated(lambda: self.item(below), 1))
        return head + self.inside("(", ")", lambda: self.separated(lambda: self.expression(below)))

    def item(self, depth: int) -> str:
        form = self.generator.random()
        if form < 0.6:
            return self.expression(depth)
        lower = self.expression(depth) if self.generator.random() < 0.5 else ""
        upper = self.expression(depth) if self.generator.random() < 0.5 else ""
        return self.joined(lower, ":", upper)

    def block(self, depth: int) -> str:
        outer, self.bracket = self.bracket, 0
        end = self.generator.choice([";", "; ", "\n", "\n\n", " # note\n", ";\n  # note\n"])
        steps = [f"{self.pick('k', 'g(x)')} = {self.expression(depth)}" for _ in range(self.generator.randint(0, 2))]
        text = end.join([*steps, self.expression(depth)])
        self.bracket = outer
        opened = self.pick("{", "{ ", "{\n", "{ # note\n", "{\n\n# note\n")
        return opened + text + self.pick("}", " }", "\n}", " # note\n}", "\n# note\n}")

    def operand(self, depth: int) -> str:
        sign = self.pick("", "", "", "-", "+")
        return sign + self.atom(depth)

    def expression(self, depth: int) -> str:
        form = self.generator.random()
        if form < 0.3 or depth <= 0:
            return self.operand(depth)
        if form < 0.8:
            text = self.operand(depth - 1)
            for number in range(self.generator.randint(1, 4)):
                operator = self.pick(*OPERATORS, *(COMPARISONS if number == 0 else ()))
                text += f" {operator}{self.pick(' ', ' ', self.blank() + ' ')}{self.operand(depth - 1)}"
            return text
        if form < 0.9:
            return f"{self.pick('x', '(x)', '(x,y)', '( s , x )')} -> {self.expression(depth - 1)}"
        parts = (self.expression(depth - 1) for _ in range(3))
        return "if {} then {} else {}".format(*parts)

    def statement(self) -> str:
        form = self.generator.random()
        if form < 0.15:
            return self.pick(
                "space byte: N [0,255]", "space p: R+", "list p: q", "list p: [S, N*], R", "list p: [name: S, age: N*]",
                "tol a: R", "tol a: N* [n, 2*k]", "tol a: [S,N] [n]", "tol a = [n,|t|]", "use linalg",
            )  # fmt: skip
        head = self.pick("x", "f(x)", "f(x, k=1)", "g( a,b )", "associative h(a,b)", "derivative f(x,d)")
        sign = "=" if head.startswith("derivative") else self.pick("=", ":=")
        return f"{head}{self.blank()}{sign}{self.blank()}{self.expression(4)}"

    def program(self) -> str:
        ends = ("\n", "\n\n", "\n\n\n", " # note\n", "\n# note\n", "; ", "\n\n// note\n")
        count = self.generator.randint(0, 6)
        return "".join(self.statement() + self.pick(*ends) for _ in range(count)) + self.pick("", "# last", "\n\n")


def mutated(text: str, generator: random.Random) -> str:
    """The text with a few characters changed."""
    for _ in range(generator.randint(1, 4)):
        place = generator.randrange(len(text) + 1)
        length = generator.choice([1, 1, 1, 5, 40])
        kind = generator.randrange(4)
        if kind == 0:
            text = text[:place] + text[place + length :]
        elif kind == 1:
            text = text[:place] + generator.choice(NOISE) + text[place:]
        elif kind == 2:
            text = text[:place] + text[place : place + length] * 2 + text[place + length :]
        else:
            start = generator.randrange(len(text) + 1)
            text = text[:place] + text[start : start + length] + text[place:]
    return text


def noise(generator: random.Random) -> str:
    if generator.random() < 0.5:
        return "".join(generator.choice(NOISE) for _ in range(generator.randint(0, 200)))
    return generator.randbytes(generator.randint(0, 300)).decode("utf-8", "replace")


def check(text: str) -> bool:
    """Hold a text against all that must be true of it; whether it is a program."""
    for read in (parse, parse_expression):
        for diagnostic in _diagnostics(read, text):
            assert diagnostic.span is not None, text
            assert diagnostic.span.end <= len(text), text
            assert diagnostic.render(), text
    if _diagnostics(parse, text):
        return False
    tree = parse(Source("fuzz", text))
    formatted = format_text(text)
    assert same_tree(tree, parse(Source("formatted", formatted))), (text, formatted)
    assert format_text(formatted) == formatted, (text, formatted, format_text(formatted))
    assert formatted.count("# note") + formatted.count("// note") == text.count("# note") + text.count("// note"), text
    return True


def run(count: int, seed: int) -> int:
    """Check a number of texts of each kind and return how many of them were programs."""
    generator = random.Random(seed)
    programs = 0
    for _ in range(count):
        text = Writer(generator).program()
        if check(text):
            programs += 1
        else:
            raise AssertionError(f"{text}\n{_diagnostics(parse, text)}")
        programs += check(mutated(text, generator))
        programs += check(noise(generator))
    return programs


def _diagnostics(read: Callable[[Source], object], text: str) -> tuple[Diagnostic, ...]:
    try:
        read(Source("fuzz", text))
    except ToLangSyntaxError as error:
        return error.diagnostics
    return ()


if __name__ == "__main__":
    print(f"{run(int(sys.argv[1]), int(sys.argv[2]))} programs, all as they should be")
