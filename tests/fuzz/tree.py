"""A small tree of ToLang of its own: what the generator writes, the text it stands for, and nothing of tolang.

Every node writes itself as text.  Types are filled in by `evaluator.typed`, which the evaluation then goes by.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from tests.fuzz.kinds import Kind

SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^", "lt": "<", "gt": ">", "le": "<=",
    "ge": ">=", "eq": "==", "ineq": "!=", "and": "and", "or": "or", "xor": "xor",
}  # fmt: skip


@dataclass(frozen=True)
class Type:
    """A rank and the kinds of the list's components; `blank` zeros take those of what they meet."""

    rank: int
    kinds: tuple[Kind, ...]
    blank: bool = False


Types = Type | tuple[Type, ...]
"""The type of a ToL, or those of the parts of a bundle."""


@dataclass(eq=False)
class Node:
    type: Any = field(default=None, init=False, repr=False)

    def text(self) -> str:
        raise NotImplementedError

    def children(self) -> Iterator[Node]:
        """The nodes right inside this one."""
        for one in fields(self):
            yield from _nodes(getattr(self, one.name))

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.children():
            yield from child.walk()


def _nodes(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _nodes(one)


def listed(items: list[Node]) -> str:
    return ", ".join(item.text() for item in items)


@dataclass(eq=False)
class Literal(Node):
    """A number, truth value or text; `kind` is weak."""

    value: Any
    kind: Kind

    def text(self) -> str:
        value = self.value
        if isinstance(value, str):
            return "'" + value.replace("'", "''") + "'"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, complex):
            return f"{value.imag:g}i"
        if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
            return "NaN" if math.isnan(value) else "Inf" if value > 0 else "(-Inf)"
        written = repr(value)
        return f"({written})" if written.startswith("-") else written


@dataclass(eq=False)
class Name(Node):
    id: str

    def text(self) -> str:
        return self.id


@dataclass(eq=False)
class Star(Node):
    """The current element."""

    def text(self) -> str:
        return "*"


@dataclass(eq=False)
class Place(Node):
    """A bare star in an index: the current coordinates."""

    def text(self) -> str:
        return "*"


@dataclass(eq=False)
class Apply(Node):
    """A basic function; `sign` tells that it is written by its sign."""

    function: str
    arguments: list[Node]
    sign: bool = True

    def text(self) -> str:
        if self.function == "neg" and self.sign:
            return f"(-{self.arguments[0].text()})"
        if self.function == "not":
            return f"(not {self.arguments[0].text()})"
        if self.sign and self.function in SIGNS:
            return f"({self.arguments[0].text()} {SIGNS[self.function]} {self.arguments[1].text()})"
        return f"{self.function}({listed(self.arguments)})"


@dataclass(eq=False)
class Random(Node):
    limit: Node

    def text(self) -> str:
        return f"rand({self.limit.text()})"


@dataclass(eq=False)
class Range(Node):
    """`a:b` as an item of an index."""

    low: Node | None
    high: Node | None

    def text(self) -> str:
        return f"{self.low.text() if self.low else ''}:{self.high.text() if self.high else ''}"


@dataclass(eq=False)
class Member(Node):
    """`t[…]`."""

    subject: Node
    items: list[Node]

    def text(self) -> str:
        return f"{_tight(self.subject)}[{','.join(_item(one) for one in self.items)}]"


def _item(node: Node) -> str:
    """An item of an index; the current element is in parentheses there, for bare it would be the coordinates."""
    return "(*)" if isinstance(node, Star) else node.text()


def _tight(node: Node) -> str:
    return node.text() if isinstance(node, Name | Member | Component | Blocks) else f"({node.text()})"


@dataclass(eq=False)
class Component(Node):
    """`t[j]'`."""

    subject: Node
    position: int

    def text(self) -> str:
        return f"{_tight(self.subject)}[{self.position}]'"


@dataclass(eq=False)
class Length(Node):
    """`|t|[k]`, or `vol(t)` where k is 0."""

    subject: Node
    axis: int

    def text(self) -> str:
        return f"|{_tight(self.subject)}|[{self.axis}]" if self.axis else f"vol({self.subject.text()})"


