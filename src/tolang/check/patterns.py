"""Names for parts: `(x, r) = s`, `((x, r), k) -> …`.

Lists are flat, `((a,b),c)` is `(a,b,c)`, so a pattern fits what has as many parts as it has items, each of which then
fits its item, or as many as it has names.  The parts of a bundle are its ToLs, those of a list its components.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tolang.check.checking import Checking
from tolang.check.indexing import component
from tolang.check.values import POISON, BundleValue, Poisoned, Problem, Scope, Tensor, Value, Vector
from tolang.ground.reporting.diagnostics import Span
from tolang.syntax import tree


def unpacked(pattern: tree.Parameter, value: Value, span: Span | None = None) -> list[Value]:
    """The values of a pattern's names, in order."""
    if value is POISON:
        raise Poisoned
    if not pattern.parts:
        return [value]
    items = _items(value, pattern.span)
    if len(items) == len(pattern.parts):
        return [found for part, item in zip(pattern.parts, items, strict=True) for found in unpacked(part, item, span)]
    for flat in (items, [one for item in items for one in _items(item, pattern.span)]):
        if len(flat) == len(pattern.leaves):
            return flat
    raise _misfit(pattern, value, len(items))


def named(parameters: Sequence[tree.Parameter], bound: Mapping[str, Value]) -> dict[str, Value]:
    """What the names of parameters stand for, those of parts among them."""
    if not any(one.parts for one in parameters):
        return {**bound}
    found: dict[str, Value] = {}
    for one in parameters:
        if one.id in bound:
            values = unpacked(one, bound[one.id])
            pairs = zip(one.leaves, values, strict=True)
            found.update((leaf.id, value) for leaf, value in pairs if leaf.id in one.names)
    return found


def part_form(checking: Checking, node: tree.Unpacked, scope: Scope) -> Value:
    """What one name of a pattern stands for."""
    return unpacked(node.pattern, checking.value(node.subject, scope))[node.leaf]


def _items(value: Value, span: Span) -> list[Value]:
    match value:
        case BundleValue(items=items):
            return list(items)
        case Tensor(type=kind) if kind.capacity > 1:
            return [component(value, place, span) for place in range(1, kind.capacity + 1)]
    return [value]


def _misfit(pattern: tree.Parameter, value: Value, count: int) -> Problem:
    has_elements = isinstance(value, Vector) or (isinstance(value, Tensor) and bool(value.type.shape))
    fix = "the elements of a vector are read by their coordinates: v[1], v[2]" if count == 1 and has_elements else None
    what = f"{len(pattern.leaves)} names stand for the parts of a value that has {count}"
    return Problem("E403", what, pattern.span, found=f"{count}", expected=f"{len(pattern.leaves)}",
                   fix=fix or "name each part, _ for one that is not needed")  # fmt: skip
