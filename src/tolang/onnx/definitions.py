"""The definitions of a program that is being written, found by name: what is asked of one looks at those it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager

_WORD = re.compile(r"\w+")


class Definitions:
    """Definitions one after the other, and while a block is written those around it, too; no name is given twice."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """The names defined so far, in the block that is being written."""
        self._lines: dict[str, tuple[int, str]] = {}
        self._count = 0
        self._assumed: set[str] = set()
        self._cut: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._lines

    def add(self, name: str, expression: str, parameters: tuple[str, ...] = ()) -> None:
        """Defines a name, as a function of parameters where there are some."""
        head = f"{name}({', '.join(parameters)})" if parameters else name
        self._put(name, f"{head} = {expression}")
        self.names.append(name)

    def _put(self, name: str, line: str) -> None:
        self._count += 1
        self._lines[name] = self._count, line

    def drop(self, begin: int) -> None:
        """Takes back the definitions of the block from a place on."""
        for name in self.names[begin:]:
            del self._lines[name]
        del self.names[begin:]

    @contextmanager
    def block(self, assumed: Mapping[str, str]) -> Iterator[None]:
        """Definitions inside a block, which nothing outside of it sees.

        Parameters are assumed to be of the types of some expressions, for those that ask for types.
        """
        outside, self.names = self.names, []
        for name, expression in assumed.items():
            self._put(name, f"{name} = {expression}")
        self._assumed.update(assumed)
        yield
        self.drop(0)
        for name in assumed:
            del self._lines[name]
        self._assumed.difference_update(assumed)
        self.names = outside

    def lines(self) -> list[str]:
        """The definitions of the block that is being written, as text."""
        return [self._lines[name][1] for name in self.names]

    def needed(self, text: str) -> tuple[list[str], set[str], bool]:
        """What a text needs to be checked, what of it is known by types, and whether nothing is assumed."""
        found = self._found(text, self._cut)
        lines = [line for _, line in sorted(found[name] for name in found.keys() - self._cut)]
        return lines, found.keys() & self._cut, self._assumed.isdisjoint(found)

    def lines_for(self, text: str) -> list[str]:
        """The definitions that a text needs, itself or by way of others, in order."""
        return [line for _, line in sorted(self._found(text).values())]

    def cut(self, name: str) -> None:
        """From now on a value is known by its type alone, for those that ask for types of what follows from it."""
        self._cut.add(name)

    def _found(self, text: str, cut: Set[str] = frozenset()) -> dict[str, tuple[int, str]]:
        found: dict[str, tuple[int, str]] = {}
        waiting = [text]
        while waiting:
            for name in _WORD.findall(waiting.pop()):
                if name in self._lines and name not in found:
                    found[name] = self._lines[name]
                    if name not in cut:
                        waiting.append(found[name][1])
        return found
