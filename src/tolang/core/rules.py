"""The typing rules of the core: the type of an expression as it follows from the expressions inside it.

The reader takes types from here, so the printer writes only those that the rules do not give; the verifier holds every
expression against them.  A rule gives None where the parts do not decide the type, or do not fit together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Constant,
    Convert,
    Embed,
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
    Tile,
    Variable,
)
from tolang.core.types import Type, bundle_type, join_type_lists
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, choice
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.functions import FUNCTIONS, SpaceMismatch, result_column
from tolang.ground.values.spaces import Column, column

NUMBER_OF_SIZE = Type((), (column("N", weak=True),))


def inferred_type(expr: Expr) -> Type | None:
    """The type that follows.  The columns of a `Convert` and the shape of a `Reshape` are said by its type itself."""
    match expr:
        case Literal(value=value):
            return literal_type(value)
        case Measure():
            return NUMBER_OF_SIZE
        case Apply(function=function, arguments=arguments):
            return applied_type(function, arguments)
        case Random(limit=limit):
            return applied_type("rand", (limit,))
        case Map(extents=extents, body=body):
            return Type(extents + body.type.shape, body.type.columns)
        case Reduce():
            return _reduced_type(expr)
        case Part(subject=subject, items=items):
            return subject.type.with_shape(tuple(item.length for item in items if isinstance(item, Range)))
        case Component(subject=subject, position=position):
            return _component_type(subject.type, position)
        case Convert(subject=subject):
            return Type(subject.type.shape, expr.type.columns)
        case Reshape(subject=subject):
            return subject.type.with_shape(expr.type.shape)
        case Swap(subject=subject):
            return subject.type
        case Tile(subject=subject):
            return tiled_type(subject.type)
        case Join(parts=parts, axis=axis):
            return _joined_type([p.type for p in parts], axis)
        case Embed(parts=parts):
            columns = tuple(c for p in parts for c in p.type.columns)
            return Type(parts[0].type.shape, columns) if parts else None
        case Bundle(parts=parts):
            return bundle_type(p.type for p in parts)
        case If(guard=guard, then=then, otherwise=otherwise):
            return chosen_type(guard, then.type, otherwise.type)
        case Let(body=body) | Require(body=body):
            return body.type
        case Call(sizes=sizes, body=body):
            return body.type.substitute(dict(sizes))
    return None


def literal_type(value: Constant) -> Type:
    """The type of a constant as it is written: weak, except that text has one storage only."""
    if isinstance(value, bool):
        return Type((), (column("B", weak=True),))
    if isinstance(value, str):
        return Type((), (column("S"),))
    if isinstance(value, int):
        return Type((), (column("N" if value > 0 else "Z", weak=True),))
    root = "Q" if isinstance(value, Fraction) else "R" if isinstance(value, float) else "C"
    return Type((), (column(root, weak=True),))


def applied_type(function: str, arguments: Sequence[Expr]) -> Type | None:
    """The numeric that a basic function gives for numerics."""
    if function not in FUNCTIONS or len(arguments) not in FUNCTIONS[function].arity:
        return None
    if not all(a.type.is_numeric for a in arguments):
        return None
    try:
        return Type((), (result_column(function, tuple(a.type.column for a in arguments)),))
    except SpaceMismatch:
        return None


def _component_type(subject: Type, position: int) -> Type | None:
    if not 1 <= position <= subject.capacity:
        return None
    return replace(subject, columns=(subject.columns[position - 1],))


def tiled_type(subject: Type) -> Type | None:
    """The last dimension, of a known length, becomes that many copies of the type list."""
    length = subject.shape[-1].constant if subject.shape else None
    if not isinstance(length, int):
        return None
    return Type(subject.shape[:-1], tuple(replace(c, name=None) for c in subject.columns) * length)


def block_shapes(parts: Sequence[Type], axis: int) -> list[tuple[Size, ...]]:
    """The shapes of the parts of a join; a numeric among them is a block of one."""
    rank = max([axis + 1, *(p.rank for p in parts)])
    return [p.shape or (ONE,) * rank for p in parts]


def _joined_type(parts: Sequence[Type], axis: int) -> Type | None:
    shapes = block_shapes(parts, axis)
    if not parts or not 0 <= axis < len(shapes[0]) or any(len(s) != len(shapes[0]) for s in shapes):
        return None
    columns = joined_columns(parts)
    if columns is None:
        return None
    length = sum((s[axis] for s in shapes), ZERO)
    shape = (*shapes[0][:axis], length, *shapes[0][axis + 1 :])
    return Type(shape, columns, all(p.blank for p in parts))


def joined_columns(parts: Sequence[Type]) -> tuple[Column, ...] | None:
    """The columns that hold the lists of all the parts."""
    result = parts[0]
    for part in parts[1:]:
        columns = join_type_lists(result, part)
        if columns is None:
            return None
        result = replace(result, columns=columns, blank=result.blank and part.blank)
    return result.columns


def chosen_type(guard: Condition | None, then: Type, otherwise: Type) -> Type | None:
    """The type of a choice; None where a length is one of two and only running tells which."""
    if len(then.parts) != len(otherwise.parts):
        return None
    if then.parts:
        parts = [chosen_type(guard, a, b) for a, b in zip(then.parts, otherwise.parts, strict=True)]
        known = [p for p in parts if p is not None]
        return bundle_type(known) if len(known) == len(parts) else None
    columns = join_type_lists(then, otherwise)
    if columns is None or then.rank != otherwise.rank:
        return None
    shape: list[Size] = []
    for one, two in zip(then.shape, otherwise.shape, strict=True):
        if one != two and guard is None:
            return None
        shape.append(one if one == two or guard is None else choice(guard, one, two))
    return Type(tuple(shape), columns, then.blank and otherwise.blank)


def step_number(iterators: Sequence[str], extents: Sequence[Size]) -> Size:
    """The number of a fold's step, from 1, in terms of its iterators: the first coordinate is fastest."""
    position, stride = ONE, ONE
    for iterator, extent in zip(iterators, extents, strict=True):
        position = position + (Size.of(iterator) - 1) * stride
        stride = stride * extent
    return position


