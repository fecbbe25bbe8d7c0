"""Conditions on sizes, in a normal form: what guards and requirements ask; and choices of sizes by them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from tolang.ground.dataclasses import dataclass
from tolang.ground.interning import Values, atom_key, digest_of, growth_of
from tolang.ground.symbolic.sizes import ZERO, Atom, Extremum, Interned, Size, with_atom


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
            if size is self.size:
                return self
            return nonnegative(size) if self.kind == "nonnegative" else zero(size)
        parts = [p.substitute(values) for p in self.parts]
        if all(map(operator.is_, parts, self.parts)):
            return self
        return negation(parts[0]) if self.kind == "not" else junction(self.kind, parts)

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

    def changed(self, change: Callable[[Size], Size]) -> Condition:
        """The same condition on other sizes, as they are: nothing is brought into normal form."""
        size = None if self.size is None else change(self.size)
        return Condition(self.kind, size, tuple(part.changed(change) for part in self.parts))

    @property
    def digest(self) -> str:
        """A short text that tells it from other conditions, the same in every process."""
        return f"{self.kind}{'' if self.size is None else self.size.digest}{digest_of(self.parts)}"

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
VALUE = "value of an atom"
"""No name of a program."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Interned):
    """One size where a condition holds, another where it does not."""

    condition: Condition
    then: Size
    otherwise: Size

    def parts(self) -> tuple[Size, ...]:
        return self.then, self.otherwise, *(one.size for one in self.condition.walk() if one.size is not None)

    def substitute(self, values: Mapping[str, Size]) -> Size:
        return choice(
            self.condition.substitute(values), self.then.substitute(values), self.otherwise.substitute(values)
        )

    def evaluate(self, values: Values) -> Any:
        truth = self.condition.evaluate(values)
        if isinstance(truth, bool):
            return (self.then if truth else self.otherwise).evaluate(values)
        import numpy as np

        return np.where(truth, self.then.evaluate(values), self.otherwise.evaluate(values))

    def _grows(self) -> int:
        return max(growth_of(self.then), growth_of(self.otherwise))

    def written(self) -> str:
        return f"(if {self.condition} then {self.then} else {self.otherwise})"


def nonnegative(size: Size) -> Condition:
    value = size.constant
    if value is not None:
        return TRUE if value >= 0 else FALSE
    shared = size.denominator
    return _by_cases(nonnegative, size) or Condition("nonnegative", size if shared == 1 else size * shared)


def zero(size: Size) -> Condition:
    value = size.constant
    if value is not None:
        return TRUE if value == 0 else FALSE
    found = _by_cases(zero, size) or _at_end(size)
    if found is not None:
        return found
    moving = [item for item in size.terms.items() if item[0]]
    lead = moving[0] if len(moving) == 1 else min(moving, key=lambda item: [atom_key(a) for a in item[0]])
    denominator = size.denominator
    shared = math.gcd(*[int(factor * denominator) for factor in size.terms.values()])
    if denominator == shared == 1:
        return Condition("zero", size if lead[1] > 0 else -size)
    return Condition("zero", size * Fraction(denominator if lead[1] > 0 else -denominator, shared))


def _by_cases(ask: Callable[[Size], Condition], size: Size) -> Condition | None:
    """A condition on a case distinction, where at least one case decides it: `(if c then 0 else 7) == 0` is c."""
    if size.is_plain:
        return None
    chosen = {atom for monomial in size.terms for atom in monomial if isinstance(atom, Choice)}
    if len(chosen) != 1:
        return None
    atom = chosen.pop()
    then, otherwise = (ask(with_atom(size, atom, branch)) for branch in (atom.then, atom.otherwise))
    if then.constant is None and otherwise.constant is None:
        return None
    if then.constant is not None:
        return junction("or" if then.constant else "and", [_either(atom.condition, then.constant), otherwise])
    return junction("or" if otherwise.constant else "and", [_either(atom.condition, not otherwise.constant), then])