@dataclass(eq=False)
class Blocks(Node):
    """`[x, y]`, in which only directly written brackets nest."""

    items: list[Node]

    def text(self) -> str:
        return f"[{listed(self.items)}]"


@dataclass(eq=False)
class Listing(Node):
    """`(x, y)`: lists over one shape; where `bundle`, ToLs of different shapes."""

    items: list[Node]
    bundle: bool = False

    def text(self) -> str:
        return f"({listed(self.items)})"


@dataclass(eq=False)
class Zeros(Node):
    """`tol[p, q]`."""

    items: list[Node]

    def text(self) -> str:
        return f"tol[{listed(self.items)}]"


@dataclass(eq=False)
class Map(Node):
    """`map(t, f)`: by a function of the element, and of its coordinate too, by the star, or with names of iterators."""

    subject: Node
    body: Node
    element: str | None = None
    iterators: tuple[str, ...] = ()
    vector: str | None = None

    def text(self) -> str:
        subject, body = self.subject.text(), self.body.text()
        if self.element is not None:
            head = f"({self.element}, {self.iterators[0]})" if self.iterators else self.element
            return f"map({subject}, {head} -> {body})"
        if self.vector is not None:
            return f"map({subject}, {body}, *{self.vector})"
        if len(self.iterators) == 1:
            return f"map({subject}, {body}, {self.iterators[0]})"
        return f"map({subject}, {body}, [{','.join(self.iterators)}])" if self.iterators else f"map({subject}, {body})"


@dataclass(eq=False)
class Fold(Node):
    """`reduce(t, (s, x) -> f, init)`, or with a third parameter for the coordinate, or a basic function by its name."""

    subject: Node
    body: Node
    start: Node
    state: str = "s"
    element: str = "x"
    place: str | None = None
    basic: str | None = None

    def text(self) -> str:
        head = ", ".join([self.state, self.element, *([self.place] if self.place else [])])
        function = self.basic or f"({head}) -> {self.body.text()}"
        return f"reduce({self.subject.text()}, {function}, {self.start.text()})"


@dataclass(eq=False)
class If(Node):
    condition: Node
    then: Node
    otherwise: Node

    def text(self) -> str:
        return f"(if {self.condition.text()} then {self.then.text()} else {self.otherwise.text()})"


@dataclass(eq=False)
class Let(Node):
    """`{ a = …; result }`."""

    id: str
    value: Node
    body: Node

    def text(self) -> str:
        return f"{{ {self.id} = {self.value.text()}; {self.body.text()} }}"


@dataclass(eq=False)
class Function:
    """A definition with parameters."""

    id: str
    parameters: tuple[str, ...]
    body: Node

    def text(self) -> str:
        return f"{self.id}({', '.join(self.parameters)}) = {self.body.text()}"


@dataclass(eq=False)
class Call(Node):
    """A call; `body` is a copy of the function's own, so that it has types of its own."""

    id: str
    parameters: tuple[str, ...]
    arguments: list[Node]
    body: Node

    def text(self) -> str:
        return f"{self.id}({listed(self.arguments)})"

    def children(self) -> Iterator[Node]:
        yield from self.arguments


@dataclass(eq=False)
class Convert(Node):
    subject: Node
    kinds: tuple[Kind, ...]
    names: tuple[str, ...]

    def text(self) -> str:
        return f"convert({self.subject.text()}, [{', '.join(self.names)}])"


@dataclass(eq=False)
class Swap(Node):
    """`swap(t, dim, order)`: dim 1 is the last."""

    subject: Node
    dimension: int
    order: tuple[int, ...]

    def text(self) -> str:
        return f"swap({self.subject.text()}, {self.dimension}, [{','.join(map(str, self.order))}])"


@dataclass(eq=False)
class Reshape(Node):
    subject: Node
    items: list[Node]

    def text(self) -> str:
        return f"reshape({self.subject.text()}, [{listed(self.items)}])"


@dataclass(eq=False)
class Tile(Node):
    """`tile(t)`, whose last length is a number in the text."""

    subject: Node
    length: int

    def text(self) -> str:
        return f"tile({self.subject.text()})"
