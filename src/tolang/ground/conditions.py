"""Conditions on sizes, in a normal form: what guards, requirements and choices ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tolang.ground.sizes import Size, Values, atom_key


@dataclass(frozen=True, slots=True)
class Condition:
    """A truth about sizes: `kind` is `true`, `false`, `nonnegative` (size >= 0), `zero`, `and`, `or`, `not`."""

    kind: str
    size: Size | None = None
    parts: tuple[Condition, ...] = ()

    @property
    def constant(self) -> bool | None:
        return {"true": True, "false": False}.get(self.kind)

    def names(self) -> frozenset[str]:
        own = self.size.names() if self.size is not None else frozenset()
        return own.union(*(p.names() for p in self.parts))

    def substitute(self, values: Mapping[str, Size]) -> Condition:
        if self.size is not None:
            size = self.size.substitute(values)
            return nonnegative(size) if self.kind == "nonnegative" else zero(size)
        parts = [p.substitute(values) for p in self.parts]
        return negation(parts[0]) if self.kind == "not" else junction(self.kind, parts) if parts else self

    def evaluate(self, values: Values) -> Any:
        if self.size is not None:
            number = self.size.evaluate(values)
            return number >= 0 if self.kind == "nonnegative" else number == 0
        if not self.parts:
            return self.kind == "true"
        truths = [p.evaluate(values) for p in self.parts]
        if self.kind == "not":
            return (not truths[0]) if isinstance(truths[0], bool) else ~truths[0]
        result = truths[0]
        for truth in truths[1:]:
            result = (result & truth) if self.kind == "and" else (result | truth)
        return result

    def walk(self) -> Iterator[Condition]:
        yield self
        for part in self.parts:
            yield from part.walk()

    def __str__(self) -> str:
        if self.size is not None:
            left = Size({m: c for m, c in self.size.terms.items() if c > 0})
            right = left - self.size
            return f"{left} {'>=' if self.kind == 'nonnegative' else '=='} {right}"
        if self.kind == "not":
            return f"not ({self.parts[0]})"
        joined = f" {self.kind} ".join(f"({p})" if p.parts else str(p) for p in self.parts)
        return joined or self.kind


TRUE = Condition("true")
FALSE = Condition("false")


def nonnegative(size: Size) -> Condition:
    value = size.constant
    if value is not None:
        return TRUE if value >= 0 else FALSE
    return Condition("nonnegative", size * size.denominator)


def zero(size: Size) -> Condition:
    value = size.constant
    if value is not None:
        return TRUE if value == 0 else FALSE
    lead = min(size.terms.items(), key=lambda item: (not item[0], [atom_key(a) for a in item[0]]))[1]
    return Condition("zero", size * size.denominator if lead > 0 else -size * size.denominator)


def negation(condition: Condition) -> Condition:
    match condition.kind:
        case "true":
            return FALSE
        case "false":
            return TRUE
        case "not":
            return condition.parts[0]
        case "nonnegative":
            assert condition.size is not None
            return nonnegative(-condition.size - 1)
    return Condition("not", None, (condition,))


def junction(kind: str, parts: Iterable[Condition]) -> Condition:
    """`and` or `or` of conditions, constants folded and nested junctions of one kind flattened."""
    absorbing, neutral = (FALSE, TRUE) if kind == "and" else (TRUE, FALSE)
    kept: dict[Condition, None] = {}
    for part in parts:
        if part == absorbing:
            return absorbing
        if part != neutral:
            for one in part.parts if part.kind == kind else (part,):
                kept[one] = None
    if not kept:
        return neutral
    if len(kept) == 1:
        return next(iter(kept))
    return Condition(kind, None, tuple(kept))


def compare(sign: str, left: Size, right: Size) -> Condition:
    """A comparison of two whole sizes as a condition in normal form."""
    match sign:
        case "<=":
            return nonnegative(right - left)
        case ">=":
            return nonnegative(left - right)
        case "<":
            return nonnegative(right - left - 1)
        case ">":
            return nonnegative(left - right - 1)
        case "==":
            return zero(left - right)
    return negation(zero(left - right))