def _reduced_type(expr: Reduce) -> Type | None:
    """The state after the last step, where its lengths do not depend on data."""
    if expr.lengths or not expr.state_types or not 0 < len(expr.iterators) == len(expr.extents):
        return None
    after = dict(zip(expr.iterators, expr.extents, strict=True))
    after[expr.iterators[0]] = expr.extents[0] + 1
    final = [t.substitute(after) for t in expr.state_types]
    return final[0] if len(final) == 1 and not expr.step.type.parts else bundle_type(final)


def identical(one: Type, two: Type) -> bool:
    """Whether two types are equal in everything, the names of their components and spaces too."""
    if one is two:
        return True
    return one == two and _names(one) == _names(two)


def _names(one: Type) -> list[object]:
    own: list[object] = [(c.name, c.space.name) for c in one.columns]
    return own + [_names(p) for p in one.parts]


def own_children(expr: Expr) -> list[Expr]:
    """The expressions directly inside this one, but not the body that a call shares with others."""
    if isinstance(expr, Call) and expr.shared:
        return [argument for _, argument in expr.arguments]
    return list(expr.children())


def variable_types(expr: Expr) -> dict[str, Type]:
    """The types of the variables in an expression, from which a call's parameters get theirs.

    A call binds each parameter to a type in its own sizes, which only the variables in its body tell.
    """
    found: dict[str, Type] = {}
    pending = [expr]
    while pending:
        one = pending.pop()
        if isinstance(one, Variable):
            found.setdefault(one.name, one.type)
        pending.extend(own_children(one))
    return found
