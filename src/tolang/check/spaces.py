"""Declared spaces and list types: `space byte: N [0,255]`, `list person: [name: S, age: N]`."""

from __future__ import annotations

import math
from fractions import Fraction

from tolang.check.checking import Checking
from tolang.check.values import Poisoned, Problem, Scope
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.close_names import close_names
from tolang.ground.values.casting import nearest_float
from tolang.ground.values.spaces import FAMILIES, NARROW_INTEGERS, Bound, Column, Space, predefined
from tolang.syntax import tree

OTHER_NAMES = {
    "bool": "B", "boolean": "B", "logical": "B", "natural": "N", "nat": "N", "unsigned": "N", "uint": "N",
    "int": "Z", "integer": "Z", "whole": "Z", "long": "Z", "rational": "Q", "fraction": "Q", "real": "R", "float": "R",
    "number": "R", "double": "f64", "single": "f32", "half": "f16", "bfloat16": "bf16", "imaginary": "I",
    "complex": "C", "text": "S", "str": "S", "string": "S", "char": "S", "float16": "f16", "float32": "f32",
    "float64": "f64", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "complex64": "c64", "complex128": "c128",
}  # fmt: skip
"""What other languages call these spaces, for the suggestion in an error."""


def known_space(scope: Scope, name: str) -> tuple[Column, ...] | None:
    """The columns that the name of a space or list type stands for; None where it is no such name."""
    owner: Scope | None = scope
    while owner is not None:
        if name in owner.declarations.spaces:
            if not owner.declarations.spaces[name]:
                raise Poisoned
            return owner.declarations.spaces[name]
        owner = owner.parent
    space = predefined(name)
    return None if space is None else (Column(space, space.storage),)


def resolve_space(scope: Scope, name: tree.SpaceName) -> tuple[Column, ...]:
    """The columns that the name of a space or list type stands for."""
    known = known_space(scope, name.id)
    if known is not None:
        return known
    declared: list[str] = []
    owner: Scope | None = scope
    while owner is not None:
        declared.extend(owner.declarations.spaces)
        owner = owner.parent
    meant = OTHER_NAMES.get(name.id.lower()) or name.id
    close = close_names(meant, [*declared, *FAMILIES, *NARROW_INTEGERS], 1, 0.5)
    raise Problem("E404", f"unknown type space {name.id}", name.span,
                  expected=f"a declared space or list, or one of {' '.join([*FAMILIES, *NARROW_INTEGERS])}",
                  fix=f"did you mean {close[0]}?" if close else None)  # fmt: skip


def declare_space(scope: Scope, node: tree.SpaceDeclaration) -> None:
    """`space byte: N [0,255]`."""
    columns = resolve_space(scope, node.base)
    if len(columns) != 1:
        raise Problem("E404", f"{node.base.id} is a list, not a space", node.base.span)
    base = columns[0].space
    lower, upper = _bound(node.lower), _bound(node.upper)
    if (lower is not None or upper is not None) and base.family not in ("Z", "Q", "R"):
        raise Problem("E404", f"{base} has no order, so it cannot be bounded", node.span)
    if base.family == "R" and any(math.isinf(nearest_float(b)) for b in (lower, upper) if b is not None):
        raise Problem("E404", "a bound of reals must be within the floats", node.span, fix="write Inf for no bound")
    if lower is not None and upper is not None and lower > upper:
        raise Problem("E404", "the lower bound is above the upper bound", node.span, found=f"[{lower}, {upper}]")
    low = lower if base.lower is None else base.lower if lower is None else max(lower, base.lower)
    high = upper if base.upper is None else base.upper if upper is None else min(upper, base.upper)
    space = Space(base.root, low, high, name=node.id)
    least, greatest = space.limits
    if least is not None and greatest is not None and least > greatest:
        raise Problem("E404", f"nothing is in {node.id}", node.span, found=f"{base.root} from {low} to {high}")
    scope.declarations.spaces[node.id] = (Column(space, space.storage),)


def _bound(node: tree.Expression | None) -> Bound | None:
    """A bound is a signed number; an infinity is no bound."""
    sign = 1
    inner = node
    while isinstance(inner, tree.Unary) and inner.operator in "+-":
        sign = -sign if inner.operator == "-" else sign
        inner = inner.operand
    if inner is None or (isinstance(inner, tree.ConstantExpression) and inner.name == "Inf"):
        return None
    if not isinstance(inner, tree.Number) or inner.imaginary:
        raise Problem("E404", "a bound must be a number", inner.span)
    value: int | Fraction = inner.value * sign
    return value


def field_columns(scope: Scope, fields: tuple[tree.ListField, ...]) -> tuple[Column, ...]:
    """The columns of a list type's fields; a field that is itself a list brings all of its own."""
    columns: list[Column] = []
    for one in fields:
        own = resolve_space(scope, one.space)
        if one.id is not None and len(own) == 1:
            own = (replace(own[0], name=one.id),)
        columns.extend(own)
    names = [c.name for c in columns if c.name]
    if len(set(names)) < len(names):
        raise Problem("E206", "two components of a list have one name", fields[0].span, found=", ".join(names))
    return tuple(columns)


def declare_spaces(checking: Checking, scope: Scope, statements: tuple[tree.Statement, ...]) -> None:
    """Every declared space and list type, those it is built on first; one with an error is left without columns."""
    waiting: dict[str, Declaration] = {}
    for one in statements:
        if isinstance(one, tree.SpaceDeclaration | tree.ListDeclaration):
            if one.id in waiting:
                checking.report(Problem("E206", f"the space {one.id} is declared twice", one.span).diagnostic)
            waiting.setdefault(one.id, one)
    for one in list(waiting.values()):
        _declare(checking, scope, one, waiting, ())


Declaration = tree.SpaceDeclaration | tree.ListDeclaration


def _declare(
    checking: Checking, scope: Scope, node: Declaration, waiting: dict[str, Declaration], path: tuple[str, ...]
) -> None:
    """One declaration, taken out of those that wait; `path` names those that wait for it, and must not come again."""
    if waiting.pop(node.id, None) is None:
        return
    path = (*path, node.id)
    try:
        bases = [node.base] if isinstance(node, tree.SpaceDeclaration) else [f.space for f in node.fields]
        for base in bases:
            if base.id in path and predefined(base.id) is None:
                raise Problem("E404", f"the space {base.id} is declared by itself", base.span)
            if base.id in waiting:
                _declare(checking, scope, waiting[base.id], waiting, path)
        if isinstance(node, tree.SpaceDeclaration):
            declare_space(scope, node)
        else:
            scope.declarations.spaces[node.id] = field_columns(scope, node.fields)
    except Problem as problem:
        checking.report(problem.diagnostic)
        scope.declarations.spaces[node.id] = ()
    except Poisoned:
        scope.declarations.spaces[node.id] = ()
