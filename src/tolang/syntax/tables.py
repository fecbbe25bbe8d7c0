"""The parse tables that lark makes of `grammar.lark`, and the file `grammar.json` that keeps them.

Making the tables takes a quarter of a second, reading them some milliseconds, so they are kept beside the grammar with
its fingerprint.  When the grammar was edited and the file not yet written again, the tables are made afresh, which
needs lark; nothing else in the package does.  `python -m tolang.syntax.tables` writes the file, a test holds it up to
date.
"""

from __future__ import annotations

import json
import pkgutil
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from tolang.ground.dataclasses import dataclass

STARTS = ("statement", "expression")

END_OF_INPUT = "$END"


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to write a rule: the symbol it makes, how many parts it takes, and what to do with them.

    With an `action`, the builder's method of that name makes a node.  Without, the parts are kept as a list (a
    repetition inside a rule), or the single part stands for itself.
    """

    symbol: str
    length: int
    action: str | None
    single: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """What an LALR parser does in each state.

    A row maps a terminal or a symbol to an entry: the next state if it is 0 or more, else a rule to reduce by, counted
    down from -1.  `ends` gives the state in which a whole start symbol has been read.
    """

    rows: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    starts: dict[str, int]
    ends: dict[str, int]


@lru_cache(maxsize=1)
def load_tables() -> Tables:
    """The tables of the grammar as it is now."""
    grammar = _beside("grammar.lark")
    content = json.loads(_beside("grammar.json") or "{}")
    if content.get("fingerprint") == fingerprint(grammar):
        return _unpack(content)
    return _unpack(make_tables(grammar))


def fingerprint(grammar: str) -> int:
    return zlib.crc32(grammar.encode())


def make_tables(grammar: str) -> dict[str, Any]:
    """Let lark make the tables, in strict mode: a conflict in the grammar is an error."""
    from lark import Lark
    from lark.grammar import Rule as LarkRule
    from lark.lexer import Lexer, TerminalDef

    class NoLexer(Lexer):
        def __init__(self, configuration: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
            raise NotImplementedError

    made = Lark(grammar, parser="lalr", lexer=NoLexer, strict=True, start=list(STARTS), keep_all_tokens=True)
    data, memo = made.memo_serialize([TerminalDef, LarkRule])
    rules = [key for key, entry in memo.items() if "expansion" in entry]
    table = data["parser"]["parser"]
    names = {int(key): name for key, name in table["tokens"].items()}
    numbers = {state: number for number, state in enumerate(table["states"])}
    shared: dict[str, int] = {}
    row_of_state = []
    for entries in table["states"].values():
        row = {
            names[token]: numbers[target] if action == 0 else -1 - rules.index(target["@"])
            for token, (action, target) in entries.items()
        }
        row_of_state.append(shared.setdefault(json.dumps(row, sort_keys=True), len(shared)))
    return {
        "fingerprint": fingerprint(grammar),
        "rules": [_rule(memo[key]) for key in rules],
        "starts": {name: numbers[state] for name, state in table["start_states"].items()},
        "ends": {name: numbers[state] for name, state in table["end_states"].items()},
        "row_of_state": row_of_state,
        "rows": [json.loads(row) for row in shared],
    }


def _rule(entry: dict[str, Any]) -> list[Any]:
    symbol = entry["origin"]["name"]
    length = len(entry["expansion"])
    single = bool(entry["options"]["expand1"]) and entry["alias"] is None and length == 1
    repetition = symbol.startswith("_")
    action = None if single or repetition else entry["alias"] or symbol
    return [symbol, length, action, single]


def _unpack(content: dict[str, Any]) -> Tables:
    rows = content["rows"]
    return Tables(
        rows=tuple(rows[number] for number in content["row_of_state"]),
        rules=tuple(Rule(*row) for row in content["rules"]),
        starts=content["starts"],
        ends=content["ends"],
    )


def _beside(name: str) -> str:
    """The text of a file of this package, empty if there is none."""
    try:
        content = pkgutil.get_data("tolang.syntax", name)
    except FileNotFoundError:
        content = None
    return (content or b"").decode()


def write_tables() -> Path:
    """Write the tables of the grammar beside it."""
    target = Path(__file__).with_name("grammar.json")
    content = make_tables(_beside("grammar.lark"))
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items())
    target.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return target


if __name__ == "__main__":
    print(f"wrote {write_tables()}")
