"""Compositions of the atomic computations, as terms.

A term is immutable, knows the shape and type list of the ToL it stands for, and may be used in several places: a
composition is a directed acyclic graph.  Its leaves are the program's inputs and constants; everything else is one of
the five atoms, with the two forms that norm, member and join have.

    Lambda      Λ(f; e₁,…; c₁,…)    Norm    ‖t‖        NormPrime      ‖t‖′
    Member      Π(t; a₁,…)          Join    t₁ ⋈ t₂    MemberPrime    Π′(t; j)
    Embed       Ξ(t)                                   JoinList       t₁ ⋈̄ t₂

A join of several is read from the left; as join is associative that is no more than notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.functions import result_column
from tolang.ground.values.spaces import Column, column, join_columns
from tolang.ground.values.values import ToL


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """Any composition: the shape and type list of what it stands for."""

    shape: tuple[int, ...] = field(init=False)
    columns: tuple[Column, ...] = field(init=False)

    def _is(self, shape: tuple[int, ...], columns: Iterable[Column]) -> None:
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "columns", tuple(columns))

    def children(self) -> Iterator[Term]:
        """The terms directly inside this one."""
        return iter(())


@dataclass(frozen=True, slots=True, eq=False)
class ConstantTerm(Term):
    """A constant of the composition; of ToLs only those without elements are needed, which no join can make."""

    value: ToL

    def __post_init__(self) -> None:
        self._is(self.value.shape, self.value.spaces)


@dataclass(frozen=True, slots=True, eq=False)
class InputTerm(Term):
    """An input of the program."""

    name: str
    of_shape: tuple[int, ...]
    of_columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        self._is(self.of_shape, self.of_columns)


@dataclass(frozen=True, slots=True, eq=False)
class FunctionTerm(Term):
    """A basic elementary function of numerics; `constants` are those that are no numerics (where `rand` stands).

    `result` and `sources` are the columns a checker found for the result and the arguments, where there is one.
    """

    function: str
    arguments: tuple[Term, ...]
    result: Column | None = None
    sources: tuple[Column, ...] | None = None
    constants: tuple[int, ...] = ()
    span: Span | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        own = self.sources if self.sources is not None else tuple(one.columns[0] for one in self.arguments)
        self._is((), (self.result if self.result is not None else result_column(self.function, own),))

    def children(self) -> Iterator[Term]:
        return iter(self.arguments)


@dataclass(frozen=True, slots=True, eq=False)
class NormTerm(Term):
    subject: Term

    def __post_init__(self) -> None:
        self._is((len(self.subject.shape),), (column("N"),))

    def children(self) -> Iterator[Term]:
        yield self.subject


@dataclass(frozen=True, slots=True, eq=False)
class NormPrime(Term):
    subject: Term

    def __post_init__(self) -> None:
        self._is((), (column("N"),))

    def children(self) -> Iterator[Term]:
        yield self.subject


@dataclass(frozen=True, slots=True, eq=False)
class MemberTerm(Term):
    """The list at some coordinates.

    A type space is a set, and a numeric may lie in several: `spaces` reads the member as one of others, which is how
    Table 4 makes `convert` of member, join and embed.  `checked` asks that it lies in them, as `convert` does; a
    weak literal or a branch that only widens needs no check.
    """

    subject: Term
    coordinates: tuple[int | Term, ...]
    spaces: tuple[Column, ...] | None = None
    checked: bool = False
    span: Span | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._is((), self.subject.columns if self.spaces is None else self.spaces)

    def children(self) -> Iterator[Term]:
        yield self.subject
        yield from (one for one in self.coordinates if isinstance(one, Term))


@dataclass(frozen=True, slots=True, eq=False)
class MemberPrime(Term):
    subject: Term
    position: int

    def __post_init__(self) -> None:
        self._is(self.subject.shape, (self.subject.columns[self.position - 1],))

    def children(self) -> Iterator[Term]:
        yield self.subject


@dataclass(frozen=True, slots=True, eq=False)
class JoinTerm(Term):
    """Parts one after the other along the last dimension; numerics are vectors of one."""

    parts: tuple[Term, ...]

    def __post_init__(self) -> None:
        beside = self.parts[0].shape[:-1]
        self._is((*beside, sum(one.shape[-1] if one.shape else 1 for one in self.parts)), _met(self.parts))

    def children(self) -> Iterator[Term]:
        return iter(self.parts)


def _met(parts: tuple[Term, ...]) -> tuple[Column, ...]:
    """The type list of a join: that of its parts, which have one; a literal among them may be weak."""
    columns = parts[0].columns
    for one in parts[1:]:
        if one.columns != columns:
            met = (join_columns(a, b) for a, b in zip(columns, one.columns, strict=True))
            columns = tuple(a if b is None else b for a, b in zip(columns, met, strict=True))
    return columns


@dataclass(frozen=True, slots=True, eq=False)
class JoinList(Term):
    """The lists of the parts, one after the other, at the same coordinates."""

    parts: tuple[Term, ...]

    def __post_init__(self) -> None:
        self._is(self.parts[0].shape, (c for one in self.parts for c in one.columns))

    def children(self) -> Iterator[Term]:
        return iter(self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class EmbedTerm(Term):
    subject: Term

    def __post_init__(self) -> None:
        self._is((*self.subject.shape, 1), self.subject.columns)

    def children(self) -> Iterator[Term]:
        yield self.subject


ATOMS = {
    FunctionTerm: "lambda", NormTerm: "norm", NormPrime: "norm", MemberTerm: "member", MemberPrime: "member",
    JoinTerm: "join", JoinList: "join", EmbedTerm: "embed",
}  # fmt: skip
"""The atom that each form of term belongs to."""


def walk(terms: Iterable[Term]) -> Iterator[Term]:
    """Every term of a composition once, each after those inside it."""
    seen: set[int] = set()
    pending: list[tuple[Term, bool]] = [(one, False) for one in reversed(list(terms))]
    while pending:
        term, entered = pending.pop()
        if entered:
            yield term
        elif id(term) not in seen:
            seen.add(id(term))
            pending.append((term, True))
            pending.extend((child, False) for child in reversed(list(term.children())) if id(child) not in seen)


def count(terms: Iterable[Term]) -> dict[str, int]:
    """How many of each atom a composition holds; a shared term counts once, and a join of n parts as n-1 joins."""
    found = dict.fromkeys(("lambda", "norm", "member", "join", "embed"), 0)
    for term in walk(terms):
        if type(term) in ATOMS:
            found[ATOMS[type(term)]] += len(term.parts) - 1 if isinstance(term, JoinTerm | JoinList) else 1
    return found
