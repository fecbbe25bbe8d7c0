"""Quotients of a row by numbers that are the same all along it: products by a reciprocal that is computed once.

nest[i,j] y[i,j] = x[i,j] / s[i]        for i: r = 1 / s[i]; for j: y[i,j] = x[i,j] * r, corrected to the bit
"""

from __future__ import annotations

from collections.abc import Sequence

from tolang.plan.nest import ConstantScalar, Index, Load, Named, Nest, Operation, Where
from tolang.plan.traversal import dependencies, has_fold, may_fail, read_buffers, walk, written_buffers

DIVIDED = ("f32", "f64")
"""Storages of which quotients are products by a reciprocal."""
LONG_ROW = 32
"""From how many elements on it pays to have a reciprocal for all of them."""


def shared_quotients(nest: Nest, inner: Sequence[str]) -> list[Operation]:
    """The quotients of a nest whose divisors, of names, sizes and constants, are the same in all of the inner loops.

    There are none to look for in a nest that writes over what it divides after computing with it, which would be
    computed twice.
    """
    length = nest.extents[-1].constant if inner else 0
    if (length is not None and length < LONG_ROW) or any(has_fold(value) for value in nest.values):
        return []
    every = [one for value in nest.values for one in walk(value)]
    inside = {*inner, *(name for one in every if isinstance(one, Where) for name, _ in one.bindings)}
    found = [
        one
        for one in every
        if isinstance(one, Operation) and one.function == "div" and one.column.storage in DIVIDED
        if dependencies(one.arguments[1]).isdisjoint(inside)
        and not may_fail(one.arguments[1])
        and all(isinstance(part, Named | Index | ConstantScalar | Operation) for part in walk(one.arguments[1]))
    ]
    plain = all(isinstance(one.arguments[0], Load) and not one.arguments[0].checks for one in found)
    return found if plain or not read_buffers(nest) & written_buffers(nest) else []
