"""Where in a program its EOPs arise: a tree of calls, and the statements that are evaluated once.

The cost reading attributes EOPs to definitions by name.  Here each place of a call gets a name of its own, so that the
same reading, at given sizes, tells what each place costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tolang.core.core import Call, Core, Expr, Let, Require, Variable
from tolang.core.rebuild import rebuild
from tolang.core.types import Type
from tolang.faces.report.content import CostBranch, Point
from tolang.ground.dataclasses import dataclass, field, replace
from tolang.ground.symbolic.sizes import Size
from tolang.program.cost import Cost
from tolang.readings.cost.memory import REFERENCE
from tolang.readings.cost.parts import mentioned

if TYPE_CHECKING:
    from tolang.onnx.nodes import ProgramNode

MOST_EXPRESSIONS = 20_000
"""Bodies of calls are told apart until so many expressions have been copied; deeper ones are part of their callers."""
LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class EvaluationSite:
    """A place where a definition is evaluated, inside another one; `kind` is the definition, if it has one."""

    parent: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class EvaluatedStatement:
    """Something evaluated once, and the bytes of what it reads and of its result; None where they are not known."""

    site: str
    bytes: int | None


@dataclass(slots=True)
class _SiteContext:
    """What surrounds an expression: the place it is part of, the call it stands in, whether it is evaluated once."""

    site: str
    call: str
    once: bool
    held: dict[str, int | None] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


class Sites:
    """All places of one program at given sizes."""

    def __init__(self, cost: Cost) -> None:
        program = cost.core
        self._definitions, self._auxiliary = program.definitions, program.auxiliary
        self._left = MOST_EXPRESSIONS
        self.sites: dict[str, EvaluationSite] = {}
        self.statements: list[EvaluatedStatement] = []
        sizes = _sizes(program, cost.given)
        held = {one.name: bytes_at(one.type, sizes) for one in program.inputs}
        body = self._chain(program.body, _SiteContext("", "", True, held, sizes))
        named = Cost(replace(program, body=body), cost.title, cost.given)
        found = {name: one.eops for name, one in named.by_definition.items() if name in self.sites}
        self.eops = {name: count for name, count in found.items() if isinstance(count, int)}
        self._children: dict[str, list[str]] = {}
        for name, site in self.sites.items():
            self._children.setdefault(site.parent, []).append(name)

    def branch(self, name: str, total: int) -> CostBranch:
        """The tree of all places that cost something."""
        return CostBranch(name, "", total, self._branches(""))

    def _branches(self, parent: str) -> tuple[CostBranch, ...]:
        names = [one for one in self._children.get(parent, ()) if self.eops.get(one)]
        found = ((self.sites[one], self.eops[one], self._branches(one)) for one in names)
        return tuple(CostBranch(site.label, site.kind, eops, parts) for site, eops, parts in found)

    def points(self) -> list[Point]:
        """The statements that cost something, with what they read and write."""
        found = [(self.sites[one.site].label, self.eops.get(one.site, 0), one.bytes) for one in self.statements]
        return [Point(label, eops, moved) for label, eops, moved in found if eops and moved]

    def _chain(self, expr: Expr, around: _SiteContext) -> Expr:
        """A run of bindings and what it ends in, walked without recursion."""
        links: list[Let | Require] = []
        values: list[Expr] = []
        while isinstance(expr, Let | Require):
            links.append(expr)
            if isinstance(expr, Let):
                values.append(self._bound(expr, around))
            expr = expr.body
        ends_chain = any(isinstance(one, Let) for one in links) and around.site != ""
        result = self._statement(expr, around) if ends_chain and around.once else self._visit(expr, around)
        for link in reversed(links):
            if isinstance(link, Let):
                result = replace(link, value=values.pop(), body=result)
            else:
                result = replace(link, body=result)
        return result

    def _bound(self, let: Let, around: _SiteContext) -> Expr:
        """The value of a binding; its bytes are known to what follows."""
        definition = self._definitions.get(let.names[0])
        inner = around
        if made_for := definition or self._auxiliary.get(let.names[0]):
            name = f"{around.call}.{made_for}" if around.call else made_for
            self.sites.setdefault(name, EvaluationSite(around.site, made_for, made_for))
            inner = _further_in(around, name, around.call)
        if definition is not None:
            value = self._inside(let.value, inner)
        else:
            value = self._statement(let.value, inner) if around.once else self._visit(let.value, inner)
        for name, kind in zip(let.names, let.value.type.parts or (let.value.type,), strict=False):
            around.held[name] = bytes_at(kind, around.sizes)
        return value

    def _statement(self, expr: Expr, around: _SiteContext) -> Expr:
        """An expression evaluated once, as a place of its own."""
        if isinstance(expr, Call):
            return self._call(expr, around)
        if isinstance(expr, Variable):
            return expr
        name = self._new(around.site, _label(expr), "")
        inner = _further_in(around, name, name)
        return Call(name, (), (), self._inside(expr, inner), type=expr.type, span=expr.span)

    def _inside(self, expr: Expr, around: _SiteContext) -> Expr:
        """The value of a statement: a run of statements itself, or one that reads and writes."""
        if isinstance(expr, Call) and around.once:
            return self._call(expr, around)
        if _is_run(expr) and around.once:
            return self._chain(expr, around)
        if around.once:
            self.statements.append(EvaluatedStatement(around.site, self._moved(expr, around)))
        return self._visit(expr, _further_in(around, around.site, around.call, once=False))

    def _visit(self, expr: Expr, around: _SiteContext) -> Expr:
        self._left -= 1
        if isinstance(expr, Let | Require):
            return self._chain(expr, around)
        if isinstance(expr, Call):
            return self._call(expr, around)
        return rebuild(expr, lambda child: self._visit(child, around))

    def _call(self, call: Call, around: _SiteContext) -> Expr:
        name = self._new(around.site, call.definition.split(".")[0], call.definition)
        arguments = tuple(
            (key, self._visit(one, _further_in(around, around.site, around.call, once=False)))
            for key, one in call.arguments
        )
        body = call.body
        is_run = around.once and not call.shared and _is_run(body)
        inner = _further_in(around, name, name, once=is_run)
        if is_run:
            inner.sizes.update(
                {key: value for key, size in call.sizes if (value := _value(size, around.sizes)) is not None}
            )
            inner.held.update({key: bytes_at(one.type, around.sizes) for key, one in call.arguments})
        elif around.once:
            self.statements.append(EvaluatedStatement(name, self._moved(call, around)))
        body = self._chain(body, inner) if self._left > 0 else body
        return replace(call, definition=name, arguments=arguments, body=replace(body))

    def _moved(self, expr: Expr, around: _SiteContext) -> int | None:
        """The bytes of the ToLs that an expression reads, and of its own value."""
        read = [around.held[name] for name in mentioned(expr) if name in around.held]
        own = [bytes_at(one, around.sizes) for one in expr.type.parts or (expr.type,)]
        return _total([*read, *own])

    def _new(self, parent: str, label: str, kind: str) -> str:
        name = f"{parent}\x1f{len(self.sites)}"
        self.sites[name] = EvaluationSite(parent, label, kind.split(".")[0])
        return name


def _further_in(around: _SiteContext, site: str, call: str, once: bool | None = None) -> _SiteContext:
    """The same surroundings for a place inside them, with names of its own."""
    return _SiteContext(site, call, around.once if once is None else once, dict(around.held), dict(around.sizes))


def _is_run(expr: Expr) -> bool:
    while isinstance(expr, Require):
        expr = expr.body
    return isinstance(expr, Let)


def _label(expr: Expr) -> str:
    """A statement without a name is called as it was written."""
    if expr.span is None:
        return type(expr).__name__.lower()
    text = " ".join(expr.span.text.split())
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"


def _sizes(program: Core, given: Mapping[str, int]) -> dict[str, int]:
    """Sizes by name: those given, and lengths that only running tells at their greatest."""
    sizes = dict(given)
    for name, (_, greatest) in program.bounds.items():
        value = None if greatest is None else _value(greatest, sizes)
        if value is not None:
            sizes.setdefault(name, value)
    return sizes


def _value(size: Size, sizes: Mapping[str, int]) -> int | None:
    return int(size.evaluate(sizes)) if size.names() <= sizes.keys() else None


def bytes_at(one: Type, sizes: Mapping[str, int]) -> int | None:
    """The bytes of a ToL at given sizes; numerics move none."""
    if not one.shape:
        return 0
    from tolang.ground.values.spaces import dtype_of

    volume = _value(one.volume(), sizes)
    plain = ("text", "rational", "integer")
    widths = (REFERENCE if c.storage in plain else dtype_of(c.storage).itemsize for c in one.columns)
    return None if volume is None else max(0, volume) * sum(widths)


def _total(amounts: Iterable[int | None]) -> int | None:
    total = 0
    for one in amounts:
        if one is None:
            return None
        total += one
    return total


def node_bytes(program: Core, given: Mapping[str, int], nodes: Sequence[ProgramNode]) -> list[int | None]:
    """The bytes that each node of a model reads and writes, each operand and each result whole and once."""
    owner = {name: place for place, node in enumerate(nodes) for name in node.definitions}
    sizes = _sizes(program, given)
    held = {one.name: bytes_at(one.type, sizes) for one in program.inputs}
    maker: dict[str, int] = {}
    moved: list[set[str]] = [set() for _ in nodes]
    expr: Expr = program.body
    while isinstance(expr, Let | Require):
        if isinstance(expr, Let):
            name = expr.names[0]
            place = owner.get(program.definitions.get(name) or program.auxiliary.get(name, name))
            for one, kind in zip(expr.names, expr.value.type.parts or (expr.value.type,), strict=False):
                held[one] = bytes_at(kind, sizes)
                if place is not None:
                    maker[one] = place
            for one in mentioned(expr.value) & held.keys():
                if maker.get(one) != place:
                    if place is not None:
                        moved[place].add(one)
                    if one in maker:
                        moved[maker[one]].add(one)
        expr = expr.body
    for one in mentioned(expr) & maker.keys():
        moved[maker[one]].add(one)
    return [_total(held[one] for one in names) for names in moved]
