"""The extension for Visual Studio Code: its grammar tells words apart as our own lexer does, its files belong together."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tolang.ground.reporting.diagnostics import Source
from tolang.ground.values.spaces import FAMILIES
from tolang.program.descriptions import PRIMITIVES
from tolang.syntax.layout import lay_out
from tolang.syntax.lexemes import KEYWORDS

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
TEXTS = sorted(path for part in ("src", "examples", "tests") for path in (ROOT / part).rglob("*.tol"))
KINDS = {"comment": "comment", "string": "text", "constant.numeric": "number", "constant.language": "keyword",
         "keyword.declaration": "keyword", "keyword.control": "keyword", "keyword.operator.word": "keyword"}  # fmt: skip
Word = tuple[int, str, str]
"""Where a word begins, its kind, and its text."""


def loaded(name: str) -> Any:
    return json.loads((EXTENSION / name).read_text("utf-8"))


def grammar() -> list[tuple[str, re.Pattern[str]]]:
    """The patterns of the grammar: each a plain match within one line, with no other inside it."""
    found = loaded("syntaxes/tolang.tmLanguage.json")["patterns"]
    assert all(one.keys() == {"name", "match"} for one in found)
    return [(one["name"], re.compile(one["match"])) for one in found]


def coloured(text: str) -> Iterator[Word]:
    """What the grammar makes of a text: in each line the pattern that matches first, of those the one that is first."""
    patterns = grammar()
    any_of_them = re.compile("|".join(f"(?P<p{n}>{one.pattern})" for n, (_, one) in enumerate(patterns)), re.MULTILINE)
    for found in any_of_them.finditer(text):
        name = patterns[int((found.lastgroup or "p")[1:])][0]
        kind = next((kind for start, kind in KINDS.items() if name.startswith(start)), None)
        if kind is not None:
            yield found.start(), kind, found.group().rstrip("\r")


def laid_out(text: str) -> list[Word]:
    """The same as our own lexer has it."""
    layout = lay_out(Source("x", text))
    words = [(one.start, "comment", one.text.rstrip("\r")) for one in layout.comments]
    for statement in layout.statements:
        for one in statement.lexemes:
            if one.kind in ("NUMBER", "TEXT"):
                words.append((one.span.start, one.kind.lower(), one.text))
            elif one.text in KEYWORDS and one.kind == KEYWORDS[one.text]:
                words.append((one.span.start, "keyword", one.text))
    return sorted(words)


def test_grammar_agrees_with_the_lexer_on_every_text() -> None:
    assert len(TEXTS) > 100
    checked = 0
    for path in TEXTS:
        text = path.read_text("utf-8")
        if not lay_out(Source(path.name, text)).diagnostics:
            checked += 1
            assert list(coloured(text)) == laid_out(text), path
    assert checked > 0.9 * len(TEXTS)


def test_grammar_has_every_word_of_the_language() -> None:
    patterns = dict[str, str]()
    for name, one in grammar():
        patterns[name] = patterns.get(name, "") + one.pattern
    for word in KEYWORDS:
        assert [kind for _, kind, text in coloured(word) if text == word] == ["keyword"]
    assert [
        word for word in PRIMITIVES if not re.search(rf"[(|:]{word}[|)]", patterns["support.function.tolang"])
    ] == []
    plain = {one.rstrip("*+-") for one in FAMILIES}
    assert [one for one in plain if not re.fullmatch(patterns["storage.type.tolang"], one)] == []


def test_files_of_the_extension_belong_together() -> None:
    package = loaded("package.json")
    named = [package["main"], package["contributes"]["languages"][0]["configuration"]]
    named += [one["path"] for one in package["contributes"]["grammars"]]
    assert [name for name in named if not (EXTENSION / name).is_file()] == []
    assert package["contributes"]["languages"][0]["extensions"] == [".tol"]
    scopes = [loaded(one["path"])["scopeName"] for one in package["contributes"]["grammars"]]
    assert scopes == [one["scopeName"] for one in package["contributes"]["grammars"]]
    assert loaded("language-configuration.json")["comments"]["lineComment"] == "#"
    versions = [*package["dependencies"].values(), *package["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", one) for one in versions), "what is packaged is the same tomorrow"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_client_is_javascript() -> None:
    done = subprocess.run(
        ["node", "--check", str(EXTENSION / "extension.js")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
