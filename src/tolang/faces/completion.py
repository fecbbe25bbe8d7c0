"""Completion at the prompt: names of the session, the library and the language, commands, and files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from tolang.program.session import Session

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
_FILE = re.compile(r"\s*:(?:load|save|read\s+\S+)\s+(.*)$")
_ORDER = re.compile(r"\s*(:\w*)$")
_QUOTED = re.compile(r"(?:^|[^\w\])|'])'[^'\n]*$")


class NameCompleter(Completer):
    """Completes the word before the cursor; after `:load` and its like, the path of a file."""

    def __init__(self, session: Session, orders: list[str]) -> None:
        self.session = session
        self.orders = orders
        self.paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before = document.text_before_cursor
        file = _FILE.match(before)
        if file is not None:
            yield from self.paths.get_completions(Document(file[1]), complete_event)
            return
        order = _ORDER.match(before)
        if order is not None:
            yield from _matching(self.orders, order[1])
            return
        word = _WORD.search(before)
        if word is not None and not _QUOTED.search(before):
            yield from _matching(self.session.names(), word[0])


def _matching(names: Iterable[str], start: str) -> Iterable[Completion]:
    return (Completion(name, -len(start)) for name in names if name.startswith(start))
