"""Multiply-accumulates: the sums of folds that add a product, for comparison with counters of MACs and FLOPs.

A sum `s + p` counts as one where s is, or is an element of, the state of a fold, and p is a product: a `mul`, or an
element of a ToL whose elements are products.  Product and sum are made for one of the program's outermost definitions,
by it or by what it calls; so a sum of what a Mul of another node gives is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tolang.core.core import (
    Apply,
    Call,
    Component,
    Convert,
    Expr,
    If,
    Let,
    Map,
    Part,
    Random,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.values.spaces import storage_family


@dataclass(slots=True)
class Products:
    """What names of a program stand for, as far as products go: values bound, and states of folds."""

    values: dict[str, Expr] = field(default_factory=dict)
    states: set[str] = field(default_factory=set)
    parameters: frozenset[str] = frozenset()
    bodies: dict[tuple[int, frozenset[str]], tuple[Expr, bool]] = field(default_factory=dict)
    """Bodies of calls with the parameters that stand for products, and whether they are products: looked at once, for
    calls may lead to calls of the same body."""

    @contextmanager
    def among_parameters(self, names: frozenset[str]) -> Iterator[None]:
        """Inside, these parameters of a body that calls share stand for products."""
        before, self.parameters = self.parameters, names
        try:
            yield
        finally:
            self.parameters = before

    def bind(self, let: Let) -> None:
        if len(let.names) == 1:
            self.values[let.names[0]] = let.value

    def adds_product(self, arguments: tuple[Expr, ...]) -> bool:
        """Whether a sum of these adds a product to the state of a fold."""
        one, two = arguments
        return (self._is_state(one) and self.is_product(two)) or (self._is_state(two) and self.is_product(one))

    def _is_state(self, expr: Expr) -> bool:
        match expr:
            case Variable(name=name):
                return name in self.states or (name in self.values and self._is_state(self.values[name]))
            case Part(subject=subject) | Convert(subject=subject):
                return self._is_state(subject)
        return False

    def is_product(self, expr: Expr) -> bool:
        """Whether an expression is a product, or its elements are."""
        match expr:
            case Apply(function=function):
                return function == "mul"
            case Variable(name=name):
                return name in self.parameters or (name in self.values and self.is_product(self.values[name]))
            case Map(body=inner) | Require(body=inner):
                return self.is_product(inner)
            case Call(arguments=arguments, body=inner):
                multiplied = frozenset(name for name, argument in arguments if self.is_product(argument))
                return self._is_product_body(inner, self.parameters | multiplied)
            case Let(body=inner):
                self.bind(expr)
                return self.is_product(inner)
            case If(then=then, otherwise=otherwise):
                return self.is_product(then) or self.is_product(otherwise)
            case (
                Part(subject=subject)
                | Convert(subject=subject)
                | Component(subject=subject)
                | Reshape(subject=subject)
                | Swap(subject=subject)
                | Tile(subject=subject)
            ):
                return self.is_product(subject)
        return False

    def _is_product_body(self, body: Expr, parameters: frozenset[str]) -> bool:
        key = id(body), parameters
        if key not in self.bodies:
            with self.among_parameters(parameters):
                self.bodies[key] = (body, self.is_product(body))
        return self.bodies[key][1]


def on_floats(expr: Expr) -> bool:
    """Whether a function is evaluated on floats: one of its arguments is one, or what it gives from none."""
    given = expr.arguments if isinstance(expr, Apply) else ()
    types = [argument.type for argument in given] if not isinstance(expr, Random) and given else [expr.type]
    return any(storage_family(column.storage) in ("R", "C") for one in types for column in one.columns)
