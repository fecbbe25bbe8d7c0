"""Own modules and patterns in an editor: names lead to what they stand for, in whichever file that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tolang.editor.document import DefinitionTarget, Document

HELPERS = """\
space byte: N [0,255]
# Twice each number
# EOPs: vol(x)
double(x)     = map(x, 2 * *)
associative scale(x, k=3) = map(x, k * *)
(one, two) = (1, 2)
"""
MAIN = """\
use "helpers.tol"
use helpers as h
use linalg as l
tol x: R [n]
y := double(x)
z := h.scale(x, k=10)
w := h.double.h.double(x)
q := map(x, * + two)
p := l.matmul([x], [x])
"""
PATTERNS = """\
s = (1.5, 2)
(u, v) = s
shorter((x, p), (y, q)) = if y < x then (y, q) else (x, p)
w := shorter((u, v), s)
g(t) = { (a, _) = t; a + 1 }
"""


@pytest.fixture
def main(tmp_path: Path) -> Document:
    (tmp_path / "helpers.tol").write_text(HELPERS, "utf-8")
    made = Document(str(tmp_path / "main.tol"), MAIN)
    made.learn_all()
    return made


def defined(document: Document, offset: int) -> DefinitionTarget:
    found = document.definition(offset)
    assert found is not None
    return found


def test_modules_beside_a_file_are_found_and_checked(main: Document, tmp_path: Path) -> None:
    assert main.troubles() == []
    assert [one.text for one in main.hints(0, len(MAIN))][:3] == ["R [n], n EOPs", "R [n], n EOPs", "R [n], 2*n EOPs"]
    elsewhere = Document(str(tmp_path / "other" / "main.tol"), MAIN)
    elsewhere.learn_all()
    assert {one.code for one in elsewhere.troubles()} >= {"E202"}


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("double(x)\nz", "double(x)     ="),
        ("scale(x, k=10)", "scale(x, k=3)"),
        ("double.h", "double(x)     ="),
        ("double(x)\nq", "double(x)     ="),
        ("two)", "two) ="),
        ("h.scale", ""),
        ("helpers.tol", ""),
        ("helpers as", ""),
    ],
)
def test_definition_in_an_own_module(main: Document, tmp_path: Path, words: str, goal: str) -> None:
    found = defined(main, MAIN.index(words))
    assert found.path == str(tmp_path / "helpers.tol")
    assert found.start == (HELPERS.index(goal) if goal else 0)
    assert HELPERS[found.start : found.end] == goal[: found.end - found.start]


def test_hover_tells_comment_and_cost_of_an_own_module(main: Document) -> None:
    for words, module in (("double(x)\nz", "helpers.tol"), ("double.h", "helpers")):
        found = main.hover(MAIN.index(words))
        assert found is not None
        for part in ("double(x)", "Twice each number", "EOPs: `vol(x)`", f"of `{module}`"):
            assert part in found[2]
    alias = main.hover(MAIN.index("h.scale"))
    assert alias is not None
    assert "the module helpers" in alias[2]
    library = main.hover(MAIN.index("matmul("))
    assert library is not None
    assert "of `linalg`" in library[2]


def test_names_of_a_module_are_not_those_of_the_text(main: Document) -> None:
    text = MAIN + "scale(x) = x\nv := scale(x)\n"
    main.edit(text)
    own, foreign = text.index("scale(x) = x"), text.index("scale(x, k=10)")
    assert [start for start, _ in main.references(own)] == [own, text.index("scale(x)\n")]
    assert [start for start, _ in main.references(foreign)] == [foreign]
    assert main.renamable(own) is not None
    assert main.renamable(foreign) is None


def test_completion_knows_own_modules(main: Document) -> None:
    def offered(more: str) -> set[str]:
        main.edit(MAIN + more)
        return {one.name for one in main.choices(len(MAIN + more))}

    assert offered("v := h.") == {"double", "scale", "one", "two"}
    assert offered("v := h.do") == {"double"}
    assert {"double", "do"} & offered("v := do") == {"double"}
    assert "matmul" not in offered("v := mat")
    assert {"helpers", "linalg"} <= offered("use ")
    assert "main" not in offered("use ")


def test_a_module_that_is_saved_is_read_again(main: Document, tmp_path: Path) -> None:
    (tmp_path / "helpers.tol").write_text(HELPERS.replace("double(x)", "treble(x)"), "utf-8")
    main.forget()
    main.learn_all()
    assert {one.code for one in main.troubles()} == {"E201"}
    assert main.definition(MAIN.index("double(x)\nz")) is None


def test_names_in_patterns_are_names() -> None:
    document = Document("patterns.tol", PATTERNS)
    document.learn_all()
    assert document.troubles() == []
    u, x, a = PATTERNS.index("u, v), s"), PATTERNS.index("x then"), PATTERNS.index("a + 1")
    assert defined(document, u).start == PATTERNS.index("u, v) = s")
    assert defined(document, x).start == PATTERNS.index("x, p), (y")
    assert defined(document, a).start == PATTERNS.index("a, _")
    assert len(document.references(x)) == 3
    told = document.hover(u)
    assert told is not None
    assert "u: R" in told[2]