def _at_end(size: Size) -> Condition | None:
    """`min(n, 9) == 4` is `n == 4`, and `max(n, 9) == 12` is `n == 12`: the number among them is not what is met."""
    if size.is_plain:
        return None
    found = [monomial[0] for monomial in size.terms if monomial]
    atom = found[0] if len(found) == 1 and len(size.terms) < 3 else None
    if not isinstance(atom, Extremum) or size.terms.get((atom,)) not in (1, -1) or len(atom.sizes) != 2:
        return None
    other, end = sorted(atom.sizes, key=lambda one: one.constant is not None)
    wanted = -size.terms.get((), 0) * size.terms[atom,]
    if end.constant is None or not (wanted < end.constant if atom.kind == "min" else wanted > end.constant):
        return None
    return zero(other - wanted)


def _either(condition: Condition, truth: bool) -> Condition:
    return condition if truth else negation(condition)


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
    """`and` or `or` of conditions: constants and contraries folded, nested junctions of one kind flattened."""
    absorbing, neutral = (FALSE, TRUE) if kind == "and" else (TRUE, FALSE)
    kept: dict[Condition, None] = {}
    for part in parts:
        if part == absorbing:
            return absorbing
        if part != neutral:
            for one in part.parts if part.kind == kind else (part,):
                kept[one] = None
    if any(negation(part) in kept for part in kept):
        return absorbing
    if kind == "and":
        kept = _without_implied(kept)
    if not kept:
        return neutral
    if len(kept) == 1:
        return next(iter(kept))
    return Condition(kind, None, tuple(kept))


def _without_implied(parts: dict[Condition, None]) -> dict[Condition, None]:
    """Parts of an `and` without those that others imply: `n == 1` makes `not (n == 0)` needless."""
    met = [part.size for part in parts if part.kind == "zero" and part.size is not None]

    def is_implied(part: Condition) -> bool:
        inner = part.parts[0].size if part.kind == "not" and part.parts[0].kind == "zero" else None
        return inner is not None and any((inner - size).constant for size in met)

    return {part: None for part in parts if not is_implied(part)} if met else parts


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


def choice(condition: Condition, then: Size, otherwise: Size) -> Size:
    """One of two sizes by a condition; quotients leave it, so that it is whole."""
    if condition.constant is not None:
        return then if condition.constant else otherwise
    if condition.kind == "not":
        return choice(condition.parts[0], otherwise, then)
    then, otherwise = _decided(then, condition, True), _decided(otherwise, condition, False)
    if then == otherwise or _equal_where_zero(condition, then, otherwise):
        return otherwise
    scale = math.lcm(then.denominator, otherwise.denominator)
    if scale == 1:
        return Size.atom(Choice(condition, then, otherwise))
    return Size.atom(Choice(condition, then * scale, otherwise * scale)) * Fraction(1, scale)


def _decided(size: Size, condition: Condition, truth: bool) -> Size:
    """A size where a condition is known to hold or not: its own case distinctions by that condition are settled."""
    for monomial in size.terms:
        for atom in monomial:
            if isinstance(atom, Choice) and atom.condition == condition:
                branch = atom.then if truth else atom.otherwise
                return _decided(with_atom(size, atom, branch), condition, truth)
    return size


def _equal_where_zero(condition: Condition, then: Size, otherwise: Size) -> bool:
    """Whether two sizes are equal where the condition holds: `if n == 1 then 1 else n` is n."""
    zero = condition.size
    if condition.kind != "zero" or zero is None:
        return False
    difference = then - otherwise
    if difference.terms.keys() == zero.terms.keys():
        monomial = next(iter(zero.terms))
        if difference * zero.terms[monomial] == zero * difference.terms[monomial]:
            return True
    named = [m for m in zero.terms if m]
    if len(named) != 1 or len(named[0]) != 1 or len(difference.terms) > 8:
        return False
    value = -Fraction(zero.terms.get((), 0)) / zero.terms[named[0]]
    try:
        return value.denominator == 1 and not _where_atom_is(difference, named[0][0], Size.of(value)).terms
    except ZeroDivisionError:
        return False


def _where_atom_is(size: Size, atom: Atom, value: Size) -> Size:
    """A size where one of its atoms has a value, wherever it stands, brought into normal form."""
    if isinstance(atom, str):
        return size.substitute({atom: value})

    def renamed(one: Size) -> Size:
        total = ZERO
        for monomial, factor in one.terms.items():
            term = Size.of(factor)
            for part in monomial:
                other = part if isinstance(part, str) else VALUE if part is atom else part.changed(renamed)
                term = term * Size.atom(other)
            total = total + term
        return total

    return renamed(size).substitute({VALUE: value})
