"""The definitions of a program that is being made, found by name: what is asked of one looks at those it needs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tolang.ground.dataclasses import dataclass
from tolang.syntax import making, tree
from tolang.syntax.traversal import children


@dataclass(frozen=True, slots=True)
class Made:
    """A definition, which of all it is, and the names in it, some of which may be others' that are so called."""

    number: int
    statement: tree.Definition
    names: frozenset[str]


def names_in(node: tree.Node) -> frozenset[str]:
    """The names that a tree mentions."""
    found: set[str] = set()
    pending = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, tree.NameExpression):
            found.add(one.id)
        else:
            pending.extend(children(one))
    return frozenset(found)


class Definitions:
    """Definitions one after the other, and while a block is made those around it, too; no name is given twice."""

    def __init__(self) -> None:
        self.names: list[str] = []
        """The names defined so far, in the block that is being made."""
        self._made: dict[str, Made] = {}
        self._count = 0
        self._assumed: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._made

    def add(self, name: str, expression: tree.Expression, parameters: Sequence[str] = ()) -> None:
        """Defines a name, as a function of parameters where there are some."""
        self._put(name, expression, parameters)
        self.names.append(name)

    def _put(self, name: str, expression: tree.Expression, parameters: Sequence[str] = ()) -> None:
        self._count += 1
        statement = making.definition(name, expression, parameters)
        self._made[name] = Made(self._count, statement, names_in(expression))

    def drop(self, begin: int) -> None:
        """Takes back the definitions of the block from a place on."""
        for name in self.names[begin:]:
            del self._made[name]
        del self.names[begin:]

    @contextmanager
    def block(self, assumed: Mapping[str, tree.Expression]) -> Iterator[None]:
        """Definitions inside a block, which nothing outside of it sees.

        Parameters are assumed to be of the types of some expressions, for those that ask for types.
        """
        outside, self.names = self.names, []
        for name, expression in assumed.items():
            self._put(name, expression)
        self._assumed.update(assumed)
        yield
        self.drop(0)
        for name in assumed:
            del self._made[name]
        self._assumed.difference_update(assumed)
        self.names = outside

    def in_block(self) -> list[tree.Definition]:
        """The definitions of the block that is being made."""
        return [self._made[name].statement for name in self.names]

    def needed(self, names: Iterable[str], known: Container[str] = ()) -> list[Made]:
        """The definitions that some names need, themselves or by way of others, in order; not beyond what is known."""
        found: dict[str, Made] = {}
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            made = None if name in found or name in known else self._made.get(name)
            if made is not None:
                found[name] = made
                waiting.extend(made.names)
        return sorted(found.values(), key=lambda one: one.number)

    def are_sure(self, found: Iterable[Made]) -> bool:
        """Whether nothing among definitions is assumed."""
        return self._assumed.isdisjoint(one.statement.id for one in found)
