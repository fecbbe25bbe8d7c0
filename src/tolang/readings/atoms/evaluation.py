"""What a composition of atoms stands for, by the definitions of the atoms alone.

Evaluation is by need.  A member of a join is, by Definition 3.4, a member of one of its sides, so the other side is not
looked at: that is how `[b,a][1+c]` selects like `if`, and how a branch that is not taken may hold a member out of
range.  In the same way a member of an embedding is one of what it embeds, by Definition 3.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Span, ToLangRunError
from tolang.ground.reporting.faults import fault
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.casting import cast
from tolang.ground.values.conversion import convert_lists
from tolang.ground.values.elementary import apply, wraps
from tolang.ground.values.random import uniform
from tolang.ground.values.spaces import Column, strong
from tolang.ground.values.values import ToL
from tolang.readings.atoms.computations import (
    embed,
    join,
    join_list,
    lambda_of,
    member,
    member_prime,
    norm,
    norm_prime,
    outside,
)
from tolang.readings.atoms.lengths import WHOLE
from tolang.readings.atoms.terms import (
    ConstantTerm,
    EmbedTerm,
    FunctionTerm,
    InputTerm,
    JoinList,
    JoinTerm,
    MemberPrime,
    MemberTerm,
    NormPrime,
    NormTerm,
    Term,
)
from tolang.readings.interpret.machine import as_index


@room_to_nest()
def evaluate(terms: Iterable[Term], inputs: Mapping[str, ToL], seed: int = 0) -> list[ToL]:
    """The values of compositions, for given inputs; `seed` is that of `rand`."""
    evaluation = Evaluation(inputs, seed)
    values = [evaluation.value(term) for term in terms]
    return [ToL(value.columns, [strong(one) for one in value.spaces]) for value in values]


class Evaluation:
    """Terms evaluated so far, each once."""

    def __init__(self, inputs: Mapping[str, ToL], seed: int = 0) -> None:
        self.inputs, self.seed = inputs, seed
        self._values: dict[int, ToL] = {}
        self._kept: list[Term] = []

    def value(self, term: Term) -> ToL:
        """The value of a term.  Terms nest as deep as folds are long, so this keeps a stack of its own."""
        pending = [term]
        while pending:
            current = pending[-1]
            if id(current) in self._values:
                pending.pop()
                continue
            missing = [one for one in self._needs(current) if id(one) not in self._values]
            if missing:
                pending.extend(reversed(missing))
                continue
            try:
                self._values[id(current)] = self._computed(current)
            except ToLangRunError as error:
                raise _placed(error, current) from None
            self._kept.append(current)
        return self._values[id(term)]

    def _needs(self, term: Term) -> Sequence[Term]:
        """The terms whose values the value of this one depends on, as far as they are known by now."""
        if not isinstance(term, MemberTerm):
            return list(term.children())
        computed = [one for one in term.coordinates if isinstance(one, Term)]
        if any(id(one) not in self._values for one in computed):
            return computed
        return [self._followed(term)[0]]

    def _followed(self, term: MemberTerm) -> tuple[Term, tuple[int, ...]]:
        """The term that a member is read from, through joins and embeddings, and the coordinates there."""
        subject = term.subject
        here = tuple(one if isinstance(one, int) else self._coordinate(one) for one in term.coordinates)
        shape = subject.shape
        for axis, (position, length) in enumerate(zip(here, shape, strict=True), 1):
            if not 1 <= position <= length:
                raise _placed(outside(position, axis, shape, _name(subject)), term)
        while here:
            if isinstance(subject, EmbedTerm):
                subject, here = subject.subject, here[:-1]
            elif isinstance(subject, JoinTerm):
                subject, here = _side(subject, here)
            else:
                break
        return subject, here

    def _coordinate(self, term: Term) -> int:
        """A computed coordinate, floored."""
        value = self._values[id(term)].item()
        try:
            return int(value // 1)
        except (OverflowError, ValueError):
            raise fault("E513", f"{value} is no coordinate") from None

    def _computed(self, term: Term) -> ToL:
        match term:
            case ConstantTerm(value=value):
                return value
            case InputTerm(name=name):
                return self.inputs[name]
            case FunctionTerm():
                return self._lambda(term)
            case NormTerm(subject=subject):
                return norm(self._values[id(subject)])
            case NormPrime(subject=subject):
                return norm_prime(self._values[id(subject)])
            case MemberTerm():
                subject, here = self._followed(term)
                return _read(member(self._values[id(subject)], here), term)
            case MemberPrime(subject=subject, position=position):
                return member_prime(self._values[id(subject)], position)
            case JoinTerm(parts=parts):
                return reduce(join, (_in_columns(self._values[id(one)], term.columns) for one in parts))
            case JoinList(parts=parts):
                return reduce(join_list, (self._values[id(one)] for one in parts))
            case EmbedTerm(subject=subject):
                return embed(self._values[id(subject)])
        raise TypeError(f"{type(term).__name__} is no term")

    def _lambda(self, term: FunctionTerm) -> ToL:
        arguments = [self._values[id(one)] for one in term.arguments]
        if term.function != "rand":
            return lambda_of(term.function, arguments, term.result, term.sources)
        kind = term.columns[0]
        site, *coordinates = term.constants
        drawn = uniform(self.seed, site, coordinates, kind.storage)
        sources = term.sources or arguments[0].spaces
        return ToL([np.asarray(apply("mul", [drawn, arguments[0].columns[0]], kind, [kind, sources[0]]))], [kind])


def _side(subject: JoinTerm, here: tuple[int, ...]) -> tuple[Term, tuple[int, ...]]:
    """The part of a join that holds a coordinate, and the coordinate in it: Definition 3.4."""
    position = here[-1]
    for part in subject.parts:
        length = part.shape[-1] if part.shape else 1
        if position <= length:
            return part, (*here[:-1], position) if part.shape else ()
        position -= length
    raise AssertionError("the coordinate was seen to be inside")


def _read(value: ToL, term: MemberTerm) -> ToL:
    """A member in the spaces that the term reads it in; as a coordinate, what is no number is far from all that are."""
    if term.checked and term.spaces == (WHOLE,):
        return ToL([np.asarray(as_index(value.columns[0]), dtype=object)], (WHOLE,))
    if term.checked and term.spaces is not None:
        return convert_lists(value, term.spaces)
    return _in_columns(value, term.columns)


def _in_columns(value: ToL, columns: tuple[Column, ...]) -> ToL:
    """The same values in other storages."""
    if value.spaces == columns:
        return value
    arrays: list[Any] = [cast(one, c.storage, wraps(c)) for one, c in zip(value.columns, columns, strict=True)]
    return ToL([np.asarray(one) for one in arrays], columns)


def _name(term: Term) -> str:
    return term.name if isinstance(term, InputTerm) else "a ToL"


def _placed(error: Exception, term: Term) -> ToLangRunError:
    """The error with the place in source that the term came from, where it has none yet."""
    assert isinstance(error, ToLangRunError)
    span: Span | None = getattr(term, "span", None)
    first = error.diagnostics[0]
    return error if first.span is not None or span is None else ToLangRunError(replace(first, span=span))
