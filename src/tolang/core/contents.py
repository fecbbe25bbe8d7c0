"""What is in expressions, as far as it decides where they are computed: looked at once, bodies that calls share too."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from tolang.core.core import Apply, Expr, Let, Map, Random, Reduce, Require
from tolang.core.tidy import free_names
from tolang.ground.symbolic.sizes import ONE
from tolang.ground.values.functions import COSTLY

MANY = 1000
"""Stands for the functions of a fold over lengths that are not known."""


class Content(NamedTuple):
    """What is in an expression: folds, names of ToLs, either of these inside loops, and the functions of an element."""

    fold: bool = False
    named: bool = False
    in_loops: bool = False
    functions: int = 0


class Contents:
    """What is in the expressions of a program, and which names they use without binding them."""

    def __init__(self) -> None:
        self._contents: dict[int, tuple[Expr, Content]] = {}
        self._free: dict[int, tuple[Expr, frozenset[str]]] = {}

    def of(self, expr: Expr) -> Content:
        known = self._contents.get(id(expr))
        if known is not None:
            return known[1]
        chain: list[Let | Require] = []
        inside = expr
        while isinstance(inside, Let | Require) and id(inside) not in self._contents:
            chain.append(inside)
            inside = inside.body
        found = self._inside(inside) if id(inside) not in self._contents else self._contents[id(inside)][1]
        self._contents[id(inside)] = inside, found
        for one in reversed(chain):
            if isinstance(one, Let):
                value = self.of(one.value)
                found = _together([found, value])._replace(named=found.named or value.named or _is_of_tols(one.value))
            self._contents[id(one)] = one, found
        return found

    def _inside(self, expr: Expr) -> Content:
        found = _together([self.of(child) for child in expr.children()])
        match expr:
            case Apply(function=function):
                return found._replace(functions=found.functions + (8 if function in COSTLY else 1))
            case Random():
                return found._replace(functions=found.functions + 20)
            case Map():
                return found._replace(in_loops=found.in_loops or found.fold or found.named)
            case Reduce(extents=extents):
                turns = prod(extents, start=ONE).constant
                functions = MANY if turns is None else found.functions * max(1, int(turns))
                within = self.of(expr.step)
                in_loops = found.in_loops or within.fold or within.named
                return Content(True, found.named, in_loops, functions)
        return found

    def free(self, expr: Expr) -> frozenset[str]:
        """Names that an expression uses and does not bind itself."""
        known = self._free.get(id(expr))
        if known is None:
            known = self._free[id(expr)] = expr, frozenset(free_names(expr, self.free))
        return known[1]


def _is_of_tols(value: Expr) -> bool:
    return bool(value.type.shape or value.type.parts)


def _together(contents: list[Content]) -> Content:
    """What is in several expressions."""
    if not contents:
        return Content()
    fold, named, in_loops, functions = zip(*contents, strict=True)
    return Content(any(fold), any(named), any(in_loops), sum(functions))
