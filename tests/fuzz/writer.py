"""Random numerics: the inner part of the generator of programs.  Whole definitions are in `makers.py`."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tests.fuzz.kinds import Kind, Meaningless, plain
from tests.fuzz.tree import (
    Apply,
    Call,
    Component,
    Fold,
    Function,
    If,
    Length,
    Let,
    Literal,
    Map,
    Member,
    Name,
    Node,
    Place,
    Random,
    Star,
    Type,
    Zeros,
)
from tests.fuzz.typed import COUNT, ELEMENT, RANK, Vector, typed

Item = TypeVar("Item")

LITERALS: dict[str, tuple[Any, ...]] = {
    "Z": (0, 1, 2, 3, 5, 7, -1, -2), "R": (0.5, 0.25, 1.5, 2.0, -0.75, 3.0, 0.125), "B": (True, False),
    "Q": (1, 2, 3, -1), "C": (1j, 2j, 0.5), "S": ("a", "b", "", "zz", "it's"),
}  # fmt: skip
ARITHMETIC = {
    "Z": ("add", "sub", "mul", "add", "sub", "max", "min"), "R": ("add", "sub", "mul", "div", "max", "min", "mod"),
    "Q": ("add", "sub", "mul", "max", "min"), "C": ("add", "sub", "mul"), "B": ("and", "or", "xor"), "S": ("max", "min"),
}  # fmt: skip
UNARY = {
    "Z": ("abs", "neg", "sgn"),
    "R": ("abs", "neg", "floor", "sgn"),
    "Q": ("abs", "neg"),
    "C": ("neg",),
    "B": ("not",),
}
SMOOTH = ("exp", "sin", "cos", "tanh", "log")
JUMPING = ("floor", "mod", "sgn")
"""Functions that may differ by much where what they are given differs by little."""

COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ineq")
FOLDS = {
    "Z": ("add", "max", "min", "mul"),
    "R": ("add", "max", "min", "mul"),
    "B": ("and", "or", "xor"),
    "Q": ("add", "max"),
}
STARTS: dict[str, Any] = {"add": 0, "mul": 1, "max": -3, "min": 5, "and": True, "or": False, "xor": False}


@dataclass(frozen=True)
class Dim:
    """A length that a program can write: `n`, a number, or the length of something with a name."""

    text: str
    owner: str | None = None
    axis: int = 0

    def node(self) -> Node:
        if self.owner is not None:
            return Length(Name(self.owner), self.axis)
        return literal(int(self.text)) if self.text.isdigit() else Name(self.text)


@dataclass(frozen=True)
class Known:
    """Something with a name: its type, and how long it is; `fixed` tells that no data decides it."""

    id: str
    type: Type
    dims: tuple[Dim, ...] = ()
    fixed: bool = False


def literal(value: Any) -> Literal:
    """A literal of the space it has by default."""
    match value:
        case bool():
            return Literal(value, plain("B", weak=True))
        case int():
            return Literal(value, COUNT if value > 0 else plain("Z", weak=True))
        case float():
            return Literal(value, plain("R", weak=True))
        case complex():
            return Literal(value, plain("C", weak=True))
    return Literal(value, plain("S"))


def apply(function: str, *arguments: Node, sign: bool = True) -> Apply:
    return Apply(function, list(arguments), sign)


@dataclass
class Scope:
    """What can be named at a place."""

    known: list[Known] = field(default_factory=list)
    star: Known | None = None
    iterators: list[tuple[str, Dim]] = field(default_factory=list)
    vectors: list[tuple[str, tuple[Dim, ...]]] = field(default_factory=list)
    unused: list[Known] = field(default_factory=list)

    def only(self, wanted: Callable[[Known], bool]) -> Scope:
        """The scope in which only some names are used; the lengths of others may be."""
        known = [one for one in self.known if wanted(one)]
        return replace(self, known=known, unused=[*self.unused, *(one for one in self.known if not wanted(one))])

    def inside(self, *more: Known, star: Known | None = None, iterators: Sequence[tuple[str, Dim]] = ()) -> Scope:
        hidden = {one.id for one in more} | {name for name, _ in iterators}
        return Scope(
            [one for one in self.known if one.id not in hidden] + list(more),
            star or self.star,
            [one for one in self.iterators if one[0] not in hidden] + list(iterators),
            list(self.vectors),
            self.unused,
        )

    def types(self) -> dict[str, Any]:
        """The types of all names, as the evaluator wants them."""
        found: dict[str, Any] = {name: Type(0, (COUNT,)) for name in ("n", "m")}
        found.update({one.id: one.type for one in (*self.unused, *self.known)})
        found.update({name: Type(0, (COUNT,)) for name, _ in self.iterators})
        found.update({name: Vector(len(dims)) for name, dims in self.vectors})
        if self.star is not None:
            found[ELEMENT], found[RANK] = (
                Type(0, self.star.type.kinds, self.star.type.blank),
                Vector(self.star.type.rank),
            )
        return found


class Writer:
    """Draws numerics.  `fuel` bounds how much is written."""

    def __init__(self, generator: random.Random, smooth: bool = True) -> None:
        self.random, self.smooth = generator, smooth
        self.fuel = 0
        self.functions: list[tuple[Function, tuple[str, ...], str]] = []
        self._serial = 0

    def pick(self, items: Sequence[Item]) -> Item:
        return self.random.choice(items)

    def chance(self, percent: int) -> bool:
        return self.random.random() * 100 < percent

    def fresh(self, base: str) -> str:
        self._serial += 1
        return f"{base}{self._serial}"

    def fits(self, node: Node, scope: Scope) -> Type | None:
        """The type of what was written, where it has one."""
        try:
            found = typed(node, scope.types())
        except Meaningless:
            return None
        return found if isinstance(found, Type) else None

    def numeric(self, family: str, scope: Scope, exact: bool = False) -> Node:
        """A numeric of a family; where it has to be `exact`, nothing in it may be rounded otherwise by some engine."""
        for _ in range(4):
            self.fuel -= 1
            if self.fuel <= 0 or self.chance(30):
                break
            form = self.pick(self.FORMS)
            made = form(self, family, scope, exact)
            found = self.fits(made, scope) if made is not None else None
            if made is not None and found is not None and found.rank == 0 and found.kinds[0].family == family:
                return made
        return self.leaf(family, scope, exact)

    def leaf(self, family: str, scope: Scope, exact: bool = False) -> Node:
        """A name, a member, an iterator or a literal."""
        options: list[Node] = []
        for one in [*scope.known, *([scope.star] if scope.star else [])]:
            if one is scope.star:
                whole: Node = Star()
            elif one.type.rank == 0:
                whole = Name(one.id)
            else:
                continue
            options += [
                _component(whole, one.type, k) for k, kind in enumerate(one.type.kinds, 1) if kind.family == family
            ]
        readable = [one for one in scope.known if one.type.rank and any(k.family == family for k in one.type.kinds)]
        if readable and (not options or self.chance(50)):
            found = self.read(self.pick(readable), family, scope)
            if found is not None:
                return found
        if family == "Z":
            options += [Name(name) for name, _ in scope.iterators]
        if options and self.chance(80):
            return self.pick(options)
        return literal(self.pick(LITERALS[family]))

    def read(self, one: Known, family: str, scope: Scope) -> Node | None:
        """A member at coordinates inside; None where there is no such coordinate to be had."""
        items: list[Node] = []
        if scope.star is not None and scope.star.dims == one.dims and self.chance(40):
            items = [Place()]
        else:
            fitting = [name for name, dims in scope.vectors if dims == one.dims]
            if fitting and self.chance(60):
                items = [Name(self.pick(fitting))]
        for dim in one.dims if not items else ():
            found = self.coordinate(dim, scope)
            if found is None:
                return None
            items.append(found)
        member = Member(Name(one.id), items)
        positions = [k for k, kind in enumerate(one.type.kinds, 1) if kind.family == family]
        return _component(member, one.type, self.pick(positions))

    def coordinate(self, dim: Dim, scope: Scope) -> Node | None:
        """A coordinate inside a dimension: an iterator over it, data brought inside, or a literal that should be.

        A few are any data, and iterators over anything: whether an error is told must not depend on who reads what.
        """
        options: list[Node] = [Name(name) for name, other in scope.iterators if other == dim]
        if self.chance(4) and self.fuel > 0:
            return self.pick([self.numeric("Z", scope, exact=True), *(Name(name) for name, _ in scope.iterators)])
        if options and self.chance(70):
            return self.pick(options)
        if dim.text.isdigit() and int(dim.text):
            return literal(self.random.randint(1, int(dim.text)))
        if self.chance(60) and self.fuel > 0:
            data = self.numeric("Z", scope, exact=True)
            return apply("add", literal(1), apply("mod", data, dim.node()))
        if self.chance(50) and options:
            return self.pick(options)
        return self.pick([literal(1), dim.node(), literal(2)]) if self.chance(30) else None

    # Forms of numerics

    def arithmetic(self, family: str, scope: Scope, exact: bool) -> Node | None:
        if family in UNARY and self.chance(25):
            function = self.pick(UNARY[family])
            return apply(function, self.numeric(family, scope, exact or function in JUMPING))
        if family == "B" and self.chance(60):
            return self.comparison(scope)
        function = self.pick(ARITHMETIC[family])
        narrower = {"Z": "B", "R": "Z", "Q": "Z", "C": "R"}.get(family)
        other = narrower if narrower and self.chance(20) else family
        exact = exact or function in JUMPING
        return apply(
            function, self.numeric(family, scope, exact), self.numeric(other, scope, exact), sign=self.chance(75)
        )

    def comparison(self, scope: Scope) -> Node:
        own = [kind.family for one in scope.known for kind in one.type.kinds if kind.family in ("Z", "R", "Q", "S")]
        family = self.pick(own if own and self.chance(60) else ["Z", "R", "Z", "R", "Q", "S"])
        return apply(self.pick(COMPARISONS), self.numeric(family, scope, True), self.numeric(family, scope, True))

    def special(self, family: str, scope: Scope, exact: bool) -> Node | None:
        """Functions with arguments of their own kind."""
        if family == "Z":
            form = self.random.randrange(4)
            if form == 0:
                return apply("mod", self.numeric("Z", scope, exact), literal(self.pick([2, 3, 5, 7])))
            if form == 1:
                return apply("pow", self.numeric("Z", scope, exact), literal(self.pick([1, 2, 3])))
            if form == 2:
                digits = self.pick(["and", "or", "xor"])
                return apply(
                    digits, self.numeric("Z", scope, exact), self.numeric("Z", scope, exact), sign=self.chance(60)
                )
            readable = [one for one in scope.known if one.type.rank]
            return (
                Length(Name((one := self.pick(readable)).id), self.random.randint(1, one.type.rank))
                if readable
                else None
            )
        if family == "R":
            if self.smooth and not exact and self.chance(40):
                function = self.pick(
                    SMOOTH
                )  # of a great number that is rounded, as exp gives it, sine and cosine tell nothing
                return apply(function, self.numeric("R", scope, function in ("sin", "cos")))
            if self.chance(30):
                return apply("sqrt", apply("abs", self.numeric("R", scope, exact)))
            if self.chance(40):
                return apply("div", self.numeric("Z", scope, exact), literal(self.pick([2, 4, 8])))
            return (
                apply("abs", self.numeric("C", scope, exact)) if self.smooth and not exact and self.chance(10) else None
            )
        if family == "Q":
            return apply("div", self.numeric("Q", scope, exact), literal(self.pick([2, 3, -4])))
        return None

    def choice(self, family: str, scope: Scope, exact: bool) -> Node | None:
        """A choice of two; where they are one, nobody needs to ask which."""
        condition = self.condition(scope)
        if condition is None:
            return None
        then, otherwise = (self.numeric(family, scope, exact) for _ in range(2))
        return If(condition, then, otherwise) if then.text() != otherwise.text() else None

    def condition(self, scope: Scope) -> Node | None:
        """A condition on data, which no checker can decide; it would then forget the other branch, and its kind."""
        for _ in range(6):
            self.fuel = max(self.fuel, 2)
            made = self.comparison(scope) if self.chance(50) else self.numeric("B", scope, True)
            if varies(made, _fixed(scope)):
                return made
        return None

    def padded(self, family: str, scope: Scope, exact: bool) -> Node | None:
        """A member that is read only where it is inside."""
        vectors = [one for one in scope.known if one.type.rank == 1 and one.type.kinds[0].family == family]
        if not vectors or any(len(one.type.kinds) > 1 for one in vectors):
            return None
        one = self.pick(vectors)
        place = self.numeric("Z", scope, True)
        kind = self.fits(place, scope)
        if kind is None or kind.kinds[0].wraps or not varies(place, _fixed(scope)):
            return None
        name = self.fresh("p")
        inside = apply("and", apply("ge", Name(name), literal(1)), apply("le", Name(name), one.dims[0].node()))
        return Let(name, place, If(inside, Member(Name(one.id), [Name(name)]), self.leaf(family, scope, exact)))

    def folded(self, family: str, scope: Scope, exact: bool) -> Node | None:
        """A fold to a numeric; of inexact numbers an engine may regroup it."""
        if family not in FOLDS or (exact and family == "R"):
            return None
        subject, element = self.folded_subject(family, scope)
        if subject is None:
            return None
        if self.chance(45):
            function = self.pick(FOLDS[family])
            start = literal(STARTS[function]) if family != "R" or self.chance(50) else literal(float(STARTS[function]))
            return basic_fold(function, subject, start)
        state, name = self.fresh("s"), self.fresh("x")
        begun = self.leaf(family, scope, True)
        first = self.fits(begun, scope)
        if first is None:
            return None
        inner = scope.inside(Known(state, first), Known(name, element))
        place = None
        if self.chance(30) and isinstance(subject, Name):
            place = self.fresh("k")
            dims = next(one.dims for one in scope.known if one.id == subject.id)
            if len(dims) != 1:
                return None
            inner = inner.inside(iterators=[(place, dims[0])])
        body = self.numeric(family, inner, exact)
        if any(isinstance(one, Apply) and one.function in SMOOTH and _names(one, state) for one in body.walk()):
            body = self.numeric(family, inner, exact=True)  # 6*cos(6*cos(…)) is chaos
        if not _names(body, state):
            body = apply(self.pick(["add", "sub", "max"]) if family != "B" else "xor", Name(state), body)
        return Fold(subject, body, begun, state, name, place)

    def folded_subject(self, family: str, scope: Scope) -> tuple[Node | None, Type]:
        """What a fold goes over, and its elements."""
        tensors = [one for one in scope.known if one.type.rank and len(one.type.kinds) == 1]
        own = [one for one in tensors if one.type.kinds[0].family == family]
        if not own:
            if family != "Z":
                return None, Type(0, ())
            return Zeros([literal(self.pick([0, 1, 2, 3, 5, 9]))]), Type(0, (plain("Z", weak=True),), blank=True)
        one = self.pick(own)
        if one.type.rank == 2 and scope.iterators and self.chance(50):
            row = self.coordinate(one.dims[0], scope)
            if row is not None:
                return Member(Name(one.id), [row]), replace(one.type, rank=0)
        return Name(one.id), replace(one.type, rank=0)

    def called(self, family: str, scope: Scope, exact: bool) -> Node | None:
        fitting = [one for one in self.functions if one[2] == family]
        if not fitting:
            return None
        function, families, _ = self.pick(fitting)
        arguments = [self.numeric(one, scope, exact) for one in families]
        return Call(function.id, function.parameters, arguments, copy.deepcopy(function.body))

    def local(self, family: str, scope: Scope, exact: bool) -> Node | None:
        other = self.pick([family, "Z", "R"])
        value = self.numeric(other, scope, exact)
        kind = self.fits(value, scope)
        if kind is None:
            return None
        name = self.fresh("l")
        known = Known(name, kind, fixed=not varies(value, _fixed(scope)))
        return Let(name, value, self.numeric(family, scope.inside(known), exact))

    def nested(self, family: str, scope: Scope, exact: bool) -> Node | None:
        """A fold of a map, so that what is folded was computed."""
        if family not in ("Z", "R") or (exact and family == "R"):
            return None
        vectors = [one for one in scope.known if one.type.rank == 1]
        if not vectors:
            return None
        one = self.pick(vectors)
        inner = scope.inside(star=Known(ELEMENT, one.type, one.dims, one.fixed))
        function = self.pick(["add", "max", "min"])
        return basic_fold(function, Map(Name(one.id), self.numeric(family, inner, exact)), literal(STARTS[function]))

    def drawn(self, family: str, scope: Scope, exact: bool) -> Node | None:
        return Random(literal(self.pick([1, 10, 2.5]))) if family == "R" and not exact and self.chance(8) else None

    FORMS: tuple[Callable[[Writer, str, Scope, bool], Node | None], ...] = (
        arithmetic, arithmetic, arithmetic, special, choice, padded, folded, folded, called, local, nested, drawn,
    )  # fmt: skip


def basic_fold(function: str, subject: Node, start: Node) -> Fold:
    """A fold by a basic function's name."""
    return Fold(subject, apply(function, Name("s"), Name("x")), start, basic=function)


