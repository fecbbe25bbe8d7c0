"""`if … then … else …`: decided while checking where it can be, a branch while running where it cannot."""

from __future__ import annotations

from tolang.check.checking import Checking, need
from tolang.check.frames import Binding, Frame, Length
from tolang.check.index_hints import LONGEST
from tolang.check.misfits import refuse_misfit
from tolang.check.values import BundleValue, Problem, Ratio, ScalarValue, Scope, Tensor, Value, Vector, to_expr
from tolang.core.core import Bundle, Expr, If, Variable
from tolang.core.types import Type, bundle_type, join_type_lists
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.conditions import Condition, choice, junction, negation, zero
from tolang.ground.symbolic.sizes import ONE, Size, extremum
from tolang.syntax import tree


def if_form(checking: Checking, node: tree.IfExpression, scope: Scope) -> Value:
    condition = _condition(checking.value(node.condition, scope), node)
    if (
        isinstance(condition, ScalarValue)
        and condition.condition is not None
        and condition.condition.constant is not None
    ):
        return checking.value(node.then if condition.condition.constant else node.otherwise, scope)
    frames = (checking.new_frame(conditional=True), checking.new_frame(conditional=True))
    values = []
    for frame, branch in zip(frames, (node.then, node.otherwise), strict=True):
        with checking.inside(frame):
            values.append(checking.evaluate(branch, scope.child(frame)))
    then, otherwise = need(values[0]), need(values[1])
    guard = condition.condition if isinstance(condition, ScalarValue) else None
    if guard is not None and not any(f.bindings for f in frames):
        static = _static_choice(condition, guard, then, otherwise, node.span)
        if static is not None:
            return static
    return _running(checking, to_expr(condition), guard, frames, (then, otherwise), node.span)


def _condition(value: Value, node: tree.IfExpression) -> Value:
    """The condition as a scalar or a numeric tensor in B."""
    span = node.condition.span
    if isinstance(value, Vector) and len(value.items) == 1:
        value = value.items[0]
    expr = to_expr(value, span)
    if not expr.type.is_numeric:
        raise Problem("E406", "a condition must be a numeric", span, found=str(expr.type),
                      fix=_for_each(node, expr.type) if expr.type.shape else None)  # fmt: skip
    if expr.type.column.space.family != "B":
        raise Problem("E406", "a condition must be in B", span, found=str(expr.type), fix="compare it: x != 0")
    return value


def _for_each(node: tree.IfExpression, kind: Type) -> str:
    """What a choice by many truth values may be: one for each element, or one by all of them."""
    parts = [one.span.text for one in (node.condition, node.then, node.otherwise)]
    short = sum(len(one) for one in parts) <= LONGEST and not any("\n" in one or "*" in one for one in parts)
    condition, then, otherwise = parts if short else ("c", "a", "b")
    if kind.column.space.family != "B":
        condition = f"{condition} != 0"
    return (
        f"`where({condition}, {then}, {otherwise})` chooses for each element; "
        f"`all({condition})` or `any({condition})` is one condition"
    )


def _static_choice(condition: Value, guard: Condition, then: Value, otherwise: Value, span: Span) -> Value | None:
    """A choice between scalars, or vectors of scalars, by a condition on sizes: a scalar again."""
    if isinstance(then, ScalarValue) and isinstance(otherwise, ScalarValue):
        return _chosen(guard, then, otherwise, span)
    if isinstance(then, Vector) and isinstance(otherwise, Vector) and len(then.items) == len(otherwise.items):
        chosen = [_chosen(guard, a, b, span) for a, b in zip(then.items, otherwise.items, strict=True)]
        return Vector(tuple(chosen))
    return None


def _chosen(guard: Condition, then: ScalarValue, otherwise: ScalarValue, span: Span) -> ScalarValue:
    columns = join_type_lists(then.expr.type, otherwise.expr.type)
    if columns is None:
        raise Problem("E401", "the branches must have one type list", span)
    expr = If(guard, (), then.expr, otherwise.expr, type=Type((), columns), span=span)
    if then.index is not None and otherwise.index is not None:
        one, two = then.index, otherwise.index
        if one.denominator == two.denominator == ONE:
            return ScalarValue(expr, Ratio(choice(guard, one.numerator, two.numerator)))
    if then.condition is not None and otherwise.condition is not None:
        held = junction("and", [guard, then.condition])
        return ScalarValue(
            expr, condition=junction("or", [held, junction("and", [negation(guard), otherwise.condition])])
        )
    return ScalarValue(expr)


