"""Which statements of a text need which others, and what of each of them the others see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b

from tolang.check.programs import Checker
from tolang.core.types import Type
from tolang.editor.pieces import TextPiece, TextPieces
from tolang.editor.symbols import mentions, offers
from tolang.syntax import tree


class StatementNeeds:
    """Which statements of a text need which others, by the names they mention."""

    def __init__(self, pieces: TextPieces) -> None:
        self.pieces: tuple[TextPiece, ...] = pieces.pieces
        written = [one.written for one in self.pieces]
        self.owners: dict[str, list[int]] = {}
        for n, one in enumerate(written):
            for name in offers(one):
                self.owners.setdefault(name, []).append(n)
        self.defined = frozenset(name for one in written for name in one.defines)
        self.uses = [n for n, one in enumerate(written) if one.uses is not None]
        self.needs = [
            list({m for name in mentions(one) & self.owners.keys() for m in self.owners[name]} - {n})
            for n, one in enumerate(written)
        ]
        self.circular: set[int] = set()
        self.order = self._ordered()
        self.typed = {n for n in self.order if self._may_be_typed(n)}
        self._common = "\0".join(self.text(n) for n in self.uses).encode()
        self._whole: dict[int, bool] = {}
        self._uses_known = not any(one.statement is None and one.begins_use for one in written)

    def _ordered(self) -> list[int]:
        """All statements, each after those that it needs; statements in a circle are noted, and stand as they come."""
        order: list[int] = []
        state = [0] * len(self.pieces)
        for first in range(len(self.pieces)):
            waiting = [first] if state[first] == 0 else []
            while waiting:
                one = waiting[-1]
                state[one] = max(state[one], 1)
                missing = [m for m in self.needs[one] if state[m] == 0]
                if missing:
                    waiting.append(missing[0])
                    continue
                self.circular.update(m for m in self.needs[one] if state[m] == 1)
                waiting.pop()
                if state[one] != 2:
                    state[one] = 2
                    order.append(one)
        return order

    def closure(self, wanted: Iterable[int], given: Mapping[int, Type]) -> set[int]:
        """These statements and all that they need; what is given needs nothing."""
        found = set(self.uses)
        waiting = list(wanted)
        found.update(waiting)
        while waiting:
            one = waiting.pop()
            fresh = [m for m in self.needs[one] if m not in found] if one not in given else []
            found.update(fresh)
            waiting.extend(fresh)
        return {n for n in found if self.pieces[n].written.statement is not None}

    def among(self, some: set[int], wanted: Iterable[int]) -> set[int]:
        """These statements and all among some that they need."""
        found = set(wanted)
        waiting = list(found)
        while waiting:
            fresh = [m for m in self.needs[waiting.pop()] if m in some and m not in found]
            found.update(fresh)
            waiting.extend(fresh)
        return found

    def is_whole(self, n: int) -> bool:
        """Whether a statement and all that it needs could be parsed, and every `use`, which any may need."""
        if not self._whole and self._uses_known:
            for one in self.order:
                needed = all(self._whole.get(m, True) for m in self.needs[one])
                self._whole[one] = needed and self.pieces[one].written.statement is not None
        return self._uses_known and self._whole[n]

    def key(self, n: int, faces: Iterable[bytes]) -> bytes:
        """What tells a statement, with what others show it, from all others."""
        parts = b"\0".join((self._common, self.text(n).encode(), *sorted(faces)))
        return blake2b(parts, digest_size=16).digest()

    def _may_be_typed(self, n: int) -> bool:
        """Whether a statement is a value that alone has its name, so that its type may be all that others see of it."""
        statement = self.pieces[n].written.statement
        if not isinstance(statement, tree.Definition) or statement.parameters is not None or n in self.circular:
            return False
        return self.owners.get(statement.id) == [n]

    def only_type(self, n: int, checker: Checker) -> Type | None:
        """The type of a value, where that is all that others see of it."""
        statement = self.pieces[n].written.statement
        if isinstance(statement, tree.Definition) and n in self.typed:
            return checker.known_by_type(statement.id)
        return None

    def text(self, n: int) -> str:
        return self.pieces[n].written.source.text
