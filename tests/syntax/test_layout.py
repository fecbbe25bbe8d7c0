"""Where statements end."""

from __future__ import annotations

import pytest
from tests.syntax.outline import of_program, outline

from tolang.ground.reporting.diagnostics import Source
from tolang.syntax.parser import is_unfinished, parse_entry

LAYOUTS = {
    # separate statements
    "a = 1\nb = 2": "(= a 1) (= b 2)",
    "a = 1; b = 2;": "(= a 1) (= b 2)",
    "\n\n;;a = 1\n;\n": "(= a 1)",
    "a = 1 # one\r\n\r\nb = 2 // two\r\n": "(= a 1) (= b 2)",
    "\ufeffa = 1": "(= a 1)",
    "": "",
    "# only a comment": "",
    # brackets
    "a = (1\n+ 2\n)\nb = 3": "(= a (parenthesis (+ 1 2))) (= b 3)",
    "a = [1,\n\n  # two\n  2]": "(= a (blocks 1 2))",
    "a = f({ b = 1\n b })": "(= a (call f (block (= b 1) b)))",
    "a = { b = (1\n+ 2)\n b }": "(= a (block (= b (parenthesis (+ 1 2))) b))",
    "a = {\n\n b = 1;\n\n c = 2;; b\n\n}": "(= a (block (= b 1) (= c 2) b))",
    "a = { [1\n,2] }": "(= a (block (blocks 1 2)))",
    # lines that go on
    "a = 1 +\n2": "(= a (+ 1 2))",
    "a =\n1": "(= a 1)",
    "a :=\n\n# why\n1": "(:= a 1)",
    "a = b and\nnot\nc": "(= a (and b (not c)))",
    "a = x ->\nx": "(= a (-> x x))",
    "a = if b then\nc else\nd": "(= a (if b c d))",
    "a = if b\nthen c\n# otherwise\nelse d": "(= a (if b c d))",
    "a = { if b\n then c\n else d }": "(= a (block (if b c d)))",
    "a = b *\nc": "(= a (* b c))",
    "a = f.\ng": "(= a (compose f g))",
    "list p: [S],\nN": "(list p S N)",
    "tol a:\nR": "(tol a R)[]",
    # a star that is an operand ends its line, as does a space with a sign
    "a = map(x, { b = *\n b })": "(= a (call map x (block (= b star) b)))",
    "a = map(x, { b = 2 * *\n b })": "(= a (call map x (block (= b (* 2 star)) b)))",
    "tol a: N*\ntol b: R+\nlist c: [S], Z-\nd = 1": "(tol a N*)[] (tol b R+)[] (list c S Z-) (= d 1)",
    "tol a: N* # natural\nb = 1": "(tol a N*)[] (= b 1)",
    # `then` and `else` only as whole words
    "a = 1\nelsewhere = 2": "(= a 1) (= elsewhere 2)",
    "a = 1\nthen_ = 2": "(= a 1) (= then_ 2)",
}


@pytest.mark.parametrize(("text", "expected"), LAYOUTS.items())
def test_layout(text: str, expected: str) -> None:
    assert of_program(text) == expected


@pytest.mark.parametrize("text", ["x = (", "x = f(a,", "x = {\n a = 1", "x = [1,\n2", "x =", "x = 1 +", "x = if a"])
def test_unfinished_texts(text: str) -> None:
    assert is_unfinished(Source("prompt", text))


@pytest.mark.parametrize("text", ["", "x = 1", "1 + 1", "x = )", "x = 1 2", "x = 'a", "x = (]", "# comment"])
def test_finished_texts(text: str) -> None:
    assert not is_unfinished(Source("prompt", text))


def test_entries_may_be_expressions() -> None:
    entries = parse_entry(Source("prompt", "x = 1; x + 1"))
    assert [outline(entry) for entry in entries] == ["(= x 1)", "(+ x 1)"]
