"""The lexer for Pygments: every program keeps its text, and the parser's own words are told apart as it tells them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from tolang.faces.highlighting import ToLangLexer

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = [*(ROOT / "src" / "tolang" / "library").rglob("*.tol"), *(ROOT / "examples").rglob("*.tol")]


def kinds(text: str) -> list[tuple[object, str]]:
    """Kinds and words of a text, without the blanks; put together, all of them are the text."""
    found = list(ToLangLexer().get_tokens_unprocessed(text))
    assert "".join(word for _, _, word in found) == text
    assert [place for place, _, _ in found] == [sum(len(w) for _, _, w in found[:n]) for n in range(len(found))]
    return [(kind, word) for _, kind, word in found if kind is not Whitespace]


def test_every_program_of_the_project_is_without_errors() -> None:
    assert len(PROGRAMS) > 40
    for path in PROGRAMS:
        text = path.read_text("utf-8")
        found = list(ToLangLexer().get_tokens_unprocessed(text))
        assert "".join(word for _, _, word in found) == text, path
        assert not [word for _, kind, word in found if kind is Error], path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tol a: N* [n] # data", [(Keyword.Declaration, "tol"), (Name, "a"), (Punctuation, ":"), (Keyword.Type, "N*"),
                                  (Punctuation, "["), (Name, "n"), (Punctuation, "]"), (Comment.Single, "# data")]),
        ("N*2", [(Keyword.Type, "N"), (Operator, "*"), (Number, "2")]),
        ("t[j]'", [(Name, "t"), (Punctuation, "["), (Name, "j"), (Punctuation, "]"), (Operator, "'")]),
        ("f('it''s')", [(Name, "f"), (Punctuation, "("), (String, "'it''s'"), (Punctuation, ")")]),
        ("part'(t,1)", [(Name.Builtin, "part'"), (Punctuation, "("), (Name, "t"), (Punctuation, ","), (Number, "1"),
                        (Punctuation, ")")]),
        ("reduce(x,max,-Inf)", [(Name.Builtin, "reduce"), (Punctuation, "("), (Name, "x"), (Punctuation, ","),
                                (Name.Function, "max"), (Punctuation, ","), (Operator, "-"), (Keyword.Constant, "Inf"),
                                (Punctuation, ")")]),
        ("a and .5", [(Name, "a"), (Operator.Word, "and"), (Number, ".5")]),
        ("use linalg", [(Keyword.Namespace, "use"), (Name, "linalg")]),
        ('x := "a"', [(Name, "x"), (Operator, ":="), (Error, '"'), (Name, "a"), (Error, '"')]),
    ],
)  # fmt: skip
def test_words(text: str, expected: list[tuple[object, str]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize("text", ["", "(((", "f(x) = (\ng(x) = 2", "'open", "\ufeffx := 1\r\n", "a ** b |", "é := 3ab"])
def test_broken_texts_keep_their_words(text: str) -> None:
    kinds(text)


@given(st.text(alphabet="ab1 .,:;=()[]{}|'*+-/#\n\"é~", max_size=60))
@settings(max_examples=60, deadline=None)
def test_any_text_is_kept(text: str) -> None:
    kinds(text)


def test_pygments_finds_the_lexer() -> None:
    assert isinstance(get_lexer_by_name("tol"), ToLangLexer)
    assert isinstance(get_lexer_for_filename("program.tol"), ToLangLexer)