def _running(
    checking: Checking,
    condition: Expr,
    guard: Condition | None,
    frames: tuple[Frame, Frame],
    values: tuple[Value, Value],
    span: Span,
) -> Value:
    """A branch taken while running."""
    is_bundle = any(isinstance(v, BundleValue) for v in values)
    parts = [[to_expr(p, span) for p in (v.items if isinstance(v, BundleValue) else (v,))] for v in values]
    if len(parts[0]) != len(parts[1]):
        raise Problem("E306", "the branches must give the same number of ToLs", span,
                      found=f"{len(parts[0])} and {len(parts[1])}")  # fmt: skip
    inner = frames[0].bound() | frames[1].bound()
    merged: list[Type] = []
    lengths: list[Length] = []
    for position, (one, two) in enumerate(zip(parts[0], parts[1], strict=True)):
        kind, found = _merged_type(checking, one.type, two.type, guard, inner, span)
        merged.append(kind)
        lengths.extend((name, position, axis) for name, axis in found)
        for value in values:
            refuse_misfit(value.items[position] if isinstance(value, BundleValue) else value, kind.columns, span)
    bodies = []
    for frame, branch in zip(frames, parts, strict=True):
        result: Expr = branch[0]
        if is_bundle:
            result = Bundle(tuple(branch), type=bundle_type(p.type for p in branch))
        bodies.append(frame.wrap(result))
    kind = bundle_type(merged) if is_bundle else merged[0]
    written = () if guard is not None else (condition,)
    chosen = If(guard, written, bodies[0], bodies[1], type=kind, span=span)
    if not is_bundle and not lengths:
        return Tensor(chosen)
    return _bound(checking, chosen, merged, tuple(lengths), is_bundle, span)


def _bound(
    checking: Checking, chosen: If, merged: list[Type], lengths: tuple[Length, ...], is_bundle: bool, span: Span
) -> Value:
    names = tuple(checking.fresh("b") for _ in merged)
    checking.frame.bindings.append(Binding(names, chosen, lengths))
    variables = tuple(Tensor(Variable(n, type=t, span=span)) for n, t in zip(names, merged, strict=True))
    return BundleValue(variables) if is_bundle else variables[0]


def _merged_type(
    checking: Checking, one: Type, two: Type, guard: Condition | None, inner: set[str], span: Span
) -> tuple[Type, list[tuple[str, int]]]:
    """The type of a choice, and names for the lengths that only running tells."""
    columns = join_type_lists(one, two)
    if columns is None:
        raise Problem("E401", "the branches must have one type list", span, found=f"{one} and {two}")
    if one.rank != two.rank:
        raise Problem("E306", "the branches must have one rank, unless the condition is decided while checking", span,
                      found=f"{one} and {two}")  # fmt: skip
    shape: list[Size] = []
    named: list[tuple[str, int]] = []
    for axis, (a, b) in enumerate(zip(one.shape, two.shape, strict=True)):
        if a == b and not a.names() & inner:
            shape.append(a)
        elif guard is not None and not (a.names() | b.names()) & inner:
            shape.append(b if guard == zero(a - b) else choice(guard, a, b))
        else:
            name = _between(checking, a, b)
            named.append((name, axis))
            shape.append(Size.of(name))
    if len(named) > 1:
        raise Problem("E309", "the branches may differ in one length, not more", span, found=f"{one} and {two}")
    return Type(tuple(shape), columns, one.blank and two.blank), named


def _between(checking: Checking, one: Size, two: Size) -> str:
    """A name for a length that is one of two."""
    ranges = checking.ranges
    if ranges.proves_nonnegative(two - one):
        return checking.fresh_length("length", one, two)
    if ranges.proves_nonnegative(one - two):
        return checking.fresh_length("length", two, one)
    return checking.fresh_length("length", extremum("min", [one, two]), extremum("max", [one, two]))
