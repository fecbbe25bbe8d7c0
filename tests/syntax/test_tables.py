"""The tables kept beside the grammar are those that lark makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lark.exceptions import GrammarError

from tolang.syntax import tables
from tolang.syntax.builder import Builder
from tolang.syntax.derivation import Unexpected, derive
from tolang.syntax.lexemes import KEYWORDS, SIGNS

FOLDER = Path(tables.__file__).parent


def test_the_tables_are_those_of_the_grammar() -> None:
    grammar = (FOLDER / "grammar.lark").read_text("utf-8")
    kept = json.loads((FOLDER / "grammar.json").read_text("utf-8"))
    made = tables.make_tables(grammar)
    assert kept["fingerprint"] == made["fingerprint"], "run python -m tolang.syntax.tables"
    assert len(kept["row_of_state"]) == len(made["row_of_state"])
    assert kept["rules"] == made["rules"]


def test_a_grammar_with_a_conflict_is_refused() -> None:
    with pytest.raises(GrammarError):
        tables.make_tables('statement: expression\nexpression: expression "+" expression | NAME\n%declare NAME')


def test_every_rule_has_its_method_and_every_method_its_rule() -> None:
    actions = {rule.action for rule in tables.load_tables().rules if rule.action is not None}
    methods = {name for name in vars(Builder) if not name.startswith("_")}
    assert actions == methods


def test_every_kind_of_lexeme_is_a_terminal() -> None:
    terminals = {kind for row in tables.load_tables().rows for kind in row if kind.isupper()}
    made_by_layout = {
        "AS",
        "END",
        "SIGNED_SPACE",
        "PRIME",
        "BAR_END",
        "DOUBLE_BAR_END",
        "NAME",
        "NUMBER",
        "TEXT",
        "$END",
    }
    assert terminals == ({*KEYWORDS.values(), *SIGNS.values()} | made_by_layout) - {"DOUBLE_STAR"}


def test_an_edited_grammar_is_read_without_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = (FOLDER / "grammar.lark").read_text("utf-8") + "\n// edited\n"
    monkeypatch.setattr(tables, "_beside", lambda name: grammar if name == "grammar.lark" else "")
    assert len(tables.load_tables.__wrapped__().rules) == len(tables.load_tables().rules)


def test_nothing_is_no_statement() -> None:
    with pytest.raises(Unexpected):
        derive([], "statement")
