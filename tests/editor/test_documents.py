"""What is known of a text while it changes is what is known of it as a whole."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest
from tests.editor.texts import chain, long_text, star

from tolang.check.programs import Checker
from tolang.core.types import Type
from tolang.editor import knowledge as knowing
from tolang.editor.document import Document
from tolang.editor.knowledge import DocumentKnowledge, Stopped
from tolang.editor.pieces import TextPieces
from tolang.editor.positions import Lines
from tolang.ground.reporting.diagnostics import Source, readable
from tolang.program.program import Program
from tolang.syntax import tree

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.tol"))[::6]
SEEDS = range(10)
TYPED = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\n",
    "=",
    " = ",
    "+",
    "'",
    "# ",
    "x",
    "use ",
    "then ",
    "else ",
    "|",
    ";",
    "$",
    ",",
]


def seen(pieces: TextPieces) -> list[object]:
    """All that was found of a text."""
    return [
        [(one.start, one.written.source.text, one.written.broken) for one in pieces.pieces],
        list(pieces.comments),
        [(one.start, one.diagnostic.code, one.diagnostic.message) for one in pieces.mistakes],
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_of_a_changed_text_are_those_of_the_text(seed: int) -> None:
    chance = random.Random(seed)
    text = chance.choice(EXAMPLES).read_text("utf-8")
    pieces = TextPieces.of("x", text)
    for _ in range(12):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 0, 1, 1, 5, 40]))
        text = text[:start] + chance.choice(["", *TYPED]) + text[end:]
        pieces = pieces.edited(text)
        assert seen(pieces) == seen(TextPieces.of("x", text))


def test_each_example_is_right_and_its_outputs_have_their_types() -> None:
    assert len(EXAMPLES) > 5
    for path in EXAMPLES:
        text = path.read_text("utf-8")
        document = Document(path.name, text)
        document.learn_all()
        assert document.troubles() == [], path
        for name, kind in Program(Source(str(path), text)).outputs.items():
            fact = document.fact_of(name)
            assert fact is not None, (path, name)
            assert fact.type == readable(str(kind)), (path, name)
            assert fact.eops is not None, (path, name)


def hints(document: Document) -> list[tuple[int, str]]:
    return [(one.offset, one.text) for one in document.hints(0, len(document.text))]


def test_what_is_known_after_a_change_is_what_is_known_of_the_text() -> None:
    text = long_text(20)
    document = Document("x", text)
    document.learn_all()
    for old, new in (
        ("add, 0", "mul, 1"),
        ("[n1,m1]", "[n1,n1]"),
        ("u + v^p", "u + v^p + zz"),
        ("use nn\n", ""),
        ("mul, 1", "mul, 1) + n1 * (2"),
        ("[n0,m0]", "[n0,7]"),
        ("axis=2", "axis=1"),
        ("p=2", "p=3"),
    ):
        text = text.replace(old, new, 1)
        document.edit(text)
        document.learn_all()
        whole = Document("x", text)
        whole.learn_all()
        assert hints(document) == hints(whole), (old, new)
        assert document.troubles() == whole.troubles(), (old, new)


def test_a_change_asks_only_for_what_it_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    text = long_text(60)
    document = Document("x", text)
    document.learn_all()
    checked: list[str] = []

    def counted(module: tree.SyntaxModule, before: Checker | None, given: Mapping[str, Type]) -> Checker:
        checked.extend(one.id for one in module.statements if isinstance(one, tree.Definition))
        return Checker(module, before=before, given=given)

    monkeypatch.setattr(knowing, "Checker", counted)
    document.edit(text.replace("# The product", "# The products", 1))
    document.learn_all()
    assert checked == [], "a comment changes nothing"
    document.edit(document.text.replace("x / total3", "x * total3", 1))
    document.learn_all()
    assert checked == ["scaled3"], "its type is as it was"
    document.edit(document.text.replace("map(a3, x -> x * total3)", "transpose(a3)", 1))
    document.learn_all()
    assert checked[:2] == ["scaled3", "scaled3"]
    assert sorted(checked[2:]) == ["out3", "product3", "w3"], "what has its shape is checked again"


def test_what_a_broken_statement_defines_is_not_unknown() -> None:
    document = Document("x", "a = [1,2\nb = sum(a)\nc = zz\n")
    document.learn_all()
    assert [(one.code, one.start) for one in document.troubles()] == [("E102", 4), ("E201", 24)]


def test_what_needs_nothing_broken_is_checked_without_it() -> None:
    text = "tol a: R [n]\ntol b = [|a|[1]]\nf(i) = a[i) + 1\ng(i) = f(i)\nb := map(b, g(i), i)\nc = map(a, * + 1)\n"
    document = Document("x", text)
    document.learn_all()
    assert {one.code for one in document.troubles()} == {"E102"}
    assert [one.text for one in document.hints(0, len(text))] == ["R [n], n EOPs"]


def test_an_error_in_a_function_goes_with_the_call_that_meets_it() -> None:
    document = Document("x", "tol a: R [n]\nf(x) = x[1,1]\ng = 2\ny = g\n")
    document.learn_all()
    assert document.troubles() == []
    document.edit(document.text.replace("y = g", "y = f(a)"))
    document.learn_all()
    assert [(one.code, document.text[one.start : one.end]) for one in document.troubles()] == [("E302", "x[1,1]")]
    document.edit(document.text.replace("y = f(a)", "y = g"))
    document.learn_all()
    assert document.troubles() == []


def test_a_check_that_nobody_waits_for_ends() -> None:
    pieces = TextPieces.of("x", chain(250))
    start = time.perf_counter()
    list(DocumentKnowledge().learn(pieces))
    whole = time.perf_counter() - start
    knowledge, ended = DocumentKnowledge(), []

    def learn() -> None:
        try:
            list(knowledge.learn(pieces))
        except Stopped:
            ended.append(time.perf_counter())

    thread = Thread(target=learn)
    thread.start()
    time.sleep(whole / 5)
    start = time.perf_counter()
    knowledge.stop()
    thread.join()
    assert len(ended) == 1
    assert ended[0] - start < max(whole / 2, 0.05)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        (chain(1000), ["[n,m]", "[n,n]", "[m,m]"]),  # each line needs the one before
        (star(1000), ["R [n,m]", "S [n,m]", "S [n]"]),  # each line becomes wrong
        (star(1000), ["* + 1", "* + 'a'", "* + 'b'"]),  # each line calls a function that becomes wrong
    ],
    ids=["chain", "wrong lines", "wrong function"],
)
def test_a_change_that_all_lines_hang_on_is_told_soon_where_it_is(text: str, typed: list[str]) -> None:
    """In time of the processor: what is wrong with the changed definition and those near it, and names to type."""
    document = Document("x", text)
    document.learn_all()
    assert document.troubles() == []
    taken = []
    for before, after in pairwise(typed):
        start = time.thread_time()
        document.edit(document.text.replace(before, after, 1))
        steps = document.learn(document.pieces)
        step = next(steps)
        while not set(range(8)) <= step.known.keys():
            step = next(steps)
        assert document.take(document.pieces, step)
        assert (len(document.troubles()) > 7) == (after[0] == "S")
        assert document.choices(document.text.index("\n") + 2)
        taken.append(time.thread_time() - start)
        assert not step.is_last
    assert min(taken) < 0.2  # half of it where nothing else runs on the same core: its threads share what it can do


def test_neither_sympy_nor_compilers_are_loaded() -> None:
    program = (
        "import sys; from tolang.editor.document import Document; "
        "one = Document('x', 'use linalg\\ntol a: R [n,n]\\nb := matmul(a,a)\\n'); one.learn_all(); "
        "print(one.hints(0, 99)[0].text, [m for m in ('sympy', 'llvmlite') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "R [n, n], 2*n^3 EOPs []\n"


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_positions_in_every_encoding(encoding: str, units: int) -> None:
    lines = Lines("a\n𝄞b\n", encoding)
    assert lines.position(3) == (1, units)
    assert lines.offset(1, units) == 3
    assert lines.offset(1, 99) == 4
    assert lines.offset(9, 0) == 5
