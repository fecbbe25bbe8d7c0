"""Whether two cores are the same: the same values, computed by the same expressions, whatever they are called.

A core is told as a table of its values, in which each has a short name that follows from what it is made of.  Where a
binding stands, in which order, and what it is called, is not told; nor is where a draw was written.  That nothing
is computed more often shows in the cost.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import tolang
from tolang.core.core import (
    Component,
    Convert,
    Coordinate,
    Core,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Random,
    Range,
    Reduce,
    Require,
    Reshape,
    Swap,
    Variable,
)
from tolang.core.gradient.names import NameSource, names_in, substituted
from tolang.core.gradient.normal import simplified, without_calls
from tolang.core.notation import show_columns, show_constant, show_type
from tolang.core.rebuild import rebuild
from tolang.core.source import print_source
from tolang.core.tidy import own_names
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest
from tolang.syntax.formatter import format_text


def read_again(program: tolang.Program) -> tolang.Program:
    """A program printed as ToLang and compiled from that: the same core, which costs as much."""
    text = format_text(print_source(program.core))
    assert format_text(text) == text
    again = tolang.compile(text, engine="interpret")
    assert told(again.core) == told(program.core), text
    costs = [one.cost().eops for one in (again, program)]
    if str(costs[0]) != str(costs[1]):  # names inside sums may differ, and their order with them
        for length in (3, 4, 10):
            sizes = dict.fromkeys(program.sizes, length)
            assert again.cost(**sizes).eops == program.cost(**sizes).eops, text
    return again


@room_to_nest()
def told(program: Core) -> list[str]:
    """A core as lines, each a value or a requirement, in an order of their own."""
    names = NameSource([*names_in(program.body), *program.sizes])
    body = simplified(without_calls(program.body, names, derived=False), names)
    table = _Table()
    found = table.name(_Merging(substituted(body, names), names).visited)
    inputs = [f"input {one.name}: {show_type(one.type)}" for one in program.inputs]
    outputs = [f"output {one.name} {one.group}: {show_type(one.type)}" for one in program.outputs]
    return [*inputs, *outputs, *sorted(f"{name} = {text}" for text, name in table.texts.items()), f"body {found}"]


class _Merging:
    """What is only read once, element by element, is told where it is read: a sum over a map is one of its terms."""

    def __init__(self, expr: Expr, names: NameSource) -> None:
        self.names = names
        self.uses = Counter(one.name for one in _inside(expr) if isinstance(one, Variable))
        self.maps: dict[str, Map] = {}
        self.visited = self.visit(expr)

    def visit(self, expr: Expr) -> Expr:
        match expr:
            case Let(names=(name,), value=value, body=body, lengths=lengths):
                inner = self.visit(value)
                if isinstance(inner, Map) and self.uses[name] == 1:
                    self.maps[name] = inner
                rest = self.visit(body)
                bound = {name, *(length for length, _, _ in lengths)}
                return replace(expr, value=inner, body=rest) if bound & _names(rest) else rest
            case Part(subject=Variable(name=name), items=items) if name in self.maps:
                one = self.maps[name]
                own = [item.index for item in items if isinstance(item, Coordinate) and not item.written]
                if len(own) == len(items) == len(one.iterators):
                    return substituted(one.body, self.names, dict(zip(one.iterators, own, strict=True)))
        return rebuild(expr, self.visit)


def _inside(expr: Expr) -> list[Expr]:
    return [expr, *(one for child in expr.children() for one in _inside(child))]


def _names(expr: Expr) -> set[str]:
    return set[str]().union(*(own_names(one) for one in _inside(expr)))


class _Table:
    """Names for values; `sizes` holds what names in sizes stand for, `bound` the values of names."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.sizes: dict[str, Size] = {}
        self.bound: dict[str, str] = {}
        self._heights: dict[str, int] = {}

    def name(self, expr: Expr) -> str:
        while isinstance(expr, Let | Require):
            if isinstance(expr, Require):
                self._noted(f"required {self._condition(expr.condition)}")
            else:
                self._bind(expr)
            expr = expr.body
        if isinstance(expr, Variable):
            return self.bound.get(expr.name, expr.name)
        return self._noted(self._text(expr))

    def _noted(self, text: str) -> str:
        made = f"_{hashlib.blake2b(text.encode(), digest_size=5).hexdigest()}"
        self.texts[text] = made
        return made

    def _bind(self, let: Let) -> None:
        value = self.name(let.value)
        height = self._height(let.value)
        for part, name in enumerate(let.names):
            own = value if len(let.names) == 1 else f"{value}.{part}"
            self.bound[name], self.sizes[name], self._heights[name] = own, Size.of(own), height
        for name, part, axis in let.lengths:
            self.sizes[name] = Size.of(f"{value}.{part}.{axis}")

    def _height(self, expr: Expr) -> int:
        """How many binders are inside one another: a name for what is bound here that nothing inside has."""
        match expr:
            case Let(names=names, value=value, body=body):
                inner = self._height(value)
                self._heights.update(dict.fromkeys(names, inner))
                return max(inner, self._height(body))
        inside = [self._height(child) for child in expr.children()]
        inside += [self._heights.get(name, 0) for name in own_names(expr)]
        return max(inside, default=0) + isinstance(expr, Map | Reduce)

    def _size(self, size: Size) -> str:
        return str(size.substitute(self.sizes))

    def _list(self, sizes: Any) -> str:
        return ", ".join(self._size(one) for one in sizes)

    def _condition(self, condition: Condition) -> str:
        return str(condition.substitute(self.sizes))

    def _kind(self, kind: Type) -> str:
        return show_type(kind.substitute(self.sizes))

    def _text(self, expr: Expr) -> str:
        match expr:
            case Literal(value=value):
                return f"{show_constant(value)}: {self._kind(expr.type)}"
            case Measure(size=size):
                return f"size {self._size(size)}"
            case Map() | Reduce():
                return self._loop(expr)
            case Part(subject=subject, items=items):
                return f"{self.name(subject)}[{', '.join(self._item(one) for one in items)}]"
            case If(guard=guard, written=written, then=then, otherwise=otherwise):
                asked = " & ".join(self.name(one) for one in written) or "sizes"
                told = "" if guard is None else self._condition(guard)
                return f"if {told} {asked} then {self.name(then)} else {self.name(otherwise)}"
            case Convert(subject=subject):
                return f"convert({self.name(subject)}, {show_columns(expr.type.columns)})"
            case Reshape(subject=subject):
                return f"reshape({self.name(subject)}, {self._list(expr.type.shape)})"
            case Component(subject=subject, position=position):
                return f"{self.name(subject)}[{position}]'"
            case Swap(axis=axis) | Join(axis=axis):
                return f"{type(expr).__name__} {axis} ({', '.join(self.name(one) for one in expr.children())})"
            case Random(limit=limit, coordinates=coordinates):
                return f"rand({self.name(limit)}, {self._list(coordinates)})"
        function = getattr(expr, "function", type(expr).__name__)
        return f"{function}({', '.join(self.name(one) for one in expr.children())})"

    def _loop(self, expr: Map | Reduce) -> str:
        height = self._height(expr)
        extents = self._list(expr.extents)
        starts = [self.name(one) for one in expr.initials] if isinstance(expr, Reduce) else []
        for place, iterator in enumerate(expr.iterators):
            self.sizes[iterator] = Size.of(f"i{height}_{place}")
        if isinstance(expr, Map):
            return f"map [{extents}] {self.name(expr.body)}"
        for name, part, axis in expr.lengths:
            self.sizes[name] = Size.of(f"s{height}_{part}_{axis}")
        for place, name in enumerate(expr.states):
            self.bound[name], self.sizes[name] = f"s{height}_{place}", Size.of(f"s{height}_{place}")
        kinds = "; ".join(self._kind(kind) for kind in expr.state_types)
        order = "any order" if expr.associative else "in order"
        return f"reduce [{extents}] {order} ({', '.join(starts)}): {kinds} -> {self.name(expr.step)}"

    def _item(self, item: Coordinate | Range) -> str:
        written = "".join(f" as {self.name(one)}" for one in item.written)
        if isinstance(item, Coordinate):
            return self._size(item.index) + written
        return f"{self._size(item.start)} + {self._size(item.length)}{written}"