def _fixed(scope: Scope) -> dict[str, bool]:
    """Which names of a scope no data decides."""
    fixed = {one.id: one.fixed or one.type.blank for one in scope.known}
    fixed |= {name: True for name, _ in scope.iterators}
    fixed[ELEMENT] = scope.star is None or scope.star.fixed or scope.star.type.blank
    return fixed


def _names(node: Node, name: str) -> bool:
    return any(isinstance(one, Name) and one.id == name for one in node.walk())


def varies(node: Node, fixed: Mapping[str, bool]) -> bool:
    """Whether data decides a value, as far as its form tells; `fixed` tells the names that no data decides."""
    match node:
        case Star():
            return not fixed.get(ELEMENT, False)
        case Name(id=name):
            return not fixed.get(name, name in ("n", "m"))
        case Literal() | Length() | Zeros():
            return False
        case Member(subject=subject):
            return varies(subject, fixed)
        case Let(body=body) | Call(body=body) | Map(body=body):
            return varies(body, _inside(node, fixed))
        case Fold(body=body, start=start):
            return varies(body, {**_inside(node, fixed), node.state: not varies(start, fixed)})
    return any(varies(one, fixed) for one in node.children())


def _inside(node: Let | Call | Map | Fold, fixed: Mapping[str, bool]) -> dict[str, bool]:
    """Which names no data decides in the body of a node; the state of a fold is known to nobody before it runs."""
    match node:
        case Let(id=name, value=value):
            return {**fixed, name: not varies(value, fixed)}
        case Call(parameters=parameters, arguments=arguments):
            return {**fixed, **{p: not varies(one, fixed) for p, one in zip(parameters, arguments, strict=True)}}
        case Map(subject=subject):
            own = not varies(subject, fixed)
            names = dict.fromkeys((*node.iterators, *([node.vector] if node.vector else [])), True)
            return {**fixed, **names, ELEMENT: own, node.element or ELEMENT: own}
    own = not varies(node.subject, fixed)
    return {**fixed, node.place or node.element: True, node.element: own, node.state: False}


def decided(node: Node, fixed: Mapping[str, bool]) -> bool:
    """Whether some condition inside is not of data: then a checker may decide it, and forget the other branch."""
    if isinstance(node, If) and not varies(node.condition, fixed):
        return True
    if not isinstance(node, Let | Call | Map | Fold):
        return any(decided(one, fixed) for one in node.children())
    outside = [one for one in node.children() if one is not node.body]
    return decided(node.body, _inside(node, fixed)) or any(decided(one, fixed) for one in outside)


def _component(node: Node, kind: Type, position: int) -> Node:
    return node if len(kind.kinds) == 1 else Component(node, position)


def weak(kind: Kind) -> Kind:
    return replace(kind, weak=True)
