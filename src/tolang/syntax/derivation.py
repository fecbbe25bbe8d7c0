"""The LALR parser: it reads the words and signs of one statement and calls the builder for each rule it recognises."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from tolang.ground.reporting.diagnostics import Diagnostic, ToLangSyntaxError
from tolang.syntax import tree
from tolang.syntax.builder import Builder
from tolang.syntax.lexemes import Lexeme
from tolang.syntax.tables import END_OF_INPUT, load_tables

DEPTH_OF_STACK = 20_000
"""The parser's stack may grow this high; only operators nested without end can reach it."""


class Unexpected(Exception):
    """The grammar has no place for the word or sign at `position`; `states` is the parser's stack before it."""

    def __init__(self, position: int, states: list[int]) -> None:
        super().__init__(position)
        self.position = position
        self.states = states


@lru_cache(maxsize=1)
def _actions() -> tuple[Any, ...]:
    """For each rule the builder's method that makes its node, or None."""
    builder = Builder()
    return tuple(rule.action and getattr(builder, rule.action) for rule in load_tables().rules)


def derive(lexemes: Sequence[Lexeme], start: str) -> tree.Node:
    """The node of a statement or an expression, or `Unexpected`."""
    tables, actions = load_tables(), _actions()
    rows, rules = tables.rows, tables.rules
    states: list[int] = [tables.starts[start]]
    values: list[Any] = []
    finish = tables.ends[start]
    for position in range(len(lexemes) + 1):
        lexeme = lexemes[position] if position < len(lexemes) else None
        kind = lexeme.kind if lexeme is not None else END_OF_INPUT
        while True:
            entry = rows[states[-1]].get(kind)
            if entry is None:
                raise Unexpected(position, _states_before(lexemes, position, start))
            if entry >= 0:
                states.append(entry)
                values.append(lexeme)
                break
            rule = rules[-1 - entry]
            if rule.single:
                states[-1] = _after_singles(states[-2], states[-1], kind)
            else:
                _reduce(rule.length, actions[-1 - entry], states, values)
                states.append(rows[states[-1]][rule.symbol])
            if states[-1] == finish and lexeme is None:
                break
        if len(states) > DEPTH_OF_STACK:
            _refuse_depth(lexemes[position])
    node = values[0]
    assert isinstance(node, tree.Node)
    return node


@cache
def _after_singles(below: int, state: int, kind: str) -> int:
    """The state in place of one above another, once all rules of a single part that a terminal closes are through."""
    tables = load_tables()
    while True:
        entry = tables.rows[state].get(kind, 0)
        if entry >= 0 or not tables.rules[-1 - entry].single:
            return state
        state = tables.rows[below][tables.rules[-1 - entry].symbol]
        if kind == END_OF_INPUT and state in tables.ends.values():
            return state


def _reduce(length: int, action: Any, states: list[int], values: list[Any]) -> None:
    """Replace the parts of a rule by what the rule makes of them: a node, or a list where the rule is a repetition."""
    if not length:
        values.append(action([]))
        return
    first = values[-length]
    grows = action is None and type(first) is list
    parts: list[Any] = first if grows else []
    for value in values[len(values) - length + grows :]:
        if type(value) is list:
            parts.extend(value)
        else:
            parts.append(value)
    del states[-length:]
    del values[-length:]
    values.append(action(parts) if action is not None else parts)


def accepted(states: list[int]) -> set[str]:
    """The terminals that the grammar has a place for with this stack."""
    terminals = [kind for kind in load_tables().rows[states[-1]] if kind.isupper()]
    return {kind for kind in terminals if _advance(list(states), kind)}


def _states_before(lexemes: Sequence[Lexeme], position: int, start: str) -> list[int]:
    """The stack right after the lexemes before a position.

    The stack at the moment of an error will not do: some rules were already closed for the sake of a lexeme that then
    turned out to be wrong, and with them went the knowledge of what else could have followed.
    """
    states = [load_tables().starts[start]]
    for lexeme in lexemes[:position]:
        _advance(states, lexeme.kind)
    return states


def _advance(states: list[int], kind: str) -> bool:
    """Read a terminal with all reductions it causes, changing the stack; False where the terminal cannot stand."""
    tables = load_tables()
    while True:
        entry = tables.rows[states[-1]].get(kind)
        if entry is None:
            return False
        if entry >= 0:
            states.append(entry)
            return True
        rule = tables.rules[-1 - entry]
        if rule.length:
            del states[-rule.length :]
        states.append(tables.rows[states[-1]][rule.symbol])
        if kind == END_OF_INPUT and states[-1] in tables.ends.values():
            return True


def _refuse_depth(lexeme: Lexeme) -> None:
    raise ToLangSyntaxError(
        Diagnostic(
            "E105",
            "operators nest too deeply",
            lexeme.span,
            expected="a shorter expression",
            fix="give names to parts of it: `part = …`",
        )
    )
