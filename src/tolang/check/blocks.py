"""The two constructors: blocks `[…]`, which join, and lists `(…)`, which embed."""

from __future__ import annotations

from tolang.check.application import agree_shapes
from tolang.check.checking import Checking, need
from tolang.check.forms import refuse_capacity, refuse_shape
from tolang.check.maps import refuse_rank
from tolang.check.misfits import is_machine_integer, refuse_misfit
from tolang.check.values import BundleValue, Problem, ScalarValue, Scope, Tensor, Value, Vector, to_expr
from tolang.core.core import Embed, Expr, Join, Reshape
from tolang.core.types import Type, join_type_lists
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.spaces import Column
from tolang.syntax import tree

LONGEST_VECTOR = 64


def blocks(checking: Checking, node: tree.Blocks, scope: Scope) -> Value:
    """`[x, y]`, `[[1,2],[3,4]]`: joined as numpy.block does, the innermost brackets along the last dimension."""
    leaves = _evaluated(checking, node, scope)
    flat = [leaf for leaf in _flatten(leaves) if not isinstance(leaf, list)]
    if _depth(leaves) == 1 and all(isinstance(leaf, ScalarValue | Vector) for leaf in flat):
        items = [
            s
            for leaf in flat
            for s in (leaf.items if isinstance(leaf, Vector) else (leaf,))
            if isinstance(s, ScalarValue)
        ]
        if len(items) <= LONGEST_VECTOR:
            if any(is_machine_integer(item.expr.type.column) for item in items):
                refuse_misfit(Vector(tuple(items)), to_expr(Vector(tuple(items)), node.span).type.columns, node.span)
            return Vector(tuple(items))
    depth = _depth(leaves)
    exprs = [to_expr(leaf, node.span) for leaf in flat]
    rank = max([depth, *(e.type.rank for e in exprs)])
    refuse_rank(rank, node.span)
    checking.spend(node.span, sum(e.type.capacity for e in exprs))
    columns = _joined_columns(exprs, node.span)
    for leaf in flat:
        refuse_misfit(leaf, columns, node.span)
    return Tensor(_joined(checking, leaves, depth, rank, columns, node.span))


Nested = Value | list["Nested"]


def _evaluated(checking: Checking, node: tree.Blocks, scope: Scope) -> list[Nested]:
    rows: list[Nested] = [
        _evaluated(checking, item, scope) if isinstance(item, tree.Blocks) else checking.evaluate(item, scope)
        for item in node.items
    ]
    for row in rows:
        if not isinstance(row, list):
            need(row)
    return rows


def _flatten(nested: Nested) -> list[Value]:
    if isinstance(nested, list):
        return [leaf for item in nested for leaf in _flatten(item)]
    return [nested]


def _depth(nested: Nested) -> int:
    return 1 + max((_depth(item) for item in nested), default=0) if isinstance(nested, list) else 0


def _joined_columns(exprs: list[Expr], span: Span | None) -> tuple[Column, ...]:
    result = exprs[0].type if exprs else Type((), ())
    for expr in exprs[1:]:
        columns = join_type_lists(result, expr.type)
        if columns is None:
            raise Problem("E401", "blocks must have one type list", span, found=f"{result} and {expr.type}")
        result = replace(result, columns=columns, blank=result.blank and expr.type.blank)
    return result.columns


def _joined(
    checking: Checking, nested: Nested, level: int, rank: int, columns: tuple[Column, ...], span: Span | None
) -> Expr:
    if not isinstance(nested, list):
        return _promoted(to_expr(nested, span), rank)
    if not nested:
        raise Problem("E305", "an empty block inside a block", span, fix="write tol[0] for an empty vector")
    parts = [_joined(checking, item, level - 1, rank, columns, span) for item in nested]
    return join(checking, parts, rank - level, rank, columns, span)


def join(
    checking: Checking, parts: list[Expr], axis: int, rank: int, columns: tuple[Column, ...], span: Span | None
) -> Expr:
    """Parts of one rank (or numerics, each a block of one) joined along an axis."""
    blank = all(p.type.blank for p in parts)
    shapes = [p.type.shape or (ONE,) * rank for p in parts]
    if len(parts) == 1:
        whole = parts[0] if parts[0].type.shape else _promoted(parts[0], rank, force=True)
        return whole
    length = ZERO
    for shape in shapes:
        agree_shapes(checking, "joining blocks", _beside(shapes[0], axis), _beside(shape, axis), span)
        length = length + shape[axis]
    shape = (*shapes[0][:axis], length, *shapes[0][axis + 1 :])
    refuse_shape(checking, shape, span)
    return Join(tuple(parts), axis, type=Type(shape, columns, blank), span=span)


def _beside(shape: tuple[Size, ...], axis: int) -> tuple[Size, ...]:
    return shape[:axis] + shape[axis + 1 :]


def _promoted(expr: Expr, rank: int, force: bool = False) -> Expr:
    """A leaf with leading dimensions of one; numerics are left as they are, a join takes them as blocks of one."""
    missing = rank - expr.type.rank
    if missing == 0 or (not expr.type.shape and not force):
        return expr
    shape: tuple[Size, ...] = (ONE,) * missing + expr.type.shape
    return Reshape(expr, type=replace(expr.type, shape=shape), span=expr.span)


def listing(checking: Checking, node: tree.Listing, scope: Scope) -> Value:
    """`(x, y)`: lists of components where shapes are equal, a bundle where they are not."""
    values = [checking.evaluate(item, scope) for item in node.items]
    checking.spend(node.span, sum(v.type.capacity for v in values if isinstance(v, Tensor)))
    return embed([need(v) for v in values], node.span)


def embed(values: list[Value], span: Span | None) -> Value:
    flat = [v for value in values for v in (value.items if isinstance(value, BundleValue) else (value,))]
    if any(isinstance(v, BundleValue) for v in values):
        return BundleValue(tuple(flat))
    exprs = [to_expr(v, span) for v in flat]
    first = exprs[0].type.shape
    if any(e.type.shape != first for e in exprs[1:]):
        return BundleValue(tuple(flat))
    parts = tuple(p for e in exprs for p in (e.parts if isinstance(e, Embed) else (e,)))
    columns = tuple(c for p in parts for c in p.type.columns)
    refuse_capacity(len(columns), span)
    return Tensor(Embed(parts, type=Type(first, columns), span=span))
