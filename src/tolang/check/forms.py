"""The remaining primitive operators: shape, dimension, capacity, volume, space, convert, part, swap, reshape, tile."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from tolang.check.checking import Checking, need
from tolang.check.given_numbers import Watched, plain
from tolang.check.indexing import Item, SliceOf, component, length_of, member, numerics_of, shape_vector
from tolang.check.maps import form_arguments, refuse_rank
from tolang.check.spaces import known_space, resolve_space
from tolang.check.values import (
    Problem,
    Ratio,
    ScalarValue,
    Scope,
    Tensor,
    TypeNames,
    Value,
    Vector,
    measure,
    to_expr,
    whole,
)
from tolang.core.core import Convert, Expr, Literal, Measure, Reshape, Swap, Tile
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import compare
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.spaces import Column, Space, dtype_of, integer_range, promote, renames, storage_family
from tolang.syntax import tree

LARGEST_VOLUME = 2**63 - 1
HOLDS_KNOWN = frozenset({"Z", "R", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"})
"""Spaces in which a number that is known while checking stays known."""
LARGEST_CAPACITY = 4096
Form = Callable[[Checking, list[Value], Span | None], Value]


def shape(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`|t|`, always a vector."""
    return shape_vector(arguments[0], span)


def dimension(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`||t||`."""
    return whole(len(shape_vector(arguments[0], span).items), span)


def capacity(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`|t|'`."""
    return whole(to_expr(arguments[0], span).type.capacity, span)


def volume(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`vol(t)`: the number of numerics."""
    one = to_expr(arguments[0], span).type
    return measure(one.volume() * one.capacity, span)


def space(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`space(t)`: the default type list."""
    columns = to_expr(arguments[0], span).type.columns
    return TypeNames(tuple(replace(c, space=c.space.reported) for c in columns))


def part(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`part(t,[a…])` and `part(t,[a…],[b…])`, both ends included."""
    if len(arguments) == 2:
        return member(checking, arguments[0], [arguments[1]], span)
    ends = [_coordinates(checking, v, span) for v in arguments[1:]]
    if len(ends[0]) != len(ends[1]):
        raise Problem("E302", "the two ends of a part must have one length", span,
                      found=f"{len(ends[0])} and {len(ends[1])}")  # fmt: skip
    items: list[Item] = [SliceOf(low, high) for low, high in zip(*ends, strict=True)]
    return member(checking, arguments[0], items, span)


def _coordinates(checking: Checking, value: Value, span: Span | None) -> list[Value]:
    if isinstance(value, Vector):
        return list(value.items)
    if isinstance(value, Tensor) and value.type.shape:
        return numerics_of(checking, value, span)
    if isinstance(value, ScalarValue) or (isinstance(value, Tensor) and not value.type.shape):
        return [value]
    raise Problem("E304", "the ends of a part must be vectors of known length", span)


def component_form(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`part'(t, j)`."""
    return component(arguments[0], static_whole(arguments[1], "a component's position", span), span)


def static_whole(value: Value, what: str, span: Span | None) -> int:
    """A whole number known while checking."""
    if isinstance(value, Vector) and len(value.items) == 1:
        value = value.items[0]
    number = value.constant if isinstance(value, ScalarValue) else None
    if not isinstance(number, int) or isinstance(number, bool):
        raise Problem("E310", f"{what} must be a whole number known while checking", span)
    return number


def swap(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`swap(t, dim, order)`: dim 1 is the last dimension, order a permutation."""
    subject, order = arguments[0], arguments[2]
    rank = len(shape_vector(subject, span).items)
    position = static_whole(arguments[1], "the dimension of swap", span)
    if not 1 <= position <= rank:
        raise Problem("E302", f"swap of dimension {position} of {rank}", span, found=str(position),
                      expected=f"1 (the last) to {rank} (the first)" if rank else "a ToL with dimensions")  # fmt: skip
    constants = [i.constant for i in order.items] if isinstance(order, Vector) else None
    if constants is not None and all(isinstance(c, int) for c in constants):
        length = len(constants)
        if sorted(c for c in constants if isinstance(c, int)) != list(range(1, length + 1)):
            raise Problem("E311", "the order of swap must be a permutation", span, found=str(constants))
        if isinstance(subject, Vector):
            if len(subject.items) != length:
                raise Problem("E301", "the order of swap must have the dimension's length", span,
                              found=str(length), expected=str(len(subject.items)))  # fmt: skip
            return Vector(tuple(subject.items[c - 1] for c in constants if isinstance(c, int)))
    expr, rearranged = to_expr(subject, span), checking.atom(to_expr(order, span))
    axis = rank - position
    if rearranged.type.rank != 1:
        raise Problem("E302", "the order of swap must be a vector", span, found=str(rearranged.type))
    if rearranged.type.capacity != 1 or rearranged.type.column.space.family not in ("B", "Z", "Q", "R"):
        raise Problem("E304", "the order of swap must be of coordinates", span, found=str(rearranged.type))
    message = f"the order of swap must have the dimension's length, {expr.type.shape[axis]}"
    checking.require(compare("==", rearranged.type.shape[0], expr.type.shape[axis]), message, span)
    return Tensor(Swap(expr, axis, rearranged, type=expr.type, span=span))


def sizes_of(checking: Checking, values: list[Value], span: Span | None) -> tuple[Size, ...]:
    """Values spliced into one shape; refused where it is negative or has too many elements."""
    lengths: list[Size] = []
    for value in values:
        items: list[Value] = list(value.items) if isinstance(value, Vector) else [value]
        if isinstance(value, Tensor) and value.type.rank == 1:
            items = numerics_of(checking, value, span)
        lengths.extend(length_of(checking, item, span) for item in items)
    refuse_shape(checking, tuple(lengths), span)
    return tuple(lengths)


def refuse_shape(checking: Checking, lengths: tuple[Size, ...], span: Span | None) -> None:
    """A shape has no negative length and at most 2^63-1 elements."""
    refuse_rank(len(lengths), span)
    total = 1
    for length in lengths:
        if not checking.frame.conditional:
            least = checking.ranges.lower_bound(length)
            if (least is None or least < 0) and checking.ranges.proves(compare("<", length, ZERO)):
                raise Problem("E305", "a length cannot be negative", span, found=str(length))
        number = length.constant
        total *= number if isinstance(number, int) else 1
        factors = length.terms.values()
        if number is None and not all(-LARGEST_VOLUME <= factor <= LARGEST_VOLUME for factor in factors):
            raise Problem("E312", "a length of more than 2^63-1", span, fix="this many elements fit no memory")
    if total > LARGEST_VOLUME and not any(length.constant == 0 for length in lengths):
        raise Problem("E312", "a ToL of more than 2^63-1 elements", span, found=f"[{', '.join(map(str, lengths))}]")


def refuse_capacity(capacity: int, span: Span | None) -> None:
    if not 1 <= capacity <= LARGEST_CAPACITY:
        raise Problem("E403", f"a list has between 1 and {LARGEST_CAPACITY} components", span, found=str(capacity))


def reshape(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`reshape(t, shape)`: the same elements in another shape."""
    lengths = sizes_of(checking, arguments[1:], span)
    static = _reshaped(arguments[0], lengths)
    if static is not None:
        return static
    expr = to_expr(arguments[0], span)
    result = replace(expr.type, shape=lengths)
    if result.volume() != expr.type.volume():
        message = "reshape keeps the number of elements"
        if span is None or not span.source.library:
            message += f": {expr.type.volume()} into [{', '.join(map(str, lengths))}]"
        checking.require(compare("==", expr.type.volume(), result.volume()), message, span)
    return Tensor(Reshape(expr, type=result, span=span))


def _reshaped(value: Value, lengths: tuple[Size, ...]) -> Value | None:
    """What is known while checking stays so as a numeric or a vector of its own number of elements; else None."""
    items = value.items if isinstance(value, Vector) else (value,) if isinstance(value, ScalarValue) else ()
    if not lengths and len(items) == 1:
        return items[0]
    return Vector(items) if items and lengths == (Size.of(len(items)),) else None


def tile(checking: Checking, arguments: list[Value], span: Span | None) -> Value:
    """`tile(t)`: the last dimension becomes part of the list."""
    expr = to_expr(arguments[0], span)
    if not expr.type.shape:
        raise Problem("E302", "tile needs a ToL with dimensions", span, found=str(expr.type))
    length = expr.type.shape[-1].constant
    if not isinstance(length, int):
        raise Problem("E310", "the last dimension of a tiled ToL must be known while checking", span,
                      found=str(expr.type.shape[-1]))  # fmt: skip
    refuse_capacity(length * expr.type.capacity, span)
    checking.spend(span, length * expr.type.capacity)
    columns = tuple(replace(c, name=None) for c in expr.type.columns) * length
    return Tensor(Tile(expr, type=Type(expr.type.shape[:-1], columns), span=span))


def convert_form(checking: Checking, node: tree.CallExpression, scope: Scope) -> Value:
    """`convert(t, [R])`."""
    (subject_node, target_node), _ = form_arguments(node, "convert", 2, "convert(t, [R])", optional=0)
    subject = checking.value(subject_node, scope)
    target = _goal(checking, target_node, scope)
    static = _converted_scalars(subject, target, node.span)
    if static is not None:
        return static
    expr = to_expr(subject, node.span)
    source = expr.type.columns
    pair = [c.space.family for c in target]
    if len(source) == len(target):
        columns = tuple(_converted(s, t) for s, t in zip(source, target, strict=True))
    elif len(source) == 1 and source[0].space.family in ("C", "I") and pair == ["R", "R"]:
        part = "f32" if source[0].storage == "c64" else "f64"
        columns = tuple(replace(t, storage=t.storage if t.space.is_machine else part) for t in target)
    elif len(source) == 2 and [c.space.family for c in source] == ["R", "R"] and pair == ["C"]:
        narrow = not target[0].space.is_machine and all(promote(c.storage, "f32") == "f32" for c in source)
        columns = (replace(target[0], storage="c64"),) if narrow else target
    else:
        raise Problem("E403", "convert keeps the capacity, except between [C] and [R,R]", node.span,
                      found=f"{len(source)} component(s)", expected=f"{len(target)}")  # fmt: skip
    if (source[0].space.family == "S") != (columns[0].space.family == "S"):
        raise Problem("E402", "text and numbers do not convert into each other", node.span)
    if columns == source and not renames(source, columns) and not any(c.space.bounded for c in columns):
        return Tensor(expr)
    return Tensor(Convert(expr, type=Type(expr.type.shape, columns), span=node.span))


def _converted_scalars(value: Value, target: tuple[Column, ...], span: Span) -> Value | None:
    """Numbers known while checking stay known in another space of numbers that surely holds them; else None."""
    items = value.items if isinstance(value, Vector) else (value,)
    if not items or len(target) != 1 or target[0].space.bounded or target[0].space.root not in HOLDS_KNOWN:
        return None
    converted: list[ScalarValue] = []
    for one in items:
        number = plain(one)
        index = converted_index(number, target[0]) if isinstance(number, ScalarValue) else None
        if isinstance(one, Watched):
            one.note(target[0], index is not None)
        if not isinstance(one, ScalarValue) or index is None:
            return None
        kind = Type((), (_converted(one.expr.type.column, target[0]),))
        made = one.converted(kind, index) if isinstance(one, Watched) else None
        converted.append(made or ScalarValue(_converted_expr(one.expr, kind, span), index))
    return Vector(tuple(converted)) if isinstance(value, Vector) else converted[0]


def _converted_expr(expr: Expr, kind: Type, span: Span) -> Expr:
    """A number written or measured is one of the other space; anything else is converted while running."""
    if isinstance(expr, Literal) or (isinstance(expr, Measure) and kind.column.space.family == "Z"):
        return replace(expr, type=kind)
    return Convert(expr, type=kind, span=span)


def converted_index(scalar: ScalarValue, target: Column) -> Ratio | None:
    """The exact value of a scalar once it is in another space: a constant rounded as its storage does."""
    number = scalar.constant
    if number is None:
        if scalar.index is None or target.storage not in ("i32", "i64", "f32", "f64"):
            return None
        return scalar.index if scalar.index.is_whole or target.space.family == "R" else None
    if not isinstance(number, int | Fraction) or isinstance(number, bool):
        return None
    if target.space.family == "Z":
        least, greatest = integer_range(target.storage)
        return scalar.index if isinstance(number, int) and least <= number <= greatest else None
    with np.errstate(over="ignore"):
        rounded = float(np.asarray(float(number)).astype(dtype_of(target.storage)))
    return Ratio(Size.of(Fraction(rounded))) if math.isfinite(rounded) else None


def _goal(checking: Checking, node: tree.Expression, scope: Scope) -> tuple[Column, ...]:
    """The columns that `convert` converts to: a type list, the spaces of another ToL, or names known while checking."""
    if isinstance(node, tree.TypeList):
        alone = node.spaces[0] if len(node.spaces) == 1 else None
        if alone is None or known_space(scope, alone.id) is not None or scope.find(alone.id) is None:
            return tuple(c for name in node.spaces for c in resolve_space(scope, name))
        node = tree.NameExpression(alone.span, alone.id)
    value = checking.value(node, scope)
    if isinstance(value, TypeNames):
        return value.columns
    names = [i.constant for i in (value.items if isinstance(value, Vector) else (value,)) if isinstance(i, ScalarValue)]
    if not names or not all(isinstance(name, str) for name in names):
        raise Problem("E404", "convert needs a list of type spaces", node.span, expected="convert(t, [R])")
    return tuple(c for name in names for c in resolve_space(scope, tree.SpaceName(node.span, str(name))))


def _converted(source: Column, target: Column) -> Column:
    """A paper's space keeps the storage of data that is of its family already; without a new name the old one stays."""
    target = replace(target, name=target.name or source.name)
    own: Space = target.space
    if not own.is_machine and not own.bounded and storage_family(source.storage) == own.family and not source.weak:
        return replace(target, storage=source.storage)
    return target


def zeros(checking: Checking, node: tree.Zeros, scope: Scope) -> Value:
    """`tol[p, q]`."""
    from tolang.ground.values.spaces import column

    values = [need(v) for v in [checking.evaluate(item, scope) for item in node.items]]
    lengths = sizes_of(checking, values, node.span)
    if not lengths:
        return whole(0, node.span)
    return Tensor(Literal(0, type=Type(lengths, (column("N", weak=True),), blank=True), span=node.span))


FORMS: dict[str, tuple[Form, int, int]] = {
    "shape": (shape, 1, 1), "dim": (dimension, 1, 1), "dimension": (dimension, 1, 1), "capacity": (capacity, 1, 1),
    "vol": (volume, 1, 1), "volume": (volume, 1, 1), "space": (space, 1, 1), "part": (part, 2, 3),
    "part'": (component_form, 2, 2), "swap": (swap, 3, 3), "reshape": (reshape, 2, 2), "tile": (tile, 1, 1),
}  # fmt: skip
"""Primitives whose arguments are plain values, with the least and greatest number of them."""

USAGE = {
    "part": "part(t, [a…]) or part(t, [a…], [b…])", "part'": "part'(t, j)", "swap": "swap(t, dim, order)",
    "reshape": "reshape(t, [n,m])", "tile": "tile(t)",
}  # fmt: skip


def refuse_count(name: str, count: int, span: Span | None) -> None:
    """A primitive is called with as many arguments as it takes."""
    _, least, most = FORMS[name]
    if not least <= count <= most:
        wanted = f"{least} to {most} arguments" if most > least else f"{least} argument{'s' if least > 1 else ''}"
        raise Problem("E203", f"{name} takes {wanted}", span, found=str(count), expected=USAGE.get(name, f"{name}(t)"))


__all__ = ["FORMS", "ONE", "USAGE", "convert_form", "zeros"]
